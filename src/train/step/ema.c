/*
 * ema.c: an exponential moving average of the values.
 */
#include "train/step/ema.h"

#include "base/mem.h"
#include "base/option/settings.h"
#include "train/step/exchange/lead.h"
#include "train/session.h"

static size_t bytes_of(int64_t count)
{
    return (size_t)(count > 0 ? count : 1) * sizeof(dgm_real);
}

static int is_on(const struct dgm_session *session)
{
    return dgm_settings_text(session->run.settings, "ema") != NULL;
}

/* Whether this rank puts the means of several together. */
static int gathers(const struct dgm_session *session)
{
    return session->run.ranks != NULL && dgm_run_rank(&session->run) == 0;
}

double dgm_ema_bytes(const struct dgm_session *session)
{
    const int64_t slice = dgm_crew_slice(session, dgm_run_rank(&session->run)).count;

    if (!is_on(session))
        return 0;
    return (double)slice * sizeof(dgm_real) +
           (gathers(session) ? (double)session->trainee.params->total * sizeof(dgm_real) : 0);
}

dgm_status dgm_ema_init(struct dgm_session *session)
{
    struct dgm_ema *ema = &session->ema;
    struct dgm_env *env = session->run.env;

    if (!is_on(session))
        return DGM_OK;
    ema->rate = dgm_settings_real(session->run.settings, "ema");
    DGM_TRY(
        dgm_device_alloc(env, session->run.device, &ema->mean, bytes_of(session->optimizer.count)));
    if (gathers(session))
        DGM_TRY(dgm_device_alloc(env, session->run.device, &ema->whole,
                                 bytes_of(session->trainee.params->total)));
    return dgm_optimizer_copy(env, &session->optimizer, ema->mean);
}

void dgm_ema_clear(struct dgm_session *session)
{
    struct dgm_ema *ema = &session->ema;

    if (ema->mean != NULL)
        dgm_device_release(session->run.env, session->run.device, ema->mean);
    if (ema->whole != NULL)
        dgm_device_release(session->run.env, session->run.device, ema->whole);
    *ema = (struct dgm_ema){ 0 };
}

/* ---- steps ----------------------------------------------------------------------------------- */

dgm_status dgm_ema_step(struct dgm_session *session, int64_t t)
{
    const struct dgm_ema *ema = &session->ema;
    const double first = 9 / ((double)t + 10);

    if (ema->rate <= 0)
        return DGM_OK;
    return dgm_optimizer_blend(session->run.env, &session->optimizer, ema->mean,
                               ema->rate > first ? ema->rate : first);
}

/* ---- showing --------------------------------------------------------------------------------- */

/* The buffer that changes places with the values. */
static struct dgm_buffer **other(struct dgm_session *session)
{
    return session->ema.whole != NULL ? &session->ema.whole : &session->ema.mean;
}

struct dgm_buffer *dgm_ema_hidden(const struct dgm_session *session)
{
    const struct dgm_ema *ema = &session->ema;

    if (!ema->is_shown)
        return NULL;
    return ema->whole != NULL ? ema->whole : ema->mean;
}

static void change_places(struct dgm_session *session)
{
    struct dgm_buffer **place = other(session), *values = session->trainee.params->values;

    session->trainee.params->values = *place;
    *place = values;
    session->ema.is_shown = !session->ema.is_shown;
}

/* Slices of the mean from all ranks. */
static dgm_status gather(struct dgm_session *session)
{
    const struct dgm_ref to = { session->ema.whole, 0 };
    dgm_real *values = NULL;
    dgm_status status;

    if (session->ema.whole == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lead_mean(session, &values));
    status = dgm_device_write(session->run.env, session->run.device, to, values,
                              (size_t)session->trainee.params->total * sizeof *values);
    dgm_release(session->run.env, values);
    return status;
}

dgm_status dgm_ema_show(struct dgm_session *session, int *before)
{
    *before = session->ema.is_shown;
    if (session->ema.rate <= 0 || session->ema.is_shown)
        return DGM_OK;
    DGM_TRY(gather(session));
    change_places(session);
    return DGM_OK;
}

void dgm_ema_hide(struct dgm_session *session, int before)
{
    if (session->ema.is_shown && !before)
        change_places(session);
}
