/*
 * parse_lines.h: the trees of encoded lines, as heads and features stand in a packed side
 * (data/packed.h).
 *
 * Lines are queued one by one and parsed together, sentences of like length in one batch; the
 * tree of a line depends on nothing but its words.
 */
#ifndef DGM_DECODE_PARSE_PARSE_LINES_H
#define DGM_DECODE_PARSE_PARSE_LINES_H

#include "data/text/pipeline.h"
#include "decode/parse/parse.h"

/* Zero-initialise before init; clear also when init failed, or was not called. */
struct dgm_parse_lines {
    struct dgm_parse parse;
    struct dgm_treebank bank; /* lines that wait */
    struct dgm_parsed parsed;
    size_t *places; /* (bank.rows.count) where in `heads` their words begin */
    /* (classes of the parser) the number of each label, or tag; NULL: not asked for */
    int32_t *number_of[DGM_WORD_FEATURES];
    size_t place_capacity;
    int64_t waiting; /* words that wait */
    int32_t *heads;  /* (words) of all lines since the reset; -1 without a parse */
    int32_t *labels; /* (words) classes of the lexicon's labels, the same way */
    /* (words) the same of their features; NULL if they were not asked for */
    int32_t *features[DGM_WORD_FEATURES];
    size_t words, head_capacity, feature_capacity[DGM_WORD_FEATURES];
    long lines, too_long; /* added since the reset; those that the parser cannot read */
    struct dgm_buf text;  /* words of a line, each ended by NUL */
    const char **forms;
    size_t form_capacity;
};

/* The names of a feature that the parser gives, its labels or its tags; NULL: it gives none. */
const struct dgm_vocab *dgm_parse_lines_gives(const struct dgm_parser *parser,
                                              enum dgm_feature_kind kind);
/* The parser is borrowed. features: the numbers that its labels and tags have there; heads alone
 * are kept where there are none, or where it is NULL. */
dgm_status dgm_parse_lines_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                struct dgm_parser *parser, const struct dgm_features *features);
/* Queues the words of a line. One with more words than the parser reads is counted and stays
 * without a parse. */
dgm_status dgm_parse_lines_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                               const struct dgm_encoded *line);
/* Parses what waits: heads and features are then complete, line after line in the order of adding;
 * the head of a word is a word of its line from 0 on, a root is its own head. */
dgm_status dgm_parse_lines_run(struct dgm_env *env, struct dgm_parse_lines *lines);
/* Gives a packed side of just these lines their heads and features. */
dgm_status dgm_parse_lines_hand_over(struct dgm_env *env, const struct dgm_parse_lines *lines,
                                     struct dgm_packed *packed);
/* Forgets all lines; keeps memory. */
void dgm_parse_lines_reset(struct dgm_parse_lines *lines);
void dgm_parse_lines_clear(struct dgm_env *env, struct dgm_parse_lines *lines);

#endif
