/* tagged.c: where in a translation the tags of its segment are. */
#include "text/document/tagged.h"

#include "base/mem.h"
#include "text/span/span.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* The number in a tag from `at` on, and the byte behind it; 0: there is none. */
static int32_t read_number(const char *text, size_t bytes, size_t *at)
{
    int32_t number = 0;

    for (; *at < bytes && dgm_span_is_digit(text[*at]) && number < INT32_MAX / 10 - 1; ++*at)
        number = number * 10 + (text[*at] - '0');
    return number;
}

/* Bytes of the tag that the text begins with, 0: none, and which of the segment's it is. */
static size_t read_tag(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                       const char *text, size_t bytes, int32_t *tag)
{
    const struct dgm_document_tag *tags = document->tags + segment->first_tag;
    const int closes = bytes > 1 && text[1] == '/';
    size_t at = 2 + (size_t)closes;
    int32_t number;

    if (bytes < at + 2 || text[0] != '<' || text[at - 1] != segment->letter)
        return 0;
    number = read_number(text, bytes, &at) - 1;
    if (number < 0 || (size_t)number >= segment->tag_count)
        return 0;
    at += !closes && tags[number].mate < 0 && at < bytes && text[at] == '/';
    if (at >= bytes || text[at] != '>' || (text[at - 1] == '/') != (tags[number].mate < 0))
        return 0;
    *tag = closes ? tags[number].mate : number;
    return at + 1;
}

int dgm_tagged_next(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                    const char *text, size_t bytes, size_t *at, struct dgm_tagged *part)
{
    int32_t tag = -1;
    size_t end = *at;

    if (*at >= bytes)
        return 0;
    part->text = text + *at;
    part->tag = -1;
    while (end < bytes && (segment->tag_count == 0 || text[end] != '<' ||
                           read_tag(document, segment, text + end, bytes - end, &tag) == 0))
        end++;
    if (end == *at) {
        end += read_tag(document, segment, text + end, bytes - end, &tag);
        part->tag = tag;
    }
    part->bytes = end - *at;
    *at = end;
    return 1;
}

/* ---- checking -------------------------------------------------------------------------------- */

/* open: (tags) those that are open, the latest last; seen: (tags) of each whether it was there. */
static int check_parts(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                       const char *text, size_t bytes, int32_t *open, char *seen)
{
    const struct dgm_document_tag *tags = document->tags + segment->first_tag;
    struct dgm_tagged part;
    size_t at = 0, depth = 0, count = 0;

    while (dgm_tagged_next(document, segment, text, bytes, &at, &part)) {
        const int32_t mate = part.tag >= 0 ? tags[part.tag].mate : -1;

        if (part.tag < 0)
            continue;
        if (seen[part.tag]++ != 0)
            return 0;
        count++;
        if (mate > part.tag)
            open[depth++] = part.tag;
        else if (mate >= 0 && (depth == 0 || open[--depth] != mate))
            return 0;
    }
    return count == segment->tag_count && depth == 0;
}

dgm_status dgm_tagged_check(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_segment *segment, const char *text, size_t bytes,
                            int *is_whole)
{
    int32_t *open;
    char *seen;

    *is_whole = 1;
    if (segment->tag_count == 0)
        return DGM_OK;
    DGM_TRY(dgm_new(env, &open, segment->tag_count, sizeof *open));
    seen = dgm_alloc(env, segment->tag_count, 1);
    if (seen != NULL)
        *is_whole = check_parts(document, segment, text, bytes, open, seen);
    dgm_release(env, open);
    dgm_release(env, seen);
    return seen != NULL ? DGM_OK : env->error.status;
}

/* ---- writing --------------------------------------------------------------------------------- */

dgm_status dgm_tagged_write(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_segment *segment, const char *text, size_t bytes,
                            dgm_spell_fn *spell, struct dgm_buf *out)
{
    struct dgm_tagged part;
    size_t at = 0;

    while (dgm_tagged_next(document, segment, text, bytes, &at, &part)) {
        const struct dgm_document_tag *tag =
            part.tag >= 0 ? &document->tags[segment->first_tag + (size_t)part.tag] : NULL;

        if (tag == NULL)
            DGM_TRY(spell(env, document, out, part.text, part.bytes));
        else
            DGM_TRY(dgm_buf_add(env, out, document->bytes + tag->start, tag->end - tag->start));
    }
    return DGM_OK;
}
