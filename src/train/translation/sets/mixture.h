/*
 * mixture.h: the shares that the training texts of a translation model have of an epoch.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_MIXTURE_H
#define DGM_TRAIN_TRANSLATION_SETS_MIXTURE_H

#include "train/translation/sets/sets.h"

/* What --train-weights and --train-temperature say, into sets->texts; DGM_USAGE where they do not
 * fit together, or to the texts. */
dgm_status dgm_sets_mixture_read(const struct dgm_run *run, struct dgm_sets *sets);
/* When the training text was read: sets->mixture, if texts have shares. */
dgm_status dgm_sets_mixture_make(const struct dgm_run *run, struct dgm_sets *sets);
/* Once all of it is known, a line for each text, where there are several or a tag: what a resumed
 * run must agree with. */
dgm_status dgm_sets_mixture_describe(struct dgm_env *env, const struct dgm_sets *sets,
                                     struct dgm_buf *out);
/* sets->mixture, or NULL where every pair comes once. */
const struct dgm_mixture *dgm_sets_mixture(const struct dgm_sets *sets);

#endif
