/*
 * convert_binary.h: trees as encoders of constituents read them: binary, over the tokens of a line.
 */
#ifndef DGM_API_CONVERT_CONVERT_BINARY_H
#define DGM_API_CONVERT_CONVERT_BINARY_H

#include "data/tree/line_tree.h"

/* Memory for one sentence after another. Zeroed: empty. */
struct dgm_convert_binary {
    struct dgm_encoded line; /* its words alone */
    struct dgm_line_tree line_tree;
    const char **forms;    /* (n_words), in the text of the line, each ended by NUL */
    int32_t *left, *right; /* (n_words - 1) */
    int32_t *work;         /* of syntax/tree/binary.h */
    size_t form_capacity, left_capacity, right_capacity, work_capacity;
};

/* One line of brackets (syntax/tree/binary.h) for a sentence; without a parse it is right-branching. */
dgm_status dgm_convert_brackets(struct dgm_env *env, struct dgm_writer *writer,
                                struct dgm_convert_binary *binary,
                                const struct dgm_bracket_tree *tree);
dgm_status dgm_convert_heads(struct dgm_env *env, struct dgm_writer *writer,
                             struct dgm_convert_binary *binary,
                             const struct dgm_conllu_sentence *sentence);
void dgm_convert_binary_clear(struct dgm_env *env, struct dgm_convert_binary *binary);

#endif
