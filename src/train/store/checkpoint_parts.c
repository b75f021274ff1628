/* checkpoint_parts.c: moments, values and settings in the file of a checkpoint. */
#include "train/store/checkpoint_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"

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

static dgm_status read_tensor(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              dgm_real *values, int64_t total)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, name);

    if (tensor == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "tensor \"%s\" is missing", name);
    return dgm_gguf_read_finite(env, file, tensor, values, (size_t)total);
}

/* A moment that is no number, or has no square root, would spread into the weights unseen. A mean
 * of squares may be infinite: the square of a large gradient overflows although the gradient does
 * not. */
static dgm_status check_moment(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                               const dgm_real *values, size_t count, double least)
{
    double most = least < 0 ? (double)FLT_MAX : HUGE_VAL;

    for (size_t i = 0; i < count; i++)
        if (!((double)values[i] >= least && (double)values[i] <= most))
            return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0,
                               "tensor \"%s\" has an element, number %zu, that is %s", name, i,
                               least < 0 ? "not finite" : "negative or no number");
    return DGM_OK;
}

static dgm_status load_moment(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              double least, const struct dgm_optimizer *optimizer,
                              struct dgm_buffer *buffer)
{
    const int64_t total = optimizer->params->total;
    const struct dgm_ref start = { buffer, 0 };
    dgm_real *values = dgm_alloc(env, (size_t)total, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(read_tensor(env, file, name, values, total));
    DGM_TRY_OUT(check_moment(env, file, name, values, (size_t)total, least));
    status = dgm_device_write(env, optimizer->params->device, start, values + optimizer->first,
                              (size_t)optimizer->count * sizeof *values);
out:
    dgm_release(env, values);
    return status;
}

dgm_status dgm_checkpoint_parts_moments(struct dgm_env *env, const struct dgm_gguf *file,
                                        struct dgm_optimizer *optimizer)
{
    const char *const *names = moment_names[optimizer->options.kind];
    const double least = optimizer->options.kind == DGM_ADAM ? -(double)FLT_MAX : 0;

    DGM_TRY(load_moment(env, file, names[0], least, optimizer, optimizer->m));
    return load_moment(env, file, names[1], 0, optimizer, optimizer->v);
}

dgm_status dgm_checkpoint_parts_values(struct dgm_env *env, const struct dgm_gguf *file,
                                       const struct dgm_params *params)
{
    const struct dgm_ref start = { params->values, 0 };
    dgm_real *values = dgm_alloc(env, (size_t)params->total, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    status = read_tensor(env, file, VALUES, values, params->total);
    if (status == DGM_OK)
        status = dgm_device_write(env, params->device, start, values,
                                  (size_t)params->total * sizeof *values);
    dgm_release(env, values);
    return status;
}
