/*
 * decoder.h: what a decoder is: a row of decoder_list.h and a file decoder_<name>.c, which decodes
 * whole sentences in training and one token at a time in a search (incremental.h).
 */
#ifndef DGM_MODEL_DECODER_H
#define DGM_MODEL_DECODER_H

#include "model/encoder.h"
#include "model/search/incremental.h"

struct dgm_decoder_kind {
    const char *name; /* as --decoder has it */
    const char *help, *cite;
    const char *options;             /* of `train` that shape it, separated by blanks */
    int attends;                     /* to what it has read, in every layer of --dec-depth */
    int layers;                      /* that attend to the source; 0: --dec-depth */
    double deviation;                /* of its tables at first; 0: 1 / sqrt(D) */
    const struct dgm_family *family; /* NULL: none; own_bytes are for a kind without */
    size_t own_bytes, plan_bytes;
    int has_output_bias;
    /* Annotations have net->encoder->width columns. */
    dgm_status (*declare)(struct dgm_env *env, struct dgm_net *net);
    /* Index arrays beside ids of a batch's target. */
    dgm_status (*stage)(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                        const struct dgm_batch *batch, const struct dgm_mask_key *draw);
    struct dgm_node *(*decode)(struct dgm_graph *g, const struct dgm_net *net,
                               const struct dgm_step *step, const struct dgm_encoding *encoded,
                               struct dgm_parse_losses *losses);
    void (*clear)(struct dgm_env *env, void *plan);

    /* ---- one token at a time; its own memory is at state->own, zeroed at first ---- */
    size_t state_bytes;
    /* A row of keys and one of values, in each layer, of every token that was read. */
    int keeps_past;
    void (*close)(struct dgm_env *env, struct dgm_incremental *state);
    /* Adds to state->graph what is computed once per sentence, and has it placed in caches. */
    dgm_status (*begin)(struct dgm_env *env, struct dgm_incremental *state,
                        const struct dgm_encoding *encoded);
    /* New row r continues old row from[r]. */
    dgm_status (*select)(struct dgm_env *env, struct dgm_incremental *state, const int32_t *from,
                         int64_t count);
    /* Stages and builds one step for state->rows hypotheses: their states (R,e) in *states. */
    dgm_status (*step)(struct dgm_env *env, struct dgm_incremental *state, const int32_t *ids,
                       struct dgm_node **states);
};

const struct dgm_decoder_kind *dgm_decoder_entry(int i);
int dgm_decoder_count(void);

#endif
