/*
 * test_beam_golden.c: n-best lists of small models against those of an independent reference
 * implementation (golden/beam and golden/rnn of the shared data), by either rule.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "decode/search/beam.h"
#include "decode/translate.h"
#include "gguf_more.h"
#include "nn/param_file.h"
#include "open_device.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "test.h"

enum { LONGEST = 64 };

struct golden {
    struct dgm_device *device;
    struct dgm_gguf file;
    struct dgm_net model;
    struct dgm_packed source;
    struct dgm_buf json;
};

/* ---- numbers of a list --------------------------------------------------------------------- */

/* Moves behind the next `"name": `, if there is one; the files have one spelling throughout. */
static int find_key(const char **at, const char *name)
{
    char key[64];
    const char *found;

    snprintf(key, sizeof key, "\"%s\": ", name);
    found = strstr(*at, key);
    if (found == NULL)
        return 0;
    *at = found + strlen(key);
    return 1;
}

static double number_of(const char **at, const char *name)
{
    char *end;
    double value;

    if (!find_key(at, name))
        return -1e30;
    value = strtod(*at, &end);
    *at = end;
    return value;
}

/* ---- the model and its sentences ------------------------------------------------------------ */

/* What recurrent files say that is no option of a model. */
/* clang-format off */
static const struct dgm_opt golden_options[] = {
    { .name = "dim-vocabs", .type = DGM_OPT_TEXT },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status read_config(struct golden *golden, struct dgm_model_config *config)
{
    static const struct dgm_opt *const tables[] = { dgm_model_options, dgm_recurrent_options,
                                                    golden_options, NULL };
    struct dgm_env *env = test_env();
    struct dgm_settings settings;
    size_t length;
    const char *text = dgm_gguf_text(&golden->file, "golden.config", &length);
    dgm_status status;

    DGM_TRY(dgm_settings_init(env, &settings, tables));
    status = dgm_settings_file_parse(env, &settings, text, length, "golden.config");
    if (status == DGM_OK && length >= 9 && memcmp(text, "encoder =", 9) == 0)
        status = dgm_settings_set(env, &settings, "tied-embeddings", "none", "golden");
    if (status == DGM_OK)
        status = dgm_model_config_read(env, config, &settings);
    dgm_settings_clear(env, &settings);
    return status;
}

static dgm_status load_model(struct golden *golden)
{
    static const char *const others[] = { "input.", "expect.", "grad.", NULL };
    struct dgm_env *env = test_env();
    struct dgm_model_config config;
    const struct dgm_gguf_tensor *source, *target;
    const char *at = golden->json.data;
    int32_t eos = (int32_t)number_of(&at, "eos");

    DGM_TRY(read_config(golden, &config));
    source = dgm_gguf_find_tensor(&golden->file, "encoder.embed_tokens.weight");
    target = dgm_gguf_find_tensor(&golden->file, "decoder.embed_tokens.weight");
    DGM_TRY(open_device(env, &golden->device, 0));
    DGM_TRY(dgm_net_init(env, &golden->model, &config, (int64_t)source->dims[0],
                         (int64_t)(target != NULL ? target : source)->dims[0], eos));
    DGM_TRY(dgm_net_allocate(env, &golden->model, golden->device, 0));
    return dgm_params_load(env, &golden->model.params, &golden->file, others);
}

/* Reads an optional array of indices; at most `most` of them. */
static dgm_status read_ints(struct golden *golden, const char *name, int32_t *out, size_t most,
                            size_t *count)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(&golden->file, name);

    *count = 0;
    if (tensor == NULL)
        return DGM_OK;
    if (tensor->count > most)
        return dgm_fail(test_env(), DGM_DATA, "%s has %zu elements", name, tensor->count);
    *count = tensor->count;
    return gguf_read_ints(test_env(), &golden->file, tensor, out, tensor->count);
}

