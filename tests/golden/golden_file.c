/* golden_file.c: reads a golden file, builds its model, runs one step forwards and backwards. */
#include "golden/golden_file.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "base/option/settings_file.h"
#include "gguf_more.h"
#include "model/encoder.h"
#include "model/recurrent/decoder_recurrent.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"

struct golden {
    struct dgm_env *env;
    struct dgm_gguf file;
    struct dgm_device *device;
    struct dgm_net model;
    struct dgm_batch batch;
    struct dgm_step step;
    struct dgm_graph graph;
    int train;
    struct numbers_list *got;
};

static int32_t *read_ints(struct golden *golden, const char *name, size_t *count)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(&golden->file, name);
    int32_t *out;

    *count = 0;
    if (tensor == NULL)
        return NULL;
    *count = tensor->count;
    out = dgm_alloc(golden->env, tensor->count, sizeof *out);
    if (out != NULL &&
        gguf_read_ints(golden->env, &golden->file, tensor, out, tensor->count) != DGM_OK)
        *count = 0;
    return out;
}

/* The tags of the words of the sentence added last, from those of its n positions. */
static dgm_status add_tags(struct golden *golden, struct dgm_packed *packed, const int32_t *words,
                           const int32_t *tags)
{
    int32_t s = packed->count - 1, n = dgm_packed_length(packed, s);
    int32_t *of_words = dgm_alloc(golden->env, (size_t)n, sizeof *of_words);
    dgm_status status;

    if (of_words == NULL)
        return DGM_MEMORY;
    for (int32_t i = 0; i < n; i++)
        if (words[i] >= 0)
            of_words[words[i]] = tags[i];
    status = dgm_packed_add_feature(golden->env, packed, DGM_FEATURE_DEPREL, of_words);
    dgm_release(golden->env, of_words);
    return status;
}

enum part { IDS, OFFSETS, WORDS, HEADS, WORD_OFFSETS, TAGS, LEFT, RIGHT, TREE_OFFSETS, PARTS };

/* One side of the batch, sentence by sentence. */
static dgm_status read_side(struct golden *golden, const char *side, struct dgm_packed *packed)
{
    static const char *const parts[PARTS] = {
        "ids",  "offsets",   "words",      "heads",        "word_offsets",
        "tags", "tree.left", "tree.right", "tree.offsets",
    };
    int32_t *arrays[PARTS];
    size_t counts[PARTS], s;
    char name[64];
    dgm_status status = DGM_OK;
    int i;

    for (i = 0; i < PARTS; i++) {
        snprintf(name, sizeof name, "input.%s.%s", side, parts[i]);
        arrays[i] = read_ints(golden, name, &counts[i]);
    }
    if (arrays[IDS] == NULL || arrays[OFFSETS] == NULL || arrays[WORDS] == NULL)
        status = dgm_fail(golden->env, DGM_MODEL, "input.%s.* is incomplete", side);
    for (s = 0; status == DGM_OK && s + 1 < counts[OFFSETS]; s++) {
        int32_t start = arrays[OFFSETS][s], words = 0, n = arrays[OFFSETS][s + 1] - start;
        const int32_t *heads = NULL;
        for (i = 0; i < n; i++)
            if (arrays[WORDS][start + i] + 1 > words)
                words = arrays[WORDS][start + i] + 1;
        if (arrays[HEADS] != NULL && arrays[WORD_OFFSETS] != NULL)
            heads = arrays[HEADS] + arrays[WORD_OFFSETS][s];
        status = dgm_packed_add(golden->env, packed, arrays[IDS] + start, arrays[WORDS] + start, n,
                                heads, words);
        if (status == DGM_OK && arrays[TAGS] != NULL)
            status = add_tags(golden, packed, arrays[WORDS] + start, arrays[TAGS] + start);
        if (status == DGM_OK && arrays[LEFT] != NULL)
            status =
                dgm_packed_add_binary(golden->env, packed, arrays[LEFT] + arrays[TREE_OFFSETS][s],
                                      arrays[RIGHT] + arrays[TREE_OFFSETS][s]);
    }
    for (i = 0; i < PARTS; i++)
        dgm_release(golden->env, arrays[i]);
    return status;
}

static dgm_status read_batch(struct golden *golden)
{
    struct dgm_packed source, target;
    dgm_status status;
    int32_t s;

    memset(&source, 0, sizeof source);
    memset(&target, 0, sizeof target);
    status = read_side(golden, "source", &source);
    if (status == DGM_OK)
        status = read_side(golden, "target", &target);
    for (s = 0; status == DGM_OK && s < source.count; s++)
        status = dgm_batch_add(golden->env, &golden->batch, &source, &target, s, s);
    dgm_packed_clear(golden->env, &source);
    dgm_packed_clear(golden->env, &target);
    return status;
}

