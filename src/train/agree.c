/*
 * agree.c: rank 0 describes its run in lines "name = value", and the others hold theirs against it.
 *
 * The values of all parameters are among what is compared. So random numbers, the checkpoint that
 * was found and what was learned from text are, too, whatever this file forgets to name.
 */
#include "train/agree.h"

#include "base/ranks/compare.h"
#include "base/ranks/describe.h"
#include "train/store/final_model.h"

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
                           struct dgm_buf *text)
{
    const struct dgm_train_state *state = &run->state;
    uint64_t values;

    DGM_TRY(dgm_final_model_checksum(run->env, trainee->params, &values));
    DGM_TRY(add_line(run->env, text, "devices", state->devices));
    DGM_TRY(add_number(run->env, text, "checksum of the training text", state->train_checksum));
    DGM_TRY(add_number(run->env, text, "checksum of the validation text", state->valid_checksum));
    if (trainee->texts.size > 0)
        DGM_TRY(add_line(run->env, text, "checksum, pairs, pairs of an epoch and tag of texts",
                         trainee->texts.data));
    DGM_TRY(add_number(run->env, text, "bytes of a window of text", (uint64_t)state->window_bytes));
    if (state->batch_tokens > 0)
        DGM_TRY(add_number(run->env, text, "batch-tokens", (uint64_t)state->batch_tokens));
    DGM_TRY(add_number(run->env, text, "update", (uint64_t)state->updates));
    DGM_TRY(add_number(run->env, text, "elements", (uint64_t)trainee->params->total));
    return add_number(run->env, text, "checksum of the model", values);
}

/* What the run was told, and by whom it is computed. */
static dgm_status describe_settings(const struct dgm_run *run, struct dgm_buf *text)
{
    DGM_TRY(add_line(run->env, text, "version", dgm_version()));
    DGM_TRY(add_number(run->env, text, "bytes of a number", sizeof(dgm_real)));
    return dgm_ranks_describe(run->env, run->settings, text, 1);
}

/* Compares a text, or tells that it could not be made; clears it. */
static dgm_status compare(const struct dgm_run *run, struct dgm_buf *text, dgm_status status)
{
    struct dgm_ranks *ranks = run->ranks;
    const double patience = ranks->patience;

    ranks->patience = 0; /* some are still reading */
    if (status == DGM_OK)
        status = dgm_ranks_compare(run->env, ranks, text);
    dgm_buf_clear(run->env, text);
    ranks->patience = patience;
    return status;
}

dgm_status dgm_agree_settings(const struct dgm_run *run)
{
    struct dgm_buf text = { 0 };

    if (run->ranks == NULL)
        return DGM_OK;
    return compare(run, &text, describe_settings(run, &text));
}

dgm_status dgm_agree(const struct dgm_run *run, const struct dgm_trainee *trainee)
{
    struct dgm_buf text = { 0 };

    if (run->ranks == NULL)
        return DGM_OK;
    return compare(run, &text, describe(run, trainee, &text));
}
