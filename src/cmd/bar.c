/* bar.c: progress bars on a terminal: of batches, and of the lines of a file. */
#include "cmd/bar.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/lines/reading.h"
#include "base/system/clock.h"
#include "base/system/terminal.h"

/* Of a terminal that does not tell its width: 80, of which the last stays empty. */
enum { LEAST_CELLS = 6, MOST_CELLS = 30, USUAL_COLUMNS = 79, LEAST_COLUMNS = 10 };

/* Columns that a bar may take: all but the last, and no more than the usual ones. A line that is
 * wider than the window would break, and stay there. */
static int bar_columns(void)
{
    const int columns = dgm_terminal_columns(2) - 1;

    return columns < LEAST_COLUMNS || columns > USUAL_COLUMNS ? USUAL_COLUMNS : columns;
}

/*
 * "[####....] WORDS" for a share of 0..1, the words alone for one below 0; at most ten times a
 * second, but the last time. The cells take what the words leave; where these leave nothing, there
 * are none.
 */
static void draw_bar(struct dgm_cmd_bar *bar, double share, const char *words, int is_last)
{
    static const char erase[] = "\033[K\r";
    double now = dgm_clock();
    char cells[MOST_CELLS + 1], line[2 * USUAL_COLUMNS + sizeof erase];
    const int columns = bar_columns();
    int count = columns - 3 - (int)strlen(words);

    if (now - bar->shown_at < 0.1 && !is_last)
        return;
    bar->shown_at = now;
    count = count > MOST_CELLS ? MOST_CELLS : count;
    memset(cells, '.', sizeof cells);
    if (share > 0)
        memset(cells, '#', (size_t)((share < 1 ? share : 1) * (count > 0 ? count : 0)));
    if (share >= 0 && count >= LEAST_CELLS)
        snprintf(line, 2 * USUAL_COLUMNS, "[%.*s] %s", count, cells, words);
    else
        snprintf(line, 2 * USUAL_COLUMNS, "%s", words);
    line[columns] = '\0';
    strcat(line, erase);
    (void)dgm_file_write_all(bar->env, 2, "standard error", line, strlen(line), -1);
}

void dgm_cmd_bar_show(void *user, int64_t done, int64_t total, const char *text)
{
    struct dgm_cmd_bar *bar = user;
    char words[USUAL_COLUMNS];
    snprintf(words, sizeof words, "%lld/%lld %s, %s", (long long)done, (long long)total, bar->unit,
             text);
    draw_bar(bar, total > 0 && done <= total ? (double)done / (double)total : 0, words,
             done >= total);
}

/* ---- the lines of a file ------------------------------------------------------------------ */

void dgm_cmd_line_bar_begin(struct dgm_cmd_line_bar *bar, struct dgm_env *env,
                            const struct dgm_lines *lines)
{
    memset(bar, 0, sizeof *bar);
    bar->bar.env = env;
    bar->lines = lines;
    bar->started = dgm_clock();
}

/* The share of a file that is done, by its bytes; below 0: the size of the file is not known. The
 * lines at work count with the share of them that is done. */
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
    double seconds = dgm_clock() - bar->started, share = share_done(bar, done, total), speed;
    char words[80], left[32];
    long long lines = (long long)(bar->written + done);
    int length;

    (void)text;
    speed = seconds > 0 ? (double)lines / seconds : 0;
    length = snprintf(words, sizeof words, "%lld sentences, %lld.%lld/s", lines, (long long)speed,
                      (long long)(speed * 10) % 10);
    if (share > 0 && length > 0 && length < 60) {
        dgm_clock_print(left, seconds * (1 - share) / share);
        snprintf(words + length, sizeof words - (size_t)length, ", %s left", left);
    }
    draw_bar(&bar->bar, share, words, 0);
}

void dgm_cmd_line_bar_step(struct dgm_cmd_line_bar *bar, int64_t written)
{
    bar->written = written;
    dgm_reading_done(bar->bar.env, written);
    bar->bytes = dgm_lines_taken(bar->lines);
}

void dgm_cmd_line_bar_end(struct dgm_cmd_line_bar *bar)
{
    static const char erase[] = "\033[K";

    if (bar->bar.shown_at > 0)
        (void)dgm_file_write_all(bar->bar.env, 2, "standard error", erase, strlen(erase), -1);
}
