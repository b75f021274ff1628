/* report.c: text on its way to the caller's function. */
#include "base/file/report.h"

dgm_status dgm_report_bytes(struct dgm_env *env, dgm_write_fn write, void *user, const void *bytes,
                            size_t count)
{
    dgm_status status;

    if (count == 0)
        return DGM_OK;
    dgm_callback_begin(env);
    status = write(user, bytes, count);
    dgm_callback_end(env);
    return dgm_callback_check(env, status, "the receiver of the result refused it");
}

dgm_status dgm_report_write(struct dgm_env *env, dgm_write_fn write, void *user,
                            const struct dgm_buf *text)
{
    return dgm_report_bytes(env, write, user, text->data, text->size);
}

dgm_status dgm_report_made(struct dgm_env *env, dgm_write_fn write, void *user,
                           struct dgm_buf *text, dgm_status status)
{
    if (status == DGM_OK)
        status = dgm_report_write(env, write, user, text);
    dgm_buf_clear(env, text);
    return status;
}
