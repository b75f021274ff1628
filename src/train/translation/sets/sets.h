/*
 * sets.h: the texts that a translation model is trained and validated on.
 *
 * The options name them (sets.c, options.c), codes and vocabularies are learned from them (learn.c)
 * and the pipeline of the model encodes them, with trees, into corpora (load.c, corpus.c). Zeroed,
 * with a model, is valid.
 */
#ifndef DGM_TRAIN_TRANSLATION_SETS_SETS_H
#define DGM_TRAIN_TRANSLATION_SETS_SETS_H

#include "data/mixture.h"
#include "data/multitask.h"
#include "data/text/slots.h"
#include "data/windows.h"
#include "model/file/model.h"
#include "model/parser/parser.h"
#include "train/run.h"

/* A validation text, whose scores stand alone. */
struct dgm_valid_set {
    const char *name; /* --valid-names, or its number; NULL: the only one, unnamed */
    char number[24];
    struct dgm_text_list text; /* borrowed: one of sets->valid_texts */
    struct dgm_corpus corpus;
};

struct dgm_sets {
    struct dgm_model *model; /* borrowed: its pipeline encodes texts, its network says which trees
                                it needs */
    struct dgm_text_list texts, valid_texts; /* of training and validation, as the options say */
    uint64_t first_valid_checksum;           /* of the first validation text by itself */
    struct dgm_valid_set *valid_sets; /* (valid_texts.count) the first decides what is best */
    struct dgm_parser parser;         /* of --parser, or of the checkpoint; stays as it is */
    int has_parser;
    struct dgm_corpus train;      /* of a text larger than memory, a window */
    struct dgm_slots slots;       /* of its lines, where they have some; else zeroed */
    struct dgm_augment augment;   /* of its lines, where they are changed; else zeroed */
    struct dgm_resample resample; /* of its pieces, where they are drawn; else zeroed */
    struct dgm_text_cache cache;  /* such a text; not open otherwise */
    struct dgm_mixture mixture;   /* of texts that have shares of an epoch; else zeroed */
    struct dgm_corpus sample;     /* its first block, for looking at the model */
    struct dgm_parses parses;     /* of a multi-task model, until the corpus holds them */
    double guide;                 /* weight of the loss of links (--guided-alignment), or 0 */
};

/* Whether the options name any training text. */
int dgm_sets_are_named(const struct dgm_settings *settings);
/* What --on-bad-line says. */
enum dgm_bad_line dgm_sets_on_bad(const struct dgm_settings *settings);
/* Fills sets->texts and sets->valid_sets, with weights, tags and files of trees; nothing of a text
 * is read. DGM_USAGE where options do not fit together, DGM_DATA for a bad list. */
dgm_status dgm_sets_read(const struct dgm_run *run, struct dgm_sets *sets);
/* DGM_DATA for a file that is missing, DGM_USAGE for a text that is named twice. */
dgm_status dgm_sets_check(const struct dgm_run *run, const struct dgm_sets *sets);
/* At most, in memory: what grows as it is filled has room for as much again; a window is read into
 * room of its size. */
double dgm_sets_bytes(const struct dgm_sets *sets);
void dgm_sets_clear(struct dgm_env *env, struct dgm_sets *sets);

#endif
