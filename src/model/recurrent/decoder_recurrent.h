/*
 * decoder_recurrent.h: the parameters of the recurrent decoder, and its memory in a search.
 */
#ifndef DGM_MODEL_RECURRENT_DECODER_RECURRENT_H
#define DGM_MODEL_RECURRENT_DECODER_RECURRENT_H

#include "model/decoder.h"
#include "model/recurrent/recurrent.h"

/* What net->own[DGM_TARGET] is. */
struct dgm_recurrent_decoder {
    struct dgm_dense init;       /* (d,m) */
    struct dgm_gru first;        /* of the word before */
    dgm_param_id query;          /* (A,d) */
    struct dgm_dense key, score; /* (A,A); (1,A) and a bias that a softmax does not see */
    struct dgm_dense second;     /* (3d,d): recurrent, its bias inside the reset product */
    dgm_param_id context;        /* (3d,A) */
    struct dgm_dense of_state, of_previous, of_context; /* (e,d), (e,e), (e,A) */
};

/* The attended rows with their keys, and the states before a step. */
struct dgm_recurrent_operands {
    struct dgm_node *words;       /* (M,e): the embedding of the word before */
    struct dgm_node *start;       /* (S,d) */
    struct dgm_node *keys, *rows; /* (K,A) both */
    struct dgm_ref weights;       /* where the attention weights go, or absent */
};

/* s_0 (S,d) of all sentences in their order; the keys of rows. */
struct dgm_node *dgm_recurrent_start(struct dgm_graph *g, const struct dgm_net *net,
                                     const struct dgm_step *step,
                                     const struct dgm_encoding *encoding);
struct dgm_node *dgm_recurrent_keys(struct dgm_graph *g, const struct dgm_net *net,
                                    struct dgm_node *rows);

/* [s | ctx] (M, d + A), and the readout (M,e) of it. `place`: where to put the former, unless its
 * buffer is NULL. */
struct dgm_node *dgm_recurrent_states(struct dgm_graph *g, const struct dgm_net *net,
                                      const struct dgm_recurrent_operands *operands,
                                      const struct dgm_steps *steps,
                                      const struct dgm_memory *memory);
struct dgm_node *dgm_recurrent_readout(struct dgm_graph *g, const struct dgm_net *net,
                                       struct dgm_node *words, struct dgm_node *states);

/* What state->own is: decoder_recurrent_steps.c. */
struct dgm_recurrent_caches {
    struct dgm_buffer *rows, *keys; /* (K,A) of the source */
    struct dgm_buffer *start;       /* (R,d) states before the step */
    struct dgm_buffer *states;      /* (R, d + A) what the last step made */
    int64_t source_capacity, row_capacity;
    int32_t *from; /* (R) the row of `states` that each row continues */
    size_t from_capacity;
    int32_t active; /* R, for the schedule of the step */
};

void dgm_recurrent_close(struct dgm_env *env, struct dgm_incremental *state);
dgm_status dgm_recurrent_begin(struct dgm_env *env, struct dgm_incremental *state,
                               const struct dgm_encoding *encoding);
dgm_status dgm_recurrent_select(struct dgm_env *env, struct dgm_incremental *state,
                                const int32_t *from, int64_t count);
dgm_status dgm_recurrent_step(struct dgm_env *env, struct dgm_incremental *state,
                              const int32_t *ids, struct dgm_node **states);

#endif
