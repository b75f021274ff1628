/*
 * langid_learn.h: a model of languages from text in each of them, the same for the same lines.
 *
 * Weights are naive Bayes', of the n-grams that tell most. How sure they make is learned, too: an
 * n-gram is no independent witness of the shorter ones in it, so that their sum promises too much.
 * Lines that a first model has not seen say by how much.
 */
#ifndef DGM_TEXT_LANGID_LANGID_LEARN_H
#define DGM_TEXT_LANGID_LANGID_LEARN_H

#include "base/buf.h"
#include "text/langid/gram_counts.h"
#include "text/langid/langid_model.h"

struct dgm_langid_held {
    size_t start, bytes;
    int language;
};

/* Zero-initialise, but for the languages, which are borrowed. */
struct dgm_langid_learner {
    size_t language_count;
    const char (*languages)[DGM_LANGID_CODE];
    struct dgm_gram_counts counts;
    int64_t lines[DGM_LANGID_LANGUAGES];
    /* Lines that the first model does not see. */
    struct dgm_buf text;
    struct dgm_langid_held *held;
    size_t held_count, held_capacity;
};

dgm_status dgm_langid_learner_add(struct dgm_env *env, struct dgm_langid_learner *learner,
                                  int language, const char *line, size_t bytes);
/* Makes the model of all lines so far, with at most so many n-grams. DGM_DATA, by its name, for a
 * language of which there was no letter. */
dgm_status dgm_langid_learner_make(struct dgm_env *env, struct dgm_langid_learner *learner,
                                   size_t grams, struct dgm_langid_model *model);
void dgm_langid_learner_clear(struct dgm_env *env, struct dgm_langid_learner *learner);

#endif
