/*
 * test_line_blocks.c: lines worked on by several threads come out in their order, up to the first
 * that fails, whatever the number of threads.
 */
#include <stdio.h>
#include <string.h>

#include "base/lines/line_blocks.h"
#include "awkward_vfs.h"
#include "test.h"

enum { LINES = 60000 };

/* Doubles lines; the one that says "bad" fails. `text` gets what is taken. */
struct doubling {
    struct dgm_lines lines;
    struct dgm_buf text;
    long next_block, limit;
};

static dgm_status next(struct dgm_env *env, void *user, int *more)
{
    struct doubling *doubling = user;

    DGM_TRY(dgm_lines_next(env, &doubling->lines, more));
    if (*more && doubling->lines.number == doubling->limit)
        return dgm_fail(env, DGM_MEMORY, "reading fails");
    return DGM_OK;
}

static dgm_status line(struct dgm_env *env, void *user, int worker, struct dgm_line_block *block,
                       size_t i)
{
    size_t bytes;
    const char *text = dgm_line_block_at(block, i, 0, &bytes);

    (void)user;
    (void)worker;
    if (bytes == 3 && memcmp(text, "bad", 3) == 0)
        return dgm_fail(env, DGM_DATA, "line %ld is bad", block->first + (long)i);
    DGM_TRY(dgm_buf_add(env, &block->out, text, bytes));
    DGM_TRY(dgm_buf_add(env, &block->out, text, bytes));
    return dgm_buf_add_char(env, &block->out, '\n');
}

static dgm_status take(struct dgm_env *env, void *user, const struct dgm_line_block *block)
{
    struct doubling *doubling = user;

    if (block->first != doubling->next_block)
        return dgm_fail(env, DGM_FAILURE, "block of line %ld comes too soon", block->first);
    doubling->next_block += (long)block->count;
    return dgm_buf_add(env, &doubling->text, block->out.data, block->out.size);
}

/* An environment whose allocator serves several threads. */
static dgm_status run(struct dgm_env *env, struct doubling *doubling, const char *path, int workers,
                      long limit)
{
    struct dgm_line_work work = { .file_count = 1, .next = next, .line = line, .take = take };
    dgm_status status;

    dgm_env_init(env);
    memset(doubling, 0, sizeof *doubling);
    doubling->next_block = 1;
    doubling->limit = limit;
    DGM_TRY(dgm_lines_open(env, &doubling->lines, path));
    work.files = &doubling->lines;
    work.workers = workers;
    work.user = doubling;
    status = dgm_line_blocks_run(env, &work);
    dgm_lines_close(env, &doubling->lines);
    return status;
}

/* Lines of 0 to 39 bytes; line `bad`, unless 0, says so. */
static const char *make_file(long bad)
{
    static char text[LINES * 41];
    size_t size = 0;

    for (long n = 1; n <= LINES; n++)
        size += (size_t)sprintf(text + size, "%.*s\n", (int)(n == bad ? 3 : n * 7 % 40),
                                n == bad ? "bad" : "abcdefghijklmnopqrstuvwxyz0123456789+-*/");
    put_file(path_of("lines"), text, size);
    return path_of("lines");
}

static void check_order(int workers)
{
    struct doubling doubling;
    struct dgm_env env;
    const char *at;

    CHECK_STATUS(run(&env, &doubling, make_file(0), workers, 0), DGM_OK);
    at = doubling.text.data;
    for (long n = 1; n <= LINES; n++, at = strchr(at, '\n') + 1)
        CHECK_INT(strchr(at, '\n') - at, 2 * (n * 7 % 40));
    CHECK_INT(at - doubling.text.data, doubling.text.size);
    dgm_buf_clear(&env, &doubling.text);
}

TEST(line_blocks_come_out_in_their_order)
{
    for (int workers = 1; workers <= 5; workers++)
        check_order(workers);
}

/* How many lines come out where line `bad` fails and reading line `limit` does. */
static void check_failure(int workers, long bad, long limit, dgm_status status, long lines,
                          const char *message)
{
    struct doubling doubling;
    struct dgm_env env;
    long found = 0;

    CHECK_STATUS(run(&env, &doubling, make_file(bad), workers, limit), status);
    CHECK_STR(env.error.message, message);
    for (size_t i = 0; i < doubling.text.size; i++)
        found += doubling.text.data[i] == '\n';
    CHECK_INT(found, lines);
    dgm_buf_clear(&env, &doubling.text);
}

TEST(line_blocks_end_at_the_first_line_that_fails)
{
    for (int workers = 1; workers <= 4; workers += 3) {
        check_failure(workers, 1, 0, DGM_DATA, 0, "line 1 is bad");
        check_failure(workers, 41234, 0, DGM_DATA, 41233, "line 41234 is bad");
        check_failure(workers, 0, 50000, DGM_MEMORY, 49999, "reading fails");
        check_failure(workers, 3000, 3005, DGM_DATA, 2999, "line 3000 is bad");
        check_failure(workers, 59999, 7, DGM_MEMORY, 6, "reading fails");
    }
}

TEST(line_blocks_of_an_empty_file_are_none)
{
    struct doubling doubling;
    struct dgm_env env;

    put_file(path_of("empty"), "", 0);
    CHECK_STATUS(run(&env, &doubling, path_of("empty"), 3, 0), DGM_OK);
    CHECK_INT(doubling.next_block, 1);
    dgm_buf_clear(&env, &doubling.text);
}
