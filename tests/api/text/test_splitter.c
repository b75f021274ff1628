/* test_splitter.c: parts follow from the text alone, sizes are kept to, and misuse is refused. */
#include <stdio.h>

#include "api_case.h"

enum { PAIRS = 3000 };

static dgm_splitter *splitter_of(dgm_context *context, const char *dev, const char *test,
                                 const char *by, uint64_t seed)
{
    dgm_splitter_options options = DGM_OPTIONS(dgm_splitter_options);
    dgm_splitter *splitter = NULL;

    options.dev = dev;
    options.test = test;
    options.by = by;
    options.seed = seed;
    (void)dgm_splitter_new(context, &options, &splitter);
    return splitter;
}

/* Pair i of a text in which every source stands three times, every target twice. */
static void pair_of(int i, char source[32], char target[32])
{
    sprintf(source, "source %d", i / 3);
    sprintf(target, "target %d", i / 2);
}

static dgm_status count_all(dgm_splitter *splitter)
{
    char source[32], target[32];
    int i;

    for (i = 0; i < PAIRS; i++) {
        dgm_status status;
        pair_of(i, source, target);
        status = dgm_splitter_count(splitter, source, strlen(source), target, strlen(target));
        if (status != DGM_OK)
            return status;
    }
    return DGM_OK;
}

static int part_of(dgm_splitter *splitter, int i)
{
    char source[32], target[32];
    dgm_split_part part;

    pair_of(i, source, target);
    if (dgm_splitter_part(splitter, source, strlen(source), target, strlen(target), &part) !=
        DGM_OK)
        return -1;
    return (int)part;
}

static void count_parts(dgm_splitter *splitter, long counts[DGM_SPLIT_COUNT])
{
    int i;

    memset(counts, 0, DGM_SPLIT_COUNT * sizeof *counts);
    for (i = 0; i < PAIRS; i++)
        counts[part_of(splitter, i)]++;
}

TEST(api_splitter_gives_what_is_equal_the_same_part)
{
    dgm_splitter *source, *target;
    dgm_context *context;
    int i, differ = 0;

    CHECK_STATUS(new_context(&context), DGM_OK);
    source = splitter_of(context, "30%", "30%", NULL, 0);
    target = splitter_of(context, "30%", "30%", "target", 0);
    CHECK(!dgm_splitter_counts(source));
    for (i = 0; i < PAIRS; i++) {
        CHECK_INT(part_of(source, i), part_of(source, i / 3 * 3));
        CHECK_INT(part_of(target, i), part_of(target, i / 2 * 2));
        differ += part_of(source, i) != part_of(target, i);
    }
    CHECK(differ > PAIRS / 4);
    dgm_splitter_free(source);
    dgm_splitter_free(target);
    dgm_context_free(context);
}

TEST(api_splitter_keeps_to_shares_by_chance_and_to_sizes)
{
    long counts[DGM_SPLIT_COUNT];
    dgm_context *context;
    dgm_splitter *splitter;

    CHECK_STATUS(new_context(&context), DGM_OK);
    splitter = splitter_of(context, "10%", "25%", "pair", 0);
    count_parts(splitter, counts);
    CHECK(counts[DGM_SPLIT_DEV] > 220 && counts[DGM_SPLIT_DEV] < 380);   /* 300 +- 16 */
    CHECK(counts[DGM_SPLIT_TEST] > 630 && counts[DGM_SPLIT_TEST] < 870); /* 750 +- 24 */
    dgm_splitter_free(splitter);
    splitter = splitter_of(context, "200", "301", "pair", 0);
    CHECK(dgm_splitter_counts(splitter));
    CHECK_STATUS(count_all(splitter), DGM_OK);
    count_parts(splitter, counts);
    CHECK_INT(counts[DGM_SPLIT_DEV], 200);
    CHECK_INT(counts[DGM_SPLIT_TEST], 301);
    dgm_splitter_free(splitter);
    /* Three of a kind: 199 are the most that fit into 200, and 99 into 101. */
    splitter = splitter_of(context, "200", "101", "source", 0);
    CHECK_STATUS(count_all(splitter), DGM_OK);
    count_parts(splitter, counts);
    CHECK_INT(counts[DGM_SPLIT_DEV], 198);
    CHECK_INT(counts[DGM_SPLIT_TEST], 99);
    dgm_splitter_free(splitter);
    dgm_context_free(context);
}

