/* test_file.c: whole files, and what is known of a path. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "awkward_vfs.h"
#include "test.h"

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

TEST(file_text_has_no_byte_order_mark)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { 0 };

    put_file(path_of("a"),
             "\xEF\xBB\xBF"
             "ab",
             5);
    CHECK_STATUS(dgm_file_read_text(env, &buf, path_of("a")), DGM_OK);
    CHECK_INT(buf.size, 2);
    CHECK_MEM(buf.data, "ab", 3);
    put_file(path_of("a"), "\xEF\xBB\xBF", 3);
    CHECK_STATUS(dgm_file_read_text(env, &buf, path_of("a")), DGM_OK);
    CHECK_INT(buf.size, 0);
    put_file(path_of("a"), "\xEF\xBB", 2);
    CHECK_STATUS(dgm_file_read_text(env, &buf, path_of("a")), DGM_OK);
    CHECK_INT(buf.size, 2);
    put_file(path_of("a"), "", 0);
    CHECK_STATUS(dgm_file_read_text(env, &buf, path_of("a")), DGM_OK);
    CHECK_INT(buf.size, 0);
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
