/* po_entry.c: the lines of an entry of a catalogue of messages, and strings in quotes. */
#include "text/document/po_entry.h"

#include <string.h>

#include "base/bytes.h"
#include "text/document/lines.h"
#include "text/document/maker.h"
#include "text/span/span.h"

/* What a string that continues on the next line is. */
enum what { NOTHING, CONTEXT, ID, PLURAL, FORM };

struct reading {
    const struct dgm_document_parts *document;
    struct dgm_po_entry *entry;
    enum what what;
};

/* ---- strings --------------------------------------------------------------------------------- */

static int digit_of(char byte, int base)
{
    const int digit = dgm_hex_digit(byte);

    return digit < base ? digit : -1;
}

/* A number of `most` digits at most, behind a backslash. */
static size_t read_code(const char *text, size_t bytes, int base, size_t most, char *out)
{
    int code = 0;
    size_t i = 0;

    for (; i < bytes && i < most && digit_of(text[i], base) >= 0; i++)
        code = code * base + digit_of(text[i], base);
    *out = (char)(unsigned char)code;
    return i;
}

/* What stands behind a backslash; 0: no escape. */
static size_t read_escape(const char *text, size_t bytes, char *out)
{
    static const char names[] = "abfnrtv\"\\", codes[] = "\a\b\f\n\r\t\v\"\\";
    const char *name = bytes > 0 && text[0] != '\0' ? strchr(names, text[0]) : NULL;
    size_t digits;

    if (name != NULL) {
        *out = codes[name - names];
        return 1;
    }
    if (bytes > 0 && text[0] == 'x') {
        digits = read_code(text + 1, bytes - 1, 16, 2, out);
        return digits > 0 ? digits + 1 : 0;
    }
    return read_code(text, bytes, 8, 3, out);
}

/* A string from byte *at on, which goes behind it; out may be NULL. Returns 0 where there is
 * none, or an escape that nobody knows. */
static dgm_status read_string(struct dgm_env *env, const struct dgm_document_parts *document,
                              size_t *at, size_t end, struct dgm_buf *out, int *is_string)
{
    const char *bytes = document->bytes;

    *is_string = *at < end && bytes[*at] == '"';
    if (!*is_string)
        return DGM_OK;
    for (++*at; *at < end && bytes[*at] != '"'; ++*at) {
        char byte = bytes[*at];

        if (byte == '\\') {
            const size_t taken = read_escape(bytes + *at + 1, end - *at - 1, &byte);

            if (taken == 0)
                break;
            *at += taken;
        }
        if (out != NULL)
            DGM_TRY(dgm_buf_add_char(env, out, byte));
    }
    *is_string = *at < end && bytes[*at] == '"';
    ++*at;
    return DGM_OK;
}

/* A line of a text, with its LF if there is one. */
static dgm_status spell_line(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             size_t bytes)
{
    static const char names[] = "abfnrtv\"\\", codes[] = "\a\b\f\n\r\t\v\"\\";

    DGM_TRY(dgm_buf_add_char(env, out, '"'));
    for (size_t i = 0; i < bytes; i++) {
        const char *code = text[i] != '\0' ? strchr(codes, text[i]) : NULL;

        if (code != NULL)
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        DGM_TRY(dgm_buf_add_char(env, out, code != NULL ? names[code - codes] : text[i]));
    }
    return dgm_buf_add_char(env, out, '"');
}

