/* cmd_bpe_learn.c: learning BPE codes. */
#include "cmd/text/count_words.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUTS,
    DGM_CMD_OUTPUT,
    { .name = "symbols", .letter = 's', .type = DGM_OPT_INT, .argument = "N", .fallback = "10000",
      .low = 1, .high = 16777216, .aliases = "merges", .help = "Rules to learn" },
    { .name = "min-frequency", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 1,
      .high = 9007199254740992.0, .help = "Stop when no pair is as frequent as this" },
    { .name = "dict-input", .type = DGM_OPT_FLAG, .help = "The input is `word count` lines",
      .excludes = "!learn-lines, which draws lines of text" },
    { .name = "total-symbols", .letter = 't', .type = DGM_OPT_FLAG,
      .help = "Count the single characters of the text among the symbols" },
    DGM_CMD_COUNTING,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status learn(struct dgm_cmd *cmd, dgm_words *words, dgm_write_fn write, void *user)
{
    dgm_codes_options chosen = { .struct_size = sizeof chosen };
    chosen.symbols = (long)dgm_settings_int(&cmd->settings, "symbols");
    chosen.min_frequency = dgm_settings_int(&cmd->settings, "min-frequency");
    chosen.total_symbols = dgm_settings_flag(&cmd->settings, "total-symbols");
    return dgm_words_learn(words, &chosen, write, user);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_words(cmd, dgm_settings_flag(&cmd->settings, "dict-input"), learn);
}

const struct dgm_command dgm_command_bpe_learn = {
    .name = "bpe learn",
    .summary = "Learn BPE codes from text, byte for byte as subword-nmt does",
    .usage = "[OPTION]... [FILE]... > CODES",
    .example = "cat train.tok.de train.tok.en | dragoman bpe learn -s 32000 > codes",
    .aliases = "learn-bpe",
    .options = options,
    .most = -1,
    .run = run,
};
