/* cmd_draw_training.c: curves of runs of training, from what they have logged. */
#include <string.h>

#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_OUTPUT,
    DGM_CMD_PICTURE,
    { .name = "x", .letter = 'x', .type = DGM_OPT_CHOICE, .argument = "UNIT",
      .fallback = "updates", .choices = "updates|epochs|words|seconds",
      .help = "What the curves run over" },
    { .name = "metrics", .letter = 'm', .type = DGM_OPT_TEXT, .argument = "NAME[,NAME...]",
      .help = "Numbers of the logs to draw, a panel each; without it costs, validations, learning "
              "rate and gradient norm" },
    { .name = "smooth", .type = DGM_OPT_INT, .argument = "N", .fallback = "0", .low = 0,
      .high = 1000000,
      .help = "Draw an exponential mean over about so many lines of the log, and the numbers "
              "themselves behind it, faintly; 1: no mean; 0: a fiftieth of the longest log" },
    { .name = "title", .type = DGM_OPT_TEXT, .argument = "TEXT",
      .help = "Text above the picture" },
    DGM_CMD_WIDTH("Columns of a text drawing; "
                  "auto: those of the terminal, 100 where there is none"),
    DGM_OPT_END
};
/* clang-format on */

/* Arguments are models as a rule: that the output is one of their logs shows by its name alone. */
static dgm_status spare_logs(struct dgm_env *env, const char *output)
{
    size_t length = strlen(output);

    if (length < 6 || strcmp(output + length - 6, ".jsonl") != 0)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "%s: a log, by its name; expected another output", output);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_draw_training_options chosen = { .struct_size = sizeof chosen };
    struct dgm_cmd_sink sink;
    dgm_status status;

    chosen.format = dgm_cmd_picture(settings);
    chosen.width = dgm_cmd_width(settings);
    chosen.x = dgm_settings_text(settings, "x");
    chosen.metrics = dgm_settings_text(settings, "metrics");
    chosen.smooth = (long)dgm_settings_int(settings, "smooth");
    chosen.title = dgm_settings_text(settings, "title");
    DGM_TRY(spare_logs(cmd->env, dgm_settings_text(settings, "output")));
    DGM_TRY(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_draw_training(cmd->context, (const char *const *)cmd->arguments,
                               (size_t)cmd->argument_count, &chosen, dgm_cmd_write, &sink);
    return dgm_cmd_close_sink(&sink, status);
}

const struct dgm_command dgm_command_draw_training = {
    .name = "draw training",
    .summary = "Draw the curves of runs of training",
    .usage = "[OPTION]... RUN...",
    .example = "dragoman draw training plain.gguf relative.gguf -o curves.svg",
    .aliases = "draw-training",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
