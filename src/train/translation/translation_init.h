/*
 * translation_init.h: a run that starts from a model that was trained before (--init), not from
 * random values.
 *
 * That model, the parent, gives what it was made of: options, codes, vocabularies, parser, values.
 * Text, optimiser and schedule are the run's own. So a model is adapted to a domain (Luong and
 * Manning 2015). With --init-partial the run may differ from its parent: whatever has the same name
 * and shape in both is taken over, of tables of another vocabulary the rows of the tokens that
 * both have (transfer from a parent to a child, Zoph et al. 2016), and the rest is drawn. New tags,
 * and entries of --vocabs, are put behind a vocabulary that is taken over.
 */
#ifndef DGM_TRAIN_TRANSLATION_TRANSLATION_INIT_H
#define DGM_TRAIN_TRANSLATION_TRANSLATION_INIT_H

#include "train/translation/translation.h"

/* A copy of the settings in which what the user has not set is the parent's; the caller clears it.
 * DGM_USAGE, with all that differs, where the user has set an option of the model to something else
 * and --init-partial is not there; or has named codes or vocabularies. */
dgm_status dgm_translation_init_settings(struct dgm_env *env, struct dgm_settings *own,
                                         const struct dgm_settings *settings);

/* Whether the run makes codes and vocabularies of its own, as --init-partial allows. */
int dgm_translation_init_has_text(const struct dgm_settings *settings);

/* For a new run: reads the parent into self->parent. Nothing happens without --init. */
dgm_status dgm_translation_init_open(const struct dgm_run *run, struct dgm_translation *self);
/* Takes the parser of --parser, or else the parent's, if it has one. */
dgm_status dgm_translation_init_parser(const struct dgm_run *run, struct dgm_translation *self);
/* Puts codes, vocabularies and names of features of the parent into `pipeline`, which is empty, and
 * what is new behind them. *is_taken 0: there is no parent, or the run has named codes or
 * vocabularies of its own. */
dgm_status dgm_translation_init_pipeline(const struct dgm_run *run, struct dgm_translation *self,
                                         struct dgm_pipeline *pipeline, int *is_taken);
/* What `pipeline` took over from the parent grows by the tags of training texts and, where
 * --vocabs was typed, by the entries of these files that it lacks. */
dgm_status dgm_translation_init_grow(const struct dgm_run *run, struct dgm_translation *self,
                                     struct dgm_pipeline *pipeline);
/* Fills rows (each of `cols`) old_rows .. dgm_vocab_size(vocab) - 1 of a table of the run: those of
 * new entries. A tag gets the mean of the old tags, if there are any; all else that of the old
 * words. */
void dgm_translation_init_new_rows(const struct dgm_pipeline *pipeline,
                                   const struct dgm_vocab *vocab, dgm_real *rows, int64_t cols,
                                   int64_t old_rows, double *mean);
/* Writes the parent's values over the drawn ones, logs how many, and lets go of the parent. Of a
 * resumed run: DGM_USAGE where it began from another model than --init names now. */
dgm_status dgm_translation_init_values(struct dgm_run *run, struct dgm_trainee *trainee,
                                       int is_resumed);
void dgm_translation_init_clear(struct dgm_env *env, struct dgm_parent *parent);

#endif
