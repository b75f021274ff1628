/*
 * markdown_text.c: emphasis, links, code and their kin in a line of Markdown, found by how they are
 * written. What is no markup after all, or is not closed, stays between the words where it was.
 */
#include "text/document/markdown_text.h"

#include <string.h>

#include "base/bytes.h"
#include "text/document/entity.h"
#include "text/span/span.h"

/* Pieces that a run of marks looks back at. */
enum { LOOK = 64 };

/* The line at hand. */
struct line {
    struct dgm_maker *maker;
    const struct dgm_document_parts *document;
    const struct dgm_map *labels;
    const char *text; /* the document's bytes */
    size_t start, end;
};

static int is_mark(char byte)
{
    return byte > ' ' && byte < 0x7F && !dgm_span_is_letter(byte) && !dgm_span_is_digit(byte);
}

static dgm_status add(struct dgm_env *env, const struct line *line, enum dgm_maker_kind kind,
                      size_t at, size_t bytes, const char *name, size_t name_bytes)
{
    return dgm_maker_markup(env, line->maker, kind, at, at + bytes, name, name_bytes);
}

/* ---- emphasis -------------------------------------------------------------------------------- */

/* Whether a run of these marks has opened, not long ago, what nothing has closed. */
static int is_open(const struct dgm_maker *maker, const char *name, size_t bytes)
{
    for (size_t i = maker->count, look = 0; i-- > 0 && look < LOOK; look++) {
        const struct dgm_piece *piece = &maker->pieces[i];

        if (piece->kind <= DGM_PIECE_CLOSES && piece->kind >= DGM_PIECE_OPENS &&
            dgm_bytes_compare(maker->texts.data + piece->text, piece->bytes, name, bytes) == 0)
            return piece->kind == DGM_PIECE_OPENS;
    }
    return 0;
}

/* *a*, **a**, _a_, ~~a~~: a run of one mark, which opens next to a word that follows and closes
 * next to one before it; between letters _ is a part of names, and * opens if it can. */
static dgm_status read_run(struct dgm_env *env, const struct line *line, size_t at, size_t *taken)
{
    const char *text = line->text, mark = text[at];
    size_t end = at;
    int follows, precedes;

    while (end < line->end && text[end] == mark)
        end++;
    follows = end < line->end && !dgm_is_white(text[end]);
    precedes = at > line->start && !dgm_is_white(text[at - 1]);
    *taken = end - at;
    if (follows && precedes) {
        const int before = dgm_span_is_word(text[at - 1]), behind = dgm_span_is_word(text[end]);

        if (before && behind && mark == '_')
            precedes = 0;
        follows = (behind || !before) && precedes && !is_open(line->maker, text + at, *taken);
    }
    if ((!follows && !precedes) || (mark == '~' && *taken > 2))
        return dgm_maker_text(env, line->maker, at, end, text + at, *taken);
    return add(env, line, follows ? DGM_PIECE_OPENS : DGM_PIECE_CLOSES, at, *taken, text + at,
               *taken);
}

/* ---- links ----------------------------------------------------------------------------------- */

size_t dgm_markdown_label(const char *text, size_t bytes)
{
    size_t end = 1;

    if (bytes == 0 || text[0] != '[')
        return 0;
    for (; end < bytes && end < DGM_MARKDOWN_LABEL && text[end] != ']'; end++) {
        if (text[end] == '[')
            return 0;
        end += text[end] == '\\';
    }
    return end < bytes && end < DGM_MARKDOWN_LABEL && end > 1 ? end + 1 : 0;
}

void dgm_markdown_lower(const char *label, size_t bytes, char out[DGM_MARKDOWN_LABEL])
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = label[i] >= 'A' && label[i] <= 'Z' ? (char)(label[i] - 'A' + 'a') : label[i];
}

static int is_defined(const struct line *line, size_t at, size_t bytes)
{
    char label[DGM_MARKDOWN_LABEL];

    if (bytes < 3 || line->labels->count == 0)
        return 0;
    dgm_markdown_lower(line->text + at + 1, bytes - 2, label);
    return dgm_map_find(line->labels, label, bytes - 2) != NULL;
}

/* "[name]" or "[name][]" of a link that is defined elsewhere, or a note "[^1]": it stays. */
static dgm_status read_label(struct dgm_env *env, const struct line *line, size_t at, size_t *taken)
{
    const char *text = line->text;
    const size_t bytes = dgm_markdown_label(text + at, line->end - at), end = at + bytes;
    const char next = end < line->end ? text[end] : '\0';

    *taken = 0;
    if (bytes == 0)
        return DGM_OK;
    if (text[at + 1] == '^' || (next != '(' && next != '[' && is_defined(line, at, bytes)))
        *taken = bytes;
    if (next == '[' && dgm_bytes_begin(text + end, line->end - end, "[]") > 0)
        *taken = bytes + 2;
    return *taken == 0 ? DGM_OK : add(env, line, DGM_PIECE_THING, at, *taken, "", 0);
}

/* Bytes of "(where \"title\")" behind the ] of a link, or of "[name]"; 0: neither. */
static size_t tail(const char *text, size_t bytes)
{
    const size_t most = bytes < DGM_SPAN_MOST ? bytes : DGM_SPAN_MOST;
    size_t depth = 0;

    if (bytes > 0 && text[0] == '[')
        return dgm_markdown_label(text, bytes);
    for (size_t i = 0; i < most && (i > 0 || text[0] == '('); i++) {
        if (text[i] == '\\')
            i++;
        else if (text[i] == '(')
            depth++;
        else if (text[i] == ')' && --depth == 0)
            return i + 1;
    }
    return 0;
}

