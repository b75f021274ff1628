/* po_entry.h: one entry of a catalogue of messages, as GNU gettext writes them. */
#ifndef DGM_TEXT_DOCUMENT_PO_ENTRY_H
#define DGM_TEXT_DOCUMENT_PO_ENTRY_H

#include "text/document/document.h"

/* Forms of a translation at most; no language has more than six. */
enum { DGM_PO_FORMS = 16 };

/* Zeroed is valid; reused; cleared. */
struct dgm_po_entry {
    size_t start, end;     /* bytes of the document, from the line of flags or else of the first
                            * keyword on */
    size_t keyword;        /* line of the first keyword */
    int has_flags;         /* a line "#, ..." */
    int is_fuzzy, is_c;    /* fuzzy, c-format is among them */
    struct dgm_buf ids[2]; /* msgid and msgid_plural, without escapes */
    int has_plural;
    struct {
        size_t start, end; /* bytes of the document, quotes included */
    } forms[DGM_PO_FORMS]; /* msgstr, or msgstr[0] ... */
    int form_count;
    int is_said;   /* some form is not empty */
    int is_broken; /* it has what no entry has */
};

/* The entry that begins at byte `at` of a document or behind; *next: where another one may. */
dgm_status dgm_po_entry_read(struct dgm_env *env, struct dgm_po_entry *entry,
                             const struct dgm_document_parts *document, size_t at, size_t *next);
void dgm_po_entry_clear(struct dgm_env *env, struct dgm_po_entry *entry);
/* Appends a text as a string in quotes: on lines of its own where it has several. */
dgm_status dgm_po_spell(struct dgm_env *env, struct dgm_buf *out, const char *text, size_t bytes,
                        const char *newline);

#endif
