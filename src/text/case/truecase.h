/*
 * truecase.h: the head of a sentence without the capital that it owes to its place, and back.
 *
 * "The man saw Berlin ." and "Berlin is big ." become "the man saw Berlin ." and "Berlin is big .":
 * "The" and "the" are one word, and names stay names. Lita, Ittycheriah, Roukos and Kambhatla,
 * "tRuEcasIng", ACL 2003; the statistics are Moses' (truecase_model.h), but a head that has more
 * capitals than its first letter (US, McDonald) is taken for no word that has fewer.
 */
#ifndef DGM_TEXT_CASE_TRUECASE_H
#define DGM_TEXT_CASE_TRUECASE_H

#include "text/bpe/tally.h"
#include "text/case/truecase_model.h"

/* Scratch memory of one user. Zeroed: none yet. */
struct dgm_truecase_scratch {
    struct dgm_buf clean;
    struct dgm_truecase_keys keys;
};
void dgm_truecase_scratch_clear(struct dgm_env *env, struct dgm_truecase_scratch *scratch);

/*
 * Lines are tokens; blanks between them stay as they are, and each ill-formed part of UTF-8 becomes
 * U+FFFD.
 */

/* Counts the words of a line: not the heads of its sentences, nor what stands behind a colon, nor
 * sentences all in capitals, which all say nothing. */
dgm_status dgm_truecase_count(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                              struct dgm_tally *tally, const char *line, size_t bytes);

/* Writes heads as they are most often, and of sentences all in capitals every word, in small
 * letters if it is not known; the parts of unknown compounds (E-MAIL) one by one. */
dgm_status dgm_truecase_apply(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                              const struct dgm_truecase_model *model, struct dgm_buf *out,
                              const char *line, size_t bytes);

/* Gives each sentence its capital. */
dgm_status dgm_truecase_undo(struct dgm_env *env, struct dgm_truecase_scratch *scratch,
                             struct dgm_buf *out, const char *line, size_t bytes,
                             enum dgm_letters letters);

#endif
