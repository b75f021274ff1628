/*
 * attn.h: the seam at which variants of self-attention meet the one attention core.
 *
 * A variant says which terms it supplies and how their constants follow from a tree; the core
 * (device/task.h) does the rest. Variants compose: --syntax 'deps-san(layers=1-3)+shaw(k=16)'.
 * Several factors of one layer are multiplied, addends added, masks united.
 *
 * The state of a variant is its options, read once and never changed: one model can serve many
 * translators. Everything that belongs to a batch is in a plan.
 */
#ifndef DGM_NN_ATTN_ATTN_H
#define DGM_NN_ATTN_ATTN_H

#include "base/option.h"
#include "data/batch.h"
#include "graph/graph.h"
#include "nn/feed.h"
#include "nn/param.h"

enum dgm_side { DGM_ENCODER, DGM_DECODER };

/* "encoder", "decoder": the beginning of parameter names. */
const char *dgm_side_name(enum dgm_side side);

/* Sizes that a variant may want to know. */
struct dgm_attn_shape {
    int64_t dim, heads, head_dim;
    int depth[2]; /* layers of encoder and decoder */
};

/* The constants of one layer for one batch, staged in the feed; slot 0: the term is absent. */
struct dgm_attn_constants {
    dgm_slot factor, addend, hidden, labels[2];
};

/* The planning of one batch. */
struct dgm_attn_plan {
    struct dgm_feed *feed;
    struct dgm_arena *scratch;            /* for one sentence at a time; reset before each */
    const struct dgm_packed *side;        /* the sentences, with their trees */
    const int32_t *numbers;               /* (S) names the sentences to random masks */
    const int32_t *squares;               /* (S+1) first element of each n x n block */
    int training;
    uint32_t key[2];                      /* seed, update */
    int layer;                            /* being planned, from 1 */
    struct dgm_attn_constants *constants; /* of this layer */
};

/* The packed n x n blocks of a term for the layer being planned, made on first use: factors start
 * as 1, addends and masks as 0. Valid until the next call. NULL after a failure. */
dgm_real *dgm_attn_factor(struct dgm_env *env, struct dgm_attn_plan *plan);
dgm_real *dgm_attn_addend(struct dgm_env *env, struct dgm_attn_plan *plan);
unsigned char *dgm_attn_hidden(struct dgm_env *env, struct dgm_attn_plan *plan);

struct dgm_attn_kind {
    const char *name;             /* as written in --syntax */
    const char *cite, *help;      /* the paper; one sentence */
    const struct dgm_opt *options;
    size_t state_bytes;
    int needs_trees;

    /* Reads and checks the options. */
    dgm_status (*configure)(struct dgm_env *env, void *state, const struct dgm_settings *options,
                            const struct dgm_attn_shape *shape);
    /* Declares the parameters of one layer (from 1); NULL: none. */
    dgm_status (*declare)(struct dgm_env *env, const void *state, struct dgm_params *params,
                          enum dgm_side side, int layer, const struct dgm_attn_shape *shape);
    /* Whether the encoder layer gets constants, and whether layers differ in them. */
    int (*serves)(const void *state, int layer);
    int (*varies)(const void *state, int training);
    /* Computes the constants of one encoder layer; NULL: none. */
    dgm_status (*plan)(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan);
    /* Adds operands to the core beyond the planned constants; NULL: none. */
    dgm_status (*terms)(struct dgm_graph *g, const void *state, const struct dgm_params *params,
                        enum dgm_side side, int layer, const struct dgm_attn_shape *shape,
                        struct dgm_attention_terms *terms);
};

#define ATTN(name) extern const struct dgm_attn_kind dgm_attn_##name;
#include "nn/attn/attn_list.h"
#undef ATTN

/* All variants in list order, ended by NULL. */
extern const struct dgm_attn_kind *const dgm_attn_kinds[];

enum { DGM_SYNTAX_VARIANTS = 8 };

/* What --syntax asks for: variants with their options. */
struct dgm_syntax {
    struct dgm_attn_variant {
        const struct dgm_attn_kind *kind;
        struct dgm_settings settings;
        void *state;
    } variants[DGM_SYNTAX_VARIANTS];
    int count;
    struct dgm_attn_shape shape;
};

/*
 * Parses 'name(option=value,...)+name...': '+' separates variants outside parentheses only;
 * "" and "none" mean no variant. DGM_USAGE names what is unknown or out of range.
 */
dgm_status dgm_syntax_init(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                           const struct dgm_attn_shape *shape);
void dgm_syntax_clear(struct dgm_env *env, struct dgm_syntax *syntax);

int dgm_syntax_needs_trees(const struct dgm_syntax *syntax);

/* Declares the variants' parameters of one layer (from 1). */
dgm_status dgm_syntax_declare(struct dgm_env *env, const struct dgm_syntax *syntax,
                              struct dgm_params *params, enum dgm_side side, int layer);

/*
 * Plans every encoder layer: constants (depth[DGM_ENCODER]). Layers whose constants are equal
 * share one slot, so that a tree is looked at once per sentence and not per layer.
 */
dgm_status dgm_syntax_plan(struct dgm_env *env, const struct dgm_syntax *syntax,
                           struct dgm_attn_plan *plan, struct dgm_attn_constants *constants);

/* Fills the operands of the core for one layer (from 1) of one side. */
dgm_status dgm_syntax_terms(struct dgm_graph *g, const struct dgm_syntax *syntax,
                            const struct dgm_params *params, const struct dgm_feed *feed,
                            enum dgm_side side, int layer,
                            const struct dgm_attn_constants *constants,
                            struct dgm_attention_terms *terms);

/* ---- small tools for variants ------------------------------------------------------------- */

/* Layers written as "2", "1-3", "1 3 5-6", "0" or "" (none): bit l-1 of *mask for layer l <= 64. */
dgm_status dgm_layers_parse(struct dgm_env *env, const char *text, uint64_t *mask);

static inline int dgm_layers_has(uint64_t mask, int layer)
{
    return layer >= 1 && layer <= 64 && (mask >> (layer - 1) & 1);
}

/* "<side>.layers.<layer-1>.self_attn.<tail>" into name (128 bytes). */
void dgm_attn_name(char *name, enum dgm_side side, int layer, const char *tail);

#endif
