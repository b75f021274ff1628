/* line_result.c: the result of a call that turns one line into another. */
#include "api/line_result.h"

dgm_status dgm_line_result_begin(struct dgm_env *env, struct dgm_line_result *result,
                                 const char **line, size_t bytes, const char **out,
                                 size_t *out_bytes)
{
    struct dgm_buf last = result->out;
    DGM_TRY(dgm_line_check(env, line, bytes));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_argument_check(env, out_bytes, "out_bytes"));
    result->out = result->previous;
    result->previous = last;
    dgm_buf_reset(&result->out);
    return dgm_buf_add(env, &result->out, "", 0);
}

void dgm_line_result_end(const struct dgm_line_result *result, const char **out, size_t *out_bytes)
{
    *out = result->out.data;
    *out_bytes = result->out.size;
}

void dgm_line_result_clear(struct dgm_env *env, struct dgm_line_result *result)
{
    dgm_buf_clear(env, &result->out);
    dgm_buf_clear(env, &result->previous);
}
