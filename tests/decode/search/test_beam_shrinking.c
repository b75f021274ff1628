/*
 * test_beam_shrinking.c: the search whose width shrinks, against one that recomputes every
 * hypothesis from its start, with the weights of Transformers and of recurrent networks.
 */
#include "beam_naive.h"
#include "decode/search/beam.h"
#include "decode/translate.h"

enum { SENTENCES = 8, PAD = 1, MOST = 5, LENGTH = 24 };

struct naive {
    int32_t tokens[LENGTH], length;
    double logp;
};

struct naive_list {
    struct naive items[MOST];
    int count;
};

static struct dgm_search_options search_options(int beam, int64_t limit)
{
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = beam;
    options.penalty = DGM_PENALTY_FAIRSEQ;
    options.alpha = 1;
    options.length_extra = limit;
    options.forbidden = PAD;
    options.rule = dgm_beam_rule_find("shrinking");
    return options;
}

/* ---- by hand -------------------------------------------------------------------------------- */

/* Inserts before what is less probable. */
static void insert(struct naive_list *list, int most, const struct naive *item)
{
    int i = list->count < most ? list->count++ : most;

    for (; i > 0 && list->items[i - 1].logp < item->logp; i--)
        if (i < most)
            list->items[i] = list->items[i - 1];
    if (i < most)
        list->items[i] = *item;
}

/* The `most` best continuations of all that are alive. */
static dgm_status expand(struct tiny *tiny, const struct dgm_batch *batch, int32_t s,
                         const struct naive_list *live, int most, struct naive_list *best)
{
    dgm_real scores[TINY_VOCAB];
    int i, id;

    best->count = 0;
    for (i = 0; i < live->count; i++) {
        struct naive next = live->items[i];
        DGM_TRY(next_scores(tiny, batch, s, next.tokens, next.length, scores));
        for (id = 0; id < TINY_VOCAB; id++) {
            if (id == PAD)
                continue;
            next.tokens[live->items[i].length] = id;
            next.length = live->items[i].length + 1;
            next.logp = live->items[i].logp + log_probability(scores, id);
            insert(best, most, &next);
        }
    }
    return DGM_OK;
}

static dgm_status search_naively(struct tiny *tiny, const struct dgm_batch *batch, int32_t s,
                                 int beam, int64_t limit, struct naive_list *done)
{
    struct naive_list live, best;
    int i;

    memset(&live, 0, sizeof live);
    done->count = 0;
    for (live.count = 1; live.count > 0 && live.items[0].length < limit;) {
        DGM_TRY(expand(tiny, batch, s, &live, beam - done->count, &best));
        live.count = 0;
        for (i = 0; i < best.count; i++) {
            const struct naive *item = &best.items[i];
            if (item->tokens[item->length - 1] == TINY_EOS)
                done->items[done->count++] = *item;
            else
                live.items[live.count++] = *item;
        }
    }
    for (i = 0; i < live.count; i++)
        done->items[done->count++] = live.items[i];
    return DGM_OK;
}

/* ---- compared ------------------------------------------------------------------------------- */

/* A result is in the list, which loses it. */
static void take(struct naive_list *done, const struct dgm_hypothesis *item)
{
    int i;

    for (i = 0; i < done->count; i++)
        if (done->items[i].length == item->length &&
            memcmp(done->items[i].tokens, item->tokens,
                   (size_t)item->length * sizeof *item->tokens) == 0)
            break;
    CHECK(i < done->count);
    CHECK_NEAR(item->logp, done->items[i].logp, 1e-4);
    CHECK_NEAR(item->score, done->items[i].logp / item->length, 1e-4);
    done->items[i] = done->items[--done->count];
}

/* Counts the hypotheses that were still alive at the limit. */
static void check_sentence(struct tiny *tiny, const struct dgm_batch *batch, int32_t s, int beam,
                           int64_t limit, const struct dgm_result *result, int *unfinished)
{
    struct naive_list done;
    int i;

    CHECK_STATUS(search_naively(tiny, batch, s, beam, limit, &done), DGM_OK);
    CHECK_INT(result->count, done.count);
    CHECK_INT(result->count, beam);
    for (i = 0; i < result->count; i++) {
        const struct dgm_hypothesis *item = &result->items[i];
        CHECK(i == 0 || item->score <= item[-1].score);
        take(&done, item);
        *unfinished += item->tokens[item->length - 1] != TINY_EOS;
    }
}

static void check_search(struct tiny *tiny, const struct dgm_batch *batch, int beam, int64_t limit,
                         int *unfinished)
{
    struct dgm_search_options options = search_options(beam, limit);
    const struct dgm_net *model = &tiny->model;
    struct dgm_result results[SENTENCES];
    struct dgm_workers workers;
    int32_t s;

    memset(results, 0, sizeof results);
    CHECK_STATUS(dgm_workers_init(test_env(), &workers, &model, 1, tiny->device, &options), DGM_OK);
    CHECK_STATUS(dgm_translate_all(test_env(), &workers, &batch->source, 100, results, NULL),
                 DGM_OK);
    for (s = 0; s < SENTENCES; s++) {
        check_sentence(tiny, batch, s, beam, limit, &results[s], unfinished);
        dgm_result_clear(test_env(), &results[s]);
    }
    dgm_workers_clear(test_env(), &workers);
}

static void check_model(const struct dgm_model_config *config)
{
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    int unfinished = 0;
    int32_t s;

    memset(&batch, 0, sizeof batch);
    dgm_random_init(&random, 12, 0, 0, 0);
    for (s = 0; s < SENTENCES; s++)
        CHECK_STATUS(tiny_add(&batch, &random, 1 + (int32_t)dgm_random_below(&random, 9),
                              TINY_TREE),
                     DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, config, 1), DGM_OK);
    check_search(&tiny, &batch, 1, LENGTH, &unfinished);
    check_search(&tiny, &batch, 4, LENGTH, &unfinished);
    unfinished = 0;
    check_search(&tiny, &batch, 5, 3, &unfinished);
    CHECK(unfinished > 0);
    check_search(&tiny, &batch, 2, 1, &unfinished);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(beam_shrinks_by_hand_with_a_transformer)
{
    struct dgm_model_config config = tiny_config();

    check_model(&config);
}

TEST(beam_shrinks_by_hand_with_a_recurrent_network)
{
    struct dgm_model_config config = tiny_config();

    tiny_kinds(&config, "lexicalized", "recurrent");
    check_model(&config);
}
