/*
 * compute_type.c: from --compute-type and the types of a file's tensors to how weights are held.
 */
#include "model/file/compute_type.h"

#include <string.h>

#include "tensor/gguf/gguf_get.h"

static const char *const words[DGM_COMPUTE_COUNT] = { "auto", "f32", "int8", "bf16" };

dgm_status dgm_compute_type_parse(struct dgm_env *env, enum dgm_compute_type *type,
                                  const char *word)
{
    char quoted[DGM_QUOTE_SIZE];

    *type = DGM_COMPUTE_AUTO;
    if (word == NULL)
        return DGM_OK;
    for (int i = 0; i < DGM_COMPUTE_COUNT; i++)
        if (strcmp(word, words[i]) == 0) {
            *type = (enum dgm_compute_type)i;
            return DGM_OK;
        }
    dgm_quote(quoted, sizeof quoted, word, strlen(word));
    return dgm_fail(env, DGM_USAGE,
                    "compute type: expected one of auto, f32, int8, bf16, got \"%s\"", quoted);
}

static int has_type(const struct dgm_gguf *file, enum dgm_gguf_type type)
{
    for (size_t i = 0; i < file->tensor_count; i++)
        if (file->tensors[i].type == type)
            return 1;
    return 0;
}

const char *dgm_compute_type_narrow_tensor(const struct dgm_gguf *file)
{
    for (size_t i = 0; i < file->tensor_count; i++) {
        enum dgm_gguf_type type = file->tensors[i].type;

        if (type == DGM_GGUF_Q8_0 || type == DGM_GGUF_BF16 || type == DGM_GGUF_F16)
            return file->tensors[i].name;
    }
    return NULL;
}

dgm_status dgm_compute_type_check_trainable(struct dgm_env *env, const struct dgm_gguf *file)
{
    const char *tensor = dgm_compute_type_narrow_tensor(file);

    if (tensor == NULL)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                       "tensor \"%s\" has type %s: such a model works, but cannot be trained on; "
                       "expected the f32 model that it was made from",
                       tensor, dgm_gguf_type_name(dgm_gguf_find_tensor(file, tensor)->type));
}

static enum dgm_weights wanted(enum dgm_compute_type type, const struct dgm_gguf *file)
{
    switch (type) {
    case DGM_COMPUTE_INT8: return DGM_WEIGHTS_INT8;
    case DGM_COMPUTE_BF16: return DGM_WEIGHTS_BF16;
    case DGM_COMPUTE_AUTO:
        return has_type(file, DGM_GGUF_Q8_0)   ? DGM_WEIGHTS_INT8
               : has_type(file, DGM_GGUF_BF16) ? DGM_WEIGHTS_BF16
                                               : DGM_WEIGHTS_REAL;
    default: return DGM_WEIGHTS_REAL;
    }
}

dgm_status dgm_compute_type_choose(struct dgm_env *env, enum dgm_weights *weights,
                                   enum dgm_compute_type type, const struct dgm_gguf *file,
                                   const struct dgm_device *device)
{
    *weights = wanted(type, file);
    if (*weights == DGM_WEIGHTS_REAL || device->ops->alloc_weights != NULL)
        return DGM_OK;
    if (type != DGM_COMPUTE_AUTO)
        return dgm_fail(env, DGM_UNSUPPORTED,
                        "--compute-type %s on %s, which holds weights in f32 alone; expected "
                        "--compute-type f32 or auto, or --devices cpu",
                        words[type], device->title);
    *weights = DGM_WEIGHTS_REAL;
    return DGM_OK;
}
