/* langid_model.c: the scores of a text, and what they say. */
#include "text/langid/langid_model.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/langid/langid_reader.h"

enum { BLOCK = 16 };

const char dgm_langid_unknown[] = "und";

/* ---- the model ------------------------------------------------------------------------------- */

dgm_status dgm_langid_model_init(struct dgm_env *env, struct dgm_langid_model *model,
                                 size_t languages, size_t grams)
{
    memset(model, 0, sizeof *model);
    model->language_count = languages;
    model->gram_count = grams;
    DGM_TRY(dgm_new(env, &model->languages, languages, sizeof *model->languages));
    DGM_TRY(dgm_new(env, &model->keys, grams, sizeof *model->keys));
    return dgm_new(env, &model->weights, grams * languages + BLOCK, sizeof *model->weights);
}

/* Four starts and more for each key, so that most values have none or one. */
dgm_status dgm_langid_model_index(struct dgm_env *env, struct dgm_langid_model *model)
{
    unsigned bits = 1;
    size_t key = 0;

    while ((size_t)1 << bits < 4 * model->gram_count)
        bits++;
    model->shift = 32 - bits;
    DGM_TRY(dgm_new(env, &model->starts, ((size_t)1 << bits) + 1, sizeof *model->starts));
    for (size_t value = 0; value < (size_t)1 << bits; value++) {
        model->starts[value] = (uint32_t)key;
        while (key < model->gram_count && model->keys[key] >> model->shift == value)
            key++;
    }
    model->starts[(size_t)1 << bits] = (uint32_t)key;
    return DGM_OK;
}

void dgm_langid_model_clear(struct dgm_env *env, struct dgm_langid_model *model)
{
    dgm_release(env, model->languages);
    dgm_release(env, model->keys);
    dgm_release(env, model->weights);
    dgm_release(env, model->starts);
    memset(model, 0, sizeof *model);
}

/* ---- languages ------------------------------------------------------------------------------- */

int dgm_langid_is_code(const char *code, size_t bytes)
{
    if (bytes == 0 || bytes >= DGM_LANGID_CODE ||
        (bytes == 3 && memcmp(code, dgm_langid_unknown, 3) == 0))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        if (!((code[i] | 0x20) >= 'a' && (code[i] | 0x20) <= 'z') &&
            !(code[i] >= '0' && code[i] <= '9') && code[i] != '-')
            return 0;
    return 1;
}

static int find(const struct dgm_langid_model *model, const char *code, size_t bytes)
{
    for (size_t i = 0; i < model->language_count; i++)
        if (strlen(model->languages[i]) == bytes && memcmp(model->languages[i], code, bytes) == 0)
            return (int)i;
    return -1;
}

int dgm_langid_find(const struct dgm_langid_model *model, const char *code)
{
    const int whole = find(model, code, strlen(code));

    return whole >= 0 ? whole : find(model, code, strcspn(code, "-_"));
}

/* ---- a text ---------------------------------------------------------------------------------- */

/* The number of an n-gram, or gram_count. Few keys share their upper bits, but in a file that was
 * made for it. */
static size_t find_gram(const struct dgm_langid_model *model, uint32_t key)
{
    const uint32_t value = key >> model->shift;
    size_t low = model->starts[value], high = model->starts[value + 1];

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (model->keys[middle] == key)
            return middle;
        if (model->keys[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return model->gram_count;
}

/* Languages are added up in blocks, each without a question how many there are. */
static int add(const struct dgm_langid_model *model, int32_t *sums, uint32_t key)
{
    const size_t gram = find_gram(model, key);
    const int8_t *weights;

    if (gram == model->gram_count)
        return 0;
    weights = model->weights + gram * model->language_count;
    for (size_t l = 0; l < model->language_count; l += BLOCK)
        for (size_t i = 0; i < BLOCK; i++)
            sums[l + i] += weights[l + i];
    return 1;
}

/* Sums of the n-grams of words that count once, twice and four times, in whole blocks. */
struct tally {
    int32_t sums[3][DGM_LANGID_LANGUAGES + BLOCK];
    struct dgm_langid_letters letters;
};

static void add_grams(struct tally *tally, const struct dgm_langid_model *model,
                      const struct dgm_langid_grams *grams)
{
    int32_t *sums = tally->sums[grams->weight / 2];

    tally->letters.all += grams->is_letter;
    for (int n = grams->least; n <= grams->most; n++) {
        const int is_known = add(model, sums, grams->key[n]);

        tally->letters.known += is_known && n == 1 && grams->is_letter;
    }
}

/* No sum overflows: 2^16 characters have at most 5 * 2^16 n-grams, which count at most 4 times 2^7.
 */
struct dgm_langid_letters dgm_langid_sum(const struct dgm_langid_model *model, int32_t *sums,
                                         const char *text, size_t bytes)
{
    struct tally tally;
    struct dgm_langid_reader reader;
    struct dgm_langid_grams grams;

    for (int i = 0; i < 3; i++)
        memset(tally.sums[i], 0, (model->language_count + BLOCK) * sizeof *tally.sums[i]);
    memset(&tally.letters, 0, sizeof tally.letters);
    dgm_langid_reader_init(&reader, text, bytes);
    for (int32_t i = 0; i < DGM_LANGID_CHARACTERS && dgm_langid_reader_next(&reader, &grams); i++)
        add_grams(&tally, model, &grams);
    for (size_t l = 0; l < model->language_count; l++)
        sums[l] = DGM_LANGID_NAME * tally.sums[0][l] + DGM_LANGID_FIRST * tally.sums[1][l] +
                  DGM_LANGID_WORD * tally.sums[2][l];
    return tally.letters;
}

void dgm_langid_softmax(double *probabilities, const int32_t *sums, size_t count, double scale)
{
    int32_t best = sums[0];
    double all = 0;

    for (size_t l = 1; l < count; l++)
        best = sums[l] > best ? sums[l] : best;
    for (size_t l = 0; l < count; l++) {
        const double behind = scale * ((double)sums[l] - (double)best);

        probabilities[l] = behind < -700 ? 0 : dgm_own_exp(behind);
        all += probabilities[l];
    }
    for (size_t l = 0; l < count; l++)
        probabilities[l] /= all;
}

struct dgm_langid_letters dgm_langid_judge(const struct dgm_langid_model *model,
                                           double *probabilities, int32_t *sums, const char *text,
                                           size_t bytes)
{
    const struct dgm_langid_letters letters = dgm_langid_sum(model, sums, text, bytes);

    dgm_langid_softmax(probabilities, sums, model->language_count, model->scale);
    for (size_t l = 0; l < model->language_count; l++)
        probabilities[l] *= letters.all > 0 ? (double)letters.known / letters.all : 0;
    return letters;
}
