/*
 * options.h: the options of training beyond those of the model.
 */
#ifndef DGM_TRAIN_OPTIONS_H
#define DGM_TRAIN_OPTIONS_H

#include "base/option/option.h"

/* The most that --batch-tokens takes. */
enum { DGM_BATCH_TOKENS_MOST = 16777216 };

/* The options of `train`: those of the loop, whatever is trained, and those of a translation
 * model's data. */
extern const struct dgm_opt dgm_train_table[];

/* All tables that `train` reads: its own, the model's, the pipeline's; ended by NULL. */
extern const struct dgm_opt *const dgm_train_tables[];

/* The same of `train-parser`. */
extern const struct dgm_opt dgm_train_parser_table[];
extern const struct dgm_opt *const dgm_train_parser_tables[];

/* Whether a changed value of this option changes what is trained, so that resuming with it would
 * not continue the same run. Paths never do: it is what the files hold that matters; nor do weights
 * and tags of texts, which may come from a file: what the texts are is compared otherwise. */
int dgm_train_option_matters(const struct dgm_opt *opt);

#endif
