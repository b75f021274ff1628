/*
 * conllu.h: the CoNLL-U format of Universal Dependencies, one sentence at a time, both
 * ways.
 *
 * A sentence is a block of lines ended by a blank line: comments, then one line per
 * word with ten columns. Lines `1-2` give the surface form of several words and lines
 * `8.1` are empty nodes; both are kept and written back, and neither is a node of the
 * tree.
 *
 * Two ways of reading. By default everything wrong is an error that names file, line
 * and column: right for training data. A lenient reader never refuses a sentence: what
 * has no usable tree is handed on with tree.has_parse = 0 and all its words, so that a
 * translation loses no line; it warns through the log, once for each kind of fault. To it, a line of
 * blanks ends a sentence only where another one can begin behind it, and never comments: what is
 * wrong with one line must not shift the trees of all lines that follow.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_H
#define DGM_SYNTAX_CONLLU_CONLLU_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/file.h"
#include "syntax/tree/tree.h"

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

/* What to do with several words of HEAD 0 (`--multi-root`). */
enum dgm_multi_root {
    DGM_MULTI_ROOT_ERROR,
    DGM_MULTI_ROOT_ATTACH_FIRST, /* the later roots depend on the first */
    DGM_MULTI_ROOT_KEEP,         /* a forest below the virtual root of tree.h */
    DGM_MULTI_ROOTS
};

/* "error", "attach-first", "keep". */
extern const char *const dgm_multi_root_names[DGM_MULTI_ROOTS];

/* Zero is the default of every option. */
struct dgm_conllu_options {
    int lenient;
    enum dgm_multi_root multi_root;
    int allow_empty;    /* a block of comments only is a sentence without words */
    int allow_unparsed; /* where every HEAD is `_` there is no parse and no fault */
    int strict;         /* also check UPOS, FEATS, DEPREL, DEPS and `# text` */
    int32_t max_words;  /* of one sentence; 0 means DGM_CONLLU_MAX_WORDS */
};

#define DGM_CONLLU_MAX_WORDS 100000
#define DGM_CONLLU_MAX_LINE ((size_t)1 << 20)  /* bytes */
#define DGM_CONLLU_MAX_BYTES ((size_t)1 << 26) /* of one sentence */

/* What the lines of the file are; set by the function that opens it. */
enum dgm_conllu_format {
    DGM_CONLLU_UD,   /* dgm_conllu_open */
    DGM_CONLLU_X,    /* dgm_conllx_open, conllx.h */
    DGM_CONLLU_TYPED /* dgm_stanford_open, stanford.h */
};

struct dgm_conllu_reader {
    struct dgm_lines lines;
    struct dgm_conllu_options options;
    enum dgm_conllu_format format;
    long sentences;     /* handed out so far */
    long without_parse; /* of these, without a usable tree */
    /* The sentence being read: */
    int broken; /* a fault has cost it its tree (lenient) */
    int skip;   /* an error stopped inside a block: go on behind it */
    int held;   /* the line at hand is the next sentence's first */
    int32_t word_count;
    int32_t range_last;            /* last word of the latest range line */
    int32_t empty_count;           /* empty nodes since the latest word */
    unsigned warned;               /* kinds of fault already reported */
    struct dgm_buf repaired;       /* a line whose ill-formed bytes were replaced */
    char note[400];                /* text of the message being composed */
    struct dgm_stanford_arc *arcs; /* of DGM_CONLLU_TYPED, in file order */
    size_t arc_count, arc_capacity;
};

/* Zero-initialise the reader before; options may be NULL. "-" is standard input. */
dgm_status dgm_conllu_open(struct dgm_env *env, struct dgm_conllu_reader *reader, const char *path,
                           const struct dgm_conllu_options *options);

/*
 * Reads the next sentence, or sets *more to 0 at the end of the file. After DGM_DATA
 * the sentence is empty and the next call goes on behind the faulty block, so a caller
 * that skips bad pairs may clear the error and continue.
 */
dgm_status dgm_conllu_next(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           struct dgm_conllu_sentence *sentence, int *more);
void dgm_conllu_close(struct dgm_env *env, struct dgm_conllu_reader *reader);

/* A column of word `word` (from 0) as NUL-terminated text, borrowed until the next
 * sentence. */
const char *dgm_conllu_field(const struct dgm_conllu_sentence *sentence, int32_t word,
                             enum dgm_conllu_column column);

void dgm_conllu_clear(struct dgm_env *env, struct dgm_conllu_sentence *sentence);

/* ---- writing ---------------------------------------------------------------------- */

/* The sentence as it was read, byte for byte, and a blank line. */
dgm_status dgm_conllu_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence);

/* One line of ten columns; NULL stands for `_`. */
dgm_status dgm_conllu_write_row(struct dgm_env *env, struct dgm_writer *writer,
                                const char *const field[DGM_CONLLU_COLUMNS]);

#endif
