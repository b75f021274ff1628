/*
 * run_norm.h: the gradients of a norm's gain and bias, whose last step waits for the next norm.
 *
 * The backward pass of a norm leaves sums of blocks of rows. The next one's kernel adds them up
 * beside its own work, instead of a launch for that alone; whoever may see these gradients before
 * has them added up first.
 */
#ifndef DGM_DEVICE_OPENCL_RUN_RUN_NORM_H
#define DGM_DEVICE_OPENCL_RUN_RUN_NORM_H

#include "device/opencl/core/opencl.h"

/* Adds up the sums that wait, if there are any. */
dgm_status dgm_cl_norm_settle(struct dgm_env *env, struct dgm_opencl *opencl);

/* Whether a task may read or write gradients that wait for such sums. */
int dgm_cl_norm_concerns(const struct dgm_opencl *opencl, enum dgm_task_kind kind,
                         const void *args);

#endif
