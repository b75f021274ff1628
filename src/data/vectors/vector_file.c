/*
 * vector_file.c: the text form of word vectors, read line by line.
 */
#include "data/vectors/vector_file.h"

#include <math.h>

#include "base/lines/lines.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "data/vectors/word_vectors.h"
#include "text/bpe/vocab.h"
#include "text/unicode/utf8.h"

struct reading {
    struct dgm_env *env;
    struct dgm_lines lines;
    struct dgm_map words;      /* -> the line that has it */
    int64_t count, dim, limit; /* count: of the first line, or -1; dim 0: not known yet */
    double most, *numbers;     /* (dim) */
    dgm_vector_fn *take;
    void *user;
};

/* What is left of a line. */
struct rest {
    const char *line;
    size_t at, end;
};

static int is_gap(char c)
{
    return c == ' ' || c == '\t';
}

/* The next field, up to a gap or the end; an empty one where gaps follow each other. */
static size_t take_field(struct rest *rest, const char **field)
{
    size_t start = rest->at;

    while (rest->at < rest->end && !is_gap(rest->line[rest->at]))
        rest->at++;
    *field = rest->line + start;
    start = rest->at - start;
    if (rest->at < rest->end)
        rest->at++;
    return start;
}

static struct rest whole_line(const struct reading *reading)
{
    const struct dgm_buf *line = &reading->lines.line;
    struct rest rest = { line->data, 0, line->size };

    if (rest.end > 0 && is_gap(rest.line[rest.end - 1]))
        rest.end--;
    return rest;
}

static int64_t count_fields(struct rest rest)
{
    int64_t count = 1;

    for (; rest.at < rest.end; rest.at++)
        count += is_gap(rest.line[rest.at]) != 0;
    return count;
}

#define FAIL(reading, column, ...)                                                        \
    dgm_fail_at((reading)->env, DGM_DATA, (reading)->lines.path, (reading)->lines.number, \
                (long)(column), __VA_ARGS__)

/* ---- the first line -------------------------------------------------------------------------- */

static dgm_status check_dim(const struct reading *reading, int64_t dim)
{
    if (dim >= 1 && dim <= DGM_WORD_VECTORS_DIM)
        return DGM_OK;
    return FAIL(reading, 0, "%lld numbers for each word; expected 1..%d", (long long)dim,
                DGM_WORD_VECTORS_DIM);
}

/* Whether the first line is `count dim`. */
static int read_head(struct reading *reading)
{
    struct rest rest = whole_line(reading);
    const char *count, *dim;
    size_t count_bytes, dim_bytes;

    if (count_fields(rest) != 2)
        return 0;
    count_bytes = take_field(&rest, &count);
    dim_bytes = take_field(&rest, &dim);
    return dgm_number_int(&reading->count, count, count_bytes) &&
           dgm_number_int(&reading->dim, dim, dim_bytes);
}

/* From the first line: how long vectors are. *is_head: it says no more than that. */
static dgm_status begin(struct reading *reading, int *is_head)
{
    *is_head = read_head(reading);
    if (*is_head && reading->count < 1)
        return FAIL(reading, 0, "%lld words; expected at least 1", (long long)reading->count);
    if (!*is_head) {
        reading->count = -1;
        reading->dim = count_fields(whole_line(reading)) - 1;
    }
    DGM_TRY(check_dim(reading, reading->dim));
    return dgm_new(reading->env, &reading->numbers, (size_t)reading->dim, sizeof *reading->numbers);
}

/* ---- a word ---------------------------------------------------------------------------------- */

