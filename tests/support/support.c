/*
 * support.c: the checks of test.h, and the environment they run in: an allocator that
 * counts, fails on demand, and notices lost blocks and overrun ends.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "test.h"

/* Each block is preceded by this header and followed by GUARD_BYTES known bytes. The
 * header's size, a multiple of 16, keeps the alignment that malloc gave. */
struct block {
    struct block *next, *previous;
    size_t bytes;
    long number; /* of the allocation, from 1 */
};

enum { HEADER_BYTES = (sizeof(struct block) + 15) / 16 * 16, GUARD_BYTES = 16, GUARD = 0xA5 };

static struct {
    struct dgm_env env;
    struct block *blocks; /* live ones, the latest first */
    long allocations, live, fail_at, overruns;
    pthread_mutex_t lock; /* pools allocate from several threads */
    const char *folder;
    long oom;
    int failed, skipped, has_folder, walks_itself, excused, fails_once;
} now = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* ---- memory ----------------------------------------------------------------------- */

static void link_block(struct block *block)
{
    block->previous = NULL;
    block->next = now.blocks;
    if (now.blocks)
        now.blocks->previous = block;
    now.blocks = block;
    now.live++;
}

static void unlink_block(struct block *block)
{
    if (block->previous)
        block->previous->next = block->next;
    else
        now.blocks = block->next;
    if (block->next)
        block->next->previous = block->previous;
    now.live--;
}

static void check_guard(const struct block *block)
{
    const unsigned char *end = (const unsigned char *)block + HEADER_BYTES + block->bytes;
    for (int i = 0; i < GUARD_BYTES; i++) {
        if (end[i] == GUARD)
            continue;
        printf("  allocation %ld of %zu bytes: byte %d past its end was overwritten\n",
               block->number, block->bytes, i);
        now.overruns++;
        return;
    }
}

static struct block *block_of(void *memory)
{
    return (struct block *)(void *)((char *)memory - HEADER_BYTES);
}

static void *counted_resize(void *user, void *memory, size_t bytes)
{
    (void)user;
    if (bytes > (size_t)-1 - HEADER_BYTES - GUARD_BYTES)
        return NULL;
    struct block *old = memory ? block_of(memory) : NULL;
    pthread_mutex_lock(&now.lock);
    long number = ++now.allocations;
    struct block *block = NULL;
    if (now.fail_at == 0 || number < now.fail_at || (now.fails_once && number > now.fail_at))
        block = malloc(HEADER_BYTES + bytes + GUARD_BYTES);
    if (block) {
        /* Always to a new place, so that a pointer kept over a resize is noticed. */
        block->bytes = bytes;
        block->number = number;
        memset((char *)block + HEADER_BYTES, 0xCD, bytes);
        memset((char *)block + HEADER_BYTES + bytes, GUARD, GUARD_BYTES);
        if (old) {
            size_t kept = old->bytes < bytes ? old->bytes : bytes;
            check_guard(old);
            memcpy((char *)block + HEADER_BYTES, memory, kept);
            unlink_block(old);
            free(old);
        }
        link_block(block);
    }
    pthread_mutex_unlock(&now.lock);
    return block ? (char *)block + HEADER_BYTES : NULL;
}

static void counted_release(void *user, void *memory)
{
    (void)user;
    if (!memory)
        return;
    struct block *block = block_of(memory);
    pthread_mutex_lock(&now.lock);
    check_guard(block);
    unlink_block(block);
    pthread_mutex_unlock(&now.lock);
    memset(memory, 0xDD, block->bytes);
    free(block);
}

struct dgm_env *test_env(void)
{
    return &now.env;
}

void test_env_fail_at(long n)
{
    now.fail_at = n > 0 ? n : 0;
    now.walks_itself = 1;
    now.fails_once = 0;
}

void test_env_fail_once(long n)
{
    test_env_fail_at(n);
    now.fails_once = 1;
}

long test_allocations(void)
{
    return now.allocations;
}

long test_live_blocks(void)
{
    return now.live;
}

/* ---- places ----------------------------------------------------------------------- */

const char *test_dir(void)
{
    if (!now.has_folder && mkdir(now.folder, 0777) != 0) {
        printf("  cannot make the scratch folder %s\n", now.folder);
        now.failed = 1;
    }
    now.has_folder = 1;
    return now.folder;
}

const char *test_source_dir(void)
{
    return TEST_SOURCE_DIR;
}

const char *test_shared(void)
{
    static char path[4096];
    struct stat info;
    const char *given = getenv("SHARED");
    if (given)
        snprintf(path, sizeof path, "%s", given);
    else
        snprintf(path, sizeof path, "%s/../shared", test_source_dir());
    return path[0] && stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? path : NULL;
}

int test_is_long(void)
{
    return getenv("TEST_LONG") != NULL;
}

long test_points(long all, long few)
{
    const char *given = getenv("TEST_POINTS");
    long points = given ? atol(given) : few;
    return test_is_long() || points > all ? all : points;
}

