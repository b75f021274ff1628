/*
 * eval_file.h: two CoNLL-U files as the arrays that the parser evaluation works on.
 *
 * A side is one file as arrays. Places are byte offsets into its text, the forms of all
 * tokens without white space, one after the other; so equal places mean equal
 * characters in both files. Columns are numbers of one map of strings, so that equal
 * text is an equal number.
 */
#ifndef DGM_SYNTAX_EVAL_EVAL_FILE_H
#define DGM_SYNTAX_EVAL_EVAL_FILE_H

#include "base/map.h"
#include "syntax/conllu/conllu_reader.h"

/* A token or a sentence. */
struct dgm_eval_span {
    size_t start, end; /* in the text */
    long line;         /* of the file */
};

/* A parent: of a root, and of a word whose sentence has no tree, which agrees with nothing. */
enum { DGM_EVAL_ROOT = -1, DGM_EVAL_NO_TREE = -2 };

enum dgm_eval_class { DGM_EVAL_OTHER, DGM_EVAL_CONTENT, DGM_EVAL_FUNCTION };

struct dgm_eval_word {
    size_t start, end;      /* of its token; several words may share one */
    int32_t parent;         /* word of the side, or one of the two above */
    int32_t child, sibling; /* functional dependents: its first; the next; -1: none */
    uint32_t form;          /* in lower case */
    uint32_t lemma, upos, xpos;
    uint32_t feats;        /* universal ones, sorted */
    uint32_t relation;     /* without its subtype */
    unsigned char kind;    /* enum dgm_eval_class, by its relation */
    unsigned char is_part; /* of a token of several words */
};

struct dgm_eval_side {
    const char *path;
    struct dgm_buf text;
    struct dgm_eval_word *words;
    struct dgm_eval_span *tokens, *sentences;
    size_t word_count, token_count, sentence_count;
    size_t word_capacity, token_capacity, sentence_capacity;
    long unparsed; /* sentences without a tree */
};

/* A piece of a FEATS column. */
struct dgm_eval_piece {
    const char *text;
    size_t length;
};

/* Zero-initialise. */
struct dgm_eval {
    struct dgm_eval_side gold, system;
    struct dgm_map strings;
    uint32_t blank; /* the number of `_` */
    int earlier;    /* words whose gold head stands behind them are left out */
    int32_t *match; /* (system.word_count) the gold word aligned with each, or -1 */
    struct dgm_buf scratch;
    struct dgm_eval_piece *pieces;
    size_t piece_capacity;
};

/* Reads a file into a side whose path is set. In the system's, a sentence where every HEAD is `_`
 * is no fault. */
dgm_status dgm_eval_file_read(struct dgm_env *env, struct dgm_eval *eval,
                              struct dgm_eval_side *side, enum dgm_multi_root multi_root);

/* What a word has in the columns that are compared. */
struct dgm_eval_columns {
    const char *lemma, *upos, *xpos, *feats, *relation;
};

/* Appends a sentence of n words that need no alignment, without tokens; heads as dgm_tree counts
 * them: a root is its own, and so is a word without a head. */
dgm_status dgm_eval_file_add(struct dgm_env *env, struct dgm_eval *eval, struct dgm_eval_side *side,
                             const struct dgm_eval_columns *columns, const int32_t *heads,
                             int32_t n);

/* The token that holds the byte at `place`, which must be below text.size. */
const struct dgm_eval_span *dgm_eval_file_token(const struct dgm_eval_side *side, size_t place);

/* Releases everything. */
void dgm_eval_file_clear(struct dgm_env *env, struct dgm_eval *eval);

#endif
