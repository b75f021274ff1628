/*
 * test_output.c: outputs: what may be written, and that a file is replaced as a whole or stays as
 * it was, whichever call fails.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/output.h"
#include "base/file/vfs.h"
#include "base/file/writer.h"
#include "failing_vfs.h"
#include "test.h"

enum { PATH_SIZE = 1200 };

static const char *at(char path[PATH_SIZE], const char *name)
{
    snprintf(path, PATH_SIZE, "%s/%s", test_dir(), name);
    return path;
}

static void put(const char *name, const char *text)
{
    char path[PATH_SIZE];
    FILE *file = fopen(at(path, name), "wb");

    CHECK(file != NULL);
    CHECK_INT(fputs(text, file) >= 0, 1);
    CHECK_INT(fclose(file), 0);
}

static void check_content(const char *name, const char *want)
{
    struct dgm_buf buf = { NULL, 0, 0, 0 };
    char path[PATH_SIZE];

    CHECK_STATUS(dgm_file_read(test_env(), &buf, at(path, name)), DGM_OK);
    CHECK_STR(buf.size > 0 ? buf.data : "", want);
    dgm_buf_clear(test_env(), &buf);
}

static void link_to(const char *target, const char *name)
{
    char path[PATH_SIZE];

    CHECK_INT(symlink(target, at(path, name)), 0);
}

static enum dgm_file_kind kind_of(const char *name)
{
    struct dgm_file_info info = { DGM_FILE_OTHER, 0, 0, 0, 0, 0, 0 };
    char path[PATH_SIZE];

    return dgm_vfs_system.info(NULL, -1, at(path, name), 0, &info) == 0 ? info.kind
                                                                        : DGM_FILE_OTHER;
}

static dgm_status count_name(struct dgm_env *env, void *count, const char *name)
{
    (void)env;
    (void)name;
    ++*(int *)count;
    return DGM_OK;
}

static int count_files(void)
{
    int count = 0;

    return dgm_folder_list(test_env(), test_dir(), count_name, &count) == DGM_OK ? count : -1;
}

static dgm_status find(struct dgm_output *output, const char *name)
{
    char path[PATH_SIZE];
    dgm_status status = dgm_output_find(test_env(), output, at(path, name));

    dgm_env_clear_error(test_env());
    return status;
}

/* ---- what stands at a path ------------------------------------------------------------------- */

