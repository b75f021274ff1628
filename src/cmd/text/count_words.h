/*
 * count_words.h: what `bpe learn`, `bpe vocab`, `vocab` and in part `truecase train` share:
 * counting words, writing one result.
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
/* Rows of their tables. */
#define DGM_CMD_COUNT_MEMORY                                                                       \
    { .name = "count-memory", .type = DGM_OPT_BYTES, .argument = "LIMIT", .fallback = "2G",        \
      .low = 65536, .high = 1099511627776.0,                                                       \
      .help = "Keep counts in this much memory, 2G or 500M; beyond it the rarest words go, and a " \
              "warning says so" }
#define DGM_CMD_COUNTING                                                                           \
    { .name = "learn-lines", .type = DGM_OPT_INT, .argument = "N", .low = 1, .high = 9e15,         \
      .aliases = "sample",                                                                         \
      .help = "Read a sample of so many lines of all files, always the same ones; unset: all" },   \
    DGM_CMD_COUNT_MEMORY
/* clang-format on */

#endif
