/*
 * test_set_aside.c: checkpoints that make room for a new run are lost at no moment, whichever call
 * of the system fails or is the last before a kill.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/vfs.h"
#include "failing_vfs.h"
#include "train/store/set_aside.h"
#include "training_case.h"

/* One checkpoint, whose content is a number. */
static void put_generation(const char *folder, int number)
{
    char path[1200], name[200];
    FILE *file;

    CHECK(mkdir(in_dir(path, folder), 0777) == 0);
    snprintf(name, sizeof name, "%s/update-00000010.gguf", folder);
    file = fopen(in_dir(path, name), "wb");
    CHECK(file != NULL && fprintf(file, "%d", number) > 0 && fclose(file) == 0);
    snprintf(name, sizeof name, "%s/metrics.jsonl", folder);
    file = fopen(in_dir(path, name), "wb");
    CHECK(file != NULL && fprintf(file, "log %d\n", number) > 0 && fclose(file) == 0);
}

/* The number of a whole generation, or 0. */
static int generation(const char *folder)
{
    char path[1200], name[200];
    int number = 0, log = 0;
    FILE *file;

    snprintf(name, sizeof name, "%s/update-00000010.gguf", folder);
    file = fopen(in_dir(path, name), "rb");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%d", &number) != 1)
        number = 0;
    fclose(file);
    snprintf(name, sizeof name, "%s/metrics.jsonl", folder);
    file = fopen(in_dir(path, name), "rb");
    if (file == NULL || fscanf(file, "log %d", &log) != 1 || log != number)
        number = 0;
    if (file != NULL)
        fclose(file);
    return number;
}

static int is_anywhere(int number)
{
    return generation("m.ckpt") == number || generation("m.ckpt.old") == number ||
           generation("m.ckpt.older") == number;
}

static void begin_with_two_generations(void)
{
    char command[1300];

    snprintf(command, sizeof command, "rm -rf '%s'/m.ckpt*", test_dir());
    CHECK_INT(system(command), 0);
    put_generation("m.ckpt", 2);
    put_generation("m.ckpt.old", 1);
}

static dgm_status set_aside(void)
{
    struct dgm_checkpoints checkpoints;
    char path[1200];
    dgm_status status = dgm_checkpoints_open(test_env(), &checkpoints, in_dir(path, "m"), 0);

    if (status == DGM_OK)
        status = dgm_checkpoints_set_aside(test_env(), &checkpoints);
    dgm_checkpoints_close(test_env(), &checkpoints);
    return status;
}

TEST(set_aside_keeps_one_generation)
{
    char path[1200];

    begin_with_two_generations();
    CHECK_STATUS(set_aside(), DGM_OK);
    CHECK_INT(generation("m.ckpt.old"), 2);
    CHECK(!exists("m.ckpt") && !exists("m.ckpt.older"));
    CHECK_STATUS(set_aside(), DGM_OK); /* nothing is there: what is old stays */
    CHECK_INT(generation("m.ckpt.old"), 2);
    CHECK(mkdir(in_dir(path, "m.ckpt"), 0777) == 0);
    CHECK_STATUS(set_aside(), DGM_OK);
    CHECK_INT(generation("m.ckpt.old"), 2);
    CHECK(exists("m.ckpt"));
}

/* A folder on another disk, behind a link: the link stays, and so does the disk. */
TEST(set_aside_moves_what_a_link_leads_to)
{
    struct stat info;
    char path[1200], command[2600];
    int times;

    snprintf(command, sizeof command,
             "mkdir '%s/disk' && ln -s disk/checkpoints '%s/far' && "
             "ln -s '%s/far' '%s/m.ckpt'",
             test_dir(), test_dir(), test_dir(), test_dir());
    CHECK_INT(system(command), 0);
    for (times = 1; times <= 3; times++) {
        put_generation("disk/checkpoints", times);
        CHECK_STATUS(set_aside(), DGM_OK);
        CHECK_INT(generation("disk/checkpoints.old"), times);
        CHECK(!exists("disk/checkpoints.older") && !exists("m.ckpt.old"));
        CHECK(rmdir(in_dir(path, "disk/checkpoints")) == 0); /* the new one, empty */
        CHECK(lstat(in_dir(path, "m.ckpt"), &info) == 0 && S_ISLNK(info.st_mode));
    }
}

/* Whoever keeps something of his own in there is told, and loses nothing. */
TEST(set_aside_removes_no_file_of_others)
{
    char path[1200];
    FILE *file;

    begin_with_two_generations();
    file = fopen(in_dir(path, "m.ckpt.old/notes.txt"), "wb");
    CHECK(file != NULL && fclose(file) == 0);
    CHECK_STATUS(set_aside(), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "notes.txt") != NULL);
    dgm_env_clear_error(test_env());
    CHECK(exists("m.ckpt.old/notes.txt"));
    CHECK_INT(generation("m.ckpt"), 2);
    CHECK_INT(generation("m.ckpt.old"), 1);
}

