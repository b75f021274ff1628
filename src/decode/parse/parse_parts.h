/*
 * parse_parts.h: sentences of more words than a parser reads, which stand in a bank in several
 * parts.
 *
 * Each part is parsed as a sentence; then the parts become one tree again: the roots of later ones
 * hang on that of the first. A projective tree stays one.
 */
#ifndef DGM_DECODE_PARSE_PARSE_PARTS_H
#define DGM_DECODE_PARSE_PARSE_PARTS_H

#include "decode/parse/parse.h"

/* One sentence: numbers first .. first + count - 1 of the bank. */
struct dgm_parted {
    int32_t first, count;
    int32_t words; /* of all parts */
};

/* Zero-initialise; clear in any case. */
struct dgm_parse_parts {
    struct dgm_parted *items; /* (count) in the order of the bank */
    size_t count, capacity;
};

/* How many of n words the next part takes: all if they are at most `most` (1 or more); else those
 * up to the last mark that ends a sentence in the second half of so many, or up to the last that
 * ends a clause, or `most`. */
int32_t dgm_parse_parts_next(const char *const *forms, int32_t n, int64_t most);

/* Adds a sentence of any length to the bank, and notes it where it takes several parts. */
dgm_status dgm_parse_parts_add(struct dgm_env *env, struct dgm_parse_parts *parts,
                               struct dgm_treebank *bank, struct dgm_parser *parser,
                               const char *const *forms, int32_t n);
/* The same of what somebody else has added: the parts are all sentences of the bank from `first`
 * on. One part is not noted. */
dgm_status dgm_parse_parts_note(struct dgm_env *env, struct dgm_parse_parts *parts,
                                const struct dgm_treebank *bank, int32_t first, int32_t words);
/* What has this number as its first part; NULL: a sentence in one. */
const struct dgm_parted *dgm_parse_parts_find(const struct dgm_parse_parts *parts, int32_t number);

/* After dgm_parse_bank: the results of a sentence in parts stand in its first part's rows and those
 * behind them, one row for each word. The label of a root that hangs on another now is that of
 * sentences side by side, "parataxis" in Universal Dependencies, else "dep", or -1 where the parser
 * has neither. */
void dgm_parse_parts_join(const struct dgm_parse_parts *parts, const struct dgm_treebank *bank,
                          const struct dgm_lexicon *lexicon, struct dgm_parsed *parsed);

/* Forgets them; keeps memory. */
void dgm_parse_parts_reset(struct dgm_parse_parts *parts);
void dgm_parse_parts_clear(struct dgm_env *env, struct dgm_parse_parts *parts);

#endif
