/*
 * conllu.h: a sentence of the CoNLL-U format of Universal Dependencies, and how it is written.
 *
 * A sentence is a block of lines ended by a blank line: comments, then one line per
 * word with ten columns. Lines `1-2` give the surface form of several words and lines
 * `8.1` are empty nodes; both are kept and written back, and neither is a node of the
 * tree. conllu_reader.h reads sentences from a file.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_H
#define DGM_SYNTAX_CONLLU_CONLLU_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/writer.h"
#include "base/lines/lines.h"
#include "syntax/tree/tree.h"

#define DGM_CONLLU_MAX_BYTES ((size_t)1 << 26) /* of one sentence */

enum dgm_conllu_column {
    DGM_CONLLU_ID,
    DGM_CONLLU_FORM,
    DGM_CONLLU_LEMMA,
    DGM_CONLLU_UPOS,
    DGM_CONLLU_XPOS,
    DGM_CONLLU_FEATS,
    DGM_CONLLU_HEAD,
    DGM_CONLLU_DEPREL,
    DGM_CONLLU_DEPS,
    DGM_CONLLU_MISC,
    DGM_CONLLU_COLUMNS
};
extern const char *const dgm_conllu_column_names[DGM_CONLLU_COLUMNS]; /* "ID" and so on */

enum dgm_conllu_kind {
    DGM_CONLLU_WORD,  /* first == last: its ID */
    DGM_CONLLU_RANGE, /* `first-last` */
    DGM_CONLLU_EMPTY  /* `first.last` */
};

struct dgm_conllu_row {
    uint32_t start;                     /* of the line in the sentence's bytes */
    uint32_t field[DGM_CONLLU_COLUMNS]; /* offsets in these bytes; NUL ends each */
    enum dgm_conllu_kind kind;
    int32_t first, last;
    long line; /* of the file, from 1 */
};

/* Zero-initialise, read into it any number of times, clear. */
struct dgm_conllu_sentence {
    struct dgm_tree tree;        /* over the words; tree.count of them */
    uint32_t *words;             /* (tree.count) row number of each word */
    struct dgm_conllu_row *rows; /* every line but the comments, in file order */
    size_t row_count;
    uint32_t *comments; /* offsets of whole comment lines, `#` included */
    size_t comment_count;
    struct dgm_buf bytes;
    long line; /* of its first line in the file */
    size_t word_capacity, row_capacity, comment_capacity;
};

/* A column of word `word` (from 0) as NUL-terminated text, borrowed until the next
 * sentence. */
const char *dgm_conllu_field(const struct dgm_conllu_sentence *sentence, int32_t word,
                             enum dgm_conllu_column column);

/* Field of any row, NUL-terminated. */
const char *dgm_conllu_row_text(const struct dgm_conllu_sentence *sentence,
                                const struct dgm_conllu_row *row, enum dgm_conllu_column column);

/* The column, in characters from 1, at which a field of a row begins. */
long dgm_conllu_place(const struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row,
                      enum dgm_conllu_column column);

/* Back to no words, keeping the memory. */
void dgm_conllu_empty(struct dgm_env *env, struct dgm_conllu_sentence *sentence);
void dgm_conllu_clear(struct dgm_env *env, struct dgm_conllu_sentence *sentence);

/*
 * Whether a list of labels holds text[0..length). A list is one string, with a blank before and
 * behind each label: " nsubj obj iobj ".
 */
int dgm_conllu_list_holds(const char *list, const char *text, size_t length);

/* ---- writing ---------------------------------------------------------------------- */

/* The sentence as it was read, byte for byte, and a blank line. */
dgm_status dgm_conllu_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence);

/* One line of ten columns; NULL stands for `_`. */
dgm_status dgm_conllu_write_row(struct dgm_env *env, struct dgm_writer *writer,
                                const char *const field[DGM_CONLLU_COLUMNS]);

#endif
