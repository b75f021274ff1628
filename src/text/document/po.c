/*
 * po.c: catalogues of messages (.po, GNU gettext). A message that has no translation gets one, with
 * the flag `fuzzy`, as what a person has yet to look at; what is translated, be it fuzzy, stays.
 *
 * Each line of a message is a segment. The letter that _ or & marks as a key is that of the first
 * word of the translation. Of several forms the first is that of msgid, the others and a form alone
 * are those of msgid_plural.
 */
#include <string.h>

#include "base/bytes.h"
#include "text/document/entity.h"
#include "text/document/maker.h"
#include "text/document/po_entry.h"
#include "text/document/po_format.h"
#include "text/document/tagged.h"
#include "text/span/span.h"

/* ---- parts of a message ---------------------------------------------------------------------- */

/* A line of a message, without blanks at its ends. Text where tags can have a letter, too. */
struct part {
    size_t start, end;
    char mark;      /* of its key; 0: none */
    size_t mark_at; /* byte of it */
    int is_text;    /* has letters */
};

/* "_Open", "Save &As": a mark before a word, the only one. */
static void find_mark(const char *text, struct part *part)
{
    int marks = 0;

    for (size_t i = part->start; i < part->end; i++) {
        if (text[i] != '_' && text[i] != '&')
            continue;
        marks++;
        if (i + 1 < part->end && dgm_entity_named(text + i, part->end - i) == 0 &&
            (dgm_span_is_letter(text[i + 1]) || (text[i + 1] & 0x80) != 0) &&
            (i == part->start || text[i - 1] == ' ')) {
            part->mark = text[i];
            part->mark_at = i;
        }
    }
    if (marks != 1)
        part->mark = 0;
}

