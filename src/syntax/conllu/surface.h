/*
 * surface.h: the text that a sentence of CoNLL-U was cut from.
 *
 * Its tokens are the words and, for words inside a range `1-2`, the range in their place. Between
 * tokens stands a blank, unless MISC says otherwise: SpaceAfter=No, or, as UDPipe writes them,
 * SpacesAfter=, SpacesBefore= and SpacesInToken=, in which \s is a blank, \t a tab, \n and \r the
 * ends of lines, \p a bar and \\ a backslash.
 */
#ifndef DGM_SYNTAX_CONLLU_SURFACE_H
#define DGM_SYNTAX_CONLLU_SURFACE_H

#include "syntax/conllu/conllu.h"

/* A token of the text. */
struct dgm_surface_token {
    const struct dgm_conllu_row *row; /* a word, or a range */
    int32_t first, count;             /* its words, counted from 0 */
};

/* The token at row *at or behind it; *at moves behind the token. Returns 0 where there is none. */
int dgm_surface_next(const struct dgm_conllu_sentence *sentence, size_t *at,
                     struct dgm_surface_token *token);

/* Appends what a token is in the text; then what stands between it and the next one. */
dgm_status dgm_surface_add_form(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_conllu_sentence *sentence,
                                const struct dgm_surface_token *token);
dgm_status dgm_surface_add_space(struct dgm_env *env, struct dgm_buf *out,
                                 const struct dgm_conllu_sentence *sentence,
                                 const struct dgm_surface_token *token);

/* Appends the text of a whole sentence, what stands before and behind it included. */
dgm_status dgm_surface_add(struct dgm_env *env, struct dgm_buf *out,
                           const struct dgm_conllu_sentence *sentence);

/* Appends white space, or a token, as these fields hold it. */
dgm_status dgm_surface_escape(struct dgm_env *env, struct dgm_buf *out, const char *text,
                              size_t bytes);

#endif
