/*
 * casing.h: lines in capitals and titles, translated as sentences and written as they were.
 *
 * A model has seen few of either: "A FRIEND SHOWS" is a row of single letters to it. Each word of
 * such a line is written in the form that the model knows best, which is the one that it cuts into
 * the fewest pieces: a friend, Berlin, NASA. Of its translation all letters, or those at the heads
 * of words, become capitals.
 */
#ifndef DGM_API_TRANSLATE_CASING_H
#define DGM_API_TRANSLATE_CASING_H

#include "data/text/pipeline.h"

/* Zeroed: off. */
struct dgm_casing {
    struct dgm_pipeline *pipeline; /* of the models, borrowed; NULL: lines stay as they are */
    int reads_tags;                /* at the heads of lines, where they stay as they are */
    unsigned char *kinds;          /* by the number of a line */
    size_t capacity;
    struct dgm_buf line, forms[2]; /* scratch: the line, and a word small and with a capital */
    struct dgm_encoded encoded;
};

/* DGM_USAGE unless `name` is "keep", "auto" or NULL, which is "keep". */
dgm_status dgm_casing_open(struct dgm_env *env, struct dgm_casing *casing, const char *name,
                           struct dgm_pipeline *pipeline, int reads_tags);
/* Takes line `number` of a queue: *line and *bytes become the sentence, which is valid until the
 * next call, if it is in capitals or a title. */
dgm_status dgm_casing_take(struct dgm_env *env, struct dgm_casing *casing, size_t number,
                           const char **line, size_t *bytes);
/* Writes its translation as it was. */
dgm_status dgm_casing_put_back(struct dgm_env *env, struct dgm_casing *casing, size_t number,
                               struct dgm_buf *text);
void dgm_casing_clear(struct dgm_env *env, struct dgm_casing *casing);

#endif
