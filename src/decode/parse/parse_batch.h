/*
 * parse_batch.h: the scores of one parser for a batch. Parsers of an ensemble take these steps
 * together (parse_mates.h), and what is made of them is decided in parse.c.
 */
#ifndef DGM_DECODE_PARSE_PARSE_BATCH_H
#define DGM_DECODE_PARSE_PARSE_BATCH_H

#include "decode/parse/parse.h"

/* dgm_parse_init_on and dgm_parse_clear of a parser without mates. */
dgm_status dgm_parse_init_alone(struct dgm_env *env, struct dgm_parse *parse,
                                struct dgm_parser *parser, struct dgm_device *device,
                                const struct dgm_parse_options *options);
void dgm_parse_clear_alone(struct dgm_env *env, struct dgm_parse *parse);
/* dgm_parse_batch_size of the same. */
dgm_status dgm_parse_size_alone(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, const int32_t *numbers,
                                int32_t count, double *bytes);

/* The columns of morphology that a parse gives. */
unsigned dgm_parse_morphs(const struct dgm_parse *parse);
/* Room for so many rows, of these columns of morphology too. */
dgm_status dgm_parsed_reserve(struct dgm_env *env, struct dgm_parsed *parsed, unsigned morphs,
                              size_t rows);
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
/* The scores of the labels of the arcs in parse->latest.heads, (words, labels) in parse->scores. */
dgm_status dgm_parse_score_labels(struct dgm_env *env, struct dgm_parse *parse, int64_t words);

#endif
