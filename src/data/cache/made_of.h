/*
 * made_of.h: what encoded text was made of, as lines "name = value": encoded text is as good as new
 * while all of them are the same.
 *
 * Files are known by a checksum of their content: neither their names, sizes nor times are enough.
 */
#ifndef DGM_DATA_CACHE_MADE_OF_H
#define DGM_DATA_CACHE_MADE_OF_H

#include "base/buf.h"
#include "data/text/pipeline.h"

/* Adds the line of a file, which is read once; *is_regular 0: it is a pipe or a device, from which
 * that would take what the encoder needs, and there is no line. */
dgm_status dgm_made_of_file(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                            const char *path, int *is_regular);
/* Adds a number as it is, and as a checksum. */
dgm_status dgm_made_of_number(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                              int64_t number);
dgm_status dgm_made_of_sum(struct dgm_env *env, struct dgm_buf *lines, const char *name,
                           uint64_t sum);
/* Adds the lines of a pipeline: this program's version, tokenising, codes, vocabularies, names of
 * features. */
dgm_status dgm_made_of_pipeline(struct dgm_env *env, struct dgm_buf *lines,
                                const struct dgm_pipeline *pipeline);

#endif
