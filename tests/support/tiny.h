/*
 * tiny.h: a network small enough for a test, with sentence pairs and trees of every shape.
 */
#ifndef DGM_TEST_TINY_H
#define DGM_TEST_TINY_H

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "model/decoder.h"
#include "open_device.h"
#include "test.h"

enum { TINY_VOCAB = 11, TINY_EOS = 2, TINY_SEED = 5, TINY_LONGEST = 50 };

/* What kind of parse a sentence has. */
enum tiny_tree { TINY_TREE, TINY_TWO_ROOTS, TINY_NO_PARSE, TINY_TREES };

struct tiny {
    struct dgm_device *device;
    struct dgm_net model;
    struct dgm_step step;
    struct dgm_graph graph;
    struct dgm_node *loss;
    struct dgm_parse_losses parse_losses; /* of the graph built last */
};

/* Two layers of width 8 each side, two heads, no dropout. */
static inline struct dgm_model_config tiny_config(void)
{
    struct dgm_model_config config;

    memset(&config, 0, sizeof config);
    config.dim = 8;
    config.heads = 2;
    config.ffn = 10;
    config.enc_depth = config.dec_depth = 2;
    config.attention_bias = 1;
    config.positions = DGM_POSITIONS_FAIRSEQ;
    config.tying = DGM_TIED_ALL;
    config.smoothing = 0.1;
    config.norm_eps = 1e-5;
    config.max_length = 64;
    return config;
}

/* Its sides, by their names, where one of them is recurrent: states as wide as no other thing. */
static inline void tiny_kinds(struct dgm_model_config *config, const char *encoder,
                              const char *decoder)
{
    int i;

    for (i = 0; i < dgm_encoder_count(); i++)
        if (strcmp(dgm_encoder_entry(i)->name, encoder) == 0)
            config->encoder = i;
    for (i = 0; i < dgm_decoder_count(); i++)
        if (strcmp(dgm_decoder_entry(i)->name, decoder) == 0)
            config->decoder = i;
    config->recurrent.dim = 6;
    config->recurrent.birnn = 1;
    config->recurrent.source_end = -1;
}

/* Every parameter normal with standard deviation 0.4, so that no gradient is zero by chance. */
static inline dgm_status tiny_fill(struct dgm_params *params, uint64_t seed)
{
    struct dgm_random random;
    size_t p;

    dgm_random_init(&random, seed, 70, 0, 0);
    for (p = 0; p < params->count; p++) {
        int64_t count = params->items[p].rows * params->items[p].cols, i;
        dgm_real *values = dgm_alloc(test_env(), (size_t)count, sizeof *values);
        dgm_status status = DGM_MEMORY;
        if (values != NULL) {
            for (i = 0; i < count; i++)
                values[i] = (dgm_real)(0.4 * dgm_random_normal(&random));
            status = dgm_params_write(test_env(), params, (dgm_param_id)p, values);
        }
        dgm_release(test_env(), values);
        DGM_TRY(status);
    }
    return DGM_OK;
}

/* A model on a device that is open: those of one search share it, as a driver takes no memory of
 * another device. */
static inline dgm_status tiny_open_net(struct dgm_net *model, const struct dgm_model_config *config,
                                       int32_t targets, struct dgm_device *device, uint64_t seed)
{
    DGM_TRY(dgm_net_init(test_env(), model, config, TINY_VOCAB, targets, TINY_EOS));
    DGM_TRY(dgm_net_allocate(test_env(), model, device, 1));
    return tiny_fill(&model->params, seed);
}

static inline dgm_status tiny_open(struct tiny *tiny, const struct dgm_model_config *config,
                                   int threads)
{
    struct dgm_env *env = test_env();

    memset(tiny, 0, sizeof *tiny);
    DGM_TRY(open_device(env, &tiny->device, threads));
    DGM_TRY(tiny_open_net(&tiny->model, config, TINY_VOCAB, tiny->device, TINY_SEED));
    dgm_step_init(&tiny->step, tiny->device);
    return dgm_graph_init(env, &tiny->graph, tiny->device);
}

