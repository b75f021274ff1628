/*
 * model_write.h: what each new model has beside what was learned, and its file.
 */
#ifndef DGM_TEXT_SPM_LEARN_MODEL_WRITE_H
#define DGM_TEXT_SPM_LEARN_MODEL_WRITE_H

#include "text/spm_learn/learn.h"

/* How many pieces a model has that are not learned: <unk>, <s>, </s>, symbols, bytes. */
size_t dgm_spm_learn_given(const struct dgm_spm_learn_options *options);
/* Whether a text is spelled like one of them, symbols excepted. */
int dgm_spm_learn_is_reserved(const char *text, size_t bytes);
/* Appends the model, as the library's format has it (text/spm/spm_file.c reads it). */
dgm_status dgm_spm_model_write(struct dgm_env *env, const struct dgm_spm_learner *learner,
                               const struct dgm_spm_learned_set *set, struct dgm_buf *out);

#endif
