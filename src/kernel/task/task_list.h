/*
 * task_list.h: everything that a device can be asked to compute. Each task is declared here, once,
 * in the file of its family: what it computes and with which arguments. Whoever needs something of
 * every task or argument defines some of the words below, includes this file, and gets its own
 * code: structs (numbers.h, jobs.h, device/task.h), pointers (device/cpu/open.h), arguments of
 * kernels (device/opencl/run/push.h), functions, names. A word that is not defined means nothing.
 *
 *     TASK(name) .. END(name)      a task; between the two stand its arguments, in this order:
 *     OUT(type, name)              operands that are written, or updated; real, int, byte or double
 *     OUTS(type, name, n)          n of them, an array
 *     IN(type, name)               operands that are only read
 *     INS(type, name, n)
 *     OPERANDS(struct, name)       operands that tasks share, all of them read
 *     INT(name), INTS(name, n)     numbers, int64_t; an int in kernels for OpenCL, and checked
 *     LONG(name), LONGS(name, n)   numbers, int64_t; a long in kernels for OpenCL
 *     HOST(name)                   a number that only the host reads, as for the size of the grid
 *     HOST_INTS(name)              int32_t in the host's memory
 *     IDS(name, n)                 int32_t
 *     REAL(name)                   a dgm_real
 *     FLAG(name), FLAGS(name, n)   0 or 1
 *     CHOICE(enum, name)           one of an enum of numbers.h
 *     DROP                         `drop`, struct dgm_drop
 *     CORE(struct)                 `core`: numbers that tasks share
 *
 * What tasks share is a macro beside them, NUMBERS_<struct> or OPERANDS_<struct>, and a line of
 * groups_list.h.
 *
 * Matrices are row-major. N rows (tokens) of a packed batch, D model width, H heads, d_k = D/H,
 * V vocabulary, S sentences. Reals are dgm_real, indices int32_t; ld*: elements between rows. An
 * operand whose buffer is NULL is an absent option. Operands come first, outputs before inputs:
 * generic code moves them between devices by that order.
 */
#ifndef TASK
#define TASK(name)
#endif
#ifndef END
#define END(name)
#endif
#ifndef OUT
#define OUT(type, name)
#endif
#ifndef OUTS
#define OUTS(type, name, n)
#endif
#ifndef IN
#define IN(type, name)
#endif
#ifndef INS
#define INS(type, name, n)
#endif
#ifndef OPERANDS
#define OPERANDS(group, name)
#endif
#ifndef INT
#define INT(name)
#endif
#ifndef INTS
#define INTS(name, n)
#endif
#ifndef LONG
#define LONG(name)
#endif
#ifndef LONGS
#define LONGS(name, n)
#endif
#ifndef HOST
#define HOST(name)
#endif
#ifndef HOST_INTS
#define HOST_INTS(name)
#endif
#ifndef IDS
#define IDS(name, n)
#endif
#ifndef REAL
#define REAL(name)
#endif
#ifndef FLAG
#define FLAG(name)
#endif
#ifndef FLAGS
#define FLAGS(name, n)
#endif
#ifndef CHOICE
#define CHOICE(type, name)
#endif
#ifndef DROP
#define DROP
#endif
#ifndef CORE
#define CORE(group)
#endif
#ifndef NUMBERS_GROUP
#define NUMBERS_GROUP(name)
#endif
#ifndef OPERANDS_GROUP
#define OPERANDS_GROUP(name)
#endif

#ifdef TASK_LIST_FILE
#include TASK_LIST_FILE
#else
#include "kernel/task/elements_list.h"
#include "kernel/task/gemm_list.h"
#include "kernel/task/rows_list.h"
#include "kernel/task/attention_list.h"
#include "kernel/task/lstm_list.h"
#include "kernel/task/additive_list.h"
#include "kernel/task/gates_list.h"
#include "kernel/task/cells_list.h"
#include "kernel/task/compose_list.h"
#include "kernel/task/pairs_list.h"
#include "kernel/task/softmax_list.h"
#include "kernel/task/spans_list.h"
#include "kernel/task/optimizer_list.h"
#endif

#undef TASK
#undef END
#undef OUT
#undef OUTS
#undef IN
#undef INS
#undef OPERANDS
#undef INT
#undef INTS
#undef LONG
#undef LONGS
#undef HOST
#undef HOST_INTS
#undef IDS
#undef REAL
#undef FLAG
#undef FLAGS
#undef CHOICE
#undef DROP
#undef CORE
#undef NUMBERS_GROUP
#undef OPERANDS_GROUP
#undef TASK_LIST_FILE
