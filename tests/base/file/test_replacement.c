/*
 * test_stale_files.c: which temporary files a start removes, and second names of files.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/replacement.h"
#include "base/file/second_name.h"
#include "base/file/vfs.h"
#include "base/file/writer.h"
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

static int is_there(const char *name)
{
    struct stat info;
    char path[1200];

    return lstat(at(path, name), &info) == 0;
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

/* ---- what savers have left -------------------------------------------------------------------- */

/* The number of a process that was, and is no more. */
static long dead_process(void)
{
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0)
        _exit(0);
    return child > 0 && waitpid(child, NULL, 0) == child ? (long)child : 0;
}

static const char *temporary(char name[64], long process, int number)
{
    snprintf(name, 64, ".tmp-%ld-%d", process, number);
    return name;
}

TEST(sweep_removes_what_dead_processes_have_left)
{
    char path[1200], name[64], other[80];
    long dead = dead_process();

    CHECK(dead > 0);
    CHECK(put(temporary(name, dead, 0), "GGUF and more"));
    CHECK(put(temporary(name, dead, 17), ""));
    dgm_replacement_sweep(test_env(), at(path, "model"), "GGUF");
    CHECK(!is_there(temporary(name, dead, 0)) && !is_there(temporary(name, dead, 17)));
    CHECK(put(temporary(name, dead, 1), "of another program"));
    CHECK(put(temporary(name, dead, 2), "GG"));
    snprintf(other, sizeof other, "%s.txt", temporary(name, dead, 3));
    CHECK(put(other, "GGUF"));
    CHECK(put(".tmp-x-0", "GGUF") && put(".tmp--0", "GGUF") && put("notes.tmp-1-0", "GGUF"));
    CHECK(put(".tmp-99999999999999999999-0", "GGUF"));
    dgm_replacement_sweep(test_env(), path, "GGUF");
    CHECK(is_there(temporary(name, dead, 1)) && is_there(temporary(name, dead, 2)));
    CHECK(is_there(other) && is_there(".tmp-x-0") && is_there(".tmp--0"));
    CHECK(is_there("notes.tmp-1-0") && is_there(".tmp-99999999999999999999-0"));
    dgm_replacement_sweep(test_env(), at(path, "no/such/folder"), "GGUF");
    CHECK_STATUS(test_env()->error.status, DGM_OK);
}

TEST(sweep_leaves_what_living_processes_write)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    char path[1200], name[64], moved[64];
    int state = -1;
    pid_t child;

    CHECK(put(temporary(name, (long)getpid(), 5), "GGUF"));
    CHECK(put(temporary(name, (long)getppid(), 0), "GGUF"));
    CHECK(put(".tmp-1-0", "GGUF"));
    dgm_replacement_sweep(env, at(path, "model"), "GGUF");
    CHECK(is_there(temporary(name, (long)getpid(), 5)));
    CHECK(is_there(temporary(name, (long)getppid(), 0)) && is_there(".tmp-1-0"));

    /* Of another container: its number says nothing here. */
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path), DGM_OK);
    temporary(moved, dead_process(), 0);
    {
        char from[1200], to[1200];
        CHECK(rename(at(from, temporary(name, (long)getpid(), 0)), at(to, moved)) == 0);
    }
    fflush(stdout);
    child = fork();
    if (child == 0) {
        dgm_replacement_sweep(env, path, "GGUF");
        _exit(is_there(moved) ? 0 : 1);
    }
    CHECK(child > 0 && waitpid(child, &state, 0) == child);
    CHECK_INT(state, 0);
    dgm_writer_abandon(env, &writer);
    failing_begin(env, 0, "lock", ENOLCK); /* and where nobody can tell, it stays */
    dgm_replacement_sweep(env, path, "GGUF");
    failing_end(env);
    CHECK(is_there(moved));
    CHECK_INT(failing.open, 0);
    dgm_replacement_sweep(env, path, "GGUF");
    CHECK(!is_there(moved));
}

TEST(sweep_follows_no_link)
{
    char path[1200], name[64];

    CHECK(put("precious", "GGUF"));
    CHECK(symlink("precious", at(path, temporary(name, dead_process(), 0))) == 0);
    dgm_replacement_sweep(test_env(), at(path, "model"), "GGUF");
    CHECK(is_there("precious") && is_there(name));
}

/* ---- second names ----------------------------------------------------------------------------- */

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
