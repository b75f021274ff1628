/* ud_fault.c: how a fault of a treebank is told: where it stands, what is found and expected. */
#include "syntax/ud/ud_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

dgm_status dgm_ud_refuse(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                         const struct dgm_conllu_row *row, enum dgm_conllu_column column,
                         const char *text, size_t bytes, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, bytes);
    return dgm_conllu_fault(check->env, check->reader, fault, row->line,
                            dgm_conllu_place(check->sentence, row, column),
                            "%s \"%s\"; expected %s", dgm_conllu_column_names[column], quoted,
                            expected);
}

dgm_status dgm_ud_refuse_field(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                               const struct dgm_conllu_row *row, enum dgm_conllu_column column,
                               const char *expected)
{
    const char *text = dgm_conllu_row_text(check->sentence, row, column);

    return dgm_ud_refuse(check, fault, row, column, text, strlen(text), expected);
}

/* Comments are the first lines of a sentence: blank lines between would be faults. */
dgm_status dgm_ud_refuse_comment(const struct dgm_ud_check *check, enum dgm_conllu_fault fault,
                                 size_t comment, const char *format, ...)
{
    char note[DGM_CONLLU_NOTE];
    va_list args;

    va_start(args, format);
    vsnprintf(note, sizeof note, format, args);
    va_end(args);
    return dgm_conllu_fault(check->env, check->reader, fault, check->sentence->line + (long)comment,
                            1, "%s", note);
}
