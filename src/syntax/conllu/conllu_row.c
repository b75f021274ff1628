/*
 * conllu_row.c: one line of a CoNLL-U sentence: its ten columns and what its ID says.
 */
#include "syntax/conllu/conllu_row.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_fault.h"

int dgm_conllu_row_number(int32_t *out, const char *text, const char *stop)
{
    const char *at;
    int32_t value = 0;

    if (text == stop || stop - text > 9 || (*text == '0' && stop - text > 1))
        return 0;
    for (at = text; at < stop; at++) {
        if (*at < '0' || *at > '9')
            return 0;
        value = value * 10 + (*at - '0');
    }
    *out = value;
    return 1;
}

/* ---- columns ---------------------------------------------------------------------- */

static int count_columns(const char *text, size_t length, char separator)
{
    int columns = 1;

    for (size_t i = 0; i < length; i++)
        columns += text[i] == separator && columns < 1000;
    return columns;
}

static dgm_status complain_columns(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                   const char *text, size_t length, int columns)
{
    const char *hint = "";

    if (columns == 14)
        hint = " (CoNLL-2009?)";
    else if (columns == 1 && count_columns(text, length, ' ') >= DGM_CONLLU_COLUMNS)
        hint = " (spaces instead of tabs?)";
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_COLUMNS, reader->lines.number, 1,
                            "%d column%s%s; expected 10 separated by tabs", columns,
                            columns == 1 ? "" : "s", hint);
}

/*
 * Copies the line behind the sentence's bytes, ends each field with a NUL and notes
 * where the fields begin. Columns that are missing (lenient) read as `_`; with no tab
 * at all the whole line is taken as the word itself.
 */
static dgm_status split_columns(struct dgm_env *env, struct dgm_conllu_sentence *sentence,
                                struct dgm_conllu_row *row, const char *text, size_t length)
{
    uint32_t start = (uint32_t)sentence->bytes.size;
    uint32_t filler;
    int column = 0;

    DGM_TRY(dgm_buf_add(env, &sentence->bytes, text, length));
    DGM_TRY(dgm_buf_add(env, &sentence->bytes, "\0_\0", 3));
    filler = (uint32_t)(start + length + 1);
    row->start = start;
    row->field[column++] = start;
    for (size_t i = 0; i < length; i++) {
        if (sentence->bytes.data[start + i] != '\t')
            continue;
        sentence->bytes.data[start + i] = '\0';
        if (column < DGM_CONLLU_COLUMNS)
            row->field[column] = (uint32_t)(start + i + 1);
        column++;
    }
    if (column == 1)
        row->field[DGM_CONLLU_FORM] = start;
    for (column = column == 1 ? 2 : column; column < DGM_CONLLU_COLUMNS; column++)
        row->field[column] = filler;
    return DGM_OK;
}

static dgm_status check_fields(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               const struct dgm_conllu_sentence *sentence,
                               struct dgm_conllu_row *row, uint32_t filler)
{
    for (int column = 0; column < DGM_CONLLU_COLUMNS; column++) {
        if (sentence->bytes.data[row->field[column]] != '\0')
            continue;
        DGM_TRY(dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_FIELD, row->line,
                                 dgm_conllu_place(sentence, row, (enum dgm_conllu_column)column),
                                 "empty %s column; expected a value or _",
                                 dgm_conllu_column_names[column]));
        row->field[column] = filler;
    }
    return DGM_OK;
}

/* ---- identifiers ------------------------------------------------------------------ */

static dgm_status complain_id(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              enum dgm_conllu_fault fault, const char *id, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, id, strlen(id));
    return dgm_conllu_fault(env, reader, fault, reader->lines.number, 1, "ID \"%s\"; expected %s",
                            quoted, expected);
}

static dgm_status check_word(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             struct dgm_conllu_row *row, const char *id)
{
    char expected[40];
    int32_t number;

    row->kind = DGM_CONLLU_WORD;
    row->first = row->last = reader->word_count + 1;
    if (dgm_conllu_row_number(&number, id, id + strlen(id)) && number == row->first)
        return DGM_OK;
    snprintf(expected, sizeof expected, "%ld (next word)", (long)row->first);
    return complain_id(env, reader, DGM_CONLLU_BAD_ID, id, expected);
}

