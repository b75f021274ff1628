/*
 * parse_head.h: trees from the attention head of a translation model that is a parser.
 *
 * Such a head (LISA, DBSA) gives each piece a distribution over the pieces that its word's head
 * stands at. A word is its first or its last piece, as the variant has it; a root looks at itself.
 * The tree is the best one with exactly one root under the sum of the arcs' log-probabilities.
 */
#ifndef DGM_DECODE_PARSE_PARSE_HEAD_H
#define DGM_DECODE_PARSE_PARSE_HEAD_H

#include "decode/attention_reader.h"
#include "syntax/spanning/spanning.h"

/* Zero-initialise before init; clear in any case. */
struct dgm_parse_head {
    struct dgm_attention_reader reader;
    int layer;
    struct dgm_attn_parser which;
    int projective;
    struct dgm_spanning_work work;
    dgm_real *scores; /* (words + 1, words + 1) */
    size_t score_capacity;
    int32_t *places; /* (words) the piece that stands for each */
    size_t place_capacity;
};

/* The head is dgm_net_parser_head; DGM_MODEL for a model without. The model and the device outlive it. */
dgm_status dgm_parse_head_init(struct dgm_env *env, struct dgm_parse_head *parse,
                               const struct dgm_net *net, struct dgm_device *device,
                               int projective);
void dgm_parse_head_clear(struct dgm_env *env, struct dgm_parse_head *parse);

/*
 * The tree of sentence s, each of whose words has a piece: heads (words) as CoNLL-U counts them,
 * and, unless NULL, prob (words): that of each arc in its row.
 */
dgm_status dgm_parse_head_run(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *source, int32_t s, int32_t *heads,
                              double *prob);

#endif
