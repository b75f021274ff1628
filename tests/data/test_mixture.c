/*
 * test_mixture.c: how often pairs come in an epoch.
 */
#include "data/mixture.h"

#include <string.h>

#include "test.h"

enum { TEXTS = 3, ALL = 137 };

static const struct dgm_text_part parts[TEXTS] = { { 90, 83, 0 }, { 50, 47, 0 }, { 7, 7, 0 } };

static void check_sum(const struct dgm_mixture *mixture, size_t text, int64_t epoch)
{
    const struct dgm_mixture_text *t = &mixture->texts[text];
    int64_t sum = 0, p;

    for (p = t->first; p < t->first + t->pairs; p++)
        sum += dgm_mixture_times(mixture, p, epoch);
    CHECK_INT(sum, t->wanted);
}

/* In each epoch a text has its share; in all of them its pairs come equally often, but for one. */
static void check_mixture(const struct dgm_mixture *mixture)
{
    int64_t seen[ALL] = { 0 }, epoch, p, sum = 0;
    size_t i;

    for (i = 0; i < TEXTS; i++)
        sum += mixture->texts[i].wanted;
    CHECK_INT(sum, ALL);
    for (epoch = 1; epoch <= 200; epoch++) {
        for (i = 0; i < TEXTS; i++)
            check_sum(mixture, i, epoch);
        for (p = 0; p < ALL; p++)
            seen[p] += dgm_mixture_times(mixture, p, epoch);
        for (i = 0; i < TEXTS; i++) {
            const struct dgm_mixture_text *t = &mixture->texts[i];
            int64_t least = seen[t->first], most = least;

            for (p = t->first; p < t->first + t->pairs; p++) {
                least = seen[p] < least ? seen[p] : least;
                most = seen[p] > most ? seen[p] : most;
            }
            CHECK(most - least <= 1);
        }
    }
}

/* What is said of a run of pairs is what its pairs say, whichever texts it lies in. */
static void check_runs(const struct dgm_mixture *mixture, int64_t epoch)
{
    int64_t first, end, p, pass;

    for (first = 0; first < ALL; first += 13)
        for (end = first + 1; end <= ALL; end += 17)
            for (pass = 0; pass < 12; pass++) {
                int64_t count = 0, most = dgm_mixture_most(mixture, first, end);

                for (p = first; p < end; p++)
                    count += dgm_mixture_times(mixture, p, epoch) > pass;
                CHECK_INT(dgm_mixture_pairs(mixture, first, end, epoch, pass), count);
                CHECK(count == 0 || pass < most);
            }
}

TEST(mixture_gives_each_text_its_share_of_every_epoch)
{
    static const double weights[][TEXTS] = {
        { 1, 1, 1 }, { 5, 1, 0.1 }, { 83, 47, 7 }, { 1, 1, 6 }
    };
    struct dgm_mixture mixture;
    size_t bad;

    for (size_t w = 0; w < sizeof weights / sizeof weights[0]; w++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, parts, weights[w], TEXTS, seed,
                                          &bad),
                         DGM_OK);
            check_mixture(&mixture);
            for (int64_t epoch = 1; epoch < 300; epoch += 97)
                check_runs(&mixture, epoch);
            dgm_mixture_clear(test_env(), &mixture);
        }
}

TEST(mixture_by_size_or_with_temperature_1_has_every_pair_once)
{
    struct dgm_mixture mixture;
    double weights[TEXTS];
    size_t bad, i;

    for (i = 0; i < TEXTS; i++)
        weights[i] = dgm_mixture_weight(parts[i].pairs, ALL, 1);
    CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, parts, weights, TEXTS, 1, &bad), DGM_OK);
    for (int64_t p = 0; p < ALL; p++)
        CHECK_INT(dgm_mixture_times(&mixture, p, p), 1);
    CHECK(dgm_mixture_weight(1, 100, 2) > 0.0999999 && dgm_mixture_weight(1, 100, 2) < 0.1000001);
    CHECK(dgm_mixture_weight(7, 7, 9) == 1.0);
    dgm_mixture_clear(test_env(), &mixture);
}

/* Three pairs and a half each: the earlier text gets the seventh. */
TEST(mixture_gives_what_is_left_of_equal_shares_to_the_earlier_text)
{
    static const struct dgm_text_part odd[2] = { { 3, 3, 0 }, { 4, 4, 0 } };
    static const double equal[2] = { 1, 1 };
    struct dgm_mixture mixture;
    size_t bad;

    CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, odd, equal, 2, 1, &bad), DGM_OK);
    CHECK_INT(mixture.texts[0].wanted, 4);
    CHECK_INT(mixture.texts[1].wanted, 3);
    dgm_mixture_clear(test_env(), &mixture);
}

TEST(mixture_refuses_shares_of_no_pair_or_of_too_many)
{
    static const struct dgm_text_part large[2] = { { 5000, 5000, 0 }, { 2, 2, 0 } };
    static const double none[2] = { 1e6, 1 }, many[2] = { 1, 1 };
    struct dgm_mixture mixture;
    size_t bad;

    CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, large, none, 2, 1, &bad), DGM_USAGE);
    CHECK_INT(bad, 1);
    dgm_env_clear_error(test_env());
    dgm_mixture_clear(test_env(), &mixture);
    CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, large, many, 2, 1, &bad), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "1250 times") != NULL);
    dgm_env_clear_error(test_env());
    dgm_mixture_clear(test_env(), &mixture);
}

/* The largest texts that there can be: no product is beyond 2^63. */
TEST(mixture_holds_for_the_largest_texts)
{
    static const struct dgm_text_part huge[2] = { { INT32_MAX, INT32_MAX - 2, 0 }, { 2, 2, 0 } };
    static const double weights[2] = { 1e9, 1 };
    struct dgm_mixture mixture;
    const int64_t end = INT32_MAX - 2, epoch = end - 1;
    size_t bad;

    CHECK_STATUS(dgm_mixture_init(test_env(), &mixture, huge, weights, 2, 1, &bad), DGM_OK);
    CHECK_INT(dgm_mixture_pairs(&mixture, 0, end, epoch, 0) +
                  dgm_mixture_pairs(&mixture, 0, end, epoch, 1),
              mixture.texts[0].wanted);
    CHECK(dgm_mixture_times(&mixture, end - 1, epoch) <= 2);
    dgm_mixture_clear(test_env(), &mixture);
}
