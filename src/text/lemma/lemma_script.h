/*
 * lemma_script.h: how a form becomes its lemma, as text that a classifier can learn.
 *
 * As in UDPipe 2 (Straka, "UDPipe 2.0 prototype at CoNLL 2018 UD shared task", 2018): form and
 * lemma in lower case share their longest common substring; what stands before and behind it is
 * edited, and then the case of the lemma is set. A script is
 *
 *     CASE|PREFIX|SUFFIX     or     aLEMMA
 *
 * CASE is `l0`: lower case; `U0`: upper case; `U0l1`: a capital first; any list of places, from the
 * beginning or, with a minus, from the end, at which the other case begins; or `k`, which keeps the
 * form's case. PREFIX and SUFFIX are edits at both ends: `=` keeps a character, `-` leaves one out,
 * `+c` puts c there. "Houses" -> "house" is `l0||-`. `a` is a lemma that has nothing of its form,
 * "was" -> "be".
 */
#ifndef DGM_TEXT_LEMMA_LEMMA_SCRIPT_H
#define DGM_TEXT_LEMMA_LEMMA_SCRIPT_H

#include "base/buf.h"
#include "base/env.h"

enum {
    DGM_LEMMA_CHARACTERS = 256,   /* of a form or a lemma, at most */
    DGM_LEMMA_SCRIPT_BYTES = 2048 /* of a script, at most */
};
/* Of a lemma that a script makes, its NUL included: the form's characters, and what is put in, each
 * of which takes two bytes of the script at least. */
#define DGM_LEMMA_BYTES (4 * (DGM_LEMMA_CHARACTERS + DGM_LEMMA_SCRIPT_BYTES / 2) + 1)

/* Appends the script from a form to its lemma; nothing where there is none: either is empty, longer
 * than DGM_LEMMA_CHARACTERS, or no text. What is appended, applied to the form, gives the lemma. */
dgm_status dgm_lemma_script_learn(struct dgm_env *env, struct dgm_buf *script, const char *form,
                                  const char *lemma);

/* Whether bytes are a script: no file may hold another one. What it puts into a lemma is
 * well-formed text without control characters. */
int dgm_lemma_script_is_one(const char *script, size_t bytes);

/* Whether a script says what the lemma is, whatever the form. */
int dgm_lemma_script_is_absolute(const char *script);

/* Applies a script, which is one and ends with NUL, and ends the lemma with NUL. Returns its bytes;
 * 0: the form is too short for the script, too long, or no text. */
size_t dgm_lemma_script_apply(char lemma[DGM_LEMMA_BYTES], const char *script, const char *form);

#endif
