/* lines.c: the lines of a document, and what is broken into lines again. */
#include "text/document/lines.h"

#include <string.h>

#include "base/bytes.h"
#include "text/document/maker.h"
#include "text/document/tagged.h"
#include "text/unicode/utf8.h"

int dgm_document_line(const struct dgm_document_parts *document, size_t at,
                      struct dgm_document_line *line)
{
    const char *bytes = document->bytes, *end;

    if (at == 0)
        at = dgm_bytes_begin(bytes, document->size, "\xEF\xBB\xBF");
    if (at >= document->size)
        return 0;
    end = memchr(bytes + at, '\n', document->size - at);
    line->start = at;
    line->next = end != NULL ? (size_t)(end - bytes) + 1 : document->size;
    line->end = end != NULL ? line->next - 1 : line->next;
    line->end -= end != NULL && line->end > at && bytes[line->end - 1] == '\r';
    return 1;
}

int dgm_document_line_is_blank(const struct dgm_document_parts *document,
                               const struct dgm_document_line *line)
{
    size_t at = line->start;

    while (at < line->end && dgm_is_white(document->bytes[at]))
        at++;
    return at == line->end;
}

/* ---- breaking -------------------------------------------------------------------------------- */

/* Characters before a byte, without tags. */
struct place {
    char *at; /* NULL: none */
    size_t seen;
};

struct wrapping {
    size_t seen, all;
    int line, lines;    /* the break behind line `line`, from 1, comes next */
    struct place blank; /* the last one */
    char *broken;       /* the last that was broken at */
};

static void break_at(struct wrapping *wrapping, char *at)
{
    if (at == NULL || (wrapping->broken != NULL && at <= wrapping->broken))
        return;
    *at = '\n';
    wrapping->broken = at;
}

/* A break is at one of the two blanks around its place, the nearer one. */
static void pass_blank(struct wrapping *wrapping, char *at)
{
    const struct place *before = &wrapping->blank;

    for (; wrapping->line < wrapping->lines; wrapping->line++) {
        const size_t place = wrapping->all / (size_t)wrapping->lines * (size_t)wrapping->line;

        if (wrapping->seen < place)
            break;
        if (before->at != NULL && before->at != wrapping->broken &&
            place - before->seen < wrapping->seen - place)
            break_at(wrapping, before->at);
        else
            break_at(wrapping, at);
    }
    wrapping->blank = (struct place){ at, wrapping->seen };
}

static void pass_text(struct wrapping *wrapping, char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        wrapping->seen += ((unsigned char)text[i] & 0xC0) != 0x80;
        if (text[i] == ' ')
            pass_blank(wrapping, text + i);
    }
}

void dgm_document_wrap(const struct dgm_document_parts *document, const struct dgm_segment *segment,
                       char *text, size_t bytes, int lines)
{
    struct wrapping wrapping = { .lines = lines, .line = 1 };
    struct dgm_tagged part;

    for (size_t at = 0; dgm_tagged_next(document, segment, text, bytes, &at, &part);)
        wrapping.all += part.tag < 0 ? dgm_utf8_length(part.text, part.bytes) : 0;
    for (size_t at = 0; dgm_tagged_next(document, segment, text, bytes, &at, &part);)
        if (part.tag < 0)
            pass_text(&wrapping, text + (part.text - text), part.bytes);
    if (wrapping.line < wrapping.lines)
        break_at(&wrapping, wrapping.blank.at);
}
