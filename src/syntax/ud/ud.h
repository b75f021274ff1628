/*
 * ud.h: whether a file of CoNLL-U is as Universal Dependencies wants it (options.strict).
 *
 * The rules are those of levels 1 (the format) and 2 (what holds for every language) of UD's
 * validator, as universaldependencies.org/format.html describes them. The first fault is an error
 * that says where it stands, what was found and what was expected. What the validator only warns
 * of passes. doc/parsing.md lists where it and these checks differ.
 *
 * A reader owns one dgm_ud: it knows what sentences before have said, as some rules are about
 * several: a sent_id stands once in a file, DEPS in all sentences or in none.
 */
#ifndef DGM_SYNTAX_UD_UD_H
#define DGM_SYNTAX_UD_UD_H

#include "syntax/conllu/conllu_reader.h"

struct dgm_ud;

/* Of a file from its beginning. Freed by dgm_ud_free, which takes NULL, too. */
dgm_status dgm_ud_new(struct dgm_env *env, struct dgm_ud **ud);
void dgm_ud_free(struct dgm_env *env, struct dgm_ud *ud);

/* Checks the line at hand of a reader as it stands in the file, an empty one too. */
dgm_status dgm_ud_line(struct dgm_env *env, struct dgm_conllu_reader *reader);

/* Checks a sentence with at least one word, whose tree the reader has found to be one. */
dgm_status dgm_ud_sentence(struct dgm_env *env, struct dgm_conllu_reader *reader,
                           const struct dgm_conllu_sentence *sentence);

#endif
