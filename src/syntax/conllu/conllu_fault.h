/*
 * conllu_fault.h: how the reader of conllu_reader.h reports faults of a file.
 *
 * A fault has a text (WHAT; expected WHAT). dgm_conllu_fault fails with it or, in a lenient
 * reader, warns, marks the sentence as broken and returns DGM_OK.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_FAULT_H
#define DGM_SYNTAX_CONLLU_CONLLU_FAULT_H

#include "syntax/conllu/conllu_reader.h"

/* Kinds of fault: name, code shown to the user, whether the sentence loses its tree. */
#define DGM_CONLLU_FAULT_LIST(S) \
    S(COLUMNS, "E_COLS", 1)      \
    S(FIELD, "E_FIELD", 1)       \
    S(ID, "E_ID", 1)             \
    S(RANGE, "E_RANGE", 1)       \
    S(NODE, "E_NODE", 1)         \
    S(HEAD, "E_HEAD", 1)         \
    S(ROOT, "E_ROOT", 1)         \
    S(CYCLE, "E_CYCLE", 1)       \
    S(COMMENT, "E_COMMENT", 0)   \
    S(EMPTY, "E_EMPTY", 1)       \
    S(LIMIT, "E_LIMIT", 1)       \
    S(UTF8, "E_UTF8", 0)         \
    S(LABEL, "E_LABEL", 0)       \
    S(DEPS, "E_DEPS", 0)         \
    S(META, "E_META", 0)         \
    S(TEXT, "E_TEXT", 0)         \
    S(LINE, "E_LINE", 0)         \
    S(NFC, "E_NFC", 0)           \
    S(PHEAD, "E_PHEAD", 0)       \
    S(ARC, "E_TYPED", 1)         \
    S(COPY, "E_COPY", 0)         \
    S(FORM, "E_FORM", 0)         \
    S(BLANK, "W_BLANK", 0)       \
    S(END, "W_END", 0)

enum dgm_conllu_fault {
#define DGM_CONLLU_FAULT_ENUM(name, code, breaks) DGM_CONLLU_BAD_##name,
    DGM_CONLLU_FAULT_LIST(DGM_CONLLU_FAULT_ENUM)
#undef DGM_CONLLU_FAULT_ENUM
        DGM_CONLLU_FAULT_COUNT
};

enum { DGM_CONLLU_NOTE = 400 }; /* room for the text of a fault */

dgm_status dgm_conllu_fault(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            enum dgm_conllu_fault fault, long line, long column, const char *format,
                            ...) DGM_FORMAT(6, 7);

/* A warning in any case: for faults that are never an error. */
void dgm_conllu_fault_warn(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           enum dgm_conllu_fault fault, long line, const char *text);

#endif
