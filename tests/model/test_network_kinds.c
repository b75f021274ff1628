/*
 * test_network_kinds.c: properties of networks with recurrent sides: one token at a time is the
 * whole sentence (property G4 of the specification), and neither neighbours nor threads matter (G2,
 * G3); masks of dropout are the place's own.
 */
#include "decode/translate.h"
#include "kind_case.h"
#include "mask_case.h"

enum { SENTENCES = 6, WAYS = 3, ROWS = SENTENCES * WAYS, REALS = 1 << 16 };

/* ---- the list ------------------------------------------------------------------------------- */

TEST(kinds_of_encoder_all_have_samples)
{
    struct dgm_model_config config;
    struct kind_case one;
    int k, i;

    for (k = 0; k < dgm_encoder_count(); k++)
        if (dgm_encoder_entry(k)->samples == NULL || dgm_encoder_entry(k)->samples[0] == NULL)
            CHECK_STR(dgm_encoder_entry(k)->name, "a kind with samples");
    for (i = KIND_CASES; kind_case_at(i, &one); i++)
        CHECK_STATUS(kind_sample_config(&config, &one), DGM_OK);
    CHECK(i >= KIND_CASES + dgm_encoder_count());
}

/* ---- dropout -------------------------------------------------------------------------------- */

/* Every layer of either side draws its own mask. */
TEST(kinds_draw_each_mask_apart)
{
    struct kind_case one;
    struct dgm_batch batch;
    int i;

    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    for (i = 0; kind_case_at(i, &one); i++) {
        struct dgm_model_config config = kind_config(&one);
        struct tiny tiny;

        config.dropout = config.attention_dropout = config.activation_dropout = 0.3;
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(tiny_build(&tiny, &batch, 1, 3), DGM_OK);
        CHECK(mask_streams_differ(&tiny.graph));
        CHECK(masks.count > 0);
        tiny_close(&tiny);
    }
    dgm_batch_clear(test_env(), &batch);
}

/* ---- one token at a time -------------------------------------------------------------------- */

/* Sentences of every kind, one word among them, each with WAYS targets; the sources once alone. */
static dgm_status make_batches(struct dgm_batch *once, struct dgm_batch *whole)
{
    struct dgm_random random;
    struct dgm_batch pairs;
    dgm_status status = DGM_OK;
    int32_t i;

    memset(once, 0, sizeof *once);
    memset(whole, 0, sizeof *whole);
    memset(&pairs, 0, sizeof pairs);
    dgm_random_init(&random, 23, 0, 0, 0);
    for (i = 0; status == DGM_OK && i < ROWS; i++)
        status =
            tiny_add(&pairs, &random, i % 4 == 1 ? 1 : 2 + i % 7, (enum tiny_tree)(i % TINY_TREES));
    for (i = 0; status == DGM_OK && i < ROWS; i++) {
        if (i % WAYS == 0)
            status = dgm_batch_add(test_env(), once, &pairs.source, NULL, i / WAYS, 0);
        if (status == DGM_OK)
            status = dgm_batch_add(test_env(), whole, &pairs.source, NULL, i / WAYS, 0);
        if (status == DGM_OK)
            status = dgm_packed_append(test_env(), &whole->target, &pairs.target, i);
    }
    dgm_batch_clear(test_env(), &pairs);
    return status;
}

/* Hypotheses that are alive: their targets. */
struct alive {
    int32_t targets[ROWS], count;
};

/* The next step's: at first all WAYS of each sentence, then those that go on; the order of a
 * sentence's hypotheses, and that of the sentences, is another one every time. */
static void choose(struct alive *alive, const struct dgm_packed *target, int32_t step,
                   int32_t *from)
{
    struct alive old = *alive;
    int32_t r, w, ways = step == 1 ? WAYS : 1;

    alive->count = 0;
    for (r = old.count - 1; r >= 0; r--)
        for (w = 0; w < ways; w++) {
            int32_t t = old.targets[r] + w;
            if (step >= dgm_packed_length(target, t))
                continue;
            from[alive->count] = r;
            alive->targets[alive->count++] = t;
        }
}

