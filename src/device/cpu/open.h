/*
 * open.h: the arguments of a task as kernels get them: dgm_cpu_open_<task> turns the references of
 * struct dgm_<task>_args into the pointers of struct dgm_<task>_job, and copies the numbers.
 */
#ifndef DGM_DEVICE_CPU_OPEN_H
#define DGM_DEVICE_CPU_OPEN_H

#include "device/cpu/cpu.h"
#include "kernel/task/jobs.h"

/* clang-format off */

#define OPEN(function, args_type, job_type) \
    static inline job_type function(const args_type *args) { job_type job;
#define EACH(n, name, value) for (int i = 0; i < (n); i++) job.name[i] = value;

#define OPERANDS_GROUP(name) \
    OPEN(dgm_cpu_open_##name, struct dgm_##name, struct dgm_##name##_job) \
    OPERANDS_##name return job; }
#define IN(type, name) job.name = dgm_cpu_at(args->name);
#define INS(type, name, n) EACH(n, name, dgm_cpu_at(args->name[i]))
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

#define TASK(name) OPEN(dgm_cpu_open_##name, struct dgm_##name##_args, struct dgm_##name##_job)
#define OUT(type, name) job.name = dgm_cpu_at(args->name);
#define OUTS(type, name, n) EACH(n, name, dgm_cpu_at(args->name[i]))
#define IN(type, name) job.name = dgm_cpu_at(args->name);
#define INS(type, name, n) EACH(n, name, dgm_cpu_at(args->name[i]))
#define OPERANDS(group, name) job.name = dgm_cpu_open_##group(&args->name);
#define INT(name) job.name = args->name;
#define LONG(name) job.name = args->name;
#define LONGS(name, n) EACH(n, name, args->name[i])
#define HOST(name) job.name = args->name;
#define IDS(name, n) EACH(n, name, args->name[i])
#define REAL(name) job.name = args->name;
#define FLAG(name) job.name = args->name;
#define FLAGS(name, n) EACH(n, name, args->name[i])
#define CHOICE(type, name) job.name = args->name;
#define DROP job.mask = dgm_mask_make(args->drop.rate, args->drop.stream, args->drop.key);
#define CORE(group) job.core = args->core;
#define END(name) return job; }
#include "kernel/task/task_list.h"

#undef OPEN
#undef EACH

/* clang-format on */

#endif
