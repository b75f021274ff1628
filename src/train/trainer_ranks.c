/*
 * trainer_ranks.c: what all ranks of a training run do together. Rank 0 leads: it gives an order
 * and does its own part; the others hear it and do theirs. A run of one process has nobody to give
 * orders to.
 */
#include "train/step/gather.h"
#include "train/step/update.h"
#include "train/trainer_parts.h"

dgm_status dgm_trainer_update(struct dgm_trainer *trainer)
{
    dgm_status status;

    trainer->requests.phase = DGM_PHASE_UPDATE;
    status = dgm_update_run(&trainer->run, &trainer->trainee, &trainer->course, &trainer->stepper);
    trainer->requests.phase = DGM_PHASE_READY;
    return status;
}

/* A rank's part of an order. */
static dgm_status obey(struct dgm_trainer *trainer, enum dgm_lead_order order)
{
    struct dgm_env *env = trainer->run.env;
    struct dgm_stepper *stepper = &trainer->stepper;

    switch (order) {
    case DGM_LEAD_UPDATE: return dgm_trainer_update(trainer);
    case DGM_LEAD_GRADIENT: return dgm_gather_gradient(env, stepper);
    case DGM_LEAD_MOMENTS: return dgm_gather_moments(env, stepper, trainer->moments);
    case DGM_LEAD_MEAN: return dgm_gather_mean(env, stepper);
    case DGM_LEAD_FIGURES: return dgm_gather_figures(env, stepper);
    case DGM_LEAD_TIMELINE: return dgm_timeline_end(&trainer->run, &trainer->timeline);
    case DGM_LEAD_END: break;
    }
    return DGM_OK;
}

/* ---- rank 0 ---------------------------------------------------------------------------------- */

dgm_status dgm_trainer_lead_update(struct dgm_trainer *trainer)
{
    struct dgm_crew *crew = trainer->stepper.crew;

    if (crew != NULL)
        dgm_crew_note(crew, DGM_SENT_BESIDE);
    DGM_TRY(dgm_lead_give(&trainer->run, DGM_LEAD_UPDATE));
    DGM_TRY(dgm_trainer_update(trainer));
    if (crew != NULL)
        dgm_sent_end_update(&crew->sent, crew->ranks);
    return DGM_OK;
}

dgm_status dgm_trainer_lead(struct dgm_trainer *trainer, enum dgm_lead_order order)
{
    if (trainer->stepper.crew == NULL)
        return DGM_OK;
    DGM_TRY(dgm_lead_give(&trainer->run, order));
    return obey(trainer, order);
}

dgm_status dgm_trainer_show_mean(struct dgm_trainer *trainer, int *before)
{
    struct dgm_ema *ema = &trainer->stepper.ema;

    if (dgm_ema_is_scattered(ema))
        DGM_TRY(dgm_trainer_lead(trainer, DGM_LEAD_MEAN));
    *before = dgm_ema_show(ema);
    return DGM_OK;
}

dgm_status dgm_trainer_lead_timeline(struct dgm_trainer *trainer)
{
    if (trainer->timeline.is_on)
        DGM_TRY(dgm_lead_give(&trainer->run, DGM_LEAD_TIMELINE));
    return dgm_timeline_end(&trainer->run, &trainer->timeline);
}

/* ---- the others ------------------------------------------------------------------------------ */

dgm_status dgm_trainer_follow(struct dgm_trainer *trainer)
{
    enum dgm_lead_order order = DGM_LEAD_UPDATE;

    while (order != DGM_LEAD_END) {
        DGM_TRY(dgm_lead_hear(&trainer->run, &order));
        DGM_TRY(obey(trainer, order));
    }
    return DGM_OK;
}
