/* langid_learn.c: n-grams counted, chosen and weighed; then how far their sum is to be believed. */
#include "text/langid/langid_learn.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/own_math.h"
#include "text/unicode/utf8.h"

enum { STEPS = 16 }; /* of a weight, for a natural logarithm of 1 */
enum { HELD_EACH = 8, MOST_HELD = 512, HELD_BYTES = 1024 };

/* What an n-gram that a language has not shown counts, in occurrences in a text of mean size. */
static const double unseen = 0.01;
/* What a weight counts where no line was left to learn it from, and less than what it counts at
 * least where lines are. */
static const double usual_scale = 0.2 / STEPS / DGM_LANGID_WORD, least_scale = 0.01 / STEPS;

/* ---- lines ----------------------------------------------------------------------------------- */

static dgm_status hold(struct dgm_env *env, struct dgm_langid_learner *learner, int language,
                       const char *line, size_t bytes)
{
    const struct dgm_langid_held held = { learner->text.size, bytes, language };

    DGM_TRY(dgm_grow(env, &learner->held, &learner->held_capacity, learner->held_count,
                     sizeof *learner->held));
    DGM_TRY(dgm_buf_add(env, &learner->text, line, bytes));
    learner->held[learner->held_count++] = held;
    return DGM_OK;
}

/* One line in so many is held back, up to a number of each language. */
dgm_status dgm_langid_learner_add(struct dgm_env *env, struct dgm_langid_learner *learner,
                                  int language, const char *line, size_t bytes)
{
    const int64_t number = learner->lines[language]++;

    if (number % HELD_EACH == HELD_EACH - 1 && number / HELD_EACH < MOST_HELD &&
        bytes <= HELD_BYTES)
        return hold(env, learner, language, line, bytes);
    return dgm_gram_counts_add(env, &learner->counts, language, line, bytes);
}

/* ---- n-grams --------------------------------------------------------------------------------- */

/* An n-gram that may become one of the model: entries first..first + count of the sorted counts. */
struct candidate {
    size_t first, count;
    uint32_t key;
    int order;
    double worth;
};

struct making {
    const struct dgm_langid_learner *learner;
    struct dgm_gram_count *sorted;
    struct candidate *candidates;
    size_t candidate_count;
    double
        floors[DGM_LANGID_ORDERS + 1]; /* what is added to the shares of n-grams by their order */
    double *shares;                    /* (language_count) */
};

static void set_floors(struct making *making)
{
    const struct dgm_langid_learner *learner = making->learner;

    for (int n = 1; n <= DGM_LANGID_ORDERS; n++) {
        int64_t all = 0;

        for (size_t l = 0; l < learner->language_count; l++)
            all += learner->counts.totals[n][l];
        making->floors[n] = unseen * (double)learner->language_count / (double)(all + 1);
    }
}

/* The share of an n-gram among those of its order, of each language. */
static void find_shares(struct making *making, const struct candidate *gram)
{
    const size_t count = making->learner->language_count;

    for (size_t l = 0; l < count; l++)
        making->shares[l] = making->floors[gram->order];
    for (size_t i = gram->first; i < gram->first + gram->count; i++) {
        const int l = dgm_gram_count_language(&making->sorted[i]);
        const int64_t all = making->learner->counts.totals[gram->order][l];

        making->shares[l] += (double)making->sorted[i].count / (double)(all + 1);
    }
}

/* How far the shares of the languages are from their mean: sum of p ln(p / mean p). */
static double worth_of(struct making *making, const struct candidate *gram)
{
    const size_t count = making->learner->language_count;
    double mean = 0, worth = 0;

    find_shares(making, gram);
    for (size_t l = 0; l < count; l++)
        mean += making->shares[l] / (double)count;
    for (size_t l = 0; l < count; l++)
        worth += making->shares[l] * dgm_own_log(making->shares[l] / mean);
    return worth;
}

