/*
 * bracket_reader.h: reads bracketed trees from a file, one at a time.
 *
 * Errors and lenient reading are as in conllu_reader.h: a sentence that cannot be read goes on
 * with its words below TOP and has_parse = 0.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_READER_H
#define DGM_SYNTAX_BRACKET_BRACKET_READER_H

#include "syntax/bracket/bracket.h"

enum dgm_bracket_mode {
    DGM_BRACKET_LINES, /* each line is one tree; an empty line is an empty sentence */
    DGM_BRACKET_FREE   /* trees end with their brackets, wherever lines end */
};

/* Zero is the default of every option. */
struct dgm_bracket_options {
    int lenient;
    enum dgm_bracket_mode mode;
    int cut_labels;    /* NP-SBJ-1 and NP=2 become NP; a leading - stays (-LRB-) */
    int raw_words;     /* leave -LRB- and \/ in words as they are */
    int32_t max_depth; /* of open brackets; 0 means DGM_BRACKET_MAX_DEPTH */
    int32_t max_words; /* of one tree; 0 means DGM_BRACKET_MAX_WORDS */
};

#define DGM_BRACKET_MAX_DEPTH 1000
#define DGM_BRACKET_MAX_WORDS 100000
#define DGM_BRACKET_MAX_LINE ((size_t)16 << 20) /* bytes */

struct dgm_bracket_reader {
    struct dgm_lines lines;
    struct dgm_bracket_options options;
    long sentences;     /* handed out so far */
    long without_parse; /* of these, without a usable tree */
    long traces;        /* words removed so far */
    /* The line and the tree being read: */
    const char *text; /* the line; borrowed from `lines` or `repaired` */
    size_t length, at;
    size_t counted; /* bytes of the line that `column` has counted */
    long column;
    struct dgm_open_bracket *open; /* the brackets that are open, outermost first */
    int32_t depth;
    size_t open_capacity;
    int label_next;                /* the next word is the label of the innermost bracket */
    int label_lost;                /* ... of a bracket too deep to be kept */
    int broken;                    /* a fault has cost it its tree (lenient) */
    int resync;                    /* free mode: go on at a line that begins with `(` */
    long empty_line, empty_column; /* of the first `()`; 0: none */
    unsigned warned;               /* kinds of fault already reported */
    struct dgm_buf repaired;
};

/* Zero-initialise the reader before; options may be NULL. "-" is standard input. */
dgm_status dgm_bracket_reader_open(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                   const char *path, const struct dgm_bracket_options *options);
/* The same of lines that somebody has opened; takes them, and leaves none behind. */
void dgm_bracket_reader_open_lines(struct dgm_bracket_reader *reader, struct dgm_lines *lines,
                                   const struct dgm_bracket_options *options);

/*
 * Reads the next tree, or sets *more to 0 at the end of the file. After DGM_DATA the tree
 * is empty and the next call goes on at the next line (free mode: the next line that
 * begins with a bracket).
 */
dgm_status dgm_bracket_reader_next(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                   struct dgm_bracket_tree *tree, int *more);
/* The same of one tree a line, where a parser may have failed: brackets without words, "(())", are
 * an empty sentence as an empty line is. */
dgm_status dgm_bracket_reader_next_or_none(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                           struct dgm_bracket_tree *tree, int *more);
void dgm_bracket_reader_close(struct dgm_env *env, struct dgm_bracket_reader *reader);

#endif
