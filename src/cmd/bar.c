/* bar.c: the progress bar of a training run on a terminal. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"

enum { BAR = 30, LINE = 128 };

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void dgm_cmd_show_bar(void *user, int64_t done, int64_t total, const char *text)
{
    struct dgm_cmd_bar *bar = user;
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
