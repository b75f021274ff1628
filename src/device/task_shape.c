/*
 * task_shape.c: the table of tasks.
 */
#include "device/task_shape.h"

#include "device/task.h"

static const struct dgm_task_shape shapes[] = {
#define TASK(name, outputs, inputs) { #name, sizeof(struct dgm_##name##_args), outputs, inputs },
#include "device/task_list.h"
#undef TASK
};

const struct dgm_task_shape *dgm_task_shape(enum dgm_task_kind kind)
{
    return &shapes[kind];
}
