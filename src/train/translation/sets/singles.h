/* singles.h: whether lines of training text are single sentences. */
#ifndef DGM_TRAIN_TRANSLATION_SETS_SINGLES_H
#define DGM_TRAIN_TRANSLATION_SETS_SINGLES_H

#include "train/translation/sets/sets.h"

/*
 * Whether less than one in ten of the first lines of the source has several sentences: a model of
 * such a text is not at home with two. 0 as well where they cannot be read twice, or not at all.
 */
dgm_status dgm_sets_are_singles(const struct dgm_run *run, const struct dgm_sets *sets, int *are);

#endif
