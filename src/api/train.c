/* train.c: training behind the public interface: of translation models and of parsers. */
#include <string.h>

#include "api/context.h"
#include "api/program.h"
#include "base/option/inputs_apart.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "train/options.h"
#include "train/parsing/learner.h"
#include "train/trainer.h"
#include "train/translation/learner.h"

/* ---- from settings ------------------------------------------------------------------------ */

/* A plan for so many ranks is one process's. */
static dgm_status find_ranks(dgm_context *context, const struct dgm_settings *settings,
                             struct dgm_ranks **ranks)
{
    const char *which = dgm_settings_text(settings, "ranks");

    *ranks = NULL;
    if (dgm_settings_flag(settings, "dry-run") && strcmp(which, "auto") != 0)
        return DGM_OK;
    return dgm_context_join(context, which, dgm_settings_int(settings, "rank-timeout"), ranks);
}

static dgm_status train_here(dgm_context *context, struct dgm_ranks *ranks,
                             const struct dgm_learner *learner, const struct dgm_settings *settings,
                             dgm_progress_fn progress, void *progress_user)
{
    const struct dgm_train_hooks hooks = { .stop = &context->stop,
                                           .save = &context->checkpoint,
                                           .ranks = ranks,
                                           .progress = progress,
                                           .progress_user = progress_user };
    struct dgm_devices devices;
    dgm_status status;

    DGM_TRY(dgm_context_open_devices(context, &devices));
    status = dgm_trainer_run(&context->env, &devices, settings, &hooks, learner);
    dgm_devices_close(&context->env, &devices);
    return status;
}

static dgm_status train(dgm_context *context, const struct dgm_learner *learner,
                        const struct dgm_settings *settings, dgm_progress_fn progress,
                        void *progress_user)
{
    struct dgm_ranks *ranks;
    dgm_status status;
    dgm_level level;

    DGM_ENTER(context);
    DGM_TRY(find_ranks(context, settings, &ranks));
    if (ranks == NULL)
        return train_here(context, NULL, learner, settings, progress, progress_user);
    level = context->env.log_level;
    if (ranks->rank != 0) { /* one log is enough */
        context->env.log_level = DGM_LOG_ERROR;
        progress = NULL;
    }
    status = train_here(context, ranks, learner, settings, progress, progress_user);
    context->env.log_level = level;
    dgm_ranks_settle(&context->env, ranks, status);
    return status;
}

const struct dgm_opt *const *dgm_train_option_tables(void)
{
    return dgm_train_tables;
}

dgm_status dgm_train_settle(dgm_context *context, struct dgm_settings *settled,
                            const struct dgm_settings *settings)
{
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_settings_copy(&context->env, settled, settings));
    status = dgm_translation_learner.settle(&context->env, settled);
    if (status != DGM_OK)
        dgm_settings_clear(&context->env, settled);
    return status;
}

dgm_status dgm_train_settings(dgm_context *context, const struct dgm_settings *settings,
                              dgm_progress_fn progress, void *progress_user)
{
    return train(context, &dgm_translation_learner, settings, progress, progress_user);
}

const struct dgm_opt *const *dgm_train_parser_option_tables(void)
{
    return dgm_train_parser_tables;
}

dgm_status dgm_train_parser_settings(dgm_context *context, const struct dgm_settings *settings,
                                     dgm_progress_fn progress, void *progress_user)
{
    return train(context, &dgm_parsing_learner, settings, progress, progress_user);
}

/* ---- from names and values ---------------------------------------------------------------- */

/* An embedder names options as a config file does, and they go through the same tables as those
 * of the command line: the same checks, the same messages, the same recipes. */
static dgm_status fill(struct dgm_env *env, struct dgm_settings *settings,
                       const dgm_train_options *options)
{
    size_t i;

    DGM_TRY(dgm_texts_check(env, options->names, options->count, "dgm_train_options.names"));
    DGM_TRY(dgm_texts_check(env, options->values, options->count, "dgm_train_options.values"));
    if (options->config != NULL)
        DGM_TRY(dgm_settings_file_load(env, settings, options->config));
    for (i = 0; i < options->count; i++)
        DGM_TRY(dgm_settings_set(env, settings, options->names[i], options->values[i], "caller"));
    return dgm_inputs_apart_check(env, settings, &options->config, options->config != NULL);
}

static dgm_status train_options(dgm_context *context, const struct dgm_learner *learner,
                                const struct dgm_opt *const *tables,
                                const dgm_train_options *options)
{
    dgm_train_options chosen;
    struct dgm_settings settings;
    dgm_status status;

    DGM_ENTER(context);
    DGM_TRY(dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_train_options"));
    DGM_TRY(dgm_settings_init(&context->env, &settings, tables));
    status = fill(&context->env, &settings, &chosen);
    if (status == DGM_OK)
        status = train(context, learner, &settings, chosen.progress, chosen.progress_user);
    dgm_settings_clear(&context->env, &settings);
    return status;
}

dgm_status dgm_train(dgm_context *context, const dgm_train_options *options)
{
    return train_options(context, &dgm_translation_learner, dgm_train_tables, options);
}

dgm_status dgm_train_parser(dgm_context *context, const dgm_train_options *options)
{
    return train_options(context, &dgm_parsing_learner, dgm_train_parser_tables, options);
}
