/*
 * maker.h: how a reader makes a segment: pieces of text and of markup, one behind the other, until
 * the text ends; what of the markup at its ends it need not know stays outside.
 */
#ifndef DGM_TEXT_DOCUMENT_MAKER_H
#define DGM_TEXT_DOCUMENT_MAKER_H

#include "text/document/document.h"

enum dgm_maker_kind {
    DGM_PIECE_TEXT,
    DGM_PIECE_OPENS, /* markup around words, up to DGM_PIECE_CLOSES of its name */
    DGM_PIECE_CLOSES,
    DGM_PIECE_MARK, /* markup between words: a time, what is closed elsewhere */
    DGM_PIECE_THING /* what stands in a sentence as a word does: a picture, code */
};

struct dgm_piece {
    enum dgm_maker_kind kind;
    size_t start, end;  /* bytes of the document */
    size_t text, bytes; /* of maker->texts: the text, or the name of markup */
    int32_t mate;       /* piece that closes this one or that this one closes, or -1 */
};

/* A text inside markup, as the value of an attribute is: a segment of its own. */
struct dgm_aside {
    size_t start, end;
    size_t text, bytes; /* of maker->texts */
    int note;
};

/* Zeroed is valid; cleared in any case. */
struct dgm_maker {
    struct dgm_piece *pieces;
    size_t count, capacity;
    struct dgm_aside *asides;
    size_t aside_count, aside_capacity;
    struct dgm_buf texts;
};

/* Text as it is read, in which any white space is one blank. */
dgm_status dgm_maker_text(struct dgm_env *env, struct dgm_maker *maker, size_t start, size_t end,
                          const char *text, size_t bytes);
dgm_status dgm_maker_markup(struct dgm_env *env, struct dgm_maker *maker, enum dgm_maker_kind kind,
                            size_t start, size_t end, const char *name, size_t bytes);
dgm_status dgm_maker_aside(struct dgm_env *env, struct dgm_maker *maker, size_t start, size_t end,
                           const char *text, size_t bytes, int note);
/* Makes a segment of all that was added, if it has a letter, and begins anew. */
dgm_status dgm_maker_end(struct dgm_env *env, struct dgm_maker *maker,
                         struct dgm_document_parts *document, int note);
/* Adds a segment of a text without markup. */
dgm_status dgm_maker_plain(struct dgm_env *env, struct dgm_document_parts *document, size_t start,
                           size_t end, const char *text, size_t bytes, int note, int waits);
/* Adds a segment whose text, and tags, are in the document by now. */
dgm_status dgm_segment_add(struct dgm_env *env, struct dgm_document_parts *document,
                           const struct dgm_segment *segment);
/* A letter for tags that a text has none of; 0: there is none. */
char dgm_tag_letter(const char *text, size_t bytes);
void dgm_maker_clear(struct dgm_env *env, struct dgm_maker *maker);

/* Whether a text has a letter, and is UTF-8 without NUL: else it stays as it is. */
int dgm_is_translatable(const char *text, size_t bytes);
/* Blank, tab, LF, FF, CR. */
int dgm_is_white(char byte);

#endif
