/*
 * run_cells.c: steps of gated recurrent units, and dynamic weights, through OpenCL.
 */
#include "device/opencl/run/push.h"

DGM_CL_RUN_KERNEL(gated_cell_forward, rows, args->n, args->dim)
DGM_CL_RUN_KERNEL(gated_cell_backward, rows, args->n, args->dim)

/* ---- dynamic weights --------------------------------------------------------------------- */

DGM_CL_RUN_KERNEL(modulate_forward, rows, args->core.n, args->core.dim)
DGM_CL_RUN_KERNEL(modulate_backward, rows, args->core.n, args->core.dim)