/* What recurrent files say that is no option of a model. */
/* clang-format off */
static const struct dgm_opt golden_options[] = {
    { .name = "dim-vocabs", .type = DGM_OPT_TEXT },
    DGM_OPT_END
};
/* clang-format on */

/* Recurrent files leave out what such models do not have. */
static dgm_status read_settings(struct golden *golden, struct dgm_settings *settings,
                                const char *text, size_t length)
{
    int is_recurrent = length >= 9 && memcmp(text, "encoder =", 9) == 0;

    DGM_TRY(dgm_settings_set(golden->env, settings, "dropout", "0", "golden"));
    if (is_recurrent) {
        DGM_TRY(dgm_settings_set(golden->env, settings, "tied-embeddings", "none", "golden"));
        DGM_TRY(dgm_settings_set(golden->env, settings, "label-smoothing", "0", "golden"));
    }
    return dgm_settings_file_parse(golden->env, settings, text, length, "golden.config");
}

static dgm_status read_config(struct golden *golden, struct dgm_model_config *config)
{
    static const struct dgm_opt *const tables[] = { dgm_model_options, dgm_recurrent_options,
                                                    golden_options, NULL };
    struct dgm_settings settings;
    size_t length;
    const char *text = dgm_gguf_text(&golden->file, "golden.config", &length);
    dgm_status status;

    if (text == NULL)
        return dgm_fail(golden->env, DGM_MODEL, "golden.config is missing");
    DGM_TRY(dgm_settings_init(golden->env, &settings, tables));
    status = read_settings(golden, &settings, text, length);
    if (status == DGM_OK)
        status = dgm_model_config_read(golden->env, config, &settings);
    dgm_settings_clear(golden->env, &settings);
    return status;
}

static int64_t table_rows(const struct golden *golden, const char *name, int64_t otherwise)
{
    const struct dgm_gguf_tensor *tensor = dgm_gguf_find_tensor(&golden->file, name);
    return tensor != NULL ? (int64_t)tensor->dims[0] : otherwise;
}

static dgm_status load_model(struct golden *golden)
{
    static const char *const others[] = { "input.", "expect.", "grad.", NULL };
    struct dgm_model_config config;
    int64_t eos = 2, source, target;
    size_t length;
    const char *mode = dgm_gguf_text(&golden->file, "golden.mode", &length);

    golden->train = mode != NULL && length == 5 && memcmp(mode, "train", 5) == 0;
    DGM_TRY(read_config(golden, &config));
    dgm_gguf_int(&golden->file, "golden.eos", &eos);
    source = table_rows(golden, "encoder.embed_tokens.weight", 0);
    target = table_rows(golden, "decoder.embed_tokens.weight", source);
    config.stored = 1; /* options that it does not name have the values of its time */
    config.features[DGM_FEATURE_DEPREL] = table_rows(golden, "encoder.embed_tags.weight", 0);
    DGM_TRY(dgm_net_init(golden->env, &golden->model, &config, source, target, (int32_t)eos));
    DGM_TRY(dgm_net_allocate(golden->env, &golden->model, golden->device, 1));
    return dgm_params_load(golden->env, &golden->model.params, &golden->file, others);
}

/* ---- what is expected ---------------------------------------------------------------------- */

static dgm_status read_expected(struct golden *golden, struct numbers_list *want)
{
    for (size_t i = 0; i < golden->file.tensor_count; i++) {
        const struct dgm_gguf_tensor *tensor = &golden->file.tensors[i];
        dgm_real *values;

        if (strncmp(tensor->name, "expect.", 7) != 0 && strncmp(tensor->name, "grad.", 5) != 0)
            continue;
        values = numbers_add(golden->env, want, tensor->name, tensor->count);
        if (values == NULL)
            return DGM_MEMORY;
        DGM_TRY(dgm_gguf_read_reals(golden->env, &golden->file, tensor, values, tensor->count));
    }
    return DGM_OK;
}

/* ---- what is computed ---------------------------------------------------------------------- */

static dgm_status add_node(struct golden *golden, const struct dgm_node *node, const char *name,
                           int64_t cols)
{
    dgm_real *values =
        numbers_add(golden->env, golden->got, name, (size_t)(dgm_node_rows(node) * cols));

    return values != NULL ? dgm_graph_read(&golden->graph, node, values) : DGM_MEMORY;
}

static int is_recurrent(const struct golden *golden)
{
    return golden->model.config.encoder > 0;
}

static dgm_status add_values(struct golden *golden)
{
    const struct dgm_net *model = &golden->model;
    struct dgm_graph *g = &golden->graph;
    struct dgm_encoding encoded;
    struct dgm_node *logits, *start = NULL;

    dgm_graph_begin(g, 0, 0, 0);
    encoded = dgm_net_encode(g, model, &golden->step);
    dgm_keep(g, encoded.all);
    if (is_recurrent(golden))
        start = dgm_keep(g, dgm_recurrent_start(g, model, &golden->step, &encoded));
    logits =
        dgm_keep(g, dgm_net_logits(g, model, dgm_net_decode(g, model, &golden->step, &encoded)));
    DGM_TRY(dgm_graph_run(g));
    DGM_TRY(add_node(golden, encoded.all, "expect.encoder", model->encoder->width(&model->config)));
    if (start != NULL)
        DGM_TRY(add_node(golden, start, "expect.decoder_init", model->config.recurrent.dim));
    return add_node(golden, logits, "expect.logits", model->vocab[DGM_TARGET]);
}

