/*
 * test_report.c: the metrics file of a training run: cut where a resume asks for it, never filled
 * up, never another's; and durable before a checkpoint that counts on it.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "failing_vfs.h"
#include "train/watch/report.h"
#include "training_case.h"

static char heard[2000];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(heard, sizeof heard, "%s", text);
}

static int put_metrics(const char *text)
{
    char path[1200];
    FILE *file = fopen(in_dir(path, "metrics.jsonl"), "wb");

    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

/* Opens metrics.jsonl with `text` in it (NULL: none) on behalf of a state that counts `bytes`; then
 * it has `want`, and a warning said so, or none was due. */
static void check_opened(const char *text, int64_t bytes, const char *want, const char *warning)
{
    struct dgm_train_state state = { .log_bytes = bytes };
    struct dgm_report report;
    struct dgm_buf got = { NULL, 0, 0, 0 };
    char path[1200];

    memset(&report, 0, sizeof report);
    remove(in_dir(path, "metrics.jsonl"));
    CHECK(text == NULL || put_metrics(text));
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_WARNING;
    heard[0] = '\0';
    CHECK_STATUS(dgm_report_open(test_env(), &report, test_dir(), &state), DGM_OK);
    test_env()->log = NULL;
    dgm_report_close(test_env(), &report);
    CHECK_STATUS(read_model(&got, "metrics.jsonl"), DGM_OK);
    CHECK_INT(got.size, strlen(want));
    CHECK_MEM(got.data, want, got.size);
    CHECK_INT(state.log_bytes, strlen(want));
    CHECK((warning == NULL) == (heard[0] == '\0'));
    if (warning != NULL && strstr(heard, warning) == NULL)
        CHECK_STR(heard, warning);
    dgm_buf_clear(test_env(), &got);
}

TEST(report_cuts_lines_that_the_state_does_not_know)
{
    check_opened("{1}\n{2}\n{3}\n", 8, "{1}\n{2}\n", NULL);
    check_opened("{1}\n", 4, "{1}\n", NULL);
    check_opened("{1}\n{2", 4, "{1}\n", NULL);
    check_opened("{1}\n", 0, "", NULL);
    check_opened(NULL, 0, "", NULL);
}

TEST(report_never_fills_up_what_is_missing)
{
    char many[20001];

    check_opened(NULL, 9000, "", "9000 bytes of the log are missing");
    check_opened("{1}\n{2}\n", 9000, "{1}\n{2}\n", "8992 bytes of the log are missing");
    check_opened("{1}\n{2", 7, "{1}\n", "3 bytes of the log are missing");
    check_opened("{1}\n{2", INT64_MAX, "{1}\n", "bytes of the log are missing");
    check_opened("{12345678}\n", 5, "", "5 bytes of the log are missing");
    memset(many, 'x', 20000);
    many[20000] = '\0';
    many[3] = '\n';
    check_opened(many, 20000, "xxx\n", "19996 bytes of the log are missing");
}

TEST(report_follows_no_link_and_waits_for_no_pipe)
{
    struct dgm_report report;
    struct stat info;
    char path[2][1200];
    struct dgm_train_state state = { 0 };

    memset(&report, 0, sizeof report);
    CHECK(put_metrics("precious\n"));
    CHECK(rename(in_dir(path[0], "metrics.jsonl"), in_dir(path[1], "precious")) == 0);
    CHECK(symlink("precious", path[0]) == 0);
    CHECK_STATUS(dgm_report_open(test_env(), &report, test_dir(), &state), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "regular file") != NULL);
    dgm_env_clear_error(test_env());
    dgm_report_close(test_env(), &report);
    CHECK(stat(path[1], &info) == 0 && info.st_size == 9);
    CHECK(unlink(path[0]) == 0 && mkfifo(path[0], 0666) == 0);
    CHECK_STATUS(dgm_report_open(test_env(), &report, test_dir(), &state), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "regular file") != NULL);
    dgm_env_clear_error(test_env());
    dgm_report_close(test_env(), &report);
}

/* ---- what the lines say ---------------------------------------------------------------------- */

