/*
 * html.c: web pages. Text between blocks is a segment, with the elements inside it as tags; values
 * of alt, title, placeholder and aria-label are segments, too. Code, scripts, what is preformatted,
 * and what says translate="no" stay.
 *
 * A tree is not needed for that, and a page nested 100,000 deep takes no longer than another: each
 * token says what it is.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/document/entity.h"
#include "text/document/html_token.h"
#include "text/document/maker.h"
#include "text/document/tagged.h"
#include "text/span/span.h"

/* ---- elements -------------------------------------------------------------------------------- */

enum element {
    BLOCK,  /* ends a text, and so does what is not known */
    INLINE, /* is markup of a text */
    THING,  /* a picture, a field: a word of a text, without content */
    CODE,   /* a word of a text, whose content stays */
    OPAQUE  /* ends a text; its content stays */
};

/* Whether a name is in a list with blanks around each. */
static int is_in(const char *names, const char *name)
{
    const size_t length = strlen(name);
    const char *at = names;

    while (length > 0 && (at = strstr(at, name)) != NULL) {
        if (at[-1] == ' ' && at[length] == ' ')
            return 1;
        at += length;
    }
    return 0;
}

static enum element element_of(const char *name)
{
    static const struct {
        const char *names; /* between blanks */
        enum element element;
    } kinds[] = {
        { " a abbr acronym b bdi bdo big cite data del dfn em font i ins label mark nobr q rb rp "
          "rt ruby s small span strike strong sub sup time u wbr ",
          INLINE },
        { " img input ", THING },
        { " code kbd samp var math svg ", CODE },
        { " pre script style textarea xmp iframe noembed noframes plaintext template ", OPAQUE },
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (is_in(kinds[i].names, name))
            return kinds[i].element;
    return BLOCK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* An element whose content stays, from its first tag on. */
struct kept {
    char name[DGM_HTML_NAME]; /* "": there is none */
    int is_word;              /* of a text; else it ends one */
    size_t start;
    size_t inner; /* elements in it that are open: of its name, or of any that is always closed */
};

struct reading {
    struct dgm_document_parts *document;
    struct dgm_maker maker;
    struct dgm_html_token token;
    struct kept kept;
    struct dgm_buf value;
};

static int is_called(const struct reading *reading, const struct dgm_html_attribute *attribute,
                     const char *name)
{
    const char *text = reading->document->bytes + attribute->name;

    if (attribute->name_bytes != strlen(name))
        return 0;
    for (size_t i = 0; name[i] != '\0'; i++)
        if (text[i] != name[i] && text[i] != name[i] - 'a' + 'A')
            return 0;
    return 1;
}

/* Whether a tag says that nothing of its element is translated. */
static int says_no(const struct reading *reading)
{
    const char *text = reading->document->bytes;
    struct dgm_html_attribute attribute;

    for (size_t at = reading->token.name_end;
         dgm_html_attribute(text, &reading->token, &at, &attribute);)
        if (is_called(reading, &attribute, "translate") &&
            dgm_bytes_are(text + attribute.start, attribute.end - attribute.start, "no"))
            return 1;
    return 0;
}

/* The text of a value; *is_known 0: it has a character whose name is not known. */
static dgm_status read_value(struct dgm_env *env, struct reading *reading,
                             struct dgm_html_attribute *attribute, int *is_known)
{
    const char *text = reading->document->bytes;
    size_t at, taken;

    dgm_buf_reset(&reading->value);
    *is_known = 1;
    while (attribute->start < attribute->end && dgm_is_white(text[attribute->start]))
        attribute->start++;
    while (attribute->end > attribute->start && dgm_is_white(text[attribute->end - 1]))
        attribute->end--;
    for (at = attribute->start; at < attribute->end && *is_known; at += taken) {
        char character[4];
        size_t length = 0;

        taken = text[at] == '&'
                    ? dgm_entity_read(text + at, attribute->end - at, character, &length)
                    : 0;
        *is_known =
            taken > 0 || text[at] != '&' || dgm_entity_named(text + at, attribute->end - at) == 0;
        if (taken == 0) {
            taken = length = 1;
            character[0] = dgm_is_white(text[at]) ? ' ' : text[at];
        }
        DGM_TRY(dgm_buf_add(env, &reading->value, character, length));
    }
    return DGM_OK;
}

static dgm_status read_attributes(struct dgm_env *env, struct reading *reading)
{
    static const char *const names[] = { "alt", "title", "placeholder", "aria-label" };
    struct dgm_html_attribute attribute;

    for (size_t at = reading->token.name_end;
         dgm_html_attribute(reading->document->bytes, &reading->token, &at, &attribute);) {
        int is_known = 0;

        for (size_t i = 0; i < sizeof names / sizeof *names && !is_known; i++)
            is_known = is_called(reading, &attribute, names[i]);
        if (is_known)
            DGM_TRY(read_value(env, reading, &attribute, &is_known));
        if (is_known)
            DGM_TRY(dgm_maker_aside(env, &reading->maker, attribute.start, attribute.end,
                                    reading->value.data, reading->value.size,
                                    attribute.quote != 0 ? attribute.quote : ' '));
    }
    return DGM_OK;
}

static dgm_status read_text(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_html_token *token = &reading->token;
    const char *text = reading->document->bytes;
    size_t at = token->start, end, taken;

    for (; at < token->end; at = end) {
        const char *next = memchr(text + at + 1, '&', token->end - at - 1);

        taken = 0;
        if (text[at] == '&')
            DGM_TRY(
                dgm_entity_add(env, &reading->maker, reading->document, at, token->end, &taken));
        end = taken > 0 ? at + taken : next != NULL ? (size_t)(next - text) : token->end;
        if (taken == 0)
            DGM_TRY(dgm_maker_text(env, &reading->maker, at, end, text + at, end - at));
    }
    return DGM_OK;
}

static dgm_status end_text(struct dgm_env *env, struct reading *reading)
{
    return dgm_maker_end(env, &reading->maker, reading->document, 0);
}

static dgm_status add_markup(struct dgm_env *env, struct reading *reading, enum dgm_maker_kind kind,
                             size_t start, size_t end)
{
    return dgm_maker_markup(env, &reading->maker, kind, start, end, reading->token.name,
                            strlen(reading->token.name));
}

/* Whether a tag has no other that closes it: by its name or, but for scripts, by a / of XML. */
static int is_empty(const struct reading *reading)
{
    const char *name = reading->token.name;

    if (is_in(" area base br col embed hr img input link meta param source track wbr ", name))
        return 1;
    return reading->document->bytes[reading->token.end - 2] == '/' && element_of(name) != OPAQUE;
}

/* From this tag on content stays, up to the tag that closes it. */
static dgm_status begin_kept(struct dgm_env *env, struct reading *reading, int is_word)
{
    struct kept *kept = &reading->kept;

    if (!is_word)
        DGM_TRY(end_text(env, reading));
    if (is_empty(reading))
        return is_word ? add_markup(env, reading, DGM_PIECE_THING, reading->token.start,
                                    reading->token.end)
                       : DGM_OK;
    memcpy(kept->name, reading->token.name, sizeof kept->name);
    kept->is_word = is_word;
    kept->start = reading->token.start;
    kept->inner = 0;
    return DGM_OK;
}

static dgm_status read_start(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_html_token *token = &reading->token;
    const enum element element = element_of(token->name);

    if (token->name[0] != '\0' && says_no(reading))
        return begin_kept(env, reading, element != BLOCK && element != OPAQUE);
    if (element == CODE || element == OPAQUE)
        return begin_kept(env, reading, element == CODE);
    if (element == BLOCK)
        DGM_TRY(end_text(env, reading));
    DGM_TRY(read_attributes(env, reading));
    if (element == BLOCK)
        return end_text(env, reading);
    return add_markup(env, reading,
                      element == THING    ? DGM_PIECE_THING
                      : is_empty(reading) ? DGM_PIECE_MARK
                                          : DGM_PIECE_OPENS,
                      token->start, token->end);
}

static dgm_status read_token(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_html_token *token = &reading->token;

    switch (token->kind) {
    case DGM_HTML_TEXT: return read_text(env, reading);
    case DGM_HTML_START: return read_start(env, reading);
    case DGM_HTML_END:
        if (element_of(token->name) == INLINE)
            return add_markup(env, reading, DGM_PIECE_CLOSES, token->start, token->end);
        return end_text(env, reading);
    case DGM_HTML_RAW: return read_text(env, reading); /* of <title> alone: others are kept */
    case DGM_HTML_OTHER: break;
    }
    return add_markup(env, reading, DGM_PIECE_MARK, token->start, token->end);
}

/* ---- content that stays ---------------------------------------------------------------------- */

/* Elements that end where the next one of their name begins. */
static int ends_at_next(const char *name)
{
    return is_in(" p li dt dd tr td th option ", name);
}

static dgm_status end_kept(struct dgm_env *env, struct reading *reading, size_t end)
{
    const struct kept kept = reading->kept;

    memset(&reading->kept, 0, sizeof reading->kept);
    return kept.is_word
               ? dgm_maker_markup(env, &reading->maker, DGM_PIECE_THING, kept.start, end, "", 0)
               : DGM_OK;
}

/* How a tag inside of what stays ends it. */
enum ending { GOES_ON, ENDS_WITH, ENDS_BEFORE };

/* An element that the next of its name, or the end of what it is in, ends, too. */
static enum ending look_loose(struct kept *kept, const struct dgm_html_token *token, int is_same)
{
    const int ends = token->kind == DGM_HTML_END;

    if (kept->inner == 0 && is_same)
        return ends ? ENDS_WITH : ENDS_BEFORE;
    if (ends_at_next(token->name))
        return GOES_ON;
    if (kept->inner == 0 && ends)
        return ENDS_BEFORE;
    if (ends)
        kept->inner--;
    else
        kept->inner++;
    return GOES_ON;
}

static enum ending look(struct reading *reading)
{
    const struct dgm_html_token *token = &reading->token;
    struct kept *kept = &reading->kept;
    const int is_same = strcmp(token->name, kept->name) == 0;

    if ((token->kind != DGM_HTML_START && token->kind != DGM_HTML_END) || is_empty(reading))
        return GOES_ON;
    if (ends_at_next(kept->name))
        return look_loose(kept, token, is_same);
    if (!is_same) /* of a word that nobody has closed, a block is the end */
        return kept->is_word && element_of(token->name) == BLOCK && !is_in(" svg math ", kept->name)
                   ? ENDS_BEFORE
                   : GOES_ON;
    if (token->kind == DGM_HTML_END)
        return kept->inner-- == 0 ? ENDS_WITH : GOES_ON;
    kept->inner++;
    return GOES_ON;
}

/* A token inside; *is_new: it is behind it, after all. */
static dgm_status pass_kept(struct dgm_env *env, struct reading *reading, int *is_new)
{
    const enum ending ending = look(reading);

    *is_new = ending == ENDS_BEFORE;
    if (ending == GOES_ON)
        return DGM_OK;
    return end_kept(env, reading, *is_new ? reading->token.start : reading->token.end);
}

static dgm_status read_all(struct dgm_env *env, struct reading *reading)
{
    const struct dgm_document_parts *document = reading->document;
    size_t at = dgm_bytes_begin(document->bytes, document->size, "\xEF\xBB\xBF");

    while (dgm_html_next(document->bytes, document->size, &at, &reading->token)) {
        int is_new = 1;

        if (reading->kept.name[0] != '\0')
            DGM_TRY(pass_kept(env, reading, &is_new));
        if (is_new)
            DGM_TRY(read_token(env, reading));
    }
    if (reading->kept.name[0] != '\0')
        DGM_TRY(end_kept(env, reading, document->size));
    return end_text(env, reading);
}

static dgm_status html_read(struct dgm_env *env, struct dgm_document_parts *document)
{
    struct reading reading = { .document = document };
    const dgm_status status = read_all(env, &reading);

    dgm_maker_clear(env, &reading.maker);
    dgm_buf_clear(env, &reading.value);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* A value in its quotes; one that had none gets some. */
static dgm_status spell_value(struct dgm_env *env, const struct dgm_document_parts *document,
                              const struct dgm_said *said, struct dgm_buf *out)
{
    const int note = document->segments[said->segment].note;
    const char *text = dgm_said_text(document, said);

    if (note == ' ')
        DGM_TRY(dgm_buf_add_char(env, out, '"'));
    for (size_t i = 0; i < said->bytes; i++)
        if (text[i] == '"' && note != '\'')
            DGM_TRY(dgm_buf_add_text(env, out, "&quot;"));
        else if (text[i] == '\'' && note == '\'')
            DGM_TRY(dgm_buf_add_text(env, out, "&#39;"));
        else
            DGM_TRY(dgm_entity_spell(env, document, out, text + i, 1));
    return note == ' ' ? dgm_buf_add_char(env, out, '"') : DGM_OK;
}

/* The translations of values that go out with a text. */
struct values {
    const struct dgm_said *said;
    size_t count;
};

/* The first that does not begin before a byte. */
static size_t find_value(const struct dgm_document_parts *document, const struct values *values,
                         size_t start)
{
    size_t low = 0, high = values->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (document->segments[values->said[middle].segment].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Bytes of the document, but for values that are new. */
static dgm_status copy(struct dgm_env *env, const struct dgm_document_parts *document,
                       const struct values *values, size_t start, size_t end, struct dgm_buf *out)
{
    for (size_t i = find_value(document, values, start); i < values->count; i++) {
        const struct dgm_segment *value = &document->segments[values->said[i].segment];

        if (value->start >= end)
            break;
        if (!values->said[i].is_new)
            continue;
        DGM_TRY(dgm_buf_add(env, out, document->bytes + start, value->start - start));
        DGM_TRY(spell_value(env, document, &values->said[i], out));
        start = value->end;
    }
    return dgm_buf_add(env, out, document->bytes + start, end - start);
}

static dgm_status write_text(struct dgm_env *env, const struct dgm_document_parts *document,
                             const struct dgm_said *said, const struct values *values,
                             struct dgm_buf *out)
{
    const struct dgm_segment *segment = &document->segments[said->segment];
    const char *text = dgm_said_text(document, said);
    struct dgm_tagged part;
    size_t at = 0;

    while (dgm_tagged_next(document, segment, text, said->bytes, &at, &part)) {
        const struct dgm_document_tag *tag =
            part.tag >= 0 ? &document->tags[segment->first_tag + (size_t)part.tag] : NULL;

        if (tag != NULL)
            DGM_TRY(copy(env, document, values, tag->start, tag->end, out));
        else
            DGM_TRY(dgm_entity_spell(env, document, out, part.text, part.bytes));
    }
    return DGM_OK;
}

static dgm_status html_write(struct dgm_env *env, const struct dgm_document_parts *document,
                             const struct dgm_said *said, size_t count, struct dgm_buf *out)
{
    const struct values values = { said, count - 1 };
    const struct dgm_segment *segment;

    said += count - 1;
    segment = &document->segments[said->segment];
    if (segment->note != 0)
        return spell_value(env, document, said, out);
    if (!said->is_new)
        return copy(env, document, &values, segment->start, segment->end, out);
    return write_text(env, document, said, &values, out);
}

const struct dgm_document_format dgm_document_html = { "html", html_read, html_write };
