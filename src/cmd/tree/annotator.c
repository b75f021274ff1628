/* annotator.c: what `parse` and `annotate` share. */
#include "cmd/tree/annotator.h"

#include <string.h>

#include "cmd/model/found.h"

dgm_status dgm_cmd_parser_options(struct dgm_cmd *cmd, dgm_annotator_options *options,
                                  const char *models[DGM_CMD_MODELS])
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_cmd_wish wish = { .kind = DGM_SHELF_PARSER };

    memset(options, 0, sizeof *options);
    options->struct_size = sizeof *options;
    if (dgm_settings_is_set(settings, "language"))
        wish.from = dgm_settings_text(settings, "language");
    DGM_TRY(dgm_cmd_find_models(cmd, &wish));
    DGM_TRY(dgm_cmd_models(cmd, models, &options->model_count));
    options->models = models;
    options->input = dgm_settings_text(settings, "format");
    if (dgm_settings_is_set(settings, "language"))
        options->language = dgm_settings_text(settings, "language");
    options->tokenizer = dgm_settings_text(settings, "tokenizer");
    options->projective = dgm_settings_flag(settings, "projective");
    options->batch_words = (int)dgm_settings_int(settings, "batch-tokens");
    options->compute_type = dgm_settings_text(settings, "compute-type");
    options->treebank = dgm_settings_text(settings, "treebank");
    return DGM_OK;
}

/* Rank 0 alone has input and output. */
static dgm_status run_file(struct dgm_cmd *cmd, struct dgm_ranks *ranks, dgm_annotator *annotator)
{
    const char *input = dgm_settings_text(&cmd->settings, "input");
    const char *output = dgm_settings_text(&cmd->settings, "output");
    struct dgm_cmd_sink sink = { .env = cmd->env };
    dgm_status status;

    if (ranks != NULL)
        dgm_cmd_log_again(cmd, ranks);
    if (ranks != NULL && ranks->rank != 0)
        return dgm_annotator_share(annotator, ranks, input, NULL, NULL);
    DGM_TRY(dgm_cmd_open_long_output(cmd->env, &sink.writer, output));
    status = ranks != NULL ? dgm_annotator_share(annotator, ranks, input, dgm_cmd_write_now, &sink)
                           : dgm_annotator_file(annotator, input, dgm_cmd_write_now, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

dgm_status dgm_cmd_annotate(struct dgm_cmd *cmd, struct dgm_ranks *ranks,
                            const dgm_annotator_options *options)
{
    struct dgm_cmd_shard shard;
    dgm_annotator *annotator;
    dgm_status status;

    DGM_TRY(dgm_cmd_read_shard(cmd, &shard));
    DGM_TRY(dgm_annotator_new(cmd->context, options, &annotator));
    dgm_annotator_take(annotator, shard.first, shard.step);
    status = run_file(cmd, ranks, annotator);
    dgm_annotator_free(annotator);
    return status;
}
