/*
 * param_file.c: parameters to and from the tensors of a GGUF file.
 */
#include "nn/param_file.h"

#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_write.h"

static int shape_fits(const struct dgm_param *param, const struct dgm_gguf_tensor *tensor)
{
    if (tensor->rank != param->rank)
        return 0;
    if (param->rank == 1)
        return tensor->dims[0] == (size_t)param->cols;
    return tensor->dims[0] == (size_t)param->rows && tensor->dims[1] == (size_t)param->cols;
}

/* That the file has the tensor, in its shape. */
static dgm_status check_one(struct dgm_env *env, const struct dgm_param *param,
                            const struct dgm_gguf *file)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, param->name);

    if (tensor == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "tensor \"%s\" is missing",
                           param->name);
    if (!shape_fits(param, tensor))
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                           "tensor \"%s\" is %zu x %zu of rank %d; expected %lld x %lld of "
                           "rank %d",
                           param->name, tensor->dims[0], tensor->dims[1], tensor->rank,
                           (long long)(param->rank == 1 ? param->cols : param->rows),
                           (long long)(param->rank == 1 ? 1 : param->cols), param->rank);
    return DGM_OK;
}

static dgm_status load_one(struct dgm_env *env, struct dgm_params *params, dgm_param_id id,
                           const struct dgm_gguf *file)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, params->items[id].name);
    dgm_real *values = dgm_alloc(env, tensor->count, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    status = dgm_gguf_read_finite(env, file, tensor, values, tensor->count);
    if (status == DGM_OK)
        status = dgm_params_write(env, params, id, values);
    dgm_release(env, values);
    return status;
}

static int begins_with_one_of(const char *name, const char *const *prefixes)
{
    for (; prefixes != NULL && *prefixes != NULL; prefixes++)
        if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
            return 1;
    return 0;
}

dgm_status dgm_params_check(struct dgm_env *env, const struct dgm_params *params,
                            const struct dgm_gguf *file, const char *const *others)
{
    size_t i;

    for (i = 0; i < params->count; i++)
        DGM_TRY(check_one(env, &params->items[i], file));
    for (i = 0; i < file->tensor_count; i++) {
        const char *name = file->tensors[i].name;
        if (dgm_params_find(params, name) < 0 && !begins_with_one_of(name, others))
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "tensor \"%s\" is unknown; expected only the parameters that the "
                               "configuration asks for",
                               name);
    }
    return DGM_OK;
}

dgm_status dgm_params_load(struct dgm_env *env, struct dgm_params *params,
                           const struct dgm_gguf *file, const char *const *others)
{
    DGM_TRY(dgm_params_check(env, params, file, others));
    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(load_one(env, params, (dgm_param_id)i, file));
    return DGM_OK;
}

dgm_status dgm_params_save(struct dgm_env *env, const struct dgm_params *params,
                           struct dgm_gguf_writer *writer, enum dgm_gguf_type type,
                           dgm_real **values)
{
    dgm_real *all = dgm_alloc(env, (size_t)params->total, sizeof *all);
    dgm_status status = DGM_OK;
    size_t i;

    if (all == NULL)
        return DGM_MEMORY;
    for (i = 0; i < params->count && status == DGM_OK; i++) {
        const struct dgm_param *param = &params->items[i];
        size_t dims[2];
        dims[0] = (size_t)(param->rank == 1 ? param->cols : param->rows);
        dims[1] = (size_t)param->cols;
        status = dgm_params_read(env, params, (dgm_param_id)i, all + param->offset);
        if (status == DGM_OK)
            status = dgm_gguf_add_reals(env, writer, param->name, type, param->rank, dims,
                                        all + param->offset);
    }
    if (status != DGM_OK) {
        dgm_release(env, all);
        return status;
    }
    *values = all;
    return DGM_OK;
}