long test_point(long i, long points, long all)
{
    long first = i * all / points, next = (i + 1) * all / points;
    unsigned mixed = (unsigned)(i + 1) * 2654435761u;
    return 1 + first + (long)(mixed >> 8) % (next - first);
}

int test_has_failed(void)
{
    return now.failed;
}

/* ---- checks ----------------------------------------------------------------------- */

/* Opens the report of a failure. When an allocation was made to fail, a test that ends
 * early with that error is excused, and its report is not shown. */
static int fail(const char *file, int line, const char *text)
{
    const char *name = file, *next;

    /* From the last folder called tests on: where the file stands in the source tree. */
    while ((next = strstr(name + 1, "tests/")) != NULL)
        name = next;
    now.failed = 1;
    if (now.oom && now.env.error.status == DGM_MEMORY)
        now.excused = 1;
    printf("  %s:%d  %s\n", name, line, text);
    return 0;
}

int test_true(const char *file, int line, const char *text, int holds)
{
    return holds ? 1 : fail(file, line, text);
}

int test_same_int(const char *file, int line, const char *text, long long got,
                  const char *want_text, long long want)
{
    if (got == want)
        return 1;
    fail(file, line, text);
    printf("    got %lld   want %lld   (%s)\n", got, want, want_text);
    return 0;
}

static void print_text(const char *label, const char *text)
{
    printf("    %s ", label);
    if (!text) {
        printf("NULL\n");
        return;
    }
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '\n')
            printf("\\n%s", text[1] ? "\"\n         \"" : "");
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 32 || c == 127)
            printf("\\x%02x", c);
        else
            putchar(c);
    }
    printf("\"\n");
}

int test_same_text(const char *file, int line, const char *text, const char *got, const char *want)
{
    if (got == want || (got && want && strcmp(got, want) == 0))
        return 1;
    fail(file, line, text);
    print_text("got ", got);
    print_text("want", want);
    return 0;
}

static void print_bytes(const char *label, const unsigned char *bytes, size_t count)
{
    printf("    %s", label);
    for (size_t i = 0; i < count; i++)
        printf(" %02x", bytes[i]);
    putchar('\n');
}

int test_same_bytes(const char *file, int line, const char *text, const void *got, const void *want,
                    size_t bytes)
{
    const unsigned char *a = got, *b = want;
    size_t first = 0, wrong = 0;
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i] && wrong++ == 0)
            first = i;
    }
    if (wrong == 0)
        return 1;
    size_t shown = bytes - first < 16 ? bytes - first : 16;
    fail(file, line, text);
    printf("    %zu of %zu bytes differ, from byte %zu:\n", wrong, bytes, first);
    print_bytes("got ", a + first, shown);
    print_bytes("want", b + first, shown);
    return 0;
}

int test_near(const char *file, int line, const char *text, double got, double want,
              double tolerance)
{
    double error = fabs(got - want);
    if (got == want || error <= tolerance)
        return 1;
    fail(file, line, text);
    printf("    got %.9g   want %.9g   error %.3g   allowed %.3g\n", got, want, error, tolerance);
    return 0;
}

int test_same_status(const char *file, int line, const char *text, dgm_status got, dgm_status want)
{
    if (got == want)
        return 1;
    if (now.oom && got == DGM_MEMORY)
        now.excused = 1;
    fail(file, line, text);
    printf("    got %s   want %s\n", dgm_status_name(got), dgm_status_name(want));
    if (now.env.error.status != DGM_OK)
        printf("    recorded: %s\n", now.env.error.message);
    return 0;
}

void test_skip(const char *reason)
{
    printf("%s\n", reason);
    now.skipped = 1;
}

/* ---- the life of a test ----------------------------------------------------------- */

void test_begin(const char *folder, long oom)
{
    dgm_env_init(&now.env);
    now.env.memory.resize = counted_resize;
    now.env.memory.release = counted_release;
    now.env.memory.user = NULL;
    now.env.log = NULL;
    now.folder = folder;
    now.oom = now.fail_at = oom;
}

static void report_leaks(void)
{
    size_t bytes = 0;
    const struct block *first = now.blocks;
    for (const struct block *block = now.blocks; block; block = block->next) {
        bytes += block->bytes;
        first = block;
        check_guard(block);
    }
    printf("  %ld block%s (%zu bytes) not released; the first: allocation %ld, %zu bytes\n",
           now.live, now.live == 1 ? "" : "s", bytes, first->number, first->bytes);
}

int test_finish(void)
{
    if (now.oom && (now.walks_itself || (now.allocations < now.oom && !now.overruns)))
        return TEST_UNREACHED;
    /* A test that stopped half-way could not release what it held; its failure is the
     * news. */
    int stopped = now.failed || now.skipped;
    if (!stopped && now.live > 0)
        report_leaks();
    if (now.overruns || (!stopped && now.live > 0))
        return TEST_FAILED;
    if (now.failed && !now.excused)
        return TEST_FAILED;
    return now.skipped ? TEST_SKIPPED : TEST_PASSED;
}
