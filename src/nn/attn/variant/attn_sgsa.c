/*
 * attn_sgsa.c: syntax-graph guided self-attention, SGSA; specification 3.9.
 *
 *   E = S + S',  S' = S .* M:  E = S .* (1 + M),  M_ij = 1 iff i = j, i = head(j) or j = head(i)
 *
 * M is carried to pieces by linking every piece of linked words; the end of the sentence is linked
 * to itself. With gamma=hard unrelated pairs are masked instead.
 *
 * Several representations (DMSRs): o_0 with the whole graph, o_1 .. o_m each with nodes dropped at
 * random, row and column, by the same weights; c = [o_0; ..; o_m] is fused by
 *
 *   highway  (relu(c W_H + b_H) .* t + c .* (1 - t)) W_o + b_o,  t = sigmoid(c W_T + b_T)
 *   linear   c W + b
 *   average  the mean
 *
 * The square matrices and the projection of the highway follow from the published counts (4.3).
 * Outside training all o_r equal o_0, which is computed once. With nb=1 each o_r is added to the
 * layer's input and normed before fusion, and nothing follows it.
 */
#include <stdio.h>
#include <string.h>

#include "nn/attn/sentence.h"

enum { STREAM_DROP = 2 };

enum fusion_type { FUSION_HIGHWAY, FUSION_LINEAR, FUSION_AVERAGE };

struct sgsa {
    uint64_t layers, fused_layers;
    int64_t m;
    double drop;
    int keep_self, hard, normed;
    enum fusion_type fusion;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1",
      .help = "Encoder layers guided by the graph" },
    { .name = "dmsr-layers", .type = DGM_OPT_TEXT, .argument = "LAYERS", .fallback = "1",
      .help = "Those of them that fuse several representations" },
    { .name = "m", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 0,
      .high = DGM_REPRESENTATIONS - 1, .help = "Representations beside the first; 0: no fusion" },
    { .name = "node-drop", .type = DGM_OPT_REAL, .argument = "P", .fallback = "0.1", .low = 0,
      .high = 1,
      .help = "In training: probability that a node is dropped from a further representation" },
    { .name = "keep-self", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "A dropped node keeps its link to itself" },
    { .name = "fusion", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "highway",
      .choices = "highway|linear|average", .help = "How representations become one" },
    { .name = "gamma", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "zero",
      .choices = "zero|hard", .help = "Scores of unrelated pairs count once, or are masked" },
    { .name = "nb", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0, .high = 1,
      .help = "Norm each representation before fusion (normal-before)" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status sgsa_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct sgsa *sgsa = state;

    sgsa->m = dgm_settings_int(settings, "m");
    sgsa->drop = dgm_settings_real(settings, "node-drop");
    sgsa->keep_self = (int)dgm_settings_int(settings, "keep-self");
    sgsa->hard = dgm_attn_chose(settings, "gamma", "hard");
    sgsa->normed = (int)dgm_settings_int(settings, "nb");
    sgsa->fusion = dgm_attn_chose(settings, "fusion", "highway")  ? FUSION_HIGHWAY
                   : dgm_attn_chose(settings, "fusion", "linear") ? FUSION_LINEAR
                                                                  : FUSION_AVERAGE;
    if (sgsa->normed && shape->pre_norm)
        return dgm_fail(env, DGM_USAGE,
                        "sgsa: nb=1 in a model with transformer-norm=pre; "
                        "expected post: norms before fusion are defined there only");
    DGM_TRY(dgm_attn_read_layers(env, settings, "layers", shape, shape->depth[DGM_SOURCE],
                                 "encoder", "sgsa", &sgsa->layers));
    return dgm_attn_read_layers(env, settings, "dmsr-layers", shape, shape->depth[DGM_SOURCE],
                                "encoder", "sgsa", &sgsa->fused_layers);
}

static unsigned sgsa_needs(const void *state)
{
    return ((const struct sgsa *)state)->layers != 0 ? DGM_NEEDS_TREES : 0;
}

static int sgsa_serves(const void *state, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE &&
           dgm_layers_has(((const struct sgsa *)state)->layers, place.layer);
}

static int sgsa_fuses(const void *state, int layer)
{
    const struct sgsa *sgsa = state;

    return sgsa->m > 0 && dgm_layers_has(sgsa->layers & sgsa->fused_layers, layer);
}

static unsigned sgsa_takes(const void *state, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE && sgsa_fuses(state, place.layer) ? DGM_TAKES_FUSION : 0;
}

