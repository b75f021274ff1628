/* test_file.c: lines, whole files, and saves that survive whatever call fails. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/lines.h"
#include "base/file/vfs.h"
#include "base/file/writer.h"
#include "test.h"

static const char *path_of(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", test_dir(), name);
    return path;
}

static void put_file(const char *path, const char *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    CHECK(file != NULL);
    CHECK_INT(fwrite(bytes, 1, count, file), count);
    CHECK_INT(fclose(file), 0);
}

/* The files of the scratch folder. */
static int count_files(void)
{
    DIR *folder = opendir(test_dir());
    struct dirent *entry;
    int count = 0;
    while (folder != NULL && (entry = readdir(folder)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    if (folder != NULL)
        closedir(folder);
    return count;
}

/* ---- a system that fails at the n-th call, or works in the most awkward way ------ */

struct fault {
    int calls, fail_at, error; /* call number fail_at fails with `error`; 0: none */
    int awkward;               /* short reads and writes, every other call interrupted */
    int overlong;              /* write claims more than it was given */
    int open_files, syncs;
    int interrupted;
};

static int fails(struct fault *fault)
{
    if (++fault->calls == fault->fail_at) {
        errno = fault->error;
        return 1;
    }
    return 0;
}

static int is_interrupted(struct fault *fault)
{
    fault->interrupted = !fault->interrupted;
    if (!fault->awkward || !fault->interrupted)
        return 0;
    errno = EINTR;
    return 1;
}

static int fault_open(void *user, const char *path, int flags, unsigned mode)
{
    struct fault *fault = user;
    int fd;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    fd = dgm_vfs_system.open(NULL, path, flags, mode);
    fault->open_files += fd >= 0;
    return fd;
}

static long fault_read(void *user, int fd, void *data, size_t count)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    return dgm_vfs_system.read(NULL, fd, data, fault->awkward && count > 1 ? 1 : count);
}

static long fault_write(void *user, int fd, const void *data, size_t count)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    if (fault->overlong)
        return (long)count + 1;
    return dgm_vfs_system.write(NULL, fd, data, fault->awkward && count > 1 ? 1 : count);
}

static int fault_sync(void *user, int fd)
{
    struct fault *fault = user;
    if (fails(fault) || is_interrupted(fault))
        return -1;
    fault->syncs++;
    return dgm_vfs_system.sync(NULL, fd);
}

/* A close that fails has closed all the same, as on Linux. */
static int fault_close(void *user, int fd)
{
    struct fault *fault = user;
    int failed = fails(fault);
    fault->open_files--;
    dgm_vfs_system.close(NULL, fd);
    return failed ? -1 : 0;
}

static int fault_rename(void *user, const char *from, const char *to)
{
    return fails(user) ? -1 : dgm_vfs_system.rename(NULL, from, to);
}

static struct dgm_vfs fault_vfs(struct fault *fault)
{
    struct dgm_vfs vfs = dgm_vfs_system;
    vfs.open = fault_open;
    vfs.read = fault_read;
    vfs.write = fault_write;
    vfs.sync = fault_sync;
    vfs.close = fault_close;
    vfs.rename = fault_rename;
    vfs.user = fault;
    return vfs;
}

static dgm_status save_new(struct dgm_env *env, const char *path)
{
    struct dgm_writer writer;
    dgm_status status = dgm_writer_open_own(env, &writer, path);
    if (status == DGM_OK)
        status = dgm_writer_add(env, &writer, "new! content", 12);
    if (status != DGM_OK) {
        dgm_writer_abandon(env, &writer);
        return status;
    }
    return dgm_writer_close(env, &writer);
}

static void check_content(const char *path, const char *want)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { NULL, 0, 0, 0 };
    CHECK_STATUS(dgm_file_read(env, &buf, path), DGM_OK);
    CHECK_STR(buf.data, want);
    dgm_buf_clear(env, &buf);
}

TEST(file_a_save_replaces_the_content)
{
    const char *path = path_of("a");
    put_file(path, "old", 3);
    CHECK_STATUS(save_new(test_env(), path), DGM_OK);
    check_content(path, "new! content");
    CHECK_INT(count_files(), 1);
}

