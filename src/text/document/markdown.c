/*
 * markdown.c: Markdown, as CommonMark has it, with the tables of GitHub, notes, and a head of
 * settings between lines of dashes. A paragraph, heading, item or cell is a segment; code,
 * settings, definitions of links and comments stay. A paragraph that is translated becomes one
 * line.
 *
 * Blocks are told line by line. Where a document is not what these rules take it for, some of its
 * code may be translated, but no byte of an untranslated one changes.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/document/lines.h"
#include "text/document/markdown_text.h"
#include "text/span/span.h"

/* What goes on until a line ends it. */
enum inside { NOTHING, SETTINGS, FENCE, HTML };

/* Columns of lists that are open at most; deeper ones count as the last. */
enum { LISTS = 16 };

struct reading {
    struct dgm_document_parts *document;
    struct dgm_maker maker;
    struct dgm_map labels;
    enum inside inside;
    char mark;          /* of the fence or the settings */
    size_t length;      /* of it */
    const char *ending; /* of the HTML */
    int is_open;        /* a paragraph is */
    size_t end;         /* of its last line */
    int in_table;
    size_t columns[LISTS]; /* where the items of open lists have their text */
    int lists;
};

/* The text of a line behind what says in which quotes and lists it is. */
struct content {
    size_t start, end;
    size_t column; /* of the text, from that of the last quote's on */
    int is_item, is_code;
};

static dgm_status end_text(struct dgm_env *env, struct reading *reading, int is_cell)
{
    reading->is_open = 0;
    return dgm_maker_end(env, &reading->maker, reading->document, is_cell);
}

/* ---- quotes and lists ------------------------------------------------------------------------ */

static size_t skip_blanks(const char *text, struct content *content)
{
    const size_t before = content->column;

    for (; content->start < content->end; content->start++) {
        if (text[content->start] == ' ')
            content->column++;
        else if (text[content->start] == '\t')
            content->column += 4 - content->column % 4;
        else
            break;
    }
    return content->column - before;
}

/* Bytes of the mark of a list's item; 0: none. In a paragraph numbers other than 1 are text. */
static size_t item_mark(const char *text, size_t bytes, int is_open)
{
    size_t end = 0;

    if (bytes > 0 && dgm_span_has("-+*", text[0])) {
        end = 1;
    } else {
        while (end < bytes && end < 9 && dgm_span_is_digit(text[end]))
            end++;
        if (end == 0 || end == bytes || !dgm_span_has(".)", text[end]) ||
            (is_open && !(end == 1 && text[0] == '1')))
            return 0;
        end++;
    }
    return end == bytes || dgm_is_white(text[end]) ? end : 0;
}

/* A line of one mark, three times and more, with blanks at most between. */
static int is_rule(const char *text, size_t bytes)
{
    size_t count = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (dgm_is_white(text[i]))
            continue;
        if (text[i] != text[0])
            return 0;
        count++;
    }
    return count > 2 && dgm_span_has("-*_=", text[0]);
}

/* "[ ] " or "[x] " behind the mark of an item. */
static void skip_box(const char *text, struct content *content)
{
    const char *box = text + content->start;

    if (content->end - content->start > 3 && box[0] == '[' && dgm_span_has(" xX", box[1]) &&
        box[2] == ']' && box[3] == ' ')
        content->start += 4;
}

static void open_list(struct reading *reading, size_t column)
{
    while (reading->lists > 0 && reading->columns[reading->lists - 1] >= column)
        reading->lists--;
    if (reading->lists < LISTS)
        reading->columns[reading->lists++] = column;
}

/* What an indented line that goes on with no paragraph belongs to: code of four columns and more
 * behind the text of the item that it is in. */
static int is_indented(struct reading *reading, size_t column)
{
    while (reading->lists > 0 && reading->columns[reading->lists - 1] > column)
        reading->lists--;
    return column >= 4 + (reading->lists > 0 ? reading->columns[reading->lists - 1] : 0);
}

