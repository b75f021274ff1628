/* bar.c: the progress bar of long work on a terminal. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cmd/command.h"

enum { LEAST_CELLS = 6, MOST_CELLS = 30, COLUMNS = 79 };

double dgm_cmd_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Wider lines would break in a window of 80 columns, and stay there: the bar takes what is left. */
void dgm_cmd_draw_bar(struct dgm_cmd_bar *bar, double share, const char *words, int is_last)
{
    static const char erase[] = "\033[K\r";
    double now = dgm_cmd_clock();
    char cells[MOST_CELLS + 1], line[2 * COLUMNS + sizeof erase];
    int count;
    if (now - bar->shown_at < 0.1 && !is_last)
        return;
    bar->shown_at = now;
    count = COLUMNS - 3 - (int)strlen(words);
    count = count < LEAST_CELLS ? LEAST_CELLS : count > MOST_CELLS ? MOST_CELLS : count;
    memset(cells, '.', sizeof cells);
    if (share > 0)
        memset(cells, '#', (size_t)((share < 1 ? share : 1) * count));
    if (share >= 0)
        snprintf(line, 2 * COLUMNS, "[%.*s] %s", count, cells, words);
    else
        snprintf(line, 2 * COLUMNS, "%s", words);
    line[COLUMNS] = '\0';
    strcat(line, erase);
    (void)dgm_file_write_all(bar->env, 2, "standard error", line, strlen(line), -1);
}

void dgm_cmd_show_bar(void *user, int64_t done, int64_t total, const char *text)
{
    struct dgm_cmd_bar *bar = user;
    char words[COLUMNS];
    snprintf(words, sizeof words, "%lld/%lld %s, %s", (long long)done, (long long)total, bar->unit,
             text);
    dgm_cmd_draw_bar(bar, total > 0 && done <= total ? (double)done / (double)total : 0, words,
                     done >= total);
}
