/*
 * variant_case.h: every variant of self-attention as a case, sentence pairs with trees of every
 * shape on both sides, and pairs of models that ought to agree.
 */
#ifndef DGM_TEST_VARIANT_CASE_H
#define DGM_TEST_VARIANT_CASE_H

#include <math.h>
#include <stdio.h>

#include "data/tree/feature.h"
#include "nn/attn/syntax.h"
#include "tiny.h"

enum { VARIANT_RELATIONS = 5, VARIANT_WORDS = 7, VARIANT_PIECES = 3, VARIANT_REALS = 4096 };

struct variant_case {
    char syntax[160];
    char calm[160]; /* the same without what happens in training only; "": nothing does */
};

/* Variants together; alone they are the samples of their kinds. */
static const char *const variant_pairs[][2] = {
    { "depth(l=1)+shaw(k=2)", "" },
    { "deps-san(layers=1-2)+shaw(k=2)", "" },
    { "dbsa(enc-layer=1,dec-layer=1)+localness(layers=1)", "" },
    { "context+localness", "" },
    { "sgsa(m=1,node-drop=0.3)+dbsa(enc-layer=1,dec-layer=2)",
      "sgsa(m=1,node-drop=0)+dbsa(enc-layer=1,dec-layer=2)" },
    { "lisa+deps-san(layers=1-2,rs-q=0.2)+pascal(heads=1 2)",
      "lisa+deps-san(layers=1-2)+pascal(heads=1 2)" },
    { "tags(dim=3)+sgsa(m=1,fusion=linear,node-drop=0.3)+shaw(k=1)",
      "tags(dim=3)+sgsa(m=1,fusion=linear,node-drop=0)+shaw(k=1)" },
};

enum { VARIANT_TOGETHER = sizeof variant_pairs / sizeof variant_pairs[0] };

/* "name(options)", of `length` bytes of options. */
static inline void variant_write(char *out, size_t size, const char *name, const char *options,
                                 size_t length)
{
    if (length == 0)
        snprintf(out, size, "%s", name);
    else
        snprintf(out, size, "%s(%.*s)", name, (int)length, options);
}

static inline void variant_sample(struct variant_case *one, const char *name, const char *sample)
{
    const char *calm = strstr(sample, " | ");
    size_t length = calm != NULL ? (size_t)(calm - sample) : strlen(sample);

    variant_write(one->syntax, sizeof one->syntax, name, sample, length);
    one->calm[0] = '\0';
    if (calm != NULL)
        variant_write(one->calm, sizeof one->calm, name, calm + 3, strlen(calm + 3));
}

/* Case number i: every sample of every variant in the list, then variants together; 0: there are
 * not so many. */
static inline int variant_case_at(int i, struct variant_case *one)
{
    int k, s;

    for (k = 0; dgm_attn_kinds[k] != NULL; k++)
        for (s = 0; dgm_attn_kinds[k]->samples[s] != NULL; s++)
            if (i-- == 0) {
                variant_sample(one, dgm_attn_kinds[k]->name, dgm_attn_kinds[k]->samples[s]);
                return 1;
            }
    if (i >= VARIANT_TOGETHER)
        return 0;
    snprintf(one->syntax, sizeof one->syntax, "%s", variant_pairs[i][0]);
    snprintf(one->calm, sizeof one->calm, "%s", variant_pairs[i][1]);
    return 1;
}

/* ---- sentences ------------------------------------------------------------------------------- */

struct variant_sentence {
    int32_t words, heads[VARIANT_WORDS];
    uint32_t pieces; /* of a word at most */
};

enum { VARIANT_PAIRS = 7, VARIANT_NO_PARSE = 3 };

/* Projective, crossing, of two roots, without a parse, of one word, of many pieces, and again
 * without one beside a target that has one. */
static const struct variant_sentence variant_sources[VARIANT_PAIRS] = {
    { 4, { 1, 2, 2, 2 }, 1 }, { 4, { 2, 3, 2, 2 }, 2 }, { 5, { 0, 0, 2, 2, 3 }, 2 },
    { 3, { -1, -1, -1 }, 2 }, { 1, { 0 }, 1 },          { 4, { 3, 0, 1, 3 }, 3 },
    { 2, { -1, -1 }, 1 },
};
static const struct variant_sentence variant_targets[VARIANT_PAIRS] = {
    { 3, { 1, 1, 1 }, 2 },    { 5, { 2, 3, 2, 2, 0 }, 1 },
    { 4, { 0, 0, 2, 2 }, 2 }, { 3, { -1, -1, -1 }, 1 },
    { 1, { 0 }, 2 },          { 2, { -1, -1 }, 2 },
    { 4, { 1, 1, 1, 2 }, 1 },
};

