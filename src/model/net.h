/*
 * net.h: a translation network: an encoder and a decoder, each of any kind (encoder.h, decoder.h),
 * their parameters, and one step of computation with them.
 *
 * One step goes: stage a batch -> send the feed -> encode -> decode -> logits -> loss. Rows of all
 * sentences are packed; N source positions, M target positions, V types.
 */
#ifndef DGM_MODEL_NET_H
#define DGM_MODEL_NET_H

#include "data/batch.h"
#include "data/tree/feature.h"
#include "graph/ops.h"
#include "model/config.h"
#include "nn/attn/attn.h"
#include "nn/feed.h"
#include "nn/param.h"

enum { DGM_MAX_LAYERS = 64 };

struct dgm_encoder_kind;
struct dgm_decoder_kind;

struct dgm_net {
    struct dgm_model_config config;
    int64_t vocab[2];   /* types of source and target */
    int32_t eos, start; /* start: what the decoder reads first */
    struct dgm_params params;
    dgm_param_id embed[2], output, output_bias; /* equal where tied; no bias: -1 */
    const struct dgm_encoder_kind *encoder;
    const struct dgm_decoder_kind *decoder;
    /* What the kind of either side keeps of this network. Kinds of one family share both. */
    void *own[2];
    struct dgm_buffer *constants[2]; /* on the device, beside the parameters; NULL: none */
};

/* Declares every parameter; allocates nothing on a device yet. Freed by dgm_net_clear. */
dgm_status dgm_net_init(struct dgm_env *env, struct dgm_net *net,
                        const struct dgm_model_config *config, int64_t source_vocab,
                        int64_t target_vocab, int32_t eos);
/* Device memory for the parameters and for the constants of the kinds, which it sends. */
dgm_status dgm_net_allocate(struct dgm_env *env, struct dgm_net *net, struct dgm_device *device,
                            int with_grads);
void dgm_net_clear(struct dgm_env *env, struct dgm_net *net);

/* The same network on another device, with gradients, its parameters all zero. Their declarations
 * are those of `net`, which is cleared after it. */
dgm_status dgm_net_copy(struct dgm_env *env, struct dgm_net *copy, const struct dgm_net *net,
                        struct dgm_device *device);
void dgm_net_clear_copy(struct dgm_env *env, struct dgm_net *copy);

/* Of the encoder without its embeddings, and with what makes the decoder's first state. */
struct dgm_encoder_size {
    int64_t weights;      /* in matrices: what Yang, Wong, Chao, Zhang (2019) count */
    int64_t with_vectors; /* and in vectors */
};
struct dgm_encoder_size dgm_net_encoder_size(const struct dgm_net *net);

/* DGM_NEEDS_*: which trees the network reads or learns from. */
unsigned dgm_net_needs(const struct dgm_net *net);
/* What says so, for messages: "--syntax shaw", "--encoder lexicalized". */
void dgm_net_needs_text(const struct dgm_net *net, char *out, size_t size);

/* Whether a head of self-attention on that side is a parser: the lowest layer that has one, and
 * which it is. */
int dgm_net_parser_head(const struct dgm_net *net, enum dgm_side side, int *layer,
                        struct dgm_attn_parser *which);

/* ---- one step ------------------------------------------------------------------------------ */

/* The index arrays of one packed side on the device. */
struct dgm_side_slots {
    int32_t sentences, rows, pairs; /* pairs: elements of all n x n blocks */
    dgm_slot ids, places, offsets, counts, owners, squares;
};

/* The rows that decoders attend to: those of sentence s are starts[s] .. starts[s+1]-1. */
struct dgm_memory_slots {
    int32_t sentences, rows;
    dgm_slot offsets, counts; /* int32 (S+1), (S) on the device */
    int32_t *starts;          /* (S+1) on the host */
    size_t capacity;
};