/* `first-last` stands right before its first word and behind the range before it. */
static dgm_status check_range(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_row *row, const char *id, const char *dash)
{
    char expected[80];
    int32_t next = reader->word_count + 1;

    row->kind = DGM_CONLLU_RANGE;
    if (dgm_conllu_row_number(&row->first, id, dash) &&
        dgm_conllu_row_number(&row->last, dash + 1, id + strlen(id)) && row->first == next &&
        row->last > row->first && row->first > reader->range_last) {
        reader->range_last = row->last;
        return DGM_OK;
    }
    if (next <= reader->range_last)
        snprintf(expected, sizeof expected, "no range inside the one that ends at %ld",
                 (long)reader->range_last);
    else
        snprintf(expected, sizeof expected, "a range %ld-N before word %ld, N above %ld",
                 (long)next, (long)next, (long)next);
    row->first = 0;
    return complain_id(env, reader, DGM_CONLLU_BAD_RANGE, id, expected);
}

static dgm_status check_empty(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_row *row, const char *id, const char *dot)
{
    char expected[48];

    row->kind = DGM_CONLLU_EMPTY;
    if (dgm_conllu_row_number(&row->first, id, dot) &&
        dgm_conllu_row_number(&row->last, dot + 1, id + strlen(id)) &&
        row->first == reader->word_count && row->last == reader->empty_count + 1) {
        reader->empty_count = row->last;
        return DGM_OK;
    }
    snprintf(expected, sizeof expected, "%ld.%ld (next empty node)", (long)reader->word_count,
             (long)reader->empty_count + 1);
    row->first = -1;
    return complain_id(env, reader, DGM_CONLLU_BAD_NODE, id, expected);
}

/* Digits, one mark, then anything: a range or an empty node rather than a mistyped
 * word. */
static const char *find_mark(const char *id)
{
    size_t digits = strspn(id, "0123456789");

    return digits > 0 && (id[digits] == '-' || id[digits] == '.') ? id + digits : NULL;
}

static dgm_status check_id(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           struct dgm_conllu_row *row, const char *id)
{
    const char *mark = find_mark(id);

    if (mark == NULL || reader->options.format == DGM_CONLLU_X)
        return check_word(env, reader, row, id);
    if (*mark == '-')
        return check_range(env, reader, row, id, mark);
    return check_empty(env, reader, row, id, mark);
}

/* A range or empty node that a lenient reader has complained about is left out. */
static int is_dropped(const struct dgm_conllu_row *row)
{
    return (row->kind == DGM_CONLLU_RANGE && row->first == 0) ||
           (row->kind == DGM_CONLLU_EMPTY && row->first < 0);
}

/* ---- adding ----------------------------------------------------------------------- */

static dgm_status check_room(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             const struct dgm_conllu_sentence *sentence, size_t length, int *fits)
{
    int32_t most = reader->options.max_words;

    *fits = reader->word_count < most && sentence->row_count < 4 * (size_t)most &&
            sentence->bytes.size + length + 3 <= DGM_CONLLU_MAX_BYTES;
    if (*fits)
        return DGM_OK;
    return dgm_conllu_fault(env, reader, DGM_CONLLU_BAD_LIMIT, reader->lines.number, 1,
                            "sentence too long; expected at most %ld words and %ld MiB", (long)most,
                            (long)(DGM_CONLLU_MAX_BYTES >> 20));
}

static dgm_status push_row(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           struct dgm_conllu_sentence *sentence, const struct dgm_conllu_row *row)
{
    DGM_TRY(dgm_grow(env, &sentence->rows, &sentence->row_capacity, sentence->row_count,
                     sizeof *sentence->rows));
    if (row->kind == DGM_CONLLU_WORD) {
        DGM_TRY(dgm_grow(env, &sentence->words, &sentence->word_capacity,
                         (size_t)reader->word_count, sizeof *sentence->words));
        sentence->words[reader->word_count++] = (uint32_t)sentence->row_count;
        reader->empty_count = 0;
    }
    sentence->rows[sentence->row_count++] = *row;
    return DGM_OK;
}

dgm_status dgm_conllu_row_add(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              struct dgm_conllu_sentence *sentence, const char *text, size_t length)
{
    struct dgm_conllu_row row = { 0 };
    int columns = count_columns(text, length, '\t');
    int fits;
    uint32_t filler;

    DGM_TRY(check_room(env, reader, sentence, length, &fits));
    if (!fits)
        return DGM_OK;
    row.line = reader->lines.number;
    if (columns != DGM_CONLLU_COLUMNS)
        DGM_TRY(complain_columns(env, reader, text, length, columns));
    DGM_TRY(split_columns(env, sentence, &row, text, length));
    filler = (uint32_t)(sentence->bytes.size - 2);
    DGM_TRY(check_fields(env, reader, sentence, &row, filler));
    DGM_TRY(check_id(env, reader, &row, sentence->bytes.data + row.field[DGM_CONLLU_ID]));
    if (is_dropped(&row))
        return DGM_OK;
    return push_row(env, reader, sentence, &row);
}
