/* test_ticks.c: the numbers of an axis. */
#include <stdio.h>
#include <string.h>

#include "draw/chart/ticks.h"
#include "test.h"

/* The numbers of an axis over low..high, with blanks between. */
static const char *numbers(double low, double high, int most)
{
    static char all[400];
    struct dgm_ticks ticks;
    size_t at = 0;
    int64_t i;

    dgm_ticks_make(&ticks, &low, &high, most);
    for (i = ticks.first; i <= ticks.last; i++) {
        char text[DGM_TICKS_SIZE];
        size_t length = dgm_ticks_print(text, &ticks, i);
        at += (size_t)snprintf(all + at, sizeof all - at, "%s%s", i > ticks.first ? " " : "", text);
        if (length != strlen(text))
            return "wrong length";
    }
    return all;
}

TEST(ticks_are_multiples_of_1_2_or_5)
{
    CHECK_STR(numbers(0, 10, 6), "0 2 4 6 8 10");
    CHECK_STR(numbers(0.3, 41.7, 6), "10 20 30 40");
    CHECK_STR(numbers(31.2, 33.9, 8), "31.5 32.0 32.5 33.0 33.5");
    CHECK_STR(numbers(-1, 1, 5), "-1.0 -0.5 0 0.5 1.0");
    CHECK_STR(numbers(0.1, 0.3, 3), "0.1 0.2 0.3");
    CHECK_STR(numbers(0, 1, 2), "0 1");
}

TEST(ticks_of_counts_have_no_halves)
{
    struct dgm_ticks ticks;
    double low = 0.9, high = 4.1;

    dgm_ticks_make(&ticks, &low, &high, 9);
    CHECK(dgm_ticks_value(&ticks, 1) == 0.5);
    dgm_ticks_whole(&ticks, low, high);
    CHECK_INT(ticks.first, 1);
    CHECK_INT(ticks.last, 4);
    low = 0, high = 40;
    dgm_ticks_make(&ticks, &low, &high, 5);
    dgm_ticks_whole(&ticks, low, high);
    CHECK(dgm_ticks_value(&ticks, 1) == 10);
}

TEST(ticks_of_an_axis_are_written_alike)
{
    CHECK_STR(numbers(0, 20000, 5), "0 5,000 10,000 15,000 20,000");
    CHECK_STR(numbers(0, 9000, 6), "0 2000 4000 6000 8000");
    CHECK_STR(numbers(100, 900000, 4), "200,000 400,000 600,000 800,000");
    CHECK_STR(numbers(0, 2000000, 5), "0 0.5M 1.0M 1.5M 2.0M");
    CHECK_STR(numbers(0, 4e9, 5), "0 1G 2G 3G 4G");
    CHECK_STR(numbers(0, 0.0004, 5), "0 0.0001 0.0002 0.0003 0.0004");
    CHECK_STR(numbers(0, 0.00002, 3), "0 1e-5 2e-5");
    CHECK_STR(numbers(0, 2e20, 3), "0 1e20 2e20");
    CHECK_STR(numbers(-200000, 0, 3), "-200,000 -100,000 0");
}

/* One value, values that differ in their last bits, and the largest ones. */
TEST(ticks_of_extents_without_extent)
{
    CHECK_STR(numbers(0, 0, 5), "-0.4 -0.2 0 0.2 0.4");
    CHECK_STR(numbers(40, 40, 5), "38 39 40 41 42");
    CHECK_STR(numbers(1, 1 + 1e-15, 3), "0.95 1.00 1.05");
    CHECK_STR(numbers(-DGM_TICKS_LIMIT, DGM_TICKS_LIMIT, 3), "-1e100 0 1e100");
    CHECK_STR(numbers(1e-95, 2e-95, 3), "1e-95 1.5e-95 2e-95");
    CHECK_STR(numbers(0, 2e-300, 3), "-0.5 0 0.5"); /* was an axis far outside of the picture */
}

TEST(ticks_never_are_more_than_asked_for)
{
    double low, high;
    int most;

    for (most = 2; most < 12; most++)
        for (low = -3; low < 3; low += 0.37)
            for (high = low + 1e-7; high < 1e9; high = low + (high - low) * 7.3) {
                struct dgm_ticks ticks;
                double from = low, to = high;
                dgm_ticks_make(&ticks, &from, &to, most);
                CHECK(ticks.last - ticks.first < most);
                dgm_ticks_widen(&ticks, &from, &to);
                CHECK(from <= low + 1e-8 * (high - low) && to >= high - 1e-8 * (high - low));
            }
}
