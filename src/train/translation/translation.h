/*
 * translation.h: a translation model as something to train (train/learner.h).
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_H

#include "data/mixture.h"
#include "data/multitask.h"
#include "data/windows.h"
#include "model/file/model.h"
#include "model/parser/parser.h"
#include "tensor/gguf/gguf_read.h"
#include "train/learner.h"
#include "train/run.h"
#include "train/step/replicas.h"
#include "train/trainee.h"
#include "train/trainer.h"

/* The learner's part of a replica: replica->self. */
struct dgm_translation_replica {
    const struct dgm_net *net;
    struct dgm_net copy; /* that, on all devices but the first */
    struct dgm_step step;
    struct dgm_node *loss;                /* (M,2) of the graph built last */
    struct dgm_parse_losses parse_losses; /* of the same, in training */
};

/* The model that a run starts from (translation_init.h), until its values are taken over. */
struct dgm_parent {
    struct dgm_gguf file;   /* with its tensors */
    struct dgm_model model; /* what it declares, without values */
    int is_there;
    int has_text;       /* its codes and vocabularies are still there: the run has its own */
    int64_t entries[2]; /* of its vocabularies, where the run took them and they grew; else 0 */
};

/* A validation text, whose scores stand alone. */
struct dgm_valid_set {
    const char *name; /* --valid-names, or its number; NULL: the only one, unnamed */
    char number[24];
    struct dgm_text_list text; /* borrowed: one of self->valid_texts */
    struct dgm_corpus corpus;
};

/* The learner's own data: trainee->self. */
struct dgm_translation {
    struct dgm_text_list texts, valid_texts; /* of training and validation, as the options say */
    struct dgm_valid_set *valid_sets; /* (valid_texts.count) the first decides what is best */
    struct dgm_model model;
    struct dgm_parent parent; /* all zero in a run without --init */
    struct dgm_parser parser; /* of --parser, or of the checkpoint; stays as it is */
    int has_parser;
    dgm_real *parser_values;       /* its parameters on the host, behind the file being written */
    struct dgm_corpus train;       /* of a text larger than memory, a window */
    struct dgm_resample resample;  /* of its pieces, where they are drawn; else zeroed */
    struct dgm_text_cache cache;   /* such a text; not open otherwise */
    struct dgm_mixture mixture;    /* of texts that have shares of an epoch; else zeroed */
    struct dgm_corpus sample;      /* its first block, for looking at the model */
    struct dgm_parses parses;      /* of a multi-task model, until the corpus holds them */
    struct dgm_loss_shares shares; /* of an update of several batches */
    double guide;                  /* weight of the loss of links (--guided-alignment), or 0 */
    struct dgm_batch ahead;        /* for looking at them */
    dgm_real *losses;              /* of a graph, on the host */
    size_t loss_capacity;
};

/* Trains a translation model: settings over dgm_train_tables (train/options.h). */
dgm_status dgm_translation_train(struct dgm_env *env, const struct dgm_devices *devices,
                                 const struct dgm_settings *settings,
                                 const struct dgm_train_hooks *hooks);

#endif
