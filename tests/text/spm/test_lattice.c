/* test_lattice.c: sums over all segmentations, and expected counts, against all of them. */
#include <math.h>
#include <string.h>

#include "test.h"
#include "text/spm/lattice.h"

enum { PIECES = 4 };
static const char *const pieces[PIECES] = { "a", "b", "ab", "aba" };
static const double probabilities[PIECES] = { 0.4, 0.2, 0.3, 0.1 };

static void build(struct dgm_trie *trie)
{
    struct dgm_trie_key keys[PIECES];

    memset(trie, 0, sizeof *trie);
    for (int i = 0; i < PIECES; i++) {
        keys[i].bytes = pieces[i];
        keys[i].size = strlen(pieces[i]);
        keys[i].value = i;
    }
    CHECK_STATUS(dgm_trie_build(test_env(), trie, keys, PIECES), DGM_OK);
}

/* The sum over all ways to cut the rest of a text, and of each piece probability times count. */
static double enumerate(const char *text, double so_far, const int *used, double *counts)
{
    double sum = 0.0;

    if (*text == '\0') {
        for (int i = 0; i < PIECES; i++)
            counts[i] += so_far * used[i];
        return so_far;
    }
    for (int i = 0; i < PIECES; i++) {
        int more[PIECES];

        if (strncmp(text, pieces[i], strlen(pieces[i])) != 0)
            continue;
        memcpy(more, used, sizeof more);
        more[i]++;
        sum += enumerate(text + strlen(pieces[i]), so_far * probabilities[i], more, counts);
    }
    return sum;
}

static void check_text(struct dgm_lattice *lattice, const struct dgm_trie *trie, const char *text)
{
    const struct dgm_lattice_weights weights = { probabilities, 1e-9 };
    const int none[PIECES] = { 0 };
    double counts[PIECES] = { 0.0 }, want[PIECES] = { 0.0 }, all;

    all = enumerate(text, 1.0, none, want);
    CHECK_STATUS(dgm_lattice_fill(test_env(), lattice, trie, NULL, &weights, text, strlen(text)),
                 DGM_OK);
    dgm_lattice_forward(lattice, &weights);
    dgm_lattice_expect(lattice, &weights, 3.0, counts);
    CHECK(fabs(dgm_lattice_log_sum(lattice) - log(all)) < 1e-12);
    for (int i = 0; i < PIECES; i++)
        CHECK(fabs(counts[i] - 3.0 * want[i] / all) < 1e-12);
}

TEST(lattice_sums_over_all_segmentations)
{
    struct dgm_lattice lattice;
    struct dgm_trie trie;

    memset(&lattice, 0, sizeof lattice);
    build(&trie);
    check_text(&lattice, &trie, "a");
    check_text(&lattice, &trie, "ababa");
    check_text(&lattice, &trie, "bbaabaabab");
    dgm_lattice_clear(test_env(), &lattice);
    dgm_trie_clear(test_env(), &trie);
}

/* "ab" 2000 times and an unknown character after every other: expected counts repeat, and the log
 * is a sum, far below what a double reaches. */
TEST(lattice_keeps_its_digits_in_long_texts)
{
    enum { TIMES = 2000 };
    const struct dgm_lattice_weights weights = { probabilities, 1e-130 };
    char text[3 * TIMES];
    double counts[PIECES] = { 0.0 };
    struct dgm_lattice lattice;
    struct dgm_trie trie;
    const double pair = 0.4 * 0.2 + 0.3;

    for (size_t i = 0; i < TIMES; i++)
        memcpy(text + 3 * i, "abx", 3);
    memset(&lattice, 0, sizeof lattice);
    build(&trie);
    CHECK_STATUS(dgm_lattice_fill(test_env(), &lattice, &trie, NULL, &weights, text, sizeof text),
                 DGM_OK);
    dgm_lattice_forward(&lattice, &weights);
    dgm_lattice_expect(&lattice, &weights, 1.0, counts);
    CHECK(fabs(dgm_lattice_log_sum(&lattice) / (TIMES * (log(pair) + log(1e-130))) - 1.0) < 1e-12);
    CHECK(fabs(counts[2] / (TIMES * 0.3 / pair) - 1.0) < 1e-10);
    CHECK(fabs(counts[0] / (TIMES * 0.08 / pair) - 1.0) < 1e-10);
    dgm_lattice_clear(test_env(), &lattice);
    dgm_trie_clear(test_env(), &trie);
}