static void read_content(struct reading *reading, const struct dgm_document_line *line,
                         struct content *content)
{
    const char *text = reading->document->bytes;
    size_t mark, marks = 0;

    *content = (struct content){ .start = line->start, .end = line->end };
    for (;;) {
        skip_blanks(text, content);
        if (content->start == content->end)
            return;
        if (!content->is_item && !reading->is_open && is_indented(reading, content->column)) {
            content->is_code = 1;
            return;
        }
        if (text[content->start] == '>') {
            content->start++;
            content->column = 0;
            content->is_item = 0;
            continue;
        }
        mark = marks++ > LISTS || is_rule(text + content->start, content->end - content->start)
                   ? 0
                   : item_mark(text + content->start, content->end - content->start,
                               reading->is_open && !content->is_item);
        if (mark == 0)
            break;
        content->start += mark;
        content->column += mark;
        content->is_item = 1;
        if (skip_blanks(text, content) > 4)
            content->is_code = 1;
        open_list(reading, content->column);
    }
    if (content->is_item)
        skip_box(text, content);
}

/* ---- what goes on over lines ----------------------------------------------------------------- */

static size_t run_of(const char *text, size_t bytes, char mark)
{
    size_t count = 0;

    while (count < bytes && text[count] == mark)
        count++;
    return count;
}

/* Whether a line begins code between fences. */
static int begins_fence(struct reading *reading, const char *text, size_t bytes)
{
    const size_t length = dgm_span_has("`~", text[0]) ? run_of(text, bytes, text[0]) : 0;

    if (length < 3 || (text[0] == '`' && memchr(text + length, '`', bytes - length) != NULL))
        return 0;
    reading->inside = FENCE;
    reading->mark = text[0];
    reading->length = length;
    return 1;
}

static int has_text(const char *text, size_t bytes, const char *what)
{
    const size_t length = strlen(what);

    for (size_t i = 0; i + length <= bytes; i++)
        if (text[i] == what[0] && memcmp(text + i, what, length) == 0)
            return 1;
    return 0;
}

/* Whether a line begins HTML whose content stays. */
static int begins_html(struct reading *reading, const char *text, size_t bytes)
{
    static const char *const marks[][2] = { { "<!--", "-->" },
                                            { "<script", "</script>" },
                                            { "<style", "</style>" },
                                            { "<pre", "</pre>" },
                                            { "<textarea", "</textarea>" } };

    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (dgm_bytes_begin(text, bytes, marks[i][0]) == 0)
            continue;
        if (!has_text(text, bytes, marks[i][1])) {
            reading->inside = HTML;
            reading->ending = marks[i][1];
        }
        return 1;
    }
    return 0;
}

/* A line inside of something; whether it was. */
static int pass_line(struct reading *reading, const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes + line->start;
    size_t bytes = line->end - line->start, run;

    if (reading->inside == NOTHING)
        return 0;
    if (reading->inside == HTML) {
        reading->inside = has_text(text, bytes, reading->ending) ? NOTHING : HTML;
        return 1;
    }
    while (bytes > 0 && (dgm_is_white(*text) || (*text == '>' && reading->inside == FENCE))) {
        text++;
        bytes--;
    }
    run = run_of(text, bytes, reading->mark);
    while (bytes > run && dgm_is_white(text[bytes - 1]))
        bytes--;
    if (run >= reading->length && run == bytes)
        reading->inside = NOTHING;
    return 1;
}

