/*
 * test_outputs.c: several files that take their places together: whichever call fails, and wherever
 * the process is killed, all are old or all are new, but for kills between the renames.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file/outputs.h"
#include "failing_vfs.h"
#include "faulty_files.h"
#include "test.h"

/* Files of two folders, a function among them (NULL); "b" is not there before. All stand in the
 * test's folder: a call that fails may take a device for a new file, and root replaces that. */
enum { OUTPUTS = 5, FILES = 4 };
static const char *const outputs[OUTPUTS] = { "a", "b", NULL, "in/c", "in/d" };
static const char *const files[FILES] = { "a", "b", "in/c", "in/d" };

/* ---- the folder ------------------------------------------------------------------------------ */

/* Its files whose names begin so; they are removed if `remove`. */
static int find(const char *folder, const char *begin, int remove)
{
    DIR *list = opendir(folder);
    struct dirent *item;
    char path[600];
    int count = 0;

    while (list != NULL && (item = readdir(list)) != NULL) {
        if (strncmp(item->d_name, begin, strlen(begin)) != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        count++;
        if (remove)
            unlink(path);
    }
    if (list != NULL)
        closedir(list);
    return count;
}

static int count_temporary(void)
{
    return find(".", ".tmp-", 0) + find("in", ".tmp-", 0);
}

static const char *content(const char *path)
{
    static char text[16];
    FILE *file = fopen(path, "rb");
    size_t got = file != NULL ? fread(text, 1, sizeof text - 1, file) : 0;

    text[got] = '\0';
    if (file == NULL)
        return "none";
    fclose(file);
    return text;
}

static int put(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");

    return file != NULL && fputs(text, file) >= 0 && fclose(file) == 0;
}

static int is_old(int i)
{
    return strcmp(content(files[i]), i == 1 ? "none" : "old") == 0;
}

static int is_new(int i)
{
    return strcmp(content(files[i]), "new") == 0;
}

static int count_new(void)
{
    int i, count = 0;

    for (i = 0; i < FILES; i++)
        count += is_new(i);
    return count;
}

static int count_old(void)
{
    int i, count = 0;

    for (i = 0; i < FILES; i++)
        count += is_old(i);
    return count;
}

static void begin(void)
{
    CHECK_INT(chdir(test_dir()), 0);
    CHECK(mkdir("in", 0777) == 0 || errno == EEXIST);
    find(".", "", 1);
    find("in", "", 1);
    CHECK(put("a", "old") && put("in/c", "old") && put("in/d", "old"));
    dgm_env_clear_error(test_env());
}

/* ---- what writes them ------------------------------------------------------------------------ */

static dgm_status take(void *user, const char *text, size_t bytes)
{
    (void)user;
    return bytes == 3 && memcmp(text, "new", 3) == 0 ? DGM_OK : DGM_FAILURE;
}

static dgm_status open_one(struct dgm_env *env, struct dgm_writer *writer, const char *path,
                           int parts)
{
    if (path != NULL)
        return parts ? dgm_writer_open_part(env, writer, path) : dgm_writer_open(env, writer, path);
    dgm_writer_open_sink(writer, take, NULL);
    return DGM_OK;
}

static dgm_status open_all(struct dgm_env *env, struct dgm_writer writers[OUTPUTS], int parts)
{
    int i;

    for (i = 0; i < OUTPUTS; i++) {
        DGM_TRY(open_one(env, &writers[i], outputs[i], parts));
        DGM_TRY(dgm_writer_add(env, &writers[i], "new", 3));
    }
    return DGM_OK;
}

static dgm_status write_all(struct dgm_env *env, int parts)
{
    static struct dgm_writer writers[OUTPUTS];
    dgm_status status;
    int i;

    memset(writers, 0, sizeof writers);
    status = open_all(env, writers, parts);
    if (status == DGM_OK)
        status = dgm_outputs_finish(env, writers, OUTPUTS);
    if (status == DGM_OK)
        status = dgm_outputs_place(env, writers, OUTPUTS);
    for (i = 0; i < OUTPUTS; i++)
        dgm_writer_abandon(env, &writers[i]);
    return status;
}

TEST(outputs_are_replaced_together)
{
    begin();
    CHECK_STATUS(write_all(test_env(), 0), DGM_OK);
    CHECK_INT(count_new(), FILES);
    CHECK_INT(count_temporary(), 0);
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Each call fails once, and all of `name` with it (NULL: none). */
static void fail_each(const char *name, int error)
{
    struct dgm_env *env = test_env();
    dgm_status status;
    long n;

    for (n = 1;; n++) {
        begin();
        failing_begin(env, n, name, error);
        status = write_all(env, 0);
        failing_end(env);
        CHECK_INT(failing.open, 0);
        if (failing.calls < n)
            break;
        if (status == DGM_OK || strstr(env->error.message, "all outputs are new") != NULL)
            CHECK_INT(count_new(), FILES);
        else
            CHECK_INT(count_old(), FILES);
        CHECK(count_temporary() == 0 || strcmp(failing.failed, "remove") == 0);
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK_INT(count_new(), FILES);
    CHECK_INT(count_temporary(), 0);
    CHECK(n > 30);
}

TEST(outputs_are_all_old_or_all_new_whichever_call_fails)
{
    fail_each(NULL, EIO);
    fail_each(NULL, EEXIST);
}

TEST(outputs_need_no_second_names)
{
    fail_each("link", EPERM);
}

/* FILE.part stays after a failure, that of a file that was in its place, too. */
TEST(outputs_that_go_back_leave_their_parts)
{
    struct dgm_env *env = test_env();
    int renames = 0;
    dgm_status status;
    long n;

    for (n = 1;; n++) {
        begin();
        failing_begin(env, n, NULL, EIO);
        status = write_all(env, 1);
        failing_end(env);
        if (failing.calls < n)
            break;
        if (status == DGM_OK || strstr(env->error.message, "all outputs are new") != NULL) {
            CHECK_INT(count_new(), FILES);
        } else {
            CHECK_INT(count_old(), FILES);
        }
        if (status == DGM_OK || strcmp(failing.failed, "rename") != 0)
            continue;
        renames++;
        CHECK_STR(content("a.part"), "new");
        CHECK_STR(content("b.part"), "new");
        CHECK_STR(content("in/c.part"), "new");
        CHECK_STR(content("in/d.part"), "new");
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK_INT(renames, FILES);
}

/* What cannot go back either is named, with the place of its old content. */
TEST(outputs_that_cannot_go_back_are_named)
{
    static const struct fault_rule rule = { "disk", EIO, CALL_RENAME | CALL_REMOVE, 1, 0 };
    struct dgm_env *env = test_env();
    struct faulty_files faulty;
    char old[64];
    int n;

    snprintf(old, sizeof old, "; a could not go back, its old content is in .tmp-%ld-",
             (long)getpid());
    for (n = 1; n <= FILES; n++) {
        begin();
        faulty_begin(&faulty, &rule, n);
        env->vfs = &faulty.vfs;
        CHECK_STATUS(write_all(env, 0), DGM_FAILURE);
        env->vfs = &dgm_vfs_system;
        CHECK_STR(env->error.file, files[n - 1]);
        CHECK_INT(count_new(), n - 1);
        CHECK_INT(count_old(), FILES - n + 1);
        CHECK_INT(strstr(env->error.message, old) != NULL, n > 1);
        CHECK_INT(strstr(env->error.message, "; b is new and could not be removed") != NULL, n > 2);
        CHECK_INT(strstr(env->error.message, "; in/c could not go back") != NULL, n > 3);
    }
}

/* ---- kills ----------------------------------------------------------------------------------- */

static struct {
    long changes, kill_at; /* changing calls so far; the process ends before this one, from 1 */
    int no_links;
} killing;

static void change(void)
{
    if (++killing.changes == killing.kill_at)
        _exit(9);
}

static int kill_open(void *user, const char *path, int flags, unsigned mode)
{
    if ((flags & O_CREAT) != 0)
        change();
    return dgm_vfs_system.open(user, path, flags, mode);
}

static long kill_write(void *user, int fd, const void *data, size_t count)
{
    change();
    return dgm_vfs_system.write(user, fd, data, count);
}

static int kill_sync(void *user, int fd)
{
    change();
    return dgm_vfs_system.sync(user, fd);
}

static int kill_rename(void *user, const char *from, const char *to)
{
    change();
    return dgm_vfs_system.rename(user, from, to);
}

static int kill_remove(void *user, const char *path)
{
    change();
    return dgm_vfs_system.remove(user, path);
}

static int kill_link(void *user, const char *from, const char *to)
{
    change();
    if (!killing.no_links)
        return dgm_vfs_system.link(user, from, to);
    errno = EPERM;
    return -1;
}

/* Returns 9 where that was the end, else 0. */
static int kill_before(long n, int no_links)
{
    struct dgm_vfs vfs = dgm_vfs_system;
    pid_t child;
    int state = -1;

    vfs.open = kill_open;
    vfs.write = kill_write;
    vfs.sync = kill_sync;
    vfs.rename = kill_rename;
    vfs.remove = kill_remove;
    vfs.link = kill_link;
    memset(&killing, 0, sizeof killing);
    killing.kill_at = n;
    killing.no_links = no_links;
    fflush(stdout);
    child = fork();
    if (child == 0) {
        test_env()->vfs = &vfs;
        _exit(write_all(test_env(), 0) == DGM_OK ? 0 : 1);
    }
    return child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state) ? WEXITSTATUS(state)
                                                                               : -1;
}

/* How many temporary files hold this. */
static int count_kept(const char *folder, const char *want)
{
    DIR *list = opendir(folder);
    struct dirent *item;
    char path[600];
    int count = 0;

    while (list != NULL && (item = readdir(list)) != NULL) {
        snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
        count += strncmp(item->d_name, ".tmp-", 5) == 0 && strcmp(content(path), want) == 0;
    }
    if (list != NULL)
        closedir(list);
    return count;
}

/* A kill before each change. After those between the renames, and no others, some files are old and
 * some new. Where there are no second names, one may be gone, and its old content is beside it. */
static void kill_each(int no_links)
{
    int mixed = 0, end;
    long n;

    for (n = 1;; n++) {
        begin();
        end = kill_before(n, no_links);
        CHECK(end == 0 || end == 9);
        if (end == 0)
            break;
        if (count_old() == FILES || count_new() == FILES)
            continue;
        mixed++;
        CHECK(is_old(0) || count_kept(".", "old") == 1);
        CHECK(is_old(2) || count_kept("in", "old") >= 1);
        CHECK(no_links || count_old() + count_new() == FILES);
    }
    CHECK_INT(count_new(), FILES);
    CHECK_INT(count_temporary(), 0);
    CHECK(n > 20);
    CHECK(no_links ? mixed >= FILES : mixed == FILES - 1);
}

TEST(outputs_are_all_old_or_all_new_after_a_kill)
{
    kill_each(0);
}

TEST(outputs_are_never_lost_in_a_kill)
{
    kill_each(1);
}

/* ---- one file -------------------------------------------------------------------------------- */

/* One file takes the calls of dgm_writer_close. */
TEST(outputs_of_one_file_take_no_second_name)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;

    begin();
    failing_begin(env, 0, "link", EIO);
    CHECK_STATUS(dgm_writer_open(env, &writer, "a"), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &writer, "new", 3), DGM_OK);
    failing.calls = 0;
    CHECK_STATUS(dgm_outputs_finish(env, &writer, 1), DGM_OK);
    CHECK_STATUS(dgm_outputs_place(env, &writer, 1), DGM_OK);
    dgm_writer_abandon(env, &writer);
    failing_end(env);
    CHECK_INT(failing.calls, 7); /* write sync close rename | open sync close */
    CHECK_STR(content("a"), "new");
    CHECK_INT(count_temporary(), 0);
}
