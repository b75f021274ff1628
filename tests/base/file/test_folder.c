/*
 * test_folder.c: folders: what is made, what is refused and why, and what is left
 * when a call of the system fails.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/folder.h"
#include "failing_vfs.h"
#include "test.h"

static const char *at(char path[1200], const char *name)
{
    snprintf(path, 1200, "%s/%s", test_dir(), name);
    return path;
}

static void check_message(const char *part)
{
    if (strstr(test_env()->error.message, part) == NULL)
        CHECK_STR(test_env()->error.message, part);
    dgm_env_clear_error(test_env());
}

TEST(folder_is_made_and_its_name_synced)
{
    struct dgm_env *env = test_env();
    char path[1200];
    int made = 7;

    CHECK_STATUS(dgm_folder_make(env, at(path, "new"), 0700, &made), DGM_OK);
    CHECK_INT(made, 1);
    CHECK_STATUS(dgm_folder_make(env, path, 0700, &made), DGM_OK);
    CHECK_INT(made, 0);
    failing_begin(env, 0, "sync", EIO);
    CHECK_STATUS(dgm_folder_make(env, path, 0777, NULL), DGM_OK); /* there already */
    CHECK_STATUS(dgm_folder_make(env, at(path, "other"), 0777, &made), DGM_FAILURE);
    failing_end(env);
    CHECK_INT(made, 1);
    check_message("cannot sync this folder");
}

TEST(folder_is_no_file_and_no_link_to_nothing)
{
    struct dgm_env *env = test_env();
    char path[1200];

    CHECK(fclose(fopen(at(path, "file"), "wb")) == 0);
    CHECK_STATUS(dgm_folder_make(env, path, 0777, NULL), DGM_FAILURE);
    check_message("expected a folder, or nothing");
    CHECK(symlink("nowhere", at(path, "link")) == 0);
    CHECK_STATUS(dgm_folder_make(env, path, 0777, NULL), DGM_FAILURE);
    check_message("expected a folder, or nothing");
}

static dgm_status count_name(struct dgm_env *env, void *user, const char *name)
{
    (void)env;
    (void)name;
    ++*(int *)user;
    return DGM_OK;
}

/* Out of memory is out of memory, whoever says it; other reasons are failures; none loses names. */
TEST(folder_lists_all_names_or_says_why_not)
{
    struct dgm_env *env = test_env();
    char path[1200];
    int count = 0;
    long n;

    CHECK(fclose(fopen(at(path, "a"), "wb")) == 0);
    CHECK(fclose(fopen(at(path, "b"), "wb")) == 0);
    failing_begin(env, 0, "open_folder", ENOMEM);
    CHECK_STATUS(dgm_folder_list(env, test_dir(), count_name, &count), DGM_MEMORY);
    check_message("memory");
    for (n = 1; n < 20; n++) {
        count = 0;
        failing_begin(env, n, NULL, EIO);
        if (dgm_folder_list(env, test_dir(), count_name, &count) == DGM_OK)
            CHECK(failing.calls < n || strcmp(failing.failed, "close_folder") == 0);
        CHECK_INT(count, env->error.status == DGM_OK ? 2 : 0);
        CHECK_INT(failing.open, 0);
        dgm_env_clear_error(env);
        if (failing.calls < n)
            break;
    }
    CHECK_INT(n, 8); /* open, four names and the end, close */
    failing_begin(env, 3, NULL, EINTR);
    count = 0;
    CHECK_STATUS(dgm_folder_list(env, test_dir(), count_name, &count), DGM_OK);
    failing_end(env);
    CHECK_INT(count, 2);
}
