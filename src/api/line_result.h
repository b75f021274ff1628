/*
 * line_result.h: the result of a call that turns one line into another and lends it to the caller.
 */
#ifndef DGM_API_LINE_RESULT_H
#define DGM_API_LINE_RESULT_H

#include "api/context.h"

/*
 * Two results in turn. The caller may hand back the last one as the next line, so it must stay
 * while the new one is written. Zeroed: empty.
 */
struct dgm_line_result {
    struct dgm_buf out, previous;
};

/* Checks the arguments of such a call, and empties result->out, where the new line is to go. */
dgm_status dgm_line_result_begin(struct dgm_env *env, struct dgm_line_result *result,
                                 const char **line, size_t bytes, const char **out,
                                 size_t *out_bytes);
/* Tells the caller where the new line is. */
void dgm_line_result_end(const struct dgm_line_result *result, const char **out, size_t *out_bytes);
void dgm_line_result_clear(struct dgm_env *env, struct dgm_line_result *result);

#endif