static void compare_step(struct dgm_incremental *state, const struct dgm_packed *target,
                         const struct alive *alive, int32_t step, const dgm_real *expected)
{
    dgm_real scores[ROWS * TINY_VOCAB];
    struct dgm_ref where;
    int32_t ids[ROWS], r;

    for (r = 0; r < alive->count; r++)
        ids[r] = step == 0 ? state->net->start
                           : target->ids[target->offsets[alive->targets[r]] + step - 1];
    CHECK_STATUS(dgm_incremental_step(test_env(), state, ids, &where), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), state->graph.device, scores, where,
                                 (size_t)alive->count * TINY_VOCAB * sizeof *scores),
                 DGM_OK);
    for (r = 0; r < alive->count; r++)
        CHECK_MEM(scores + r * TINY_VOCAB,
                  expected + (target->offsets[alive->targets[r]] + step) * TINY_VOCAB,
                  TINY_VOCAB * sizeof *scores);
}

static void compare_steps(struct dgm_incremental *state, const struct dgm_batch *once,
                          const struct dgm_packed *target, const dgm_real *expected)
{
    struct alive alive;
    int32_t from[ROWS], s, step;

    CHECK_STATUS(dgm_incremental_begin(test_env(), state, once), DGM_OK);
    alive.count = once->source.count;
    for (s = 0; s < alive.count; s++)
        alive.targets[s] = s * WAYS;
    for (step = 0; alive.count > 0; step++) {
        compare_step(state, target, &alive, step, expected);
        choose(&alive, target, step + 1, from);
        CHECK_STATUS(dgm_incremental_select(test_env(), state, from, alive.count), DGM_OK);
    }
    CHECK(step > 4);
}

static void check_steps(const struct kind_case *one, int threads)
{
    struct dgm_model_config config = kind_config(one);
    dgm_real *encoded = dgm_alloc(test_env(), REALS, sizeof *encoded);
    dgm_real *logits = dgm_alloc(test_env(), REALS, sizeof *logits);
    struct dgm_incremental state;
    struct dgm_batch once, whole;
    struct tiny tiny;

    CHECK(encoded != NULL && logits != NULL);
    CHECK_STATUS(make_batches(&once, &whole), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, threads), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &whole, encoded, logits), DGM_OK);
    CHECK_STATUS(dgm_incremental_init(test_env(), &state, &tiny.model, tiny.device), DGM_OK);
    compare_steps(&state, &once, &whole.target, logits);
    compare_steps(&state, &once, &whole.target, logits); /* nothing is left of the first time */
    dgm_incremental_clear(test_env(), &state);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &once);
    dgm_batch_clear(test_env(), &whole);
    dgm_release(test_env(), encoded);
    dgm_release(test_env(), logits);
}

TEST(kinds_decode_one_token_at_a_time_as_whole_sentences)
{
    struct kind_case one;
    int i;

    for (i = 0; kind_case_at(i, &one); i++)
        check_steps(&one, 1 + i % 2);
}

/* ---- neighbours ------------------------------------------------------------------------------ */

static dgm_status search_models(const struct dgm_net *const *models, int count,
                                struct dgm_device *device, const struct dgm_packed *source,
                                int64_t tokens, struct dgm_result *results)
{
    struct dgm_search_options options;
    struct dgm_workers workers;
    dgm_status status;

    memset(results, 0, SENTENCES * sizeof *results);
    memset(&options, 0, sizeof options);
    options.beam = 3;
    options.length_extra = 12;
    options.forbidden = 1;
    status = dgm_workers_init(test_env(), &workers, models, count, device, &options);
    if (status == DGM_OK)
        status = dgm_translate_all(test_env(), &workers, source, tokens, results, NULL);
    dgm_workers_clear(test_env(), &workers);
    return status;
}

static dgm_status search_all(struct tiny *tiny, const struct dgm_packed *source, int64_t tokens,
                             struct dgm_result *results)
{
    const struct dgm_net *model = &tiny->model;

    return search_models(&model, 1, tiny->device, source, tokens, results);
}

