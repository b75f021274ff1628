/* inspect.c: a report on any GGUF file (model/file/inspect.h). */
#include "model/file/inspect.h"

#include "api/context.h"

enum { ITEMS = 8 };

dgm_status dgm_inspect(dgm_context *context, const char *path, const dgm_inspect_options *options,
                       dgm_write_fn write, void *user)
{
    struct dgm_buf text = { 0 };
    dgm_inspect_options chosen;
    struct dgm_env *env;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_write_check(env, write));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_inspect_options"));
    chosen.items = chosen.items > 0 ? chosen.items : ITEMS;
    return dgm_report_made(env, write, user, &text, dgm_inspect_file(env, path, &chosen, &text));
}
