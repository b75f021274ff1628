/*
 * conllu_write.c: writing CoNLL-U: what was read comes back byte for byte.
 */
#include <string.h>

#include "syntax/conllu/conllu.h"

static dgm_status write_text(struct dgm_env *env, struct dgm_writer *writer, const char *text)
{
    return dgm_writer_add(env, writer, text, strlen(text));
}

dgm_status dgm_conllu_write_row(struct dgm_env *env, struct dgm_writer *writer,
                                const char *const field[DGM_CONLLU_COLUMNS])
{
    int column;

    for (column = 0; column < DGM_CONLLU_COLUMNS; column++) {
        if (column > 0)
            DGM_TRY(write_text(env, writer, "\t"));
        DGM_TRY(write_text(env, writer, field[column] == NULL ? "_" : field[column]));
    }
    return write_text(env, writer, "\n");
}

dgm_status dgm_conllu_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence)
{
    const char *field[DGM_CONLLU_COLUMNS];
    size_t i;
    int column;

    for (i = 0; i < sentence->comment_count; i++) {
        DGM_TRY(write_text(env, writer, sentence->bytes.data + sentence->comments[i]));
        DGM_TRY(write_text(env, writer, "\n"));
    }
    for (i = 0; i < sentence->row_count; i++) {
        for (column = 0; column < DGM_CONLLU_COLUMNS; column++)
            field[column] = sentence->bytes.data + sentence->rows[i].field[column];
        DGM_TRY(dgm_conllu_write_row(env, writer, field));
    }
    return write_text(env, writer, "\n");
}
