/*
 * bench_variants.h: sentence pairs like Multi30k's, with random trees on both sides, and a model of
 * recipe multi30k-tiny's shape that trains on and translates them.
 */
#ifndef DGM_BENCH_VARIANTS_H
#define DGM_BENCH_VARIANTS_H

#include "decode/search/search.h"
#include "train/step/optimizer.h"

enum { BENCH_VOCAB = 9712, BENCH_TAGS = 48, BENCH_EOS = 2 };

/* Pairs of at most `tokens` tokens, the longer side of each counted, or `sentences` pairs. Aborts
 * without memory, as all here. */
void bench_pairs(struct dgm_env *env, struct dgm_batch *batch, int64_t tokens, int sentences);

/* What a model is, and how it is trained and searched. */
struct bench_shape {
    struct dgm_model_config config;
    struct dgm_optimizer_options optimizer;
    int vocab, threads;
    int tokens; /* that a search writes for each sentence */
};

/* One model and what it needs for steps of training and for translating. */
struct bench_model {
    struct dgm_env env;
    struct dgm_device *device;
    struct dgm_net net;
    struct dgm_step step;
    struct dgm_graph graph;
    struct dgm_optimizer optimizer;
    struct dgm_search search;
    dgm_real *losses; /* (M,2) on the host */
    size_t loss_capacity;
    int64_t updates;
};

/* A plain Transformer or a variant of it. */
void bench_model_open(struct bench_model *model, const char *syntax);
/* Any other; the source trees that it needs are those of bench_pairs' kind. */
void bench_model_open_as(struct bench_model *model, const struct bench_shape *shape);
void bench_model_close(struct bench_model *model);

/* A whole update: constants, forward, backward, the optimizer. */
void bench_model_train(struct bench_model *model, const struct dgm_batch *batch);
/* Translates with beam 5, as `dragoman translate` does: BENCH_STEPS tokens for each sentence, or as
 * many as the shape says. */
enum { BENCH_STEPS = 15 };
void bench_model_translate(struct bench_model *model, const struct dgm_batch *batch);

#endif
