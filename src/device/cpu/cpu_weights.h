/*
 * cpu_weights.h: matrices of weights in fewer bits, or in panels, on the CPU (device/weights.h).
 */
#ifndef DGM_DEVICE_CPU_CPU_WEIGHTS_H
#define DGM_DEVICE_CPU_CPU_WEIGHTS_H

#include "device/cpu/cpu.h"
#include "device/cpu/panels.h"
#include "kernel/task/jobs.h"

/* A matrix (rows, cols), in the same block of memory as its buffer. */
struct dgm_cpu_weights {
    enum dgm_weights kind;
    int64_t rows, cols;
    struct dgm_cpu_panels reals; /* panels: (cols, rows), and one more row that can be read */
    const struct dgm_narrow_type *type; /* in fewer bits; NULL: reals */
    struct dgm_narrow_matrix narrow;    /* the same, up to whole panels */
};

/* NULL for a reference to reals, and for none. */
static inline const struct dgm_cpu_weights *dgm_cpu_weights(struct dgm_ref ref)
{
    return ref.buffer ? ((const struct dgm_cpu_buffer *)ref.buffer)->weights : NULL;
}

/* The row of the matrix that a reference points to; -1 for a place within a row. */
int64_t dgm_cpu_weights_row(struct dgm_ref ref);

/* Operations of struct dgm_device_ops. */
dgm_status dgm_cpu_weights_bytes(struct dgm_env *env, struct dgm_device *device, size_t *bytes,
                                 enum dgm_weights kind, int64_t rows, int64_t cols);
dgm_status dgm_cpu_alloc_weights(struct dgm_env *env, struct dgm_device *device,
                                 struct dgm_buffer **out, struct dgm_ref room,
                                 enum dgm_weights kind, int64_t rows, int64_t cols);
void dgm_cpu_write_weights(struct dgm_device *device, struct dgm_buffer *buffer, int64_t row,
                           int64_t count, const dgm_real *values);

/* DGM_UNSUPPORTED if an operand is such weights and the task cannot read them: a mistake of whoever
 * declared them, which must not become a wrong result. */
dgm_status dgm_cpu_check_weights(struct dgm_env *env, enum dgm_task_kind kind, const void *args);

/* That error: DGM_UNSUPPORTED. */
dgm_status dgm_cpu_refuse_weights(struct dgm_env *env, const char *task);

#endif
