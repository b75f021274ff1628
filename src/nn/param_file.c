/*
 * param_file.c: parameters to and from the tensors of a GGUF file.
 */
#include "nn/param_file.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_fetch.h"
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

/* ---- numbers beyond the range of weights in fewer bits --------------------------------------- */

/* The first of count numbers that its weights would make infinite; count where there is none. */
static size_t find_beyond(const struct dgm_params *params, dgm_param_id id, const dgm_real *values,
                          size_t count)
{
    const int is_held = params->items[id].weights != NULL;
    const double most = dgm_weights_most(is_held ? params->held : DGM_WEIGHTS_REAL);

    return isinf(most) ? count : dgm_gguf_find_beyond(values, count, (dgm_real)most);
}

static dgm_status fail_beyond(struct dgm_env *env, const struct dgm_params *params,
                              const struct dgm_gguf *file, const struct dgm_gguf_tensor *tensor,
                              size_t i, dgm_real value)
{
    return dgm_gguf_fail_range(env, file, tensor, i, (double)value, dgm_weights_name(params->held),
                               dgm_weights_most(params->held),
                               "--compute-type f32 for such a model");
}

/* ---- from a file that is in memory ----------------------------------------------------------- */

static dgm_status load_one(struct dgm_env *env, struct dgm_params *params, dgm_param_id id,
                           const struct dgm_gguf *file)
{
    size_t beyond;
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, params->items[id].name);
    dgm_real *values = dgm_alloc(env, tensor->count, sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(dgm_gguf_read_finite(env, file, tensor, values, tensor->count));
    beyond = find_beyond(params, id, values, tensor->count);
    status = beyond < tensor->count ? fail_beyond(env, params, file, tensor, beyond, values[beyond])
                                    : dgm_params_write(env, params, id, values);
out:
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

/* ---- from a file that is open ---------------------------------------------------------------- */

/* Rows of a parameter on their way to a form of the device's own. */
struct rows {
    struct dgm_params *params;
    dgm_param_id id;
    size_t beyond; /* the first number that is out of range, or SIZE_MAX */
    dgm_real value;
};

static void write_rows(void *user, int64_t row, int64_t count, const dgm_real *values)
{
    struct rows *rows = user;
    const int64_t cols = rows->params->items[rows->id].cols;
    const size_t numbers = (size_t)(count * cols);
    const size_t beyond = find_beyond(rows->params, rows->id, values, numbers);

    if (beyond < numbers && rows->beyond == SIZE_MAX) {
        rows->beyond = (size_t)(row * cols) + beyond;
        rows->value = values[beyond];
    }
    dgm_params_write_rows(rows->params, rows->id, row, count, values);
}

/* A tensor that belongs to no parameter is only compared with its checksum. */
static dgm_status fetch_one(struct dgm_env *env, struct dgm_params *params,
                            const struct dgm_gguf *file, size_t i)
{
    const dgm_param_id id = dgm_params_find(params, file->tensors[i].name);
    dgm_real *place = id >= 0 ? dgm_params_place(params, id) : NULL, *values;
    struct rows rows = { params, id, SIZE_MAX, 0 };
    dgm_status status;

    if (id < 0 || place != NULL)
        return dgm_gguf_fetch(env, file, i, place);
    if (params->items[id].weights != NULL) {
        DGM_TRY(dgm_gguf_fetch_rows(env, file, i, write_rows, &rows));
        return rows.beyond == SIZE_MAX
                   ? DGM_OK
                   : fail_beyond(env, params, file, &file->tensors[i], rows.beyond, rows.value);
    }
    values = dgm_resize(env, NULL, file->tensors[i].count, sizeof *values);
    if (values == NULL)
        return DGM_MEMORY;
    status = dgm_gguf_fetch(env, file, i, values);
    if (status == DGM_OK)
        status = dgm_params_write(env, params, id, values);
    dgm_release(env, values);
    return status;
}

/* All tensors, each by the thread that is free. */
struct fetching {
    struct dgm_env *env;
    struct dgm_params *params;
    const struct dgm_gguf *file;
    int is_compared; /* tensors that belong to no parameter were read before, and are skipped */
    pthread_mutex_t lock; /* of what follows */
    size_t next;
    dgm_status status; /* the failure of the tensor that comes first in the file */
    size_t failed;
    dgm_error error;
};

/* The next tensor; 0 where there is none, or one has failed. */
static int take_tensor(struct fetching *all, size_t *i)
{
    int is_there;

    pthread_mutex_lock(&all->lock);
    is_there = all->status == DGM_OK && all->next < all->file->tensor_count;
    *i = all->next;
    all->next += is_there != 0;
    pthread_mutex_unlock(&all->lock);
    return is_there;
}

static void note_failure(struct fetching *all, const struct dgm_env *env, dgm_status status,
                         size_t i)
{
    pthread_mutex_lock(&all->lock);
    if (all->status == DGM_OK || i < all->failed) {
        all->status = status;
        all->failed = i;
        all->error = env->error;
    }
    pthread_mutex_unlock(&all->lock);
}

static void fetch_some(void *shared, int64_t chunk, int worker)
{
    struct fetching *all = shared;
    struct dgm_env env = dgm_env_quiet(all->env);
    size_t i;

    (void)chunk;
    (void)worker;
    while (take_tensor(all, &i)) {
        dgm_status status;

        if (all->is_compared && dgm_params_find(all->params, all->file->tensors[i].name) < 0)
            continue;
        status = fetch_one(&env, all->params, all->file, i);
        if (status != DGM_OK)
            note_failure(all, &env, status, i);
    }
}

static dgm_status fetch_all(struct dgm_env *env, struct dgm_params *params,
                            const struct dgm_gguf *file, int is_compared)
{
    struct fetching all = {
        .env = env, .params = params, .file = file, .is_compared = is_compared
    };

    pthread_mutex_init(&all.lock, NULL);
    if (params->device->ops->run_apart != NULL)
        params->device->ops->run_apart(params->device, fetch_some, &all);
    else
        fetch_some(&all, 0, 0);
    pthread_mutex_destroy(&all.lock);
    if (all.status != DGM_OK)
        env->error = all.error;
    return all.status;
}

dgm_status dgm_params_load(struct dgm_env *env, struct dgm_params *params,
                           const struct dgm_gguf *file, const char *const *others)
{
    DGM_TRY(dgm_params_check(env, params, file, others));
    if (file->is_open)
        return fetch_all(env, params, file, 0);
    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(load_one(env, params, (dgm_param_id)i, file));
    return DGM_OK;
}

dgm_status dgm_params_load_own(struct dgm_env *env, struct dgm_params *params,
                               const struct dgm_gguf *file, const char *const *others)
{
    DGM_TRY(dgm_params_check(env, params, file, others));
    return fetch_all(env, params, file, 1);
}

dgm_status dgm_params_save(struct dgm_env *env, const struct dgm_params *params,
                           struct dgm_gguf_writer *writer, enum dgm_gguf_type type,
                           dgm_real **values)
{
    const struct dgm_ref from = { params->values, 0 };
    const void *all;
    void *copy;
    dgm_status status;

    status = dgm_device_look(env, params->device, &all, &copy, from,
                             (size_t)params->total * sizeof(dgm_real));
    for (size_t i = 0; i < params->count && status == DGM_OK; i++) {
        const struct dgm_param *param = &params->items[i];
        size_t dims[2];
        dims[0] = (size_t)(param->rank == 1 ? param->cols : param->rows);
        dims[1] = (size_t)param->cols;
        status = dgm_gguf_add_reals(env, writer, param->name, type, param->rank, dims,
                                    (const dgm_real *)all + param->offset);
    }
    if (status != DGM_OK) {
        dgm_release(env, copy);
        return status;
    }
    *values = copy;
    return DGM_OK;
}
