/* api_train.c: training behind the public interface. */
#include <string.h>

#include "api/context.h"
#include "train/options.h"
#include "train/trainer.h"

const struct dgm_opt *const *dgm_train_option_tables(void)
{
    return dgm_train_tables;
}

dgm_status dgm_train_settings(dgm_context *context, const struct dgm_settings *settings,
                              dgm_progress_fn progress, void *progress_user)
{
    struct dgm_train_hooks hooks;
    struct dgm_device *device;
    dgm_status status;

    DGM_ENTER(context);
    hooks.stop = &context->stop;
    hooks.progress = progress;
    hooks.progress_user = progress_user;
    DGM_TRY(dgm_device_open(&context->env, &device, "cpu", &context->device));
    status = dgm_train_run(&context->env, device, settings, &hooks);
    dgm_device_close(&context->env, device);
    return status;
}

static dgm_status fill(struct dgm_env *env, struct dgm_settings *settings,
                       const dgm_train_options *options)
{
    size_t i;

    if (options->config != NULL)
        DGM_TRY(dgm_settings_load(env, settings, options->config));
    for (i = 0; i < options->count; i++)
        DGM_TRY(dgm_settings_set(env, settings, options->names[i], options->values[i], "caller"));
    return DGM_OK;
}

dgm_status dgm_train(dgm_context *context, const dgm_train_options *options)
{
    dgm_train_options chosen;
    struct dgm_settings settings;
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options,
                             "dgm_train_options"));
    DGM_TRY(dgm_settings_init(&context->env, &settings, dgm_train_tables));
    status = fill(&context->env, &settings, &chosen);
    if (status == DGM_OK)
        status = dgm_train_settings(context, &settings, chosen.progress, chosen.progress_user);
    dgm_settings_clear(&context->env, &settings);
    return status;
}
