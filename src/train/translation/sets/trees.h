/*
 * trees.h: where a translation model in training gets its trees from: a file, or the
 * parser inside it.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_TREES_H
#define DGM_TRAIN_TRANSLATION_SETS_TREES_H

#include "train/translation/sets/sets.h"

/* The parser that goes into the model, from --parser or from a checkpoint; where both are there
 * they must be the same. checkpoint: NULL for a new run. */
dgm_status dgm_sets_trees_take_parser(const struct dgm_run *run, struct dgm_sets *sets,
                                      const struct dgm_gguf *checkpoint);
/* Of everything that decides about the trees that a parser makes: two files of one parser have the
 * same sum. */
dgm_status dgm_sets_trees_parser_sum(struct dgm_env *env, const struct dgm_parser *parser,
                                     uint64_t *sum);
/* Whether all that an option names is "none". */
int dgm_sets_trees_are_none(const struct dgm_run *run, const char *option);
/* DGM_USAGE unless the trees that the model needs, of training and of validation text, come from a
 * file or from the parser, or an option says that there are to be none. */
dgm_status dgm_sets_trees_check(const struct dgm_run *run, const struct dgm_sets *sets);
/* Completes a pipeline with the names of features that its source will have, if the model's syntax
 * needs any: those of the parser and of --train-trees. */
dgm_status dgm_sets_trees_learn(const struct dgm_run *run, const struct dgm_sets *sets,
                                struct dgm_pipeline *pipeline);
/* Whether so many words wait that they are parsed now; DGM_INTERRUPTED: the run is to stop. */
dgm_status dgm_sets_trees_parse_is_due(const struct dgm_run *run, int64_t waiting, int *is_due);

#endif
