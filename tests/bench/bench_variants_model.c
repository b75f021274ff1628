/*
 * bench_variants_model.c: the model and the sentences behind bench_variants.c.
 */
#include "bench/bench_variants.h"

#include <stdlib.h>
#include <string.h>

#include "base/philox.h"

static void must(dgm_status status)
{
    if (status != DGM_OK)
        abort();
}

/* ---- sentences ------------------------------------------------------------------------------ */

/* 13 words on average, 4 to 31. */
enum { SHORTEST = 4, DRAWS = 3, DRAW = 7, LONGEST = 31, PIECES = 4 };

static int32_t draw_words(struct dgm_random *random)
{
    int32_t words = SHORTEST, i;

    for (i = 0; i < DRAWS; i++)
        words += (int32_t)dgm_random_below(random, DRAW);
    return dgm_random_below(random, 40) ? words : LONGEST;
}

/* Every word but the root depends on one that was drawn before it, most often a near one. */
static void draw_heads(struct dgm_random *random, int32_t *heads, int32_t words)
{
    uint32_t order[LONGEST];
    int32_t i;

    for (i = 0; i < words; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)words);
    for (i = 0; i < words; i++)
        heads[order[i]] =
            i == 0 ? (int32_t)order[0] : (int32_t)order[dgm_random_below(random, (uint32_t)i)];
}

/* One word in twelve has several pieces. */
static void add_side(struct dgm_env *env, struct dgm_packed *side, struct dgm_random *random)
{
    int32_t ids[PIECES * LONGEST + 1], word[PIECES * LONGEST + 1];
    int32_t heads[LONGEST], tags[LONGEST], words = draw_words(random), n = 0, w;

    draw_heads(random, heads, words);
    for (w = 0; w < words; w++) {
        uint32_t left = 1;
        if (dgm_random_below(random, 12) == 0)
            left += 1 + dgm_random_below(random, PIECES - 1);
        tags[w] = (int32_t)dgm_random_below(random, BENCH_TAGS);
        for (; left > 0; left--) {
            ids[n] = 3 + (int32_t)dgm_random_below(random, BENCH_VOCAB - 3);
            word[n++] = w;
        }
    }
    ids[n] = BENCH_EOS;
    word[n++] = -1;
    must(dgm_packed_add(env, side, ids, word, n, heads, words));
    must(dgm_packed_add_feature(env, side, DGM_FEATURE_DEPREL, tags));
}

void bench_pairs(struct dgm_env *env, struct dgm_batch *batch, int64_t tokens, int sentences)
{
    struct dgm_packed side[2];
    struct dgm_random random;
    int32_t s;

    memset(batch, 0, sizeof *batch);
    memset(side, 0, sizeof side);
    dgm_random_init(&random, 1, 90, 0, 0);
    for (s = 0; s < sentences; s++) {
        add_side(env, &side[0], &random);
        add_side(env, &side[1], &random);
        tokens -= dgm_packed_length(&side[0], s) > dgm_packed_length(&side[1], s)
                      ? dgm_packed_length(&side[0], s)
                      : dgm_packed_length(&side[1], s);
        if (tokens < 0)
            break;
        must(dgm_batch_add(env, batch, &side[0], &side[1], s, s));
    }
    dgm_packed_clear(env, &side[0]);
    dgm_packed_clear(env, &side[1]);
}

/* ---- model ---------------------------------------------------------------------------------- */

/* corpora/recipes/multi30k-tiny.conf. */
static struct dgm_model_config config_of(const char *syntax)
{
    struct dgm_model_config config;

    memset(&config, 0, sizeof config);
    config.dim = 128;
    config.heads = 4;
    config.ffn = 256;
    config.enc_depth = config.dec_depth = 4;
    config.attention_bias = 1;
    config.positions = DGM_POSITIONS_FAIRSEQ;
    config.tying = DGM_TIED_ALL;
    config.smoothing = 0.1;
    config.dropout = 0.3;
    config.norm_eps = 1e-5;
    config.max_length = 256;
    config.features[DGM_FEATURE_DEPREL] = BENCH_TAGS;
    strcpy(config.syntax, syntax);
    return config;
}

