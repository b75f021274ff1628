/*
 * learner.h: a dependency parser as something to train (train/learner.h).
 */
#ifndef DGM_TRAIN_PARSING_LEARNER_H
#define DGM_TRAIN_PARSING_LEARNER_H

#include "train/learner.h"

/* Trains a parser: settings over dgm_train_parser_tables (train/options.h). */
extern const struct dgm_learner dgm_parsing_learner;

#endif
