/*
 * options.h: the options of `train` beyond those of the model.
 */
#ifndef DGM_TRAIN_OPTIONS_H
#define DGM_TRAIN_OPTIONS_H

#include "base/option.h"

extern const struct dgm_opt dgm_train_table[];

/* All tables that training reads: its own, the model's, the pipeline's; ended by NULL. */
extern const struct dgm_opt *const dgm_train_tables[];

/* Whether a changed value of this option changes what is trained, so that resuming with it would
 * not continue the same run. */
int dgm_train_option_matters(const char *name);

#endif
