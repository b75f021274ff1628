/*
 * fuse.h: pairs of tasks that become one. A task that may begin a pair waits until the next one is
 * known: if that belongs to it, one task of the list does the work of both, with one launch and one
 * pass over the rows; if not, the first runs, and then the other. Nobody above sees it: whoever
 * reads, writes or releases memory, or asks for the queue's end, has the waiting task run first
 * (opencl.c).
 */
#ifndef DGM_DEVICE_OPENCL_CORE_FUSE_H
#define DGM_DEVICE_OPENCL_CORE_FUSE_H

#include "device/opencl/core/opencl.h"

/* A task with its arguments. */
struct dgm_cl_pair {
    enum dgm_task_kind kind;
    union {
        struct dgm_residual_norm_forward_args forward;
        struct dgm_residual_norm_backward_args backward;
    } args;
};

/* Whether tasks of this kind begin a pair; *pair: the kind of the one that does both. */
int dgm_cl_fuse_begins(enum dgm_task_kind kind, enum dgm_task_kind *pair);

/* Whether `waiting` and the task behind it make a pair: then what does the work of both. */
int dgm_cl_fuse(const struct dgm_cl_waiting *waiting, enum dgm_task_kind kind, const void *args,
                struct dgm_cl_pair *pair);

#endif