static void check_same(struct dgm_result *a, struct dgm_result *b)
{
    int32_t i;

    CHECK_INT(a->count, 3);
    CHECK_INT(b->count, 3);
    for (i = 0; i < 3; i++) {
        CHECK_INT(a->items[i].length, b->items[i].length);
        CHECK_MEM(a->items[i].tokens, b->items[i].tokens,
                  (size_t)a->items[i].length * sizeof(int32_t));
        CHECK_MEM(&a->items[i].logp, &b->items[i].logp, sizeof a->items[i].logp);
    }
    dgm_result_clear(test_env(), a);
    dgm_result_clear(test_env(), b);
}

static void check_neighbours(const struct kind_case *one)
{
    struct dgm_model_config config = kind_config(one);
    struct dgm_result alone[SENTENCES], together[SENTENCES];
    struct dgm_packed backwards;
    struct dgm_batch once, whole;
    struct tiny tiny, threaded;
    int32_t s;

    memset(&backwards, 0, sizeof backwards);
    CHECK_STATUS(make_batches(&once, &whole), DGM_OK);
    for (s = SENTENCES - 1; s >= 0; s--)
        CHECK_STATUS(dgm_packed_append(test_env(), &backwards, &once.source, s), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_open(&threaded, &config, 3), DGM_OK);
    CHECK_STATUS(search_all(&tiny, &once.source, 1, alone), DGM_OK);
    CHECK_STATUS(search_all(&threaded, &backwards, 1000, together), DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        check_same(&alone[s], &together[SENTENCES - 1 - s]);
    dgm_packed_clear(test_env(), &backwards);
    dgm_batch_clear(test_env(), &once);
    dgm_batch_clear(test_env(), &whole);
    tiny_close(&tiny);
    tiny_close(&threaded);
}

TEST(kinds_translate_a_sentence_the_same_whatever_its_neighbours)
{
    struct kind_case one;
    int i;

    for (i = 0; kind_case_at(i, &one); i++)
        check_neighbours(&one);
}

/* ---- ensembles ------------------------------------------------------------------------------- */

/* What was found is scored as dgm_translate_score does it, which goes through whole sentences. */
static void check_scores(const struct dgm_net *const *models, int count, struct dgm_device *device,
                         const struct dgm_packed *source)
{
    struct dgm_result results[SENTENCES];
    struct dgm_packed found;
    double logp[SENTENCES];
    int32_t words[16] = { 0 }, s;

    memset(&found, 0, sizeof found);
    CHECK_STATUS(search_models(models, count, device, source, 50, results), DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        CHECK_STATUS(dgm_packed_add(test_env(), &found, results[s].items[0].tokens, words,
                                    results[s].items[0].length, NULL, 1),
                     DGM_OK);
    CHECK_STATUS(dgm_translate_score(test_env(), models, count, device, source, &found, 60, logp),
                 DGM_OK);
    for (s = 0; s < SENTENCES; s++) {
        CHECK_NEAR(results[s].items[0].logp, logp[s], 1e-4);
        dgm_result_clear(test_env(), &results[s]);
    }
    dgm_packed_clear(test_env(), &found);
}

TEST(kinds_search_and_score_alike_alone_and_with_a_transformer)
{
    struct dgm_model_config plain = tiny_config(), config;
    const struct dgm_net *models[2];
    struct dgm_batch once, whole;
    struct dgm_net other;
    struct tiny tiny;
    struct kind_case one;
    int i;

    CHECK_STATUS(make_batches(&once, &whole), DGM_OK);
    for (i = 0; kind_case_at(i, &one); i++) {
        config = kind_config(&one);
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(tiny_open_net(&other, &plain, TINY_VOCAB, tiny.device, TINY_SEED), DGM_OK);
        models[0] = &tiny.model;
        models[1] = &other;
        check_scores(models, 1, tiny.device, &once.source);
        check_scores(models, 2, tiny.device, &once.source);
        dgm_net_clear(test_env(), &other);
        tiny_close(&tiny);
    }
    dgm_batch_clear(test_env(), &once);
    dgm_batch_clear(test_env(), &whole);
}
