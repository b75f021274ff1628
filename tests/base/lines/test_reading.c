/*
 * test_reading.c: where the work is: in the text that was opened first, wherever its struct lies.
 */
#include "base/lines/reading.h"

#include <stdio.h>
#include <string.h>

#include "base/system/clock.h"
#include "test.h"

enum { PATH_SIZE = 1200 };

static char told[300]; /* the last line of the log */

static void keep_log(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(told, sizeof told, "%.299s", text);
}

/* A file of `count` lines of four bytes. */
static const char *put_lines(char path[PATH_SIZE], const char *name, int count)
{
    FILE *file;

    snprintf(path, PATH_SIZE, "%s/%s", test_dir(), name);
    file = fopen(path, "wb");
    for (int i = 0; file != NULL && i < count; i++)
        fputs("abc\n", file);
    if (file != NULL)
        fclose(file);
    return path;
}

static void read_lines(struct dgm_env *env, struct dgm_lines *lines, int count)
{
    int more = 1;

    for (int i = 0; i < count; i++)
        CHECK_STATUS(dgm_lines_next(env, lines, &more), DGM_OK);
    CHECK_INT(more, 1);
}

/* The status has these words, once the time is cut off. */
static void check_told(struct dgm_env *env, const char *want)
{
    dgm_reading_tell(env);
    CHECK(strstr(told, ", after 0:0") != NULL);
    *strstr(told, ", after 0:0") = '\0';
    CHECK_STR(told, want);
}

TEST(reading_is_of_the_text_that_was_opened_first)
{
    struct dgm_env env = dgm_env_quiet(test_env());
    struct dgm_reading reading = { .started = dgm_clock() };
    struct dgm_lines first, beside, moved;
    char one[PATH_SIZE], two[PATH_SIZE], want[PATH_SIZE];

    env.log = keep_log;
    env.log_level = DGM_LOG_NOTE;
    env.reading = &reading;
    check_told(&env, "status: at work, no text is open");
    CHECK_STATUS(dgm_lines_open(&env, &first, put_lines(one, "a", 4)), DGM_OK);
    CHECK_STATUS(dgm_lines_open(&env, &beside, put_lines(two, "b", 4)), DGM_OK);
    read_lines(&env, &first, 1);
    read_lines(&env, &beside, 3);
    snprintf(want, sizeof want, "status: line 1 of %.250s (25 %%)", one);
    check_told(&env, want);
    moved = first;
    read_lines(&env, &moved, 2);
    dgm_lines_close(&env, &beside);
    dgm_reading_done(&env, 2);
    snprintf(want, sizeof want, "status: line 3 of %.250s (75 %%), 2 are done", one);
    check_told(&env, want);
    dgm_lines_close(&env, &moved);
    check_told(&env, "status: at work, no text is open");
    CHECK_STATUS(dgm_lines_open(&env, &first, two), DGM_OK);
    snprintf(want, sizeof want, "status: line 0 of %.250s", two);
    check_told(&env, want);
    dgm_lines_close(&env, &first);
}

TEST(reading_that_nobody_asks_for_is_none)
{
    struct dgm_env env = dgm_env_quiet(test_env());
    struct dgm_lines lines;
    char path[PATH_SIZE];

    CHECK(env.reading == NULL);
    CHECK_STATUS(dgm_lines_open(&env, &lines, put_lines(path, "a", 2)), DGM_OK);
    read_lines(&env, &lines, 2);
    dgm_reading_done(&env, 2);
    dgm_lines_close(&env, &lines);
}
