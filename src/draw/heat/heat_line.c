/* heat_line.c: a line of a file of attention, checked in full before anything is drawn. */
#include "draw/heat/heat_line.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "draw/text_width.h"
#include "text/json.h"

const char *const dgm_heat_kinds[DGM_HEAT_KINDS] = { "encoder", "decoder", "cross" };

/* Appends a text and its end. */
static dgm_status add_text(struct dgm_env *env, struct dgm_heat_texts *texts, const char *text,
                           size_t bytes)
{
    DGM_TRY(
        dgm_grow(env, &texts->start, &texts->capacity, (size_t)texts->count, sizeof *texts->start));
    texts->start[texts->count] = texts->bytes.size;
    DGM_TRY(dgm_buf_add(env, &texts->bytes, text, bytes));
    DGM_TRY(dgm_buf_add_char(env, &texts->bytes, '\0'));
    texts->count++;
    return DGM_OK;
}

void dgm_heat_texts_reset(struct dgm_heat_texts *texts)
{
    dgm_buf_reset(&texts->bytes);
    texts->count = 0;
}

void dgm_heat_texts_clear(struct dgm_env *env, struct dgm_heat_texts *texts)
{
    dgm_buf_clear(env, &texts->bytes);
    dgm_release(env, texts->start);
    memset(texts, 0, sizeof *texts);
}

int32_t dgm_heat_texts_width(const struct dgm_heat_texts *texts, int32_t size)
{
    int32_t most = 0, i;

    for (i = 0; i < texts->count; i++) {
        int32_t width = dgm_text_width(dgm_heat_text_at(texts, i), size);
        most = width > most ? width : most;
    }
    return most;
}

void dgm_heat_line_clear(struct dgm_env *env, struct dgm_heat_line *line)
{
    int i;

    for (i = 0; i < 2; i++) {
        dgm_heat_texts_clear(env, &line->side[i].words);
        dgm_heat_texts_clear(env, &line->side[i].pieces);
        dgm_release(env, line->side[i].word_of);
        dgm_release(env, line->side[i].heads);
    }
    dgm_release(env, line->matrices);
    dgm_release(env, line->values);
    dgm_buf_clear(env, &line->text);
    memset(line, 0, sizeof *line);
}

/* ---- sides ---------------------------------------------------------------------------------- */

static dgm_status read_texts(struct dgm_json *json, struct dgm_heat_line *line,
                             struct dgm_heat_texts *texts)
{
    size_t count = 0;
    int more;

    DGM_TRY(dgm_json_mark(json, '['));
    for (;;) {
        DGM_TRY(dgm_json_item(json, ']', &count, &more));
        if (!more)
            return DGM_OK;
        if (count > DGM_HEAT_MOST)
            return dgm_json_fail(json, "at most 2000 words or pieces");
        DGM_TRY(dgm_json_string(json, &line->text));
        DGM_TRY(add_text(json->env, texts, line->text.data, line->text.size));
    }
}

/* Whole numbers within low..high, `want` of them. */
static dgm_status read_places(struct dgm_json *json, int32_t **places, size_t *capacity,
                              int32_t want, int64_t low, int64_t high)
{
    size_t count = 0;
    int more;

    DGM_TRY(dgm_reserve(json->env, places, capacity, (size_t)want + 1, sizeof **places));
    DGM_TRY(dgm_json_mark(json, '['));
    for (;;) {
        int64_t value;
        DGM_TRY(dgm_json_item(json, ']', &count, &more));
        if (more != (count <= (size_t)want))
            return dgm_json_fail(json, "one number for each word or piece named before");
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_int(json, low, high, &value));
        (*places)[count - 1] = (int32_t)value;
    }
}

/* Heads as CoNLL-U counts become those of struct dgm_tree, which must be a tree. */
static dgm_status read_heads(struct dgm_json *json, struct dgm_heat_side *side)
{
    struct dgm_tree tree = { NULL, 0, 0 };
    int32_t n = side->words.count, w, cycle;
    dgm_status status;

    DGM_TRY(read_places(json, &side->heads, &side->head_capacity, n, 0, n));
    for (w = 0; w < n; w++)
        side->heads[w] = side->heads[w] == 0 ? w : side->heads[w] - 1;
    DGM_TRY(dgm_tree_init(json->env, &tree, side->heads, n));
    status = dgm_tree_find_cycle(json->env, &cycle, &tree);
    dgm_tree_clear(json->env, &tree);
    DGM_TRY(status);
    side->has_heads = 1;
    return cycle < 0 ? DGM_OK : dgm_json_fail(json, "heads that make a tree, not a cycle");
}

