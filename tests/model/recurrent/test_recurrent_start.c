/*
 * test_recurrent_start.c: initial values with which tree encoders can begin to learn: states that
 * do not grow with depth, and layers beneath and above the tree that pass on what they read.
 */
#include "recurrent_output.h"

enum { CHAIN = 8 };

/* One sentence of CHAIN words, each the head of the next; and one word of target. */
static dgm_status chain_batch(struct dgm_batch *batch)
{
    int32_t ids[CHAIN + 1], word[CHAIN + 1], heads[CHAIN];
    struct dgm_packed source, target;
    dgm_status status;

    memset(batch, 0, sizeof *batch);
    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    for (int32_t i = 0; i < CHAIN; i++) {
        ids[i] = 3 + i % (TINY_VOCAB - 3);
        word[i] = i;
        heads[i] = i > 0 ? i - 1 : 0;
    }
    ids[CHAIN] = TINY_EOS;
    word[CHAIN] = -1;
    status = dgm_packed_add(test_env(), &source, ids, word, CHAIN + 1, heads, CHAIN);
    if (status == DGM_OK)
        status = dgm_packed_add(test_env(), &target, ids + CHAIN, word + CHAIN, 1, NULL, 0);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 0);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

/* The model as training begins, but for embeddings as large as they grow to. */
static dgm_status open_new(struct tiny *tiny, const char *options)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_real table[TINY_VOCAB * RECURRENT_D];
    struct dgm_model_config config;
    dgm_param_id id;

    DGM_TRY(recurrent_config(&config, options));
    recurrent_widths(&config, RECURRENT_D, RECURRENT_D, RECURRENT_K);
    DGM_TRY(tiny_open(tiny, &config, 1));
    DGM_TRY(dgm_params_initialise(test_env(), params, TINY_SEED));
    id = dgm_params_find(params, "encoder.embed_tokens.weight");
    dgm_init_fill(table, TINY_VOCAB, RECURRENT_D, DGM_INIT_NORMAL, 0.5, TINY_SEED, 1);
    return dgm_params_write(test_env(), params, id, table);
}

static double rms(const dgm_real *x, int64_t count)
{
    double sum = 0;

    for (int64_t i = 0; i < count; i++)
        sum += (double)x[i] * (double)x[i];
    return sqrt(sum / (double)count);
}

TEST(recurrent_dependency_states_begin_without_growing_with_depth)
{
    static const char *const options[] = {
        "encoder = lexicalized\n",
        "encoder = lexicalized\nbirnn = 0\n",
        "encoder = lexicalized\ncarry = mean\n",
        "encoder = lexicalized\ndynamic-z = 1\n",
        "encoder = lexicalized\ndynamic-z = 1\nbirnn = 0\n",
    };

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct recurrent_output out;
        struct dgm_batch batch;
        struct tiny tiny;
        double first, deepest;

        CHECK_STATUS(open_new(&tiny, options[i]), DGM_OK);
        CHECK_STATUS(chain_batch(&batch), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
        first = rms(out.encoded, out.columns);
        deepest = rms(out.encoded + (CHAIN - 1) * out.columns, out.columns);
        CHECK(first > 0.05);
        CHECK(deepest < 4 * first); /* with an update gate of 1/2: 5 to 15 times */
        CHECK(deepest < 0.7);
        recurrent_forget(&out);
        dgm_batch_clear(test_env(), &batch);
        tiny_close(&tiny);
    }
}

/* The first d numbers, the update gate's, and all others; of "bias", and of "bias.weight" a row. */
static void check_bias(const struct tiny *tiny, const char *name, double update)
{
    static dgm_real values[RECURRENT_REALS];
    const struct dgm_params *params = &tiny->model.params;
    dgm_param_id id = dgm_params_find(params, name);
    int64_t count = id < 0 ? 0 : params->items[id].rows * params->items[id].cols;

    CHECK(id >= 0);
    CHECK_STATUS(dgm_params_read(test_env(), params, id, values), DGM_OK);
    for (int64_t i = 0; i < count; i++)
        CHECK_NEAR(values[i], i < count / 3 ? update : 0, 1e-6);
}

TEST(recurrent_dependency_update_gates_begin_at_a_quarter)
{
    struct tiny tiny;

    CHECK_STATUS(open_new(&tiny, "encoder = lexicalized\n"), DGM_OK);
    check_bias(&tiny, "encoder.tree.left.word.bias", -log(3.0));
    check_bias(&tiny, "encoder.tree.right.word.bias", -log(3.0));
    tiny_close(&tiny);
    CHECK_STATUS(open_new(&tiny, "encoder = lexicalized\ncarry = mean\n"), DGM_OK);
    check_bias(&tiny, "encoder.tree.left.word.bias", 0);
    tiny_close(&tiny);
    CHECK_STATUS(open_new(&tiny, "encoder = lexicalized\ndynamic-z = 1\n"), DGM_OK);
    check_bias(&tiny, "encoder.tree.left.bias.weight", -log(3.0) / RECURRENT_K);
    check_bias(&tiny, "encoder.tree.right.meta.word.bias", -log(3.0));
    tiny_close(&tiny);
}

/* Every row has length 1: sums of many small numbers come out as large as these. */
static void check_gain(const struct tiny *tiny, const char *name)
{
    static dgm_real values[RECURRENT_REALS];
    const struct dgm_params *params = &tiny->model.params;
    dgm_param_id id = dgm_params_find(params, name);

    CHECK(id >= 0);
    CHECK_STATUS(dgm_params_read(test_env(), params, id, values), DGM_OK);
    for (int64_t r = 0; r < params->items[id].rows; r++) {
        int64_t cols = params->items[id].cols;
        CHECK_NEAR(rms(values + r * cols, cols) * sqrt((double)cols), 1, 1e-5);
    }
}

TEST(recurrent_layers_around_a_tree_begin_with_unit_gain)
{
    struct tiny tiny;

    CHECK_STATUS(open_new(&tiny, "encoder = lexicalized\n"), DGM_OK);
    check_gain(&tiny, "encoder.projection.weight");
    check_gain(&tiny, "encoder.init.weight");
    tiny_close(&tiny);
    CHECK_STATUS(open_new(&tiny, "encoder = constituency\n"), DGM_OK);
    check_gain(&tiny, "encoder.projection.weight");
    tiny_close(&tiny);
}

/* A bias B z, with z near ones, moves by the sum of the steps in a row of B. */
TEST(recurrent_dynamic_biases_take_steps_as_long_as_others)
{
    static const char *const options[] = {
        "encoder = lexicalized\ndynamic-z = 1\n",
        "encoder = constituency\ndynamic-z = 1\n",
    };

    for (int i = 0; i < 2; i++) {
        struct tiny tiny;
        int factors = 0;
        CHECK_STATUS(open_new(&tiny, options[i]), DGM_OK);
        for (size_t p = 0; p < tiny.model.params.count; p++) {
            const struct dgm_param *param = &tiny.model.params.items[p];
            int is_factor = recurrent_ends_in(param->name, "bias.weight");
            CHECK_NEAR(param->rate, is_factor ? 1.0 / RECURRENT_K : 1, 1e-12);
            factors += is_factor;
        }
        CHECK_INT(factors, i == 0 ? 2 : 1);
        tiny_close(&tiny);
    }
}