/* Single characters first: by them text is known. Then what is worth most. */
static int compare_worth(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if ((x->order == 1) != (y->order == 1))
        return x->order == 1 ? -1 : 1;
    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static int compare_keys(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Those that were seen once say nothing, but for characters. */
static void find_candidates(struct making *making)
{
    const size_t used = making->learner->counts.used;
    size_t end;

    for (size_t at = 0; at < used; at = end) {
        struct candidate gram = { .first = at, .key = dgm_gram_count_key(&making->sorted[at]) };
        int64_t times = 0;

        gram.order = dgm_gram_count_order(&making->sorted[at]);
        for (end = at; end < used && dgm_gram_count_key(&making->sorted[end]) == gram.key; end++)
            times += making->sorted[end].count;
        gram.count = end - at;
        if (times < 2 && gram.order > 1)
            continue;
        gram.worth = worth_of(making, &gram);
        making->candidates[making->candidate_count++] = gram;
    }
}

/* ---- weights --------------------------------------------------------------------------------- */

static int8_t round_weight(double weight)
{
    const double most = 127;

    weight = weight > most ? most : weight < -most ? -most : weight;
    return (int8_t)(weight < 0 ? -(int)(0.5 - weight) : (int)(0.5 + weight));
}

/* Logarithms of the shares, with the middle between the lowest and the highest at 0. */
static void weigh(struct making *making, const struct candidate *gram, int8_t *weights)
{
    const size_t count = making->learner->language_count;
    double low = 0, high = 0;

    find_shares(making, gram);
    for (size_t l = 0; l < count; l++) {
        const double share = making->shares[l] = dgm_own_log(making->shares[l]);

        low = l == 0 || share < low ? share : low;
        high = l == 0 || share > high ? share : high;
    }
    for (size_t l = 0; l < count; l++)
        weights[l] = round_weight(STEPS * (making->shares[l] - (low + high) / 2));
}

static dgm_status fill(struct dgm_env *env, struct making *making, size_t grams,
                       struct dgm_langid_model *model)
{
    const size_t languages = making->learner->language_count;
    const size_t count = making->candidate_count < grams ? making->candidate_count : grams;

    qsort(making->candidates, making->candidate_count, sizeof *making->candidates, compare_worth);
    qsort(making->candidates, count, sizeof *making->candidates, compare_keys);
    DGM_TRY(dgm_langid_model_init(env, model, languages, count));
    memcpy(model->languages, making->learner->languages, languages * sizeof *model->languages);
    for (size_t i = 0; i < count; i++) {
        model->keys[i] = making->candidates[i].key;
        weigh(making, &making->candidates[i], model->weights + i * languages);
    }
    return dgm_langid_model_index(env, model);
}

static dgm_status make(struct dgm_env *env, const struct dgm_langid_learner *learner, size_t grams,
                       struct dgm_langid_model *model)
{
    struct making making = { .learner = learner };
    dgm_status status;

    set_floors(&making);
    DGM_TRY_OUT(dgm_gram_counts_sort(env, &learner->counts, &making.sorted));
    DGM_TRY_OUT(dgm_new(env, &making.candidates, learner->counts.used, sizeof *making.candidates));
    DGM_TRY_OUT(dgm_new(env, &making.shares, learner->language_count, sizeof *making.shares));
    find_candidates(&making);
    status = fill(env, &making, grams, model);
out:
    dgm_release(env, making.sorted);
    dgm_release(env, making.candidates);
    dgm_release(env, making.shares);
    return status;
}

/* ---- how sure a sum makes -------------------------------------------------------------------- */

/* The first so many characters of a held line: short text is what is hard to tell. */
static size_t cut(const char *text, size_t bytes, size_t characters)
{
    size_t at = 0;
    uint32_t code;

    while (at < bytes && characters-- > 0)
        at += dgm_utf8_decode(&code, text + at, bytes - at);
    return at;
}

static void sum_held(const struct dgm_langid_learner *learner, const struct dgm_langid_model *model,
                     int32_t *sums)
{
    static const size_t lengths[] = { 10, 20, 40, 80 };

    for (size_t i = 0; i < learner->held_count; i++) {
        const struct dgm_langid_held *held = &learner->held[i];
        const char *text = learner->text.data + held->start;

        (void)dgm_langid_sum(model, sums + i * learner->language_count, text,
                             cut(text, held->bytes, lengths[i % 4]));
    }
}

/* How little is thought of what the held lines are in: the sum of -ln p. */
static double loss_of(const struct dgm_langid_learner *learner, const int32_t *sums,
                      double *probabilities, double scale)
{
    double loss = 0;

    for (size_t i = 0; i < learner->held_count; i++) {
        dgm_langid_softmax(probabilities, sums + i * learner->language_count,
                           learner->language_count, scale);
        loss -= dgm_own_log(probabilities[learner->held[i].language] + 1e-9);
    }
    return loss;
}

/* The scale of least loss, to a tenth. */
static dgm_status find_scale(struct dgm_env *env, const struct dgm_langid_learner *learner,
                             const struct dgm_langid_model *model, double *scale)
{
    int32_t *sums = NULL;
    double *probabilities = NULL, best = -1;
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, &sums, learner->held_count * learner->language_count, sizeof *sums));
    DGM_TRY_OUT(dgm_new(env, &probabilities, learner->language_count, sizeof *probabilities));
    sum_held(learner, model, sums);
    for (double tried = 1.0 / STEPS / DGM_LANGID_WORD; tried > least_scale / DGM_LANGID_WORD;
         tried *= 0.9) {
        const double loss = loss_of(learner, sums, probabilities, tried);

        if (best < 0 || loss < best) {
            best = loss;
            *scale = tried;
        }
    }
out:
    dgm_release(env, sums);
    dgm_release(env, probabilities);
    return status;
}