/* Costs, labels and seconds are those since the line before, not since the beginning. */
TEST(report_lines_count_from_the_line_before)
{
    struct dgm_train_state state;
    struct dgm_report report;
    struct dgm_figures figures;
    struct dgm_buf got = { NULL, 0, 0, 0 };

    memset(&report, 0, sizeof report);
    memset(&state, 0, sizeof state);
    memset(&figures, 0, sizeof figures);
    CHECK_STATUS(dgm_report_open(test_env(), &report, test_dir(), &state), DGM_OK);
    report.shown_at = 100;
    state.epoch = 1;
    state.updates = 3;
    state.labels = 400;
    state.cost = 1000;
    state.cost_labels = 400;
    CHECK_STATUS(dgm_report_update(test_env(), &report, &state, &figures, 102), DGM_OK);
    state.updates = 5;
    state.labels += 600;
    state.cost += 900;
    state.cost_labels += 600;
    CHECK_STATUS(dgm_report_update(test_env(), &report, &state, &figures, 108), DGM_OK);
    dgm_report_close(test_env(), &report);
    CHECK_STATUS(read_model(&got, "metrics.jsonl"), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &got, '\0'), DGM_OK);
    CHECK_STR(got.data, "{\"epoch\": 1, \"update\": 3, \"labels\": 400, \"loss\": 2.5, \"lr\": 0, "
                        "\"gnorm\": 0, \"wps\": 200}\n"
                        "{\"epoch\": 1, \"update\": 5, \"labels\": 1000, \"loss\": 1.5, \"lr\": 0, "
                        "\"gnorm\": 0, \"wps\": 100}\n");
    dgm_buf_clear(test_env(), &got);
}

/* ---- the order of a save --------------------------------------------------------------------- */

/* What the run did to disks so far, a word each: "log" synced, "file" and "folder" synced. */
static char order[4000];

static int note_sync(void *user, int fd)
{
    struct stat info;
    char path[1200];
    const char *what = "file";
    struct stat metrics;

    (void)user;
    if (fstat(fd, &info) != 0)
        return -1;
    if (S_ISDIR(info.st_mode))
        what = "folder";
    else if (stat(in_dir(path, "m.ckpt/metrics.jsonl"), &metrics) == 0 &&
             metrics.st_ino == info.st_ino)
        what = "log";
    strcat(strcat(order, what), " ");
    return dgm_vfs_system.sync(NULL, fd);
}

static int note_rename(void *user, const char *from, const char *to)
{
    strcat(order, "rename ");
    return dgm_vfs_system.rename(user, from, to);
}

TEST(report_is_durable_before_the_checkpoint_that_counts_on_it)
{
    static const char *const extra[] = { "after", "20u", NULL };
    struct dgm_vfs vfs = dgm_vfs_system;

    CHECK(write_corpus());
    vfs.sync = note_sync;
    vfs.rename = note_rename;
    test_env()->vfs = &vfs;
    CHECK_STATUS(train("m", extra, 1, 0, NULL), DGM_OK);
    test_env()->vfs = &dgm_vfs_system;
    CHECK_STR(order, "folder "                 /* that holds m.ckpt */
                     "log file rename folder " /* update 10 */
                     "log file rename folder " /* update 20 */
                     "file rename folder ");   /* the model */
}

/* A run whose log is lost goes on, and ends in the same bytes. */
TEST(report_that_is_lost_changes_no_model)
{
    static const char *const half[] = { "after", "20u", NULL };
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char path[1200];

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("whole", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", half, 1, 0, NULL), DGM_OK);
    CHECK(unlink(in_dir(path, "m.ckpt/metrics.jsonl")) == 0);
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    check_same_files("whole", "m");
    CHECK_STATUS(read_model(&text, "m.ckpt/metrics.jsonl"), DGM_OK);
    CHECK(text.size > 0 && memchr(text.data, '\0', text.size) == NULL);
    CHECK(memcmp(text.data, "{\"epoch\": ", 10) == 0);
    dgm_buf_clear(test_env(), &text);
}
