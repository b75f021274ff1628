/*
 * push.h: the arguments of kernels, pushed by name: dgm_push_<task> hands over all arguments of a
 * task, in the order of its list (kernel/task/), dgm_push_cl_<kernel> those of a kernel of
 * kernel_args_list.h. Nobody else writes down an order, but for the kernels themselves: a test
 * compares the parameters of every kernel with these lists, by name and type.
 */
#ifndef DGM_DEVICE_OPENCL_RUN_PUSH_H
#define DGM_DEVICE_OPENCL_RUN_PUSH_H

#include "device/opencl/core/launch.h"

/* clang-format off */

#define PUSH(prefix, type) static inline void prefix(struct dgm_launch *launch, const type *args) {
#define PUSH_EACH(n, push, value) for (int i = 0; i < (n); i++) push(launch, value[i]);

/* dgm_push_attention and so on: shared numbers and operands. */
#define NUMBERS_GROUP(name) PUSH(dgm_push_##name, struct dgm_##name) NUMBERS_##name }
#define OPERANDS_GROUP(name) PUSH(dgm_push_##name, struct dgm_##name) OPERANDS_##name }
#define IN(type, name) dgm_launch_ref(launch, args->name);
#define INS(type, name, n) PUSH_EACH(n, dgm_launch_ref, args->name)
#define INT(name) dgm_launch_int(launch, args->name);
#define INTS(name, n) PUSH_EACH(n, dgm_launch_int, args->name)
#define LONG(name) dgm_launch_long(launch, args->name);
#define LONGS(name, n) PUSH_EACH(n, dgm_launch_long, args->name)
#define REAL(name) dgm_launch_real(launch, args->name);
#define FLAG(name) dgm_launch_int(launch, args->name);
#define DROP dgm_launch_drop(launch, &args->drop);
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

/* dgm_push_<task> */
#define TASK(name) PUSH(dgm_push_##name, struct dgm_##name##_args)
#define OUT(type, name) dgm_launch_ref(launch, args->name);
#define OUTS(type, name, n) PUSH_EACH(n, dgm_launch_ref, args->name)
#define IN(type, name) dgm_launch_ref(launch, args->name);
#define INS(type, name, n) PUSH_EACH(n, dgm_launch_ref, args->name)
#define OPERANDS(group, name) dgm_push_##group(launch, &args->name);
#define INT(name) dgm_launch_int(launch, args->name);
#define LONG(name) dgm_launch_long(launch, args->name);
#define LONGS(name, n) PUSH_EACH(n, dgm_launch_long, args->name)
#define IDS(name, n) PUSH_EACH(n, dgm_launch_int, args->name)
#define REAL(name) dgm_launch_real(launch, args->name);
#define FLAG(name) dgm_launch_int(launch, args->name);
#define FLAGS(name, n) PUSH_EACH(n, dgm_launch_int, args->name)
#define CHOICE(type, name) dgm_launch_int(launch, (int64_t)args->name);
#define DROP dgm_launch_drop(launch, &args->drop);
#define CORE(group) dgm_push_##group(launch, &args->core);
#define END(name) }
#include "kernel/task/task_list.h"

/* struct dgm_cl_<kernel>_args */
#define TASK(name) struct dgm_cl_##name##_args {
#define OUT(type, name) struct dgm_ref name;
#define IN(type, name) struct dgm_ref name;
#define OPERANDS(group, name) struct dgm_##group name;
#define INT(name) int64_t name;
#define INTS(name, n) int64_t name[n];
#define LONG(name) int64_t name;
#define REAL(name) dgm_real name;
#define FLAG(name) int name;
#define DROP struct dgm_drop drop;
#define CORE(group) struct dgm_##group core;
#define END(name) };
#define TASK_LIST_FILE "device/opencl/run/kernel_args_list.h"
#include "kernel/task/task_list.h"

/* dgm_push_cl_<kernel> */
#define TASK(name) PUSH(dgm_push_cl_##name, struct dgm_cl_##name##_args)
#define OUT(type, name) dgm_launch_ref(launch, args->name);
#define IN(type, name) dgm_launch_ref(launch, args->name);
#define OPERANDS(group, name) dgm_push_##group(launch, &args->name);
#define INT(name) dgm_launch_int(launch, args->name);
#define INTS(name, n) PUSH_EACH(n, dgm_launch_int, args->name)
#define LONG(name) dgm_launch_long(launch, args->name);
#define REAL(name) dgm_launch_real(launch, args->name);
#define FLAG(name) dgm_launch_int(launch, args->name);
#define DROP dgm_launch_drop(launch, &args->drop);
#define CORE(group) dgm_push_##group(launch, &args->core);
#define END(name) }
#define TASK_LIST_FILE "device/opencl/run/kernel_args_list.h"
#include "kernel/task/task_list.h"

/* dgm_begin_cl_<kernel>: a launch of that kernel that has its arguments. */
#define TASK(name) \
    static inline struct dgm_launch dgm_begin_cl_##name( \
        struct dgm_env *env, struct dgm_opencl *opencl, const struct dgm_cl_##name##_args *args) { \
        struct dgm_launch launch; \
        dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_##name); \
        dgm_push_cl_##name(&launch, args); \
        return launch; }
#define TASK_LIST_FILE "device/opencl/run/kernel_args_list.h"
#include "kernel/task/task_list.h"

#undef PUSH
#undef PUSH_EACH

/* clang-format on */

/*
 * Defines dgm_opencl_run_<task>, where a kernel of that name takes the task as it is: on the range
 * of dgm_launch_<range> (launch.h), whose numbers may read `args`.
 */
#define DGM_CL_RUN_KERNEL(task, range, ...)                                          \
    dgm_status dgm_opencl_run_##task(struct dgm_env *env, struct dgm_opencl *opencl, \
                                     const void *args_)                              \
    {                                                                                \
        const struct dgm_##task##_args *args = args_;                                \
        struct dgm_launch launch;                                                    \
                                                                                     \
        dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_##task);                   \
        dgm_push_##task(&launch, args);                                              \
        return dgm_launch_##range(&launch, __VA_ARGS__);                             \
    }

#endif