/* Small noise: parameters start so at once, while orthogonal matrices take seconds. */
static void fill(struct dgm_env *env, const struct dgm_params *params)
{
    const struct dgm_ref values = { params->values, 0 };
    dgm_real *noise = malloc((size_t)params->total * sizeof *noise);
    struct dgm_random random;

    if (noise == NULL)
        abort();
    dgm_random_init(&random, 1, 91, 0, 0);
    for (int64_t i = 0; i < params->total; i++)
        noise[i] = ((dgm_real)dgm_random_below(&random, 1024) - 512) / (dgm_real)8192;
    must(dgm_device_write(env, params->device, values, noise,
                          (size_t)params->total * sizeof *noise));
    free(noise);
}

static void open_search(struct bench_model *model, int tokens)
{
    const struct dgm_net *net = &model->net;
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = 5;
    options.alpha = 1;
    options.length_extra = tokens - 1;
    options.forbidden = net->eos; /* all are as long as they may be */
    must(dgm_search_init(&model->env, &model->search, &net, 1, model->device, &options));
}

void bench_model_open_as(struct bench_model *model, const struct bench_shape *shape)
{
    struct dgm_device_options options = { shape->threads, NULL, NULL, NULL, NULL };
    struct dgm_env *env = &model->env;

    memset(model, 0, sizeof *model);
    dgm_env_init(env);
    must(dgm_device_open(env, &model->device, "cpu", &options));
    must(dgm_net_init(env, &model->net, &shape->config, shape->vocab, shape->vocab, BENCH_EOS));
    must(dgm_net_allocate(env, &model->net, model->device, 1));
    fill(env, &model->net.params);
    dgm_step_init(&model->step, model->device);
    must(dgm_graph_init(env, &model->graph, model->device));
    must(dgm_optimizer_init(env, &model->optimizer, &model->net.params, &shape->optimizer, 0,
                            model->net.params.total));
    open_search(model, shape->tokens);
}

void bench_model_open(struct bench_model *model, const char *syntax)
{
    const struct dgm_optimizer_options adam = { 0.9, 0.98, 1e-8, 0, 0, DGM_ADAM, 0 };
    struct bench_shape shape;

    shape.config = config_of(syntax);
    shape.optimizer = adam;
    shape.vocab = BENCH_VOCAB;
    shape.threads = 1;
    shape.tokens = BENCH_STEPS;
    bench_model_open_as(model, &shape);
}

void bench_model_close(struct bench_model *model)
{
    struct dgm_env *env = &model->env;

    dgm_search_clear(env, &model->search);
    dgm_optimizer_clear(env, &model->optimizer);
    dgm_graph_clear(&model->graph);
    dgm_step_clear(env, &model->step);
    dgm_net_clear(env, &model->net);
    dgm_release(env, model->losses);
    dgm_device_close(env, model->device);
}

void bench_model_train(struct bench_model *model, const struct dgm_batch *batch)
{
    struct dgm_env *env = &model->env;
    struct dgm_graph *g = &model->graph;
    uint32_t update = (uint32_t)++model->updates;
    struct dgm_parse_losses parsing;
    struct dgm_node *loss;
    double norm;

    must(dgm_params_zero_grads(env, &model->net.params));
    must(dgm_net_stage(env, &model->net, &model->step, batch, 1, 1, update));
    dgm_graph_begin(g, 1, 1, update);
    loss = dgm_net_loss(g, &model->net, &model->step, 0.1, 1, &parsing);
    must(dgm_graph_run(g));
    must(dgm_reserve(env, &model->losses, &model->loss_capacity, 2 * (size_t)dgm_node_rows(loss),
                     sizeof *model->losses));
    must(dgm_graph_read(g, loss, model->losses));
    must(dgm_graph_backward(g));
    must(dgm_optimizer_update(env, &model->optimizer, model->updates, 1e-6,
                              1 / (double)dgm_node_rows(loss), &norm));
}

void bench_model_translate(struct bench_model *model, const struct dgm_batch *batch)
{
    struct dgm_result *results = calloc((size_t)batch->source.count, sizeof *results);
    int32_t s;

    if (results == NULL)
        abort();
    must(dgm_search_batch(&model->env, &model->search, batch, results));
    for (s = 0; s < batch->source.count; s++)
        dgm_result_clear(&model->env, &results[s]);
    free(results);
}
