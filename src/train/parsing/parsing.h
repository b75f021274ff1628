/*
 * parsing.h: a dependency parser as something to train (train/learner.h).
 */
#ifndef DGM_TRAIN_PARSING_PARSING_H
#define DGM_TRAIN_PARSING_PARSING_H

#include "train/trainer.h"

/* Trains a parser: settings over dgm_train_parser_tables (train/options.h). */
dgm_status dgm_parsing_train(struct dgm_env *env, const struct dgm_devices *devices,
                             const struct dgm_settings *settings,
                             const struct dgm_train_hooks *hooks);

#endif