/* The next part from *at on; 0: none is left. */
static int next_part(const struct dgm_buf *message, size_t *at, struct part *part)
{
    const char *text = message->data, *lf;

    if (*at >= message->size)
        return 0;
    lf = memchr(text + *at, '\n', message->size - *at);
    *part = (struct part){ .start = *at, .end = lf != NULL ? (size_t)(lf - text) : message->size };
    *at = part->end + 1;
    while (part->start < part->end && dgm_is_white(text[part->start]))
        part->start++;
    while (part->end > part->start && dgm_is_white(text[part->end - 1]))
        part->end--;
    part->is_text = dgm_is_translatable(text + part->start, part->end - part->start) &&
                    dgm_tag_letter(text + part->start, part->end - part->start) != 0;
    if (part->is_text)
        find_mark(text, part);
    return 1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_open(const struct dgm_po_entry *entry)
{
    return entry->form_count > 0 && !entry->is_said && !entry->is_broken &&
           entry->ids[0].size > 0 &&
           (entry->has_plural ? entry->ids[1].size > 0 : entry->form_count == 1);
}

/* Whether a form is that of msgid or of msgid_plural. */
static int id_of(const struct dgm_po_entry *entry, int form)
{
    return entry->has_plural && (form > 0 || entry->form_count == 1);
}

static dgm_status add_part(struct dgm_env *env, struct dgm_document_parts *document,
                           const struct dgm_po_entry *entry, const char *text,
                           const struct part *part, struct dgm_buf *bare)
{
    const size_t at = entry->start;

    if (entry->is_c)
        return dgm_po_format_add(env, document, text, part->start, part->end,
                                 part->mark != 0 ? part->mark_at : SIZE_MAX, at, part->mark);
    dgm_buf_reset(bare);
    for (size_t i = part->start; i < part->end; i++)
        if (part->mark == 0 || i != part->mark_at)
            DGM_TRY(dgm_buf_add_char(env, bare, dgm_is_white(text[i]) ? ' ' : text[i]));
    return dgm_maker_plain(env, document, at, at, bare->data, bare->size, part->mark, 1);
}

static dgm_status add_message(struct dgm_env *env, struct dgm_document_parts *document,
                              const struct dgm_po_entry *entry, int id, struct dgm_buf *bare)
{
    const struct dgm_buf *message = &entry->ids[id];
    struct part part;

    for (size_t at = 0; next_part(message, &at, &part);)
        if (part.is_text)
            DGM_TRY(add_part(env, document, entry, message->data, &part, bare));
    return DGM_OK;
}

/* The last segment of the entry is that of all of it. */
static dgm_status add_entry(struct dgm_env *env, struct dgm_document_parts *document,
                            const struct dgm_po_entry *entry, struct dgm_buf *bare)
{
    const size_t count = document->count;

    if (id_of(entry, 0) == 0)
        DGM_TRY(add_message(env, document, entry, 0, bare));
    if (entry->has_plural)
        DGM_TRY(add_message(env, document, entry, 1, bare));
    if (document->count > count) {
        document->segments[document->count - 1].waits = 0;
        document->segments[document->count - 1].end = entry->end;
    }
    return DGM_OK;
}

static dgm_status po_read(struct dgm_env *env, struct dgm_document_parts *document)
{
    struct dgm_po_entry entry = { 0 };
    struct dgm_buf bare = { 0 };
    dgm_status status = DGM_OK;

    for (size_t at = 0; at < document->size;) {
        size_t next;

        DGM_TRY_OUT(dgm_po_entry_read(env, &entry, document, at, &next));
        if (is_open(&entry))
            DGM_TRY_OUT(add_entry(env, document, &entry, &bare));
        at = next;
    }
out:
    dgm_po_entry_clear(env, &entry);
    dgm_buf_clear(env, &bare);
    return status;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The first letter of a text that is none of a tag's or a placeholder's. */
static size_t find_letter(const char *text, size_t bytes)
{
    for (size_t at = 0, taken; at<bytes; at += taken> 0 ? taken : 1) {
        taken = dgm_span_tag(text, bytes, at);
        if (taken == 0)
            taken = dgm_span_placeholder(text, bytes, at);
        if (taken == 0 && (dgm_span_is_letter(text[at]) || (text[at] & 0x80) != 0))
            return at;
    }
    return bytes;
}

static dgm_status add_marked(struct dgm_env *env, struct dgm_buf *out, const char *text,
                             size_t bytes, char mark)
{
    const size_t at = mark != 0 ? find_letter(text, bytes) : bytes;

    DGM_TRY(dgm_buf_add(env, out, text, at));
    if (at < bytes)
        DGM_TRY(dgm_buf_add_char(env, out, mark));
    return dgm_buf_add(env, out, text + at, bytes - at);
}

/* Of a message of C: whether its translation has conversions in another order, so that they are
 * numbered; where they cannot be, since some have numbers of their own or are not in a text, none
 * is. */
static int is_numbered(const struct dgm_document_parts *document, const struct dgm_buf *message,
                       const struct dgm_said *said)
{
    int in_order = 1, can = 1;
    struct part part;

    for (size_t at = 0; next_part(message, &at, &part);) {
        for (size_t i = part.start; i < part.end; i++) {
            const size_t bytes = dgm_po_conversion(message->data + i, part.end - i);

            if (bytes > 0 && (!part.is_text || memchr(message->data + i, '$', bytes) != NULL ||
                              memchr(message->data + i, '*', bytes) != NULL))
                can = 0;
        }
        if (part.is_text)
            in_order &= dgm_po_format_in_order(document, said++);
    }
    return can && !in_order;
}

/* A translation, with the conversions that its tags are. */
static dgm_status write_words(struct dgm_env *env, const struct dgm_document_parts *document,
                              const char *message, const struct dgm_said *said, int is_c,
                              size_t number, struct dgm_buf *out)
{
    dgm_buf_reset(out);
    if (is_c)
        return dgm_po_format_write(env, document, said, message, number, out);
    return dgm_buf_add(env, out, dgm_said_text(document, said), said->bytes);
}

/* Where a message is written, and a part of it before its mark is put in. */
struct room {
    struct dgm_buf text, words;
};

/* The message with the translations of its parts, of which it takes as many as it needs. */
static dgm_status translate(struct dgm_env *env, const struct dgm_document_parts *document,
                            const struct dgm_buf *message, int is_c, const struct dgm_said **said,
                            struct room *room)
{
    size_t done = 0, number = is_c && is_numbered(document, message, *said) ? 1 : 0;
    struct part part;

    dgm_buf_reset(&room->text);
    for (size_t at = 0; next_part(message, &at, &part); done = part.end) {
        DGM_TRY(dgm_buf_add(env, &room->text, message->data + done, part.start - done));
        if (!part.is_text) {
            DGM_TRY(
                dgm_buf_add(env, &room->text, message->data + part.start, part.end - part.start));
            continue;
        }
        DGM_TRY(write_words(env, document, message->data, *said, is_c, number, &room->words));
        DGM_TRY(add_marked(env, &room->text, room->words.data, room->words.size, part.mark));
        number += number > 0 ? document->segments[(*said)->segment].tag_count : 0;
        ++*said;
    }
    return dgm_buf_add(env, &room->text, message->data + done, message->size - done);
}

/* The entry up to its first form, fuzzy. */
static dgm_status write_head(struct dgm_env *env, const struct dgm_document_parts *document,
                             const struct dgm_po_entry *entry, struct dgm_buf *out)
{
    size_t at = entry->start;

    if (!entry->is_fuzzy && entry->has_flags) {
        DGM_TRY(dgm_buf_add_text(env, out, "#, fuzzy,"));
        at += 2;
    } else if (!entry->is_fuzzy) {
        DGM_TRY(dgm_buf_add_text(env, out, "#, fuzzy"));
        DGM_TRY(dgm_buf_add_text(env, out, document->newline));
    }
    return dgm_buf_add(env, out, document->bytes + at, entry->forms[0].start - at);
}

static dgm_status write_entry(struct dgm_env *env, const struct dgm_document_parts *document,
                              const struct dgm_po_entry *entry, const struct dgm_said *said,
                              struct room *room, struct dgm_buf *out)
{
    const struct dgm_said *plural = said, *next = said;

    DGM_TRY(write_head(env, document, entry, out));
    for (int form = 0; form < entry->form_count; form++) {
        const size_t end = form + 1 < entry->form_count ? entry->forms[form + 1].start : entry->end;

        next = plural;
        DGM_TRY(
            translate(env, document, &entry->ids[id_of(entry, form)], entry->is_c, &next, room));
        if (form == 0)
            plural = next;
        DGM_TRY(dgm_po_spell(env, out, room->text.data, room->text.size, document->newline));
        DGM_TRY(dgm_buf_add(env, out, document->bytes + entry->forms[form].end,
                            end - entry->forms[form].end));
    }
    return DGM_OK;
}

static dgm_status po_write(struct dgm_env *env, const struct dgm_document_parts *document,
                           const struct dgm_said *said, size_t count, struct dgm_buf *out)
{
    const size_t start = document->segments[said->segment].start;
    struct dgm_po_entry entry = { 0 };
    struct room room = { .text = { 0 } };
    dgm_status status;
    size_t next;

    (void)count; /* as many as the entry has parts */
    DGM_TRY_OUT(dgm_po_entry_read(env, &entry, document, start, &next));
    status = write_entry(env, document, &entry, said, &room, out);
out:
    dgm_po_entry_clear(env, &entry);
    dgm_buf_clear(env, &room.text);
    dgm_buf_clear(env, &room.words);
    return status;
}

const struct dgm_document_format dgm_document_po = { "po", po_read, po_write };
