/*
 * task_shape.h: what is known of every task without its meaning: its name and its operands.
 */
#ifndef DGM_DEVICE_TASK_SHAPE_H
#define DGM_DEVICE_TASK_SHAPE_H

#include <stddef.h>

#include "device/device.h"

/* The arguments of a task (task.h) begin with its operands, outputs first: struct dgm_ref each. */
struct dgm_task_shape {
    const char *name;
    size_t args_bytes;
    int outputs, inputs;
};

const struct dgm_task_shape *dgm_task_shape(enum dgm_task_kind kind);

#endif
