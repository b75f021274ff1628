/* card.c: what a model file says of itself, written (model/file/card_write.h). */
#include "api/context.h"
#include "api/program.h"
#include "model/file/card_write.h"
#include "model/file/model_output.h"

dgm_status dgm_model_card(dgm_context *context, const char *path, char *const *words, size_t count,
                          const char *out)
{
    struct dgm_output output;
    struct dgm_env *env;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_model_output_find(env, &output, out, &path, 1));
    return dgm_card_write(env, path, words, count, output.path);
}
