/*
 * parse_head.h: heads of words from the attention head of a translation model that is a parser.
 *
 * Such a head (LISA, DBSA) gives each piece a distribution over the pieces that its word's head
 * stands at. A word is its first or its last piece, as the variant has it; a root looks at itself.
 * Of the encoder's head, the tree of a source is the best one with exactly one root under the sum
 * of the arcs' log-probabilities.
 *
 * The decoder's head (DBSA) sees no later words and has not learnt who depends on them, so the best
 * tree would always have the first word as its root. Each word of a target gets the likeliest head
 * among the words before it and itself: a forest, whose roots are those that look at themselves.
 */
#ifndef DGM_DECODE_PARSE_PARSE_HEAD_H
#define DGM_DECODE_PARSE_PARSE_HEAD_H

#include "decode/attention_reader.h"
#include "decode/lost_scores.h"
#include "syntax/spanning/spanning.h"

/* Zero-initialise before init; clear in any case. */
struct dgm_parse_head {
    struct dgm_input_lines lines; /* for messages: what a sentence is; set by the caller */
    struct dgm_attention_reader reader;
    enum dgm_side side;
    int layer;
    struct dgm_attn_parser which;
    int projective;
    struct dgm_spanning_work work;
    dgm_real *scores; /* (words + 1, words + 1) */
    size_t score_capacity;
    int32_t *places; /* (words) the piece that stands for each */
    size_t place_capacity;
};

/* The head is dgm_net_parser_head of that side; DGM_MODEL for a model without. `projective`: a
 * source's tree without crossing arcs. The model and the device outlive it. */
dgm_status dgm_parse_head_init(struct dgm_env *env, struct dgm_parse_head *parse,
                               const struct dgm_net *net, struct dgm_device *device,
                               enum dgm_side side, int projective);
void dgm_parse_head_clear(struct dgm_env *env, struct dgm_parse_head *parse);

/*
 * The tree of source s or, with the decoder's head, of target s, its translation; `target` is not
 * read with the encoder's. Each word that is parsed has a piece. heads (words) as CoNLL-U counts
 * them, and, unless NULL, prob (words): that of each arc in its row.
 */
dgm_status dgm_parse_head_run(struct dgm_env *env, struct dgm_parse_head *parse,
                              const struct dgm_packed *source, const struct dgm_packed *target,
                              int32_t s, int32_t *heads, double *prob);

#endif
