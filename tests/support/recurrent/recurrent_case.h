/*
 * recurrent_case.h: every recurrent model as a case, weights under which its states stay small, and
 * sentence pairs with trees of every kind.
 */
#ifndef DGM_TEST_RECURRENT_CASE_H
#define DGM_TEST_RECURRENT_CASE_H

#include <math.h>
#include <stdio.h>

#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "model/encoder.h"
#include "syntax/tree/binary.h"
#include "tiny.h"

/* Sizes that no two of are equal, nor equal to the sentences of a batch or the words of one. */
enum { RECURRENT_E = 22, RECURRENT_D = 19, RECURRENT_K = 13, RECURRENT_REALS = 32768 };

struct recurrent_case {
    const char *name, *options;
};

/* The models of table 3 (2 is 1 with other widths), then what else there is to choose. */
static const struct recurrent_case recurrent_cases[] = {
    { "1", "encoder = sequential\n" },
    { "3", "encoder = constituency\n" },
    { "4", "encoder = constituency\nbirnn = 0\n" },
    { "5", "encoder = constituency\ndynamic-z = 1\n" },
    { "6", "encoder = sequential-dependency\n" },
    { "7", "encoder = sequential-dependency\nbirnn = 0\n" },
    { "8", "encoder = lexicalized\n" },
    { "9", "encoder = lexicalized\nbirnn = 0\n" },
    { "10", "encoder = lexicalized\ndynamic-z = 1\n" },
    { "1 without ends", "encoder = sequential\nsrc-eos = 0\n" },
    { "3 tg12", "encoder = constituency\ntree-cell = tg12\n" },
    { "3 lc0", "encoder = constituency\nroot-td = lc0\n" },
    { "3 states, linear", "encoder = constituency\ndec-init = states\nprojection = linear\n" },
    { "3 leaves", "encoder = constituency\nattend-level = 1\n" },
    { "3 two levels", "encoder = constituency\nattend-level = 2\ndec-init = states\n" },
    { "3 above 1", "encoder = constituency\nattend-level = >1\n" },
    { "5 Q each, no birnn",
      "encoder = constituency\ndynamic-z = 1\nshare-q = matrix\nbirnn = 0\n" },
    { "8 mean, linear", "encoder = lexicalized\ncarry = mean\nprojection = linear\n" },
    { "10 Q each, mean", "encoder = lexicalized\ndynamic-z = 1\nshare-q = matrix\ncarry = mean\n" },
    { "10 no birnn", "encoder = lexicalized\ndynamic-z = 1\nbirnn = 0\n" },
};

enum { RECURRENT_CASES = sizeof recurrent_cases / sizeof recurrent_cases[0], RECURRENT_TABLE = 9 };

static inline dgm_status recurrent_config(struct dgm_model_config *config, const char *options)
{
    static const struct dgm_opt *const tables[] = { dgm_model_options, dgm_recurrent_options,
                                                    NULL };
    static const char plain[] = "tied-embeddings = none\nlabel-smoothing = 0\ndropout = 0\n";
    struct dgm_settings settings;
    dgm_status status;

    DGM_TRY(dgm_settings_init(test_env(), &settings, tables));
    status = dgm_settings_file_parse(test_env(), &settings, plain, sizeof plain - 1, "test");
    if (status == DGM_OK)
        status = dgm_settings_file_parse(test_env(), &settings, options, strlen(options), "test");
    if (status == DGM_OK)
        status = dgm_model_config_read(test_env(), config, &settings);
    dgm_settings_clear(test_env(), &settings);
    config->max_length = 2 * TINY_LONGEST;
    return status;
}

/* Widths e, d and, where there are dynamic parameters, k; embeddings that are composed have d. */
static inline void recurrent_widths(struct dgm_model_config *config, int64_t e, int64_t d,
                                    int64_t k)
{
    int leaves = strcmp(dgm_encoder_entry(config->encoder)->name, "constituency") == 0;

    config->recurrent.dim = d;
    config->dim = leaves && !config->recurrent.birnn ? d : e;
    if (config->recurrent.dynamic > 0)
        config->recurrent.dynamic = k;
}

static inline int recurrent_ends_in(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);

    return n >= m && strcmp(name + n - m, end) == 0;
}

/* What every number of the first `*count` of a parameter is moved by, so that update gates are near
 * a quarter and the dynamic parameters' z near 1 (specification, recurrent models, readings, 9). */
