/*
 * narrow_output.h: the output layer of a search for the words of a shortlist alone.
 *
 * For each batch the rows of the output matrix that a group of its sentences may use are copied
 * side by side, group by group. A step multiplies the states of each group's hypotheses by these;
 * then each hypothesis gets the scores of its own sentence's list, in the order of the vocabulary.
 * A score is a product of two rows, whatever stands beside it, and what fills up a list has the
 * probability 0: so neither depends on the other sentences of the batch, and with a list of all
 * words the scores are those of the whole layer, bit for bit on a processor.
 *
 * Why groups: all sentences of a batch together use half of a small vocabulary, a sentence an
 * eighth; but products of few rows read weights more often than they multiply.
 */
#ifndef DGM_MODEL_NARROW_OUTPUT_H
#define DGM_MODEL_NARROW_OUTPUT_H

#include "data/shortlist/shortlist.h"
#include "model/net.h"

/* Zero-initialise; cleared in any case. */
struct dgm_narrow_output {
    const struct dgm_net *net;
    struct dgm_device *device;
    const struct dgm_shortlist_choice *choice; /* of the batch at hand; borrowed */
    struct dgm_buffer *weight, *bias;          /* (rows,D), (rows); no bias: NULL */
    int64_t rows;                              /* that there is room for */
    struct dgm_buffer *logits;                 /* (R, choice->largest) */
    struct dgm_buffer *numbers;                /* int32: ids, then lists */
    struct dgm_buffer *owners;                 /* int32 (R) */
    struct dgm_buffer *scores;                 /* (R,width) */
    size_t numbers_bytes, owners_bytes, scores_bytes, logits_bytes;
};

/* Sentences of a group, where each has at most `beam` hypotheses. */
int32_t dgm_narrow_output_group(const struct dgm_device *device, int beam);
/* Copies the rows of a batch; `choice` stays as it is until the next call. */
dgm_status dgm_narrow_output_begin(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                   const struct dgm_net *net, struct dgm_device *device,
                                   const struct dgm_shortlist_choice *choice);
/*
 * The scores of `count` hypotheses, from their decoder states (R,D): *lists (R, choice->width),
 * -infinity where a list has ended. sentences (R): of each hypothesis, in the host's memory;
 * those of a group stand side by side.
 */
dgm_status dgm_narrow_output_score(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                   struct dgm_ref states, const int32_t *sentences, int64_t count,
                                   struct dgm_ref *lists);
void dgm_narrow_output_clear(struct dgm_env *env, struct dgm_narrow_output *narrow);

#endif
