/* stepper.c: from settings to what makes updates. */
#include "train/step/stepper.h"

#include <string.h>

static struct dgm_optimizer_options read_options(const struct dgm_settings *settings)
{
    const int is_adadelta = strcmp(dgm_settings_text(settings, "optimizer"), "adadelta") == 0;
    return (struct dgm_optimizer_options){
        .kind = is_adadelta ? DGM_ADADELTA : DGM_ADAM,
        .beta1 = dgm_settings_real(settings, "adam-beta1"),
        .beta2 = dgm_settings_real(settings, "adam-beta2"),
        .rho = dgm_settings_real(settings, "adadelta-rho"),
        .eps = dgm_settings_real(settings, is_adadelta ? "adadelta-eps" : "adam-eps"),
        .weight_decay = dgm_settings_real(settings, "weight-decay"),
        .clip_norm = dgm_settings_real(settings, "clip-norm"),
    };
}

dgm_status dgm_stepper_allocate(const struct dgm_run *run, const struct dgm_trainee *trainee,
                                struct dgm_stepper *stepper)
{
    const struct dgm_optimizer_options options = read_options(run->settings);
    const struct dgm_slice slice = dgm_crew_slice(run, trainee->params->total, dgm_run_rank(run));

    DGM_TRY(dgm_optimizer_init(run->env, &stepper->optimizer, trainee->params, &options,
                               slice.first, slice.count));
    DGM_TRY(dgm_crew_new(run, trainee->params, &stepper->crew));
    DGM_TRY(dgm_ema_init(run, &stepper->ema, &stepper->optimizer));
    return run->options.accumulate > 1 || run->ranks != NULL
               ? dgm_optimizer_hold_sum(run->env, &stepper->optimizer)
               : DGM_OK;
}

dgm_status dgm_stepper_join(const struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_stepper *stepper)
{
    DGM_TRY(dgm_batch_costs_init(run, &stepper->costs));
    return dgm_replicas_init(run, trainee, &stepper->replicas);
}

void dgm_stepper_clear(const struct dgm_run *run, const struct dgm_trainee *trainee,
                       struct dgm_stepper *stepper)
{
    dgm_replicas_clear(run, trainee, &stepper->replicas);
    dgm_crew_free(run->env, stepper->crew);
    stepper->crew = NULL;
    dgm_batch_costs_clear(run->env, &stepper->costs);
    dgm_ema_clear(run->env, &stepper->ema);
    dgm_optimizer_clear(run->env, &stepper->optimizer);
}
