/*
 * parse_mates.h: a batch by the other parsers of an ensemble, and the mean of all scores.
 *
 * For each peer (parse_peers.h) a dgm_parse has a mate, which computes scores of the same batch.
 * The mean (score_mean.h) takes the place of the first one's scores before tags, columns and heads
 * are chosen, and then the labels of the arcs that were chosen: so whatever is done with the scores
 * of one parser is done with those of several. Without peers nothing is done here.
 */
#ifndef DGM_DECODE_PARSE_PARSE_MATES_H
#define DGM_DECODE_PARSE_PARSE_MATES_H

#include "decode/parse/parse.h"

/* A mate for each of parse->options.peers, on the same device. */
dgm_status dgm_parse_mates_open(struct dgm_env *env, struct dgm_parse *parse);
void dgm_parse_mates_close(struct dgm_env *env, struct dgm_parse *parse);

/* Adds what a batch takes of the others to *bytes. */
dgm_status dgm_parse_mates_size(struct dgm_env *env, struct dgm_parse *parse,
                                const int32_t *numbers, int32_t count, double *bytes);
/* The others compute their scores of a batch of the first. */
dgm_status dgm_parse_mates_score(struct dgm_env *env, struct dgm_parse *parse,
                                 const int32_t *numbers, int32_t count);
/* Those that read tags do so again, where `bank`, the first one's, lacks some: with those of
 * parse->latest.tags in their places. */
dgm_status dgm_parse_mates_score_again(struct dgm_env *env, struct dgm_parse *parse,
                                       const struct dgm_treebank *bank, const int32_t *numbers,
                                       int32_t count);

/* The mean in the place of what parse->scores holds of all rows: of a kind of classes other than
 * labels; of the logarithms of arcs; of the labels of parse->latest.heads. */
dgm_status dgm_parse_mates_mean(struct dgm_env *env, struct dgm_parse *parse, int kind);
dgm_status dgm_parse_mates_mean_arcs(struct dgm_env *env, struct dgm_parse *parse);
dgm_status dgm_parse_mates_mean_labels(struct dgm_env *env, struct dgm_parse *parse, int64_t words);

#endif
