/*
 * run_spans.c: sigmoids and means over the rows of sentences, through OpenCL.
 */
#include "device/opencl/run/push.h"

DGM_CL_RUN_KERNEL(span_sigmoid_forward, items, args->rows * args->cols)
DGM_CL_RUN_KERNEL(span_sigmoid_backward, items, args->rows * args->cols)
DGM_CL_RUN_KERNEL(span_mean_forward, rows, args->sentences, args->width)
DGM_CL_RUN_KERNEL(span_mean_backward, rows, args->sentences, args->width)

/* One work-item for each row of links. */
DGM_CL_RUN_KERNEL(link_loss_forward, items, args->rows)
DGM_CL_RUN_KERNEL(link_loss_backward, items, args->rows)
