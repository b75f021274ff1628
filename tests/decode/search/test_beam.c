/*
 * test_beam.c: properties of the search on random models: incremental decoding is decoding
 * (property G4 of the specification), beam 1 is greedy and a beam of everything is exhaustive
 * (G11), neighbours do not matter (G2, G3), and it always ends.
 */
#include <math.h>
#include <string.h>

#include "beam_naive.h"
#include "decode/search/beam.h"
#include "decode/translate.h"

enum { REALS = BEAM_REALS, SENTENCES = 24, PAD = 1 };

static struct dgm_search_options search_options(int beam, int64_t limit)
{
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = beam;
    options.penalty = DGM_PENALTY_FAIRSEQ;
    options.alpha = 0.6;
    options.length_extra = limit;
    options.forbidden = PAD;
    return options;
}

/* A model whose matrices are wide enough for the vector kernels' main loops and their rests. */
static struct dgm_model_config wide_config(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = tiny_config();

    config.dim = 40;
    config.ffn = 52;
    config.pre_norm = pre_norm;
    strcpy(config.syntax, syntax);
    return config;
}

static dgm_status random_sources(struct dgm_batch *batch, int32_t count)
{
    struct dgm_random random;
    int32_t s;

    memset(batch, 0, sizeof *batch);
    dgm_random_init(&random, 12, 0, 0, 0);
    for (s = 0; s < count; s++)
        DGM_TRY(tiny_add(batch, &random, 1 + (int32_t)dgm_random_below(&random, 12), TINY_TREE));
    return DGM_OK;
}

static dgm_status search_all(const struct dgm_net *const *models, int count,
                             struct dgm_device *device, const struct dgm_packed *source,
                             const struct dgm_search_options *options, int64_t batch_tokens,
                             struct dgm_result *results)
{
    struct dgm_workers workers;
    dgm_status status;

    memset(results, 0, SENTENCES * sizeof *results);
    status = dgm_workers_init(test_env(), &workers, models, count, device, options);
    if (status == DGM_OK)
        status = dgm_translate_all(test_env(), &workers, source, batch_tokens, results, NULL);
    dgm_workers_clear(test_env(), &workers);
    return status;
}

/* The same by one model. */
static dgm_status search_tiny(struct tiny *tiny, const struct dgm_packed *source,
                              const struct dgm_search_options *options, int64_t batch_tokens,
                              struct dgm_result *results)
{
    const struct dgm_net *model = &tiny->model;

    return search_all(&model, 1, tiny->device, source, options, batch_tokens, results);
}

static void clear_results(struct dgm_result *results)
{
    int32_t s;

    for (s = 0; s < SENTENCES; s++)
        dgm_result_clear(test_env(), &results[s]);
}

/* ---- incremental decoding (G4) -------------------------------------------------------------- */

/* Target token `step` that the decoder reads for sentence s: the end symbol, then y_1 .. y_m. */
static int32_t read_token(const struct dgm_packed *target, int32_t s, int32_t step)
{
    return step == 0 ? TINY_EOS : target->ids[target->offsets[s] + step - 1];
}

/* Forgets the rows whose sentences end here; returns how many are left. */
static int32_t drop_ended(struct dgm_incremental *state, const struct dgm_packed *target,
                          int32_t *sentences, int32_t rows, int32_t step)
{
    int32_t from[SENTENCES], left = 0, r;

    for (r = 0; r < rows; r++)
        if (step < dgm_packed_length(target, sentences[r])) {
            from[left] = r;
            sentences[left++] = sentences[r];
        }
    return dgm_incremental_select(test_env(), state, from, left) == DGM_OK ? left : 0;
}

static void compare_steps(struct dgm_incremental *state, const struct dgm_batch *batch,
                          const dgm_real *expected)
{
    const struct dgm_packed *target = &batch->target;
    int32_t sentences[SENTENCES], ids[SENTENCES], rows = target->count, step, r;
    dgm_real scores[SENTENCES * TINY_VOCAB];
    struct dgm_ref where;

    CHECK_STATUS(dgm_incremental_begin(test_env(), state, batch), DGM_OK);
    for (r = 0; r < rows; r++)
        sentences[r] = r;
    for (step = 0; rows > 0; step++) {
        for (r = 0; r < rows; r++)
            ids[r] = read_token(target, sentences[r], step);
        CHECK_STATUS(dgm_incremental_step(test_env(), state, ids, &where), DGM_OK);
        CHECK_STATUS(dgm_device_read(test_env(), state->graph.device, scores, where,
                                     (size_t)rows * TINY_VOCAB * sizeof *scores),
                     DGM_OK);
        for (r = 0; r < rows; r++)
            CHECK_MEM(scores + r * TINY_VOCAB,
                      expected + (target->offsets[sentences[r]] + step) * TINY_VOCAB,
                      TINY_VOCAB * sizeof *scores);
        rows = drop_ended(state, target, sentences, rows, step + 1);
    }
    CHECK_INT(step, state->steps);
    CHECK(step > 3);
}