static dgm_status load_source(struct golden *golden)
{
    static const char *const names[5] = { "ids", "offsets", "words", "heads", "word_offsets" };
    int32_t arrays[5][512];
    size_t counts[5], s;
    int i;

    for (i = 0; i < 5; i++) {
        char name[64];
        snprintf(name, sizeof name, "input.source.%s", names[i]);
        DGM_TRY(read_ints(golden, name, arrays[i], 512, &counts[i]));
    }
    for (s = 0; s + 1 < counts[1]; s++) {
        int32_t start = arrays[1][s], n = arrays[1][s + 1] - start, words = 0;
        for (i = 0; i < n; i++)
            if (arrays[2][start + i] + 1 > words)
                words = arrays[2][start + i] + 1;
        DGM_TRY(dgm_packed_add(test_env(), &golden->source, arrays[0] + start, arrays[2] + start, n,
                               counts[3] > 0 ? arrays[3] + arrays[4][s] : NULL, words));
    }
    return DGM_OK;
}

static dgm_status open_golden(struct golden *golden, const char *name)
{
    char path[1024];

    memset(golden, 0, sizeof *golden);
    snprintf(path, sizeof path, "%s/golden/%s.gguf", test_shared(), name);
    DGM_TRY(dgm_gguf_load(test_env(), &golden->file, path));
    snprintf(path, sizeof path, "%s/golden/%s.json", test_shared(), name);
    DGM_TRY(dgm_file_read(test_env(), &golden->json, path));
    DGM_TRY(load_model(golden));
    return load_source(golden);
}

static void close_golden(struct golden *golden)
{
    dgm_packed_clear(test_env(), &golden->source);
    dgm_net_clear(test_env(), &golden->model);
    dgm_gguf_clear(test_env(), &golden->file);
    dgm_buf_clear(test_env(), &golden->json);
    dgm_device_close(test_env(), golden->device);
}

/* ---- the expected lists --------------------------------------------------------------------- */

static struct dgm_search_options read_search(const char **at)
{
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = (int)number_of(at, "beam");
    find_key(at, "penalty");
    options.penalty = strncmp(*at, "\"gnmt\"", 6) == 0 ? DGM_PENALTY_GNMT : DGM_PENALTY_FAIRSEQ;
    options.alpha = number_of(at, "alpha");
    options.least = (int64_t)number_of(at, "min_length");
    options.length_extra = (int64_t)number_of(at, "max_length");
    options.forbidden = 1;
    return options;
}

/* [8, 8, 2] */
static int32_t read_tokens(const char **at, const char *name, int32_t *tokens)
{
    int32_t count = 0;
    char *end;

    if (!find_key(at, name))
        return 0;
    while (**at == '[' || **at == ',') {
        if (count < LONGEST)
            tokens[count++] = (int32_t)strtol(*at + 1, &end, 10);
        *at = end;
    }
    return count;
}

/* The list of one sentence: [ {...}, ... ] */
static void check_sentence(const char **at, const struct dgm_result *result)
{
    int32_t tokens[LONGEST], count, i;
    double logp, score;

    for (i = 0; i < result->count; i++) {
        count = read_tokens(at, "tokens", tokens);
        logp = number_of(at, "logp");
        score = number_of(at, "score");
        CHECK_INT(result->items[i].length, count);
        CHECK_MEM(result->items[i].tokens, tokens, (size_t)count * sizeof *tokens);
        CHECK_NEAR(result->items[i].logp, logp, -1e-5 * logp);
        CHECK_NEAR(result->items[i].score, score, -1e-5 * score);
        CHECK(**at == '}');
    }
    CHECK((*at)[1] == ']'); /* the reference has no more either */
}

/* results: one for each sentence. */
static void search(struct golden *golden, const struct dgm_search_options *options,
                   struct dgm_result *results)
{
    const struct dgm_net *model = &golden->model;
    struct dgm_workers workers;

    memset(results, 0, (size_t)golden->source.count * sizeof *results);
    CHECK_STATUS(dgm_workers_init(test_env(), &workers, &model, 1, golden->device, options),
                 DGM_OK);
    CHECK_STATUS(dgm_translate_all(test_env(), &workers, &golden->source, 1000, results, NULL),
                 DGM_OK);
    dgm_workers_clear(test_env(), &workers);
}

