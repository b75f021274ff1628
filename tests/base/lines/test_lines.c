/* test_lines.c: text read line by line. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/writer.h"
#include "base/lines/lines.h"
#include "awkward_vfs.h"
#include "test.h"

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
    dgm_lines_again(&lines);
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
    check_next(&lines, "a", 1);
    CHECK_INT(lines.number, 1);
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
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
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
                  4,
                  "this is text in UTF-16LE, not text in UTF-8: convert it with iconv -f UTF-16 "
                  "-t UTF-8",
                  0);
    check_refused("\xFE\xFF\0a", 4,
                  "this is text in UTF-16BE, not text in UTF-8: convert it with iconv -f UTF-16 "
                  "-t UTF-8",
                  0);
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

/* ---- what waits
 * -------------------------------------------------------------------------------- */

static void send(int fd, const char *text)
{
    CHECK_INT(write(fd, text, strlen(text)), (long)strlen(text));
}

TEST(lines_of_a_pipe_are_ready_when_they_are_whole)
{
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    char path[40];
    int ends[2], more = 0;

    CHECK_INT(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    CHECK_STATUS(dgm_lines_open(env, &lines, path), DGM_OK);
    CHECK_INT(dgm_lines_ready(env, &lines), 0);
    send(ends[1], "first\nhal");
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
    check_next(&lines, "first", 5);
    CHECK_INT(dgm_lines_ready(env, &lines), 0);
    send(ends[1], "f");
    CHECK_INT(dgm_lines_ready(env, &lines), 0); /* something came, but no whole line */
    send(ends[1], "\nsecond\nthird\n");
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
    CHECK_INT(dgm_lines_block_ready(env, &lines), 0);
    send(ends[1], "\r");
    CHECK_INT(dgm_lines_block_ready(env, &lines), 0);
    send(ends[1], "\n");
    CHECK_INT(dgm_lines_block_ready(env, &lines), 1);
    check_next(&lines, "half", 4);
    check_next(&lines, "second", 6);
    check_next(&lines, "third", 5);
    check_next(&lines, "", 0);
    CHECK_INT(dgm_lines_block_ready(env, &lines), 0);
    send(ends[1], "\n\r\n"); /* blank lines in front of a block are none */
    CHECK_INT(dgm_lines_block_ready(env, &lines), 0);
    send(ends[1], "fourth\n");
    CHECK_INT(dgm_lines_block_ready(env, &lines), 0);
    send(ends[1], "\n");
    CHECK_INT(dgm_lines_block_ready(env, &lines), 1);
    check_next(&lines, "", 0);
    check_next(&lines, "", 0);
    check_next(&lines, "fourth", 6);
    close(ends[1]);
    check_next(&lines, "", 0);
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(env, &lines);
    close(ends[0]);
}

TEST(lines_of_a_text_are_those_of_a_file)
{
    static const char text[] = "a\r\n\nlast";
    struct dgm_env *env = test_env();
    struct dgm_lines lines;
    int more = 1;

    CHECK_STATUS(dgm_lines_open_text(env, &lines, "text", text, sizeof text - 1), DGM_OK);
    CHECK_INT(dgm_lines_ready(env, &lines), 1);
    check_next(&lines, "a", 1);
    check_next(&lines, "", 0);
    check_next(&lines, "last", 4);
    CHECK_INT(lines.number, 3);
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(env, &lines);
    CHECK_STATUS(dgm_lines_open_text(env, &lines, "text", NULL, 0), DGM_OK);
    CHECK_STATUS(dgm_lines_next(env, &lines, &more), DGM_OK);
    CHECK_INT(more, 0);
    dgm_lines_close(env, &lines);
}

/* ---- what is lost ---------------------------------------------------------------------------- */

static char heard[400];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    CHECK_INT(level, DGM_LOG_WARNING);
    snprintf(heard + strlen(heard), sizeof heard - strlen(heard), "%s\n", text);
}

/* Whatever the level of the log: a quiet run would lose text without a word. */
TEST(lines_that_are_cut_are_told_to_the_quiet_as_well)
{
    struct dgm_env *env = test_env();
    struct dgm_lines lines;

    CHECK_STATUS(dgm_lines_open_text(env, &lines, "text", "short\nmuch longer\nend\n", 22), DGM_OK);
    lines.limit = 6;
    env->log = hear;
    env->log_level = DGM_LOG_ERROR;
    check_next(&lines, "short", 5);
    dgm_lines_warn_cut(env, &lines);
    check_next(&lines, "much l", 6);
    dgm_lines_warn_cut(env, &lines);
    CHECK_STR(heard, "text:2: line cut at 6 bytes\n");
    check_next(&lines, "end", 3);
    env->log = NULL;
    dgm_lines_close(env, &lines);
}
