/*
 * test_beam_shortlist.c: a search with a shortlist. With a list of all words it finds what it finds
 * without, bit for bit, whatever the decoder, the ensemble and the rule; with a short one it uses
 * these words alone, with probabilities among them, whoever the neighbours are.
 */
#include <math.h>
#include <string.h>

#include "beam_naive.h"
#include "decode/search/beam.h"
#include "decode/translate.h"

enum { SENTENCES = 24, PAD = 1, LIMIT = 9, SPECIALS = DGM_VOCAB_SPECIALS };

static size_t starts[TINY_VOCAB + 1];
static int32_t words[TINY_VOCAB * TINY_VOCAB];
static int32_t always[TINY_VOCAB] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };

/* All words; or, without `all`, e and e + 1 of source type e, and of some none at all. */
static struct dgm_shortlist make_list(int all)
{
    struct dgm_shortlist list = { .types = { TINY_VOCAB, TINY_VOCAB } };
    size_t count = 0;

    list.always = always;
    list.always_count = all ? TINY_VOCAB : SPECIALS;
    list.starts = starts;
    list.words = words;
    for (int32_t e = 0; e < TINY_VOCAB; e++) {
        starts[e] = count;
        for (int32_t w = e; !all && e >= SPECIALS && e % 3 != 0 && w <= e + 1 && w < TINY_VOCAB;
             w++)
            words[count++] = w;
    }
    starts[TINY_VOCAB] = count;
    return list;
}

static int may_use(const struct dgm_shortlist *list, const struct dgm_packed *source, int32_t s,
                   int32_t type)
{
    if (type < list->always_count)
        return 1;
    for (int32_t i = source->offsets[s]; i < source->offsets[s + 1]; i++)
        for (size_t w = starts[source->ids[i]]; w < starts[source->ids[i] + 1]; w++)
            if (words[w] == type)
                return 1;
    return 0;
}

static struct dgm_search_options options_of(int beam, const struct dgm_shortlist *list)
{
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = beam;
    options.penalty = DGM_PENALTY_FAIRSEQ;
    options.alpha = 0.6;
    options.length_extra = LIMIT;
    options.forbidden = PAD;
    options.shortlist = list;
    return options;
}

struct case_ {
    struct tiny tiny;
    struct dgm_batch batch;
};

static dgm_status open_case(struct case_ *c, const char *encoder, const char *decoder, int threads)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_random random;

    memset(c, 0, sizeof *c);
    config.dim = 40;
    if (encoder != NULL)
        tiny_kinds(&config, encoder, decoder);
    DGM_TRY(tiny_open(&c->tiny, &config, threads));
    dgm_random_init(&random, 21, 0, 0, 0);
    for (int s = 0; s < SENTENCES; s++)
        DGM_TRY(tiny_add(&c->batch, &random, 1 + (int32_t)dgm_random_below(&random, 7), TINY_TREE));
    return DGM_OK;
}

static void close_case(struct case_ *c)
{
    dgm_batch_clear(test_env(), &c->batch);
    tiny_close(&c->tiny);
}

static dgm_status search_by(const struct dgm_net *const *models, int count, struct case_ *c,
                            const struct dgm_search_options *options, int64_t tokens,
                            struct dgm_result *results)
{
    struct dgm_workers workers;
    dgm_status status;

    memset(results, 0, SENTENCES * sizeof *results);
    status = dgm_workers_init(test_env(), &workers, models, count, c->tiny.device, options);
    if (status == DGM_OK)
        status = dgm_translate_all(test_env(), &workers, &c->batch.source, tokens, results, NULL);
    dgm_workers_clear(test_env(), &workers);
    return status;
}

static void check_same(const struct dgm_result *a, const struct dgm_result *b)
{
    for (int s = 0; s < SENTENCES; s++) {
        CHECK_INT(a[s].count, b[s].count);
        for (int i = 0; i < a[s].count; i++) {
            const struct dgm_hypothesis *x = &a[s].items[i], *y = &b[s].items[i];

            CHECK_INT(x->length, y->length);
            CHECK_MEM(x->tokens, y->tokens, (size_t)x->length * sizeof *x->tokens);
            CHECK(memcmp(&x->logp, &y->logp, sizeof x->logp) == 0);
        }
    }
}

static void clear_results(struct dgm_result *results)
{
    for (int s = 0; s < SENTENCES; s++)
        dgm_result_clear(test_env(), &results[s]);
}