static void check_incremental(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = wide_config(syntax, pre_norm);
    dgm_real *encoded = dgm_alloc(test_env(), 64 * REALS, sizeof *encoded);
    dgm_real *logits = dgm_alloc(test_env(), 64 * REALS, sizeof *logits);
    struct dgm_incremental state;
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK(encoded != NULL && logits != NULL);
    CHECK_STATUS(tiny_open(&tiny, &config, 2), DGM_OK);
    CHECK_STATUS(random_sources(&batch, 9), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, encoded, logits), DGM_OK);
    CHECK_STATUS(dgm_incremental_init(test_env(), &state, &tiny.model, tiny.device), DGM_OK);
    compare_steps(&state, &batch, logits);
    dgm_incremental_clear(test_env(), &state);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    dgm_release(test_env(), encoded);
    dgm_release(test_env(), logits);
}

TEST(beam_incremental_scores_equal_whole_sentence_scores)
{
    check_incremental("none", 0);
    check_incremental("none", 1);
}

TEST(beam_incremental_scores_equal_whole_sentence_scores_of_shaw)
{
    check_incremental("shaw(k=3)", 1);
}

/* ---- greedy (G11) --------------------------------------------------------------------------- */

static int32_t best_token(const dgm_real *scores)
{
    int32_t best = 0, i;

    for (i = 1; i < TINY_VOCAB; i++)
        if (i != PAD && scores[i] > scores[best])
            best = i;
    return best;
}

static void check_greedy(struct tiny *tiny, const struct dgm_batch *batch, int32_t s,
                         const struct dgm_result *result, int32_t limit)
{
    dgm_real scores[TINY_VOCAB];
    int32_t tokens[64], count = 0, id;
    double logp = 0;

    do {
        CHECK_STATUS(next_scores(tiny, batch, s, tokens, count, scores), DGM_OK);
        id = count == limit ? TINY_EOS : best_token(scores);
        logp += log_probability(scores, id);
        tokens[count++] = id;
    } while (id != TINY_EOS);
    CHECK_INT(result->count, 1);
    CHECK_INT(result->items[0].length, count);
    CHECK_MEM(result->items[0].tokens, tokens, (size_t)count * sizeof *tokens);
    CHECK_NEAR(result->items[0].logp, logp, 1e-4);
    CHECK_NEAR(result->items[0].score, logp / pow(count, 0.6), 1e-4);
}

TEST(beam_of_one_is_greedy)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_search_options options = search_options(1, 15);
    struct dgm_result results[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 50, results), DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        check_greedy(&tiny, &batch, s, &results[s], 15);
    clear_results(results);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* Their translations begin with it. */
static dgm_status give_first(struct dgm_packed *source, int32_t first)
{
    DGM_TRY(dgm_packed_add_first(test_env(), source, first));
    for (int32_t s = 0; s < source->count; s++)
        source->firsts[s] = first;
    return DGM_OK;
}

/* ---- translations without words -------------------------------------------------------------- */

/* How many hypotheses end before `least` tokens. */
static int32_t count_short(const struct dgm_result *results, int32_t count, int32_t least)
{
    int32_t found = 0, s, i;

    for (s = 0; s < count; s++)
        for (i = 0; i < results[s].count; i++)
            found += results[s].items[i].length <= least;
    return found;
}

