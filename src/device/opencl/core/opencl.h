/*
 * opencl.h: the state of an OpenCL device, which its files share, and its task functions.
 *
 * One function per task runs it: it passes references and sizes to a kernel of opencl/<name>.cl and
 * returns at once. The queue is in order, so the next task finds what this one wrote. Tasks without
 * a kernel run on the CPU (host_mirror.h).
 *
 * A file calls only files that stand before it here: loader, environment, cache; choose, tuning;
 * tensor_way, watch, program; memory, launch; panels, pack, packed_*, gemm_*; run_*;
 * self_test; fuse; tune; opencl.c.
 */
#ifndef DGM_DEVICE_OPENCL_CORE_OPENCL_H
#define DGM_DEVICE_OPENCL_CORE_OPENCL_H

#include <sys/types.h>

#include "device/opencl/core/program.h"
#include "device/opencl/gemm/clblast.h"
#include "device/opencl/gemm/tune/tuning.h"
#include "device/opencl/run/form.h"
#include "device/opencl/system/choose.h"
#include "device/opencl/system/loader.h"
#include "device/precision.h"
#include "device/task.h"

/*
 * Arguments of a kernel as they were last set: a driver keeps them, and to set one costs as much as
 * a tenth of a launch. Those beyond the first DGM_CL_ARGUMENTS are always set.
 */
enum { DGM_CL_ARGUMENTS = 96 };
struct dgm_cl_arguments {
    int64_t releases; /* of buffers when they were set */
    struct dgm_cl_argument {
        size_t bytes; /* 0: not set */
        uint64_t value;
    } items[DGM_CL_ARGUMENTS];
};

/* A task that has not run yet: maybe the next one makes a pair with it
 * (fuse.h, gemm/gemm_pair.h). */
struct dgm_cl_waiting {
    int is_there;
    enum dgm_task_kind kind;
    union {
        struct dgm_residual_forward_args residual;
        struct dgm_norm_backward_args norm;
        struct dgm_gemm_args gemm;
    } args;
};

/* Sums for the parameters of a norm that have not been added up yet (run/run_norm.h). */
struct dgm_cl_norm_sums {
    int is_there;
    enum dgm_cl_kernel_id kernel; /* that left them */
    struct dgm_ref dgain, dbias, partial;
    int64_t blocks, dim;
};

/* Blocks of a product's sums that have not been added up yet (gemm/gemm_pair.h). */
struct dgm_cl_gemm_rest {
    int is_there;
    struct dgm_ref c, sums, parts;
    int64_t m, n, ldc, blocks;
    dgm_real alpha;
};

/* Rows that the kernel that made them has packed, too (gemm/pack/packed_rows.h). Three places: for
 * the last ones, for those that are read now, and for some that are read later. */
enum { DGM_CL_PACKED_PLACES = 3 };
struct dgm_cl_packed {
    int is_there, is_read_at_once;
    struct dgm_ref from;
    int64_t rows, columns;
    uint64_t made; /* counts those that were made */
    struct dgm_buffer *room;
};

/* Matrices of the parameters that are packed (gemm/pack/packed_weights.h). */
struct dgm_cl_packed_weights {
    struct dgm_buffer *from;        /* the parameters; NULL: not known */
    struct dgm_buffer *room, *list; /* fragments; what there is, for the kernel that packs all */
    struct dgm_cl_operand *items;
    int count, is_valid, is_listed;
    size_t used;
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
    size_t group_limits[DGM_KERNEL_COUNT]; /* work-items in a group of each; 0: not known yet */
    struct dgm_cl_arguments arguments[DGM_KERNEL_COUNT];
    int64_t releases; /* of buffers so far */
    int64_t left;     /* launches that were left (watch.h) */
    struct dgm_buffer *scratch;
    struct dgm_cl_kept *kept; /* matrices in panels, too (gemm/pack/panels.h); NULL: none */
    int kept_count;
    size_t kept_bytes;
    /* Releases copies in favour of a buffer that finds no room (memory.c); NULL: there are none. */
    void (*give_back)(struct dgm_env *env, struct dgm_opencl *opencl);
    struct dgm_cl_packed packed[DGM_CL_PACKED_PLACES];
    uint64_t packed_count;            /* rows that were packed by those who made them */
    int packed_reading;               /* the place that was read last */
    char packs[DGM_KERNEL_COUNT];     /* that it packs what it stores has been seen */
    char packs_not[DGM_KERNEL_COUNT]; /* it does not */
    struct dgm_cl_packed_weights weights;
    char *stage;                         /* copies of what the queue still writes (memory.c) */
    size_t staged;                       /* bytes of them */
    unsigned char trust[DGM_FORM_COUNT]; /* enum dgm_cl_self_test (self_test.h) */
    char on_trial[DGM_TASK_COUNT];       /* what it runs now is compared with the CPU's results */
    int has_new_trust;                   /* verdicts that are not on disk yet */
    int has_stored;                      /* programs, so that there may be too many now */
    int has_failed_build;                /* some program, or a kernel of one, could not be made */
    int has_told_limit;             /* that some kernels are replaced by those for smaller groups */
    char has_run[DGM_KERNEL_COUNT]; /* whether the kernel was launched */
    char is_given_up[DGM_PROGRAM_COUNT]; /* took longer to compile than DGM_CL_COMPILE_LIMIT */
    char has_hung[DGM_KERNEL_COUNT];     /* the same of the kernel's first launch */
    int is_told;                         /* why what has failed just now runs on the CPU */
    int has_left;                        /* a call that may still run (watch.h) */
    pid_t process;                       /* that opened it: a forked one must not use it */
    int is_stopped;                      /* in a trial: env->poll has ended it */
    int64_t pairs[2];  /* launches of two products, by small tiles and by large ones */
    uint64_t launches; /* of kernels so far */
    struct dgm_cl_waiting waiting;
    struct dgm_cl_norm_sums norm_sums;
    struct dgm_buffer *norm_blocks[2]; /* of them, and of those after them */
    int norm_turn;                     /* which of the two comes next */
    struct dgm_cl_gemm_rest gemm_rest;
    struct dgm_buffer *gemm_parts[2]; /* of it, and of the one after it */
    int gemm_turn;
    dgm_error late; /* of a waiting task that failed where nobody could be told; the next call is */
};

/* dgm_opencl_run_<task>: `args` is the task's struct of task.h. */
#define TASK(name)                                                                   \
    dgm_status dgm_opencl_run_##name(struct dgm_env *env, struct dgm_opencl *opencl, \
                                     const void *args);
#include "kernel/task/task_list.h"

#endif
