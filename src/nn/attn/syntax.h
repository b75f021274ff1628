/*
 * syntax.h: what --syntax asks for: variants with their options, serving a model together.
 */
#ifndef DGM_NN_ATTN_SYNTAX_H
#define DGM_NN_ATTN_SYNTAX_H

#include "nn/attn/attn.h"

/* As many as there are, since each is named at most once. */
enum {
#define ATTN(name) DGM_SYNTAX_IS_##name,
#include "nn/attn/attn_list.h"
#undef ATTN
    DGM_SYNTAX_VARIANTS
};

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
 * "" and "none" mean no variant. DGM_USAGE names what is unknown, out of range, or cannot stand
 * together in one layer.
 */
dgm_status dgm_syntax_init(struct dgm_env *env, struct dgm_syntax *syntax, const char *text,
                           const struct dgm_attn_shape *shape);
void dgm_syntax_clear(struct dgm_env *env, struct dgm_syntax *syntax);

/* DGM_NEEDS_* of all variants. */
unsigned dgm_syntax_needs(const struct dgm_syntax *syntax);

/* The features of words whose names a text for dgm_syntax_init needs, before there is a shape, as
 * bits 1 << enum dgm_feature_kind. What is wrong with a name is left to dgm_syntax_init. */
dgm_status dgm_syntax_text_features(struct dgm_env *env, const char *text, unsigned *features);

/*
 * Appends the text as a model's file has it, ended by NUL: with those options named whose default
 * was another one in older versions (struct dgm_opt, before), so that a file that does not name
 * them is theirs. A faulty text stays as it is.
 */
dgm_status dgm_syntax_text_complete(struct dgm_env *env, struct dgm_buf *out, const char *text);

/* Whether the encoder's embedding has features beside the words, and how. */
int dgm_syntax_feature_input(const struct dgm_syntax *syntax, struct dgm_attn_feature_input *use);

/* Declares the variants' parameters of one place. */
dgm_status dgm_syntax_declare(struct dgm_env *env, const struct dgm_syntax *syntax,
                              struct dgm_params *params, struct dgm_attn_place place);

/* The constants of one side's layers: (layers, DGM_REPRESENTATIONS). */
typedef struct dgm_attn_constants dgm_attn_layer_constants[DGM_REPRESENTATIONS];

/*
 * Plans every layer of a side (plan->place.side). Layers whose constants are equal share their
 * slots, so that a tree is looked at once per sentence and not per layer.
 */
dgm_status dgm_syntax_plan(struct dgm_env *env, const struct dgm_syntax *syntax,
                           struct dgm_attn_plan *plan, dgm_attn_layer_constants *constants);

/* K2 to K8: mixes layer->q and layer->k, fills in layer->terms; layer->terms.core is set before,
 * as for plain attention. */
dgm_status dgm_syntax_terms(const struct dgm_syntax *syntax, struct dgm_attn_layer *layer);

/* The variant that fuses several representations of a layer, or NULL. */
const struct dgm_attn_variant *dgm_syntax_fusion(const struct dgm_syntax *syntax,
                                                 struct dgm_attn_place place);

/* Whether a head of a layer is a parser, and which. */
int dgm_syntax_parser(const struct dgm_syntax *syntax, struct dgm_attn_place place,
                      struct dgm_attn_parser *parser);

/* Makes the terms those of representation r, the one after the last: its constants, its own
 * dropout. */
void dgm_syntax_represent(struct dgm_attn_layer *layer, int r);

#endif
