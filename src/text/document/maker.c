/* maker.c: pieces of text and of markup become a segment. */
#include "text/document/maker.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "text/span/span.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

int dgm_is_white(char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r';
}

static int has_letter(const char *text, size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_utf8_decode(&code, text + at, bytes - at);
        if (code != DGM_UTF8_BAD && dgm_unicode_is(code, DGM_UNICODE_LETTER))
            return 1;
    }
    return 0;
}

static int is_clean(const char *text, size_t bytes)
{
    size_t offset, length;
    long column;

    return !dgm_utf8_find_bad(text, bytes, &offset, &length, &column);
}

int dgm_is_translatable(const char *text, size_t bytes)
{
    return has_letter(text, bytes) && is_clean(text, bytes);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static dgm_status add_piece(struct dgm_env *env, struct dgm_maker *maker,
                            const struct dgm_piece *piece)
{
    if (maker->count == INT32_MAX)
        return dgm_fail(env, DGM_DATA, "a paragraph with 2^31 tags; expected fewer");
    DGM_TRY(dgm_grow(env, &maker->pieces, &maker->capacity, maker->count, sizeof *piece));
    maker->pieces[maker->count++] = *piece;
    return DGM_OK;
}

/* Whether what comes is next to a blank. */
static int ends_blank(const struct dgm_maker *maker)
{
    return maker->count > 0 && maker->pieces[maker->count - 1].kind == DGM_PIECE_TEXT &&
           maker->texts.data[maker->texts.size - 1] == ' ';
}

dgm_status dgm_maker_text(struct dgm_env *env, struct dgm_maker *maker, size_t start, size_t end,
                          const char *text, size_t bytes)
{
    struct dgm_piece piece = { DGM_PIECE_TEXT, start, end, maker->texts.size, 0, -1 };
    size_t i = 0;

    while (ends_blank(maker) && i < bytes && dgm_is_white(text[i]))
        i++;
    for (size_t run; i < bytes; i += run) {
        for (run = 0; i + run < bytes && !dgm_is_white(text[i + run]);)
            run++;
        DGM_TRY(dgm_buf_add(env, &maker->texts, text + i, run));
        if (i + run == bytes)
            break;
        DGM_TRY(dgm_buf_add_char(env, &maker->texts, ' '));
        while (i + run < bytes && dgm_is_white(text[i + run]))
            run++;
    }
    piece.bytes = maker->texts.size - piece.text;
    return add_piece(env, maker, &piece);
}

dgm_status dgm_maker_markup(struct dgm_env *env, struct dgm_maker *maker, enum dgm_maker_kind kind,
                            size_t start, size_t end, const char *name, size_t bytes)
{
    struct dgm_piece piece = { kind, start, end, maker->texts.size, bytes, -1 };

    DGM_TRY(dgm_buf_add(env, &maker->texts, name, bytes));
    return add_piece(env, maker, &piece);
}

dgm_status dgm_maker_aside(struct dgm_env *env, struct dgm_maker *maker, size_t start, size_t end,
                           const char *text, size_t bytes, int note)
{
    const struct dgm_aside aside = { start, end, maker->texts.size, bytes, note };

    if (!dgm_is_translatable(text, bytes))
        return DGM_OK;
    DGM_TRY(dgm_buf_add(env, &maker->texts, text, bytes));
    DGM_TRY(
        dgm_grow(env, &maker->asides, &maker->aside_capacity, maker->aside_count, sizeof aside));
    maker->asides[maker->aside_count++] = aside;
    return DGM_OK;
}

void dgm_maker_clear(struct dgm_env *env, struct dgm_maker *maker)
{
    dgm_release(env, maker->pieces);
    dgm_release(env, maker->asides);
    dgm_buf_clear(env, &maker->texts);
    memset(maker, 0, sizeof *maker);
}

/* ---- markup that belongs together ------------------------------------------------------------ */

/* How many that are open a closing one looks at. */
enum { LOOK = 64 };

/* The latest piece that is open and has the name of this one; -1: none. Pieces that are open are
 * linked by their mates, the latest first. */
static int32_t find_open(const struct dgm_maker *maker, int32_t open, const struct dgm_piece *close)
{
    for (int look = 0; open >= 0 && look < LOOK; open = maker->pieces[open].mate, look++) {
        const struct dgm_piece *piece = &maker->pieces[open];

        if (dgm_bytes_compare(maker->texts.data + piece->text, piece->bytes,
                              maker->texts.data + close->text, close->bytes) == 0)
            return open;
    }
    return -1;
}

/* Those that are open down to `last` stand alone. */
static int32_t leave(struct dgm_maker *maker, int32_t open, int32_t last)
{
    while (open != last) {
        const int32_t before = maker->pieces[open].mate;

        maker->pieces[open].mate = -1;
        maker->pieces[open].kind = DGM_PIECE_MARK;
        open = before;
    }
    return open;
}

static void pair(struct dgm_maker *maker)
{
    int32_t open = -1;

    for (int32_t i = 0; i < (int32_t)maker->count; i++) {
        struct dgm_piece *piece = &maker->pieces[i];
        int32_t opening;

        if (piece->kind == DGM_PIECE_OPENS) {
            piece->mate = open;
            open = i;
        }
        if (piece->kind != DGM_PIECE_CLOSES)
            continue;
        opening = find_open(maker, open, piece);
        if (opening < 0) {
            piece->kind = DGM_PIECE_MARK;
            continue;
        }
        open = maker->pieces[leave(maker, open, opening)].mate;
        maker->pieces[opening].mate = i;
        piece->mate = opening;
    }
    leave(maker, open, -1);
}

/* ---- where the text begins and ends ---------------------------------------------------------- */

/* Pieces `first` up to before `end`. */
struct range {
    int32_t first, end;
};

static int is_blank(const struct dgm_maker *maker, const struct dgm_piece *piece)
{
    return piece->kind == DGM_PIECE_MARK ||
           (piece->kind == DGM_PIECE_TEXT &&
            (piece->bytes == 0 || (piece->bytes == 1 && maker->texts.data[piece->text] == ' ')));
}

/* Leaves out marks and blanks at the ends, and what stands around all that is left. */
static struct range trim(const struct dgm_maker *maker)
{
    struct range range = { 0, (int32_t)maker->count };
    const struct dgm_piece *pieces = maker->pieces;

    while (range.first < range.end) {
        const struct dgm_piece *first = &pieces[range.first], *last = &pieces[range.end - 1];

        if (is_blank(maker, first)) {
            range.first++;
        } else if (is_blank(maker, last)) {
            range.end--;
        } else if (first->kind == DGM_PIECE_OPENS && first->mate == range.end - 1) {
            range.first++;
            range.end--;
        } else {
            break;
        }
    }
    return range;
}

/* Blanks at the ends of the text stay where they are in the document. */
static void strip(const struct dgm_maker *maker, const struct dgm_document_parts *document,
                  struct range range)
{
    struct dgm_piece *first = &maker->pieces[range.first], *last = &maker->pieces[range.end - 1];

    if (first->kind == DGM_PIECE_TEXT && maker->texts.data[first->text] == ' ') {
        first->text++;
        first->bytes--;
        while (first->start < first->end && dgm_is_white(document->bytes[first->start]))
            first->start++;
    }
    if (last->kind == DGM_PIECE_TEXT && maker->texts.data[last->text + last->bytes - 1] == ' ') {
        last->bytes--;
        while (last->end > last->start && dgm_is_white(document->bytes[last->end - 1]))
            last->end--;
    }
}

/* ---- the segment ----------------------------------------------------------------------------- */

static int is_text(const struct dgm_maker *maker, struct range range)
{
    int found = 0;

    for (int32_t i = range.first; i < range.end; i++) {
        const struct dgm_piece *piece = &maker->pieces[i];
        const char *text = maker->texts.data + piece->text;

        if (piece->kind != DGM_PIECE_TEXT)
            continue;
        if (!is_clean(text, piece->bytes))
            return 0;
        found = found || has_letter(text, piece->bytes);
    }
    return found;
}

/* Whether a text has what looks like a tag of a letter: "<x1", "</x1". */
static int has_tags_of(const char *text, size_t bytes, char letter)
{
    const char *at = text, *end = text + bytes;

    while (at < end && (at = memchr(at, '<', (size_t)(end - at))) != NULL) {
        at++;
        at += at < end && *at == '/';
        if (end - at > 1 && *at == letter && dgm_span_is_digit(at[1]))
            return 1;
    }
    return 0;
}

char dgm_tag_letter(const char *text, size_t bytes)
{
    static const char letters[] = "xgtbcdefhjklmnopqrsuvwyz";

    for (size_t i = 0; i < sizeof letters - 1; i++)
        if (!has_tags_of(text, bytes, letters[i]))
            return letters[i];
    return 0;
}

dgm_status dgm_segment_add(struct dgm_env *env, struct dgm_document_parts *document,
                           const struct dgm_segment *segment)
{
    DGM_TRY(
        dgm_grow(env, &document->segments, &document->capacity, document->count, sizeof *segment));
    document->segments[document->count++] = *segment;
    return DGM_OK;
}

/* pieces[i] as tag of the segment; mates are numbered once both are there. */
static dgm_status add_tag(struct dgm_env *env, struct dgm_maker *maker,
                          struct dgm_document_parts *document, const struct dgm_segment *segment,
                          struct dgm_piece *piece)
{
    const int32_t number = (int32_t)(document->tag_count - segment->first_tag);
    struct dgm_document_tag tag = { piece->start, piece->end, -1 };
    const int closes = piece->kind == DGM_PIECE_CLOSES;

    if (closes) {
        tag.mate = maker->pieces[piece->mate].mate;
        document->tags[segment->first_tag + (size_t)tag.mate].mate = number;
    }
    piece->mate = number;
    DGM_TRY(
        dgm_grow(env, &document->tags, &document->tag_capacity, document->tag_count, sizeof tag));
    document->tags[document->tag_count++] = tag;
    return dgm_buf_add_format(env, &document->texts, "<%s%c%d%s>", closes ? "/" : "",
                              segment->letter, (int)(closes ? tag.mate : number) + 1,
                              closes || piece->kind == DGM_PIECE_OPENS ? "" : "/");
}

static dgm_status write_text(struct dgm_env *env, struct dgm_maker *maker,
                             struct dgm_document_parts *document, struct dgm_segment *segment,
                             struct range range)
{
    segment->text = document->texts.size;
    segment->first_tag = document->tag_count;
    for (int32_t i = range.first; i < range.end; i++) {
        struct dgm_piece *piece = &maker->pieces[i];

        if (piece->kind == DGM_PIECE_TEXT)
            DGM_TRY(
                dgm_buf_add(env, &document->texts, maker->texts.data + piece->text, piece->bytes));
        else
            DGM_TRY(add_tag(env, maker, document, segment, piece));
    }
    segment->text_bytes = document->texts.size - segment->text;
    segment->tag_count = document->tag_count - segment->first_tag;
    return DGM_OK;
}

dgm_status dgm_maker_plain(struct dgm_env *env, struct dgm_document_parts *document, size_t start,
                           size_t end, const char *text, size_t bytes, int note, int waits)
{
    const struct dgm_segment segment = { .start = start,
                                         .end = end,
                                         .text = document->texts.size,
                                         .text_bytes = bytes,
                                         .first_tag = document->tag_count,
                                         .note = note,
                                         .waits = waits };

    DGM_TRY(dgm_buf_add(env, &document->texts, text, bytes));
    return dgm_segment_add(env, document, &segment);
}

/* Those from *next on that begin before `end`. */
static dgm_status add_asides(struct dgm_env *env, struct dgm_maker *maker,
                             struct dgm_document_parts *document, size_t *next, size_t end,
                             int wait)
{
    for (; *next < maker->aside_count && maker->asides[*next].start < end; ++*next) {
        const struct dgm_aside *aside = &maker->asides[*next];

        DGM_TRY(dgm_maker_plain(env, document, aside->start, aside->end,
                                maker->texts.data + aside->text, aside->bytes, aside->note, wait));
    }
    return DGM_OK;
}

static dgm_status end_text(struct dgm_env *env, struct dgm_maker *maker,
                           struct dgm_document_parts *document, struct range range, int note,
                           size_t *next)
{
    struct dgm_segment segment = { .letter = dgm_tag_letter(maker->texts.data, maker->texts.size),
                                   .note = note };

    if (segment.letter == 0)
        return DGM_OK;
    strip(maker, document, range);
    segment.start = maker->pieces[range.first].start;
    segment.end = maker->pieces[range.end - 1].end;
    DGM_TRY(add_asides(env, maker, document, next, segment.start, 0));
    DGM_TRY(add_asides(env, maker, document, next, segment.end, 1));
    DGM_TRY(write_text(env, maker, document, &segment, range));
    return dgm_segment_add(env, document, &segment);
}

dgm_status dgm_maker_end(struct dgm_env *env, struct dgm_maker *maker,
                         struct dgm_document_parts *document, int note)
{
    struct range range;
    size_t next = 0;

    pair(maker);
    range = trim(maker);
    if (is_text(maker, range))
        DGM_TRY(end_text(env, maker, document, range, note, &next));
    DGM_TRY(add_asides(env, maker, document, &next, document->size, 0));
    maker->count = maker->aside_count = 0;
    dgm_buf_reset(&maker->texts);
    return DGM_OK;
}
