/*
 * requests.c: what a training run does when it is asked to stop, or to save and go on: after an
 * update, or between two steps of a validation.
 *
 * What a validation changes in the state is kept only once it is complete. So a checkpoint that is
 * made in its middle holds the state from before it and says what is pending
 * (train/store/state.h): the run that resumes from it begins with the whole validation.
 */
#include "train/requests.h"

#include "base/number/number.h"
#include "train/step/exchange/lead.h"

static int is_asked(const dgm_flag *flag)
{
    return flag != NULL && dgm_flag_get(flag);
}

/* "status: Ep. 2 : Up. 5400 : Cost 3.691641 : 31317.39 words/s : checkpoint m.ckpt/update-..." */
static void report_status(const struct dgm_session *session)
{
    const struct dgm_train_state *state = &session->run.state;
    char cost[32], speed[32], path[DGM_CHECKPOINT_PATH];

    cost[dgm_number_print_fixed(cost, dgm_report_cost(&session->report, state), 6)] = '\0';
    speed[dgm_number_print_fixed(
        speed, dgm_report_speed(&session->report, state, dgm_report_clock()), 2)] = '\0';
    dgm_checkpoints_last(&session->checkpoints, path);
    dgm_log(session->run.env, DGM_LOG_NOTE,
            "status: Ep. %lld : Up. %lld : Cost %s : %s words/s : checkpoint %s%s",
            (long long)state->epoch, (long long)state->updates, cost, speed, path,
            state->pending & DGM_PENDING_VALIDATION ? " : validating" : "");
}

/* Does not save the same update twice: only updates change the state. */
static dgm_status save_now(struct dgm_session *session)
{
    if (session->saved_updates == session->run.state.updates)
        return DGM_OK;
    return dgm_session_save(session, 0, 0);
}

static dgm_status obey_save(struct dgm_session *session)
{
    dgm_flag_set(session->hooks->save, 0);
    DGM_TRY(save_now(session));
    report_status(session);
    return DGM_OK;
}

/* A signal may have reached any rank. */
static dgm_status hear_ranks(struct dgm_env *env, struct dgm_session *session)
{
    struct dgm_ranks *ranks = session->run.ranks;

    if (ranks == NULL)
        return DGM_OK;
    DGM_TRY(dgm_ranks_listen(env, ranks));
    if (ranks->save_asked && session->hooks->save != NULL)
        dgm_flag_set(session->hooks->save, 1);
    ranks->save_asked = 0;
    return DGM_OK;
}

static int must_stop(const struct dgm_session *session)
{
    return is_asked(session->hooks->stop) ||
           (session->run.ranks != NULL && session->run.ranks->stop_asked);
}

dgm_status dgm_requests_obey(struct dgm_session *session)
{
    DGM_TRY(hear_ranks(session->run.env, session));
    if (is_asked(session->hooks->save))
        DGM_TRY(obey_save(session));
    if (!must_stop(session))
        return DGM_OK;
    DGM_TRY(save_now(session));
    DGM_TRY(dgm_lead_timeline(session));
    return dgm_fail(session->run.env, DGM_INTERRUPTED,
                    "stopped at update %lld; the same command goes "
                    "on",
                    (long long)session->run.state.updates);
}

/* ---- in a validation ------------------------------------------------------------------------ */

/* Saves the state as it was before the validation. */
static dgm_status obey_save_inside(struct dgm_session *session)
{
    struct dgm_train_state now = session->run.state;
    dgm_status status;

    session->run.state = *session->before;
    status = obey_save(session);
    session->run.state = now;
    return status;
}

/* Whether a stop in the middle of an update would lose something: updates that are not saved, or
 * the step of other ranks, which wait for this one. */
static int has_news(const struct dgm_session *session)
{
    return session->run.ranks != NULL || session->saved_updates != session->run.state.updates;
}

dgm_status dgm_requests_poll(struct dgm_env *env, void *user)
{
    struct dgm_session *session = user;

    if (session->is_saving) /* what a stop would lose is being saved */
        return DGM_OK;
    DGM_TRY(hear_ranks(env, session));
    /* Text may be read within an update. What came before it is worth saving, which is done between
     * updates only. */
    if (session->is_updating)
        return has_news(session) || !must_stop(session)
                   ? DGM_OK
                   : dgm_fail(env, DGM_INTERRUPTED,
                              "stopped within an update; the same command goes on");
    if (session->before != NULL && is_asked(session->hooks->save))
        DGM_TRY(obey_save_inside(session));
    if (must_stop(session))
        return dgm_fail(env, DGM_INTERRUPTED,
                        "stopped while the data were read; the same "
                        "command begins with that again");
    return DGM_OK;
}

dgm_status dgm_requests_validate(struct dgm_session *session)
{
    struct dgm_train_state before = session->run.state;
    dgm_status status;
    int was_shown;

    DGM_TRY(dgm_ema_show(session, &was_shown));
    session->before = &before;
    status = session->trainee.learner->validate(session);
    session->before = NULL;
    dgm_ema_hide(session, was_shown);
    if (status != DGM_INTERRUPTED)
        return status;
    /* Stopped: `before` says that this validation is pending, and that is what is saved. Log lines
     * of metrics that were complete already are cut from the metrics file on resume. */
    dgm_env_clear_error(session->run.env);
    session->run.state = before;
    return dgm_requests_obey(session);
}
