/*
 * line_file.h: a file of lines through a tool that turns each into another, by all threads of its
 * context.
 */
#ifndef DGM_API_TEXT_LINE_FILE_H
#define DGM_API_TEXT_LINE_FILE_H

#include "api/context.h"

/* Adds what becomes of line `number`, from 1, to `out`. Threads call it at the same time, each with
 * a `worker` of its own, from 0 on, below dgm_context_threads. */
typedef dgm_status dgm_line_fn(struct dgm_env *env, void *tool, int worker, long number,
                               const char *line, size_t bytes, struct dgm_buf *out);

/* Hands the new lines to `write`, many at a time, but never while lines that were read wait for
 * others to come. *lines, unless it is NULL: how many there were. */
dgm_status dgm_line_file(struct dgm_context *context, const char *path, dgm_line_fn *line,
                         void *tool, dgm_write_fn write, void *user, long *lines);

#endif
