/*
 * parallel_lines.h: text files read side by side: line n of each at a time.
 */
#ifndef DGM_BASE_LINES_PARALLEL_LINES_H
#define DGM_BASE_LINES_PARALLEL_LINES_H

#include "base/lines/lines.h"

/* Zeroed: nothing is open. */
struct dgm_parallel_lines {
    struct dgm_lines *files; /* each holds its current line */
    size_t count;
};

/* One of them at most is "-", standard input. To be closed also after a failure. */
dgm_status dgm_parallel_lines_open(struct dgm_env *env, struct dgm_parallel_lines *parallel,
                                   const char *const *paths, size_t count);
/* Sets *more to 0 at their end; DGM_DATA where some end before others. */
dgm_status dgm_parallel_lines_next(struct dgm_env *env, struct dgm_parallel_lines *parallel,
                                   int *more);
void dgm_parallel_lines_close(struct dgm_env *env, struct dgm_parallel_lines *parallel);

#endif