/* Those of random models that choose among four types: without a least length, some end at once. */
static void search_few(int beam, const char *rule, int32_t first, int64_t least, int32_t *found)
{
    struct dgm_search_options options = search_options(beam, 12);
    struct dgm_model_config config = tiny_config();
    struct dgm_result results[SENTENCES];
    const struct dgm_net *model;
    struct dgm_batch batch;
    struct tiny tiny;
    struct dgm_net few;

    options.rule = dgm_beam_rule_find(rule);
    options.least = least;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(give_first(&batch.source, first), DGM_OK);
    config.tying = DGM_TIED_NONE;
    CHECK_STATUS(tiny_open_net(&few, &config, 4, tiny.device, 3), DGM_OK);
    model = &few;
    CHECK_STATUS(search_all(&model, 1, tiny.device, &batch.source, &options, 50, results), DGM_OK);
    *found = count_short(results, SENTENCES, least > 0 ? (int32_t)least : 1 + (first > 0));
    clear_results(results);
    dgm_net_clear(test_env(), &few);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(no_translation_is_empty_unless_it_may_be)
{
    static const char *const rules[] = { "fairseq", "shrinking" };
    int32_t found = 0;

    CHECK_INT(dgm_search_defaults().least, 1);
    for (int r = 0; r < 2; r++)
        for (int beam = 1; beam <= 5; beam += 2)
            for (int32_t first = 0; first <= 3; first += 3) {
                search_few(beam, rules[r], first, 0, &found);
                CHECK(beam == 1 || found > 0);
                search_few(beam, rules[r], first, 1 + (first > 0), &found);
                CHECK_INT(found, 0);
            }
}

/* ---- exhaustive search (G11) ---------------------------------------------------------------- */

enum { FEW = 4, LIMIT = 3, ALL = 1 + 3 + 9 + 27 }; /* types; tokens; sequences of them */

/* Every sequence of up to LIMIT of the types 0, 1 and 3, ended. */
static dgm_status add_sequences(struct dgm_packed *all)
{
    static const int32_t words[LIMIT + 1] = { 0 }, types[3] = { 0, 1, 3 };
    int32_t length, number, i;

    for (length = 0; length <= LIMIT; length++) {
        int32_t count = (int32_t)(pow(3, length) + 0.5);
        for (number = 0; number < count; number++) {
            int32_t ids[LIMIT + 1], rest = number;
            for (i = 0; i < length; i++, rest /= 3)
                ids[i] = types[rest % 3];
            ids[length] = TINY_EOS;
            DGM_TRY(dgm_packed_add(test_env(), all, ids, words, length + 1, NULL, 1));
        }
    }
    return DGM_OK;
}

/* A model of FEW target types, from the seed. */
static dgm_status open_few(struct dgm_net *model, struct dgm_device *device, uint64_t seed)
{
    struct dgm_model_config config = tiny_config();

    config.tying = DGM_TIED_NONE;
    return tiny_open_net(model, &config, FEW, device, seed);
}

/* Finds a sequence among all; -1 if it is none of them. */
static int32_t find_sequence(const struct dgm_packed *all, const struct dgm_hypothesis *item)
{
    int32_t i;

    for (i = 0; i < all->count; i++)
        if (dgm_packed_length(all, i) == item->length &&
            memcmp(all->ids + all->offsets[i], item->tokens,
                   (size_t)item->length * sizeof *item->tokens) == 0)
            return i;
    return -1;
}

/* The search for one source must find all sequences, and score them as dgm_translate_score does;
 * `copies` holds the source once for each sequence. */
static void check_exhaustive(const struct dgm_net *const *models, int count,
                             struct dgm_device *device, const struct dgm_packed *source,
                             const struct dgm_packed *copies, const struct dgm_packed *all)
{
    struct dgm_search_options options = search_options(DGM_MAX_BEAM, LIMIT);
    struct dgm_result results[SENTENCES];
    double logp[ALL], total = 0, best = -1e30;
    int32_t i, number;

    options.forbidden = -1;
    options.penalty = DGM_PENALTY_GNMT;
    CHECK_INT(source->count, 1);
    CHECK_STATUS(dgm_translate_score(test_env(), models, count, device, copies, all, 20, logp),
                 DGM_OK);
    CHECK_STATUS(search_all(models, count, device, source, &options, 1, results), DGM_OK);
    CHECK_INT(results[0].count, ALL);
    for (i = 0; i < ALL; i++) {
        struct dgm_hypothesis *item = &results[0].items[i];
        number = find_sequence(all, item);
        CHECK(number >= 0);
        CHECK_NEAR(item->logp, logp[number], 1e-5);
        CHECK_NEAR(item->score, logp[number] / pow((5.0 + item->length) / 6, 0.6), 1e-5);
        CHECK(i == 0 || item->score <= item[-1].score);
        best = fmax(best, logp[number] / pow((5.0 + item->length) / 6, 0.6));
        total += exp(logp[number]);
        logp[number] = -1e30; /* found once only */
    }
    CHECK(total > 0.01 && total < 1);
    CHECK_NEAR(results[0].items[0].score, best, 1e-5);
    clear_results(results);
}

TEST(beam_of_everything_is_exhaustive_also_for_an_ensemble)
{
    const struct dgm_net *models[2];
    struct dgm_packed all, copies;
    struct dgm_device *device;
    struct dgm_batch batch;
    struct dgm_net a, b;
    int32_t i;

    memset(&all, 0, sizeof all);
    memset(&copies, 0, sizeof copies);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(open_few(&a, device, 31), DGM_OK);
    CHECK_STATUS(open_few(&b, device, 32), DGM_OK);
    CHECK_STATUS(random_sources(&batch, 1), DGM_OK);
    CHECK_STATUS(add_sequences(&all), DGM_OK);
    CHECK_INT(all.count, ALL);
    for (i = 0; i < ALL; i++)
        CHECK_STATUS(dgm_packed_append(test_env(), &copies, &batch.source, 0), DGM_OK);
    models[0] = &a;
    models[1] = &b;
    check_exhaustive(models, 1, device, &batch.source, &copies, &all);
    check_exhaustive(models, 2, device, &batch.source, &copies, &all);
    dgm_packed_clear(test_env(), &copies);
    dgm_packed_clear(test_env(), &all);
    dgm_batch_clear(test_env(), &batch);
    dgm_net_clear(test_env(), &a);
    dgm_net_clear(test_env(), &b);
    dgm_device_close(test_env(), device);
}

/* ---- neighbours (G2, G3) -------------------------------------------------------------------- */

static void check_same(const struct dgm_result *a, const struct dgm_result *b)
{
    int32_t i;

    CHECK_INT(a->count, b->count);
    for (i = 0; i < a->count; i++) {
        CHECK_INT(a->items[i].length, b->items[i].length);
        CHECK_MEM(a->items[i].tokens, b->items[i].tokens,
                  (size_t)a->items[i].length * sizeof(int32_t));
        CHECK_MEM(&a->items[i].logp, &b->items[i].logp, sizeof a->items[i].logp);
        CHECK_MEM(&a->items[i].score, &b->items[i].score, sizeof a->items[i].score);
    }
}

TEST(beam_results_do_not_depend_on_neighbours_order_or_threads)
{
    struct dgm_model_config config = wide_config("none", 1);
    struct dgm_search_options options = search_options(4, 20);
    struct dgm_result alone[SENTENCES], together[SENTENCES], reversed[SENTENCES];
    struct dgm_packed backwards;
    struct dgm_batch batch;
    struct tiny tiny, threaded;
    int32_t s;

    memset(&backwards, 0, sizeof backwards);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_open(&threaded, &config, 3), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    for (s = SENTENCES - 1; s >= 0; s--)
        CHECK_STATUS(dgm_packed_append(test_env(), &backwards, &batch.source, s), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 1, alone), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100000, together), DGM_OK);
    CHECK_STATUS(search_tiny(&threaded, &backwards, &options, 37, reversed), DGM_OK);
    for (s = 0; s < SENTENCES; s++) {
        CHECK_INT(alone[s].count, 4);
        check_same(&alone[s], &together[s]);
        check_same(&alone[s], &reversed[SENTENCES - 1 - s]);
    }
    clear_results(alone);
    clear_results(together);
    clear_results(reversed);
    dgm_packed_clear(test_env(), &backwards);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&threaded);
    tiny_close(&tiny);
}

