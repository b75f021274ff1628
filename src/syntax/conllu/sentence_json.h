/*
 * sentence_json.h: a sentence of CoNLL-U as one line of JSON.
 *
 *     {"text": "The dog barks.", "words": [
 *      {"id": 1, "form": "The", "upos": "DET", "head": 2, "deprel": "det", "start": 0,
 *       "end": 3}, ...]}
 *
 * Members are named after the columns; one that would be `_` is left out. `head` is a number.
 * TokenRange of MISC becomes `start` and `end`, in characters from 0, Prob becomes `prob`; the rest
 * stays `misc`. "ranges" (1-2) and "empty" (8.1) stand behind the words where there are any,
 * `sent_id` and other comments before them. Every value is well-formed UTF-8.
 */
#ifndef DGM_SYNTAX_CONLLU_SENTENCE_JSON_H
#define DGM_SYNTAX_CONLLU_SENTENCE_JSON_H

#include "syntax/conllu/conllu.h"

/* Appends the line with its LF. */
dgm_status dgm_sentence_json(struct dgm_env *env, struct dgm_buf *out,
                             const struct dgm_conllu_sentence *sentence);

#endif
