/*
 * opencl.h: an OpenCL device, shared between its files: memory, programs, kernels, scratch.
 *
 * One function per task runs it: it hands references and sizes to a kernel of opencl/<name>.cl and
 * returns at once; the queue is in order, so that the next task finds what this one wrote. Whatever
 * there is no kernel for runs on the CPU (device.c).
 */
#ifndef DGM_DEVICE_OPENCL_CORE_OPENCL_H
#define DGM_DEVICE_OPENCL_CORE_OPENCL_H

#include "base/buf.h"
#include "device/opencl/gemm/clblast.h"
#include "device/opencl/core/loader.h"
#include "device/precision.h"
#include "device/opencl/gemm/tuning.h"
#include "device/task.h"

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

/* What a device is like; the shape of work-items follows from it (choose.c). */
struct dgm_cl_traits {
    char name[128], vendor[64], driver[64], version[64], platform[64];
    cl_bitfield type; /* CL_DEVICE_TYPE_* */
    cl_uint vendor_id;
    cl_uint native_vector;    /* floats in a vector register; 0 if it does not say */
    cl_uint units;            /* compute units */
    size_t group_limit;       /* work-items in a group */
    cl_ulong memory, largest; /* bytes in all, of one buffer */
    cl_ulong local_bytes;     /* of local memory for a group */
    int has_double;
    int is_cpu;     /* kernels are those for processors */
    int vec, lanes; /* VEC and LANES of common.cl */
};

struct dgm_buffer {
    cl_mem memory;
    size_t bytes;
};

struct dgm_opencl {
    struct dgm_device device; /* first: a dgm_device is cast back to this */
    struct dgm_cl cl;
    struct dgm_clblast clblast;
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    struct dgm_cl_traits traits;
    struct dgm_cl_tuning tuning;
    enum dgm_precision precision;           /* of matrix products */
    cl_program programs[DGM_PROGRAM_COUNT]; /* built when first asked for */
    cl_kernel kernels[DGM_KERNEL_COUNT];
    struct dgm_buffer *scratch;
    unsigned char trust[DGM_TASK_COUNT]; /* enum dgm_cl_self_test (self_test.h) */
    int has_new_trust;                   /* verdicts that are not on disk yet */
    int has_stored;                      /* programs, so that there may be too many now */
    int has_failed_build;                /* some program, or a kernel of one, could not be made */
    uint64_t launches;                   /* of kernels so far */
};

/* choose.c */

/*
 * Calls `found` for every device of every platform, in the order of the platforms. reason: NULL, or
 * why the device cannot be used. *more (1 before the call) set to 0 ends the walk.
 */
typedef dgm_status dgm_cl_found_fn(struct dgm_env *env, void *user, cl_device_id id,
                                   const struct dgm_cl_traits *traits, const char *reason,
                                   int *more);
dgm_status dgm_cl_each_device(struct dgm_env *env, const struct dgm_cl *cl, dgm_cl_found_fn *found,
                              void *user);

/* Whether it counts as a GPU: any device but a processor. */
int dgm_cl_is_gpu(const struct dgm_cl_traits *traits);
/* DGM_UNSUPPORTED: there is no device at all. */
dgm_status dgm_cl_fail_empty(struct dgm_env *env);

/*
 * The device that `which` asks for: "gpu" (or NULL: a GPU if there is one, else any), "all" (any),
 * a number in the order of dgm_cl_each_device, or part of the name of a device or platform,
 * whatever its case. DGM_UNSUPPORTED if there is none.
 */
dgm_status dgm_cl_choose(struct dgm_env *env, const struct dgm_cl *cl, const char *which,
                         cl_device_id *id, struct dgm_cl_traits *traits);

/* list.c: the `list` of struct dgm_device_ops. */
dgm_status dgm_opencl_list(struct dgm_env *env, struct dgm_buf *out);

/* tune.c: the `tune` of struct dgm_device_ops. */
dgm_status dgm_opencl_tune(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_device_options *options, dgm_progress_fn progress,
                           void *user);

/* program.c */

/* The kernel, its program built or taken from the cache on disk before. */
dgm_status dgm_cl_kernel_get(struct dgm_env *env, struct dgm_opencl *opencl,
                             enum dgm_cl_kernel_id id, cl_kernel *kernel);
/* Releases all of them; they are made again when they are asked for. */
void dgm_cl_programs_clear(struct dgm_opencl *opencl);
/* Of everything that all programs together depend on: device, driver, sources, build options. */
uint64_t dgm_cl_programs_key(const struct dgm_opencl *opencl);

/* cache_folder.c */

enum { DGM_CL_PATH_SIZE = 900 };

/*
 * $XDG_CACHE_HOME/dragoman or ~/.cache/dragoman; `make` makes it, and the one that it stands in.
 * DGM_FAILURE if there is no home for a cache, if the folder cannot be made, or is another's, or
 * others may write there. There may be no folder.
 */
dgm_status dgm_cl_cache_folder(struct dgm_env *env, char path[DGM_CL_PATH_SIZE], int make);
/* A line for those who debug, where there can be no cache. */
void dgm_cl_cache_announce(struct dgm_env *env);

/* cache.c */

/*
 * The path of the file of a key in the cache, `ending` ".bin" or other four bytes; `make` makes its
 * folder. DGM_FAILURE as of dgm_cl_cache_folder.
 */
dgm_status dgm_cl_cache_path(struct dgm_env *env, uint64_t key, const char *ending,
                             char path[DGM_CL_PATH_SIZE], int make);

/* What is stored under the key; nothing if there is none, or it is damaged. */
void dgm_cl_cache_get(struct dgm_env *env, uint64_t key, struct dgm_buf *content);
/* Stores bytes, at least one. What goes wrong goes unsaid: a cache is never worth an error. */
void dgm_cl_cache_put(struct dgm_env *env, uint64_t key, const void *bytes, size_t size);

/* A built program of the cache, or NULL (and DGM_OK): there is none, or it is damaged. */
dgm_status dgm_cl_cache_load(struct dgm_env *env, struct dgm_opencl *opencl, uint64_t key,
                             cl_program *program);
void dgm_cl_cache_store(struct dgm_env *env, struct dgm_opencl *opencl, uint64_t key,
                        cl_program program);

/* cache_prune.c */

/* What the programs of all devices may take on disk. Those of one device, driver and version are
 * some 5 MiB. */
#define DGM_CL_CACHE_MOST ((int64_t)128 << 20)

/* Removes programs and verdicts that were used longest ago until no more than that is there. */
void dgm_cl_cache_prune(struct dgm_env *env, int64_t most_bytes);

/* opencl.c */

/* Memory for partial results, content arbitrary, used until the next task begins. */
dgm_status dgm_cl_reserve(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_ref *out,
                          size_t bytes);

/* dgm_opencl_run_<task>: `args` is the task's struct of task.h. */
#define RUN(name)                                                                    \
    dgm_status dgm_opencl_run_##name(struct dgm_env *env, struct dgm_opencl *opencl, \
                                     const void *args);
#include "device/opencl/run/run_list.h"
#undef RUN

#endif
