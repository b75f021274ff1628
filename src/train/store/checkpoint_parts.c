/* checkpoint_parts.c: moments, values and settings in the file of a checkpoint. */
#include "train/store/checkpoint_parts.h"

#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/step/exchange/slices.h"

#define VALUES "state.values"

/* Names of the tensors that hold an optimizer's m and v. A checkpoint of the other optimizer lacks
 * them, but is refused before that for its settings. */
static const char *const moment_names[][2] = {
    [DGM_ADAM] = { "state.adam.m", "state.adam.v" },
    [DGM_ADADELTA] = { "state.adadelta.squares", "state.adadelta.steps" },
};

/* ---- writing --------------------------------------------------------------------------------- */

/* A moment, or what is as long, as a tensor, `whole` or that on the device; *copy is the host array
 * behind it, or NULL where it is written from its place. */
static dgm_status add_tensor(struct dgm_env *env, struct dgm_gguf_writer *writer,
                             const struct dgm_params *params, const char *name,
                             struct dgm_buffer *buffer, const dgm_real *whole, void **copy)
{
    const size_t total = (size_t)params->total;
    const struct dgm_ref from = { buffer, 0 };
    const void *data = whole;

    if (whole == NULL)
        DGM_TRY(dgm_device_look(env, params->device, &data, copy, from, total * sizeof(dgm_real)));
    return dgm_gguf_add_reals(env, writer, name, DGM_GGUF_F32, 1, &total, data);
}

static dgm_status add_tensors(struct dgm_env *env, struct dgm_gguf_writer *writer,
                              const struct dgm_checkpoint_parts *parts, void *copies[3])
{
    const struct dgm_optimizer *optimizer = parts->optimizer;
    const struct dgm_params *params = optimizer->params;
    const char *const *names = moment_names[optimizer->options.kind];

    DGM_TRY(add_tensor(env, writer, params, names[0], optimizer->m, parts->moments[0], &copies[0]));
    DGM_TRY(add_tensor(env, writer, params, names[1], optimizer->v, parts->moments[1], &copies[1]));
    return parts->values != NULL
               ? add_tensor(env, writer, params, VALUES, parts->values, NULL, &copies[2])
               : DGM_OK;
}

dgm_status dgm_checkpoint_parts_write(struct dgm_env *env, struct dgm_gguf_writer *writer,
                                      const struct dgm_checkpoint_parts *parts, const char *path)
{
    void *copies[3] = { NULL, NULL, NULL };
    dgm_status status;

    DGM_TRY(dgm_gguf_add_text(env, writer, DGM_CHECKPOINT_SETTINGS, parts->settings,
                              strlen(parts->settings)));
    if (*parts->texts != '\0')
        DGM_TRY(dgm_gguf_add_text(env, writer, DGM_CHECKPOINT_TEXTS, parts->texts,
                                  strlen(parts->texts)));
    status = add_tensors(env, writer, parts, copies);
    if (status == DGM_OK)
        status = dgm_gguf_write(env, writer, path);
    for (int i = 0; i < 3; i++)
        dgm_release(env, copies[i]);
    return status;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Finite numbers. A mean of squares that has no root would spread into the weights unseen. */
static dgm_status read_tensor(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              int is_mean_of_squares, dgm_real *values, size_t total)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, name);

    if (tensor == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "tensor \"%s\" is missing", name);
    DGM_TRY(dgm_gguf_read_finite(env, file, tensor, values, total));
    for (size_t i = 0; i < total && is_mean_of_squares; i++)
        if (values[i] < 0)
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "tensor \"%s\" has an element, number %zu, that is negative or no "
                               "number",
                               name, i);
    return DGM_OK;
}

/* A tensor of all elements into a buffer of those of `slice`. */
static dgm_status load_tensor(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              int is_mean_of_squares, const struct dgm_params *params,
                              struct dgm_slice slice, struct dgm_buffer *buffer)
{
    dgm_real *values;
    dgm_status status;

    DGM_TRY(dgm_new(env, &values, (size_t)params->total, sizeof *values));
    DGM_TRY_OUT(read_tensor(env, file, name, is_mean_of_squares, values, (size_t)params->total));
    status = dgm_device_write(env, params->device, (struct dgm_ref){ buffer, 0 },
                              values + slice.first, (size_t)slice.count * sizeof *values);
out:
    dgm_release(env, values);
    return status;
}

dgm_status dgm_checkpoint_parts_moments(struct dgm_env *env, const struct dgm_gguf *file,
                                        struct dgm_optimizer *optimizer)
{
    const enum dgm_optimizer_kind kind = optimizer->options.kind;
    const struct dgm_slice slice = { optimizer->first, optimizer->count };

    DGM_TRY(load_tensor(env, file, moment_names[kind][0], kind != DGM_ADAM, optimizer->params,
                        slice, optimizer->m));
    return load_tensor(env, file, moment_names[kind][1], 1, optimizer->params, slice, optimizer->v);
}

dgm_status dgm_checkpoint_parts_values(struct dgm_env *env, const struct dgm_gguf *file,
                                       const struct dgm_params *params)
{
    return load_tensor(env, file, VALUES, 0, params, (struct dgm_slice){ 0, params->total },
                       params->values);
}