/* Searches with and without a list of all words. */
static void check_all_words(const struct dgm_net *const *models, int count, struct case_ *c,
                            int beam, int32_t forbidden, const char *rule)
{
    struct dgm_result with[SENTENCES], without[SENTENCES];
    const struct dgm_shortlist list = make_list(1);
    struct dgm_search_options options = options_of(beam, NULL);

    options.forbidden = forbidden;
    options.rule = dgm_beam_rule_find(rule);
    CHECK_STATUS(search_by(models, count, c, &options, 300, without), DGM_OK);
    options.shortlist = &list;
    CHECK_STATUS(search_by(models, count, c, &options, 300, with), DGM_OK);
    check_same(with, without);
    clear_results(with);
    clear_results(without);
}

TEST(beam_shortlist_of_all_words_changes_no_bit)
{
    static const char *const kinds[][2] = { { NULL, NULL },
                                            { "sequential", "recurrent" },
                                            { "transformer", "recurrent" } };
    struct case_ c;

    for (int k = 0; k < 3; k++) {
        const struct dgm_net *models[2] = { &c.tiny.model, &c.tiny.model };

        CHECK_STATUS(open_case(&c, kinds[k][0], kinds[k][1], 2), DGM_OK);
        check_all_words(models, 1, &c, 3, PAD, "fairseq");
        check_all_words(models, 1, &c, 1, TINY_EOS, "fairseq");
        check_all_words(models, 2, &c, 4, TINY_EOS, "shrinking");
        check_all_words(models, 1, &c, 7, PAD, "shrinking"); /* twice that: more than all words */
        close_case(&c);
    }
}

/* Only words of its list, with the same result for a sentence alone. */
static void check_alone(struct case_ *c, const struct dgm_shortlist *list,
                        const struct dgm_result *results)
{
    const struct dgm_search_options options = options_of(3, list);
    const struct dgm_net *model = &c->tiny.model;
    struct dgm_result alone[SENTENCES];

    CHECK_STATUS(search_by(&model, 1, c, &options, 1, alone), DGM_OK);
    for (int s = 0; s < SENTENCES; s++)
        for (int i = 0; i < results[s].count; i++)
            for (int t = 0; t < results[s].items[i].length; t++)
                CHECK(may_use(list, &c->batch.source, s, results[s].items[i].tokens[t]));
    check_same(alone, results);
    clear_results(alone);
}

/* The sum of log-probabilities among the words of a sentence, computed from the start. */
static double naive_logp(struct case_ *c, const struct dgm_shortlist *list, int32_t s,
                         const struct dgm_hypothesis *item)
{
    dgm_real scores[TINY_VOCAB];
    double logp = 0;

    for (int32_t t = 0; t < item->length; t++) {
        if (next_scores(&c->tiny, &c->batch, s, item->tokens, t, scores) != DGM_OK)
            return (double)NAN;
        for (int32_t type = 0; type < TINY_VOCAB; type++)
            if (!may_use(list, &c->batch.source, s, type))
                scores[type] = -(dgm_real)INFINITY;
        logp += log_probability(scores, item->tokens[t]);
    }
    return logp;
}

TEST(beam_shortlist_decides_by_sentence)
{
    const struct dgm_shortlist list = make_list(0);
    const struct dgm_search_options options = options_of(3, &list);
    struct dgm_result results[SENTENCES];
    const struct dgm_net *model;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, NULL, 2), DGM_OK);
    model = &c.tiny.model;
    CHECK_STATUS(search_by(&model, 1, &c, &options, 300, results), DGM_OK);
    check_alone(&c, &list, results);
    for (int s = 0; s < SENTENCES; s++)
        for (int i = 0; i < results[s].count; i++)
            CHECK_NEAR(naive_logp(&c, &list, s, &results[s].items[i]), results[s].items[i].logp,
                       1e-4);
    clear_results(results);
    close_case(&c);
}

/* Whichever allocation fails: DGM_MEMORY, and the next search works. */
TEST(beam_shortlist_survives_failing_allocations)
{
    const struct dgm_shortlist list = make_list(0);
    const struct dgm_search_options options = options_of(2, &list);
    struct dgm_result results[SENTENCES];
    const struct dgm_net *model;
    dgm_status status = DGM_MEMORY;
    struct case_ c;

    CHECK_STATUS(open_case(&c, NULL, NULL, 1), DGM_OK);
    model = &c.tiny.model;
    for (long n = 1; status != DGM_OK && n < 2000; n += 3) {
        test_env_fail_at(test_allocations() + n);
        status = search_by(&model, 1, &c, &options, 300, results);
        test_env_fail_at(0);
        CHECK(status == DGM_OK || status == DGM_MEMORY);
        dgm_env_clear_error(test_env());
        clear_results(results);
    }
    CHECK_STATUS(status, DGM_OK);
    close_case(&c);
}