TEST(file_a_save_works_in_the_current_folder)
{
    CHECK_INT(chdir(test_dir()), 0);
    CHECK_STATUS(save_new(test_env(), "plain-name"), DGM_OK);
    check_content("plain-name", "new! content");
    CHECK_INT(count_files(), 1);
}

/* Whichever call fails: old content or new, no temporary file, no open descriptor. */
TEST(file_a_save_survives_the_failure_of_any_call)
{
    struct dgm_env *env = test_env();
    const char *path = path_of("a");
    int n;
    for (n = 1; n < 40; n++) {
        struct fault fault = { 0, 0, ENOSPC, 0, 0, 0, 0, 0 };
        struct dgm_vfs vfs = fault_vfs(&fault);
        dgm_status status;
        put_file(path, "old", 3);
        fault.fail_at = n;
        env->vfs = &vfs;
        status = save_new(env, path);
        env->vfs = &dgm_vfs_system;
        CHECK_INT(count_files(), 1);
        CHECK_INT(fault.open_files, 0);
        if (fault.calls < n) {
            CHECK_STATUS(status, DGM_OK);
            CHECK_INT(fault.syncs, 2);
            check_content(path, "new! content");
            break;
        }
        /* Closing the folder comes last and has nothing left to spoil. */
        if (status != DGM_OK) {
            CHECK_STATUS(status, DGM_FAILURE);
            CHECK(strstr(env->error.message, "No space left") != NULL);
        }
        dgm_env_clear_error(env);
        check_content(path, n <= 5 ? "old" : "new! content");
    }
    CHECK_INT(n, 9); /* open write sync close rename | open sync close */
}

TEST(file_a_save_copes_with_short_and_interrupted_calls)
{
    struct fault fault = { 0, 0, 0, 1, 0, 0, 0, 0 };
    struct dgm_vfs vfs = fault_vfs(&fault);
    struct dgm_env *env = test_env();
    const char *path = path_of("a");
    env->vfs = &vfs;
    CHECK_STATUS(save_new(env, path), DGM_OK);
    check_content(path, "new! content");
    env->vfs = &dgm_vfs_system;
    CHECK(fault.calls > 20);
    CHECK_INT(fault.open_files, 0);
    CHECK_INT(count_files(), 1);
}

TEST(file_a_write_of_more_than_was_given_is_an_error)
{
    struct fault fault = { 0, 0, 0, 0, 1, 0, 0, 0 };
    struct dgm_vfs vfs = fault_vfs(&fault);
    struct dgm_env *env = test_env();
    env->vfs = &vfs;
    CHECK_STATUS(save_new(env, path_of("a")), DGM_FAILURE);
    CHECK_STR(env->error.message, "the system wrote 13 bytes where 12 were asked for");
    dgm_env_clear_error(env);
    env->vfs = &dgm_vfs_system;
    CHECK_INT(count_files(), 0);
}

TEST(file_an_abandoned_save_leaves_nothing)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path_of("a")), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &writer, "x", 1), DGM_OK);
    CHECK_INT(count_files(), 1);
    dgm_writer_abandon(env, &writer);
    dgm_writer_abandon(env, &writer);
    CHECK_INT(count_files(), 0);
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path_of("no/such/folder")), DGM_FAILURE);
    dgm_env_clear_error(env);
}

/* A save that crashed under this process number, or another thread's: not ours to write over. */
TEST(file_a_save_leaves_a_temporary_name_in_use_alone)
{
    struct dgm_env *env = test_env();
    char name[64], path[1200], taken[1100];
    snprintf(path, sizeof path, "%s", path_of("a"));
    snprintf(name, sizeof name, ".tmp-%ld-0", (long)getpid());
    snprintf(taken, sizeof taken, "%s", path_of(name));
    put_file(taken, "somebody's", 10);
    CHECK_STATUS(save_new(env, path), DGM_OK);
    check_content(path, "new! content");
    check_content(taken, "somebody's");
    CHECK_INT(count_files(), 2);
}

