/* inspect.c: a report on any GGUF file (model/file/inspect.h). */
#include "model/file/inspect.h"

#include "api/context.h"

enum { ITEMS = 8 };

dgm_status dgm_inspect(dgm_context *context, const char *path, const dgm_inspect_options *options,
                       dgm_write_fn write, void *user)
{
    struct dgm_inspection wanted;
    struct dgm_buf text = { 0 };
    dgm_inspect_options chosen;
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    if (write == NULL)
        return dgm_argument_check(env, NULL, "write");
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_inspect_options"));
    wanted.items = chosen.items > 0 ? chosen.items : ITEMS;
    wanted.verify = chosen.verify;
    wanted.json = chosen.json;
    wanted.no_tensors = chosen.no_tensors;
    DGM_TRY_OUT(dgm_inspect_file(env, path, &wanted, &text));
    status = dgm_report_write(env, write, user, &text);
out:
    dgm_buf_clear(env, &text);
    return status;
}