/* A beam without the mark is that of a search which never chooses it for another reason. */
static void check_bars(struct tiny *tiny, const struct dgm_packed *source, int beam)
{
    struct dgm_search_options options = search_options(beam, 9);
    struct dgm_result barred[SENTENCES], forbidden[SENTENCES];

    options.forbidden = DGM_VOCAB_UNK;
    CHECK_STATUS(search_tiny(tiny, source, &options, 100, forbidden), DGM_OK);
    options.forbidden = -1;
    options.bars_unknown = 1;
    CHECK_STATUS(search_tiny(tiny, source, &options, 100, barred), DGM_OK);
    for (int32_t s = 0; s < source->count; s++)
        check_same(&barred[s], &forbidden[s]);
    clear_results(barred);
    clear_results(forbidden);
}

TEST(beam_has_no_unknown_mark_where_it_is_barred)
{
    static const int beams[] = { 1, 2, 5, TINY_VOCAB };
    struct dgm_model_config config = wide_config("none", 1);
    struct dgm_search_options options = search_options(5, 9);
    struct dgm_result allowed[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int marks = 0;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    for (size_t b = 0; b < sizeof beams / sizeof *beams; b++)
        check_bars(&tiny, &batch.source, beams[b]);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, allowed), DGM_OK);
    for (int32_t s = 0; s < SENTENCES; s++)
        for (int32_t i = 0; i < allowed[s].count; i++)
            for (int32_t t = 0; t < allowed[s].items[i].length; t++)
                marks += allowed[s].items[i].tokens[t] == DGM_VOCAB_UNK;
    CHECK(marks > 0); /* or nothing was to be barred */
    clear_results(allowed);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(beam_scores_agree_with_scoring_of_what_was_found)
{
    struct dgm_model_config config = wide_config("none", 0);
    struct dgm_search_options options = search_options(5, 20);
    struct dgm_result results[SENTENCES];
    const struct dgm_net *model;
    double logp[SENTENCES];
    struct dgm_packed found;
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t words[64] = { 0 }, s;

    memset(&found, 0, sizeof found);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    model = &tiny.model;
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        CHECK_STATUS(dgm_packed_add(test_env(), &found, results[s].items[0].tokens, words,
                                    results[s].items[0].length, NULL, 1),
                     DGM_OK);
    CHECK_STATUS(dgm_translate_score(test_env(), &model, 1, tiny.device, &batch.source, &found, 60,
                                     logp),
                 DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        CHECK_NEAR(results[s].items[0].logp, logp[s], 1e-4);
    clear_results(results);
    dgm_packed_clear(test_env(), &found);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- a first token --------------------------------------------------------------------------- */

enum { FIRST = 7 };

/* Every hypothesis begins with it, and has the probability of the rest. */
static void check_first(struct tiny *tiny, const struct dgm_packed *source,
                        const struct dgm_result *results)
{
    const struct dgm_net *model = &tiny->model;
    double logp[SENTENCES];
    struct dgm_packed found;
    int32_t words[64] = { 0 }, s, i;

    memset(&found, 0, sizeof found);
    for (s = 0; s < SENTENCES; s++) {
        CHECK(results[s].count > 0);
        for (i = 0; i < results[s].count; i++)
            CHECK_INT(results[s].items[i].tokens[0], FIRST);
        CHECK_STATUS(dgm_packed_add(test_env(), &found, results[s].items[0].tokens, words,
                                    results[s].items[0].length, NULL, 1),
                     DGM_OK);
    }
    CHECK_STATUS(dgm_translate_score(test_env(), &model, 1, tiny->device, source, &found, 60, logp),
                 DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        CHECK_NEAR(results[s].items[0].logp, logp[s], 1e-4);
    dgm_packed_clear(test_env(), &found);
}

TEST(beam_begins_with_the_first_token_that_is_asked_for)
{
    static const int beams[] = { 1, 5 };
    struct dgm_model_config config = wide_config("none", 0);
    struct dgm_result results[SENTENCES], alone[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int b, rule;
    int32_t s;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(give_first(&batch.source, FIRST), DGM_OK);
    for (b = 0; b < 2; b++)
        for (rule = 0; dgm_beam_rule_entry(rule) != NULL; rule++) {
            struct dgm_search_options options = search_options(beams[b], 20);

            options.rule = dgm_beam_rule_entry(rule);
            CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
            check_first(&tiny, &batch.source, results);
            CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 1, alone), DGM_OK);
            for (s = 0; s < SENTENCES; s++)
                check_same(&results[s], &alone[s]);
            clear_results(results);
            clear_results(alone);
        }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* Sentence s has the first token 0 (none), FIRST, FIRST + 1 or FIRST + 2. */
static void check_firsts(struct tiny *tiny, struct dgm_packed *source,
                         const struct dgm_search_options *options)
{
    struct dgm_result mixed[2][SENTENCES], alone[SENTENCES];

    CHECK_STATUS(give_first(source, FIRST), DGM_OK);
    for (int32_t s = 0; s < SENTENCES; s++)
        source->firsts[s] = s % 4 == 0 ? 0 : FIRST - 1 + s % 4;
    CHECK_STATUS(search_tiny(tiny, source, options, 100, mixed[0]), DGM_OK);
    CHECK_STATUS(search_tiny(tiny, source, options, 1, mixed[1]), DGM_OK);
    for (int32_t kind = 0; kind < 4; kind++) {
        CHECK_STATUS(give_first(source, kind == 0 ? 0 : FIRST - 1 + kind), DGM_OK);
        CHECK_STATUS(search_tiny(tiny, source, options, 100, alone), DGM_OK);
        for (int32_t s = kind; s < SENTENCES; s += 4) {
            check_same(&mixed[0][s], &alone[s]);
            check_same(&mixed[1][s], &alone[s]);
        }
        clear_results(alone);
    }
    clear_results(mixed[0]);
    clear_results(mixed[1]);
}

TEST(beam_of_sentences_with_first_tokens_of_their_own)
{
    struct dgm_model_config config = wide_config("none", 0);
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    for (int rule = 0; dgm_beam_rule_entry(rule) != NULL; rule++)
        for (int beam = 1; beam <= 4; beam += 3) {
            struct dgm_search_options options = search_options(beam, 20);

            options.rule = dgm_beam_rule_entry(rule);
            check_firsts(&tiny, &batch.source, &options);
        }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* The first token that greedy search takes by itself, asked for, changes nothing but its own share
 * of the probability. */
TEST(beam_first_token_that_is_chosen_anyway)
{
    struct dgm_model_config config = wide_config("none", 0);
    struct dgm_search_options options = search_options(1, 20);
    struct dgm_result chosen[SENTENCES], asked[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int compared = 0;
    int32_t s;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, chosen), DGM_OK);
    for (int32_t first = DGM_VOCAB_SPECIALS; first < TINY_VOCAB; first++) {
        CHECK_STATUS(give_first(&batch.source, first), DGM_OK);
        CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, asked), DGM_OK);
        for (s = 0; s < SENTENCES; s++) {
            const struct dgm_hypothesis *a = &chosen[s].items[0], *b = &asked[s].items[0];

            if (a->tokens[0] != first)
                continue;
            CHECK_INT(a->length, b->length);
            CHECK_MEM(a->tokens, b->tokens, (size_t)a->length * sizeof *a->tokens);
            CHECK(b->logp > a->logp);
            compared++;
        }
        clear_results(asked);
    }
    CHECK(compared > 0);
    clear_results(chosen);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- the end -------------------------------------------------------------------------------- */

TEST(beam_takes_the_end_symbol_at_the_limit)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_search_options options = search_options(3, 1000);
    struct dgm_result results[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s, i;

    options.length_factor = 1.5;
    options.length_extra = 2;
    options.forbidden = TINY_EOS; /* no sentence ends of itself */
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
    for (s = 0; s < SENTENCES; s++) {
        int32_t limit = dgm_packed_length(&batch.source, s) * 3 / 2 + 2;
        CHECK_INT(results[s].count, 3);
        for (i = 0; i < 3; i++) {
            CHECK_INT(results[s].items[i].length, limit + 1);
            CHECK_INT(results[s].items[i].tokens[limit], TINY_EOS);
        }
    }
    clear_results(results);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(beam_stops_at_the_longest_sentence_a_model_knows)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_search_options options = search_options(2, INT32_MAX);
    struct dgm_result results[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;

    options.length_factor = 1e300;
    options.forbidden = TINY_EOS;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, 1), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
    CHECK_INT(results[0].count, 2);
    CHECK_INT(results[0].items[0].length, config.max_length + 1);
    clear_results(results);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* Makes one element of every parameter, or every element, not a number. */
static dgm_status spoil(struct tiny *tiny, int all)
{
    struct dgm_params *params = &tiny->model.params;
    size_t p;

    for (p = 0; p < params->count; p++) {
        int64_t count = params->items[p].rows * params->items[p].cols, i;
        dgm_real *values = dgm_alloc(test_env(), (size_t)count, sizeof *values);
        dgm_status status;
        if (values == NULL)
            return DGM_MEMORY;
        status = dgm_params_read(test_env(), params, (dgm_param_id)p, values);
        for (i = 0; i < (all ? count : 1); i++)
            values[i] = (dgm_real)NAN;
        if (status == DGM_OK)
            status = dgm_params_write(test_env(), params, (dgm_param_id)p, values);
        dgm_release(test_env(), values);
        DGM_TRY(status);
    }
    return DGM_OK;
}

TEST(beam_refuses_weights_that_are_not_numbers)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_search_options options = search_options(5, 30);
    struct dgm_result results[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;
    int all;

    for (all = 0; all <= 1; all++) {
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(spoil(&tiny, all), DGM_OK);
        CHECK_STATUS(random_sources(&batch, 6), DGM_OK);
        CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_MODEL);
        CHECK(strstr(test_env()->error.message,
                     ": no finite score for its translation, token 1:") != NULL);
        dgm_env_clear_error(test_env());
        clear_results(results);
        dgm_batch_clear(test_env(), &batch);
        tiny_close(&tiny);
    }
}

TEST(beam_refuses_impossible_beams_and_accepts_no_sentences)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_search_options options = search_options(0, 30);
    struct dgm_result results[SENTENCES];
    struct dgm_batch batch;
    struct tiny tiny;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_USAGE);
    dgm_env_clear_error(test_env());
    options.beam = DGM_MAX_BEAM + 1;
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_USAGE);
    dgm_env_clear_error(test_env());
    options.beam = DGM_MAX_BEAM; /* more than there are types */
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
    CHECK_STATUS(random_sources(&batch, 2), DGM_OK);
    CHECK_STATUS(search_tiny(&tiny, &batch.source, &options, 100, results), DGM_OK);
    CHECK_INT(results[1].count, DGM_MAX_BEAM);
    clear_results(results);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* ---- stopping -------------------------------------------------------------------------------- */

