/* average.c: the mean of the parameters of several model files (model/file/average.h). */
#include "model/file/average.h"

#include "api/context.h"
#include "model/file/model_output.h"

dgm_status dgm_average(dgm_context *context, const char *const *paths, size_t count,
                       const char *out)
{
    struct dgm_output output;
    struct dgm_env *env;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, paths, "paths"));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    if (count == 0)
        return dgm_fail(env, DGM_USAGE, "no files to average; expected at least 1");
    for (size_t i = 0; i < count; i++)
        DGM_TRY(dgm_argument_check(env, paths[i], "paths[i]"));
    DGM_TRY(dgm_model_output_find(env, &output, out, paths, count));
    return dgm_average_files(env, paths, count, output.path);
}