/* Whoever does not look at the status of a write: the half of it replaces nothing. */
TEST(file_a_save_whose_write_failed_is_never_committed)
{
    struct fault fault = { 0, 2, ENOSPC, 0, 0, 0, 0, 0 }; /* open, write */
    struct dgm_vfs vfs = fault_vfs(&fault);
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    put_file(path_of("a"), "old", 3);
    env->vfs = &vfs;
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path_of("a")), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &writer, "new! content", 12), DGM_OK);
    CHECK_STATUS(dgm_writer_flush(env, &writer), DGM_FAILURE);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_FAILURE);
    dgm_env_clear_error(env);
    env->vfs = &dgm_vfs_system;
    check_content(path_of("a"), "old");
    CHECK_INT(count_files(), 1);
}

TEST(file_a_writer_keeps_its_failure)
{
    struct fault fault = { 0, 2, ENOSPC, 0, 0, 0, 0, 0 };
    struct dgm_vfs vfs = fault_vfs(&fault);
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    env->vfs = &vfs;
    CHECK_STATUS(dgm_writer_open(env, &writer, path_of("a")), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &writer, "lost", 4), DGM_OK);
    CHECK_STATUS(dgm_writer_flush(env, &writer), DGM_FAILURE);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_writer_add(env, &writer, "more", 4), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_FAILURE);
    dgm_env_clear_error(env);
    CHECK_INT(fault.open_files, 0);
    env->vfs = &dgm_vfs_system;
}

TEST(file_a_writer_passes_everything_on_in_order)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    struct stat info;
    char block[1000];
    int i;
    memset(block, 'b', sizeof block);
    CHECK_STATUS(dgm_writer_open(env, &writer, path_of("a")), DGM_OK);
    for (i = 0; i < 200; i++)
        CHECK_STATUS(dgm_writer_add(env, &writer, block, sizeof block), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    CHECK_INT(writer.written, 200000);
    CHECK_INT(stat(path_of("a"), &info), 0);
    CHECK_INT(info.st_size, 200000);
}

/* What is too large to wait is handed over at once, but not before what waits. */
TEST(file_a_writer_keeps_small_and_large_pieces_in_order)
{
    static const size_t sizes[] = { 10, 65535, 65536, 1, 70000, 65526, 10, 200000, 3 };
    static char block[200000];
    struct dgm_env *env = test_env();
    struct dgm_buf all = { NULL, 0, 0, 0 };
    struct dgm_writer writer;
    size_t i, at = 0;
    CHECK_STATUS(dgm_writer_open(env, &writer, path_of("a")), DGM_OK);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        memset(block, 'a' + (int)i, sizes[i]);
        CHECK_STATUS(dgm_writer_add(env, &writer, block, sizes[i]), DGM_OK);
    }
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    CHECK_STATUS(dgm_file_read(env, &all, path_of("a")), DGM_OK);
    for (i = 0; i < sizeof sizes / sizeof *sizes; at += sizes[i++]) {
        CHECK(all.size >= at + sizes[i]);
        CHECK_INT(all.data[at], 'a' + (int)i);
        CHECK_INT(all.data[at + sizes[i] - 1], 'a' + (int)i);
    }
    CHECK_INT(all.size, at);
    dgm_buf_clear(env, &all);
}

struct sink {
    struct dgm_buf all;
    int calls, refused_call; /* refuses the call of this number, from 1 */
};

static dgm_status take(void *user, const char *text, size_t bytes)
{
    struct sink *sink = user;
    if (++sink->calls == sink->refused_call)
        return DGM_FAILURE;
    return dgm_buf_add(test_env(), &sink->all, text, bytes);
}

TEST(file_a_writer_may_feed_a_function)
{
    struct dgm_env *env = test_env();
    struct sink sink;
    struct dgm_writer writer;
    char block[1000];
    int i;
    memset(&sink, 0, sizeof sink);
    dgm_writer_open_sink(&writer, take, &sink);
    for (i = 0; i < 200; i++) {
        memset(block, 'a' + i % 26, sizeof block);
        CHECK_STATUS(dgm_writer_add(env, &writer, block, sizeof block), DGM_OK);
    }
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    CHECK_INT(writer.written, 200000);
    CHECK_INT(sink.all.size, 200000);
    for (i = 0; i < 200; i++)
        CHECK_INT(sink.all.data[i * 1000 + 999], 'a' + i % 26);
    CHECK(sink.calls > 1);
    dgm_buf_clear(env, &sink.all);
}