/* Ends the work when it is asked for the `last`-th time. */
struct patience {
    long asked, last;
};

static dgm_status run_out(struct dgm_env *env, void *user)
{
    struct patience *patience = user;

    patience->asked++;
    if (patience->asked == patience->last)
        return dgm_fail(env, DGM_INTERRUPTED, "stopped");
    return DGM_OK;
}

static dgm_status search_with_patience(struct tiny *tiny, const struct dgm_packed *source,
                                       struct patience *patience, struct dgm_result *results)
{
    const struct dgm_search_options options = search_options(3, 6);
    struct dgm_env *env = test_env();
    dgm_status status;

    env->poll = run_out;
    env->poll_user = patience;
    status = search_tiny(tiny, source, &options, 40, results);
    env->poll = NULL;
    return status;
}

/* Stopped there, the results that are there are those of the whole search, the others empty. */
static void check_stop(struct tiny *tiny, const struct dgm_packed *source,
                       const struct dgm_result *whole, long last, int *done)
{
    struct dgm_result results[SENTENCES];
    struct patience patience = { 0, last };

    CHECK_STATUS(search_with_patience(tiny, source, &patience, results), DGM_INTERRUPTED);
    dgm_env_clear_error(test_env());
    CHECK_INT(patience.asked, last);
    *done = 0;
    for (int32_t s = 0; s < SENTENCES; s++) {
        *done += results[s].is_done;
        CHECK_INT(results[s].count, results[s].is_done ? whole[s].count : 0);
        for (int32_t i = 0; i < results[s].count; i++)
            CHECK_MEM(results[s].items[i].tokens, whole[s].items[i].tokens,
                      (size_t)results[s].items[i].length * sizeof *results[s].items[i].tokens);
    }
    clear_results(results);
}

/* A stop is asked about before each step of the beam: at most `limit` + 2 of them for a batch. */
TEST(beam_stops_at_any_step_and_keeps_what_is_done)
{
    struct dgm_model_config config = wide_config("none", 0);
    struct dgm_result whole[SENTENCES];
    struct patience patience = { 0, 0 };
    struct dgm_batch batch;
    struct tiny tiny;
    int done = 0, most = 0;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(random_sources(&batch, SENTENCES), DGM_OK);
    CHECK_STATUS(search_with_patience(&tiny, &batch.source, &patience, whole), DGM_OK);
    CHECK(patience.asked >= 3 * 7);
    for (long last = 1; last <= patience.asked; last++) {
        check_stop(&tiny, &batch.source, whole, last, &done);
        CHECK(done >= most && done < SENTENCES);
        most = done;
    }
    CHECK(most > 0);
    clear_results(whole);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}
