/*
 * attention_reader.h: the attention weights of one sentence pair, or of a source alone.
 *
 * The pair goes through the model whole, as in training but without dropout, so the weights are
 * those with which the target was found, whatever the search did. One pair at a time: a result
 * depends on nothing beside it, and memory on nothing but its length.
 */
#ifndef DGM_DECODE_ATTENTION_READER_H
#define DGM_DECODE_ATTENTION_READER_H

#include "model/probe/attention_probe.h"

/* Zero-initialised before init; layers to be watched are set between init and look. */
struct dgm_attention_reader {
    const struct dgm_net *net;
    struct dgm_attention_probe watch;
    struct dgm_graph graph;
    struct dgm_step step;
    struct dgm_batch batch;
    int32_t *words; /* (n) zeros */
    size_t word_capacity;
    dgm_real *values;
    size_t value_capacity;
};

/* Weights of one layer: head h, row i, column j is values[i ld + h step + j]. */
struct dgm_attention_weights {
    const dgm_real *values; /* valid until the next call on the reader */
    int64_t heads, rows, columns, ld, step;
};

/* The model and the device outlive the reader. Cleared in any case. */
dgm_status dgm_attention_reader_init(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     const struct dgm_net *net, struct dgm_device *device);
void dgm_attention_reader_clear(struct dgm_env *env, struct dgm_attention_reader *reader);

/* Runs sentence s with the n tokens of a target, the end symbol last; n = 0: the source alone. */
dgm_status dgm_attention_reader_look(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     const struct dgm_packed *source, int32_t s,
                                     const int32_t *tokens, int32_t n);

/*
 * What was seen in a layer that is watched; values is NULL where there was nothing to see. Rows
 * and columns are positions of the source with its end; but an encoder that does not read the end
 * has no column for it, and those of constituents are left out. Of the target, a row of `cross` is
 * what that position predicts, the end symbol last, and a row or column of `decoder` what it has
 * read, the mark of the beginning first.
 */
dgm_status dgm_attention_reader_read(struct dgm_env *env, struct dgm_attention_reader *reader,
                                     enum dgm_attention_kind kind, int layer,
                                     struct dgm_attention_weights *weights);

#endif