static inline double recurrent_shift(const struct dgm_param *param, int64_t *count)
{
    const int64_t all = param->rows * param->cols;

    *count = all / 3;
    if (strncmp(param->name, "encoder.tree.", 13) != 0)
        return 0;
    if (recurrent_ends_in(param->name, ".meta.z.bias")) {
        *count = all;
        return 1;
    }
    if (recurrent_ends_in(param->name, "up.bias.weight"))
        return 0;
    if (recurrent_ends_in(param->name, ".bias.weight"))
        return -3.0 / (double)param->cols;
    return recurrent_ends_in(param->name, ".word.bias") ||
                   recurrent_ends_in(param->name, "up.meta.bias")
               ? -2.0
               : 0;
}

/* Matrices normal with deviation 0.8 / sqrt(columns), embeddings 0.8, biases 0.2. */
static inline dgm_status recurrent_fill(struct tiny *tiny, uint64_t seed)
{
    struct dgm_params *params = &tiny->model.params;
    struct dgm_random random;
    dgm_status status = DGM_OK;

    dgm_random_init(&random, seed, 76, 0, 0);
    for (size_t p = 0; p < params->count && status == DGM_OK; p++) {
        const struct dgm_param *param = &params->items[p];
        int64_t count = param->rows * param->cols, first;
        double shift = recurrent_shift(param, &first), deviation = 0.8;
        dgm_real *values = dgm_alloc(test_env(), (size_t)count, sizeof *values);
        if (values == NULL)
            return DGM_MEMORY;
        if (recurrent_ends_in(param->name, "bias"))
            deviation = 0.2;
        else if (strstr(param->name, "embed_tokens") == NULL)
            deviation = 0.8 / sqrt((double)param->cols);
        for (int64_t i = 0; i < count; i++)
            values[i] =
                (dgm_real)(deviation * dgm_random_normal(&random) + (i < first ? shift : 0));
        status = dgm_params_write(test_env(), params, (dgm_param_id)p, values);
        dgm_release(test_env(), values);
    }
    return status;
}

static inline dgm_status recurrent_start(struct tiny *tiny, const struct dgm_model_config *config,
                                         int threads)
{
    DGM_TRY(tiny_open(tiny, config, threads));
    return recurrent_fill(tiny, TINY_SEED);
}

static inline dgm_status recurrent_open(struct tiny *tiny, const char *options)
{
    struct dgm_model_config config;

    DGM_TRY(recurrent_config(&config, options));
    recurrent_widths(&config, RECURRENT_E, RECURRENT_D, RECURRENT_K);
    return recurrent_start(tiny, &config, 1);
}

/* ---- parameters by name ---------------------------------------------------------------------- */

enum { RECURRENT_MOST = 8192 };

static inline dgm_status recurrent_read(struct tiny *tiny, const char *name, dgm_real *values)
{
    return dgm_params_read(test_env(), &tiny->model.params,
                           dgm_params_find(&tiny->model.params, name), values);
}

static inline dgm_status recurrent_write(struct tiny *tiny, const char *name,
                                         const dgm_real *values)
{
    return dgm_params_write(test_env(), &tiny->model.params,
                            dgm_params_find(&tiny->model.params, name), values);
}

/* Fills `count` numbers of a parameter from `first` on with x; count -1: all of them. */
static inline dgm_status recurrent_set(struct tiny *tiny, const char *name, int64_t first,
                                       int64_t count, double x)
{
    dgm_param_id id = dgm_params_find(&tiny->model.params, name);
    const struct dgm_param *param = &tiny->model.params.items[id];
    dgm_real values[RECURRENT_MOST];

    DGM_TRY(dgm_params_read(test_env(), &tiny->model.params, id, values));
    for (int64_t i = 0; i < (count < 0 ? param->rows * param->cols : count); i++)
        values[first + i] = (dgm_real)x;
    return dgm_params_write(test_env(), &tiny->model.params, id, values);
}

/* Writes "left" for "right" and the reverse, at `at` in the name. */
static inline void recurrent_mirror_name(char *out, size_t size, const char *name)
{
    const char *left = strstr(name, ".left."), *right = strstr(name, ".right.");

    if (left != NULL)
        snprintf(out, size, "%.*s.right.%s", (int)(left - name), name, left + 6);
    else if (right != NULL)
        snprintf(out, size, "%.*s.left.%s", (int)(right - name), name, right + 7);
    else
        snprintf(out, size, "%s", name);
}

