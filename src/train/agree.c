/*
 * agree.c: rank 0 describes its run in lines "name = value", and the others hold theirs against it.
 *
 * The values of all parameters are among what is compared. So random numbers, the checkpoint that
 * was found and what was learned from text are, too, whatever this file forgets to name.
 */
#include "train/agree.h"

#include "base/ranks/compare.h"
#include "base/option/settings_file.h"
#include "train/store/final_model.h"
#include "train/watch/timeline.h"

static dgm_status add_line(struct dgm_env *env, struct dgm_buf *text, const char *name,
                           const char *value)
{
    return dgm_buf_add_format(env, text, "%s = %s\n", name, value);
}

static dgm_status add_number(struct dgm_env *env, struct dgm_buf *text, const char *name,
                             uint64_t value)
{
    return dgm_buf_add_format(env, text, "%s = %llu\n", name, (unsigned long long)value);
}

static dgm_status describe(const struct dgm_run *run, const struct dgm_trainee *trainee,
                           const char *settings, struct dgm_buf *text)
{
    const struct dgm_train_state *state = &run->state;
    uint64_t values;

    DGM_TRY(dgm_final_model_checksum(run->env, trainee->params, &values));
    DGM_TRY(add_line(run->env, text, "version", dgm_version()));
    DGM_TRY(add_number(run->env, text, "bytes of a number", sizeof(dgm_real)));
    DGM_TRY(add_line(run->env, text, "devices", state->devices));
    DGM_TRY(dgm_buf_add_text(run->env, text, settings));
    DGM_TRY(add_number(run->env, text, "checksum of the training text", state->train_checksum));
    if (trainee->texts.size > 0)
        DGM_TRY(add_line(run->env, text, "checksum, pairs, pairs of an epoch and tag of texts",
                         trainee->texts.data));
    DGM_TRY(add_number(run->env, text, "bytes of a window of text", (uint64_t)state->window_bytes));
    if (state->batch_tokens > 0)
        DGM_TRY(add_number(run->env, text, "batch-tokens", (uint64_t)state->batch_tokens));
    DGM_TRY(add_number(run->env, text, "updates of --trace",
                       (uint64_t)dgm_timeline_updates(run->settings)));
    DGM_TRY(add_number(run->env, text, "bucket",
                       (uint64_t)dgm_settings_bytes(run->settings, "bucket")));
    DGM_TRY(add_line(run->env, text, "reduce", dgm_settings_text(run->settings, "reduce")));
    DGM_TRY(
        add_line(run->env, text, "reduce-type", dgm_settings_text(run->settings, "reduce-type")));
    DGM_TRY(add_number(run->env, text, "update", (uint64_t)state->updates));
    DGM_TRY(add_number(run->env, text, "elements", (uint64_t)trainee->params->total));
    return add_number(run->env, text, "checksum of the model", values);
}

dgm_status dgm_agree(const struct dgm_run *run, const struct dgm_trainee *trainee,
                     const char *settings)
{
    struct dgm_ranks *ranks = run->ranks;
    const double patience = ranks != NULL ? ranks->patience : 0;
    struct dgm_buf text = { 0 };
    dgm_status status;

    if (ranks == NULL)
        return DGM_OK;
    ranks->patience = 0; /* some are still reading */
    status = describe(run, trainee, settings, &text);
    if (status == DGM_OK)
        status = dgm_ranks_compare(run->env, ranks, &text);
    dgm_buf_clear(run->env, &text);
    ranks->patience = patience;
    return status;
}