TEST(file_a_function_that_refuses_is_not_called_again)
{
    struct dgm_env *env = test_env();
    struct sink sink;
    struct dgm_writer writer;
    memset(&sink, 0, sizeof sink);
    sink.refused_call = 1;
    dgm_writer_open_sink(&writer, take, &sink);
    CHECK_STATUS(dgm_writer_add(env, &writer, "lost", 4), DGM_OK);
    CHECK_STATUS(dgm_writer_flush(env, &writer), DGM_FAILURE);
    CHECK_STR(env->error.message, "the receiver of the result refused it");
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_writer_add(env, &writer, "more", 4), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_FAILURE);
    dgm_env_clear_error(env);
    CHECK_INT(sink.calls, 1);
    CHECK_INT(sink.all.size, 0);
}

/* ---- lines ----------------------------------------------------------------------- */

static void check_next(struct dgm_lines *lines, const char *want, size_t count)
{
    int more = 0;
    CHECK_STATUS(dgm_lines_next(test_env(), lines, &more), DGM_OK);
    CHECK_INT(more, 1);
    CHECK_INT(lines->line.size, count);
    CHECK_MEM(lines->line.data, want, count);
}

static void check_lines_of_awkward_file(const char *path)
{
    static const char u2028[] = "d \xE2\x80\xA8 \xC2\x85 \v \f";
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    int more = 1;
    CHECK_STATUS(dgm_lines_open(env, &lines, path), DGM_OK);
    check_next(&lines, "a", 1);
    CHECK_INT(lines.had_cr, 1);
    check_next(&lines, "", 0);
    check_next(&lines, "b\rc", 3);
    check_next(&lines, "n\0l", 3);
    check_next(&lines, u2028, sizeof u2028 - 1);
    check_next(&lines, "\xEF\xBB\xBF", 3);
    CHECK_INT(lines.ended_without_lf, 0);
    check_next(&lines, "end\r", 4);
    CHECK_INT(lines.ended_without_lf, 1);
    CHECK_INT(lines.number, 7);
    CHECK_INT(dgm_lines_ready(&lines), 1);
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(env, &lines);
}

TEST(lines_end_at_lf_and_nowhere_else)
{
    static const char text[] = "\xEF\xBB\xBF"
                               "a\r\n\nb\rc\nn\0l\nd \xE2\x80\xA8 \xC2\x85 \v \f\n"
                               "\xEF\xBB\xBF\nend\r";
    struct fault fault = { 0, 0, 0, 1, 0, 0, 0, 0 };
    struct dgm_vfs vfs = fault_vfs(&fault);
    const char *path = path_of("a");
    put_file(path, text, sizeof text - 1);
    check_lines_of_awkward_file(path);
    test_env()->vfs = &vfs; /* one byte at a time, interrupted */
    check_lines_of_awkward_file(path);
    test_env()->vfs = &dgm_vfs_system;
    CHECK_INT(fault.open_files, 0);
}

TEST(lines_longer_than_the_limit_are_cut_between_characters)
{
    static const char text[] = "12345\n123456\r\n123\xE2\x82\xAC\n1234567890\nok";
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    put_file(path_of("a"), text, sizeof text - 1);
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("a")), DGM_OK);
    lines.limit = 5;
    check_next(&lines, "12345", 5);
    CHECK_INT(lines.cut, 0);
    check_next(&lines, "12345", 5);
    CHECK_INT(lines.cut, 1);
    check_next(&lines, "123", 3);
    CHECK_INT(lines.cut, 1);
    check_next(&lines, "12345", 5);
    check_next(&lines, "ok", 2);
    CHECK_INT(lines.cut, 0);
    CHECK_INT(lines.number, 5);
    dgm_lines_close(env, &lines);
}

TEST(lines_cross_the_read_ahead_unharmed)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    struct dgm_lines lines;
    int i, more = 0;
    CHECK_STATUS(dgm_writer_open(env, &writer, path_of("a")), DGM_OK);
    for (i = 0; i < 30000; i++)
        CHECK_STATUS(dgm_writer_add(env, &writer, &"abcdefghijklmnopqrstuvwxyz\r\n"[i % 27],
                                    (size_t)(28 - i % 27)),
                     DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("a")), DGM_OK);
    for (i = 0; i < 30000; i++) {
        CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
        CHECK_INT(lines.line.size, 26 - i % 27);
    }
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(env, &lines);
}