/* ---- sentences ------------------------------------------------------------------------------- */

struct recurrent_sentence {
    int32_t words;
    uint32_t pieces; /* of a word, at most */
    enum tiny_tree kind;
    int has_constituents;
};

enum { RECURRENT_PAIRS = 8 };

static const struct recurrent_sentence recurrent_sentences[RECURRENT_PAIRS] = {
    { 5, 1, TINY_TREE, 0 },     { 4, 2, TINY_TREE, 1 },      { 6, 1, TINY_TWO_ROOTS, 0 },
    { 3, 1, TINY_NO_PARSE, 0 }, { 1, 1, TINY_TREE, 0 },      { 11, 1, TINY_TREE, 1 },
    { 1, 3, TINY_TREE, 0 },     { 7, 2, TINY_TWO_ROOTS, 1 },
};

/* A random binary tree over leaves first .. first+count-1, children before parents; its root. */
static inline int32_t recurrent_branch(struct dgm_random *random, int32_t *left, int32_t *right,
                                       int32_t *nodes, int32_t words, int32_t first, int32_t count)
{
    int32_t split, l, r;

    if (count == 1)
        return first;
    split = 1 + (int32_t)dgm_random_below(random, (uint32_t)count - 1);
    l = recurrent_branch(random, left, right, nodes, words, first, split);
    r = recurrent_branch(random, left, right, nodes, words, first + split, count - split);
    left[*nodes] = l;
    right[*nodes] = r;
    return words + (*nodes)++;
}

/* Gives the sentence added last random constituents. */
static inline dgm_status recurrent_add_binary(struct dgm_packed *side, struct dgm_random *random,
                                              int32_t words)
{
    int32_t left[TINY_LONGEST], right[TINY_LONGEST], nodes = 0;

    recurrent_branch(random, left, right, &nodes, words, 0, words);
    return dgm_packed_add_binary(test_env(), side, left, right);
}

static inline dgm_status recurrent_add(struct dgm_batch *batch, struct dgm_random *random,
                                       const struct recurrent_sentence *sentence)
{
    struct dgm_packed source, target;
    int32_t labels = 1 + (int32_t)dgm_random_below(random, (uint32_t)sentence->words + 2);
    dgm_status status;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    status = tiny_add_side(&source, random, sentence->words, sentence->pieces, sentence->kind);
    if (status == DGM_OK && sentence->has_constituents)
        status = recurrent_add_binary(&source, random, sentence->words);
    if (status == DGM_OK)
        status = tiny_add_side(&target, random, labels < 9 ? labels : 9, 1, TINY_NO_PARSE);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 100 + batch->source.count);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

static inline dgm_status recurrent_batch(struct dgm_batch *batch, uint64_t seed)
{
    struct dgm_random random;

    memset(batch, 0, sizeof *batch);
    dgm_random_init(&random, seed, 77, 0, 0);
    for (int s = 0; s < RECURRENT_PAIRS; s++)
        DGM_TRY(recurrent_add(batch, &random, &recurrent_sentences[s]));
    return DGM_OK;
}

/* One source sentence of words 3, 4, 5 ..., all different, with those heads, and a short target. */
static inline dgm_status recurrent_sentence(struct dgm_batch *batch, const int32_t *heads,
                                            int32_t words)
{
    static const int32_t target_ids[3] = { 4, 9, TINY_EOS }, target_words[3] = { 0, 1, -1 };
    int32_t ids[TINY_LONGEST + 1], word[TINY_LONGEST + 1];
    struct dgm_packed source, target;
    dgm_status status;

    memset(batch, 0, sizeof *batch);
    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    for (int32_t i = 0; i < words; i++) {
        ids[i] = 3 + i;
        word[i] = i;
    }
    ids[words] = TINY_EOS;
    word[words] = -1;
    status = dgm_packed_add(test_env(), &source, ids, word, words + 1, heads, words);
    if (status == DGM_OK)
        status = dgm_packed_add(test_env(), &target, target_ids, target_words, 3, NULL, 2);
    if (status == DGM_OK)
        status = dgm_batch_add(test_env(), batch, &source, &target, 0, 100);
    dgm_packed_clear(test_env(), &source);
    dgm_packed_clear(test_env(), &target);
    return status;
}

/* Says which case a check failed for. */
#define RECURRENT_CHECK(one, condition)         \
    do {                                        \
        if (!(condition))                       \
            CHECK_STR((one)->name, #condition); \
    } while (0)

#endif