/* Adds one side with random ids, cuts and relations. */
static inline dgm_status variant_add_side(struct dgm_packed *side, struct dgm_random *random,
                                          const struct variant_sentence *sentence)
{
    int32_t ids[VARIANT_WORDS * VARIANT_PIECES + 1], word[VARIANT_WORDS * VARIANT_PIECES + 1];
    int32_t relations[VARIANT_WORDS], n = 0, w;

    for (w = 0; w < sentence->words; w++) {
        uint32_t left = 1 + dgm_random_below(random, sentence->pieces);
        relations[w] = sentence->heads[0] < 0
                           ? -1
                           : DGM_FEATURE_SPECIALS + (int32_t)dgm_random_below(random, 3);
        for (; left > 0; left--) {
            ids[n] = 3 + (int32_t)dgm_random_below(random, TINY_VOCAB - 3);
            word[n++] = w;
        }
    }
    ids[n] = TINY_EOS;
    word[n++] = -1;
    DGM_TRY(dgm_packed_add(test_env(), side, ids, word, n, sentence->heads, sentence->words));
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        DGM_TRY(dgm_packed_add_feature(test_env(), side, (enum dgm_feature_kind)kind, relations));
        for (w = 0; w < sentence->words; w++) /* the next feature has other values */
            relations[w] = relations[w] < 0 ? -1 : DGM_FEATURE_SPECIALS + (relations[w] + w) % 3;
    }
    return DGM_OK;
}

static inline dgm_status variant_add(struct dgm_batch *batch, struct dgm_random *random,
                                     const struct variant_sentence *source,
                                     const struct variant_sentence *target)
{
    struct dgm_packed from, to;
    dgm_status status;

    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    status = variant_add_side(&from, random, source);
    if (status == DGM_OK)
        status = variant_add_side(&to, random, target);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &from, &to, 0, 100 + batch->source.count);
    dgm_packed_clear(test_env(), &from);
    dgm_packed_clear(test_env(), &to);
    return status;
}

/* One pair of each kind. */
static inline dgm_status variant_batch(struct dgm_batch *batch, uint64_t seed)
{
    struct dgm_random random;
    int k;

    memset(batch, 0, sizeof *batch);
    dgm_random_init(&random, seed, 73, 0, 0);
    for (k = 0; k < VARIANT_PAIRS; k++)
        DGM_TRY(variant_add(batch, &random, &variant_sources[k], &variant_targets[k]));
    return DGM_OK;
}

/* The same words without any tree. */
static inline dgm_status variant_forget_trees(struct dgm_batch *batch)
{
    struct dgm_packed *sides[2] = { &batch->source, &batch->target };
    int32_t none[VARIANT_PAIRS * VARIANT_WORDS], i;
    int k;

    for (i = 0; i < VARIANT_PAIRS * VARIANT_WORDS; i++)
        none[i] = -1;
    for (k = 0; k < 2; k++) {
        DGM_TRY(dgm_packed_set_heads(test_env(), sides[k], none));
        for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
            DGM_TRY(
                dgm_packed_set_feature(test_env(), sides[k], (enum dgm_feature_kind)kind, none));
    }
    return DGM_OK;
}

/* ---- models ---------------------------------------------------------------------------------- */

static inline struct dgm_model_config variant_config(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = pre_norm;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config.features[kind] = VARIANT_RELATIONS;
    config.tying = strstr(syntax, "concat_narrow") != NULL ? DGM_TIED_NONE : DGM_TIED_ALL;
    strcpy(config.syntax, syntax);
    return config;
}

/* Opens a model whose norms pass on what the encoder does: gains are about 1. */
static inline dgm_status variant_start(struct tiny *tiny, const struct dgm_model_config *config,
                                       int threads)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_real values[64];
    size_t p;
    int i;

    DGM_TRY(tiny_open(tiny, config, threads));
    for (p = 0; p < params->count; p++)
        if (strstr(params->items[p].name, "norm.weight") != NULL) {
            DGM_TRY(dgm_params_read(test_env(), params, (dgm_param_id)p, values));
            for (i = 0; i < params->items[p].cols; i++)
                values[i] = (dgm_real)(1 + 0.4 * (double)values[i]);
            DGM_TRY(dgm_params_write(test_env(), params, (dgm_param_id)p, values));
        }
    return DGM_OK;
}

static inline dgm_status variant_open(struct tiny *tiny, const char *syntax, int pre_norm)
{
    struct dgm_model_config config = variant_config(syntax, pre_norm);

    config.stored = 1; /* layers beyond the depth are no error */
    return variant_start(tiny, &config, 1);
}