/* "---" or "+++" on the first line, and on a later one. */
static int begins_settings(struct reading *reading, const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes;
    const size_t bytes = line->end - line->start;
    struct dgm_document_line last = *line;

    if (!dgm_bytes_are(text + line->start, bytes, "---") &&
        !dgm_bytes_are(text + line->start, bytes, "+++"))
        return 0;
    while (dgm_document_line(reading->document, last.next, &last))
        if (last.end - last.start == 3 && memcmp(text + last.start, text + line->start, 3) == 0) {
            reading->inside = SETTINGS;
            reading->mark = text[line->start];
            reading->length = 3;
            return 1;
        }
    return 0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* "|---|:--:|". */
static int is_table_rule(const char *text, size_t bytes)
{
    int has_bar = 0, has_dash = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (!dgm_span_has("|-: \t", text[i]))
            return 0;
        has_bar |= text[i] == '|';
        has_dash |= text[i] == '-';
    }
    return has_bar && has_dash;
}

/* Whether the next line says that this one is the head of a table. */
static int is_table_head(const struct reading *reading, const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes;
    struct dgm_document_line next;

    if (memchr(text + line->start, '|', line->end - line->start) == NULL ||
        !dgm_document_line(reading->document, line->next, &next))
        return 0;
    while (next.start < next.end && dgm_span_has("> \t", text[next.start]))
        next.start++;
    return is_table_rule(text + next.start, next.end - next.start);
}

static dgm_status add_text(struct dgm_env *env, struct reading *reading, size_t start, size_t end)
{
    return dgm_markdown_text(env, &reading->maker, reading->document, &reading->labels, start, end);
}