static inline void tiny_close(struct tiny *tiny)
{
    dgm_graph_clear(&tiny->graph);
    dgm_step_clear(test_env(), &tiny->step);
    dgm_net_clear(test_env(), &tiny->model);
    dgm_device_close(test_env(), tiny->device);
}

/* ---- sentences ----------------------------------------------------------------------------- */

/* Heads drawn over a random order of the words: projective or not, with one root or two. */
static inline void tiny_heads(struct dgm_random *random, int32_t *heads, int32_t words,
                              enum tiny_tree kind)
{
    uint32_t order[TINY_LONGEST];
    int32_t i, roots = kind == TINY_TWO_ROOTS ? 2 : 1;

    for (i = 0; i < words; i++)
        order[i] = (uint32_t)i;
    dgm_random_shuffle(random, order, (size_t)words);
    for (i = 0; i < words; i++)
        heads[order[i]] = kind == TINY_NO_PARSE ? -1
                          : i < roots           ? (int32_t)order[i]
                                      : (int32_t)order[dgm_random_below(random, (uint32_t)i)];
}

/* Adds one side of `words` words, each cut into 1 to `pieces` pieces. */
static inline dgm_status tiny_add_side(struct dgm_packed *side, struct dgm_random *random,
                                       int32_t words, uint32_t pieces, enum tiny_tree kind)
{
    int32_t ids[2 * TINY_LONGEST], word[2 * TINY_LONGEST], heads[TINY_LONGEST], n = 0, w;

    tiny_heads(random, heads, words, kind);
    for (w = 0; w < words; w++) {
        uint32_t left = 1 + dgm_random_below(random, pieces);
        for (; left > 0; left--) {
            ids[n] = 3 + (int32_t)dgm_random_below(random, TINY_VOCAB - 3);
            word[n++] = w;
        }
    }
    ids[n] = TINY_EOS;
    word[n++] = -1;
    return dgm_packed_add(test_env(), side, ids, word, n, heads, words);
}

static inline dgm_status tiny_add(struct dgm_batch *batch, struct dgm_random *random, int32_t words,
                                  enum tiny_tree kind)
{
    struct dgm_packed source, target;
    int32_t number = 100 + batch->source.count;
    dgm_status status;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    status = tiny_add_side(&source, random, words, 2, kind);
    if (status == DGM_OK)
        status = tiny_add_side(&target, random,
                               1 + (int32_t)dgm_random_below(random, (uint32_t)words + 2), 2,
                               TINY_NO_PARSE);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, number);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

/* A sentence of each kind, then one of a single word. */
static inline dgm_status tiny_batch(struct dgm_batch *batch, uint64_t seed)
{
    struct dgm_random random;
    int kind;

    memset(batch, 0, sizeof *batch);
    dgm_random_init(&random, seed, 71, 0, 0);
    for (kind = 0; kind < TINY_TREES; kind++)
        DGM_TRY(tiny_add(batch, &random, 3 + (int32_t)dgm_random_below(&random, 3),
                         (enum tiny_tree)kind));
    return tiny_add(batch, &random, 1, TINY_TREE);
}

/* One sentence pair of a batch as a batch of its own, under the same number. */
static inline dgm_status tiny_single(struct dgm_batch *out, const struct dgm_batch *batch,
                                     int32_t s)
{
    memset(out, 0, sizeof *out);
    return dgm_batch_add(test_env(), out, &batch->source, &batch->target, s, batch->numbers[s]);
}

/* ---- steps --------------------------------------------------------------------------------- */

static inline dgm_status tiny_stage(struct tiny *tiny, const struct dgm_batch *batch, int training,
                                    uint32_t update)
{
    DGM_TRY(
        dgm_net_stage(test_env(), &tiny->model, &tiny->step, batch, training, TINY_SEED, update));
    dgm_graph_begin(&tiny->graph, training, TINY_SEED, update);
    return DGM_OK;
}

