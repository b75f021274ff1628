/* test_writer.c: outputs that are whole or not there, whatever call fails. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/writer.h"
#include "awkward_vfs.h"
#include "test.h"

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

/* Even if the caller ignores the status of a write, half a file replaces nothing. */
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

/* A piece that is too large for the buffer is written at once, but after the pieces that wait
 * there. */
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
