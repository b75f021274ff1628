/*
 * noise.h: what becomes of a line under people's hands: other capitals, a slip of the fingers,
 * other marks. Words stay apart as they were; Moses' escapes (&quot;) are marks.
 */
#ifndef DGM_DATA_TEXT_NOISE_H
#define DGM_DATA_TEXT_NOISE_H

#include "base/philox.h"
#include "text/case/letters.h"

enum dgm_noise_case { DGM_NOISE_CAPITALS, DGM_NOISE_SMALL_HEAD, DGM_NOISE_TITLE, DGM_NOISE_CASES };

/* Appends the line in capitals; with a small letter at its head; with capitals at the heads of all
 * words. */
dgm_status dgm_noise_case(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                          enum dgm_noise_case how, enum dgm_letters letters);
/* One slip: two letters that stand side by side change places, or the second is lost, or the first
 * comes twice, or one of its neighbours on the keyboard was hit. */
dgm_status dgm_noise_typo(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                          struct dgm_random *random);
/* The mark at the end is lost, or straight and typographic quotes are exchanged, or a blank comes
 * twice. escaped: a straight quote is written as &quot;. */
dgm_status dgm_noise_marks(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                           struct dgm_random *random, int escaped);

#endif