static dgm_status read_bracket(struct dgm_env *env, const struct line *line, size_t at,
                               size_t *taken)
{
    if (line->text[at] == ']') {
        *taken = 1 + tail(line->text + at + 1, line->end - at - 1);
        return add(env, line, DGM_PIECE_CLOSES, at, *taken, "[", 1);
    }
    DGM_TRY(read_label(env, line, at, taken));
    if (*taken > 0)
        return DGM_OK;
    *taken = 1;
    return add(env, line, DGM_PIECE_OPENS, at, 1, "[", 1);
}

/* ---- tags ------------------------------------------------------------------------------------ */

static dgm_status read_tag(struct dgm_env *env, const struct line *line, size_t at, size_t *taken)
{
    const char *text = line->text;
    const int closes = at + 1 < line->end && text[at + 1] == '/';
    const size_t name = at + 1 + (size_t)closes;
    size_t end = name;

    *taken = dgm_span_tag(text, line->end, at);
    if (*taken == 0)
        return DGM_OK;
    while (!dgm_span_has(" \t>/:@.", text[end]))
        end++;
    if (text[end] == ':' || text[end] == '@' || text[end] == '.' ||
        dgm_bytes_are(text + name, end - name, "img"))
        return add(env, line, DGM_PIECE_THING, at, *taken, "", 0);
    if (text[at + 1] == '!' || text[at + *taken - 2] == '/' ||
        dgm_bytes_are(text + name, end - name, "br"))
        return add(env, line, DGM_PIECE_MARK, at, *taken, "", 0);
    return add(env, line, closes ? DGM_PIECE_CLOSES : DGM_PIECE_OPENS, at, *taken, text + name,
               end - name);
}

/* ---- a line ---------------------------------------------------------------------------------- */

/* What may be markup at `at`; *taken 0: it is text. */
static dgm_status read_markup(struct dgm_env *env, const struct line *line, size_t at,
                              size_t *taken)
{
    const char *text = line->text;

    *taken = 0;
    switch (text[at]) {
    case '*':
    case '_':
    case '~': return read_run(env, line, at, taken);
    case '[':
    case ']': return read_bracket(env, line, at, taken);
    case '<': return read_tag(env, line, at, taken);
    case '&': return dgm_entity_add(env, line->maker, line->document, at, line->end, taken);
    case '!':
        if (at + 1 < line->end && text[at + 1] == '[') {
            *taken = 2;
            return add(env, line, DGM_PIECE_OPENS, at, 2, "[", 1);
        }
        return DGM_OK;
    case '`':
        *taken = dgm_span_code(text + line->start, line->end - line->start, at - line->start);
        return *taken == 0 ? DGM_OK : add(env, line, DGM_PIECE_THING, at, *taken, "", 0);
    case '\\':
        if (at + 1 == line->end || !is_mark(text[at + 1]))
            return DGM_OK;
        *taken = 2;
        return dgm_maker_text(env, line->maker, at, at + 2, text + at + 1, 1);
    default: return DGM_OK;
    }
}

dgm_status dgm_markdown_text(struct dgm_env *env, struct dgm_maker *maker,
                             const struct dgm_document_parts *document,
                             const struct dgm_map *labels, size_t start, size_t end)
{
    const struct line line = { maker, document, labels, document->bytes, start, end };
    size_t text = start;

    for (size_t at = start, taken; at < end;) {
        if (!is_mark(line.text[at])) {
            at++;
            continue;
        }
        if (at > text) /* what is text so far comes first */
            DGM_TRY(dgm_maker_text(env, maker, text, at, line.text + text, at - text));
        text = at;
        DGM_TRY(read_markup(env, &line, at, &taken));
        at += taken > 0 ? taken : 1;
        text = taken > 0 ? at : text;
    }
    return text < end ? dgm_maker_text(env, maker, text, end, line.text + text, end - text)
                      : DGM_OK;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Whether a character of a text would be markup. */
static int must_escape(const char *text, size_t bytes, size_t at, int is_cell)
{
    const char next = at + 1 < bytes ? text[at + 1] : ' ';
    const int is_loose = dgm_is_white(next) && (at == 0 || dgm_is_white(text[at - 1]));

    switch (text[at]) {
    case '`':
    case '[':
    case ']': return 1;
    case '*': return !is_loose;
    case '_':
        return !is_loose && !(at > 0 && dgm_span_is_word(text[at - 1]) && dgm_span_is_word(next));
    case '~': return next == '~' || (at > 0 && text[at - 1] == '~');
    case '<': return dgm_span_is_letter(next) || next == '/' || next == '!' || next == '?';
    case '\\': return is_mark(next);
    case '&': return dgm_entity_named(text + at, bytes - at) > 0;
    case '|': return is_cell;
    default: return 0;
    }
}

static dgm_status spell(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes,
                        int is_cell)
{
    for (size_t i = 0; i < bytes; i++) {
        if (must_escape(text, bytes, i, is_cell))
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        DGM_TRY(dgm_buf_add_char(env, out, text[i]));
    }
    return DGM_OK;
}

dgm_status dgm_markdown_spell(struct dgm_env *env, const struct dgm_document_parts *document,
                              struct dgm_buf *out, const char *text, size_t bytes)
{
    (void)document;
    return spell(env, out, text, bytes, 0);
}

dgm_status dgm_markdown_spell_cell(struct dgm_env *env, const struct dgm_document_parts *document,
                                   struct dgm_buf *out, const char *text, size_t bytes)
{
    (void)document;
    return spell(env, out, text, bytes, 1);
}
