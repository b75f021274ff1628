/*
 * test_recurrent_warm.c: recurrent models compute the same bits with any number of threads, ask for
 * no memory when they are warm, and say so when there is none.
 */
#include "model/search/incremental.h"
#include "recurrent_output.h"

static void each_case(void (*check)(const struct recurrent_case *))
{
    for (int v = 0; v < RECURRENT_CASES; v++)
        check(&recurrent_cases[v]);
}

/* ---- threads and memory ---------------------------------------------------------------------- */

static void check_threads(const struct recurrent_case *one)
{
    struct dgm_model_config config;
    struct dgm_batch batch;
    dgm_real *grads[3];
    double loss[3] = { 0, 1, 2 };
    size_t bytes = 0;

    CHECK_STATUS(recurrent_config(&config, one->options), DGM_OK);
    recurrent_widths(&config, RECURRENT_E, 2 * RECURRENT_D, RECURRENT_K);
    config.dropout = 0.2;
    CHECK_STATUS(recurrent_batch(&batch, 6), DGM_OK);
    for (int t = 0; t < 3; t++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_start(&tiny, &config, 1 + t), DGM_OK);
        CHECK_STATUS(tiny_step(&tiny, &batch, 4, &loss[t]), DGM_OK);
        grads[t] = tiny_grads(&tiny);
        CHECK(grads[t] != NULL);
        bytes = (size_t)tiny.model.params.total * sizeof *grads[t];
        tiny_close(&tiny);
    }
    for (int t = 1; t < 3; t++) {
        RECURRENT_CHECK(one, memcmp(&loss[t], &loss[0], sizeof loss[0]) == 0);
        RECURRENT_CHECK(one, memcmp(grads[t], grads[0], bytes) == 0);
    }
    for (int t = 0; t < 3; t++)
        dgm_release(test_env(), grads[t]);
    dgm_batch_clear(test_env(), &batch);
}

TEST(recurrent_models_compute_the_same_bits_with_any_number_of_threads)
{
    each_case(check_threads);
}

/* Batches that take turns: when each has been there, no step asks for memory. */
static void check_warm(const struct recurrent_case *one)
{
    struct dgm_batch batches[2];
    struct tiny tiny;
    long asked = 0;
    int64_t grown = 0;
    double loss;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    for (int b = 0; b < 2; b++)
        CHECK_STATUS(recurrent_batch(&batches[b], 7 + (uint64_t)b), DGM_OK);
    for (uint32_t update = 0; update < 6; update++) {
        if (update == 2) {
            asked = test_allocations();
            grown = tiny.graph.allocations;
        }
        CHECK_STATUS(tiny_step(&tiny, &batches[update % 2], update + 1, &loss), DGM_OK);
    }
    RECURRENT_CHECK(one, test_allocations() == asked);
    RECURRENT_CHECK(one, tiny.graph.allocations == grown);
    for (int b = 0; b < 2; b++)
        dgm_batch_clear(test_env(), &batches[b]);
    tiny_close(&tiny);
}

TEST(recurrent_models_ask_for_no_memory_in_warm_steps)
{
    each_case(check_warm);
}

/* The same of a search: sentences are encoded, then three steps of all hypotheses. */
static dgm_status few_steps(struct dgm_incremental *state, const struct dgm_batch *batch)
{
    int32_t from[2 * RECURRENT_PAIRS], ids[2 * RECURRENT_PAIRS];
    struct dgm_ref where;

    for (int32_t r = 0; r < 2 * RECURRENT_PAIRS; r++) {
        from[r] = r / 2;
        ids[r] = 3 + r % 7;
    }
    DGM_TRY(dgm_incremental_begin(test_env(), state, batch));
    DGM_TRY(dgm_incremental_step(test_env(), state, ids, &where));
    for (int step = 0; step < 3; step++) {
        DGM_TRY(dgm_incremental_select(test_env(), state, from, 2 * RECURRENT_PAIRS));
        DGM_TRY(dgm_incremental_step(test_env(), state, ids, &where));
        for (int32_t r = 0; r < 2 * RECURRENT_PAIRS; r++)
            from[r] = r;
    }
    return DGM_OK;
}

static void check_warm_search(const struct recurrent_case *one)
{
    struct dgm_incremental state;
    struct dgm_batch batch;
    struct tiny tiny;
    long asked = 0;

    CHECK_STATUS(recurrent_open(&tiny, one->options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 7), DGM_OK);
    CHECK_STATUS(dgm_incremental_init(test_env(), &state, &tiny.model, tiny.device), DGM_OK);
    for (int again = 0; again < 4; again++) {
        if (again == 2)
            asked = test_allocations();
        CHECK_STATUS(few_steps(&state, &batch), DGM_OK);
    }
    RECURRENT_CHECK(one, test_allocations() == asked);
    dgm_incremental_clear(test_env(), &state);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_models_ask_for_no_memory_in_warm_searches)
{
    each_case(check_warm_search);
}

/* ---- too little memory (make check-oom) ------------------------------------------------------ */

/* All that allocates: a training step, an evaluation, a search. */
static void check_memory(const char *options)
{
    struct dgm_incremental state;
    struct recurrent_output out;
    struct dgm_batch batch;
    struct tiny tiny;
    double loss;

    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    CHECK_STATUS(recurrent_batch(&batch, 7), DGM_OK);
    CHECK_STATUS(dgm_incremental_init(test_env(), &state, &tiny.model, tiny.device), DGM_OK);
    CHECK_STATUS(few_steps(&state, &batch), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &loss), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    recurrent_forget(&out);
    dgm_incremental_clear(test_env(), &state);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(recurrent_sequential_model_that_lacks_memory_says_so)
{
    check_memory("encoder = sequential\n");
}

TEST(recurrent_dependency_chains_that_lack_memory_say_so)
{
    check_memory("encoder = sequential-dependency\n");
}

TEST(recurrent_lexicalized_model_that_lacks_memory_says_so)
{
    check_memory("encoder = lexicalized\ndynamic-z = 1\n");
}

TEST(recurrent_constituency_model_that_lacks_memory_says_so)
{
    check_memory("encoder = constituency\ndynamic-z = 1\nattend-level = 2\n");
}
