/* parts.c: a line that was translated in parts, and how their results become one. */
#include "api/translate/parts.h"

#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

static const struct dgm_result *result_of(const struct dgm_parts *parts, size_t i)
{
    const int32_t s = parts->queue->lines[i].sentence;

    return s >= 0 && parts->results != NULL ? &parts->results[s] : NULL;
}

static int32_t count_of(const struct dgm_parts *parts, size_t i)
{
    const struct dgm_result *result = result_of(parts, i);

    if (result == NULL)
        return 0;
    return result->count < parts->most ? result->count : parts->most;
}

int32_t dgm_parts_count(const struct dgm_parts *parts, size_t line)
{
    size_t i, end;
    int32_t most = 0;

    for (dgm_source_queue_parts(parts->queue, line, &i, &end); i < end; i++)
        most = count_of(parts, i) > most ? count_of(parts, i) : most;
    return most;
}

const struct dgm_hypothesis *dgm_parts_item(const struct dgm_parts *parts, size_t i, int32_t rank)
{
    const int32_t count = count_of(parts, i);

    return count == 0 ? NULL : &result_of(parts, i)->items[rank < count ? rank : count - 1];
}

/* ---- text ------------------------------------------------------------------------------------ */

static int is_unspaced(const char *text, size_t bytes, size_t at)
{
    uint32_t code;

    dgm_utf8_decode(&code, text + at, bytes - at);
    return dgm_unicode_is_unspaced(code);
}

static size_t last_character(const struct dgm_buf *text)
{
    size_t at = text->size - 1;

    while (at > 0 && ((unsigned char)text->data[at] & 0xC0) == 0x80)
        at--;
    return at;
}

/* The blanks behind a part; where its language sets none, as Chinese, and that of the translations
 * does, one. */
static dgm_status add_gap(struct dgm_env *env, struct dgm_parts *parts,
                          const struct dgm_queued *before, const struct dgm_buf *next)
{
    struct dgm_buf *text = &parts->text;

    if (before->gap_bytes > 0)
        return dgm_buf_add(env, text, parts->queue->gaps.data + before->gap, before->gap_bytes);
    if (text->size == 0 || next->size == 0 ||
        is_unspaced(text->data, text->size, last_character(text)) ||
        is_unspaced(next->data, next->size, 0))
        return DGM_OK;
    return dgm_buf_add_char(env, text, ' ');
}

static dgm_status write_part(struct dgm_env *env, struct dgm_parts *parts, size_t i,
                             const struct dgm_hypothesis *item)
{
    const struct dgm_queued *part = &parts->queue->lines[i];
    const struct dgm_copies *copies;

    if (dgm_wording_is_copy(item))
        return dgm_wording_copy(env, parts->wording, parts->queue->raw.data + part->raw,
                                part->raw_bytes);
    parts->wording->tags = dgm_packed_has_first(&parts->queue->packed, part->sentence);
    DGM_TRY(dgm_copying_look(env, parts->copying, i, item->tokens, item->length, &copies));
    return dgm_wording_write(env, parts->wording, item, copies);
}

static dgm_status add_part(struct dgm_env *env, struct dgm_parts *parts, size_t first, size_t i,
                           const struct dgm_hypothesis *item)
{
    DGM_TRY(write_part(env, parts, i, item));
    if (i > first)
        DGM_TRY(add_gap(env, parts, &parts->queue->lines[i - 1], &parts->wording->text));
    return dgm_buf_add(env, &parts->text, parts->wording->text.data, parts->wording->text.size);
}

dgm_status dgm_parts_write(struct dgm_env *env, struct dgm_parts *parts, size_t line, int32_t rank,
                           double *score, double *logp)
{
    size_t first, end;

    *score = *logp = 0;
    dgm_buf_reset(&parts->text);
    DGM_TRY(dgm_buf_add_text(env, &parts->text, ""));
    dgm_source_queue_parts(parts->queue, line, &first, &end);
    for (size_t i = first; i < end; i++) {
        const struct dgm_hypothesis *item = dgm_parts_item(parts, i, rank);

        if (item == NULL)
            continue;
        DGM_TRY(add_part(env, parts, first, i, item));
        *score += item->score;
        *logp += item->logp;
    }
    return DGM_OK;
}

dgm_status dgm_parts_write_before(struct dgm_env *env, struct dgm_parts *parts, size_t line,
                                  int32_t rank, size_t part, int32_t tokens)
{
    struct dgm_hypothesis beginning;
    size_t first, end;

    dgm_buf_reset(&parts->text);
    dgm_source_queue_parts(parts->queue, line, &first, &end);
    for (size_t i = first; i < part; i++) {
        const struct dgm_hypothesis *item = dgm_parts_item(parts, i, rank);

        if (item != NULL)
            DGM_TRY(add_part(env, parts, first, i, item));
    }
    if (tokens == 0)
        return DGM_OK;
    beginning = *dgm_parts_item(parts, part, rank);
    beginning.length = tokens;
    return add_part(env, parts, first, part, &beginning);
}

/* ---- what a line is -------------------------------------------------------------------------- */

int dgm_parts_are_done(const struct dgm_parts *parts, size_t line)
{
    size_t i, end;

    for (dgm_source_queue_parts(parts->queue, line, &i, &end); i < end; i++)
        if (result_of(parts, i) != NULL && !result_of(parts, i)->is_done)
            return 0;
    return 1;
}

int dgm_parts_have_copy(const struct dgm_parts *parts, size_t line)
{
    size_t i, end;

    for (dgm_source_queue_parts(parts->queue, line, &i, &end); i < end; i++)
        if (count_of(parts, i) > 0 && dgm_wording_is_copy(dgm_parts_item(parts, i, 0)))
            return 1;
    return 0;
}

struct dgm_unknown dgm_parts_unknown(const struct dgm_source_queue *queue, size_t line)
{
    struct dgm_unknown sum = { 0 };
    size_t i, end;

    for (dgm_source_queue_parts(queue, line, &i, &end); i < end; i++)
        dgm_unknown_add(&sum, queue->lines[i].unknown);
    return sum;
}

void dgm_parts_clear(struct dgm_env *env, struct dgm_parts *parts)
{
    dgm_buf_clear(env, &parts->text);
}
