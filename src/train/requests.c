/*
 * requests.c: what a training run does when it is asked to stop, or to save and go on: after an
 * update, or between two steps of a validation.
 *
 * What a validation changes in the state is kept only once it is complete. So a checkpoint that is
 * made in its middle holds the state from before it and says what is pending
 * (train/state.h): the run that resumes from it begins with the whole validation.
 */
#include "train/requests.h"

#include "base/ranks/ranks.h"

static int is_asked(const dgm_flag *flag)
{
    return flag != NULL && dgm_flag_get(flag);
}

/* A signal may have reached any rank. */
static dgm_status hear_ranks(struct dgm_requests *requests)
{
    struct dgm_ranks *ranks = requests->run->ranks;

    if (ranks == NULL)
        return DGM_OK;
    DGM_TRY(dgm_ranks_listen(requests->run->env, ranks));
    if (ranks->save_asked && requests->save != NULL)
        dgm_flag_set(requests->save, 1);
    ranks->save_asked = 0;
    return DGM_OK;
}

static int must_stop(const struct dgm_requests *requests)
{
    const struct dgm_ranks *ranks = requests->run->ranks;

    return is_asked(requests->run->stop) || (ranks != NULL && ranks->stop_asked);
}

static dgm_status answer(struct dgm_requests *requests)
{
    dgm_flag_set(requests->save, 0);
    return requests->answer(requests->user);
}

dgm_status dgm_requests_obey(struct dgm_requests *requests, int *stops)
{
    DGM_TRY(hear_ranks(requests));
    if (is_asked(requests->save))
        DGM_TRY(answer(requests));
    *stops = must_stop(requests);
    return DGM_OK;
}

/* ---- in the middle of things ----------------------------------------------------------------- */

/* Saves the state as it was before the validation. */
static dgm_status answer_inside(struct dgm_requests *requests)
{
    struct dgm_train_state *state = &requests->run->state, now = *state;
    dgm_status status;

    *state = requests->before;
    status = answer(requests);
    *state = now;
    return status;
}

/* Whether a stop in the middle of an update would lose something: updates that are not saved, or
 * the step of other ranks, which wait for this one. */
static int has_news(const struct dgm_requests *requests)
{
    return requests->run->ranks != NULL || requests->saved_updates != requests->run->state.updates;
}

dgm_status dgm_requests_poll(struct dgm_env *env, void *user)
{
    struct dgm_requests *requests = user;

    if (requests->phase == DGM_PHASE_SAVE)
        return DGM_OK;
    DGM_TRY(hear_ranks(requests));
    /* Text may be read within an update. What came before it is worth saving, which is done between
     * updates only. */
    if (requests->phase == DGM_PHASE_UPDATE)
        return has_news(requests) || !must_stop(requests)
                   ? DGM_OK
                   : dgm_fail(env, DGM_INTERRUPTED,
                              "stopped within an update; the same command goes on");
    if (requests->phase == DGM_PHASE_VALIDATION && is_asked(requests->save))
        DGM_TRY(answer_inside(requests));
    if (must_stop(requests))
        return dgm_fail(env, DGM_INTERRUPTED,
                        "stopped while the data were read; the same "
                        "command begins with that again");
    return DGM_OK;
}
