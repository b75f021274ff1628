/*
 * test.h: what a test may say. A test is a line TEST(name) { ... } in
 * tests/test_<file>.c; its name reads as a sentence. The runner forks each one, so a test
 * may crash or hang without harming the rest, and checks afterwards that all memory of
 * test_env() was released.
 *
 * A CHECK that does not hold prints both values and returns from the function it stands
 * in, which therefore must return void.
 */
#ifndef DGM_TEST_H
#define DGM_TEST_H

#include <stddef.h>

#include "base/env.h"

#define TEST(name)          \
    void test_##name(void); \
    void test_##name(void)

#define TEST_HERE __FILE__, __LINE__
#define TEST_RETURN_UNLESS(call) \
    do {                         \
        if (!(call))             \
            return;              \
    } while (0)

#define CHECK(condition) TEST_RETURN_UNLESS(test_true(TEST_HERE, #condition, (condition) ? 1 : 0))

#define CHECK_INT(got, want) \
    TEST_RETURN_UNLESS(test_same_int(TEST_HERE, #got, (long long)(got), #want, (long long)(want)))

/* NULL equals only NULL. */
#define CHECK_STR(got, want) TEST_RETURN_UNLESS(test_same_text(TEST_HERE, #got, (got), (want)))

#define CHECK_MEM(got, want, bytes) \
    TEST_RETURN_UNLESS(test_same_bytes(TEST_HERE, #got, (got), (want), (bytes)))

/* |got - want| <= tolerance; NaN is near nothing, an infinity only itself. */
#define CHECK_NEAR(got, want, tolerance) \
    TEST_RETURN_UNLESS(                  \
        test_near(TEST_HERE, #got, (double)(got), (double)(want), (double)(tolerance)))

/* Shows both names and, on an unexpected failure, the message recorded in test_env(). */
#define CHECK_STATUS(call, want) \
    TEST_RETURN_UNLESS(test_same_status(TEST_HERE, #call, (call), (want)))

/* Ends the test as skipped, for a reason that the report repeats. */
#define TEST_SKIP(reason)  \
    do {                   \
        test_skip(reason); \
        return;            \
    } while (0)

/* The environment of this test: counted memory, the system's files, no log. */
struct dgm_env *test_env(void);

/* Makes allocation n (from 1, counted since the test began) and all later ones fail; 0:
 * none. */
void test_env_fail_at(long n);

/* Makes allocation n, and no other, fail. */
void test_env_fail_once(long n);

/* Allocations so far, failed ones included; and the blocks not yet released. */
long test_allocations(void);
long test_live_blocks(void);

/* A fresh scratch folder of this test, removed after it. */
const char *test_dir(void);

/* The shared data beside the source tree, or NULL where absent. The variable SHARED
 * overrides. */
const char *test_shared(void);

/* The top of the source tree, as an absolute path. */
const char *test_source_dir(void);

/* Whether this is `make check-long`, where a test may take minutes. */
int test_is_long(void);

/* A walk over `all` points, each of which is made to fail: how many of them this run tries. All in
 * `make check-long`, TEST_POINTS of them where that is set, else `few`. And which: number `i` of
 * `points`, from 1 to `all`: one from each of as many equal pieces, the same in every run. */
long test_points(long all, long few);
long test_point(long i, long points, long all);

/* Whether a check has failed: a helper that returned in the middle cannot say so itself. */
int test_has_failed(void);

/* ---- behind the macros ------------------------------------------------------------ */

int test_true(const char *file, int line, const char *text, int holds);
int test_same_int(const char *file, int line, const char *text, long long got,
                  const char *want_text, long long want);
int test_same_text(const char *file, int line, const char *text, const char *got, const char *want);
int test_same_bytes(const char *file, int line, const char *text, const void *got, const void *want,
                    size_t bytes);
int test_near(const char *file, int line, const char *text, double got, double want,
              double tolerance);
int test_same_status(const char *file, int line, const char *text, dgm_status got, dgm_status want);
void test_skip(const char *reason);

/* ---- for the runner --------------------------------------------------------------- */

/* Exit codes of a forked test. UNREACHED: the allocation that should have failed never
 * came. */
enum { TEST_PASSED = 0, TEST_FAILED = 1, TEST_SKIPPED = 77, TEST_UNREACHED = 78 };

/* `folder` will be test_dir(); `oom` > 0 makes that allocation fail and tolerates a test
 * that ends early because of it. */
void test_begin(const char *folder, long oom);
int test_finish(void);

#endif
