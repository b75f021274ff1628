/* cmd_vectors_train.c: `vectors train`: vectors of words from plain text, for `train-parser`. */
#include "api/program.h"
#include "base/mem.h"
#include "cmd/bar.h"
#include "cmd/common.h"

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "input", .letter = 'i', .type = DGM_OPT_FILES, .argument = "FILE...",
      .help = "Read these files, which hold words with blanks between, a sentence a line" },
    DGM_CMD_OUTPUT,
    { .name = "dim", .letter = 'd', .type = DGM_OPT_INT, .argument = "N", .fallback = "100",
      .low = 1, .high = 4096, .help = "Numbers of a vector" },
    { .name = "window", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1,
      .high = 64, .help = "Most words of a window on each side of a word; each draws its own "
                          "number up to it" },
    { .name = "negatives", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1,
      .high = 64, .help = "Words to draw for each window, which should not be in it" },
    { .name = "sample", .type = DGM_OPT_REAL, .argument = "SHARE", .fallback = "0.001", .low = 0,
      .high = 1, .help = "Pass over words at times that make up more than this share of the text, "
                         "the more often they stand there; 0: over none" },
    { .name = "min-freq", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1,
      .high = 1000000000, .help = "Least count of a word that gets a vector; rarer ones are left "
                                  "out" },
    { .name = "vocab-size", .letter = 'V', .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
      .low = 0, .high = 4000000, .help = "Most words, 0 for no limit" },
    { .name = "lower", .type = DGM_OPT_FLAG, .fallback = "false",
      .help = "Lower-case the text first" },
    { .name = "epochs", .type = DGM_OPT_INT, .argument = "N", .fallback = "5", .low = 1,
      .high = 1000000, .help = "Passes over the text" },
    { .name = "lr", .letter = 'l', .type = DGM_OPT_REAL, .argument = "X", .fallback = "0.025",
      .low = 0, .high = 10, .help = "Learning rate of the beginning, which falls to nothing" },
    { .name = "seed", .type = DGM_OPT_INT, .argument = "N", .fallback = "1", .low = 0,
      .high = 4294967295.0,
      .help = "Names all random choices: the same seed gives the same bytes" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status learn(struct dgm_cmd *cmd, const char *const *paths, size_t count,
                        struct dgm_cmd_sink *sink)
{
    const struct dgm_settings *settings = &cmd->settings;
    struct dgm_cmd_bar bar = { cmd->env, "words", 0 };
    struct dgm_vectors_learning learning = {
        .dim = dgm_settings_int(settings, "dim"),
        .window = dgm_settings_int(settings, "window"),
        .negatives = dgm_settings_int(settings, "negatives"),
        .epochs = dgm_settings_int(settings, "epochs"),
        .seed = dgm_settings_int(settings, "seed"),
        .min_count = dgm_settings_int(settings, "min-freq"),
        .words = dgm_settings_int(settings, "vocab-size"),
        .sample = dgm_settings_real(settings, "sample"),
        .rate = dgm_settings_real(settings, "lr"),
        .lower = dgm_settings_flag(settings, "lower"),
        .progress = cmd->progress ? dgm_cmd_bar_show : NULL,
        .progress_user = &bar,
    };

    return dgm_vectors_learn(cmd->context, &learning, paths, count, dgm_cmd_write, sink);
}

/* The output is opened first, lest hours of work have nowhere to go; what is there is replaced at
 * the end. */
static dgm_status run(struct dgm_cmd *cmd)
{
    const char **paths;
    struct dgm_cmd_sink sink;
    dgm_status status;
    size_t count;

    DGM_TRY(dgm_cmd_list(cmd, "input", 1, &paths, &count));
    DGM_TRY_OUT(count > 0 ? DGM_OK
                          : dgm_fail(cmd->env, DGM_USAGE, "no text; expected at least one FILE"));
    DGM_TRY_OUT(dgm_cmd_open_sink(cmd, &sink));
    status = dgm_cmd_close_sink(&sink, learn(cmd, paths, count, &sink));
out:
    dgm_release(cmd->env, paths);
    return status;
}

const struct dgm_command dgm_command_vectors_train = {
    .name = "vectors train",
    .summary = "Learn vectors of words from plain text, for train-parser --vectors",
    .usage = "[OPTION]... FILE... > VECTORS",
    .example = "dragoman vectors train -d 100 -o en.vec train.en",
    .options = options,
    .most = -1,
    .run = run,
};
