/*
 * task_shape.c: the table of tasks.
 */
#include "device/task_shape.h"

#include "device/task.h"

/* clang-format off */
/* How many operands of each task are outputs, and how many are inputs: enums that count them. */
#define TASK(name) enum { outputs_of_##name = 0
#define OUT(type, name) +1
#define OUTS(type, name, n) +(n)
#define END(name) };
#include "kernel/task/task_list.h"

#define OPERANDS_GROUP(name) enum { inputs_of_##name = 0 OPERANDS_##name };
#define IN(type, name) +1
#define INS(type, name, n) +(n)
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

#define TASK(name) enum { inputs_of_##name = 0
#define IN(type, name) +1
#define INS(type, name, n) +(n)
#define OPERANDS(group, name) +inputs_of_##group
#define END(name) };
#include "kernel/task/task_list.h"
/* clang-format on */

static const struct dgm_task_shape shapes[] = {
#define TASK(name) { #name, sizeof(struct dgm_##name##_args), outputs_of_##name, inputs_of_##name },
#include "kernel/task/task_list.h"
};

const struct dgm_task_shape *dgm_task_shape(enum dgm_task_kind kind)
{
    return &shapes[kind];
}
