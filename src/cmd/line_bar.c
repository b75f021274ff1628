/* line_bar.c: the progress bar of work on the lines of a file, on a terminal. */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"

void dgm_cmd_line_bar_begin(struct dgm_cmd_line_bar *bar, struct dgm_env *env,
                            const struct dgm_lines *lines)
{
    memset(bar, 0, sizeof *bar);
    bar->bar.env = env;
    bar->lines = lines;
    bar->started = dgm_cmd_clock();
}

/* "0:02:03" */
static void print_clock(char out[32], double seconds)
{
    long long whole = seconds < 1e12 ? (long long)(seconds + 0.5) : 0;

    snprintf(out, 32, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60, whole % 60);
}

/* The share of a file whose size is known, by its bytes: those of this run's lines count as far as
 * the lines are done. Below 0: not known. */
static double share_done(const struct dgm_cmd_line_bar *bar, int64_t done, int64_t total)
{
    double bytes = (double)(dgm_lines_taken(bar->lines) - bar->bytes), before = (double)bar->bytes;

    if (bar->lines->bytes <= 0)
        return -1;
    before += total > 0 ? bytes * (double)done / (double)total : 0;
    return before < (double)bar->lines->bytes ? before / (double)bar->lines->bytes : 1;
}

void dgm_cmd_line_bar_show(void *user, int64_t done, int64_t total, const char *text)
{
    struct dgm_cmd_line_bar *bar = user;
    double seconds = dgm_cmd_clock() - bar->started, share = share_done(bar, done, total), speed;
    char words[80], left[32];
    long long lines = (long long)(bar->written + done);
    int length;

    (void)text;
    speed = seconds > 0 ? (double)lines / seconds : 0;
    length = snprintf(words, sizeof words, "%lld sentences, %lld.%lld/s", lines, (long long)speed,
                      (long long)(speed * 10) % 10);
    if (share > 0 && length > 0 && length < 60) {
        print_clock(left, seconds * (1 - share) / share);
        snprintf(words + length, sizeof words - (size_t)length, ", %s left", left);
    }
    dgm_cmd_draw_bar(&bar->bar, share, words, 0);
}

void dgm_cmd_line_bar_step(struct dgm_cmd_line_bar *bar, int64_t written)
{
    bar->written = written;
    bar->bytes = dgm_lines_taken(bar->lines);
}

void dgm_cmd_line_bar_end(struct dgm_cmd_line_bar *bar)
{
    static const char erase[] = "\033[K";

    if (bar->bar.shown_at > 0)
        (void)dgm_file_write_all(bar->bar.env, 2, "standard error", erase, strlen(erase), -1);
}
