/*
 * line_tree.h: the tree of one encoded line, word by word, from a sentence of a treebank:
 * heads, features of words, or constituents.
 */
#ifndef DGM_DATA_TREE_LINE_TREE_H
#define DGM_DATA_TREE_LINE_TREE_H

#include "data/packed.h"
#include "data/text/pipeline.h"
#include "data/tree/text_words.h"
#include "syntax/bracket/bracket.h"
#include "syntax/conllu/conllu.h"

/* Zero-initialise, use for any number of lines, clear. */
struct dgm_line_tree {
    /* (n_words) as a packed side has them; NULL: none is kept */
    int32_t *heads, *features[DGM_WORD_FEATURES];
    int32_t *left, *right; /* the same; all lines have heads, or all have these */
    size_t head_capacity, feature_capacity[DGM_WORD_FEATURES], left_capacity, right_capacity;
    struct dgm_feature_counts counts; /* of all lines so far, of features that are kept */
    struct dgm_laid_counts laid;      /* of the lines whose words were others */
    struct dgm_text_words words;      /* of one such line */
    struct dgm_overlay overlay;
};

/* Takes the tree of `sentence` for a line, with the features that `features`, if it is not NULL,
 * holds names of. Where the line has other words of the same text, as they come from another
 * tokeniser, the tree is laid over them (syntax/tree/overlay.h). DGM_DATA at path and line number
 * if the text differs; the line is then without a parse. */
dgm_status dgm_line_tree_take(struct dgm_env *env, struct dgm_line_tree *tree,
                              const struct dgm_conllu_sentence *sentence,
                              const struct dgm_features *features, const struct dgm_encoded *line,
                              const char *path, long number);
/* Takes the constituents of a bracket tree, made binary (syntax/tree/binary.h). A tree without a
 * parse has none, and its words are not compared. */
dgm_status dgm_line_tree_take_brackets(struct dgm_env *env, struct dgm_line_tree *tree,
                                       const struct dgm_bracket_tree *brackets,
                                       const struct dgm_encoded *line, const char *path,
                                       long number);
/* Appends a line to a packed side, with its tree unless that is NULL. */
dgm_status dgm_line_tree_pack(struct dgm_env *env, struct dgm_packed *packed,
                              const struct dgm_encoded *line, const struct dgm_line_tree *tree);
void dgm_line_tree_clear(struct dgm_env *env, struct dgm_line_tree *tree);

#endif
