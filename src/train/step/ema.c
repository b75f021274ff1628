/*
 * ema.c: an exponential moving average of the values.
 */
#include "train/step/ema.h"

#include "train/step/exchange/crew.h"

static size_t bytes_of(int64_t count)
{
    return (size_t)(count > 0 ? count : 1) * sizeof(dgm_real);
}

static int is_on(const struct dgm_run *run)
{
    return dgm_settings_text(run->settings, "ema") != NULL;
}

/* Whether this rank puts the means of several together. */
static int gathers(const struct dgm_run *run)
{
    return run->ranks != NULL && dgm_run_rank(run) == 0;
}

double dgm_ema_bytes(const struct dgm_run *run, int64_t total)
{
    const int64_t slice = dgm_crew_slice(run, total, dgm_run_rank(run)).count;

    if (!is_on(run))
        return 0;
    return (double)slice * sizeof(dgm_real) + (gathers(run) ? (double)total * sizeof(dgm_real) : 0);
}

dgm_status dgm_ema_init(const struct dgm_run *run, struct dgm_ema *ema,
                        const struct dgm_optimizer *optimizer)
{
    const struct dgm_params *params = optimizer->params;

    if (!is_on(run))
        return DGM_OK;
    ema->optimizer = optimizer;
    ema->rate = dgm_settings_real(run->settings, "ema");
    DGM_TRY(dgm_device_alloc(run->env, params->device, &ema->mean, bytes_of(optimizer->count)));
    if (gathers(run))
        DGM_TRY(dgm_device_alloc(run->env, params->device, &ema->whole, bytes_of(params->total)));
    return dgm_optimizer_copy(run->env, optimizer, ema->mean);
}

void dgm_ema_clear(struct dgm_env *env, struct dgm_ema *ema)
{
    if (ema->mean != NULL)
        dgm_device_release(env, ema->optimizer->params->device, ema->mean);
    if (ema->whole != NULL)
        dgm_device_release(env, ema->optimizer->params->device, ema->whole);
    *ema = (struct dgm_ema){ 0 };
}

/* ---- steps ----------------------------------------------------------------------------------- */

dgm_status dgm_ema_step(struct dgm_env *env, const struct dgm_ema *ema, int64_t t)
{
    const double first = 9 / ((double)t + 10);

    if (ema->rate <= 0)
        return DGM_OK;
    return dgm_optimizer_blend(env, ema->optimizer, ema->mean,
                               ema->rate > first ? ema->rate : first);
}

/* ---- showing --------------------------------------------------------------------------------- */

struct dgm_buffer *dgm_ema_hidden(const struct dgm_ema *ema)
{
    if (!ema->is_shown)
        return NULL;
    return ema->whole != NULL ? ema->whole : ema->mean;
}

int dgm_ema_is_scattered(const struct dgm_ema *ema)
{
    return ema->whole != NULL && !ema->is_shown;
}

dgm_status dgm_ema_fill(struct dgm_env *env, const struct dgm_ema *ema, const dgm_real *whole)
{
    const struct dgm_params *params = ema->optimizer->params;
    const struct dgm_ref to = { ema->whole, 0 };

    return dgm_device_write(env, params->device, to, whole, (size_t)params->total * sizeof *whole);
}

static void change_places(struct dgm_ema *ema)
{
    struct dgm_buffer **place = ema->whole != NULL ? &ema->whole : &ema->mean;
    struct dgm_buffer **values = &ema->optimizer->params->values, *kept = *values;

    *values = *place;
    *place = kept;
    ema->is_shown = !ema->is_shown;
}

int dgm_ema_show(struct dgm_ema *ema)
{
    const int before = ema->is_shown;

    if (ema->rate > 0 && !before)
        change_places(ema);
    return before;
}

void dgm_ema_hide(struct dgm_ema *ema, int before)
{
    if (ema->is_shown && !before)
        change_places(ema);
}
