/* cmd_train.c: `train`: from text files to a model file. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "cmd/command.h"

enum { BAR = 30, LINE = 128 };

/* A bar on a terminal, at most ten times a second; it leaves the cursor at its beginning, so that
 * the next log line, which is longer, writes over it. */
struct bar {
    struct dgm_env *env;
    double shown_at;
};

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void show_bar(void *user, int64_t done, int64_t total, const char *text)
{
    struct bar *bar = user;
    double now = clock_seconds();
    char line[LINE], cells[BAR + 1];
    int full = total > 0 ? (int)(done * BAR / total) : 0, length;
    if (now - bar->shown_at < 0.1 && done < total)
        return;
    bar->shown_at = now;
    memset(cells, '.', BAR);
    memset(cells, '#', (size_t)full);
    cells[BAR] = '\0';
    length = snprintf(line, sizeof line, "[%s] %lld/%lld batches, cost %s   \r", cells,
                      (long long)done, (long long)total, text);
    if (length > 0 && length < LINE)
        (void)dgm_file_write_all(bar->env, 2, "standard error", line, (size_t)length, -1);
}

static dgm_status run(struct dgm_cmd *cmd)
{
    struct bar bar;
    bar.env = cmd->env;
    bar.shown_at = 0;
    return dgm_train_settings(cmd->context, &cmd->settings, cmd->progress ? show_bar : NULL,
                              &bar);
}

const struct dgm_command dgm_command_train = {
    "train",
    "Train a model on a parallel text",
    "--train-sets SRC TRG [--valid-sets SRC TRG] [--config RECIPE] [OPTION]...",
    "dragoman train --config multi30k-tiny.conf -t train.en train.de -m model.gguf",
    NULL, NULL, dgm_train_option_tables, NULL, 0, 0, 1, run,
};
