/*
 * jobs.h: the arguments of each task as kernels get them: struct dgm_<task>_job, with a pointer for
 * each operand (NULL where it is absent) and the numbers. task_list.h says what they mean.
 */
#ifndef DGM_KERNEL_TASK_JOBS_H
#define DGM_KERNEL_TASK_JOBS_H

#include "kernel/drop.h"
#include "kernel/task/numbers.h"

typedef dgm_real dgm_task_real;
typedef int32_t dgm_task_int;
typedef unsigned char dgm_task_byte;
typedef double dgm_task_double;

/* clang-format off */

/* struct dgm_attention_inputs_job: what OPERANDS refers to. */
#define OPERANDS_GROUP(name) struct dgm_##name##_job { OPERANDS_##name };
#define IN(type, name) const dgm_task_##type *name;
#define INS(type, name, n) const dgm_task_##type *name[n];
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

#define TASK(name) struct dgm_##name##_job {
#define OUT(type, name) dgm_task_##type *name;
#define OUTS(type, name, n) dgm_task_##type *name[n];
#define IN(type, name) const dgm_task_##type *name;
#define INS(type, name, n) const dgm_task_##type *name[n];
#define OPERANDS(group, name) struct dgm_##group##_job name;
#define INT(name) int64_t name;
#define LONG(name) int64_t name;
#define LONGS(name, n) int64_t name[n];
#define HOST(name) int64_t name;
#define IDS(name, n) int32_t name[n];
#define REAL(name) dgm_real name;
#define FLAG(name) int name;
#define FLAGS(name, n) int name[n];
#define CHOICE(type, name) enum type name;
#define DROP struct dgm_mask mask;
#define CORE(group) struct dgm_##group core;
#define END(name) };
#include "kernel/task/task_list.h"

/* clang-format on */

#endif
