/* cmd_bpe_vocab.c: counting the words or pieces of a text. */
#include "cmd/text/count_words.h"

static const struct dgm_opt options[] = { DGM_CMD_INPUTS, DGM_CMD_OUTPUT, DGM_CMD_COUNTING,
                                          DGM_OPT_END };

static dgm_status print(struct dgm_cmd *cmd, dgm_words *words, dgm_write_fn write, void *user)
{
    (void)cmd;
    return dgm_words_write_counts(words, write, user);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    return dgm_cmd_words(cmd, 0, print);
}

const struct dgm_command dgm_command_bpe_vocab = {
    .name = "bpe vocab",
    .summary = "Count words or pieces: lines `word count`, the most frequent first",
    .usage = "[OPTION]... [FILE]... > COUNTS",
    .example = "dragoman bpe vocab train.bpe.de > vocab.de",
    .aliases = "get-vocab",
    .options = options,
    .most = -1,
    .run = run,
};
