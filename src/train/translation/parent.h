/*
 * parent.h: a run that starts from a model that was trained before (--init), not from
 * random values.
 *
 * That model, the parent, gives what it was made of: options, codes, vocabularies, parser, values.
 * Text, optimiser and schedule are the run's own. So a model is adapted to a domain (Luong and
 * Manning 2015). With --init-partial the run may differ from its parent: whatever has the same name
 * and shape in both is taken over, of tables of another vocabulary the rows of the tokens that
 * both have (transfer from a parent to a child, Zoph et al. 2016), and the rest is drawn. New tags,
 * and entries of --vocabs, are put behind a vocabulary that is taken over.
 */
#ifndef DGM_TRAIN_TRANSLATION_PARENT_H
#define DGM_TRAIN_TRANSLATION_PARENT_H

#include "model/file/model.h"
#include "tensor/gguf/gguf_read.h"
#include "train/run.h"
#include "train/trainee.h"

/* Until its values are taken over. */
struct dgm_parent {
    struct dgm_gguf file;   /* with its tensors */
    struct dgm_model model; /* what it declares, without values */
    int is_there;
    int has_text;       /* its codes and vocabularies are still there: the run has its own */
    int64_t entries[2]; /* of its vocabularies, where the run took them and they grew; else 0 */
};

/* Gives what the user has not set in a copy of the settings the parent's value. DGM_USAGE, with all
 * that differs, where the user has set an option of the model to something else and --init-partial
 * is not there; or has named codes or vocabularies. */
dgm_status dgm_parent_settle(struct dgm_env *env, struct dgm_settings *own);

/* For a new run: reads the parent. Nothing happens without --init. */
dgm_status dgm_parent_open(const struct dgm_run *run, struct dgm_parent *parent);
/* Puts codes, vocabularies and names of features of the parent into `pipeline`, which is empty, and
 * what is new behind them: the tags of training texts. *is_taken 0: there is no parent, or the run
 * has named codes or vocabularies of its own. */
dgm_status dgm_parent_pipeline(const struct dgm_run *run, struct dgm_parent *parent,
                               const struct dgm_text_list *texts, struct dgm_pipeline *pipeline,
                               int *is_taken);
/* What `pipeline` took over from the parent grows by the tags of training texts and, where
 * --vocabs was typed, by the entries of these files that it lacks. */
dgm_status dgm_parent_grow(const struct dgm_run *run, struct dgm_parent *parent,
                           const struct dgm_text_list *texts, struct dgm_pipeline *pipeline);
/* Fills rows (each of `cols`) old_rows .. dgm_vocab_size(vocab) - 1 of a table of the run: those of
 * new entries. A tag gets the mean of the old tags, if there are any; all else that of the old
 * words. */
void dgm_parent_new_rows(const struct dgm_pipeline *pipeline, const struct dgm_vocab *vocab,
                         dgm_real *rows, int64_t cols, int64_t old_rows, double *mean);
/* Writes the parent's values over the drawn ones, logs how many, and lets go of the parent. Of a
 * resumed run: DGM_USAGE where it began from another model than --init names now. */
dgm_status dgm_parent_values(struct dgm_run *run, struct dgm_trainee *trainee, int is_resumed);
void dgm_parent_clear(struct dgm_env *env, struct dgm_parent *parent);

#endif
