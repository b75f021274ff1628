/*
 * morph_head.h: what classifies words for one column of data/tree/morphology.h, from the states X
 * of a parser's reader:
 *
 *     W2 relu(W1 X)                 XPOS, FEATS
 *     W2 relu(W1 (X + V P))         LEMMA
 *
 * P are the letters of each row's word as the reader had them, before any context: how a lemma
 * comes from its form depends on them more than on anything else (Straka 2018, section 3.3).
 */
#ifndef DGM_MODEL_PARSER_MORPH_HEAD_H
#define DGM_MODEL_PARSER_MORPH_HEAD_H

#include "data/tree/morphology.h"
#include "graph/ops.h"
#include "nn/param.h"

struct dgm_morph_head {
    int64_t classes; /* 0: there is none */
    struct dgm_dense hidden, letters, output;
    int has_letters;
};

/* Widths of what a head reads and has. */
struct dgm_morph_widths {
    int64_t states, letters; /* 0: words have no letters */
    int64_t hidden;
};

/* Declares the parameters of a head. */
dgm_status dgm_morph_head_declare(struct dgm_env *env, struct dgm_morph_head *head,
                                  struct dgm_params *params, enum dgm_morph morph, int64_t classes,
                                  const struct dgm_morph_widths *widths);

/* One use of a head: rows of what stands still in a sentence, for dropout. */
struct dgm_morph_use {
    const struct dgm_params *params;
    const struct dgm_rows *rows;  /* of the batch */
    const struct dgm_rows *still; /* the same; one mask of dropout for all of a sentence */
    dgm_real dropout;
    uint32_t stream;
};

/* relu(...) of states (N,X) and, unless NULL, letters (N,D). */
struct dgm_node *dgm_morph_head_hidden(struct dgm_graph *g, const struct dgm_morph_head *head,
                                       const struct dgm_morph_use *use, struct dgm_node *states,
                                       struct dgm_node *letters);
/* Scores (M,classes) of some rows of that (M,hidden). */
struct dgm_node *dgm_morph_head_scores(struct dgm_graph *g, const struct dgm_morph_head *head,
                                       const struct dgm_params *params, struct dgm_node *hidden);

#endif
