/*
 * line_language.h: which language each line is in, and what follows from that.
 *
 * A line that is in the language of the translations already is its own translation. Where
 * translations begin with a tag of their language, what stands in front of any other line is the
 * tag of its own. Where the language cannot be told, all is as without.
 */
#ifndef DGM_API_TRANSLATE_LINE_LANGUAGE_H
#define DGM_API_TRANSLATE_LINE_LANGUAGE_H

#include "data/text/pipeline.h"
#include "text/langid/langid_model.h"

/* Zeroed: nobody asks. */
struct dgm_line_language {
    struct dgm_pipeline *pipeline; /* of the models, borrowed; NULL: off */
    struct dgm_langid_model model;
    double *probabilities; /* (languages) scratch, as is this: */
    int32_t *sums;
    int32_t *tags; /* (languages) entries of the source's vocabulary, 0: none */
    int32_t tag;   /* of lines whose language cannot be told, or has none */
    int target;    /* the number of the language of the translations; -1: not known */
    long stayed;   /* lines in it */
};

/* path: a model of languages; NULL: off. target_tag: as the translator has it. DGM_USAGE where the
 * model does not know the language of the translations. */
dgm_status dgm_line_language_open(struct dgm_env *env, struct dgm_line_language *language,
                                  const char *path, struct dgm_pipeline *pipeline,
                                  const char *target_tag);
/* Before a line is encoded: sets the tag in front of it. *stays: it is its own translation. */
void dgm_line_language_ask(struct dgm_line_language *language, const char *line, size_t bytes,
                           int *stays);
void dgm_line_language_clear(struct dgm_env *env, struct dgm_line_language *language);

#endif