/* The sum of the first of `cols` columns of a node. */
static dgm_status sum_node(struct golden *golden, const struct dgm_node *node, int64_t cols,
                           double *sum)
{
    int64_t rows = dgm_node_rows(node), r;
    dgm_real *values = dgm_alloc(golden->env, (size_t)(rows * cols), sizeof *values);
    dgm_status status;

    if (values == NULL)
        return DGM_MEMORY;
    status = dgm_graph_read(&golden->graph, node, values);
    for (*sum = 0, r = 0; status == DGM_OK && r < rows; r++)
        *sum += (double)values[r * cols];
    dgm_release(golden->env, values);
    return status;
}

/* Losses are means over target rows; those of recurrent models, over sentences. */
static double mean_over(const struct golden *golden)
{
    const struct dgm_packed *target = &golden->batch.target;

    return is_recurrent(golden) ? target->count : target->offsets[target->count];
}

/* The loss of the target words, and lambda times the mean over supervised rows of each loss of a
 * head that parses. */
static dgm_status add_loss(struct golden *golden, const struct dgm_node *loss,
                           const struct dgm_parse_losses *losses)
{
    double sum, of_head;
    dgm_real *mean = numbers_add(golden->env, golden->got, "expect.loss", 1);

    if (mean == NULL)
        return DGM_MEMORY;
    DGM_TRY(sum_node(golden, loss, 2, &sum));
    sum /= mean_over(golden);
    for (int i = 0; i < losses->count; i++) {
        DGM_TRY(sum_node(golden, losses->items[i].node, 1, &of_head));
        sum += losses->items[i].weight * of_head / (double)losses->items[i].mean_over;
    }
    *mean = (dgm_real)sum;
    return DGM_OK;
}

static dgm_status add_grads(struct golden *golden)
{
    const struct dgm_params *params = &golden->model.params;

    for (size_t i = 0; i < params->count; i++) {
        const struct dgm_param *param = &params->items[i];
        char name[NUMBERS_NAME];
        dgm_real *values;

        snprintf(name, sizeof name, "grad.%s", param->name);
        values = numbers_add(golden->env, golden->got, name, (size_t)(param->rows * param->cols));
        if (values == NULL)
            return DGM_MEMORY;
        DGM_TRY(dgm_params_read_grad(golden->env, params, (dgm_param_id)i, values));
    }
    return DGM_OK;
}

static dgm_status run_step(struct golden *golden)
{
    struct dgm_graph *g = &golden->graph;
    struct dgm_parse_losses losses;
    struct dgm_node *loss;

    memset(&losses, 0, sizeof losses);
    DGM_TRY(dgm_net_stage(golden->env, &golden->model, &golden->step, &golden->batch, golden->train,
                          1, 1));
    DGM_TRY(add_values(golden));
    dgm_graph_begin(g, 1, 1, 1);
    loss = dgm_net_loss(g, &golden->model, &golden->step, golden->model.config.smoothing,
                        1 / mean_over(golden), &losses);
    DGM_TRY(dgm_graph_run(g));
    DGM_TRY(add_loss(golden, loss, &losses));
    DGM_TRY(dgm_graph_backward(g));
    return add_grads(golden);
}

static dgm_status run(struct golden *golden, const char *path, struct numbers_list *want)
{
    DGM_TRY(dgm_gguf_load(golden->env, &golden->file, path));
    DGM_TRY(read_expected(golden, want));
    DGM_TRY(load_model(golden));
    DGM_TRY(read_batch(golden));
    dgm_step_init(&golden->step, golden->device);
    DGM_TRY(dgm_graph_init(golden->env, &golden->graph, golden->device));
    return run_step(golden);
}

dgm_status golden_file_run(struct dgm_env *env, struct dgm_device *device, const char *path,
                           struct numbers_list *want, struct numbers_list *got)
{
    struct golden *golden = dgm_alloc(env, 1, sizeof *golden);
    dgm_status status;

    if (golden == NULL)
        return DGM_MEMORY;
    memset(golden, 0, sizeof *golden);
    golden->env = env;
    golden->device = device;
    golden->got = got;
    status = run(golden, path, want);
    dgm_graph_clear(&golden->graph);
    dgm_step_clear(env, &golden->step);
    dgm_batch_clear(env, &golden->batch);
    dgm_net_clear(env, &golden->model);
    dgm_gguf_clear(env, &golden->file);
    dgm_release(env, golden);
    return status;
}
