/*
 * run_compose.c: composition of constituents, and child sums, through OpenCL.
 */
#include "device/opencl/run/push.h"

DGM_CL_RUN_KERNEL(compose_forward, rows, args->core.n, args->core.dim)
DGM_CL_RUN_KERNEL(compose_backward, rows, args->core.n, args->core.dim)
DGM_CL_RUN_KERNEL(child_sum_forward, rows, args->n, args->dim)
DGM_CL_RUN_KERNEL(child_sum_backward, rows, args->n, args->dim)
