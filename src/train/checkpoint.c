/*
 * checkpoint.c: a folder of checkpoints.
 */
#include "train/checkpoint.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/number.h"
#include "model/parser.h"
#include "nn/param_file.h"

enum { PATH_SIZE = 1200 };

static const char *const others[] = {"state.", DGM_PARSER_PREFIX, NULL};

static void make_path(char *path, const struct dgm_checkpoints *checkpoints, int64_t update,
                      int is_regular)
{
    snprintf(path, PATH_SIZE, "%s/update-%08lld%s.gguf", checkpoints->folder, (long long)update,
             is_regular ? "" : "-stop");
}

static void join(char *path, const struct dgm_checkpoints *checkpoints, const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", checkpoints->folder, name);
}

/* ---- listing ------------------------------------------------------------------------------- */

static dgm_status add_regular(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                              int64_t update)
{
    size_t i = checkpoints->regular_count;

    DGM_TRY(dgm_grow(env, &checkpoints->regular, &checkpoints->regular_capacity, i,
                     sizeof *checkpoints->regular));
    while (i > 0 && checkpoints->regular[i - 1] > update) {
        checkpoints->regular[i] = checkpoints->regular[i - 1];
        i--;
    }
    checkpoints->regular[i] = update;
    checkpoints->regular_count++;
    return DGM_OK;
}

static int ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

static dgm_status note_file(struct dgm_env *env, void *user, const char *name)
{
    struct dgm_checkpoints *checkpoints = user;
    const char *digits = name + strlen("update-");
    char path[PATH_SIZE];
    int64_t update;

    if (strstr(name, ".tmp-") != NULL) { /* left by a process that was killed while saving */
        join(path, checkpoints, name);
        env->vfs->remove(env->vfs->user, path);
        return DGM_OK;
    }
    if (strncmp(name, "update-", 7) != 0 || !ends_with(name, ".gguf") ||
        !dgm_number_int(&update, digits, strspn(digits, "0123456789")))
        return DGM_OK;
    if (ends_with(name, "-stop.gguf")) {
        if (update > checkpoints->stopped)
            checkpoints->stopped = update;
        return DGM_OK;
    }
    return add_regular(env, checkpoints, update);
}

dgm_status dgm_checkpoints_open(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                const char *model_path)
{
    char path[PATH_SIZE];

    memset(checkpoints, 0, sizeof *checkpoints);
    checkpoints->lock.fd = -1;
    checkpoints->stopped = -1;
    if (strlen(model_path) + 6 > sizeof checkpoints->folder)
        return dgm_fail(env, DGM_USAGE, "the model's path is longer than %zu bytes",
                        sizeof checkpoints->folder - 6);
    snprintf(checkpoints->folder, sizeof checkpoints->folder, "%s.ckpt", model_path);
    DGM_TRY(dgm_folder_make(env, checkpoints->folder));
    join(path, checkpoints, "lock");
    DGM_TRY(dgm_lock_take(env, &checkpoints->lock, path));
    return dgm_folder_list(env, checkpoints->folder, note_file, checkpoints);
}

void dgm_checkpoints_close(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    dgm_lock_drop(&checkpoints->lock);
    dgm_release(env, checkpoints->regular);
    memset(checkpoints, 0, sizeof *checkpoints);
    checkpoints->lock.fd = -1;
}

static void remove_stopped(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    if (checkpoints->stopped < 0)
        return;
    make_path(path, checkpoints, checkpoints->stopped, 0);
    env->vfs->remove(env->vfs->user, path);
    checkpoints->stopped = -1;
}

static void remove_oldest(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    make_path(path, checkpoints, checkpoints->regular[0], 1);
    env->vfs->remove(env->vfs->user, path);
    checkpoints->regular_count--;
    memmove(checkpoints->regular, checkpoints->regular + 1,
            checkpoints->regular_count * sizeof *checkpoints->regular);
}

dgm_status dgm_checkpoints_discard(struct dgm_env *env, struct dgm_checkpoints *checkpoints)
{
    char path[PATH_SIZE];

    while (checkpoints->regular_count > 0)
        remove_oldest(env, checkpoints);
    remove_stopped(env, checkpoints);
    join(path, checkpoints, "best.gguf");
    env->vfs->remove(env->vfs->user, path);
    return DGM_OK;
}

/* ---- saving -------------------------------------------------------------------------------- */

/* Names of the tensors that hold an optimizer's m and v. */
static const char *const moment_names[][2] = {
    [DGM_ADAM] = {"state.adam.m", "state.adam.v"},
    [DGM_ADADELTA] = {"state.adadelta.squares", "state.adadelta.steps"},
};

