/*
 * final_model.c: a run's final model: a mean of checkpoints, or the best one, or the last.
 *
 * A file is believed when its checksums are right, it says the update that is wanted, has the
 * parameters of this model and, where the state knows their checksum, their values. Nothing is
 * written to the parameters before that is known of all that is needed.
 */
#include "train/store/final_model.h"

#include <stdio.h>
#include <string.h>

#include "base/file/output.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "model/parser/parser.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/learner.h"

static const char *const others[] = { "state.", DGM_PARSER_PREFIX, NULL };

/* ---- checksums of parameters ----------------------------------------------------------------- */

/* As 32-bit floats, little-endian: equal in a file and on every machine. */
static void hash_values(struct dgm_hash *hash, const dgm_real *values, size_t count)
{
    unsigned char bytes[1024];
    size_t i, used = 0;

    for (i = 0; i < count; i++) {
        dgm_le_f32_put(bytes + used, (float)values[i]);
        used += 4;
        if (used == sizeof bytes || i + 1 == count) {
            dgm_hash_add(hash, bytes, used);
            used = 0;
        }
    }
}

static size_t size_of(const struct dgm_param *param)
{
    return (size_t)(param->rows * param->cols);
}

static dgm_status read_all(struct dgm_env *env, const struct dgm_params *params, dgm_real *values)
{
    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(dgm_params_read(env, params, (dgm_param_id)i, values + params->items[i].offset));
    return DGM_OK;
}

static dgm_status read_file(struct dgm_env *env, const struct dgm_params *params,
                            const struct dgm_gguf *file, dgm_real *values)
{
    DGM_TRY(dgm_params_check(env, params, file, others));
    for (size_t i = 0; i < params->count; i++)
        DGM_TRY(dgm_gguf_read_reals(env, file, dgm_gguf_find_tensor(file, params->items[i].name),
                                    values + params->items[i].offset, size_of(&params->items[i])));
    return DGM_OK;
}

static uint64_t checksum(const struct dgm_params *params, const dgm_real *values)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 0);
    for (size_t i = 0; i < params->count; i++)
        hash_values(&hash, values + params->items[i].offset, size_of(&params->items[i]));
    return dgm_hash_value(&hash) != 0 ? dgm_hash_value(&hash) : 1;
}

dgm_status dgm_final_model_checksum(struct dgm_env *env, const struct dgm_params *params,
                                    uint64_t *sum)
{
    dgm_real *values;
    dgm_status status;

    DGM_TRY(dgm_new(env, &values, (size_t)params->total, sizeof *values));
    status = read_all(env, params, values);
    *sum = checksum(params, values);
    dgm_release(env, values);
    return status;
}

/* ---- one file -------------------------------------------------------------------------------- */

static dgm_status check_update(struct dgm_env *env, const struct dgm_gguf *file, int64_t update)
{
    int64_t found = -1;

    if (dgm_gguf_int(file, "dragoman.state.updates", &found) && found == update)
        return DGM_OK;
    return dgm_fail_at(env, DGM_MODEL, file->name, 0, 0, "holds update %lld", (long long)found);
}

static dgm_status read_checkpoint(struct dgm_env *env, const struct dgm_params *params,
                                  const char *path, int64_t update, dgm_real *values)
{
    struct dgm_gguf file = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_gguf_load(env, &file, path));
    DGM_TRY_OUT(dgm_gguf_verify(env, &file, NULL));
    DGM_TRY_OUT(check_update(env, &file, update));
    status = read_file(env, params, &file, values);
out:
    dgm_gguf_clear(env, &file);
    return status;
}

/* The part of a message that says what is missing: the first few files, each with the reason. */
struct lacking {
    char text[360];
    size_t length, count;
};

static void add_lacking(struct lacking *lacking, const char *name, const char *reason)
{
    size_t size = sizeof lacking->text - lacking->length;
    int more = snprintf(lacking->text + lacking->length, size, "%s%s: %s",
                        lacking->count > 0 ? "; " : "", name, reason);

    lacking->count++;
    if (more >= 0 && (size_t)more < size)
        lacking->length += (size_t)more;
    else
        lacking->text[lacking->length] = '\0'; /* for this one there is no room */
}

/* As read_checkpoint, but a file that is damaged, or another's, is no failure: it joins
 * `lacking`. */
static dgm_status try_checkpoint(struct dgm_env *env, const struct dgm_params *params,
                                 const char *path, int64_t update, dgm_real *values,
                                 struct lacking *lacking, int *is_good)
{
    dgm_status status = read_checkpoint(env, params, path, update, values);

