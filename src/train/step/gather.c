/* gather.c: from gradients of several ranks to a step that all of them make. */
#include "train/step/gather.h"

#include <math.h>

#include "base/mem.h"
#include "base/trace/trace.h"

dgm_status dgm_gather_add(struct dgm_env *env, struct dgm_stepper *stepper,
                          const struct dgm_params *from, const struct dgm_crew_round *round)
{
    struct dgm_ref part;

    DGM_TRY(dgm_crew_exchange(env, stepper->crew, from, round));
    if (dgm_crew_is_fast(stepper->crew))
        return round->is_last ? dgm_crew_take_sum(env, stepper->crew, stepper->optimizer.sum)
                              : DGM_OK;
    for (int k = 0; k < round->count; k++) {
        DGM_TRY(dgm_crew_part(env, stepper->crew, k, &part));
        DGM_TRY(dgm_optimizer_add_from(env, &stepper->optimizer, part, round->is_first && k == 0));
    }
    return DGM_OK;
}

dgm_status dgm_gather_gradient(struct dgm_env *env, struct dgm_stepper *stepper)
{
    return dgm_crew_share_gradient(env, stepper->crew, stepper->optimizer.sum);
}

/* Of the blocks of this rank's slice. */
static dgm_status find_squares(struct dgm_env *env, const struct dgm_stepper *stepper)
{
    const int64_t block = stepper->crew->block, all = stepper->optimizer.count;
    double *sums = dgm_crew_own_squares(stepper->crew);

    for (int64_t at = 0; at < all; at += block)
        DGM_TRY(dgm_optimizer_slice_squares(env, &stepper->optimizer, at,
                                            all - at < block ? all - at : block, sums++));
    return DGM_OK;
}

/* The sum of squares of the whole gradient, with the bits that the device has for it. Where the
 * device adds blocks in their order, so do ranks. Elsewhere each asks its device for the sum of the
 * whole. */
static dgm_status sum_squares(struct dgm_env *env, struct dgm_stepper *stepper, double *squares)
{
    const struct dgm_params *params = stepper->optimizer.params;

    if (params->device->sum_block > 0) {
        DGM_TRY(find_squares(env, stepper));
        return dgm_crew_add_squares(env, stepper->crew, squares);
    }
    dgm_crew_note(stepper->crew, DGM_SENT_CONTROL);
    DGM_TRY(dgm_gather_gradient(env, stepper));
    dgm_crew_note(stepper->crew, DGM_SENT_GRADIENTS);
    return dgm_optimizer_squares(env, &stepper->optimizer, 0, params->total, squares);
}

dgm_status dgm_gather_update(struct dgm_env *env, struct dgm_stepper *stepper, int64_t t,
                             double rate, double grad_scale)
{
    double squares;

    DGM_TRY_TRACED(env, "norm", sum_squares(env, stepper, &squares));
    if (!isfinite(squares)) /* the message looks for the parameter at fault */
        DGM_TRY(dgm_gather_gradient(env, stepper));
    DGM_TRY(dgm_optimizer_step(env, &stepper->optimizer, t, rate, grad_scale, squares,
                               &stepper->figures.norm));
    DGM_TRY_TRACED(env, "share values", dgm_crew_share_values(env, stepper->crew));
    return DGM_OK;
}

/* ---- between updates ------------------------------------------------------------------------- */

dgm_status dgm_gather_moments(struct dgm_env *env, const struct dgm_stepper *stepper,
                              dgm_real *moments[2])
{
    DGM_TRY(dgm_crew_collect(env, stepper->crew, stepper->optimizer.m, &moments[0]));
    return dgm_crew_collect(env, stepper->crew, stepper->optimizer.v, &moments[1]);
}

dgm_status dgm_gather_mean(struct dgm_env *env, struct dgm_stepper *stepper)
{
    dgm_real *values;
    dgm_status status;

    DGM_TRY(dgm_crew_collect(env, stepper->crew, stepper->ema.mean, &values));
    status = values != NULL ? dgm_ema_fill(env, &stepper->ema, values) : DGM_OK;
    dgm_release(env, values);
    return status;
}

dgm_status dgm_gather_figures(struct dgm_env *env, struct dgm_stepper *stepper)
{
    struct dgm_crew *crew = stepper->crew;
    struct dgm_figures *figures = &stepper->figures;

    DGM_TRY(dgm_waits_collect(env, crew->ranks, &crew->waits, &crew->buckets));
    if (crew->ranks->rank != 0)
        return DGM_OK;
    figures->waits = crew->waits.shares;
    figures->ranks = crew->ranks->count;
    figures->has_sent = dgm_sent_since(&crew->sent, figures->sent);
    return DGM_OK;
}