/* Both moments as tensors; *moments is the host array behind them. */
static dgm_status add_moments(struct dgm_env *env, struct dgm_gguf_writer *writer,
                              const struct dgm_optimizer *optimizer, dgm_real **moments)
{
    size_t total = (size_t)optimizer->params->total, bytes = total * sizeof(dgm_real);
    struct dgm_ref m = {NULL, 0}, v = {NULL, 0};
    struct dgm_device *device = optimizer->params->device;
    const char *const *names = moment_names[optimizer->options.kind];

    *moments = dgm_alloc(env, 2 * total, sizeof **moments);
    if (*moments == NULL)
        return DGM_MEMORY;
    m.buffer = optimizer->m;
    v.buffer = optimizer->v;
    DGM_TRY(dgm_device_read(env, device, *moments, m, bytes));
    DGM_TRY(dgm_device_read(env, device, *moments + total, v, bytes));
    DGM_TRY(dgm_gguf_add_reals(env, writer, names[0], DGM_GGUF_F32, 1, &total, *moments));
    return dgm_gguf_add_reals(env, writer, names[1], DGM_GGUF_F32, 1, &total,
                              *moments + total);
}

static dgm_status write_file(struct dgm_env *env, const char *path,
                             struct dgm_gguf_writer *writer,
                             const struct dgm_optimizer *optimizer,
                             const struct dgm_train_state *state, const char *settings)
{
    dgm_real *moments = NULL;
    dgm_status status;

    DGM_TRY(dgm_train_state_save(env, writer, state));
    DGM_TRY(dgm_gguf_add_text(env, writer, "dragoman.state.settings", settings,
                              strlen(settings)));
    status = add_moments(env, writer, optimizer, &moments);
    if (status == DGM_OK)
        status = dgm_gguf_write(env, writer, path);
    dgm_release(env, moments);
    return status;
}

/* Without a moment in which there is no best. */
dgm_status dgm_checkpoints_mark_best(struct dgm_env *env,
                                     const struct dgm_checkpoints *checkpoints, const char *path)
{
    char best[PATH_SIZE], temporary[PATH_SIZE];

    join(best, checkpoints, "best.gguf");
    join(temporary, checkpoints, "best.tmp-link");
    env->vfs->remove(env->vfs->user, temporary);
    if (env->vfs->link(env->vfs->user, path, temporary) != 0 ||
        env->vfs->rename(env->vfs->user, temporary, best) != 0)
        return dgm_file_fail(env, DGM_FAILURE, best, "expected a file system with hard links");
    return DGM_OK;
}

dgm_status dgm_checkpoints_save(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_gguf_writer *writer,
                                const struct dgm_optimizer *optimizer,
                                const struct dgm_train_state *state, const char *settings,
                                int is_regular, int is_best, size_t keep)
{
    char path[PATH_SIZE];

    make_path(path, checkpoints, state->updates, is_regular);
    DGM_TRY(write_file(env, path, writer, optimizer, state, settings));
    if (is_best)
        DGM_TRY(dgm_checkpoints_mark_best(env, checkpoints, path));
    if (checkpoints->stopped != state->updates || is_regular)
        remove_stopped(env, checkpoints);
    if (!is_regular) {
        checkpoints->stopped = state->updates;
        return DGM_OK;
    }
    if (checkpoints->regular_count == 0 ||
        checkpoints->regular[checkpoints->regular_count - 1] != state->updates)
        DGM_TRY(add_regular(env, checkpoints, state->updates));
    while (checkpoints->regular_count > keep)
        remove_oldest(env, checkpoints);
    return DGM_OK;
}

/* ---- finding ------------------------------------------------------------------------------- */

/* Opens and verifies one file; a damaged one is reported and yields *whole = 0. */
static dgm_status open_whole(struct dgm_env *env, const char *path, struct dgm_gguf *file,
                             int *whole)
{
    dgm_status status = dgm_gguf_load(env, file, path);

    if (status == DGM_OK)
        status = dgm_gguf_verify(env, file, NULL);
    *whole = status == DGM_OK;
    if (status == DGM_OK || status == DGM_MEMORY)
        return status;
    dgm_log(env, DGM_LOG_WARNING, "%s: %s; trying an older checkpoint", path,
            env->error.message);
    dgm_env_clear_error(env);
    dgm_gguf_clear(env, file);
    memset(file, 0, sizeof *file);
    return DGM_OK;
}

