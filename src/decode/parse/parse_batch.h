/*
 * parse_batch.h: steps of one parser's part in a batch, which parsers of an ensemble take together
 * (parse_mates.c).
 */
#ifndef DGM_DECODE_PARSE_PARSE_BATCH_H
#define DGM_DECODE_PARSE_PARSE_BATCH_H

#include "decode/parse/parse.h"

/* Computes parse->nodes of sentences of a bank; `tags` as dgm_parser_stage has them. */
dgm_status dgm_parse_score(struct dgm_env *env, struct dgm_parse *parse,
                           const struct dgm_treebank *bank, const int32_t *numbers, int32_t count,
                           const int32_t *tags);
/* A node's `count` numbers in parse->scores. */
dgm_status dgm_parse_read_node(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_node *node, int64_t count);
/* The logarithms of all arcs' probabilities in parse->scores (T): of a softmax over the possible
 * heads of each word, all words of the sentence and the root but the word itself. Once a batch: the
 * scores themselves are lost. */
dgm_status dgm_parse_read_arcs(struct dgm_env *env, struct dgm_parse *parse);
/* The scores of the labels of the arcs in parse->heads, (words, labels) in parse->scores. */
dgm_status dgm_parse_score_labels(struct dgm_env *env, struct dgm_parse *parse, int64_t words);

#endif