static void check_refused(const char *bytes, size_t count, const char *message, long line)
{
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    put_file(path_of("a"), bytes, count);
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("a")), DGM_DATA);
    CHECK_STR(env->error.message, message);
    CHECK_INT(env->error.line, line);
    CHECK_STR(env->error.file, path_of("a"));
    dgm_env_clear_error(env);
}

TEST(lines_refuse_what_is_not_text)
{
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    check_refused("\xFF\xFE"
                  "a\0",
                  4, "file looks like UTF-16LE (byte-order mark FF FE); expected UTF-8", 1);
    check_refused("\xFE\xFF\0a", 4,
                  "file looks like UTF-16BE (byte-order mark FE FF); expected UTF-8", 1);
    CHECK_STATUS(dgm_lines_open(env, &lines, test_dir()), DGM_DATA);
    CHECK_STR(env->error.message, "Is a directory; expected a regular file");
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("absent")), DGM_DATA);
    CHECK_STR(env->error.message, "No such file or directory; expected a regular file");
    dgm_env_clear_error(env);
}

TEST(lines_of_an_empty_file_are_none)
{
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    int more = 1;
    put_file(path_of("a"), "", 0);
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("a")), DGM_OK);
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    CHECK_INT(lines.number, 0);
    dgm_lines_close(env, &lines);
    put_file(path_of("a"), "\xEF\xBB", 2); /* half a mark is data */
    CHECK_STATUS(dgm_lines_open(env, &lines, path_of("a")), DGM_OK);
    check_next(&lines, "\xEF\xBB", 2);
    dgm_lines_close(env, &lines);
}

/* ---- whole files ----------------------------------------------------------------- */

TEST(file_reads_whole_files_up_to_the_limit)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { NULL, 0, 0, 5 };
    put_file(path_of("a"),
             "12\0"
             "45",
             5);
    CHECK_STATUS(dgm_file_read(env, &buf, path_of("a")), DGM_OK);
    CHECK_INT(buf.size, 5);
    CHECK_MEM(buf.data,
              "12\0"
              "45",
              6);
    buf.limit = 4;
    CHECK_STATUS(dgm_file_read(env, &buf, path_of("a")), DGM_DATA);
    CHECK_STR(env->error.message, "file is longer than 4 bytes");
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_file_read(env, &buf, "/dev/null"), DGM_DATA);
    CHECK_STR(env->error.message, "a device or a pipe; expected a regular file");
    dgm_env_clear_error(env);
    dgm_buf_clear(env, &buf);
}

TEST(file_reading_stops_at_any_failing_call)
{
    struct dgm_env *env = test_env();
    int n;
    put_file(path_of("a"), "text", 4);
    for (n = 1; n <= 3; n++) {
        struct fault fault = { 0, 0, EIO, 0, 0, 0, 0, 0 };
        struct dgm_vfs vfs = fault_vfs(&fault);
        struct dgm_buf buf = { NULL, 0, 0, 0 };
        fault.fail_at = n;
        env->vfs = &vfs;
        CHECK_STATUS(dgm_file_read(env, &buf, path_of("a")), n == 1 ? DGM_DATA : DGM_FAILURE);
        env->vfs = &dgm_vfs_system;
        CHECK_INT(fault.open_files, 0);
        dgm_env_clear_error(env);
        dgm_buf_clear(env, &buf);
    }
}

TEST(file_knows_existing_and_identical_files)
{
    struct dgm_env *env = test_env();
    char other[1024];
    put_file(path_of("a"), "x", 1);
    strcpy(other, path_of("b"));
    CHECK_INT(dgm_file_exists(env, other), 0);
    CHECK_INT(dgm_file_same(test_env(), path_of("a"), other), 0);
    CHECK_INT(symlink(path_of("a"), other), 0);
    CHECK_INT(dgm_file_exists(env, other), 1);
    CHECK_INT(dgm_file_same(test_env(), path_of("a"), other), 1);
    CHECK_INT(dgm_file_exists(env, test_dir()), 1);
}