    *is_good = status == DGM_OK;
    if (status == DGM_OK || status == DGM_MEMORY)
        return status;
    add_lacking(lacking, strrchr(path, '/') + 1, env->error.message);
    dgm_env_clear_error(env);
    return DGM_OK;
}

static dgm_status write_all(struct dgm_env *env, struct dgm_params *params, const dgm_real *values)
{
    struct dgm_ref start = { NULL, 0 };

    start.buffer = params->values;
    return dgm_device_write(env, params->device, start, values,
                            (size_t)params->total * sizeof *values);
}

/* ---- the mean -------------------------------------------------------------------------------- */

struct wish {
    size_t asked;  /* of --average */
    size_t wanted; /* of them, as many as the run has saved */
    int may_lack;
};

/* The sum over the last `count` checkpoints that are there; *good: how many that are. */
static dgm_status sum_up(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                         const struct dgm_params *params, size_t count, double *sum,
                         dgm_real *values, struct lacking *lacking, size_t *good)
{
    size_t i, k, total = (size_t)params->total;
    char path[DGM_CHECKPOINT_PATH];
    int is_good;

    for (i = checkpoints->regular_count - count; i < checkpoints->regular_count; i++) {
        dgm_checkpoints_path(path, checkpoints, checkpoints->regular[i], 1);
        DGM_TRY(
            try_checkpoint(env, params, path, checkpoints->regular[i], values, lacking, &is_good));
        /* In doubles and from the oldest to the newest: the mean of equal floats is exactly that
         * float. */
        for (k = 0; is_good && k < total; k++)
            sum[k] += (double)values[k];
        *good += (size_t)is_good;
    }
    return DGM_OK;
}

/* Whether a mean over `good` checkpoints will do. */
static dgm_status judge(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                        const struct wish *wish, size_t good, const struct lacking *lacking)
{
    char saved[64] = "";

    if (good == wish->wanted)
        return DGM_OK;
    if (good > 0 && wish->may_lack) {
        dgm_log(env, DGM_LOG_WARNING, "%s: the mean is over %zu checkpoints instead of %zu: %s",
                checkpoints->folder, good, wish->wanted, lacking->text);
        return DGM_OK;
    }
    if (wish->asked > wish->wanted)
        snprintf(saved, sizeof saved, ", of which the run has saved %zu,", wish->wanted);
    return dgm_fail_at(env, DGM_MODEL, checkpoints->folder, 0, 0,
                       "--average %zu%s lacks %zu of them: %s. %s", wish->asked, saved,
                       wish->wanted - good, lacking->text,
                       good == 0 ? "Try --average 0"
                                 : "Try --allow-missing-checkpoints, or --average 0");
}

static dgm_status average(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                          struct dgm_params *params, const struct wish *wish, double *sum,
                          dgm_real *values)
{
    size_t i, good = 0, listed = wish->wanted;
    struct lacking lacking = { "", 0, 0 };

    if (listed > checkpoints->regular_count) {
        listed = checkpoints->regular_count;
        add_lacking(&lacking, "--keep-last", "fewer were kept");
    }
    DGM_TRY(sum_up(env, checkpoints, params, listed, sum, values, &lacking, &good));
    DGM_TRY(judge(env, checkpoints, wish, good, &lacking));
    for (i = 0; i < (size_t)params->total; i++)
        values[i] = (dgm_real)(sum[i] / (double)good);
    return write_all(env, params, values);
}

/*
 * Replaces the parameters by the mean over as many of the newest regular checkpoints as are asked
 * for, or over all where the run has saved fewer. DGM_MODEL naming those that are missing or
 * damaged; with may_lack they are warned of and left out, as long as one is whole.
 */
static dgm_status take_average(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                               struct dgm_params *params, size_t asked, int may_lack)
{
    struct wish wish = { asked, asked, may_lack };
    size_t total = (size_t)params->total;
    double *sum = NULL;
    dgm_real *values = NULL;
    dgm_status status;

    if ((int64_t)asked > checkpoints->saves) {
        wish.wanted = (size_t)checkpoints->saves;
        dgm_log(env, DGM_LOG_NOTE,
                "--average %zu: the run has saved %zu checkpoints: the mean is over them", asked,
                wish.wanted);
    }
    if (wish.wanted == 0)
        return DGM_OK;
    DGM_TRY_OUT(dgm_new(env, &sum, total, sizeof *sum));
    DGM_TRY_OUT(dgm_new(env, &values, total, sizeof *values));
    status = average(env, checkpoints, params, &wish, sum, values);
out:
    dgm_release(env, sum);
    dgm_release(env, values);
    return status;
}

/* ---- the best one ---------------------------------------------------------------------------- */

