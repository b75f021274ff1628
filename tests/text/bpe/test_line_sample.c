/* test_line_sample.c: as many lines as are wanted, spread evenly, and always the same. */
#include "text/bpe/line_sample.h"

#include <stdio.h>

#include "test.h"

enum { LINES = 1000 };

static long take(int64_t wanted, int64_t lines, char *taken)
{
    struct dgm_line_sample sample;
    long count = 0;
    int64_t i;

    dgm_line_sample_init(&sample, wanted, lines);
    for (i = 0; i < lines; i++) {
        taken[i] = (char)dgm_line_sample_take(&sample);
        count += taken[i];
    }
    return count;
}

TEST(line_sample_takes_as_many_as_are_wanted_and_the_same_again)
{
    static const int64_t wanted[] = { 1, 2, 100, 999, 1000, 1001, 1000000 };
    char first[LINES], again[LINES];
    size_t i;

    for (i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        CHECK_INT(take(wanted[i], LINES, first), wanted[i] < LINES ? wanted[i] : LINES);
        (void)take(wanted[i], LINES, again);
        CHECK_MEM(again, first, LINES);
    }
    CHECK_INT(take(5, 0, first), 0);
}

/* Over texts of 500..999 lines each place in a tenth of them is taken as often as the others. */
TEST(line_sample_is_spread_evenly)
{
    long tenths[10] = { 0 }, all = 0;
    char taken[LINES];
    int64_t lines, i;

    for (lines = LINES / 2; lines < LINES; lines++) {
        all += take(50, lines, taken);
        for (i = 0; i < lines; i++)
            tenths[i * 10 / lines] += taken[i];
    }
    for (i = 0; i < 10; i++)
        CHECK_NEAR(tenths[i], (double)all / 10, 200); /* 4 standard deviations of a binomial */
}

TEST(line_sample_counts_the_lines_of_a_file)
{
    int64_t lines = 5;
    char path[512];
    FILE *file;

    sprintf(path, "%.400s/text", test_dir());
    file = fopen(path, "w");
    CHECK(file != NULL && fputs("a\n\nb\nthe last has no end", file) >= 0 && fclose(file) == 0);
    CHECK_STATUS(dgm_line_sample_count(test_env(), path, &lines), DGM_OK);
    CHECK_INT(lines, 9);
    CHECK_STATUS(dgm_line_sample_count(test_env(), test_dir(), &lines), DGM_DATA);
}
