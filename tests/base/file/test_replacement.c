/*
 * test_replacement.c: which temporary files a start removes.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/replacement.h"
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