static int sgsa_varies(const void *state, int training)
{
    const struct sgsa *sgsa = state;

    return training && sgsa->m > 0 && sgsa->drop > 0;
}

/* ---- fusion --------------------------------------------------------------------------------- */

static void fusion_name(char *name, int layer, const char *tail)
{
    snprintf(name, 128, "encoder.layers.%d.sgsa.%s", layer - 1, tail);
}

/* H and T lie below one another, and so do their biases: one product makes both. The gate starts
 * near carrying c on. */
static dgm_status declare_highway(struct dgm_env *env, struct dgm_params *params, int layer,
                                  int64_t width, int64_t dim)
{
    char name[128];
    dgm_param_id id;

    fusion_name(name, layer, "transform.weight");
    DGM_TRY(dgm_params_matrix(env, params, &id, name, width, width, DGM_INIT_XAVIER, 1));
    fusion_name(name, layer, "gate.weight");
    DGM_TRY(dgm_params_matrix_below(env, params, &id, name, width, width, DGM_INIT_XAVIER, 1));
    fusion_name(name, layer, "transform.bias");
    DGM_TRY(dgm_params_vector(env, params, &id, name, width, DGM_INIT_ZERO));
    fusion_name(name, layer, "gate.bias");
    DGM_TRY(dgm_params_vector_below(env, params, &id, name, width, DGM_INIT_MINUS_ONE));
    fusion_name(name, layer, "output");
    return dgm_params_linear(env, params, name, dim, width, 1);
}

static dgm_status sgsa_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct sgsa *sgsa = state;
    int64_t width = (sgsa->m + 1) * shape->dim;
    char name[128];

    if (place.side != DGM_SOURCE || !sgsa_fuses(state, place.layer))
        return DGM_OK;
    switch (sgsa->fusion) {
    case FUSION_HIGHWAY: return declare_highway(env, params, place.layer, width, shape->dim);
    case FUSION_LINEAR:
        fusion_name(name, place.layer, "linear");
        return dgm_params_linear(env, params, name, shape->dim, width, 1);
    case FUSION_AVERAGE: break;
    }
    return DGM_OK;
}

static struct dgm_node *fusion_param(const struct dgm_attn_layer *layer, const char *tail,
                                     int count)
{
    char name[128];

    fusion_name(name, layer->place.layer, tail);
    return dgm_params_stack(layer->g, layer->params, dgm_params_find(layer->params, name), count);
}

/* x W^T + b; x may be one of `alike` equal parts that W is meant for side by side. */
static struct dgm_node *linear(const struct dgm_attn_layer *layer, struct dgm_node *x, int alike,
                               const char *weight, const char *bias, int count)
{
    return dgm_linear(layer->g, x, dgm_fold(layer->g, fusion_param(layer, weight, count), alike),
                      fusion_param(layer, bias, count));
}

/* All representations side by side, whether computed or equal to the first. */
static struct dgm_node *join(const struct sgsa *sgsa, const struct dgm_attn_layer *layer,
                             struct dgm_node *const *parts, int count)
{
    struct dgm_node *all[DGM_REPRESENTATIONS];
    int i;

    all[0] = parts[0];
    for (i = 1; i <= sgsa->m; i++)
        all[i] = parts[count == 1 ? 0 : i];
    return dgm_concat(layer->g, all, (int)sgsa->m + 1, 1);
}

static struct dgm_node *sgsa_fuse(const void *state, const struct dgm_attn_layer *layer,
                                  struct dgm_node *const *parts, int count)
{
    const struct sgsa *sgsa = state;
    int alike = count == 1 ? (int)sgsa->m + 1 : 1;
    struct dgm_node *c, *x;

    if (sgsa->fusion == FUSION_AVERAGE)
        return count == 1 ? parts[0] : dgm_mean(layer->g, parts, count);
    if (sgsa->fusion == FUSION_LINEAR && count == 1)
        return linear(layer, parts[0], alike, "linear.weight", "linear.bias", 1);
    c = join(sgsa, layer, parts, count);
    if (sgsa->fusion == FUSION_LINEAR)
        return linear(layer, c, 1, "linear.weight", "linear.bias", 1);
    x = linear(layer, count == 1 ? parts[0] : c, alike, "transform.weight", "transform.bias", 2);
    return linear(layer, dgm_highway(layer->g, x, c), 1, "output.weight", "output.bias", 1);
}

