/*
 * program.h: the programs of opencl/ and their kernels, built when a task first needs them.
 *
 * A built program is kept on disk (cache.h), under a key of everything that it depends on.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_PROGRAM_H
#define DGM_DEVICE_OPENCL_CORE_PROGRAM_H

#include "device/opencl/system/loader.h"

struct dgm_opencl;

enum dgm_cl_program_id {
#define PROGRAM(name) DGM_PROGRAM_##name,
#define KERNEL(program, name)
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
    DGM_PROGRAM_COUNT
};

enum dgm_cl_kernel_id {
#define PROGRAM(name)
#define KERNEL(program, name) DGM_KERNEL_##name,
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
    DGM_KERNEL_COUNT
};

struct dgm_cl_traits;
struct dgm_cl_tuning;

/* Work-items of a group that share a row, or a sentence and a head (LANES of common.cl). */
int dgm_cl_kernel_lanes(const struct dgm_cl_traits *traits, enum dgm_cl_kernel_id id);

enum { DGM_CL_OPTIONS_SIZE = 512 };
/* The build options of a program for such a device. */
void dgm_cl_program_options(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning,
                            enum dgm_cl_program_id id, char options[DGM_CL_OPTIONS_SIZE]);
const char *dgm_cl_program_name(enum dgm_cl_program_id id);

/* Finds a kernel. Its program is built, or read from the cache on disk, when it is first needed. */
dgm_status dgm_cl_kernel_get(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_cl_kernel_id id, cl_kernel *kernel);

/* A launch of the kernel was left and may use it yet: the next one makes a kernel of its own;
 * is_given_up: no other one is made, as if it did not build. */
void dgm_cl_kernel_leave(struct dgm_opencl *opencl, enum dgm_cl_kernel_id id, int is_given_up);

/*
 * Whether the driver runs groups of so many work-items of a kernel. It may allow fewer than of
 * others: that depends on the registers and the local memory that its compiler gave the kernel,
 * which is built first. Also 0 where it does not build. Missing memory counts as a yes, and the
 * launch meets it again.
 */
int dgm_cl_kernel_takes(struct dgm_env *env, struct dgm_opencl *opencl, enum dgm_cl_kernel_id id,
                        size_t items);
/* Why it does not, in words. */
enum { DGM_CL_REFUSAL_SIZE = 160 };
void dgm_cl_kernel_refusal(const struct dgm_opencl *opencl, enum dgm_cl_kernel_id id, size_t items,
                           char words[DGM_CL_REFUSAL_SIZE]);

/* Releases all kernels and programs, or forgets them where a call was left, which may use them
 * (watch.h); the next dgm_cl_kernel_get makes them again. */
void dgm_cl_programs_clear(struct dgm_opencl *opencl);
/* A hash of everything that programs depend on: device, driver, all sources and build options. */
uint64_t dgm_cl_programs_key(const struct dgm_opencl *opencl);

#endif
