/* quantize.c: a model with its matrices in fewer bits (model/file/quantize.h). */
#include "model/file/quantize.h"

#include "api/context.h"
#include "model/file/model_output.h"

dgm_status dgm_quantize(dgm_context *context, const char *path, const char *type, const char *out)
{
    struct dgm_output output;
    struct dgm_env *env;
    int chosen;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, path, "path"));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_options_choose(env, &chosen, "type", type, dgm_quantize_types, DGM_QUANTIZE_TYPES));
    DGM_TRY(dgm_model_output_find(env, &output, out, &path, 1));
    return dgm_quantize_file(env, path, chosen, output.path);
}
