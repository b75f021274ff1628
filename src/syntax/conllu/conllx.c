/*
 * conllx.c: CoNLL-X: what differs from CoNLL-U, which is the last two columns.
 */
#include "syntax/conllu/conllx.h"

#include <stdio.h>
#include <string.h>

#include "syntax/conllu/conllu_fault.h"
#include "syntax/conllu/conllu_row.h"

/* ---- reading ---------------------------------------------------------------------- */

/* Names the column and the value; a lenient reader goes on with `_` for it. */
static dgm_status refuse(struct dgm_env *env, struct dgm_conllu_reader *reader,
                         const struct dgm_conllu_sentence *sentence,
                         const struct dgm_conllu_row *row, enum dgm_conllu_column column,
                         const char *expected)
{
    const char *text = dgm_conllu_row_text(sentence, row, column);
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_PHEAD, row->line,
                            dgm_conllu_place(sentence, row, column), "%s \"%s\"; expected %s",
                            column == DGM_CONLLU_DEPS ? "PHEAD" : "PDEPREL", quoted, expected);
}

/* Sets *head and *label to 1 where the row has such a value and it is fit to be kept. */
static dgm_status check_row(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence,
                            const struct dgm_conllu_row *row, int *head, int *label)
{
    const char *phead = dgm_conllu_row_text(sentence, row, DGM_CONLLU_DEPS);
    const char *pdeprel = dgm_conllu_row_text(sentence, row, DGM_CONLLU_MISC);
    char expected[40];
    int32_t number;

    *head = *label = 0;
    if (strcmp(phead, "_") != 0) {
        *head = dgm_conllu_row_number(&number, phead, phead + strlen(phead)) &&
                number <= reader->word_count && number != row->first;
        snprintf(expected, sizeof expected, "_ or another word, 0..%ld", (long)reader->word_count);
        if (!*head)
            DGM_TRY(refuse(env, reader, sentence, row, DGM_CONLLU_DEPS, expected));
    }
    if (strcmp(pdeprel, "_") != 0) {
        size_t length = strlen(pdeprel);
        /* PDEPREL ends the line: a CR at its end would be read as part of the line's end. */
        int ends_in_cr = length > 0 && pdeprel[length - 1] == '\r';

        *label = strchr(pdeprel, '|') == NULL && !ends_in_cr;
        if (!*label)
            DGM_TRY(refuse(env, reader, sentence, row, DGM_CONLLU_MISC,
                           ends_in_cr ? "a label without CR at its end" : "a label without \"|\""));
    }
    return DGM_OK;
}

/* Composes MISC behind the sentence's bytes; DEPS points at the `_` behind the line. */
static dgm_status move_row(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                           struct dgm_conllu_row *row, int head, int label)
{
    struct dgm_buf *bytes = &sentence->bytes;
    uint32_t deps = (uint32_t)bytes->size, misc;
    size_t phead = row->field[DGM_CONLLU_DEPS], pdeprel = row->field[DGM_CONLLU_MISC];

    DGM_TRY(dgm_buf_add(env, bytes, "_\0", 2));
    misc = head || label ? (uint32_t)bytes->size : deps;
    /* The text to be copied may move while the buffer grows: first room, then copy. */
    if (head) {
        char number[12];

        snprintf(number, sizeof number, "%s", bytes->data + phead);
        DGM_TRY(dgm_buf_add_format(env, bytes, "PHEAD=%s%s", number, label ? "|" : ""));
    }
    if (label) {
        size_t length = strlen(bytes->data + pdeprel), at;

        DGM_TRY(dgm_buf_add_text(env, bytes, "PDEPREL="));
        for (at = 0; at < length; at++)
            DGM_TRY(dgm_buf_add_char(env, bytes, bytes->data[pdeprel + at]));
    }
    if (head || label)
        DGM_TRY(dgm_buf_add_char(env, bytes, '\0'));
    row->field[DGM_CONLLU_DEPS] = deps;
    row->field[DGM_CONLLU_MISC] = misc;
    return DGM_OK;
}

dgm_status dgm_conllx_finish(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_sentence *sentence)
{
    int head, label;

    /* At most a copy of each label and twenty bytes more than what was read. */
    sentence->bytes.limit = 16 * DGM_CONLLU_MAX_BYTES;
    for (size_t i = 0; i < sentence->row_count; i++) {
        struct dgm_conllu_row *row = &sentence->rows[i];

        DGM_TRY(check_row(env, reader, sentence, row, &head, &label));
        DGM_TRY(move_row(env, sentence, row, head, label));
    }
    return DGM_OK;
}

/* ---- writing ---------------------------------------------------------------------- */

/* The value of NAME=value in MISC, `_` where there is none; *length without the `|`. */
static const char *find_value(const char *misc, const char *name, size_t *length)
{
    size_t size = strlen(name);
    const char *at = misc;

    for (;;) {
        *length = strcspn(at, "|");
        if (*length > size && strncmp(at, name, size) == 0) {
            *length -= size;
            return at + size;
        }
        if (at[*length] == '\0')
            break;
        at += *length + 1;
    }
    *length = 1;
    return "_";
}

static dgm_status write_field(struct dgm_env *env, struct dgm_writer *writer, const char *text,
                              size_t length)
{
    size_t done = 0;

    while (done < length) {
        size_t part = 0;

        while (done + part < length && text[done + part] != ' ')
            part++;
        DGM_TRY(dgm_writer_add(env, writer, text + done, part));
        done += part;
        if (done++ < length)
            DGM_TRY(dgm_writer_add(env, writer, "_", 1));
    }
    return DGM_OK;
}

static dgm_status write_word(struct dgm_env *env, struct dgm_writer *writer,
                             const struct dgm_conllu_sentence *sentence, int32_t word)
{
    const char *misc = dgm_conllu_field(sentence, word, DGM_CONLLU_MISC);

    for (int column = 0; column < DGM_CONLLU_COLUMNS; column++) {
        const char *text = dgm_conllu_field(sentence, word, (enum dgm_conllu_column)column);
        size_t length = strlen(text);

        if (column == DGM_CONLLU_DEPS)
            text = find_value(misc, "PHEAD=", &length);
        if (column == DGM_CONLLU_MISC)
            text = find_value(misc, "PDEPREL=", &length);
        if (column > 0)
            DGM_TRY(dgm_writer_add(env, writer, "\t", 1));
        DGM_TRY(write_field(env, writer, text, length));
    }
    return dgm_writer_add(env, writer, "\n", 1);
}

dgm_status dgm_conllx_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_conllu_sentence *sentence)
{
    for (int32_t word = 0; word < sentence->tree.count; word++)
        DGM_TRY(write_word(env, writer, sentence, word));
    return dgm_writer_add(env, writer, "\n", 1);
}
