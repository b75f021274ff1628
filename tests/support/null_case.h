/*
 * null_case.h: a deep Transformer (6 and 6 layers of width 512) on the OpenCL driver that computes
 * nothing (cl_null.c): updates of training and steps of a search, and what they ask of the driver.
 */
#ifndef DGM_NULL_CASE_H
#define DGM_NULL_CASE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "config.h"
#include "base/philox.h"
#include "decode/search/search.h"
#include "train/step/optimizer.h"

#ifdef DGM_HAVE_OPENCL
#include <dlfcn.h>
#endif

enum {
    NULL_VOCAB = 10000,
    NULL_EOS = 2,
    NULL_PAIRS = 140, /* of about 3,930 target tokens in all */
    NULL_SHORTEST = 15,
    NULL_SPREAD = 25 /* tokens of a sentence: 15 to 39 */
};

/* The counts of cl_null.c. */
static struct {
    long long (*count)(const char *what);
    long long (*launches)(const char *kernel);
    void (*forget)(void);
    int (*trace)(const char *path);
    void (*note)(const char *task, const double numbers[6]);
} null_driver;

/* Puts the driver in the place of OpenCL's loader. NULL, or why that cannot be. */
static inline const char *null_begin(void)
{
#if defined DGM_HAVE_OPENCL && defined __GLIBC__
    void *driver = dlopen("out/tests/support/cl_null.so", RTLD_NOW | RTLD_LOCAL), *symbol;

    if (driver == NULL)
        return "out/tests/support/cl_null.so was not built";
    symbol = dlsym(driver, "cl_null_count");
    memcpy(&null_driver.count, &symbol, sizeof symbol);
    symbol = dlsym(driver, "cl_null_launches");
    memcpy(&null_driver.launches, &symbol, sizeof symbol);
    symbol = dlsym(driver, "cl_null_forget");
    memcpy(&null_driver.forget, &symbol, sizeof symbol);
    symbol = dlsym(driver, "cl_null_trace");
    memcpy(&null_driver.trace, &symbol, sizeof symbol);
    symbol = dlsym(driver, "cl_null_note");
    memcpy(&null_driver.note, &symbol, sizeof symbol);
    setenv("DGM_CL_TRUST", "0", 1); /* it would fail every trial */
    setenv("DGM_CL_CACHE", "0", 1);
    unsetenv("DGM_CL_SHAPE");
    return NULL;
#else
    (void)null_driver; /* nothing else may name it in such a build */
    return "this build has no OpenCL, or its linker does not know libraries by their names";
#endif
}

/* The GPU of the driver, of which there must be no other; its numbers are those of `word`. */
static inline dgm_status null_open(struct dgm_env *env, struct dgm_device **device,
                                   const char *word)
{
    const struct dgm_device_options options = { 1, NULL, "null", "own",
                                                getenv("CL_NULL_PRECISION") };

    setenv("CL_NULL_DEVICE", word, 1);
    return dgm_device_open(env, device, "opencl", &options);
}

/* ---- model ----------------------------------------------------------------------------------- */

struct null_model {
    struct dgm_device *device;
    struct dgm_net net;
    struct dgm_step step;
    struct dgm_graph graph;
    struct dgm_optimizer optimizer;
    struct dgm_batch batch;
    int64_t updates;
};

static inline struct dgm_model_config null_config(void)
{
    struct dgm_model_config config;

    memset(&config, 0, sizeof config);
    config.dim = 512;
    config.heads = 8;
    config.ffn = 2048;
    config.enc_depth = config.dec_depth = 6;
    config.attention_bias = 1;
    config.positions = DGM_POSITIONS_FAIRSEQ;
    config.tying = DGM_TIED_ALL;
    config.smoothing = 0.1;
    config.dropout = 0.1;
    config.norm_eps = 1e-5;
    config.max_length = 256;
    return config;
}

static inline dgm_status null_add_side(struct dgm_env *env, struct dgm_packed *side,
                                       struct dgm_random *random)
{
    const int32_t count = NULL_SHORTEST + (int32_t)dgm_random_below(random, NULL_SPREAD);
    int32_t ids[NULL_SHORTEST + NULL_SPREAD], word[NULL_SHORTEST + NULL_SPREAD];

    for (int32_t i = 0; i < count; i++) {
        ids[i] = 3 + (int32_t)dgm_random_below(random, NULL_VOCAB - 3);
        word[i] = i;
    }
    ids[count - 1] = NULL_EOS;
    word[count - 1] = -1;
    return dgm_packed_add(env, side, ids, word, count, NULL, count - 1);
}

