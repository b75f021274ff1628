/*
 * valid.h: a parser's validation: its treebank parsed, and compared with what stands there.
 */
#ifndef DGM_TRAIN_PARSING_VALID_H
#define DGM_TRAIN_PARSING_VALID_H

#include "data/tree/treebank.h"
#include "decode/parse/parse.h"
#include "train/judge.h"
#include "train/parsing/morph_scores.h"
#include "train/run.h"

/* Zeroed: there is none. */
struct dgm_parsing_valid {
    struct dgm_treebank bank;       /* of --valid-sets */
    int32_t *tags;                  /* gold; the parser under validation must not read them */
    struct dgm_morph_scores morphs; /* if the parser learns any columns */
    struct dgm_parse parse;         /* its parser is NULL before the first validation */
    struct dgm_parsed parsed;
    int32_t *universal; /* (labels) the first label with the same universal part */
};

/* DGM_USAGE for a metric that was asked for and, of a parser that learns the columns `morphs`,
 * would never be told, or never decide. */
dgm_status dgm_parsing_valid_check(const struct dgm_run *run, unsigned morphs);
/* Once the bank is read: puts aside what the parser must find by itself. */
dgm_status dgm_parsing_valid_take(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                  const struct dgm_parser *parser);
/* Tells the judge UPOS, UAS, LAS and metrics of the columns that are learned. */
dgm_status dgm_parsing_valid_run(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                 struct dgm_parser *parser, struct dgm_judge *judge);
/* Bytes that this takes, and keeps; and those of what is compared. */
dgm_status dgm_parsing_valid_bytes(const struct dgm_run *run, struct dgm_parsing_valid *valid,
                                   struct dgm_parser *parser, double *bytes);
double dgm_parsing_valid_size(const struct dgm_parsing_valid *valid);
void dgm_parsing_valid_clear(struct dgm_env *env, struct dgm_parsing_valid *valid);

#endif
