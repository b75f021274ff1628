/*
 * attn.h: the seam at which variants of self-attention meet the one attention core.
 *
 * A variant says which terms it supplies and how their constants follow from a tree; the core
 * (kernel/task/attention_list.h) does the rest. Variants compose: --syntax
 * 'deps-san(layers=1-3)+shaw(k=16)'. Whatever their order in that text, they work in the kernel
 * order of the specification, section 0: queries and keys are mixed (K2), then terms are filled in
 * (K3 to K8), then representations are fused (K12). Several factors of one layer are multiplied,
 * addends added, masks united; what only one variant can have in a layer it claims with `takes`.
 *
 * The state of a variant is its options, read once and never changed: one model can serve many
 * translators. Everything that belongs to a batch is in a plan.
 */
#ifndef DGM_NN_ATTN_ATTN_H
#define DGM_NN_ATTN_ATTN_H

#include "base/option/option.h"
#include "base/option/settings.h"
#include "data/batch.h"
#include "data/side.h"
#include "data/tree/feature.h"
#include "graph/ops.h"
#include "nn/feed.h"
#include "nn/param.h"

/* "encoder", "decoder": the beginning of parameter names. */
const char *dgm_side_name(enum dgm_side side);

/* Sizes that a variant may want to know. */
struct dgm_attn_shape {
    int64_t dim, heads, head_dim;
    int depth[2]; /* layers of encoder and decoder */
    int pre_norm;
    int64_t features[DGM_WORD_FEATURES]; /* names that source words may have; 0: none */
    int stored; /* of a model file: options that can have no effect have none, and are no error */
};

/* One layer (from 1) of one side; layer 0 of the encoder is its embedding. */
struct dgm_attn_place {
    enum dgm_side side;
    int layer;
};

/* Exclusive slots of a layer: at most one variant may claim each. */
enum {
    DGM_TAKES_OFFSETS = 1 << 0,  /* the relation by offsets */
    DGM_TAKES_LABELS = 1 << 1,   /* the relation by labels */
    DGM_TAKES_HEADS = 1 << 2,    /* the factor that touches some heads or rows only */
    DGM_TAKES_WINDOW = 1 << 3,   /* the predicted Gaussian */
    DGM_TAKES_QUERIES = 1 << 4,  /* queries and keys themselves */
    DGM_TAKES_PARSER = 1 << 5,   /* the head that is a parser */
    DGM_TAKES_FUSION = 1 << 6,   /* several representations */
    DGM_TAKES_EMBEDDING = 1 << 7 /* columns of the encoder's embedding */
};

/* ---- constants of a batch ------------------------------------------------------------------- */

/* The constants of one layer for one batch, staged in the feed; slot 0: the term is absent. */
struct dgm_attn_constants {
    dgm_slot factor[2], ignored, addend, hidden, labels;
    dgm_slot targets;   /* int32 (N): head of each row as a key of its sentence, or -1 */
    int64_t supervised; /* rows with a target */
    int learnt, forced; /* what targets are for: a loss; to decide the weights themselves */
    int extra;          /* of the first representation: how many follow it */
};

/* Representations of a layer at most: the first and those with dropped nodes. */
enum { DGM_REPRESENTATIONS = 8 };

/* The planning of one batch. */
struct dgm_attn_plan {
    struct dgm_feed *feed;
    struct dgm_arena *scratch;       /* for one sentence at a time; reset before each */
    const struct dgm_packed *packed; /* the sentences of the side, with their trees */
    const int32_t *numbers;          /* (S) names the sentences to random masks */
    const int32_t *squares;          /* (S+1) first element of each n x n block */
    const struct dgm_attn_shape *shape;
    int training;
    uint32_t key[2];                      /* seed, update */
    struct dgm_attn_place place;          /* being planned */
    int representation;                   /* from 0 */
    struct dgm_attn_constants *constants; /* of this layer and representation */
};

/* The packed n x n blocks of a term for the layer being planned, made on first use: factors start
 * as 1, addends, masks and labels as 0. Factor 1 is for a variant that takes HEADS. Valid until
 * the next call. NULL after a failure. */
dgm_real *dgm_attn_factor(struct dgm_env *env, struct dgm_attn_plan *plan, int which);
dgm_real *dgm_attn_addend(struct dgm_env *env, struct dgm_attn_plan *plan);
unsigned char *dgm_attn_hidden(struct dgm_env *env, struct dgm_attn_plan *plan);
unsigned char *dgm_attn_labels(struct dgm_env *env, struct dgm_attn_plan *plan);
/* (N,H), zeros: where set, factor 1 counts as 1 in that row of that head. */
unsigned char *dgm_attn_ignored(struct dgm_env *env, struct dgm_attn_plan *plan);
/* (N), all -1. */
int32_t *dgm_attn_targets(struct dgm_env *env, struct dgm_attn_plan *plan);