TEST(output_is_new_a_file_a_stream_or_refused)
{
    struct dgm_output output;
    char path[PATH_SIZE], other[PATH_SIZE];

    put("old", "old");
    CHECK_STATUS(find(&output, "none"), DGM_OK);
    CHECK_INT(output.kind, DGM_OUTPUT_NEW);
    CHECK_STR(output.path, at(path, "none"));
    CHECK_STATUS(find(&output, "old"), DGM_OK);
    CHECK_INT(output.kind, DGM_OUTPUT_REPLACE);
    CHECK_INT(output.info.bytes, 3);
    CHECK_INT(mkfifo(at(path, "pipe"), 0600), 0);
    CHECK_STATUS(find(&output, "pipe"), DGM_OK);
    CHECK_INT(output.kind, DGM_OUTPUT_STREAM);
    CHECK_STATUS(find(&output, "."), DGM_USAGE);
    CHECK_STATUS(find(&output, "old/below"), DGM_FAILURE);
    CHECK_STATUS(dgm_output_find(test_env(), &output, ""), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_output_find_file(test_env(), &output, at(other, "old")), DGM_OK);
    CHECK_STATUS(dgm_output_find_file(test_env(), &output, at(other, "pipe")), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_output_find_file(test_env(), &output, "-"), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_output_find_file(test_env(), &output, "/dev/null"), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

TEST(output_follows_links_to_their_end)
{
    struct dgm_output output;
    char path[PATH_SIZE], end[PATH_SIZE];

    CHECK_INT(mkdir(at(path, "place"), 0700), 0);
    put("place/old", "old");
    link_to("place/old", "link");
    link_to("link", "again");
    CHECK_STATUS(find(&output, "again"), DGM_OK);
    CHECK_INT(output.kind, DGM_OUTPUT_REPLACE);
    CHECK_STR(output.path, at(end, "place/old"));
    link_to("place/new", "dangling");
    CHECK_STATUS(find(&output, "dangling"), DGM_OK);
    CHECK_INT(output.kind, DGM_OUTPUT_NEW);
    CHECK_STR(output.path, at(end, "place/new"));
    link_to(at(path, "place/old"), "absolute");
    CHECK_STATUS(find(&output, "absolute"), DGM_OK);
    CHECK_STR(output.path, path);
    link_to("two", "one");
    link_to("one", "two");
    CHECK_STATUS(find(&output, "one"), DGM_USAGE);
}

/* An answer that the system cannot give is no "there is nothing": nothing is renamed over. */
TEST(output_that_cannot_be_looked_at_is_refused)
{
    static const char *const calls[] = { "info", "read_link" };
    struct dgm_output output;
    struct dgm_writer writer;
    char path[PATH_SIZE];
    int i;

    put("old", "old");
    link_to("old", "link");
    for (i = 0; i < 2; i++) {
        failing_begin(test_env(), 0, calls[i], EIO);
        CHECK_STATUS(find(&output, "link"), DGM_FAILURE);
        failing_end(test_env());
    }
    failing_begin(test_env(), 1, NULL, EIO); /* the first look at the link only */
    CHECK_STATUS(find(&output, "link"), DGM_FAILURE);
    failing_begin(test_env(), 0, "info", EIO);
    CHECK_STATUS(dgm_writer_open_own(test_env(), &writer, at(path, "old")), DGM_FAILURE);
    failing_end(test_env());
    dgm_env_clear_error(test_env());
}

/* ---- what stands there stays ----------------------------------------------------------------- */

/* Whether a file with this content may be replaced by one that begins with "kind". */
static void check_kept(const char *content, dgm_status want)
{
    struct dgm_output output;
    char path[PATH_SIZE];

    put("old", content);
    CHECK_STATUS(find(&output, "old"), DGM_OK);
    CHECK_STATUS(dgm_output_keep_others(test_env(), &output, "kind", "file of the kind"), want);
    CHECK_STR(test_env()->error.file, want != DGM_OK ? at(path, "old") : "");
    dgm_env_clear_error(test_env());
}

TEST(output_of_a_kind_takes_the_place_of_its_kind)
{
    struct dgm_output output;

    check_kept("kind 1", DGM_OK);
    check_kept("kind", DGM_OK);
    check_kept("", DGM_OK);
    check_kept("kin", DGM_USAGE);
    check_kept("a word of another kind", DGM_USAGE);
    CHECK_STATUS(find(&output, "none"), DGM_OK);
    CHECK_STATUS(dgm_output_keep_others(test_env(), &output, "kind", "file of the kind"), DGM_OK);
    put("old", "kind");
    CHECK_STATUS(find(&output, "old"), DGM_OK);
    for (int i = 0; i < 2; i++) {
        failing_begin(test_env(), 0, i == 0 ? "open" : "pread", EIO);
        CHECK_STATUS(dgm_output_keep_others(test_env(), &output, "kind", "file"), DGM_FAILURE);
        failing_end(test_env());
        dgm_env_clear_error(test_env());
    }
}

/* ---- replacing ------------------------------------------------------------------------------- */

static dgm_status write_new(const char *name, int in_part, int ends_well)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    char path[PATH_SIZE];
    dgm_status status = in_part ? dgm_writer_open_part(env, &writer, at(path, name))
                                : dgm_writer_open(env, &writer, at(path, name));

    if (status == DGM_OK)
        status = dgm_writer_add(env, &writer, "new", 3);
    if (status == DGM_OK && ends_well)
        return dgm_writer_close(env, &writer);
    dgm_writer_abandon(env, &writer);
    return status;
}

TEST(output_is_replaced_at_the_end_or_not_at_all)
{
    put("old", "old");
    CHECK_STATUS(write_new("old", 0, 0), DGM_OK);
    check_content("old", "old");
    CHECK_INT(count_files(), 1);
    CHECK_STATUS(write_new("old", 0, 1), DGM_OK);
    check_content("old", "new");
    CHECK_STATUS(write_new("fresh", 0, 0), DGM_OK);
    CHECK_INT(count_files(), 1);
    CHECK_STATUS(write_new("fresh", 0, 1), DGM_OK);
    check_content("fresh", "new");
    CHECK_INT(count_files(), 2);
}

/* Also at the end of a link. What is no whole magic number is no model. */
TEST(output_takes_no_place_of_a_model)
{
    put("old", "GGUF\3");
    link_to("old", "link");
    for (int in_part = 0; in_part < 2; in_part++) {
        CHECK_STATUS(write_new("old", in_part, 1), DGM_USAGE);
        dgm_env_clear_error(test_env());
        CHECK_STATUS(write_new("link", in_part, 1), DGM_USAGE);
        dgm_env_clear_error(test_env());
    }
    check_content("old", "GGUF\3");
    CHECK_INT(count_files(), 2);
    put("old", "GGU");
    CHECK_STATUS(write_new("old", 0, 1), DGM_OK);
}

TEST(output_keeps_the_mode_and_the_link)
{
    struct stat info;
    char path[PATH_SIZE];

    put("old", "old");
    CHECK_INT(chmod(at(path, "old"), 0604), 0);
    link_to("old", "link");
    CHECK_STATUS(write_new("link", 0, 1), DGM_OK);
    CHECK_INT(kind_of("link"), DGM_FILE_LINK);
    check_content("old", "new");
    CHECK_INT(stat(path, &info), 0);
    CHECK_INT(info.st_mode & 07777, 0604);
}

/* A model's saver is for names of our own choice: it replaces a link, and no device or pipe. */
TEST(output_of_a_saver_is_a_regular_file)
{
    struct dgm_env *env = test_env();
    struct dgm_writer writer;
    char path[PATH_SIZE];

    put("old", "old");
    link_to("old", "link");
    CHECK_STATUS(dgm_writer_open_own(env, &writer, at(path, "link")), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &writer), DGM_OK);
    CHECK_INT(kind_of("link"), DGM_FILE_REGULAR);
    check_content("old", "old");
    CHECK_INT(mkfifo(at(path, "pipe"), 0600), 0);
    CHECK_STATUS(dgm_writer_open_own(env, &writer, path), DGM_USAGE);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_writer_open_own(env, &writer, test_dir()), DGM_USAGE);
    dgm_env_clear_error(env);
    CHECK_INT(kind_of("pipe"), DGM_FILE_OTHER);
}

