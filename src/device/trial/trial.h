/*
 * trial.h: random legal instances of tasks, to see whether two devices agree on them.
 *
 * Devices are tried before they are trusted (opencl/core/self_test.c), and tests go through many
 * more instances. For each task, one function in a file trial_<family>.c makes an instance in host
 * memory: it draws sizes, gives each operand its data, and sets the rest of the arguments.
 * Instances are small, ragged (no multiples of anything) and reach every option.
 */
#ifndef DGM_DEVICE_TRIAL_TRIAL_H
#define DGM_DEVICE_TRIAL_TRIAL_H

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"

enum dgm_operand_kind { DGM_REALS, DGM_DOUBLES, DGM_INTS, DGM_BYTES };

/* One operand of an instance; absent with data NULL. */
struct dgm_operand {
    void *data;
    size_t bytes;
    enum dgm_operand_kind kind;
    int same_as; /* the number of the operand that it shares its memory with, or -1 */
};

enum { DGM_MOST_OPERANDS = 64, DGM_TRIAL_SPARE = 1 << 20 };

/* From this number on, instances of gemm are products of a backward pass that a device may run two
 * at a time: a gradient of weights (TN), large for every second of them, then one below a layer
 * (NN), and so on. */
enum { DGM_TRIAL_PAIRS = 1 << 16 };

struct dgm_trial {
    struct dgm_env *env;
    struct dgm_random random;
    uint64_t number;        /* of the instance */
    void *spare;            /* DGM_TRIAL_SPARE bytes that a trial without memory writes to */
    struct dgm_arena arena; /* operands, arguments and what they point to */
    enum dgm_task_kind kind;
    void *args;                                     /* the struct of task.h, its references empty */
    struct dgm_operand operands[DGM_MOST_OPERANDS]; /* in the order of the references in args */
    dgm_status status;                              /* the first error sticks */
};

/* ---- for the files trial_<family>.c ------------------------------------------------------- */

/* Uniform in low..high; 1 with a chance of 1 in `n`. */
int64_t dgm_trial_between(struct dgm_trial *trial, int64_t low, int64_t high);
int dgm_trial_once_in(struct dgm_trial *trial, int n);

/*
 * Gives the operand whose reference in trial->args is `field` memory of `count` elements, and
 * returns it, never NULL: normal reals times `spread`; integers low..high; bytes 0 or 1. Where more
 * is asked of the data (offsets, rising indices), the caller overwrites it.
 */
dgm_real *dgm_trial_reals(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count,
                          double spread);
int32_t *dgm_trial_ints(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count,
                        int64_t low, int64_t high);
unsigned char *dgm_trial_bytes(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count);
/* A double of 0, as outputs of sum_squares are. */
double *dgm_trial_double(struct dgm_trial *trial, const struct dgm_ref *field);
/* Operand `field` shares the memory of `other`, which has some: y may be x. */
void dgm_trial_same(struct dgm_trial *trial, const struct dgm_ref *field,
                    const struct dgm_ref *other);
/* That, if `is_same`, or reals of its own. */
void dgm_trial_same_or_reals(struct dgm_trial *trial, int is_same, const struct dgm_ref *field,
                             const struct dgm_ref *other, int64_t count);
/* Reals, of spread 1, that are there in three of four instances; else NULL. */
dgm_real *dgm_trial_maybe(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count);
/* Memory of the trial for host arrays that arguments point to. */
void *dgm_trial_memory(struct dgm_trial *trial, size_t count, size_t size);

/*
 * offsets[0..count]: sentences of low..high rows; returns the rows in all. squares[s]: where the
 * packed block of sentence s begins, blocks of n x n; returns the elements in all.
 */
int64_t dgm_trial_offsets(struct dgm_trial *trial, int32_t *offsets, int64_t count, int64_t low,
                          int64_t high);
int64_t dgm_trial_squares(int32_t *squares, const int32_t *offsets, int64_t count);
/* Dropout in one of two instances, and places (N,2) for `rows` rows in any case. */
void dgm_trial_drop(struct dgm_trial *trial, struct dgm_drop *drop, const struct dgm_ref *places,
                    int64_t rows);

#define TASK(name) void dgm_trial_##name(struct dgm_trial *trial, struct dgm_##name##_args *args);
#include "kernel/task/task_list.h"

/* ---- for those who compare ------------------------------------------------------------------ */

/* Calls the function of trial->kind; args has been allocated. */
void dgm_trial_make(struct dgm_trial *trial);

/*
 * How far two devices are apart on one instance: for each output, the sum of squared differences
 * over the sum of squares of the first device's result (NMSE); the worst of them. NaNs and
 * infinities must be in the same places; integers and bytes equal; memory around the outputs and
 * the inputs untouched. Where one of these fails, worst is infinite and `what` says which.
 */
struct dgm_verdict {
    double worst;
    char what[160];
    int is_left_out; /* nothing was compared: the instance is not among those wanted */
};

#define DGM_TRIAL_TOLERANCE 1e-7 /* reliability R25, for single precision */

/* Makes instance `seed` of the task and runs it on both devices; the first is the reference. */
dgm_status dgm_trial_compare(struct dgm_env *env, struct dgm_device *reference,
                             struct dgm_device *device, enum dgm_task_kind kind, uint64_t seed,
                             struct dgm_verdict *verdict);

/* Which instances are wanted, by their arguments; wants NULL: all. */
struct dgm_trial_filter {
    int (*wants)(const struct dgm_trial_filter *filter, enum dgm_task_kind kind, const void *args);
    int form; /* for `wants` */
};
dgm_status dgm_trial_compare_some(struct dgm_env *env, struct dgm_device *reference,
                                  struct dgm_device *device, enum dgm_task_kind kind, uint64_t seed,
                                  const struct dgm_trial_filter *filter,
                                  struct dgm_verdict *verdict);

/*
 * The same of `count` instances of a kind, `seed` and those after it, that the device runs by
 * `run`: at once, say. The reference runs one after the other.
 */
enum { DGM_TRIAL_MOST_AT_ONCE = 4 };
typedef dgm_status dgm_trial_run_fn(struct dgm_env *env, struct dgm_device *device,
                                    const void *const *args, int count);
dgm_status dgm_trial_compare_at_once(struct dgm_env *env, struct dgm_device *reference,
                                     struct dgm_device *device, enum dgm_task_kind kind,
                                     uint64_t seed, int count, dgm_trial_run_fn *run,
                                     struct dgm_verdict *verdict);

#endif
