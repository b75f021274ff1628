/*
 * json_text.h: text between quotation marks, as JSON has it.
 *
 * Control characters, and those that reorder text, never reach the output as they are: names in a
 * file must not steer the terminal of whoever looks at it. Bytes that are no UTF-8 become \ufffd.
 */
#ifndef DGM_TEXT_JSON_TEXT_H
#define DGM_TEXT_JSON_TEXT_H

#include "base/buf.h"

/* Appends the escaped text without quotation marks. */
dgm_status dgm_json_text_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                                size_t bytes);
/* The same between quotation marks. */
dgm_status dgm_json_text_quote(struct dgm_env *env, struct dgm_buf *out, const char *text,
                               size_t bytes);

#endif
