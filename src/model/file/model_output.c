/* model_output.c: where a model that is made from others may go. */
#include "model/file/model_output.h"

#include "base/option/inputs_apart.h"
#include "tensor/gguf/gguf_load.h"

dgm_status dgm_model_output_find(struct dgm_env *env, struct dgm_output *output, const char *out,
                                 const char *const *paths, size_t count)
{
    int is_model = 1;

    DGM_TRY(dgm_inputs_apart_check_one(env, out, paths, count));
    DGM_TRY(dgm_output_find_file(env, output, out));
    if (output->kind == DGM_OUTPUT_REPLACE)
        DGM_TRY(dgm_gguf_is(env, output->path, NULL, &is_model));
    if (!is_model)
        return dgm_fail_at(env, DGM_USAGE, out, 0, 0,
                           "exists and is no model; expected another "
                           "name for the result");
    return DGM_OK;
}
