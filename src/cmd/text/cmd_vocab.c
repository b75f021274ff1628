/* cmd_vocab.c: building the vocabulary of a model from tokens. */
#include "cmd/text/count_words.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    DGM_CMD_INPUTS,
    DGM_CMD_OUTPUT,
    { .name = "size", .letter = 'm', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 4194304, .aliases = "max-size dim-vocabs",
      .help = "Most entries, the special ones included; 0: no limit" },
    { .name = "min-freq", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 1,
      .high = 9007199254740992.0, .aliases = "threshold",
      .help = "Leave out tokens that are rarer than this" },
    { .name = "dict-input", .type = DGM_OPT_FLAG, .help = "The input is `token count` lines",
      .excludes = "!learn-lines, which draws lines of text" },
    DGM_CMD_COUNTING,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status build(struct dgm_cmd *cmd, dgm_words *words, dgm_write_fn write, void *user)
{
    return dgm_words_write_vocabulary(words, (size_t)dgm_settings_int(&cmd->settings, "size"),
                                      dgm_settings_int(&cmd->settings, "min-freq"), write, user);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_words(cmd, dgm_settings_flag(&cmd->settings, "dict-input"), build);
}

const struct dgm_command dgm_command_vocab = {
    .name = "vocab",
    .summary = "Build a vocabulary of tokens (fairseq's dict.txt)",
    .usage = "[OPTION]... [FILE]... > VOCABULARY",
    .example = "dragoman vocab -m 32000 train.bpe.de train.bpe.en > dict.txt",
    .options = options,
    .most = -1,
    .run = run,
};
