/*
 * resume.c: the data of a training run, and whether they are those that it was begun with.
 *
 * The order of an epoch follows from seed, epoch and text. So on another text, which only
 * --allow-data-change lets pass, there is no place in the epoch to go on from: an epoch that has
 * begun begins again, with the order that the new text has in it; one that was used up stays so,
 * and the next begins. Best scores of another validation text are forgotten with the next update.
 */
#include <stdio.h>
#include <string.h>

#include "train/session.h"

/* ---- what computes --------------------------------------------------------------------------- */

/* "CPU, avx512; CPU, avx512": without the threads, which change nothing. */
static void name_devices(const struct dgm_session *session, char *names, size_t size)
{
    const int count = session->accumulate < session->devices->count ? (int)session->accumulate
                                                                    : session->devices->count;
    size_t length = 0;
    int i;

    names[0] = '\0';
    for (i = 0; i < count && length < size; i++) {
        const struct dgm_device *device = session->devices->items[i];
        length += (size_t)snprintf(names + length, size - length, "%s%s%s", i > 0 ? "; " : "",
                                   device->isa != NULL ? "CPU, " : device->title,
                                   device->isa != NULL ? device->isa : "");
    }
}

static void compare_devices(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    char names[sizeof state->devices];

    name_devices(session, names, sizeof names);
    if (state->devices[0] != '\0' && strcmp(state->devices, names) != 0)
        dgm_log(session->env, DGM_LOG_WARNING,
                "resuming on %s what was trained on %s: they round "
                "differently, so that the bytes of the model may differ from those of a run that "
                "was not interrupted",
                names, state->devices);
    memcpy(state->devices, names, sizeof names);
}

/* ---- what is read ---------------------------------------------------------------------------- */

/* The run goes on with an epoch whose order is that of the text as it is now. */
static void begin_epoch_again(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    int is_used_up = state->batches != 0 && state->batch == state->batches;

    state->epoch += is_used_up;
    state->batch = 0;
    state->batches = 0;
    state->sentences = 0;
    dgm_log(session->env, DGM_LOG_NOTE,
            "the training text is another one than that of the "
            "checkpoints: epoch %lld begins%s, in the order of the new text",
            (long long)state->epoch, is_used_up ? "" : " again");
}

static dgm_status fail_changed(struct dgm_session *session, const char *what)
{
    return dgm_fail_at(session->env, DGM_USAGE, session->checkpoints.newest, 0, 0,
                       "%s. Try --allow-data-change or --overwrite", what);
}

static dgm_status compare_texts(struct dgm_session *session, const struct dgm_train_state *before)
{
    int may_change = dgm_settings_flag(session->settings, "allow-data-change");
    int new_text = before->train_checksum != session->state.train_checksum;

    session->has_new_valid =
        before->knows_valid && before->valid_checksum != session->state.valid_checksum;
    if (new_text && !may_change)
        return fail_changed(session, "the training text is not the one that this checkpoint was "
                                     "trained on");
    if (session->has_new_valid && !may_change)
        return fail_changed(
            session, before->valid_checksum == 0
                         ? "this checkpoint comes from a run without a validation text"
                     : !session->has_valid
                         ? "this checkpoint comes from a run with a validation text; expected "
                           "--valid-sets"
                         : "the validation text is not the one that this checkpoint was "
                           "validated on");
    if (new_text)
        begin_epoch_again(session);
    return DGM_OK;
}

/* Checkpoints of older versions do not say how many batches the epoch has: their text may have been
 * changed in the middle of it, which left the count of sentences to itself. */
static dgm_status check_epoch(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    const char *file = session->checkpoints.newest;
    int64_t sentences;

    DGM_TRY(dgm_train_state_check_batch(session->env, file, state, session->batches));
    sentences = session->learner->sentences(session, state->batch);
    if (state->batches == 0)
        state->sentences = sentences;
    return dgm_train_state_check_sentences(session->env, file, state, sentences);
}

dgm_status dgm_session_take_data(struct dgm_session *session)
{
    const struct dgm_learner *learner = session->learner;
    struct dgm_train_state before = session->state;
    int is_resumed = session->checkpoints.newest[0] != '\0';

    session->state.valid_checksum = 0;
    session->state.knows_valid = 1;
    DGM_TRY(learner->data(session));
    if (is_resumed)
        DGM_TRY(compare_texts(session, &before));
    compare_devices(session);
    DGM_TRY(learner->epoch(session, session->state.epoch, &session->batches));
    return is_resumed ? check_epoch(session) : DGM_OK;
}
