/*
 * binary_lines.h: trees as lines of brackets around two constituents each, as encoders of
 * constituents read them (syntax/tree/binary.h).
 */
#ifndef DGM_DATA_CONVERT_BINARY_LINES_H
#define DGM_DATA_CONVERT_BINARY_LINES_H

#include "data/tree/line_tree.h"
#include "syntax/bracket/bracket.h"

/* Zero-initialise it; memory of one sentence after another. */
struct dgm_binary_lines {
    struct dgm_encoded line; /* its words alone */
    struct dgm_line_tree line_tree;
    const char **forms;    /* (n_words), in the text of the line, each ended by NUL */
    int32_t *left, *right; /* (n_words - 1) */
    int32_t *work;         /* of syntax/tree/binary.h */
    size_t form_capacity, left_capacity, right_capacity, work_capacity;
};

/* One line of brackets for a tree of brackets; for a dependency tree, where a sentence without a
 * parse becomes right-branching. */
dgm_status dgm_binary_lines_of_brackets(struct dgm_env *env, struct dgm_writer *writer,
                                        struct dgm_binary_lines *binary,
                                        const struct dgm_bracket_tree *tree);
dgm_status dgm_binary_lines_of_heads(struct dgm_env *env, struct dgm_writer *writer,
                                     struct dgm_binary_lines *binary,
                                     const struct dgm_conllu_sentence *sentence);
void dgm_binary_lines_clear(struct dgm_env *env, struct dgm_binary_lines *binary);

#endif