/* What the staged target sentences count in the loss. */
struct dgm_step_weights {
    int32_t *offsets; /* (S+1) */
    float *values;    /* (S) */
    int32_t count;    /* S, or 0: all count 1 */
    size_t capacity;
};

/* Links of words of the staged batch (guided.h). */
struct dgm_guide_slots {
    int64_t rows, links, width; /* rows: target rows with links, 0: there is nothing to learn */
    dgm_slot starts, keys, shares, units;
    int32_t *next; /* (M) while staging */
    size_t capacity;
};

struct dgm_step {
    struct dgm_feed feed;
    struct dgm_side_slots source, target;
    struct dgm_memory_slots memory;
    dgm_slot expected; /* (M) target ids to be predicted */
    struct dgm_step_weights weights;
    struct dgm_guide_slots guide;
    int32_t *squares; /* (S+1) of the side that is staged */
    size_t squares_capacity;
    struct dgm_arena scratch;          /* while planning */
    struct dgm_attention_probe *watch; /* borrowed; NULL: nobody looks */
    /* What a kind stages beside that: kind->plan_bytes, zeroed at first; NULL before
     * dgm_net_stage. */
    void *plan[2];
    const struct dgm_encoder_kind *encoder; /* whose plan[0] is; NULL: none */
    const struct dgm_decoder_kind *decoder; /* whose plan[1] is */
};

void dgm_step_init(struct dgm_step *step, struct dgm_device *device);
void dgm_step_clear(struct dgm_env *env, struct dgm_step *step);

/*
 * Stages a batch with its tree constants and sends it. The decoder reads net->start, then
 * y_1..y_m, and predicts y_1..y_m and the end symbol. A batch without target sentences stages
 * the source alone. DGM_DATA for ids or lengths out of range.
 */
dgm_status dgm_net_stage(struct dgm_env *env, const struct dgm_net *net, struct dgm_step *step,
                         const struct dgm_batch *batch, int training, uint32_t seed,
                         uint32_t update);

/* What an encoder makes of the staged source. */
struct dgm_encoding {
    struct dgm_node *rows;    /* (K,A): what decoders attend to, as step->memory packs it */
    struct dgm_node *summary; /* (S,m): what a recurrent decoder starts from; NULL: the mean of a
                               * sentence's rows */
    struct dgm_node *all;     /* every state, attended or not */
};

struct dgm_encoding dgm_net_encode(struct dgm_graph *g, const struct dgm_net *net,
                                   const struct dgm_step *step);
/* Decoder states (M,e), given the whole target. */
struct dgm_node *dgm_net_decode(struct dgm_graph *g, const struct dgm_net *net,
                                const struct dgm_step *step, const struct dgm_encoding *encoded);
/* Scores of the target types (M,V). */
struct dgm_node *dgm_net_logits(struct dgm_graph *g, const struct dgm_net *net,
                                struct dgm_node *states);
/*
 * The whole training step: the loss node of op_output_loss, (M,2). `losses` receives those of
 * heads that are parsers, each scaled so that its mean over supervised rows weighs as much as the
 * mean over target rows, of the batch or as losses->of counts them; NULL: they are left out.
 */
struct dgm_node *dgm_net_loss(struct dgm_graph *g, const struct dgm_net *net,
                              const struct dgm_step *step, double smoothing, double grad_scale,
                              struct dgm_parse_losses *losses);

/* ---- for models that are built around an encoder -------------------------------------------- */

/* The source side alone, without tree constants, not sent yet. */
dgm_status dgm_step_stage_source(struct dgm_env *env, struct dgm_step *step,
                                 const struct dgm_packed *source, const int32_t *numbers);
/* Staged rows, for embeddings and dropout. */
struct dgm_rows dgm_staged_rows(const struct dgm_feed *feed, int64_t count, dgm_slot ids,
                                dgm_slot places);
struct dgm_rows dgm_step_rows(const struct dgm_step *step, const struct dgm_side_slots *side);

#endif
