/*
 * test_torture_files.c: a whole training, new or resumed, of which one call to the system fails, or
 * all from one on: it ends with a clean message, and the run that follows it with the bytes of a
 * run that nothing disturbed (reliability.md, R06, R07, R11).
 */
#include "faulty_files.h"
#include "torture_case.h"

enum {
    WRITING = CALL_WRITE | CALL_SYNC | CALL_RENAME | CALL_LINK | CALL_TRUNCATE | CALL_MAKE_FOLDER
};

static const struct fault_rule rules[] = {
    { "EIO", EIO, CALL_ALL, 0, 0 },
    { "ENOSPC", ENOSPC, WRITING | CALL_OPEN, 0, 0 },
    { "a full disk", ENOSPC, WRITING, 1, 0 },
    { "EMFILE", EMFILE, CALL_OPEN | CALL_LIST, 0, 0 },
    { "EINTR", EINTR,
      CALL_OPEN | CALL_READ | CALL_WRITE | CALL_SYNC | CALL_CLOSE | CALL_TRUNCATE | CALL_LIST, 0,
      1 },
    { "a short count", 0, CALL_READ | CALL_WRITE, 0, 1 },
    { "no links", EPERM, CALL_LINK, 1, 1 },
    { "no locks", ENOLCK, CALL_LOCK, 0, 0 },
};

/* A folder run/ that is empty, or holds what `half` (NULL: nothing) does. */
static int begin_run(const char *half)
{
    char command[4000], path[1200];

    if (half == NULL)
        return begin_folder("run");
    remove_folder(in_dir(path, "run"));
    snprintf(command, sizeof command, "cp -a '%s/%s' '%s'", test_dir(), half, path);
    return system(command) == 0;
}

/* Whether a temporary file lies in the folder. */
static int has_temporary(const char *name)
{
    char path[1200];
    DIR *folder = opendir(in_dir(path, name));
    struct dirent *item;
    int found = 0;

    while (folder != NULL && (item = readdir(folder)) != NULL)
        if (strstr(item->d_name, "tmp") != NULL) {
            printf("    left behind: %s/%s\n", name, item->d_name);
            found = 1;
        }
    if (folder != NULL)
        closedir(folder);
    return found;
}

/* One line that says what happened, and to which file. */
static int is_clean(const dgm_error *error)
{
    return (error->status == DGM_FAILURE || error->status == DGM_DATA ||
            error->status == DGM_MODEL) &&
           error->message[0] != '\0' && strchr(error->message, '\n') == NULL &&
           error->file[0] != '\0';
}

/* The failure, if it was one, was clean, and the next run ends as the whole one did. */
static void check_recovery(const struct faulty_files *files, dgm_status status)
{
    CHECK_INT(files->open_files, 0);
    CHECK_INT(test_live_blocks(), 0);
    CHECK(status == DGM_OK || is_clean(&test_env()->error));
    if (files->rule->harmless)
        CHECK_STATUS(status, DGM_OK);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(train_run("run/m", "12u", 0), DGM_OK);
    CHECK(same_bytes("run/m", "whole/m"));
    CHECK(same_metrics("run/m.ckpt/metrics.jsonl", "whole/m.ckpt/metrics.jsonl"));
    CHECK(!has_temporary("run/m.ckpt"));
    CHECK(!has_temporary("run"));
}

/* Fails call `n`; returns how many calls were counted, or -1 if something is wrong. */
static long fail_call(const struct fault_rule *rule, long n, const char *half)
{
    struct faulty_files files;
    dgm_status status;
    char said[900] = "nothing";

    if (!begin_run(half))
        return -1;
    faulty_begin(&files, rule, n);
    test_env()->vfs = &files.vfs;
    status = train_run("run/m", "12u", 0);
    test_env()->vfs = &dgm_vfs_system;
    if (n == 0)
        return status == DGM_OK ? files.calls : -1;
    if (status != DGM_OK)
        snprintf(said, sizeof said, "%s: %s (%s)", test_env()->error.file,
                 test_env()->error.message, dgm_status_name(status));
    check_recovery(&files, status);
    if (!test_has_failed())
        return files.calls;
    printf("    %s at call %ld, %s; it said: %s\n", rule->name, n,
           files.failed != NULL ? files.failed : "never reached", said);
    return -1;
}

static void fail_each_call(const struct fault_rule *rule, const char *half)
{
    long all, points, i;

    all = fail_call(rule, 0, half);
    CHECK(all > 0);
    points = test_points(all, 20);
    for (i = 0; i < points; i++)
        CHECK(fail_call(rule, test_point(i, points, all), half) >= 0);
    printf("%s: %ld of %ld calls\n", rule->name, points, all);
}

/* `half`: a run that was stopped, which the one with the failure resumes; or NULL. */
static void fail_calls(const char *half)
{
    size_t i;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK(begin_folder("whole"));
    CHECK_STATUS(train_run("whole/m", "12u", 0), DGM_OK);
    if (half != NULL) {
        CHECK(begin_folder(half));
        CHECK_STATUS(train_run("half/m", "12u", 6), DGM_INTERRUPTED);
        dgm_env_clear_error(test_env());
    }
    for (i = 0; i < sizeof rules / sizeof rules[0] && !test_has_failed(); i++)
        fail_each_call(&rules[i], half);
}

TEST(torture_a_training_survives_the_failure_of_any_call)
{
    fail_calls(NULL);
}

TEST(torture_a_resume_survives_the_failure_of_any_call)
{
    fail_calls("half");
}
