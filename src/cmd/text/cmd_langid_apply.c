/* cmd_langid_apply.c: `langid apply`: which language each line is in. */
#include "api/program.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "The languages, as langid train has learned them; needed" },
    DGM_CMD_INPUT,
    DGM_CMD_OUTPUT,
    { .name = "top", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1,
      .high = 256, .help = "Write so many languages of each line, the most probable first" },
    { .name = "min-probability", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.5",
      .low = 0, .high = 1, .help = "Write und first, which is no language, where the first is less "
                                   "probable" },
    { .name = "codes-only", .type = DGM_OPT_FLAG, .help = "Write no probabilities" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;
    dgm_langid_options chosen = { .struct_size = sizeof chosen };
    dgm_langid *langid;
    dgm_status status;

    DGM_TRY(dgm_cmd_need(cmd, "model"));
    chosen.model = dgm_settings_text(settings, "model");
    chosen.top = (int)dgm_settings_int(settings, "top");
    chosen.codes_only = dgm_settings_flag(settings, "codes-only");
    chosen.least = dgm_settings_real(settings, "min-probability");
    if (chosen.least == 0)
        chosen.least = -1;
    DGM_TRY(dgm_langid_new(cmd->context, &chosen, &langid));
    status = dgm_cmd_filter(cmd, dgm_langid_apply_file, langid);
    dgm_langid_free(langid);
    return status;
}

const struct dgm_command dgm_command_langid_apply = {
    .name = "langid apply",
    .summary = "Tell which language each line is in",
    .usage = "-m MODEL [OPTION]... < TEXT",
    .example = "dragoman langid -m langid.gguf < lines",
    .aliases = "langid",
    .options = options,
    .run = run,
};