static dgm_status check_word(struct reading *reading, const char *word, size_t bytes)
{
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_map_entry *entry;
    int is_new;

    if (bytes == 0)
        return FAIL(reading, 1,
                    "no word in front of the first blank; expected a word and %lld numbers",
                    (long long)reading->dim);
    DGM_TRY(dgm_utf8_check(reading->env, reading->lines.path, reading->lines.number, word, bytes));
    dgm_quote(quoted, sizeof quoted, word, bytes);
    if (bytes > DGM_VOCAB_TOKEN_LIMIT)
        return FAIL(reading, 1, "word \"%s\" of %zu bytes; expected at most %d", quoted, bytes,
                    DGM_VOCAB_TOKEN_LIMIT);
    DGM_TRY(dgm_map_insert(reading->env, &reading->words, word, bytes, &entry, &is_new));
    if (!is_new)
        return FAIL(reading, 1, "word \"%s\" stands in line %lld, too; expected each word once",
                    quoted, (long long)entry->value);
    entry->value = reading->lines.number;
    return DGM_OK;
}

static dgm_status read_number(struct reading *reading, struct rest *rest, double *number)
{
    const size_t start = rest->at;
    const char *field;
    size_t bytes = take_field(rest, &field);
    char quoted[DGM_QUOTE_SIZE];

    if (dgm_number_real(number, field, bytes) && fabs(*number) <= reading->most)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, field, bytes);
    return FAIL(reading, dgm_utf8_length(rest->line, start) + 1,
                "\"%s\"; expected a number from -%lld to %lld", quoted, (long long)reading->most,
                (long long)reading->most);
}

static dgm_status read_word(struct reading *reading)
{
    struct rest rest = whole_line(reading);
    int64_t found = count_fields(rest) - 1;
    const char *word;
    size_t bytes;

    if (reading->lines.cut)
        return FAIL(reading, 0, "line of more than %zu bytes; expected a word and %lld numbers",
                    reading->lines.limit, (long long)reading->dim);
    if (found != reading->dim)
        return FAIL(reading, 0,
                    "%lld numbers behind the word; expected %lld, as the first line has it",
                    (long long)found, (long long)reading->dim);
    bytes = take_field(&rest, &word);
    DGM_TRY(check_word(reading, word, bytes));
    for (int64_t i = 0; i < reading->dim; i++)
        DGM_TRY(read_number(reading, &rest, &reading->numbers[i]));
    return reading->take(reading->env, reading->user, word, bytes, reading->numbers, reading->dim);
}

/* ---- the file -------------------------------------------------------------------------------- */

static dgm_status check_end(const struct reading *reading)
{
    const int64_t words = (int64_t)reading->words.count;

    if (reading->count > words)
        return FAIL(reading, 0,
                    "the file ends after %lld words; expected %lld, as its first line says",
                    (long long)words, (long long)reading->count);
    if (words == 0)
        return dgm_fail_at(reading->env, DGM_DATA, reading->lines.path, 0, 0,
                           "no word vectors; expected lines of a word and its numbers");
    return DGM_OK;
}

static dgm_status read_lines(struct reading *reading)
{
    int more, is_head;

    while ((int64_t)reading->words.count < reading->limit) {
        DGM_TRY(dgm_lines_next(reading->env, &reading->lines, &more));
        if (!more)
            return check_end(reading);
        if (reading->numbers == NULL) {
            DGM_TRY(begin(reading, &is_head));
            if (is_head)
                continue;
        }
        if ((int64_t)reading->words.count == reading->count)
            return FAIL(reading, 0, "more words than the %lld of the first line",
                        (long long)reading->count);
        DGM_TRY(read_word(reading));
        if (reading->lines.number % 1024 == 0)
            DGM_TRY(dgm_poll(reading->env));
    }
    return DGM_OK;
}

dgm_status dgm_vector_file_read(struct dgm_env *env, const char *path, int64_t limit, double most,
                                dgm_vector_fn *take, void *user)
{
    struct reading reading = {
        .env = env, .count = -1, .limit = limit, .most = most, .take = take, .user = user
    };
    dgm_status status;

    DGM_TRY(dgm_lines_open(env, &reading.lines, path));
    status = read_lines(&reading);
    dgm_lines_close(env, &reading.lines);
    dgm_map_clear(env, &reading.words);
    dgm_release(env, reading.numbers);
    return status;
}
