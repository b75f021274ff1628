/*
 * parse_eval.h: how well a parser does: the metrics of the CoNLL 2018 shared task.
 *
 * Zeman et al., "CoNLL 2018 Shared Task: Multilingual Parsing from Raw Text to
 * Universal Dependencies", section 5. Both files hold the same characters, white space
 * aside; tokens, sentences and words may differ and are scored. Words are aligned by
 * their characters, and within tokens of several words by a longest common subsequence
 * of their forms. A metric counts the aligned pairs that agree:
 *
 *     UPOS, XPOS, UFeats, Lemmas   the column; of features the universal ones only
 *     AllTags                      UPOS, XPOS and UFeats together
 *     UAS, LAS                     the head; head and relation without its subtype
 *     CLAS                         LAS of content words
 *     MLAS                         CLAS with UPOS, UFeats and all functional dependents
 *     BLEX                         CLAS with lemmas
 *
 * A lemma that the gold file leaves open (`_`) counts as right. With earlier_heads the metrics of
 * words leave out those whose gold head stands behind them, in both files: what a decoder, which
 * writes from left to right, can know are the others.
 */
#ifndef DGM_SYNTAX_EVAL_PARSE_EVAL_H
#define DGM_SYNTAX_EVAL_PARSE_EVAL_H

#include "syntax/conllu/conllu_reader.h"

/*
 * counts: (DGM_PARSE_METRICS), by enum dgm_parse_metric. A fault of either file as
 * CoNLL-U is DGM_DATA, and so are characters that differ. multi_root is about the
 * system's file: one root a sentence is what the task asks for. Memory: the files' text
 * and O(words).
 */
dgm_status dgm_parse_eval_files(struct dgm_env *env, dgm_parse_counts counts[DGM_PARSE_METRICS],
                                const char *gold_path, const char *system_path,
                                enum dgm_multi_root multi_root, int earlier_heads);

/* The first half of it: reads and aligns both files. eval, but for `earlier`, is zeroed before, and
 * cleared by the caller in any case. */
struct dgm_eval;
dgm_status dgm_parse_eval_load(struct dgm_env *env, struct dgm_eval *eval, const char *gold_path,
                               const char *system_path, enum dgm_multi_root multi_root);
/* The second half by items, sentences or groups of words: of each word of either side the number of
 * its item; counts: (items, DGM_PARSE_METRICS), zeroed. What a pair agrees in is counted for the
 * item of the gold word. Tokens and sentences are not counted. */
void dgm_parse_eval_items(const struct dgm_eval *eval, const uint32_t *gold_items,
                          const uint32_t *system_items, dgm_parse_counts *counts);

/* "Tokens", "UPOS", ... */
const char *dgm_parse_metric_name(enum dgm_parse_metric metric);

/* ---- words that need no alignment ------------------------------------------------- */

/* Counts two sides that have the same words (eval_file.h): each is aligned with that of its number.
 * Tokens and sentences are not counted. */
dgm_status dgm_parse_eval_same(struct dgm_env *env, struct dgm_eval *eval,
                               dgm_parse_counts counts[DGM_PARSE_METRICS]);
/* F1 in percent; 0 where there is nothing. */
double dgm_parse_percent(const dgm_parse_counts *counts);

/* Of trees over the same words: words, and how many of them have the right head, the
 * right head and label, the right tag. Punctuation counts. Zero-initialise. */
struct dgm_attachment {
    int64_t words, heads, labels, tags;
};

/* (count) each, in any numbering that both sides share; label and tag may be NULL. */
struct dgm_attachment_arcs {
    const int32_t *head, *label, *tag;
};

/* Adds one sentence. Where either side has no label or tag, none is counted. */
void dgm_attachment_add(struct dgm_attachment *sum, const struct dgm_attachment_arcs *gold,
                        const struct dgm_attachment_arcs *system, int32_t count);

/* 100 part / words, or 0 where there are no words. */
double dgm_attachment_percent(int64_t part, int64_t words);

#endif
