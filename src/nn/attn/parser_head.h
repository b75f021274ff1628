/*
 * parser_head.h: the head of a self-attention that is a parser (K8): its weights are a
 * distribution over heads of words, and learn from trees by a loss of their own. What DBSA
 * (specification 3.3) and LISA (3.4) have in common.
 */
#ifndef DGM_NN_ATTN_PARSER_HEAD_H
#define DGM_NN_ATTN_PARSER_HEAD_H

#include "nn/attn/attn.h"

struct dgm_parser_head {
    int64_t head;            /* which one is replaced */
    int64_t dim;             /* columns of q and k */
    struct dgm_columns q, k; /* E_ij = q_i . k_j, unscaled */
    double lambda;           /* weight of -(1/N) sum log A[t][head(t)] */
    int over_target;         /* N: target rows, as a released code base has it; not supervised */
};

/* Fills in the terms; where the constants' targets are forced, their rows attend to them alone,
 * without a gradient; where they are learnt and losses are wanted, adds the loss, which always is
 * that of the prediction. */
dgm_status dgm_parser_head_terms(struct dgm_attn_layer *layer,
                                 const struct dgm_parser_head *parser);

/* The option of both variants that says so, and its value. */
/* clang-format off */
#define DGM_PARSER_HEAD_OPTIONS                                                                  \
    { .name = "loss-over", .type = DGM_OPT_CHOICE, .argument = "ROWS", .fallback = "supervised", \
      .choices = "supervised|target",                                                            \
      .help = "What the parse loss is a mean over: pieces that have a head to learn, or target " \
              "tokens" }
/* clang-format on */
int dgm_parser_head_over_target(const struct dgm_settings *settings);

/* The layer that is to parse, by an option: its number, or a part of the depth such as 2/3, to the
 * nearest layer, 1 at least. Where the side has not so many: 0 with a warning if it is the default
 * or the model is stored, else DGM_USAGE. */
dgm_status dgm_parser_head_layer(struct dgm_env *env, const struct dgm_settings *settings,
                                 const char *option, const struct dgm_attn_shape *shape,
                                 enum dgm_side side, const char *variant, int64_t *layer);

#endif