TEST(api_splitter_draws_others_under_another_seed)
{
    dgm_splitter *first, *again, *other;
    dgm_context *context;
    int i, differ = 0;

    CHECK_STATUS(new_context(&context), DGM_OK);
    first = splitter_of(context, "20%", NULL, NULL, 1);
    again = splitter_of(context, "20%", NULL, NULL, 1);
    other = splitter_of(context, "20%", NULL, NULL, 2);
    for (i = 0; i < PAIRS; i++) {
        CHECK_INT(part_of(again, i), part_of(first, i));
        CHECK(part_of(first, i) != DGM_SPLIT_TEST);
        differ += part_of(first, i) != part_of(other, i);
    }
    CHECK(differ > PAIRS / 5 && differ < PAIRS / 2);
    dgm_splitter_free(first);
    dgm_splitter_free(again);
    dgm_splitter_free(other);
    dgm_context_free(context);
}

TEST(api_splitter_refuses_what_leaves_nothing_to_train_on)
{
    dgm_splitter_options options = DGM_OPTIONS(dgm_splitter_options);
    dgm_context *context;
    dgm_splitter *splitter;
    dgm_split_part part;

    CHECK_STATUS(new_context(&context), DGM_OK);
    options.dev = "50%";
    options.test = "50%";
    CHECK_FAILS(context, dgm_splitter_new(context, &options, &splitter), DGM_USAGE);
    options.dev = "1500";
    options.test = "99%";
    CHECK_STATUS(dgm_splitter_new(context, &options, &splitter), DGM_OK);
    CHECK_STATUS(count_all(splitter), DGM_OK);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "a", 1, "b", 1, &part), DGM_DATA);
    dgm_splitter_free(splitter);
    options.test = "1500";
    CHECK_STATUS(dgm_splitter_new(context, &options, &splitter), DGM_OK);
    CHECK_STATUS(count_all(splitter), DGM_OK);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "a", 1, "b", 1, &part), DGM_DATA);
    dgm_splitter_free(splitter);
    CHECK_STATUS(dgm_splitter_new(context, &options, &splitter), DGM_OK);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "a", 1, "b", 1, &part), DGM_DATA);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "c", 1, "d", 1, &part), DGM_DATA);
    dgm_splitter_free(splitter);
    dgm_context_free(context);
}

TEST(api_splitter_refuses_sizes_and_calls_that_mean_nothing)
{
    static const char *const sizes[] = {
        "", "0", "-1", "1.5", "%", "0%", "100%", "x", "1 %", "nan%", "99999999999999999999"
    };
    dgm_splitter_options options = DGM_OPTIONS(dgm_splitter_options);
    dgm_context *context;
    dgm_splitter *splitter;
    dgm_split_part part;
    size_t i;

    CHECK_STATUS(new_context(&context), DGM_OK);
    for (i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        options.dev = sizes[i];
        CHECK_FAILS(context, dgm_splitter_new(context, &options, &splitter), DGM_USAGE);
        CHECK(splitter == NULL);
    }
    /* One more than a number of 32 bits: not taken for 1 where sizes have no more. */
    options.dev = "4294967297";
    CHECK_FAILS(context, dgm_splitter_new(context, &options, &splitter),
                sizeof(size_t) > 4 ? DGM_OK : DGM_USAGE);
    dgm_splitter_free(splitter);
    options.dev = "1%";
    options.by = "sides";
    CHECK_FAILS(context, dgm_splitter_new(context, &options, &splitter), DGM_USAGE);
    options.by = "target";
    options.sides = 1;
    CHECK_FAILS(context, dgm_splitter_new(context, &options, &splitter), DGM_USAGE);
    options.by = NULL;
    CHECK_FAILS(context, dgm_splitter_new(context, &options, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_splitter_new(context, &options, &splitter), DGM_OK);
    CHECK_STATUS(dgm_splitter_part(splitter, NULL, 0, NULL, 0, &part), DGM_OK);
    CHECK_FAILS(context, dgm_splitter_count(splitter, "a", 1, NULL, 0), DGM_USAGE);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "a\nb", 3, NULL, 0, &part), DGM_USAGE);
    CHECK_FAILS(context, dgm_splitter_part(splitter, "a", 1, NULL, 0, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_splitter_part(NULL, "a", 1, NULL, 0, &part), DGM_USAGE);
    CHECK(!dgm_splitter_counts(NULL));
    dgm_splitter_free(splitter);
    dgm_splitter_free(NULL);
    dgm_context_free(context);
}
