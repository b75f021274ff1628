/* test_second_name.c: second names of files, or copies. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/second_name.h"
#include "failing_vfs.h"
#include "test.h"

static const char *at(char path[1200], const char *name)
{
    snprintf(path, 1200, "%s/%s", test_dir(), name);
    return path;
}

static int put(const char *name, const char *text)
{
    char path[1200];
    FILE *file = fopen(at(path, name), "wb");

    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

static void check_text(const char *name, const char *want)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    char path[1200];

    CHECK_STATUS(dgm_file_read(test_env(), &text, at(path, name)), DGM_OK);
    CHECK_INT(text.size, strlen(want));
    CHECK_MEM(text.data, want, text.size);
    dgm_buf_clear(test_env(), &text);
}

static int count_files(void)
{
    int count = 0;
    void *folder = dgm_vfs_system.open_folder(NULL, test_dir());

    while (folder != NULL && dgm_vfs_system.next_name(NULL, folder) != NULL)
        count++;
    if (folder != NULL)
        dgm_vfs_system.close_folder(NULL, folder);
    return count - 2;
}

TEST(twin_is_a_second_name_or_a_copy)
{
    static const int errors[] = { 0, EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EACCES };
    struct dgm_env *env = test_env();
    struct stat info;
    char from[1200], to[1200];
    size_t i;

    at(from, "from");
    at(to, "to");
    for (i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        CHECK(put("from", "content") && put("to", "former"));
        failing_begin(env, 0, errors[i] != 0 ? "link" : NULL, errors[i]);
        CHECK_STATUS(dgm_second_name_make(env, from, to), DGM_OK);
        CHECK_STATUS(dgm_second_name_make(env, from, to), DGM_OK);
        failing_end(env);
        check_text("to", "content");
        check_text("from", "content");
        CHECK(stat(to, &info) == 0);
        CHECK_INT(info.st_nlink, errors[i] != 0 ? 1 : 2);
        CHECK_INT(count_files(), 2);
        CHECK(unlink(to) == 0);
    }
}

/* A power cut must not take the second name back once it was promised. */
TEST(twin_is_durable_or_an_error)
{
    struct dgm_env *env = test_env();
    char from[1200], to[1200];

    CHECK(put("from", "content"));
    failing_begin(env, 0, "sync", EIO);
    CHECK_STATUS(dgm_second_name_make(env, at(from, "from"), at(to, "to")), DGM_FAILURE);
    failing_end(env);
    dgm_env_clear_error(env);
}

/* Whichever call fails, also where it has to be a copy: the former file or the new one. */
TEST(twin_leaves_the_former_file_when_a_call_fails)
{
    struct dgm_env *env = test_env();
    char from[1200], to[1200];
    int copies;
    long n;

    at(from, "from");
    at(to, "to");
    for (copies = 0; copies < 2; copies++)
        for (n = 1; n < 60; n++) {
            struct dgm_buf text = { NULL, 0, 0, 0 };
            dgm_status status;
            unlink(to);
            CHECK(put("from", "content") && put("to", "former"));
            failing_begin(env, n, copies ? "link" : NULL, EIO);
            status = dgm_second_name_make(env, from, to);
            failing_end(env);
            CHECK_INT(failing.open, 0);
            dgm_env_clear_error(env);
            CHECK_STATUS(dgm_file_read(env, &text, to), DGM_OK);
            CHECK(memcmp(text.data, "content", 7) == 0 ||
                  (status != DGM_OK && memcmp(text.data, "former", 6) == 0));
            dgm_buf_clear(env, &text);
            if (failing.calls < n)
                break;
        }
    CHECK(n > 10 && n < 60);
}