static void check_search(struct golden *golden, const struct dgm_search_options *options,
                         const char **at)
{
    struct dgm_result results[16];
    int32_t s;

    CHECK(golden->source.count <= 16);
    search(golden, options, results);
    for (s = 0; s < golden->source.count; s++)
        check_sentence(at, &results[s]);
    for (s = 0; s < golden->source.count; s++)
        dgm_result_clear(test_env(), &results[s]);
}

static void check_file(const char *name)
{
    struct golden golden;
    const char *at;
    int searches = 0;

    CHECK_STATUS(open_golden(&golden, name), DGM_OK);
    CHECK_INT(golden.source.count, 6);
    for (at = golden.json.data; strstr(at, "\"beam\": ") != NULL; searches++) {
        struct dgm_search_options options = read_search(&at);
        check_search(&golden, &options, &at);
    }
    CHECK_INT(searches, 12);
    close_golden(&golden);
}

TEST(beam_finds_the_reference_lists_of_the_baseline)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_file("beam/beam-baseline");
}

TEST(beam_finds_the_reference_lists_of_deps_san)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_file("beam/beam-deps-san");
}

TEST(beam_finds_the_reference_lists_of_shaw)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_file("beam/beam-shaw");
}

/* ---- the lists of recurrent models ---------------------------------------------------------- */

/* true, false */
static int is_true(const char **at, const char *name)
{
    return find_key(at, name) && strncmp(*at, "true", 4) == 0;
}

static struct dgm_search_options read_run(const char **at)
{
    struct dgm_search_options options;

    memset(&options, 0, sizeof options);
    options.beam = (int)number_of(at, "beam");
    options.penalty = is_true(at, "normalize") ? DGM_PENALTY_FAIRSEQ : DGM_PENALTY_NONE;
    options.alpha = 1;
    options.length_extra = (int64_t)number_of(at, "max_length");
    options.forbidden = -1;
    options.rule = dgm_beam_rule_find("shrinking");
    return options;
}

/* The source of a sentence stands there without its end, which the model may read. */
static void check_source(const char **at, const struct dgm_packed *source, int32_t s)
{
    int32_t tokens[LONGEST], count = read_tokens(at, "source", tokens);

    CHECK_INT(dgm_packed_length(source, s), count + 1);
    CHECK_MEM(source->ids + source->offsets[s], tokens, (size_t)count * sizeof *tokens);
}

static void check_costs(const char **at, const struct dgm_result *result, int32_t eos)
{
    int32_t tokens[LONGEST], count, i;
    double cost, score;

    for (i = 0; i < result->count; i++) {
        const struct dgm_hypothesis *item = &result->items[i];
        count = read_tokens(at, "ids", tokens);
        CHECK_INT(item->length, count);
        CHECK_MEM(item->tokens, tokens, (size_t)count * sizeof *tokens);
        CHECK_INT(item->tokens[count - 1] == eos, is_true(at, "finished"));
        cost = number_of(at, "cost");
        score = number_of(at, "score");
        CHECK_NEAR(-item->logp, cost, 1e-5 * cost);
        CHECK_NEAR(-item->score, score, 1e-5 * score);
    }
    *at += strspn(*at, " \n}");
    CHECK(**at == ']'); /* the reference has no more either */
}

static void check_recurrent(const char *name)
{
    struct golden golden;
    const char *at;
    int searches = 0;
    int32_t s;

    CHECK_STATUS(open_golden(&golden, name), DGM_OK);
    CHECK_INT(golden.source.count, 4);
    for (at = golden.json.data; strstr(at, "\"beam\": ") != NULL; searches++) {
        struct dgm_search_options options = read_run(&at);
        struct dgm_result results[4];
        search(&golden, &options, results);
        for (s = 0; s < 4; s++) {
            check_source(&at, &golden.source, s);
            check_costs(&at, &results[s], golden.model.eos);
            dgm_result_clear(test_env(), &results[s]);
        }
    }
    CHECK_INT(searches, 8);
    close_golden(&golden);
}

TEST(beam_shrinks_as_the_reference_for_the_sequential_encoder)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_recurrent("rnn/22_beam_sequential");
}

TEST(beam_shrinks_as_the_reference_for_the_lexicalized_encoder)
{
    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    check_recurrent("rnn/23_beam_lexicalized");
}
