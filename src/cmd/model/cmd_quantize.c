/* cmd_quantize.c: `quantize`: a model with its matrices in fewer bits. */
#include "base/file/file.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "cmd/common.h"
#include "cmd/model/models.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "output", .letter = 'o', .type = DGM_OPT_OUTPUT, .argument = "FILE", .aliases = "out",
      .help = "Write the model to this new file; needed" },
    { .name = "type", .letter = 't', .type = DGM_OPT_CHOICE, .argument = "TYPE", .fallback = "q8_0",
      .choices = "q8_0|bf16|f16",
      .help = "Of the matrices: bytes, 32 with a scale, at a quarter of the size; or half the "
              "size" },
    { .name = "overwrite", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Replace a model that is there already" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status run(struct dgm_cmd *cmd)
{
    const struct dgm_settings *settings = &cmd->settings;

    DGM_TRY(dgm_cmd_new_model(cmd));
    return dgm_quantize(cmd->context, cmd->arguments[0], dgm_settings_text(settings, "type"),
                        dgm_settings_text(settings, "output"));
}

const struct dgm_command dgm_command_quantize = {
    .name = "quantize",
    .summary = "Write a model or a parser with its matrices in fewer bits",
    .usage = "MODEL -o OUT [--type TYPE]",
    .example = "dragoman quantize model.gguf -o model-q8.gguf",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
