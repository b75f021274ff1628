/* test_randomization.c: approximate randomisation, against trials that can be counted. */
#include "text/score/randomization.h"

#include "test.h"
#include "text/score/numpy_random.h"

enum { SENTENCES = 21, TRIALS = 5000 };

/* 100 x right / all; rows are (right, all). */
static double accuracy(const void *user, const int64_t *sums)
{
    (void)user;
    return 100.0 * (double)sums[0] / (double)sums[1];
}

static const struct dgm_paired_test usual = {
    .sentences = SENTENCES, .width = 2, .score = accuracy, .samples = TRIALS, .seed = 7
};

static void make_rows(int64_t rows[2 * SENTENCES], int step, int64_t more)
{
    for (int i = 0; i < SENTENCES; i++) {
        rows[2 * i] = i * step % 7 + more;
        rows[2 * i + 1] = 10 + i;
    }
}

/* How many trials are extreme, one coin after the other, `ties` of them counting or not. */
static int count_extreme(const int64_t *one, const int64_t *two, int ties)
{
    struct dgm_numpy_random random;
    uint32_t bits = 0;
    int used = 0, extreme = 0;
    int64_t all = 0, observed = 0;

    for (int i = 0; i < SENTENCES; i++) {
        all += one[2 * i + 1];
        observed += two[2 * i] - one[2 * i];
    }
    observed = observed < 0 ? -observed : observed;
    dgm_numpy_random_init(&random, usual.seed);
    for (int t = 0; t < TRIALS; t++) {
        int64_t found = 0;

        for (int i = 0; i < SENTENCES; i++, used++) {
            const int64_t difference = two[2 * i] - one[2 * i];

            bits = used % 32 == 0 ? dgm_numpy_random_bits(&random) : bits >> 1;
            found += bits & 1 ? -difference : difference;
        }
        found = found < 0 ? -found : found;
        extreme += ties ? found >= observed : found > observed;
    }
    return all > 0 ? extreme : -1;
}

static int64_t rows[3][2 * SENTENCES];

TEST(randomization_counts_trials_and_ties)
{
    const int64_t *const systems[] = { rows[0], rows[1], rows[2] };
    dgm_paired results[3];
    int extreme;

    make_rows(rows[0], 3, 0);
    make_rows(rows[1], 5, 1);
    make_rows(rows[2], 3, 0);
    CHECK_STATUS(dgm_randomization_test(test_env(), results, &usual, systems, 3), DGM_OK);
    extreme = count_extreme(rows[0], rows[1], 1);
    CHECK(extreme > count_extreme(rows[0], rows[1], 0));
    CHECK_NEAR(results[1].p, (1.0 + extreme) / (TRIALS + 1), 1e-12);
    CHECK_NEAR(results[0].p, 1, 0);
    CHECK_NEAR(results[2].p, 1, 0);
    CHECK_NEAR(results[2].score, results[0].score, 0);
}

/* One line differs: whoever has it, the difference is the same; and the least p there is is said
 * by name alone. */
TEST(randomization_of_one_line_is_a_tie)
{
    const int64_t *const systems[] = { rows[0], rows[1] };
    struct dgm_paired_test test = usual;
    dgm_paired results[2];

    make_rows(rows[0], 3, 0);
    make_rows(rows[1], 3, 0);
    rows[1][8] += 5;
    CHECK_STATUS(dgm_randomization_test(test_env(), results, &test, systems, 2), DGM_OK);
    CHECK_NEAR(results[1].p, 1, 0);
    test.sacrebleu = 1;
    CHECK_STATUS(dgm_randomization_test(test_env(), results, &test, systems, 2), DGM_OK);
    CHECK_NEAR(results[1].p, 1.0 / (TRIALS + 1), 1e-12);
}

TEST(randomization_wants_sentences)
{
    const int64_t *const systems[] = { rows[0], rows[1] };
    struct dgm_paired_test test = usual;
    dgm_paired results[2];

    test.sentences = 0;
    CHECK_STATUS(dgm_randomization_test(test_env(), results, &test, systems, 2), DGM_DATA);
}
