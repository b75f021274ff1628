/*
 * bracket.h: phrase structure trees in the brackets of the Penn Treebank.
 *
 *     (TOP (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks)) (. .)))
 *
 * The text behind `(` is the label; all other text between brackets is a word, which may
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
 * Nothing recurses. bracket_reader.h reads trees from a file.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_H
#define DGM_SYNTAX_BRACKET_BRACKET_H

#include "base/buf.h"
#include "base/env.h"
#include "base/file/writer.h"
#include "base/lines/lines.h"

#define DGM_BRACKET_MAX_BYTES ((size_t)1 << 26) /* of one tree */

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

/* Label or word of a node, borrowed until the next tree. */
const char *dgm_bracket_text(const struct dgm_bracket_tree *tree, int32_t node);

void dgm_bracket_clear(struct dgm_env *env, struct dgm_bracket_tree *tree);

/* A word as it stands in such a line, escaped. */
dgm_status dgm_bracket_write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word);

/* One line that reads back as the same tree; an empty one for a tree without words.
 * Words that the reader could not tell apart are escaped; the format has no way to write
 * a bracket right behind the letters of an escape without its last hyphen (`-LRB` `(`). */
dgm_status dgm_bracket_write(struct dgm_env *env, struct dgm_writer *writer,
                             const struct dgm_bracket_tree *tree);

/* ---- for the reader: a tree while it is made ---------------------------------------- */

#define DGM_BRACKET_NO_LABEL UINT32_MAX

/* A root and nothing below it; keeps the memory. */
dgm_status dgm_bracket_empty(struct dgm_env *env, struct dgm_bracket_tree *tree);

/* text: an offset in tree->bytes or, of a bracket without a label, DGM_BRACKET_NO_LABEL. */
dgm_status dgm_bracket_add_node(struct dgm_env *env, struct dgm_bracket_tree *tree, uint32_t text,
                                int32_t parent, int is_word);

/* Removes traces, what they leave empty, and brackets that are no nodes; then links
 * siblings and sets the spans. */
dgm_status dgm_bracket_clean(struct dgm_env *env, struct dgm_bracket_tree *tree);

/* All words directly below the root. */
void dgm_bracket_flatten(struct dgm_bracket_tree *tree);

#endif