/* Stages a batch and builds its loss, ready to run. */
static inline dgm_status tiny_build(struct tiny *tiny, const struct dgm_batch *batch, int training,
                                    uint32_t update)
{
    DGM_TRY(tiny_stage(tiny, batch, training, update));
    tiny->loss = dgm_net_loss(&tiny->graph, &tiny->model, &tiny->step, tiny->model.config.smoothing,
                              1, &tiny->parse_losses);
    return tiny->graph.status;
}

/* What the losses of heads that are parsers add to the loss whose gradient a step computes. */
static inline dgm_status tiny_parse_sum(struct tiny *tiny, double *sum)
{
    const struct dgm_parse_losses *losses = &tiny->parse_losses;
    dgm_real rows[512];
    int64_t i;
    int k;

    *sum = 0;
    for (k = 0; k < losses->count; k++) {
        double scale = losses->items[k].weight * losses->unit;
        DGM_TRY(dgm_graph_read(&tiny->graph, losses->items[k].node, rows));
        for (i = 0; i < dgm_node_rows(losses->items[k].node); i++)
            *sum += scale * (double)rows[i] / (double)losses->items[k].mean_over;
    }
    return DGM_OK;
}

/* Runs what tiny_build has built; the sum of all smoothed losses, and of parse losses weighted as
 * in the gradients. */
static inline dgm_status tiny_run(struct tiny *tiny, double *sum)
{
    dgm_real losses[2 * 512];
    int64_t i;

    DGM_TRY(dgm_graph_run(&tiny->graph));
    DGM_TRY(dgm_graph_read(&tiny->graph, tiny->loss, losses));
    DGM_TRY(tiny_parse_sum(tiny, sum));
    for (i = 0; i < dgm_node_rows(tiny->loss); i++)
        *sum += (double)losses[2 * i];
    return DGM_OK;
}

static inline dgm_status tiny_forget_grads(struct tiny *tiny)
{
    struct dgm_fill_args fill;

    memset(&fill, 0, sizeof fill);
    fill.y.buffer = tiny->model.params.grads;
    fill.count = tiny->model.params.total;
    return dgm_device_run(test_env(), tiny->device, DGM_TASK_fill, &fill);
}

/* One training step without an update: gradients start from zero. */
static inline dgm_status tiny_step(struct tiny *tiny, const struct dgm_batch *batch,
                                   uint32_t update, double *sum)
{
    DGM_TRY(tiny_forget_grads(tiny));
    DGM_TRY(tiny_build(tiny, batch, 1, update));
    DGM_TRY(tiny_run(tiny, sum));
    return dgm_graph_backward(&tiny->graph);
}

/* All gradients, (params.total) reals, padding included; released by the caller. */
static inline dgm_real *tiny_grads(struct tiny *tiny)
{
    size_t count = (size_t)tiny->model.params.total;
    dgm_real *grads = dgm_alloc(test_env(), count, sizeof *grads);
    struct dgm_ref start = { NULL, 0 };

    start.buffer = tiny->model.params.grads;
    if (grads != NULL &&
        dgm_device_read(test_env(), tiny->device, grads, start, count * sizeof *grads) != DGM_OK) {
        dgm_release(test_env(), grads);
        return NULL;
    }
    return grads;
}

/* Encoder output (N,D) and, if not NULL, target scores (M,V), outside training. */
static inline dgm_status tiny_outputs(struct tiny *tiny, const struct dgm_batch *batch,
                                      dgm_real *encoded, dgm_real *logits)
{
    struct dgm_graph *g = &tiny->graph;
    struct dgm_encoding x;
    struct dgm_node *scores = NULL;

    DGM_TRY(tiny_stage(tiny, batch, 0, 1));
    x = dgm_net_encode(g, &tiny->model, &tiny->step);
    dgm_keep(g, x.rows);
    if (logits != NULL)
        scores = dgm_keep(g, dgm_net_logits(g, &tiny->model,
                                            dgm_net_decode(g, &tiny->model, &tiny->step, &x)));
    DGM_TRY(dgm_graph_run(g));
    DGM_TRY(dgm_graph_read(g, x.rows, encoded));
    return logits != NULL ? dgm_graph_read(g, scores, logits) : DGM_OK;
}

#endif