/* Without dropping all representations are alike. */
static int sgsa_extra(const void *state, int layer, int training)
{
    const struct sgsa *sgsa = state;

    return training && sgsa->drop > 0 && sgsa_fuses(state, layer) ? (int)sgsa->m : 0;
}

static int sgsa_normed(const void *state)
{
    return ((const struct sgsa *)state)->normed;
}

static const struct dgm_attn_fusion sgsa_fusion = { sgsa_extra, sgsa_fuses, sgsa_normed,
                                                    sgsa_fuse };

/* ---- the graph ------------------------------------------------------------------------------ */

/* M of a sentence's positions: (n,n), the end of the sentence linked to itself. */
static dgm_status link_positions(struct dgm_env *env, struct dgm_attn_plan *plan,
                                 const struct dgm_attn_sentence *sentence, int32_t *linked)
{
    int32_t pieces = sentence->n - 1, words = sentence->tree.count, i;
    int32_t *of_words = dgm_attn_scratch(env, plan, words, words);
    int32_t *of_pieces = dgm_attn_scratch(env, plan, pieces, pieces);

    if (of_words == NULL || of_pieces == NULL)
        return DGM_MEMORY;
    dgm_tree_adjacency(of_words, &sentence->tree);
    dgm_align_expand(of_pieces, &sentence->align, of_words);
    for (i = 0; i < pieces; i++)
        memcpy(linked + i * sentence->n, of_pieces + i * pieces, (size_t)pieces * sizeof *linked);
    linked[sentence->n * sentence->n - 1] = 1;
    return DGM_OK;
}

/* Drops each node of the graph, row and column, with probability p. */
static void drop_nodes(const struct sgsa *sgsa, const struct dgm_attn_plan *plan,
                       const struct dgm_attn_sentence *sentence, int32_t *linked)
{
    uint32_t threshold = dgm_attn_threshold(sgsa->drop), words[4];
    int32_t n = sentence->n, i, j;

    for (i = 0; i < n; i++) {
        if (i % 4 == 0)
            dgm_attn_random(words, plan, sentence->s, STREAM_DROP, 0, (uint32_t)i / 4);
        if (!dgm_attn_happens(words[i % 4], threshold))
            continue;
        for (j = 0; j < n; j++)
            if (j != i || !sgsa->keep_self)
                linked[i * n + j] = linked[j * n + i] = 0;
    }
}

static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    const struct sgsa *sgsa = state;
    int32_t n = sentence->n, *linked = dgm_attn_scratch(env, plan, n, n), i;
    dgm_real *factor = dgm_attn_factor(env, plan, 0);
    unsigned char *hidden = NULL;

    if (linked == NULL || factor == NULL)
        return DGM_MEMORY;
    DGM_TRY(link_positions(env, plan, sentence, linked));
    if (plan->representation > 0)
        drop_nodes(sgsa, plan, sentence, linked);
    factor += sentence->square;
    for (i = 0; i < n * n; i++)
        factor[i] *= linked[i] ? 2 : 1;
    if (!sgsa->hard)
        return DGM_OK;
    hidden = dgm_attn_hidden(env, plan);
    if (hidden == NULL)
        return DGM_MEMORY;
    hidden += sentence->square;
    for (i = 0; i < n * n; i++)
        hidden[i] = (unsigned char)(hidden[i] || !linked[i]);
    return DGM_OK;
}

static dgm_status sgsa_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static const char *const samples[] = {
    "layers=1-2,m=2,node-drop=0.3 | layers=1-2,m=2,node-drop=0",
    "m=1,fusion=linear,node-drop=0.3,keep-self=1 | m=1,fusion=linear,node-drop=0,keep-self=1",
    "m=2,fusion=average,gamma=hard,node-drop=0.3 | m=2,fusion=average,gamma=hard,node-drop=0",
    "m=0,layers=2",
    "m=1,nb=1,node-drop=0.3 | m=1,nb=1,node-drop=0",
    NULL
};

const struct dgm_attn_kind dgm_attn_sgsa = {
    .name = "sgsa",
    .cite = "SGSA: syntax-graph guided self-attention",
    .help = "scores of words linked in the tree count twice; several graphs are fused",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct sgsa),
    .configure = sgsa_configure,
    .needs = sgsa_needs,
    .takes = sgsa_takes,
    .declare = sgsa_declare,
    .serves = sgsa_serves,
    .varies = sgsa_varies,
    .plan = sgsa_plan,
    .fusion = &sgsa_fusion,
};
