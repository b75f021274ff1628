/*
 * conllu.c: the fields of a CoNLL-U sentence, and writing: what was read comes back byte for byte.
 */
#include "syntax/conllu/conllu.h"

#include <string.h>

#include "base/mem.h"
#include "text/unicode/utf8.h"

/* ---- fields ----------------------------------------------------------------------- */

const char *const dgm_conllu_column_names[DGM_CONLLU_COLUMNS] = {
    "ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC",
};

/* The NULs that end the fields count as the tabs they were. */
long dgm_conllu_place(const struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row,
                      enum dgm_conllu_column column)
{
    const char *line = sentence->bytes.data + row->start;

    return (long)dgm_utf8_length(line, row->field[column] - row->start) + 1;
}

const char *dgm_conllu_row_text(const struct dgm_conllu_sentence *sentence,
                                const struct dgm_conllu_row *row, enum dgm_conllu_column column)
{
    return sentence->bytes.data + row->field[column];
}

const char *dgm_conllu_field(const struct dgm_conllu_sentence *sentence, int32_t word,
                             enum dgm_conllu_column column)
{
    return dgm_conllu_row_text(sentence, &sentence->rows[sentence->words[word]], column);
}

int dgm_conllu_list_holds(const char *list, const char *text, size_t length)
{
    const char *at = list;

    if (length == 0 || memchr(text, ' ', length) != NULL)
        return 0;
    while ((at = strchr(at, ' ')) != NULL && at[1] != '\0') {
        at++;
        if (strncmp(at, text, length) == 0 && at[length] == ' ')
            return 1;
    }
    return 0;
}

/* ---- memory ----------------------------------------------------------------------- */

void dgm_conllu_empty(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    dgm_tree_clear(env, &sentence->tree);
    dgm_buf_reset(&sentence->bytes);
    sentence->bytes.limit = DGM_CONLLU_MAX_BYTES;
    sentence->row_count = 0;
    sentence->comment_count = 0;
    sentence->line = 0;
}

void dgm_conllu_clear(struct dgm_env *env, struct dgm_conllu_sentence *sentence)
{
    dgm_tree_clear(env, &sentence->tree);
    dgm_buf_clear(env, &sentence->bytes);
    dgm_release(env, sentence->comments);
    dgm_release(env, sentence->rows);
    dgm_release(env, sentence->words);
    memset(sentence, 0, sizeof *sentence);
}

/* ---- writing ---------------------------------------------------------------------- */

dgm_status dgm_conllu_write_row(struct dgm_env *env, struct dgm_writer *writer,
                                const char *const field[DGM_CONLLU_COLUMNS])
{
    for (int column = 0; column < DGM_CONLLU_COLUMNS; column++) {
        if (column > 0)
            DGM_TRY(dgm_writer_add_text(env, writer, "\t"));
        DGM_TRY(dgm_writer_add_text(env, writer, field[column] == NULL ? "_" : field[column]));
    }
    return dgm_writer_add_text(env, writer, "\n");
}

dgm_status dgm_conllu_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence)
{
    const char *field[DGM_CONLLU_COLUMNS];

    for (size_t i = 0; i < sentence->comment_count; i++) {
        DGM_TRY(dgm_writer_add_text(env, writer, sentence->bytes.data + sentence->comments[i]));
        DGM_TRY(dgm_writer_add_text(env, writer, "\n"));
    }
    for (size_t i = 0; i < sentence->row_count; i++) {
        for (int column = 0; column < DGM_CONLLU_COLUMNS; column++)
            field[column] = sentence->bytes.data + sentence->rows[i].field[column];
        DGM_TRY(dgm_conllu_write_row(env, writer, field));
    }
    return dgm_writer_add_text(env, writer, "\n");
}
