/*
 * morph_scores.h: how well a parser finds XPOS, FEATS and lemmas of the validation treebank: the
 * metrics of the CoNLL 2018 shared task (syntax/eval/parse_eval.h) over its gold words.
 */
#ifndef DGM_TRAIN_PARSING_MORPH_SCORES_H
#define DGM_TRAIN_PARSING_MORPH_SCORES_H

#include "decode/parse/parse.h"
#include "syntax/eval/eval_file.h"
#include "syntax/eval/parse_eval.h"

/* Zero-initialise. The gold side is read once; the other is that of the latest validation. */
struct dgm_morph_scores {
    struct dgm_eval eval;
    struct dgm_eval_columns *columns; /* of one sentence */
    int32_t *heads;
    size_t capacity;
    struct dgm_buf lemmas; /* of that sentence, each ended by NUL */
};

/* Appends the sentences of a file of at most max_words words: those that a bank has. */
dgm_status dgm_morph_scores_read(struct dgm_env *env, struct dgm_morph_scores *scores,
                                 const char *path, int32_t max_words,
                                 enum dgm_multi_root multi_root);
/* Scores what was found for the bank of these files. */
dgm_status dgm_morph_scores_count(struct dgm_env *env, struct dgm_morph_scores *scores,
                                  const struct dgm_lexicon *lexicon,
                                  const struct dgm_treebank *bank, const struct dgm_parsed *parsed,
                                  dgm_parse_counts counts[DGM_PARSE_METRICS]);
/* Bytes of both sides, without room for more. */
double dgm_morph_scores_bytes(const struct dgm_morph_scores *scores);
void dgm_morph_scores_clear(struct dgm_env *env, struct dgm_morph_scores *scores);

#endif