dgm_status dgm_checkpoints_newest(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                  struct dgm_gguf *file, int *found)
{
    size_t i = checkpoints->regular_count;
    int64_t stopped = checkpoints->stopped;
    char path[PATH_SIZE];
    int use_stopped = 0;

    *found = 0;
    memset(file, 0, sizeof *file);
    if (i == 0 && stopped < 0)
        return DGM_OK;
    while (!*found && (i > 0 || stopped >= 0)) {
        use_stopped = stopped >= 0 && (i == 0 || stopped > checkpoints->regular[i - 1]);
        make_path(path, checkpoints, use_stopped ? stopped : checkpoints->regular[i - 1],
                  !use_stopped);
        DGM_TRY(open_whole(env, path, file, found));
        if (use_stopped)
            stopped = -1;
        else
            i--;
    }
    if (!*found)
        return dgm_fail_at(env, DGM_MODEL, checkpoints->folder, 0, 0,
                           "no checkpoint is whole; nothing was changed. Try --overwrite to "
                           "start again");
    /* What was passed over is no part of this run: it is neither counted nor averaged. */
    checkpoints->regular_count = i + !use_stopped;
    return DGM_OK;
}

static dgm_status load_moment(struct dgm_env *env, const struct dgm_gguf *file, const char *name,
                              const struct dgm_optimizer *optimizer, struct dgm_buffer *buffer)
{
    size_t total = (size_t)optimizer->params->total;
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(file, name);
    struct dgm_ref start = {NULL, 0};
    dgm_real *values;
    dgm_status status;

    if (tensor == NULL)
        return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "tensor \"%s\" is missing", name);
    values = dgm_alloc(env, total, sizeof *values);
    if (values == NULL)
        return DGM_MEMORY;
    start.buffer = buffer;
    status = dgm_gguf_read_reals(env, file, tensor, values, total);
    if (status == DGM_OK)
        status = dgm_device_write(env, optimizer->params->device, start, values,
                                  total * sizeof *values);
    dgm_release(env, values);
    return status;
}

dgm_status dgm_checkpoints_moments(struct dgm_env *env, const struct dgm_gguf *file,
                                   struct dgm_optimizer *optimizer)
{
    const char *const *names = moment_names[optimizer->options.kind];

    DGM_TRY(load_moment(env, file, names[0], optimizer, optimizer->m));
    return load_moment(env, file, names[1], optimizer, optimizer->v);
}

/* ---- the final model ----------------------------------------------------------------------- */

static dgm_status load_params(struct dgm_env *env, const char *path, struct dgm_params *params)
{
    struct dgm_gguf file;
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(env, &file, path);
    if (status == DGM_OK)
        status = dgm_gguf_verify(env, &file, NULL);
    if (status == DGM_OK)
        status = dgm_params_load(env, params, &file, others);
    dgm_gguf_clear(env, &file);
    return status;
}

static dgm_status add_params(struct dgm_env *env, const struct dgm_params *params, double *sum,
                             dgm_real *values)
{
    struct dgm_ref start = {NULL, 0};
    int64_t i;

    start.buffer = params->values;
    DGM_TRY(dgm_device_read(env, params->device, values, start,
                            (size_t)params->total * sizeof *values));
    for (i = 0; i < params->total; i++)
        sum[i] += (double)values[i];
    return DGM_OK;
}

dgm_status dgm_checkpoints_average(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                   struct dgm_params *params, size_t count)
{
    size_t first, i, total = (size_t)params->total;
    struct dgm_ref start = {NULL, 0};
    char path[PATH_SIZE];
    double *sum = dgm_alloc(env, total, sizeof *sum);
    dgm_real *values = dgm_alloc(env, total, sizeof *values);
    dgm_status status = sum != NULL && values != NULL ? DGM_OK : DGM_MEMORY;

    if (count > checkpoints->regular_count)
        count = checkpoints->regular_count;
    first = checkpoints->regular_count - count;
    for (i = first; i < checkpoints->regular_count && status == DGM_OK; i++) {
        make_path(path, checkpoints, checkpoints->regular[i], 1);
        status = load_params(env, path, params);
        if (status == DGM_OK)
            status = add_params(env, params, sum, values);
    }
    for (i = 0; status == DGM_OK && i < total; i++)
        values[i] = (dgm_real)(sum[i] / (double)count);
    start.buffer = params->values;
    if (status == DGM_OK && count > 0)
        status = dgm_device_write(env, params->device, start, values, total * sizeof *values);
    dgm_release(env, sum);
    dgm_release(env, values);
    return status;
}

dgm_status dgm_checkpoints_best(struct dgm_env *env, struct dgm_checkpoints *checkpoints,
                                struct dgm_params *params, int *found)
{
    char path[PATH_SIZE];

    join(path, checkpoints, "best.gguf");
    *found = dgm_file_exists(env, path);
    return *found ? load_params(env, path, params) : DGM_OK;
}