/* ---- a layer being built -------------------------------------------------------------------- */

/* What the losses of an update are means over. */
struct dgm_loss_shares {
    int64_t rows;          /* target rows; 0: those of the batch */
    int64_t supervised[2]; /* rows of each side that have a head to learn; 0: those of the batch */
};

/* Losses beside the translation's: of heads that are parsers, and of attention that learns links
 * of words (model/guided.h). */
enum { DGM_PARSE_LOSSES = 4 };
struct dgm_parse_losses {
    struct dgm_loss_shares of; /* in */
    int count;
    int64_t rows;            /* target rows that means are over */
    double unit;             /* what a loss of mean 1 adds to the gradients' loss */
    double guide;            /* in: the weight of that of links, or 0 */
    struct dgm_node *guided; /* (N,1), kept: the loss of links per row; NULL: there is none */
    int64_t guided_rows;     /* rows with links */
    struct {
        struct dgm_node *node; /* (N,1), kept: -log p(head) per row */
        double weight;         /* lambda */
        int64_t supervised;    /* rows with a target */
        int64_t mean_over;     /* what the sum is divided by */
    } items[DGM_PARSE_LOSSES];
};

/* One self-attention on its way into the graph. */
struct dgm_attn_layer {
    struct dgm_graph *g;
    const struct dgm_params *params;
    const struct dgm_feed *feed;
    const struct dgm_attn_shape *shape;
    struct dgm_attn_place place;
    const struct dgm_attn_constants *constants; /* (representations); NULL in stepwise decoding */
    struct dgm_spans spans;                     /* sentences of the side; 0 of them there, too */
    struct dgm_ref owners;                      /* int32 (N): the sentence of each row */
    struct dgm_ref counts;                      /* int32 (S): rows of each sentence */
    struct dgm_node *const *inputs;             /* inputs[l-1]: given to layer l <= this one */
    struct dgm_node **means;                    /* means[l-1]: (S,D) of inputs[l-1]; NULL: not yet
                                                   asked for by any layer */
    struct dgm_node *x;                         /* (N,D) what the projections read */
    struct dgm_columns q, k, v;                 /* H d_k columns each */
    struct dgm_attention_terms terms;
    struct dgm_parse_losses *losses; /* NULL: not wanted */
};

/* Several representations of one layer, fused into one (K12). */
struct dgm_attn_fusion {
    /* Representations beside the first that a step computes, and whether the layer fuses. */
    int (*extra)(const void *state, int layer, int training);
    int (*fuses)(const void *state, int layer);
    /* Each is added to its layer's input and normed before they are fused. */
    int (*normed)(const void *state);
    /* out (N,D) from `count` nodes (N,D): 1 (all are alike) or 1 + extra. */
    struct dgm_node *(*fuse)(const void *state, const struct dgm_attn_layer *layer,
                             struct dgm_node *const *parts, int count);
};

/* The trees that a variant needs. */
enum {
    DGM_NEEDS_TREES = 1,          /* of the source, always */
    DGM_NEEDS_TREES_TO_TRAIN = 2, /* of the source */
    DGM_NEEDS_TARGET_TREES_TO_TRAIN = 4,
    DGM_NEEDS_FEATURES = 8,     /* of words, beside them: relations, lemmas, ..., always */
    DGM_READS_CONSTITUENTS = 16 /* where there are any, in place of dependencies */
};

/* Features in the encoder's embedding. */
struct dgm_attn_feature_input {
    int64_t dims[DGM_FEATURES]; /* columns of each; 0: it is not read */
    int64_t dim;                /* of all */
    int narrow;                 /* the word table has that much fewer */
    int scaled;                 /* by sqrt(D), as words are */
};

/* "encoder.embed_tags.weight": the table of a feature. */
extern const char *const dgm_attn_feature_tables[DGM_FEATURES];

/* A head whose weights are a distribution over the heads of words. */
struct dgm_attn_parser {
    int64_t head;
    int last_piece; /* a word stands at its last piece; else at its first */
};

struct dgm_attn_kind {
    const char *name;        /* as written in --syntax */
    const char *cite, *help; /* the paper; one sentence */
    const struct dgm_opt *options;
    /* What the tests over all variants try, ended by NULL: at least one. Each is what --syntax has
     * between the parentheses, for a model of two layers and two heads on each side; "" is the name
     * alone. Behind " | " stands the same without what happens in training only. */
    const char *const *samples;
    size_t state_bytes;

