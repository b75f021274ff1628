/*
 * line_sample.h: so many lines of a text, each line as likely as any other: selection sampling
 * (Knuth, The Art of Computer Programming, volume 2, 3.4.2, algorithm S).
 *
 * The lines depend on both numbers alone: whoever asks again gets the same.
 */
#ifndef DGM_TEXT_BPE_LINE_SAMPLE_H
#define DGM_TEXT_BPE_LINE_SAMPLE_H

#include "base/env.h"
#include "base/philox.h"

struct dgm_line_sample {
    struct dgm_random random;
    int64_t wanted, rest; /* of the lines that are still to come */
};

/* `wanted` of `lines` lines; all of them where that is more. */
void dgm_line_sample_init(struct dgm_line_sample *sample, int64_t wanted, int64_t lines);
/* Whether the next line is one of them. */
int dgm_line_sample_take(struct dgm_line_sample *sample);

/* Adds how many lines a text has. */
dgm_status dgm_line_sample_count(struct dgm_env *env, const char *path, int64_t *lines);
/* Begins a sample of the lines of files, which are read once for that. DGM_USAGE where one cannot
 * be read again. */
dgm_status dgm_line_sample_begin(struct dgm_env *env, struct dgm_line_sample *sample,
                                 int64_t wanted, const char *const *paths, size_t count);

#endif