/* The members of a side in the order in which they are written; the last two may be missing. */
enum { WORDS, PIECES, WORD_OF, UNKNOWN, HEADS, MEMBERS };

static dgm_status read_member(struct dgm_json *json, struct dgm_heat_line *line,
                              struct dgm_heat_side *side, int member)
{
    int64_t unknown; /* words: nobody draws them */

    switch (member) {
    case WORDS: return read_texts(json, line, &side->words);
    case PIECES: return read_texts(json, line, &side->pieces);
    case WORD_OF:
        return read_places(json, &side->word_of, &side->place_capacity, side->pieces.count, -1,
                           (int64_t)side->words.count - 1);
    case UNKNOWN: return dgm_json_int(json, 0, INT32_MAX, &unknown);
    default: return read_heads(json, side);
    }
}

static dgm_status read_side(struct dgm_json *json, struct dgm_heat_line *line,
                            struct dgm_heat_side *side)
{
    static const char *const names[] = { "words", "pieces", "word_of", "unknown", "heads" };
    size_t count = 0;
    int member = WORDS, more;

    dgm_heat_texts_reset(&side->words);
    dgm_heat_texts_reset(&side->pieces);
    side->has_heads = 0;
    DGM_TRY(dgm_json_mark(json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(json, '}', &count, &more));
        if (!more)
            return count > 3 ? DGM_OK : dgm_json_fail(json, "words, pieces and word_of before it");
        if (count == 3 && side->words.count > side->pieces.count)
            return dgm_json_fail(json, "at least as many pieces as words before it");
        DGM_TRY(dgm_json_name(json, &line->text));
        while (member > WORD_OF && member < HEADS && strcmp(line->text.data, names[member]) != 0)
            member++;
        if (member == MEMBERS || strcmp(line->text.data, names[member]) != 0)
            return dgm_json_fail(json,
                                 "words, pieces, word_of, unknown, heads in this order before it");
        DGM_TRY(read_member(json, line, side, member++));
    }
}

/* ---- matrices ------------------------------------------------------------------------------- */

static dgm_status read_row(struct dgm_json *json, struct dgm_heat_line *line, int32_t columns)
{
    size_t count = 0;
    double value;
    int more;

    DGM_TRY(dgm_json_mark(json, '['));
    DGM_TRY(dgm_reserve(json->env, &line->values, &line->value_capacity,
                        line->value_count + (size_t)columns + 1, sizeof *line->values));
    for (;;) {
        DGM_TRY(dgm_json_item(json, ']', &count, &more));
        if (more != (count <= (size_t)columns))
            return dgm_json_fail(json, "one weight for each piece of the columns");
        if (!more)
            return DGM_OK;
        DGM_TRY(dgm_json_real(json, &value));
        if (value < 0 || value > 1.001)
            return dgm_json_fail(json, "weights within 0..1 before it");
        line->values[line->value_count++] = (float)value;
    }
}

static dgm_status read_weights(struct dgm_json *json, struct dgm_heat_line *line,
                               const struct dgm_heat_matrix *matrix)
{
    size_t count = 0;
    int more;

    DGM_TRY(dgm_json_mark(json, '['));
    for (;;) {
        DGM_TRY(dgm_json_item(json, ']', &count, &more));
        if (more != (count <= (size_t)matrix->rows))
            return dgm_json_fail(json, "one row for each piece of the rows");
        if (!more)
            return DGM_OK;
        DGM_TRY(read_row(json, line, matrix->columns));
    }
}

static dgm_status read_kind(struct dgm_json *json, struct dgm_heat_line *line,
                            struct dgm_heat_matrix *matrix)
{
    int32_t source = line->side[DGM_HEAT_SOURCE].pieces.count;
    int32_t target = line->side[DGM_HEAT_TARGET].pieces.count;
    int kind = 0;

