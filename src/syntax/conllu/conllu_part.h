/*
 * conllu_part.h: what the files of the CoNLL-U reader share; nobody else includes it.
 *
 * A fault is composed in reader->note (WHAT; expected WHAT) and handed to
 * dgm_conllu_complain, which fails or, in a lenient reader, warns, marks the sentence
 * as broken and returns DGM_OK.
 */
#ifndef DGM_SYNTAX_CONLLU_CONLLU_PART_H
#define DGM_SYNTAX_CONLLU_CONLLU_PART_H

#include "syntax/conllu/conllu.h"

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
    S(PHEAD, "E_PHEAD", 0)       \
    S(ARC, "E_TYPED", 1)         \
    S(COPY, "E_COPY", 0)         \
    S(FORM, "E_FORM", 0)         \
    S(BLANK, "W_BLANK", 0)       \
    S(END, "W_END", 0)           \
    S(TEXT, "W_TEXT", 0)

enum dgm_conllu_fault {
#define DGM_CONLLU_FAULT_ENUM(name, code, breaks) DGM_CONLLU_BAD_##name,
    DGM_CONLLU_FAULT_LIST(DGM_CONLLU_FAULT_ENUM)
#undef DGM_CONLLU_FAULT_ENUM
        DGM_CONLLU_FAULT_COUNT
};

dgm_status dgm_conllu_complain(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               enum dgm_conllu_fault fault, long line, long column);

/* The same for what is never an error. */
void dgm_conllu_warn(struct dgm_env *env, struct dgm_conllu_reader *reader,
                     enum dgm_conllu_fault fault, long line);

/* The column, in characters from 1, at which a field of a row begins. */
long dgm_conllu_place(const struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row,
                      enum dgm_conllu_column column);

/* Field of any row. */
const char *dgm_conllu_row_text(const struct dgm_conllu_sentence *sentence,
                                const struct dgm_conllu_row *row, enum dgm_conllu_column column);

/* Reads 0..999999999 without sign or leading zeros up to `stop`; 0 where that is not
 * the text. */
int dgm_conllu_count(int32_t *out, const char *text, const char *stop);

/* Splits a line of the file and adds it to the sentence. */
dgm_status dgm_conllu_row_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_sentence *sentence, const char *text,
                              size_t length);

/* Turns the HEAD columns of a complete block into sentence->tree. */
dgm_status dgm_conllu_tree_build(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                 struct dgm_conllu_sentence *sentence);

/* CoNLL-X: PHEAD and PDEPREL of a complete block move to MISC (conllx.h). */
dgm_status dgm_conllx_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_sentence *sentence);

/* Typed dependencies: keeps a line of the file, whose words lie in sentence->bytes ... */
dgm_status dgm_stanford_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            struct dgm_conllu_sentence *sentence, const char *text, size_t length);
/* ... and turns those of a complete block into rows. */
dgm_status dgm_stanford_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               struct dgm_conllu_sentence *sentence);

/* The additional checks of options.strict. */
dgm_status dgm_conllu_lint(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           const struct dgm_conllu_sentence *sentence);

#endif
