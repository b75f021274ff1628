/* test_spm_sample.c: drawn pieces against the exact probabilities of all segmentations. */
#include <math.h>

#include "spm_case.h"

enum { DRAWS = 20000, CUTS = 16 };

struct known {
    const char *piece;
    float score;
};

/* "abcd" has 8 segmentations, of which these pieces allow 5. */
static const struct known known[] = { { "a", -1.0F },   { "b", -1.25F }, { "c", -2.0F },
                                      { "d", -1.5F },   { "ab", -2.5F }, { "bc", -2.0F },
                                      { "abc", -3.5F }, { "z", -9.0F } };

static void make(struct dgm_spm *spm, int kind)
{
    struct dgm_buf bytes = { .data = NULL };

    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        put_piece(&bytes, known[i].piece, known[i].score, DGM_SPM_NORMAL);
    put_piece(&bytes, "<s>", 0, DGM_SPM_USER_DEFINED);
    put_settings(&bytes, kind);
    CHECK_STATUS(take_model(spm, &bytes), DGM_OK);
}

/* Which of the places inside "abcd" a line is cut at, as bits. */
static unsigned cuts_of(const struct dgm_spm_line *line)
{
    unsigned cuts = 0;

    for (size_t i = 0; i + 1 < line->count; i++)
        cuts |= 1U << line->pieces[i].end;
    return cuts >> 1;
}

/* The score of a segmentation, or -1e9 where one of its pieces is none. */
static double score_of(unsigned cuts)
{
    double sum = 0.0;
    size_t start = 0;

    for (size_t end = 1; end <= 4; end++) {
        double score = -1e9;

        if (end < 4 && (cuts >> (end - 1) & 1) == 0)
            continue;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strlen(known[i].piece) == end - start &&
                memcmp(known[i].piece, &"abcd"[start], end - start) == 0)
                score = (double)known[i].score;
        sum += score;
        start = end;
    }
    return sum;
}

/* Counts within 4.5 standard deviations: by chance, outside once in 150000 counts. */
static void check_counts(const int *counts, const double *shares)
{
    double all = 0.0;

    for (int cuts = 0; cuts < CUTS; cuts++)
        all += shares[cuts];
    for (int cuts = 0; cuts < CUTS; cuts++) {
        const double p = shares[cuts] / all;

        CHECK(fabs(counts[cuts] - DRAWS * p) <= 4.5 * sqrt(DRAWS * p * (1.0 - p)));
    }
}

static void draw(const struct dgm_spm *spm, const struct dgm_spm_sampling *sampling, int *counts)
{
    struct dgm_spm_line line;

    memset(&line, 0, sizeof line);
    memset(counts, 0, CUTS * sizeof *counts);
    for (uint32_t i = 0; i < DRAWS; i++) {
        dgm_spm_line_sample(&line, sampling, 7, 1, 2, i);
        CHECK_STATUS(dgm_spm_encode(test_env(), spm, &line, "abcd", 4), DGM_OK);
        counts[cuts_of(&line)]++;
    }
    dgm_spm_line_clear(test_env(), &line);
}

TEST(spm_draws_segmentations_in_proportion_to_their_probability_to_the_power_of_alpha)
{
    static const double alphas[] = { 0.0, 0.3, 1.0, 2.0 };
    struct dgm_spm_sampling sampling;
    struct dgm_spm spm;
    int counts[CUTS];
    double shares[CUTS];

    make(&spm, DGM_SPM_UNIGRAM);
    for (size_t a = 0; a < sizeof alphas / sizeof alphas[0]; a++) {
        memset(&sampling, 0, sizeof sampling);
        CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, alphas[a], -1.0, "m"),
                     DGM_OK);
        draw(&spm, &sampling, counts);
        for (unsigned cuts = 0; cuts < CUTS; cuts++)
            shares[cuts] =
                cuts < 8 && score_of(cuts) > -1e8 ? exp(alphas[a] * score_of(cuts)) : 0.0;
        check_counts(counts, shares);
        dgm_spm_sampling_clear(test_env(), &sampling);
    }
    dgm_spm_clear(test_env(), &spm);
}

/* Merges by score: bc or, if it is passed over, ab; then abc of either. */
TEST(spm_passes_over_merges_with_the_probability_of_dropout)
{
    const double p = 0.4, q = 0.6;
    struct dgm_spm_sampling sampling;
    struct dgm_spm spm;
    int counts[CUTS];
    double shares[CUTS] = { 0.0 };

    make(&spm, DGM_SPM_BPE);
    memset(&sampling, 0, sizeof sampling);
    CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, -1.0, p, "m"), DGM_OK);
    draw(&spm, &sampling, counts);
    shares[7] = p * p;             /* a b c d: both are passed over */
    shares[5] = q * p;             /* a bc d: bc, but not abc */
    shares[6] = p * q * p;         /* ab c d */
    shares[4] = q * q + p * q * q; /* abc d */
    check_counts(counts, shares);
    dgm_spm_sampling_clear(test_env(), &sampling);
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_draws_long_texts_and_never_cuts_symbols)
{
    char text[6000];
    struct dgm_spm_sampling sampling;
    struct dgm_spm_line line;
    struct dgm_spm spm;
    size_t symbols = 0;

    for (size_t i = 0; i < sizeof text; i += 6)
        memcpy(text + i, i % 600 == 0 ? "<s>zzz" : "abcq\xFF\xFF", 6);
    make(&spm, DGM_SPM_UNIGRAM);
    memset(&sampling, 0, sizeof sampling);
    memset(&line, 0, sizeof line);
    CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, 0.1, -1.0, "m"), DGM_OK);
    dgm_spm_line_sample(&line, &sampling, 1, 1, 1, 1);
    CHECK_STATUS(dgm_spm_encode(test_env(), &spm, &line, text, sizeof text), DGM_OK);
    for (size_t i = 0; i < line.count; i++)
        symbols += dgm_spm_type(&spm, line.pieces[i].id) == DGM_SPM_USER_DEFINED;
    CHECK_INT(symbols, 10);
    CHECK_INT(line.pieces[line.count - 1].end, line.text.size);
    dgm_spm_line_clear(test_env(), &line);
    dgm_spm_sampling_clear(test_env(), &sampling);
    dgm_spm_clear(test_env(), &spm);
}

TEST(spm_draws_only_from_models_of_the_right_kind)
{
    struct dgm_spm_sampling sampling;
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_spm spm;

    memset(&sampling, 0, sizeof sampling);
    make(&spm, DGM_SPM_BPE);
    CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, 0.1, -1.0, "m"), DGM_USAGE);
    dgm_env_clear_error(test_env());
    dgm_spm_clear(test_env(), &spm);
    make(&spm, DGM_SPM_UNIGRAM);
    CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, -1.0, 0.1, "m"), DGM_USAGE);
    dgm_env_clear_error(test_env());
    dgm_spm_clear(test_env(), &spm);
    put_piece(&bytes, "<unk>", 0, DGM_SPM_UNKNOWN);
    put_piece(&bytes, "a", 0.5F, DGM_SPM_NORMAL);
    put_settings(&bytes, DGM_SPM_UNIGRAM);
    CHECK_STATUS(take_model(&spm, &bytes), DGM_OK);
    CHECK_STATUS(dgm_spm_sampling_init(test_env(), &sampling, &spm, 0.1, -1.0, "m"), DGM_USAGE);
    dgm_env_clear_error(test_env());
    dgm_spm_sampling_clear(test_env(), &sampling);
    dgm_spm_clear(test_env(), &spm);
}
