/*
 * unknown.h: words that a vocabulary has no entry for: they are counted, and told. A model reads
 * <unk> in their place, and what it writes then has little to do with the text.
 */
#ifndef DGM_DATA_TEXT_UNKNOWN_H
#define DGM_DATA_TEXT_UNKNOWN_H

#include "data/text/pipeline.h"

/* Of some text. A word is unknown if one of its pieces is; pieces of SentencePiece are words. */
struct dgm_unknown {
    int64_t words, unknown;
};

/* Of a line, before it is cut. */
struct dgm_unknown dgm_unknown_of(const struct dgm_encoded *line);
void dgm_unknown_add(struct dgm_unknown *sum, struct dgm_unknown more);
/* Whether so many of all are unknown, more than one in ten, that the text is hardly the model's. */
int dgm_unknown_are_many(int64_t unknown, int64_t all);
/* Says how many are unknown, if any: a warning where they are many, else a note. `of` follows the
 * number of words: "" or " of the translations". */
void dgm_unknown_tell(struct dgm_env *env, struct dgm_unknown sum,
                      const struct dgm_pipeline *pipeline, const char *of);

#endif