/* The new run counts its own checkpoints alone. */
TEST(set_aside_checkpoints_are_no_part_of_the_new_run)
{
    static const char *const mean[] = { "after", "20u",       "average", "3", "seed",
                                        "2",     "overwrite", "true",    NULL };

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("want", mean, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("m", mean, 1, 0, NULL), DGM_OK);
    check_same_files("want", "m");
}

/* An error that is an error leaves the newest generation where it was. */
TEST(set_aside_loses_nothing_when_a_call_fails)
{
    struct dgm_env *env = test_env();
    dgm_status status;
    long n;

    for (n = 1; n < 200; n++) {
        begin_with_two_generations();
        failing_begin(env, n, NULL, EIO);
        status = set_aside();
        failing_end(env);
        CHECK_INT(failing.open, 0);
        CHECK(is_anywhere(2));
        if (status != DGM_OK)
            CHECK(is_anywhere(1));
        if (status != DGM_OK && strcmp(failing.failed, "remove_folder") != 0)
            CHECK_INT(generation("m.ckpt"), 2);
        if (status != DGM_OK &&
            strcmp(failing.failed, "rename") == 0) /* all names change or none */
            CHECK_INT(generation("m.ckpt.old"), 1);
        if (status == DGM_OK && failing.calls >= n)
            CHECK_INT(generation("m.ckpt.old"), 2);
        dgm_env_clear_error(env);
        if (generation("m.ckpt") == 2)
            CHECK_STATUS(set_aside(), DGM_OK);
        CHECK_INT(generation("m.ckpt.old"), 2);
        if (failing.calls < n)
            break;
    }
    CHECK(n > 40 && n < 200);
}

/* ---- kills ---------------------------------------------------------------------------------- */

static int calls_left;

static void count_down(void)
{
    if (--calls_left < 0)
        _exit(9);
}

static int dying_rename(void *user, const char *from, const char *to)
{
    count_down();
    return dgm_vfs_system.rename(user, from, to);
}

static int dying_remove(void *user, const char *path)
{
    count_down();
    return dgm_vfs_system.remove(user, path);
}

static int dying_make_folder(void *user, const char *path, unsigned mode)
{
    count_down();
    return dgm_vfs_system.make_folder(user, path, mode);
}

static int dying_remove_folder(void *user, const char *path)
{
    count_down();
    return dgm_vfs_system.remove_folder(user, path);
}

/* Whether a process that is killed after so many changes was killed at all. */
static int was_killed_after(int changes)
{
    struct dgm_vfs vfs = dgm_vfs_system;
    int state;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        vfs.rename = dying_rename;
        vfs.remove = dying_remove;
        vfs.make_folder = dying_make_folder;
        vfs.remove_folder = dying_remove_folder;
        test_env()->vfs = &vfs;
        calls_left = changes;
        _exit(set_aside() == DGM_OK ? 0 : 1);
    }
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) ? WEXITSTATUS(state)
                                                                               : -1;
}

TEST(set_aside_loses_nothing_when_it_is_killed)
{
    int n, result = 9;

    for (n = 0; n < 50 && result == 9; n++) {
        begin_with_two_generations();
        result = was_killed_after(n);
        CHECK(result == 0 || result == 9);
        CHECK(generation("m.ckpt") == 2 || generation("m.ckpt.old") == 2);
        CHECK(generation("m.ckpt.old") == 2 || is_anywhere(1));
        CHECK_STATUS(set_aside(), DGM_OK); /* the next run */
        CHECK_INT(generation("m.ckpt.old"), 2);
    }
    CHECK(n > 6 && n < 50);
}

/* Killed twice, and with a third generation in between. */
TEST(set_aside_goes_on_after_two_kills)
{
    int first, second;

    for (first = 0; first < 8; first++)
        for (second = 0; second < 8; second++) {
            begin_with_two_generations();
            was_killed_after(first);
            was_killed_after(second);
            CHECK(generation("m.ckpt") == 2 || generation("m.ckpt.old") == 2);
            CHECK(generation("m.ckpt.old") == 2 || is_anywhere(1));
            if (!exists("m.ckpt")) {
                put_generation("m.ckpt", 3);
                CHECK_STATUS(set_aside(), DGM_OK);
                CHECK_INT(generation("m.ckpt.old"), 3);
            } else {
                CHECK_STATUS(set_aside(), DGM_OK);
                CHECK_INT(generation("m.ckpt.old"), 2);
            }
            CHECK(!exists("m.ckpt.older"));
        }
}
