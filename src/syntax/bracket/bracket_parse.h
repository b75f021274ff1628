/*
 * bracket_parse.h: the tokens of one line as nodes of a tree, and faults among them.
 */
#ifndef DGM_SYNTAX_BRACKET_BRACKET_PARSE_H
#define DGM_SYNTAX_BRACKET_BRACKET_PARSE_H

#include "syntax/bracket/bracket_reader.h"

/* A bracket that is not closed yet. */
struct dgm_open_bracket {
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

enum { DGM_BRACKET_NOTE = 400 }; /* room for the text of a fault */

/* Fails with this text (WHAT; expected WHAT) or, in a lenient reader, warns and marks the tree. */
dgm_status dgm_bracket_fault(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             enum dgm_bracket_fault fault, long line, long column,
                             const char *format, ...) DGM_FORMAT(6, 7);

/* The column, in characters from 1, of a byte of the line; cheap where `at` grows from
 * call to call, as it must be: every bracket is asked for its column. */
long dgm_bracket_parse_column(struct dgm_bracket_reader *reader, size_t at);

/* Takes tokens from the line until it ends or, with *done = 1, the tree does. */
dgm_status dgm_bracket_parse(struct dgm_env *env, struct dgm_bracket_reader *reader,
                             struct dgm_bracket_tree *tree, int *done);

#endif