static dgm_status read_cells(struct dgm_env *env, struct reading *reading,
                             const struct content *content)
{
    const char *text = reading->document->bytes;
    size_t start = content->start;

    for (size_t at = start; at <= content->end; at++) {
        if (at < content->end && text[at] == '\\') {
            at++;
            continue;
        }
        if (at < content->end && text[at] != '|')
            continue;
        DGM_TRY(add_text(env, reading, start, at));
        DGM_TRY(end_text(env, reading, 1));
        start = at + 1;
    }
    return DGM_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Bytes of "[name]:", which defines a link or, "[^1]:", begins a note; 0: it does not. */
static size_t definition(const char *text, size_t bytes)
{
    const size_t label = dgm_markdown_label(text, bytes);

    return label > 0 && label < bytes && text[label] == ':' ? label + 1 : 0;
}

static dgm_status read_heading(struct dgm_env *env, struct reading *reading,
                               struct content *content, size_t marks)
{
    const char *text = reading->document->bytes;
    size_t end = content->end;

    DGM_TRY(end_text(env, reading, 0));
    while (end > content->start && dgm_is_white(text[end - 1]))
        end--;
    while (end > content->start + marks && text[end - 1] == '#')
        end--;
    if (end > content->start + marks && dgm_is_white(text[end - 1]))
        content->end = end;
    DGM_TRY(add_text(env, reading, content->start + marks, content->end));
    return end_text(env, reading, 0);
}

/* A line of a paragraph, which ends at a hard break. */
static dgm_status read_words(struct dgm_env *env, struct reading *reading,
                             const struct content *content)
{
    const char *text = reading->document->bytes;
    size_t end = content->end;
    int is_hard = end - content->start > 2 && text[end - 1] == ' ' && text[end - 2] == ' ';

    if (reading->is_open)
        DGM_TRY(dgm_maker_text(env, &reading->maker, reading->end, content->start, " ", 1));
    if (end > content->start && text[end - 1] == '\\') {
        end--;
        is_hard = 1;
    }
    DGM_TRY(add_text(env, reading, content->start, end));
    reading->is_open = 1;
    reading->end = end;
    return is_hard ? end_text(env, reading, 0) : DGM_OK;
}

/* Lines that are no text, or end it: whether this one is. */
static int is_other(struct reading *reading, const struct content *content)
{
    const char *text = reading->document->bytes + content->start;
    const size_t bytes = content->end - content->start;

    return content->is_code || is_rule(text, bytes) ||
           (reading->is_open && run_of(text, bytes, text[0]) == bytes &&
            dgm_span_has("=-", text[0])) ||
           begins_fence(reading, text, bytes) || begins_html(reading, text, bytes) ||
           is_table_rule(text, bytes) || (definition(text, bytes) > 0 && text[1] != '^');
}

static dgm_status read_line(struct dgm_env *env, struct reading *reading,
                            const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes;
    struct content content;
    size_t bytes, marks;

    read_content(reading, line, &content);
    bytes = content.end - content.start;
    if (bytes == 0) {
        reading->in_table = 0;
        return end_text(env, reading, 0);
    }
    if (content.is_item)
        DGM_TRY(end_text(env, reading, 0));
    if (is_other(reading, &content))
        return end_text(env, reading, 0);
    if (reading->in_table || is_table_head(reading, line)) {
        DGM_TRY(end_text(env, reading, 0));
        reading->in_table = 1;
        return read_cells(env, reading, &content);
    }
    marks = run_of(text + content.start, bytes, '#');
    if (marks > 0 && marks < 7 && (marks == bytes || dgm_is_white(text[content.start + marks])))
        return read_heading(env, reading, &content, marks);
    content.start += definition(text + content.start, bytes); /* a note */
    return read_words(env, reading, &content);
}

static dgm_status add_label(struct dgm_env *env, struct reading *reading,
                            const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes;
    char label[DGM_MARKDOWN_LABEL];
    size_t at = line->start, bytes;

    while (at < line->end && dgm_span_has("> \t", text[at]))
        at++;
    bytes = definition(text + at, line->end - at);
    if (bytes == 0)
        return DGM_OK;
    dgm_markdown_lower(text + at + 1, bytes - 3, label);
    return dgm_map_insert(env, &reading->labels, label, bytes - 3, NULL, NULL);
}

static dgm_status read_all(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_document_parts *document = reading->document;
    struct dgm_document_line line = { 0 };
    int is_first = 1;

    while (dgm_document_line(document, line.next, &line))
        DGM_TRY(add_label(env, reading, &line));
    line.next = 0;
    for (; dgm_document_line(document, line.next, &line); is_first = 0) {
        if ((is_first && begins_settings(reading, &line)) || pass_line(reading, &line))
            continue;
        DGM_TRY(read_line(env, reading, &line));
    }
    return end_text(env, reading, 0);
}

static dgm_status markdown_read(struct dgm_env *env, struct dgm_document_parts *document)
{
    struct reading reading = { .document = document };
    const dgm_status status = read_all(env, &reading);

    dgm_maker_clear(env, &reading.maker);
    dgm_map_clear(env, &reading.labels);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* What would make a block of a text that begins so gets a backslash before its mark. */
static dgm_status write_head(struct dgm_env *env, const char *text, size_t bytes,
                             struct dgm_buf *out, size_t *done)
{
    const size_t item = item_mark(text, bytes, 0);
    const size_t heads = run_of(text, bytes, '#');

    *done = 0;
    if (item > 1) {
        *done = item - 1;
        DGM_TRY(dgm_buf_add(env, out, text, *done));
    }
    if (item > 0 || (bytes > 0 && text[0] == '>') ||
        (heads > 0 && heads < bytes && text[heads] == ' ')) {
        DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        DGM_TRY(dgm_buf_add_char(env, out, text[*done]));
        ++*done;
    }
    return DGM_OK;
}

static dgm_status markdown_write(struct dgm_env *env, const struct dgm_document_parts *document,
                                 const struct dgm_said *said, size_t count, struct dgm_buf *out)
{
    const struct dgm_segment *segment = &document->segments[said->segment];
    const char *text = dgm_said_text(document, said);
    size_t done = 0;

    (void)count; /* 1: nothing waits */
    if (segment->note == 0)
        DGM_TRY(write_head(env, text, said->bytes, out, &done));
    return dgm_tagged_write(env, document, segment, text + done, said->bytes - done,
                            segment->note != 0 ? dgm_markdown_spell_cell : dgm_markdown_spell, out);
}

const struct dgm_document_format dgm_document_markdown = { "markdown", markdown_read,
                                                           markdown_write };