    DGM_TRY(dgm_json_string(json, &line->text));
    while (kind < DGM_HEAT_KINDS && strcmp(line->text.data, dgm_heat_kinds[kind]) != 0)
        kind++;
    if (kind == DGM_HEAT_KINDS)
        return dgm_json_fail(json, "encoder, decoder or cross before it");
    matrix->kind = (enum dgm_heat_kind)kind;
    matrix->rows = kind == DGM_HEAT_ENCODER ? source : target;
    matrix->columns = kind == DGM_HEAT_DECODER ? target : source;
    return DGM_OK;
}

static dgm_status read_head(struct dgm_json *json, struct dgm_heat_line *line, int *head)
{
    int64_t value;

    *head = DGM_HEAT_MEAN;
    if (!dgm_json_is_string(json)) {
        DGM_TRY(dgm_json_int(json, 0, 100000, &value));
        *head = (int)value;
        return DGM_OK;
    }
    DGM_TRY(dgm_json_string(json, &line->text));
    return strcmp(line->text.data, "mean") == 0 ? DGM_OK
                                                : dgm_json_fail(json, "mean or a number before it");
}

static dgm_status expect_name(struct dgm_json *json, struct dgm_heat_line *line, const char *name)
{
    char quoted[DGM_QUOTE_SIZE], expected[32];
    long column = (long)json->at + 1;

    snprintf(expected, sizeof expected, "member \"%s\"", name);
    if (!dgm_json_is_string(json))
        return dgm_json_fail(json, expected);
    DGM_TRY(dgm_json_name(json, &line->text));
    if (strcmp(line->text.data, name) == 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, line->text.data, line->text.size);
    return dgm_fail_at(json->env, DGM_DATA, json->path, json->line, column,
                       "member \"%s\"; expected %s", quoted, expected);
}

static dgm_status read_matrix(struct dgm_json *json, struct dgm_heat_line *line)
{
    struct dgm_heat_matrix *matrix;
    int64_t layer;

    DGM_TRY(dgm_grow(json->env, &line->matrices, &line->matrix_capacity, line->matrix_count,
                     sizeof *line->matrices));
    matrix = &line->matrices[line->matrix_count];
    matrix->first = line->value_count;
    DGM_TRY(dgm_json_mark(json, '{'));
    DGM_TRY(expect_name(json, line, "kind"));
    DGM_TRY(read_kind(json, line, matrix));
    DGM_TRY(dgm_json_mark(json, ','));
    DGM_TRY(expect_name(json, line, "layer"));
    DGM_TRY(dgm_json_int(json, 1, 100000, &layer));
    matrix->layer = (int)layer;
    DGM_TRY(dgm_json_mark(json, ','));
    DGM_TRY(expect_name(json, line, "head"));
    DGM_TRY(read_head(json, line, &matrix->head));
    DGM_TRY(dgm_json_mark(json, ','));
    DGM_TRY(expect_name(json, line, "weights"));
    DGM_TRY(read_weights(json, line, matrix));
    line->matrix_count++;
    return dgm_json_mark(json, '}');
}

dgm_status dgm_heat_line_read(struct dgm_env *env, struct dgm_heat_line *line, const char *path,
                              long number, const char *text, size_t bytes)
{
    static const char *const sides[] = { "source", "target" };
    struct dgm_json json;
    size_t count = 0;
    int64_t value;
    int i, more;

    line->matrix_count = line->value_count = 0;
    dgm_json_start(&json, env, path, number, text, bytes);
    DGM_TRY(dgm_json_mark(&json, '{'));
    DGM_TRY(expect_name(&json, line, "line"));
    DGM_TRY(dgm_json_int(&json, 1, INT32_MAX, &value));
    line->line = (long)value;
    for (i = 0; i < 2; i++) {
        DGM_TRY(dgm_json_mark(&json, ','));
        DGM_TRY(expect_name(&json, line, sides[i]));
        DGM_TRY(read_side(&json, line, &line->side[i]));
    }
    DGM_TRY(dgm_json_mark(&json, ','));
    DGM_TRY(expect_name(&json, line, "attention"));
    DGM_TRY(dgm_json_mark(&json, '['));
    for (;;) {
        DGM_TRY(dgm_json_item(&json, ']', &count, &more));
        if (!more)
            break;
        DGM_TRY(read_matrix(&json, line));
    }
    DGM_TRY(dgm_json_mark(&json, '}'));
    return dgm_json_end(&json);
}
