/*
 * html_token.h: HTML, and what else has its tags, from token to token: as its standard's tokeniser
 * cuts it, in one pass, without a tree.
 */
#ifndef DGM_TEXT_DOCUMENT_HTML_TOKEN_H
#define DGM_TEXT_DOCUMENT_HTML_TOKEN_H

#include "base/env.h"

enum dgm_html_kind {
    DGM_HTML_TEXT,
    DGM_HTML_START,
    DGM_HTML_END,
    DGM_HTML_RAW,  /* the content of an element that has no tags in it: <script>, <title> */
    DGM_HTML_OTHER /* a comment, a declaration, a tag that never ends */
};

/* Names of elements that are known have fewer letters. */
enum { DGM_HTML_NAME = 16 };

struct dgm_html_token {
    enum dgm_html_kind kind;
    size_t start, end;
    size_t name_end;          /* of a tag */
    char name[DGM_HTML_NAME]; /* of a tag, in small letters; "": a longer one */
};

struct dgm_html_attribute {
    size_t name, name_bytes;
    size_t start, end; /* of the value, without its quotes */
    char quote;        /* " or ', or 0 */
};

/* The token from *at on; 0: there is none. `token` holds the one before it, or zeros. */
int dgm_html_next(const char *text, size_t bytes, size_t *at, struct dgm_html_token *token);
/* The next attribute of a tag from *at on, which is its name_end at first; 0: there is none. */
int dgm_html_attribute(const char *text, const struct dgm_html_token *token, size_t *at,
                       struct dgm_html_attribute *attribute);

#endif
