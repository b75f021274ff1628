/*
 * parse_lines.h: the trees of encoded lines, as heads and features stand in a packed side
 * (data/packed.h).
 *
 * Lines are queued one by one and parsed together, sentences of like length in one batch; the
 * tree of a line depends on nothing but its words, or its text.
 *
 * A parser without a tokeniser of its own parses the words of the model. One that has learned to
 * cut text cuts the line itself, as one sentence, and the tree of its words is laid over the words
 * of the model (syntax/tree/overlay.h).
 */
#ifndef DGM_DECODE_PARSE_PARSE_LINES_H
#define DGM_DECODE_PARSE_PARSE_LINES_H

#include "data/text/pipeline.h"
#include "data/tree/text_words.h"
#include "decode/parse/cut_text.h"
#include "decode/parse/parse_parts.h"

/* Lines of a parser that cuts text itself. */
struct dgm_parse_lines_cut {
    int is_on;
    int unescapes; /* the lines have Moses' escapes */
    struct dgm_cut_text cut;
    /* Lines that wait to be cut: text, and the words of the model. */
    struct dgm_buf text, line;
    struct dgm_parse_lines_waiting {
        size_t text_end, line_end;
        int32_t n_words;
        size_t place; /* of the first word in `heads` */
        long number;  /* of the lines since the reset, from 0 */
    } * waiting;
    size_t *ends; /* text_end again, for the cutter */
    size_t count, capacity, end_capacity;
    /* Lines that were cut, by their number in the bank: */
    struct dgm_text_words words;
    size_t *first_word, *first_token; /* in `words` */
    int32_t *n_words;
    size_t sentence_capacity;
    struct dgm_buf forms; /* of one line, each ended by NUL */
    struct dgm_overlay overlay;
    struct dgm_laid_counts counts; /* since the beginning */
    long long_line;                /* the first since the reset that the parser reads in parts */
    int32_t long_words;            /* that it has */
};

/* Zero-initialise before init; clear also when init failed, or was not called. */
struct dgm_parse_lines {
    struct dgm_parse parse;
    struct dgm_treebank bank;     /* lines that wait */
    struct dgm_parse_parts parts; /* of those that are longer than the parser reads */
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
    /* Added since the reset; those that the parser reads in parts, which are known of a parser that
     * cuts text when it has run. */
    long lines, too_long;
    struct dgm_parse_lines_cut own;
    struct dgm_buf text; /* words of a line, each ended by NUL */
    const char **forms;
    size_t form_capacity;
};

/* The names of a feature that the parser gives, its labels or its tags; NULL: it gives none. */
const struct dgm_vocab *dgm_parse_lines_gives(const struct dgm_parser *parser,
                                              enum dgm_feature_kind kind);
/* The parser is borrowed, and how the pipeline treats text is noted. features: the numbers that the
 * parser's labels and tags have there; heads alone are kept where there are none, or where it is
 * NULL. */
dgm_status dgm_parse_lines_init(struct dgm_env *env, struct dgm_parse_lines *lines,
                                struct dgm_parser *parser, const struct dgm_pipeline *pipeline,
                                const struct dgm_features *features);
/* Queues the words of a line, and the line as it was before anything was done to it: text[0..bytes)
 * is not looked at where the parser does not cut text. */
dgm_status dgm_parse_lines_add(struct dgm_env *env, struct dgm_parse_lines *lines,
                               const struct dgm_encoded *line, const char *text, size_t bytes);
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
