/*
 * bracket.h: phrase structure trees in the brackets of the Penn Treebank.
 *
 *     (TOP (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks)) (. .)))
 *
 * What follows `(` is the label; everything else outside brackets is a word, which may
 * stand beside brackets: (NP the (N dog)). Reading makes these one:
 *
 * - The tree always has a root node labelled TOP. Brackets around the whole tree without
 *   a label or labelled TOP, ROOT, S1 or VROOT are that root; an unlabelled bracket
 *   elsewhere is no node, its children belong to the one around it.
 * - Words below -NONE- (traces) are removed, then every bracket that is left without
 *   words, and counted.
 * - -LRB- -RRB- -LSB- -RSB- -LCB- -RCB- inside words become ( ) [ ] { }, and \/ and \*
 *   become / and * (not with options.raw_words). Labels stay as they are.
 *
 * Errors and lenient reading are as in conllu.h: a sentence that cannot be read goes on
 * with its words below TOP and has_parse = 0. Nothing recurses.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_H
#define DGM_SYNTAX_BRACKET_BRACKET_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/file.h"

/* Nodes stand in the order of their opening brackets: a parent before its children, the
 * words in the order of the sentence. Node 0 is the root. */
struct dgm_bracket_node {
    uint32_t text;                     /* label or word: offset in the tree's bytes */
    int32_t parent;                    /* -1 for the root */
    int32_t first_child, next_sibling; /* -1: none */
    int32_t first_word, end_word;      /* the words below it: first .. end - 1 */
    int is_word;
};

/* Zero-initialise, read into it any number of times, clear. */
struct dgm_bracket_tree {
    struct dgm_bracket_node *nodes;
    int32_t node_count;
    int32_t *words; /* (word_count) node of each word */
    int32_t word_count;
    int has_parse;
    int32_t traces; /* words removed */
    long line;      /* where it begins in the file */
    struct dgm_buf bytes;
    size_t node_capacity, word_capacity;
};

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
#define DGM_BRACKET_MAX_BYTES ((size_t)1 << 26) /* of one tree */

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
    struct dgm_bracket_open *open; /* the brackets that are open, outermost first */
    int32_t depth;
    size_t open_capacity;
    int label_next;                /* the next word is the label of the innermost bracket */
    int label_lost;                /* ... of a bracket too deep to be kept */
    int broken;                    /* a fault has cost it its tree (lenient) */
    int resync;                    /* free mode: go on at a line that begins with `(` */
    long empty_line, empty_column; /* of the first `()`; 0: none */
    unsigned warned;               /* kinds of fault already reported */
    struct dgm_buf repaired;
    char note[400]; /* text of the message being composed */
};

/* Zero-initialise the reader before; options may be NULL. "-" is standard input. */
dgm_status dgm_bracket_open(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            const char *path, const struct dgm_bracket_options *options);
/* The same of lines that somebody has opened; takes them, and leaves none behind. */
void dgm_bracket_open_lines(struct dgm_bracket_reader *reader, struct dgm_lines *lines,
                            const struct dgm_bracket_options *options);

/*
 * Reads the next tree, or sets *more to 0 at the end of the file. After DGM_DATA the tree
 * is empty and the next call goes on at the next line (free mode: the next line that
 * begins with a bracket).
 */
dgm_status dgm_bracket_next(struct dgm_env *env, struct dgm_bracket_reader *reader,
                            struct dgm_bracket_tree *tree, int *more);
/* The same of one tree a line, where a parser may have failed: brackets without words, "(())", are
 * an empty sentence as an empty line is. */
dgm_status dgm_bracket_next_or_none(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                    struct dgm_bracket_tree *tree, int *more);
void dgm_bracket_close(struct dgm_env *env, struct dgm_bracket_reader *reader);

/* Label or word of a node, borrowed until the next tree. */
const char *dgm_bracket_text(const struct dgm_bracket_tree *tree, int32_t node);

/*
 * DGM_DATA [E_ALIGN] unless the words are these `count` tokens of line `source_line` of
 * the text; the message, placed in `path`, names the first that differs.
 */
dgm_status dgm_bracket_match(struct dgm_env *env, const struct dgm_bracket_tree *tree,
                             const char *path, const char *const *tokens, int32_t count,
                             long source_line);

void dgm_bracket_clear(struct dgm_env *env, struct dgm_bracket_tree *tree);

/* A word as it stands in such a line, escaped. */
dgm_status dgm_bracket_write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word);

/* One line that reads back as the same tree; an empty one for a tree without words.
 * Words that the reader could not tell apart are escaped; the format has no way to write
 * a bracket right behind the letters of an escape without its last hyphen (`-LRB` `(`). */
dgm_status dgm_bracket_write(struct dgm_env *env, struct dgm_writer *writer,
                             const struct dgm_bracket_tree *tree);

#endif
