/*
 * loaded.c: what a model's file holds, the parser inside it included, in memory.
 */
#include "model/file/loaded.h"

#include <string.h>

#include "tensor/gguf/gguf_load.h"

dgm_status dgm_loaded_read(struct dgm_env *env, struct dgm_loaded *loaded,
                           const struct dgm_gguf *file, struct dgm_device *device,
                           enum dgm_compute_type type)
{
    dgm_status status;

    memset(loaded, 0, sizeof *loaded);
    memcpy(loaded->name, file->name, sizeof loaded->name);
    DGM_TRY(dgm_gguf_verify(env, file, NULL));
    DGM_TRY(dgm_model_from_gguf(env, &loaded->model, file, device, 0, &type));
    if (!loaded->model.has_parser)
        return DGM_OK;
    status = dgm_parser_from_gguf(env, &loaded->parser, file, device, type, 1);
    if (status != DGM_OK)
        dgm_model_clear(env, &loaded->model);
    return status;
}

void dgm_loaded_clear(struct dgm_env *env, struct dgm_loaded *loaded)
{
    if (loaded->model.has_parser)
        dgm_parser_clear(env, &loaded->parser);
    dgm_model_clear(env, &loaded->model);
    memset(loaded, 0, sizeof *loaded);
}
