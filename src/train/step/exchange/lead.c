/* lead.c: orders of rank 0, and how the other ranks obey them. */
#include "train/step/exchange/lead.h"

#include "train/session.h"
#include "train/step/update.h"

enum order {
    ORDER_UPDATE,
    ORDER_GRADIENT,
    ORDER_MOMENTS,
    ORDER_MEAN,
    ORDER_TIMELINE,
    ORDER_WAITS,
    ORDER_END
};

/* ---- rank 0 ---------------------------------------------------------------------------------- */

static dgm_status give(struct dgm_session *session, enum order order)
{
    struct dgm_ranks *ranks = session->run.ranks;
    int32_t word = (int32_t)order;

    DGM_TRY(dgm_ranks_listen(session->run.env, ranks));
    return dgm_ranks_broadcast(session->run.env, ranks, &word, sizeof word, ranks->patience);
}

static int is_alone(const struct dgm_session *session)
{
    return session->run.ranks == NULL;
}

dgm_status dgm_lead_update(struct dgm_session *session)
{
    return is_alone(session) ? DGM_OK : give(session, ORDER_UPDATE);
}

dgm_status dgm_lead_gradient(struct dgm_session *session)
{
    if (is_alone(session))
        return DGM_OK;
    DGM_TRY(give(session, ORDER_GRADIENT));
    return dgm_crew_share_gradient(session);
}

static dgm_status collect_moments(struct dgm_session *session, dgm_real *moments[2])
{
    DGM_TRY(dgm_crew_collect(session, session->optimizer.m, &moments[0]));
    return dgm_crew_collect(session, session->optimizer.v, &moments[1]);
}

dgm_status dgm_lead_moments(struct dgm_session *session, dgm_real *moments[2])
{
    moments[0] = moments[1] = NULL;
    if (is_alone(session))
        return DGM_OK;
    DGM_TRY(give(session, ORDER_MOMENTS));
    return collect_moments(session, moments);
}

dgm_status dgm_lead_mean(struct dgm_session *session, dgm_real **mean)
{
    DGM_TRY(give(session, ORDER_MEAN));
    return dgm_crew_collect(session, session->ema.mean, mean);
}

dgm_status dgm_lead_timeline(struct dgm_session *session)
{
    if (!is_alone(session) && session->timeline.is_on)
        DGM_TRY(give(session, ORDER_TIMELINE));
    return dgm_timeline_end(&session->run, &session->timeline);
}

dgm_status dgm_lead_waits(struct dgm_session *session)
{
    if (is_alone(session))
        return DGM_OK;
    DGM_TRY(give(session, ORDER_WAITS));
    return dgm_waits_collect(session);
}

dgm_status dgm_lead_end(struct dgm_session *session)
{
    return is_alone(session) ? DGM_OK : give(session, ORDER_END);
}

/* ---- the others ------------------------------------------------------------------------------ */

static dgm_status obey(struct dgm_session *session, enum order order)
{
    dgm_real *moments[2] = { NULL, NULL }; /* stay NULL here */

    switch (order) {
    case ORDER_UPDATE: return dgm_update_run(session);
    case ORDER_GRADIENT: return dgm_crew_share_gradient(session);
    case ORDER_MOMENTS: return collect_moments(session, moments);
    case ORDER_MEAN: return dgm_crew_collect(session, session->ema.mean, &moments[0]);
    case ORDER_WAITS: return dgm_waits_collect(session);
    case ORDER_TIMELINE: return dgm_timeline_end(&session->run, &session->timeline);
    default: return DGM_OK;
    }
}

dgm_status dgm_lead_follow(struct dgm_session *session)
{
    int32_t word = ORDER_UPDATE;

    while (word != ORDER_END) {
        DGM_TRY(dgm_ranks_listen(session->run.env, session->run.ranks));
        DGM_TRY_TRACED(session->run.env, "wait for orders",
                       dgm_ranks_broadcast(session->run.env, session->run.ranks, &word, sizeof word,
                                           0));
        DGM_TRY(obey(session, (enum order)word));
    }
    return DGM_OK;
}
