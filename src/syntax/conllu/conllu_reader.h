/*
 * conllu_reader.h: reads CoNLL-U one sentence at a time; CoNLL-X and typed dependencies likewise.
 *
 * Two ways of reading. By default everything wrong is an error that names file, line
 * and column: right for training data. A lenient reader never refuses a sentence: one
 * without a usable tree is handed on with tree.has_parse = 0 and all its words, so that a
 * translation loses no line. It warns through the log, once for each kind of fault. It takes a line
 * of blanks as the end of a sentence only where the next line can begin another one, and never
 * inside comments: a fault in one line must not shift the trees of all lines that follow.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_READER_H
#define DGM_SYNTAX_CONLLU_CONLLU_READER_H

#include "syntax/conllu/conllu.h"

#define DGM_CONLLU_MAX_WORDS 100000
#define DGM_CONLLU_MAX_LINE ((size_t)1 << 20) /* bytes */

/* How several words of HEAD 0 are treated (`--multi-root`). */
enum dgm_multi_root {
    DGM_MULTI_ROOT_ERROR,
    DGM_MULTI_ROOT_ATTACH_FIRST, /* the later roots depend on the first */
    DGM_MULTI_ROOT_KEEP,         /* a forest below the virtual root of tree.h */
    DGM_MULTI_ROOTS
};

/* "error", "attach-first", "keep". */
extern const char *const dgm_multi_root_names[DGM_MULTI_ROOTS];

/* The format of the file. */
enum dgm_conllu_format {
    DGM_CONLLU_UD,   /* CoNLL-U */
    DGM_CONLLU_X,    /* CoNLL-X, conllx.h */
    DGM_CONLLU_TYPED /* Stanford typed dependencies, stanford.h */
};

/* Zero is the default of every option. */
struct dgm_conllu_options {
    int lenient;
    enum dgm_multi_root multi_root;
    int allow_empty;    /* a block of comments only is a sentence without words */
    int allow_unparsed; /* where every HEAD is `_` there is no parse and no fault */
    int strict;         /* of CoNLL-U, unless lenient: all that UD asks for (syntax/ud/ud.h) */
    int32_t max_words;  /* of one sentence; 0 means DGM_CONLLU_MAX_WORDS */
    enum dgm_conllu_format format;
};

struct dgm_conllu_reader {
    struct dgm_lines lines;
    struct dgm_conllu_options options;
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
    struct dgm_ud *ud;             /* of a strict reader; else NULL */
    struct dgm_buf repaired;       /* a line whose ill-formed bytes were replaced */
    struct dgm_stanford_arc *arcs; /* of DGM_CONLLU_TYPED, in file order */
    size_t arc_count, arc_capacity;
};

/* Zero-initialise the reader before; options may be NULL. "-" is standard input. */
dgm_status dgm_conllu_reader_open(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                  const char *path, const struct dgm_conllu_options *options);

/* The same of a text that others have written; `path`, borrowed, is for messages. A reader may be
 * opened again and again: what it has warned of it does not repeat. */
dgm_status dgm_conllu_reader_open_text(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                       const char *path, const struct dgm_buf *text,
                                       const struct dgm_conllu_options *options);

/*
 * Reads the next sentence, or sets *more to 0 at the end of the file. After DGM_DATA
 * the sentence is empty and the next call goes on behind the faulty block, so a caller
 * that skips bad pairs may clear the error and continue.
 */
dgm_status dgm_conllu_reader_next(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                  struct dgm_conllu_sentence *sentence, int *more);
void dgm_conllu_reader_close(struct dgm_env *env, struct dgm_conllu_reader *reader);

/* Hands every sentence of a file to `each`, with `user`; ends at the first failure. */
typedef dgm_status dgm_conllu_each_fn(struct dgm_env *env, void *user,
                                      const struct dgm_conllu_sentence *sentence);
dgm_status dgm_conllu_reader_each(struct dgm_env *env, const char *path,
                                  const struct dgm_conllu_options *options,
                                  dgm_conllu_each_fn *each, void *user);

#endif
