/*
 * general.h: the general rules that cut words, for languages that Moses has no rules for here.
 */
#ifndef DGM_TEXT_TOKENIZE_GENERAL_H
#define DGM_TEXT_TOKENIZE_GENERAL_H

#include "text/tokenize/passes.h"

/* A pass that cuts the marks at either end of each word off it, each where detokenising joins it
 * again (joins.h), and leaves what is within words: 23:45, 2013-2014, EU:n. A single full stop at
 * the end of a word is left to the pass for full stops. `language` may be NULL. */
dgm_status dgm_split_ends(struct dgm_passes *passes, const char *language);

#endif
