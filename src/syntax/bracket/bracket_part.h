/*
 * bracket_part.h: what the files of the bracket reader share; nobody else includes it.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_PART_H
#define DGM_SYNTAX_BRACKET_BRACKET_PART_H

#include "syntax/bracket/bracket.h"

#define DGM_BRACKET_NO_LABEL UINT32_MAX

struct dgm_bracket_open {
    int32_t node;
    int32_t children;
    long line, column;
};

/* Kinds of fault: name, code shown to the user, whether the tree is lost. */
#define DGM_BRACKET_FAULT_LIST(S) \
    S(SHAPE, "E_PTB", 1)          \
    S(EMPTY, "E_PTB", 1)          \
    S(LIMIT, "E_LIMIT", 1)        \
    S(UTF8, "E_UTF8", 0)

enum dgm_bracket_fault {
#define DGM_BRACKET_FAULT_ENUM(name, code, breaks) DGM_BRACKET_BAD_##name,
    DGM_BRACKET_FAULT_LIST(DGM_BRACKET_FAULT_ENUM)
#undef DGM_BRACKET_FAULT_ENUM
        DGM_BRACKET_FAULT_COUNT
};

/* Fails with reader->note or, in a lenient reader, warns and marks the tree. */
dgm_status dgm_bracket_complain(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                enum dgm_bracket_fault fault, long line, long column);

/* The column, in characters from 1, of a byte of the line; cheap where `at` grows from
 * call to call, as it must be: every bracket is asked for its column. */
long dgm_bracket_column(struct dgm_bracket_reader *reader, size_t at);

dgm_status dgm_bracket_add_node(struct dgm_env *env, struct dgm_bracket_tree *tree, uint32_t text,
                                int32_t parent, int is_word);

/* Takes tokens from the line until it ends or, with *done = 1, the tree does. */
dgm_status dgm_bracket_parse(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             struct dgm_bracket_tree *tree, int *done);

/* Removes traces, what they leave empty, and brackets that are no nodes; then links
 * siblings and sets the spans. */
dgm_status dgm_bracket_clean(struct dgm_env *env, struct dgm_bracket_tree *tree);

/* All words directly below the root. */
void dgm_bracket_flatten(struct dgm_bracket_tree *tree);

#endif
