/*
 * attention_units.h: a batch of attention as the CPU device reads it, cut into units: unit
 * s heads + h is head h of sentence s.
 */
#ifndef DGM_DEVICE_CPU_ATTENTION_UNITS_H
#define DGM_DEVICE_CPU_ATTENTION_UNITS_H

#include "device/cpu/open.h"

struct dgm_cpu_attention {
    struct dgm_attention core;
    struct dgm_attention_block whole;  /* every pointer at the first sentence and head */
    struct dgm_attention_block parser; /* of the parser head: its q, k and their gradients */
    const int32_t *q_offsets, *k_starts, *k_counts, *key_rows, *squares;
};

/* What forward and backward pass have in common; the rest is zero. */
void dgm_cpu_attention_open(struct dgm_cpu_attention *batch, const struct dgm_attention *core,
                            const struct dgm_attention_inputs_job *in);

static inline int64_t dgm_cpu_attention_queries(const struct dgm_cpu_attention *batch,
                                                int64_t sentence)
{
    return batch->q_offsets[sentence + 1] - batch->q_offsets[sentence];
}

/*
 * Turns `block`, a copy of the whole batch's, into that of one unit. Gradients of tables stay
 * where they are. At the parser head, gradients that nothing passes to become zeros.
 */
void dgm_cpu_attention_unit(const struct dgm_cpu_attention *batch, int64_t unit,
                            struct dgm_attention_block *block);

#endif
