/* cmd_export.c: `export`: a translation model as a folder for other programs. */
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "model", .letter = 'm', .type = DGM_OPT_FILE, .argument = "FILE",
      .help = "The translation model; needed" },
    { .name = "output", .letter = 'o', .type = DGM_OPT_TEXT, .argument = "FOLDER", .aliases = "out",
      .help = "Write to this new folder; needed" },
    { .name = "to", .letter = 't', .type = DGM_OPT_CHOICE, .argument = "PROGRAM",
      .fallback = "ctranslate2", .choices = "ctranslate2|huggingface",
      .help = "What is to load it: CTranslate2, or MarianMTModel of transformers" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a folder that is there already" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;

    DGM_TRY(dgm_cmd_need(cmd, "model"));
    DGM_TRY(dgm_cmd_need(cmd, "output"));
    return dgm_export(cmd->context, dgm_settings_text(settings, "model"),
                      dgm_settings_text(settings, "to"), dgm_settings_text(settings, "output"),
                      dgm_settings_flag(settings, "overwrite"));
}

const struct dgm_command dgm_command_export = {
    .name = "export",
    .summary = "Write a translation model for CTranslate2 or transformers",
    .usage = "-m MODEL -o FOLDER [--to PROGRAM]",
    .example = "dragoman export -m model.gguf --to ctranslate2 -o model.ct2",
    .options = options,
    .run = run,
};