    /* Reads and checks the options. */
    dgm_status (*configure)(struct dgm_env *env, void *state, const struct dgm_settings *options,
                            const struct dgm_attn_shape *shape);
    /* Which trees it needs, with these options: DGM_NEEDS_*; NULL: none. What needs trees of the
     * source is not trained and does not translate without a source of them (`--trees none`). */
    unsigned (*needs)(const void *state);
    /* Exclusive slots that this variant claims: DGM_TAKES_*; NULL: none. */
    unsigned (*takes)(const void *state, struct dgm_attn_place place);
    /* Declares the parameters of a place; NULL: none. */
    dgm_status (*declare)(struct dgm_env *env, const void *state, struct dgm_params *params,
                          struct dgm_attn_place place, const struct dgm_attn_shape *shape);

    /* Whether a layer gets constants, and whether layers differ in them; varies NULL: they do not,
     * or one layer of a side alone has them. */
    int (*serves)(const void *state, struct dgm_attn_place place);
    int (*varies)(const void *state, int training);
    /* Computes the constants of a layer's representation; NULL: none. */
    dgm_status (*plan)(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan);

    /* Replaces queries and keys; NULL: none. */
    dgm_status (*mix)(const void *state, struct dgm_attn_layer *layer);
    /* Adds operands to the core beyond the planned constants; NULL: none. */
    dgm_status (*terms)(const void *state, struct dgm_attn_layer *layer);
    const struct dgm_attn_fusion *fusion; /* NULL: none */
    /* Of whose names these options need a list, as bits 1 << enum dgm_feature_kind, before there
     * is a shape; NULL: of none. */
    unsigned (*features)(const struct dgm_settings *options);
    /* Whether the embedding has features beside the words, and how; NULL: no. */
    int (*feature_input)(const void *state, struct dgm_attn_feature_input *use);
    /* Whether a head of the place is a parser, and which; NULL: no. */
    int (*parser)(const void *state, struct dgm_attn_place place, struct dgm_attn_parser *parser);
};

#define ATTN(name) extern const struct dgm_attn_kind dgm_attn_##name;
#include "nn/attn/attn_list.h"
#undef ATTN

/* All variants in list order, ended by NULL. */
extern const struct dgm_attn_kind *const dgm_attn_kinds[];

/* ---- small tools for variants --------------------------------------------------------------- */

/* Layers written as "2", "1-3", "1 3 5-6", "0" or "" (none): bit l-1 of *mask for layer l <= 64. */
dgm_status dgm_layers_parse(struct dgm_env *env, const char *text, uint64_t *mask);

/* DGM_USAGE: an option names layers that a side, which has `depth` of them, has not got. */
dgm_status dgm_attn_fail_layer(struct dgm_env *env, const char *variant, const char *option,
                               const char *value, int depth, const char *where);
/* Those that an option of a variant names, of the `depth` layers of a side (its name: where). If
 * one that a user wrote is not there: DGM_USAGE, unless the model is stored. */
dgm_status dgm_attn_read_layers(struct dgm_env *env, const struct dgm_settings *settings,
                                const char *option, const struct dgm_attn_shape *shape, int depth,
                                const char *where, const char *variant, uint64_t *mask);

static inline int dgm_layers_has(uint64_t mask, int layer)
{
    return layer >= 1 && layer <= 64 && (mask >> (layer - 1) & 1);
}

/* Whether an option of type CHOICE (or TEXT) has this value. */
int dgm_attn_chose(const struct dgm_settings *settings, const char *name, const char *value);

/* "<side>.layers.<layer-1>.self_attn.<tail>" into name (128 bytes). */
void dgm_attn_name(char *name, struct dgm_attn_place place, const char *tail);

/* Declares "<tail>.weight" (rows,cols), Xavier, and, with_bias, "<tail>.bias" (rows), zeros. */
dgm_status dgm_attn_declare_linear(struct dgm_env *env, struct dgm_params *params,
                                   struct dgm_attn_place place, const char *tail, int64_t rows,
                                   int64_t cols, int with_bias);

/* A declared parameter of the layer as a node; NULL if an option made it superfluous. */
struct dgm_node *dgm_attn_param(const struct dgm_attn_layer *layer, const char *tail);
/* The same with `count` - 1 more that lie below it; rows first .. first+count-1 of it. */
struct dgm_node *dgm_attn_param_stack(const struct dgm_attn_layer *layer, const char *tail,
                                      int count);
struct dgm_node *dgm_attn_param_rows(const struct dgm_attn_layer *layer, const char *tail,
                                     int64_t first, int64_t count);

/* Words of random bits: a pure function of the plan's key, the sentence, the layer, the
 * representation and {row, column / 4}; `stream` tells variants and heads apart (< 4096). */
void dgm_attn_random(uint32_t words[4], const struct dgm_attn_plan *plan, int32_t sentence,
                     uint32_t stream, uint32_t row, uint32_t quarter);
/* The word below which an event of this probability happens; UINT32_MAX stands for always. */
uint32_t dgm_attn_threshold(double probability);
static inline int dgm_attn_happens(uint32_t word, uint32_t threshold)
{
    return word < threshold || threshold == UINT32_MAX;
}

#endif
