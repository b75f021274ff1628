/*
 * run_elements.c: element-by-element tasks through OpenCL (opencl/elements.cl, activate.cl,
 * softmax.cl).
 */
#include "device/opencl/run/push.h"

DGM_CL_RUN_KERNEL(fill, vectors, args->count)
DGM_CL_RUN_KERNEL(axpby, vectors, args->count)
DGM_CL_RUN_KERNEL(relu_backward, vectors, args->count)

/* ---- activations ------------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(activate_forward, vectors, args->count)
DGM_CL_RUN_KERNEL(activate_backward, vectors, args->count)

/* ---- sums of probabilities --------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(log_add, vectors, args->count)
