/*
 * skip_gram_draws.c: the random choices of skip_gram.h.
 */
#include "train/vectors/skip_gram_draws.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "base/philox.h"

/* Beyond the streams of models' initial values and dropout. */
enum { STREAM_KEEP = 0x71000001, STREAM_WINDOW = 0x71000002 };

#define ALL 4294967296.0 /* values of a draw */

static uint64_t share_of_draws(double share)
{
    return share >= 1 ? (uint64_t)1 << 32 : (uint64_t)(share * ALL);
}

static int64_t count_of(const struct dgm_skip_gram_text *text, int64_t word)
{
    int64_t times;

    (void)dgm_skip_gram_text_word(text, word, NULL, &times);
    return times;
}

static void fill_kept(struct dgm_skip_gram_draws *draws, const struct dgm_skip_gram_text *text,
                      double sample)
{
    for (int64_t i = 0; i < draws->words; i++) {
        const double of_sample = sample * (double)text->tokens / (double)count_of(text, i);

        draws->kept[i] = share_of_draws(sample > 0 ? sqrt(of_sample) + of_sample : 1);
    }
}

/* weights (words): of each column, its height where 1 is the mean. */
static void fill_weights(double *weights, const struct dgm_skip_gram_draws *draws,
                         const struct dgm_skip_gram_text *text)
{
    const double most = (double)count_of(text, 0);
    double sum = 0;

    for (int64_t i = 0; i < draws->words; i++) {
        weights[i] = dgm_own_exp(0.75 * dgm_own_log((double)count_of(text, i) / most));
        sum += weights[i];
    }
    for (int64_t i = 0; i < draws->words; i++)
        weights[i] *= (double)draws->words / sum;
}

/* Low columns are filled up from high ones. Words come in the order of their counts, so that the
 * high columns are the first: `high` goes up, `low` stands for the columns that are done or low. */
static void fill_columns(struct dgm_skip_gram_draws *draws, double *weights, int32_t *low)
{
    int64_t lows = 0, high = 0;

    for (int64_t i = draws->words; i-- > 0;)
        if (weights[i] < 1)
            low[lows++] = (int32_t)i;
    while (high < draws->words && weights[high] < 1)
        high++;
    while (lows > 0 && high < draws->words) {
        const int32_t i = low[--lows];

        draws->split[i] = share_of_draws(weights[i]);
        draws->other[i] = (int32_t)high;
        weights[high] -= 1 - weights[i];
        if (weights[high] >= 1)
            continue;
        low[lows++] = (int32_t)high;
        while (high < draws->words && weights[high] < 1)
            high++;
    }
}

static dgm_status fill_alias(struct dgm_env *env, struct dgm_skip_gram_draws *draws,
                             const struct dgm_skip_gram_text *text)
{
    double *weights = NULL;
    int32_t *low = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, &weights, (size_t)draws->words, sizeof *weights));
    DGM_TRY_OUT(dgm_new(env, &low, (size_t)draws->words, sizeof *low));
    for (int64_t i = 0; i < draws->words; i++) { /* what rounding leaves: whole columns */
        draws->split[i] = share_of_draws(1);
        draws->other[i] = (int32_t)i;
    }
    fill_weights(weights, draws, text);
    fill_columns(draws, weights, low);
out:
    dgm_release(env, weights);
    dgm_release(env, low);
    return status;
}

dgm_status dgm_skip_gram_draws_init(struct dgm_env *env, struct dgm_skip_gram_draws *draws,
                                    const struct dgm_skip_gram_text *text, double sample,
                                    uint32_t seed, const struct dgm_kernels *kernels)
{
    const size_t words = (size_t)dgm_skip_gram_text_words(text);

    *draws =
        (struct dgm_skip_gram_draws){ .kernels = kernels, .seed = seed, .words = (int64_t)words };
    DGM_TRY(dgm_new(env, &draws->kept, words, sizeof *draws->kept));
    DGM_TRY(dgm_new(env, &draws->split, words, sizeof *draws->split));
    DGM_TRY(dgm_new(env, &draws->other, words, sizeof *draws->other));
    fill_kept(draws, text, sample);
    return fill_alias(env, draws, text);
}

void dgm_skip_gram_draws_clear(struct dgm_env *env, struct dgm_skip_gram_draws *draws)
{
    dgm_release(env, draws->kept);
    dgm_release(env, draws->split);
    dgm_release(env, draws->other);
    memset(draws, 0, sizeof *draws);
}

/* ---- draws ----------------------------------------------------------------------------------- */

/* Blocks of four random words of a place. */
static void draw(const struct dgm_skip_gram_draws *draws, uint32_t *out, int64_t blocks,
                 uint64_t place, uint32_t epoch, uint32_t stream)
{
    const uint32_t rest[3] = { (uint32_t)place, (uint32_t)(place >> 32), epoch };
    const uint32_t key[2] = { draws->seed, stream };

    draws->kernels->rows->philox(out, 0, blocks, rest, key);
}

int dgm_skip_gram_keeps(const struct dgm_skip_gram_draws *draws, int32_t word, uint64_t place,
                        uint32_t epoch)
{
    uint32_t out[4];

    if (draws->kept[word] >> 32 != 0)
        return 1;
    draw(draws, out, 1, place, epoch, STREAM_KEEP);
    return out[0] < draws->kept[word];
}

/* The upper half of the product is the column, the lower one where in it. */
static int32_t word_of(const struct dgm_skip_gram_draws *draws, uint32_t number)
{
    const uint64_t product = (uint64_t)number * (uint64_t)draws->words;
    const int32_t column = (int32_t)(product >> 32);

    return (uint32_t)product < draws->split[column] ? column : draws->other[column];
}

int dgm_skip_gram_window(const struct dgm_skip_gram_draws *draws, int most, int32_t *negatives,
                         int count, uint64_t place, uint32_t epoch)
{
    uint32_t out[DGM_SKIP_GRAM_NEGATIVES + 4];

    draw(draws, out, 1 + (count + 3) / 4, place, epoch, STREAM_WINDOW);
    for (int k = 0; k < count; k++)
        negatives[k] = word_of(draws, out[4 + k]);
    return 1 + (int)((uint64_t)out[0] * (uint64_t)most >> 32);
}
