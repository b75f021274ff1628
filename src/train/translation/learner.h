/*
 * learner.h: a translation model as something to train (train/learner.h).
 */
#ifndef DGM_TRAIN_TRANSLATION_LEARNER_H
#define DGM_TRAIN_TRANSLATION_LEARNER_H

#include "train/learner.h"
#include "train/step/replicas.h"
#include "train/trainee.h"
#include "train/translation/parent.h"
#include "train/translation/sets/sets.h"

/* The learner's part of a replica: replica->self. */
struct dgm_translation_replica {
    const struct dgm_net *net;
    struct dgm_net copy; /* that, on all devices but the first */
    struct dgm_step step;
    struct dgm_node *loss;                /* (M,2) of the graph built last */
    struct dgm_parse_losses parse_losses; /* of the same, in training */
};

/* The learner's own data: trainee->self. */
struct dgm_translation {
    struct dgm_model model;
    struct dgm_sets sets;          /* of texts, with the parser that makes their trees */
    struct dgm_parent parent;      /* all zero in a run without --init */
    dgm_real *parser_values;       /* of the parser, on the host, behind the file being written */
    struct dgm_loss_shares shares; /* of an update of several batches */
    struct dgm_batch ahead;        /* for looking at them, and for validation */
    dgm_real *losses;              /* of a graph, on the host */
    size_t loss_capacity;
};

/* Trains a translation model: settings over dgm_train_tables (train/options.h). */
extern const struct dgm_learner dgm_translation_learner;

#endif