static inline dgm_status null_pairs(struct dgm_env *env, struct dgm_batch *batch, int32_t count)
{
    struct dgm_packed side[2];
    struct dgm_random random;
    dgm_status status = DGM_OK;

    memset(side, 0, sizeof side);
    dgm_random_init(&random, 1, 92, 0, 0);
    for (int32_t s = 0; s < count && status == DGM_OK; s++) {
        DGM_TRY_OUT(null_add_side(env, &side[0], &random));
        DGM_TRY_OUT(null_add_side(env, &side[1], &random));
        status = dgm_batch_add(env, batch, &side[0], &side[1], s, s);
    }
out:
    dgm_packed_clear(env, &side[0]);
    dgm_packed_clear(env, &side[1]);
    return status;
}

static inline dgm_status null_model_open(struct dgm_env *env, struct null_model *model,
                                         const char *word)
{
    const struct dgm_optimizer_options adam = { 0.9, 0.98, 1e-8, 0, 0, DGM_ADAM, 0 };
    const struct dgm_model_config config = null_config();

    memset(model, 0, sizeof *model);
    DGM_TRY(null_open(env, &model->device, word));
    DGM_TRY(dgm_net_init(env, &model->net, &config, NULL_VOCAB, NULL_VOCAB, NULL_EOS));
    DGM_TRY(dgm_net_allocate(env, &model->net, model->device, 1));
    dgm_step_init(&model->step, model->device);
    DGM_TRY(dgm_graph_init(env, &model->graph, model->device));
    return dgm_optimizer_init(env, &model->optimizer, &model->net.params, &adam, 0,
                              model->net.params.total);
}

static inline void null_model_close(struct dgm_env *env, struct null_model *model)
{
    dgm_batch_clear(env, &model->batch);
    dgm_optimizer_clear(env, &model->optimizer);
    dgm_graph_clear(&model->graph);
    dgm_step_clear(env, &model->step);
    dgm_net_clear(env, &model->net);
    dgm_device_close(env, model->device);
}

/* ---- work ------------------------------------------------------------------------------------ */

/* An update as train/step/update.c makes it: constants, both passes, the loss, the step. */
static inline dgm_status null_update(struct dgm_env *env, struct null_model *model)
{
    static dgm_real losses[2 * NULL_PAIRS * (NULL_SHORTEST + NULL_SPREAD)];
    const uint32_t update = (uint32_t)++model->updates;
    struct dgm_graph *g = &model->graph;
    struct dgm_parse_losses parsing;
    struct dgm_node *loss;
    double norm;

    DGM_TRY(dgm_params_zero_grads(env, &model->net.params));
    DGM_TRY(dgm_net_stage(env, &model->net, &model->step, &model->batch, 1, 1, update));
    dgm_graph_begin(g, 1, 1, update);
    loss = dgm_net_loss(g, &model->net, &model->step, 0.1, 1, &parsing);
    DGM_TRY(dgm_graph_run(g));
    DGM_TRY(dgm_graph_backward(g));
    DGM_TRY(dgm_device_flush(env, model->device));
    DGM_TRY(dgm_graph_read(g, loss, losses));
    return dgm_optimizer_update(env, &model->optimizer, model->updates, 1e-4,
                                1 / (double)dgm_node_rows(loss), &norm);
}

/* Searches the first `sentences` pairs with beam 5, `tokens` tokens each. */
static inline dgm_status null_search(struct dgm_env *env, struct null_model *model,
                                     int32_t sentences, int tokens)
{
    const struct dgm_net *net = &model->net;
    struct dgm_result results[NULL_PAIRS];
    struct dgm_search_options options;
    struct dgm_search search;
    struct dgm_batch batch;
    dgm_status status;

    memset(&batch, 0, sizeof batch);
    memset(results, 0, sizeof results);
    memset(&options, 0, sizeof options);
    options.beam = 5;
    options.alpha = 1;
    options.length_extra = tokens - 1;
    options.forbidden = net->eos; /* all are as long as they may be */
    DGM_TRY_OUT(dgm_search_init(env, &search, &net, 1, model->device, &options));
    DGM_TRY_OUT(null_pairs(env, &batch, sentences));
    status = dgm_search_batch(env, &search, &batch, results);
out:
    for (int32_t s = 0; s < sentences; s++)
        dgm_result_clear(env, &results[s]);
    dgm_batch_clear(env, &batch);
    dgm_search_clear(env, &search);
    return status;
}

#endif
