/*
 * comment.h: comments of CoNLL-U that are values, `# name = value`.
 */
#ifndef DGM_SYNTAX_CONLLU_COMMENT_H
#define DGM_SYNTAX_CONLLU_COMMENT_H

#include "syntax/conllu/conllu.h"

/* The value of this comment, if that is its name, or NULL. Blanks around '=' may be missing. */
const char *dgm_conllu_comment_value(const char *comment, const char *name);
/* The first value of this name among the comments of a sentence, or NULL. */
const char *dgm_conllu_comment(const struct dgm_conllu_sentence *sentence, const char *name);

/* Whether a text can be, or begin, a # sent_id of UD: well-formed, no white space, one slash at
 * most. */
int dgm_conllu_is_id(const char *text);

#endif
