/*
 * report.h: text on its way to the caller's function.
 */
#ifndef DGM_BASE_FILE_REPORT_H
#define DGM_BASE_FILE_REPORT_H

#include "base/buf.h"
#include "base/env.h"

/* Hands bytes, unless there are none, to the caller's function. If that returns a status and
 * recorded no error, the status becomes one. */
dgm_status dgm_report_bytes(struct dgm_env *env, dgm_write_fn write, void *user, const void *bytes,
                            size_t count);
/* The same of a whole buffer. */
dgm_status dgm_report_write(struct dgm_env *env, dgm_write_fn write, void *user,
                            const struct dgm_buf *text);
/* The same of a text that was made with `status`, if that is good. Clears the text, and returns the
 * first failure. */
dgm_status dgm_report_made(struct dgm_env *env, dgm_write_fn write, void *user,
                           struct dgm_buf *text, dgm_status status);

#endif
