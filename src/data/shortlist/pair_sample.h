/*
 * pair_sample.h: pairs of sentences of a parallel corpus, spread evenly over it, as ids.
 */
#ifndef DGM_DATA_SHORTLIST_PAIR_SAMPLE_H
#define DGM_DATA_SHORTLIST_PAIR_SAMPLE_H

#include "data/packed.h"
#include "data/text/pipeline.h"

/* Zero-initialise; cleared in any case. */
struct dgm_pair_sample {
    struct dgm_packed source, target; /* pair p of both belong together */
    long stride;                      /* every so many-th line was read ... */
    long lines;                       /* ... of so many */
    long left_out;                    /* of these: a side was blank or too long */
};

/*
 * Takes at most `most` pairs: each line, or every second, every fourth, ... as the length of the
 * corpus wants it. Ill-formed UTF-8 is repaired. A side of more than `longest` tokens, its end not
 * counted, costs its pair. DGM_DATA: files of different length, no pair.
 */
dgm_status dgm_pair_sample_read(struct dgm_env *env, struct dgm_pair_sample *sample,
                                struct dgm_pipeline *pipeline, const char *source,
                                const char *target, int32_t most, int32_t longest);
void dgm_pair_sample_clear(struct dgm_env *env, struct dgm_pair_sample *sample);

#endif
