/*
 * task.h: the arguments of each task as devices get them: struct dgm_<task>_args, with a reference
 * for each operand and the numbers. kernel/task/<family>_list.h states them, with shapes, and
 * exactly what is computed.
 */
#ifndef DGM_DEVICE_TASK_H
#define DGM_DEVICE_TASK_H

#include "device/device.h"
#include "kernel/task/numbers.h"

/* clang-format off */

/* struct dgm_attention_inputs: what OPERANDS refers to. */
#define OPERANDS_GROUP(name) struct dgm_##name { OPERANDS_##name };
#define IN(type, name) struct dgm_ref name;
#define INS(type, name, n) struct dgm_ref name[n];
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

#define TASK(name) struct dgm_##name##_args {
#define OUT(type, name) struct dgm_ref name;
#define OUTS(type, name, n) struct dgm_ref name[n];
#define IN(type, name) struct dgm_ref name;
#define INS(type, name, n) struct dgm_ref name[n];
#define OPERANDS(group, name) struct dgm_##group name;
#define INT(name) int64_t name;
#define LONG(name) int64_t name;
#define LONGS(name, n) int64_t name[n];
#define HOST(name) int64_t name;
#define IDS(name, n) int32_t name[n];
#define REAL(name) dgm_real name;
#define FLAG(name) int name;
#define FLAGS(name, n) int name[n];
#define CHOICE(type, name) enum type name;
#define DROP struct dgm_drop drop;
#define CORE(group) struct dgm_##group core;
#define END(name) };
#include "kernel/task/task_list.h"

/* clang-format on */

#endif
