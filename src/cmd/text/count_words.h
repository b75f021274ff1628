/*
 * count_words.h: what `bpe learn`, `bpe vocab` and `vocab` share: counting words, writing one
 * result.
 */
#ifndef DGM_CMD_TEXT_COUNT_WORDS_H
#define DGM_CMD_TEXT_COUNT_WORDS_H

#include "cmd/common.h"

/* Writes the result made of the words. */
typedef dgm_status dgm_cmd_words_fn(struct dgm_cmd *cmd, dgm_words *words, dgm_write_fn write,
                                    void *user);

/*
 * Counts the words of the files of --input, or of the arguments, or of standard input, as text
 * or, where `counted`, as `word count` lines; and hands them to fn, which writes to --output.
 */
dgm_status dgm_cmd_words(struct dgm_cmd *cmd, int counted, dgm_cmd_words_fn *fn);

/* clang-format off */
#define DGM_CMD_INPUTS                                                              \
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...", \
      .help = "Read these files; - is standard input, which is also the default" }
/* clang-format on */

#endif