/* Whether a model can have such a syntax with norms after or before the sub-layers. */
static inline int variant_is_defined(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = variant_config(syntax, pre_norm);
    struct dgm_net net;
    dgm_status status;

    config.stored = 1;
    status = dgm_net_init(test_env(), &net, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS);
    if (status == DGM_OK)
        dgm_net_clear(test_env(), &net);
    dgm_env_clear_error(test_env());
    return status != DGM_USAGE;
}

/* Sets every parameter whose name contains `part` to one value; at least one has to. */
static inline dgm_status variant_set(struct tiny *tiny, const char *part, double value)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_real values[VARIANT_REALS];
    int found = 0, i;
    size_t p;

    for (i = 0; i < VARIANT_REALS; i++)
        values[i] = (dgm_real)value;
    for (p = 0; p < params->count; p++)
        if (strstr(params->items[p].name, part) != NULL) {
            DGM_TRY(dgm_params_write(test_env(), params, (dgm_param_id)p, values));
            found = 1;
        }
    return found ? DGM_OK : dgm_fail(test_env(), DGM_FAILURE, "no parameter %s", part);
}

/* Copies every parameter that both models have. */
static inline dgm_status variant_copy(struct tiny *to, const struct tiny *from)
{
    const struct dgm_params *params = &from->model.params;
    dgm_real values[VARIANT_REALS];
    size_t p;

    for (p = 0; p < params->count; p++) {
        dgm_param_id id = dgm_params_find(&to->model.params, params->items[p].name);
        if (id < 0)
            continue;
        DGM_TRY(dgm_params_read(test_env(), params, (dgm_param_id)p, values));
        DGM_TRY(dgm_params_write(test_env(), &to->model.params, id, values));
    }
    return DGM_OK;
}

/* The translation's loss of every target row, (rows,2), without parse losses. */
static inline dgm_status variant_losses(struct tiny *tiny, const struct dgm_batch *batch,
                                        int training, uint32_t update, dgm_real *losses)
{
    DGM_TRY(tiny_build(tiny, batch, training, update));
    DGM_TRY(dgm_graph_run(&tiny->graph));
    return dgm_graph_read(&tiny->graph, tiny->loss, losses);
}

/* The gradient of one parameter after a backward pass. */
static inline dgm_status variant_grad(struct tiny *tiny, const char *name, dgm_real *grad)
{
    return dgm_params_read_grad(test_env(), &tiny->model.params,
                                dgm_params_find(&tiny->model.params, name), grad);
}

/* A syntax, and what is done to its parameters. */
struct variant_side {
    const char *syntax;
    dgm_status (*change)(struct tiny *tiny); /* NULL: nothing */
};

static inline double variant_distance(const dgm_real *a, const dgm_real *b, int64_t count)
{
    double most = 0;
    int64_t i;

    for (i = 0; i < count; i++)
        if (!(fabs((double)a[i] - (double)b[i]) <= most))
            most = fabs((double)a[i] - (double)b[i]);
    return most;
}

/*
 * The losses of both models, with all common parameters equal, agree within a tolerance: 0 is bit
 * by bit. Where parameters are changed for that, they have to differ before.
 */
static inline void variant_check_same(const struct variant_side *one,
                                      const struct variant_side *other, int pre_norm, int training,
                                      double tolerance)
{
    const struct variant_side *sides[2] = { one, other };
    dgm_real before[2][256], after[2][256];
    struct tiny tiny[2];
    struct dgm_batch batch;
    int64_t count;
    int k;

    CHECK_STATUS(variant_batch(&batch, 6), DGM_OK);
    count = 2 * batch.target.offsets[batch.target.count];
    CHECK(count <= 256);
    for (k = 0; k < 2; k++)
        CHECK_STATUS(variant_open(&tiny[k], sides[k]->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_copy(&tiny[1], &tiny[0]), DGM_OK);
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(variant_losses(&tiny[k], &batch, training, 3, before[k]), DGM_OK);
        if (sides[k]->change != NULL)
            CHECK_STATUS(sides[k]->change(&tiny[k]), DGM_OK);
        CHECK_STATUS(variant_losses(&tiny[k], &batch, training, 3, after[k]), DGM_OK);
        tiny_close(&tiny[k]);
    }
    dgm_batch_clear(test_env(), &batch);
    if (one->change != NULL || other->change != NULL)
        CHECK(variant_distance(before[0], before[1], count) > 1e-4);
    if (tolerance == 0)
        CHECK_MEM(after[0], after[1], (size_t)count * sizeof after[0][0]);
    CHECK_NEAR(variant_distance(after[0], after[1], count), 0, tolerance);
}

/* The same for syntaxes alone. */
static inline void variant_check_alike(const char *one, const char *other, int training,
                                       double tolerance)
{
    struct variant_side a, b;

    a.syntax = one;
    b.syntax = other;
    a.change = b.change = NULL;
    variant_check_same(&a, &b, 0, training, tolerance);
}

#endif