/* Tries best.gguf, then the checkpoint of that update, saved at its time or at a stop. */
static dgm_status find_best(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                            const struct dgm_params *params, const struct dgm_train_state *state,
                            dgm_real *values, struct lacking *lacking, int *found)
{
    char path[3][DGM_CHECKPOINT_PATH];
    int i;

    dgm_checkpoints_join(path[0], checkpoints, "best.gguf");
    dgm_checkpoints_path(path[1], checkpoints, state->best_update, 1);
    dgm_checkpoints_path(path[2], checkpoints, state->best_update, 0);
    *found = 0;
    for (i = 0; i < 3 && !*found; i++) {
        DGM_TRY(try_checkpoint(env, params, path[i], state->best_update, values, lacking, found));
        if (*found && state->best_checksum != 0 &&
            checksum(params, values) != state->best_checksum) {
            add_lacking(lacking, strrchr(path[i], '/') + 1, "other values than the best had");
            *found = 0;
        }
    }
    return i > 1 && *found ? dgm_checkpoints_mark_best(env, checkpoints, path[i - 1]) : DGM_OK;
}

/*
 * Replaces the parameters by those of the best checkpoint: of best.gguf or, if that is missing,
 * damaged or another's, of the checkpoint of state->best_update. DGM_MODEL saying what is missing
 * where no file has them; with may_lack the parameters stay as they are, with a warning.
 */
static dgm_status take_best(struct dgm_env *env, const struct dgm_checkpoints *checkpoints,
                            struct dgm_params *params, const struct dgm_train_state *state,
                            int may_lack)
{
    struct lacking lacking = { "", 0, 0 };
    dgm_real *values;
    dgm_status status;
    int found = 0;

    DGM_TRY(dgm_new(env, &values, (size_t)params->total, sizeof *values));
    status = find_best(env, checkpoints, params, state, values, &lacking, &found);
    if (status == DGM_OK && found)
        status = write_all(env, params, values);
    dgm_release(env, values);
    if (status != DGM_OK || found)
        return status;
    if (!may_lack)
        return dgm_fail_at(env, DGM_MODEL, checkpoints->folder, 0, 0,
                           "the best model, that of update %lld, is not there: %s. Try "
                           "--allow-missing-checkpoints, which ends with the last one",
                           (long long)state->best_update, lacking.text);
    dgm_log(env, DGM_LOG_WARNING,
            "%s: the final model is the last and not the best, that of update %lld: %s",
            checkpoints->folder, (long long)state->best_update, lacking.text);
    return DGM_OK;
}

/* ---- the file -------------------------------------------------------------------------------- */

/* What was trained, and how. */
static dgm_status add_training(struct dgm_env *env, struct dgm_gguf_writer *writer,
                               const struct dgm_train_state *state)
{
    DGM_TRY(dgm_gguf_add_i64(env, writer, "dragoman.training.updates", state->updates));
    DGM_TRY(dgm_gguf_add_i64(env, writer, "dragoman.training.labels", state->labels));
    DGM_TRY(dgm_gguf_add_u64(env, writer, "dragoman.training.data", state->train_checksum));
    if (state->reduce[0] == '\0')
        return DGM_OK;
    return dgm_gguf_add_text(env, writer, "dragoman.training.reduce", state->reduce,
                             strlen(state->reduce));
}

static dgm_status write_model(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_output output;
    dgm_real *values = NULL;
    dgm_status status;

    DGM_TRY_OUT(trainee->learner->save(run, trainee, &writer, &values));
    DGM_TRY_OUT(add_training(run->env, &writer, &run->state));
    DGM_TRY_OUT(dgm_output_find_file(run->env, &output, dgm_settings_text(run->settings, "model")));
    status = dgm_gguf_write(run->env, &writer, output.path);
out:
    dgm_gguf_writer_clear(run->env, &writer);
    dgm_release(run->env, values);
    return status;
}

dgm_status dgm_final_model_make(const struct dgm_run *run, struct dgm_trainee *trainee,
                                const struct dgm_checkpoints *checkpoints)
{
    const int64_t average = dgm_settings_int(run->settings, "average");
    const int may_lack = dgm_settings_flag(run->settings, "allow-missing-checkpoints");

    if (average > 1)
        DGM_TRY(take_average(run->env, checkpoints, trainee->params, (size_t)average, may_lack));
    else if (trainee->has_valid && run->state.best_update > 0)
        DGM_TRY(take_best(run->env, checkpoints, trainee->params, &run->state, may_lack));
    DGM_TRY(write_model(run, trainee));
    dgm_log(run->env, DGM_LOG_NOTE, "finished after update %lld; model written to %s",
            (long long)run->state.updates, dgm_settings_text(run->settings, "model"));
    return DGM_OK;
}