/* ---- both models ----------------------------------------------------------------------------- */

static dgm_status check_texts(struct dgm_env *env, const struct dgm_langid_learner *learner)
{
    for (size_t l = 0; l < learner->language_count; l++)
        if (learner->counts.totals[1][l] == 0)
            return dgm_fail(env, DGM_DATA,
                            "%s: no letter in the text of this language; expected lines in it",
                            learner->languages[l]);
    return DGM_OK;
}

/* The lines that were held back are counted, too, from now on. */
static dgm_status count_held(struct dgm_env *env, struct dgm_langid_learner *learner)
{
    for (size_t i = 0; i < learner->held_count; i++)
        DGM_TRY(dgm_gram_counts_add(env, &learner->counts, learner->held[i].language,
                                    learner->text.data + learner->held[i].start,
                                    learner->held[i].bytes));
    learner->held_count = 0;
    return DGM_OK;
}

dgm_status dgm_langid_learner_make(struct dgm_env *env, struct dgm_langid_learner *learner,
                                   size_t grams, struct dgm_langid_model *model)
{
    struct dgm_langid_model first;
    double scale = usual_scale;
    dgm_status status = DGM_OK;

    memset(model, 0, sizeof *model);
    memset(&first, 0, sizeof first);
    if (learner->held_count >= HELD_EACH * learner->language_count)
        DGM_TRY_OUT(make(env, learner, grams, &first));
    if (first.gram_count > 0)
        DGM_TRY_OUT(find_scale(env, learner, &first, &scale));
    DGM_TRY_OUT(count_held(env, learner));
    DGM_TRY_OUT(check_texts(env, learner));
    DGM_TRY_OUT(make(env, learner, grams, model));
    model->scale = scale;
out:
    dgm_langid_model_clear(env, &first);
    if (status != DGM_OK)
        dgm_langid_model_clear(env, model);
    return status;
}

void dgm_langid_learner_clear(struct dgm_env *env, struct dgm_langid_learner *learner)
{
    dgm_gram_counts_clear(env, &learner->counts);
    dgm_buf_clear(env, &learner->text);
    dgm_release(env, learner->held);
    memset(learner, 0, sizeof *learner);
}