/* Whichever call fails: old content or new, no other file, no open descriptor. */
TEST(output_survives_the_failure_of_any_call)
{
    struct dgm_env *env = test_env();
    char path[PATH_SIZE];
    int renamed = 0;
    long n;

    for (n = 1; n < 60; n++) {
        dgm_status status;
        put("old", "old");
        CHECK_INT(chmod(at(path, "old"), 0604), 0);
        (void)unlink(at(path, "link"));
        link_to("old", "link");
        failing_begin(env, n, NULL, ENOSPC);
        status = write_new("link", 0, 1);
        failing_end(env);
        dgm_env_clear_error(env);
        CHECK_INT(failing.open, 0);
        CHECK_INT(count_files(), 2);
        CHECK_INT(kind_of("link"), DGM_FILE_LINK);
        if (failing.calls < n)
            break;
        renamed += strcmp(failing.failed, "rename") == 0;
        /* After the rename there is only its folder to sync. */
        check_content("old", status != DGM_OK && (renamed == 0 || failing.failed[0] == 'r')
                                 ? "old"
                                 : "new");
    }
    CHECK(n > 12 && n < 60);
    CHECK_INT(renamed, 1);
    check_content("old", "new");
}

TEST(output_that_takes_long_leaves_its_part)
{
    char path[PATH_SIZE];

    put("old", "old");
    CHECK_STATUS(write_new("old", 1, 0), DGM_OK);
    check_content("old", "old");
    check_content("old.part", "new");
    put("old.part", "hours of somebody's work");
    CHECK_STATUS(write_new("old", 1, 0), DGM_OK);
    check_content("old.part", "new");
    check_content("old.part.old", "hours of somebody's work");
    CHECK_STATUS(write_new("old", 1, 1), DGM_OK); /* the shorter of two parts goes */
    check_content("old", "new");
    check_content("old.part.old", "hours of somebody's work");
    CHECK_INT(count_files(), 2);
    put("old.part", "");
    CHECK_STATUS(write_new("old", 1, 1), DGM_OK);
    check_content("old.part.old", "hours of somebody's work");
    CHECK_INT(mkdir(at(path, "old.part"), 0700), 0);
    CHECK_STATUS(write_new("old", 1, 1), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

/* Two runs with one output: the first to end must not publish what the second has begun. */
TEST(output_of_two_runs_is_that_of_one)
{
    struct dgm_env *env = test_env();
    struct dgm_writer first, second;
    char path[PATH_SIZE];

    at(path, "out");
    CHECK_STATUS(dgm_writer_open_part(env, &first, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &first, "first", 5), DGM_OK);
    CHECK_STATUS(dgm_writer_flush(env, &first), DGM_OK);
    CHECK_STATUS(dgm_writer_open_part(env, &second, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(env, &second, "sec", 3), DGM_OK);
    CHECK_STATUS(dgm_writer_close(env, &first), DGM_FAILURE);
    dgm_env_clear_error(env);
    CHECK(!dgm_file_exists(env, path));
    CHECK_STATUS(dgm_writer_close(env, &second), DGM_OK);
    check_content("out", "sec");
    check_content("out.part.old", "first");
}

TEST(output_that_failed_before_it_began_leaves_no_part)
{
    struct dgm_writer writer;
    char path[PATH_SIZE];

    CHECK_STATUS(dgm_writer_open_part(test_env(), &writer, at(path, "x")), DGM_OK);
    CHECK_INT(count_files(), 1);
    dgm_writer_abandon(test_env(), &writer);
    CHECK_INT(count_files(), 0);
}