dgm_status dgm_po_spell(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes,
                        const char *newline)
{
    const char *lf = bytes > 0 ? memchr(text, '\n', bytes) : NULL;

    if (lf == NULL || lf + 1 == text + bytes)
        return spell_line(env, out, text, bytes);
    DGM_TRY(dgm_buf_add_text(env, out, "\"\""));
    while (bytes > 0) {
        const size_t line = lf != NULL ? (size_t)(lf + 1 - text) : bytes;

        DGM_TRY(dgm_buf_add_text(env, out, newline));
        DGM_TRY(spell_line(env, out, text, line));
        text += line;
        bytes -= line;
        lf = bytes > 0 ? memchr(text, '\n', bytes) : NULL;
    }
    return DGM_OK;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Takes a string on a line, which ends with it. */
static dgm_status take_string(struct dgm_env *env, struct reading *reading, size_t at, size_t end)
{
    struct dgm_po_entry *entry = reading->entry;
    struct dgm_buf *out = reading->what == ID       ? &entry->ids[0]
                          : reading->what == PLURAL ? &entry->ids[1]
                                                    : NULL;
    const size_t start = at;
    int is_string;

    DGM_TRY(read_string(env, reading->document, &at, end, out, &is_string));
    if (is_string && reading->what == FORM && entry->form_count > 0) {
        entry->forms[entry->form_count - 1].end = at;
        entry->is_said |= at - start > 2;
    }
    while (at < end && dgm_is_white(reading->document->bytes[at]))
        at++;
    entry->is_broken |= !is_string || at < end || reading->what == NOTHING;
    return DGM_OK;
}

/* The keyword that a line begins with, and the byte behind it. */
static enum what read_keyword(const char *text, size_t bytes, size_t *end)
{
    static const char *const words[] = { "", "msgctxt", "msgid", "msgid_plural", "msgstr" };
    size_t which;

    for (*end = 0; *end < bytes && (dgm_span_is_letter(text[*end]) || text[*end] == '_');)
        ++*end;
    which = dgm_bytes_which(text, *end, words, sizeof words / sizeof *words);
    if (which == 0 || which == sizeof words / sizeof *words)
        return NOTHING;
    if (which == FORM && *end < bytes && text[*end] == '[') {
        while (*end < bytes && text[*end] != ']')
            ++*end;
        *end += *end < bytes;
    }
    return (enum what)which;
}

/* Whether a line begins another entry: nothing but forms and strings follows a form. */
static int begins(const struct reading *reading, const struct dgm_document_line *line,
                  enum what what)
{
    const int is_blank = dgm_document_line_is_blank(reading->document, line);

    return reading->what == FORM && (is_blank || reading->document->bytes[line->start] == '#' ||
                                     what == CONTEXT || what == ID);
}

static int has_word(const char *text, size_t bytes, const char *word)
{
    const size_t length = strlen(word);

    for (size_t at = 0; at + length <= bytes; at++)
        if (memcmp(text + at, word, length) == 0)
            return 1;
    return 0;
}

static void take_comment(struct reading *reading, const struct dgm_document_line *line)
{
    const char *text = reading->document->bytes + line->start;
    struct dgm_po_entry *entry = reading->entry;

    if (reading->what == NOTHING && dgm_bytes_begin(text, line->end - line->start, "#~") > 0)
        entry->has_flags = entry->is_fuzzy = entry->is_c = 0; /* those were an obsolete entry's */
    if (reading->what != NOTHING || dgm_bytes_begin(text, line->end - line->start, "#,") == 0)
        return;
    if (!entry->has_flags)
        entry->start = line->start;
    entry->has_flags = 1;
    entry->is_fuzzy |= has_word(text, line->end - line->start, "fuzzy");
    entry->is_c |= has_word(text, line->end - line->start, " c-format");
}

static dgm_status take_keyword(struct dgm_env *env, struct reading *reading,
                               const struct dgm_document_line *line, enum what what, size_t length)
{
    struct dgm_po_entry *entry = reading->entry;
    size_t at = line->start + length;

    if (reading->what == NOTHING) {
        entry->keyword = line->start;
        if (!entry->has_flags)
            entry->start = line->start;
    }
    entry->is_broken |= what < reading->what || (what == reading->what && what != FORM);
    reading->what = what;
    entry->has_plural |= what == PLURAL;
    while (at < line->end && dgm_is_white(reading->document->bytes[at]))
        at++;
    if (what == FORM && entry->form_count < DGM_PO_FORMS)
        entry->forms[entry->form_count++].start = at;
    else
        entry->is_broken |= what == FORM;
    return take_string(env, reading, at, line->end);
}

static dgm_status take_line(struct dgm_env *env, struct reading *reading,
                            const struct dgm_document_line *line, enum what what, size_t length)
{
    size_t at = line->start;

    reading->entry->end = line->end;
    if (what != NOTHING)
        return take_keyword(env, reading, line, what, length);
    if (dgm_document_line_is_blank(reading->document, line))
        return DGM_OK;
    while (dgm_is_white(reading->document->bytes[at]))
        at++;
    if (reading->document->bytes[at] != '#')
        return take_string(env, reading, at, line->end);
    take_comment(reading, line);
    return DGM_OK;
}

static void begin(struct dgm_po_entry *entry)
{
    const struct dgm_buf id = entry->ids[0], plural = entry->ids[1];

    memset(entry, 0, sizeof *entry);
    entry->ids[0] = id;
    entry->ids[1] = plural;
    dgm_buf_reset(&entry->ids[0]);
    dgm_buf_reset(&entry->ids[1]);
}

dgm_status dgm_po_entry_read(struct dgm_env *env, struct dgm_po_entry *entry,
                             const struct dgm_document_parts *document, size_t at, size_t *next)
{
    struct reading reading = { document, entry, NOTHING };
    struct dgm_document_line line;

    begin(entry);
    for (*next = at; dgm_document_line(document, *next, &line); *next = line.next) {
        size_t length;
        const enum what what =
            read_keyword(document->bytes + line.start, line.end - line.start, &length);

        if (begins(&reading, &line, what))
            return DGM_OK;
        DGM_TRY(take_line(env, &reading, &line, what, length));
    }
    *next = document->size; /* a byte-order mark alone is no line */
    return DGM_OK;
}

void dgm_po_entry_clear(struct dgm_env *env, struct dgm_po_entry *entry)
{
    dgm_buf_clear(env, &entry->ids[0]);
    dgm_buf_clear(env, &entry->ids[1]);
    memset(entry, 0, sizeof *entry);
}
