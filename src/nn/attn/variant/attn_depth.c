/*
 * attn_depth.c: relations by depth in the dependency tree, Transformer_dep (Omote, Tamura,
 * Ninomiya: "Dependency-Based Relative Positional Encoding for Transformer NMT", RANLP 2019);
 * specification 3.2. Together with `shaw` it is their Transformer_dep+rel.
 *
 *   E_ij = s q_i . (k_j + b^K_r),  z_i = sum_j A_ij (v_j + b^V_r),
 *   r = clip(depth_j - depth_i, -l, l) + l
 *
 * Encoder only. The end of the sentence has the root's depth, 0, or, with end_label=1, all its
 * pairs a label of their own (2l+1), as the paper leaves it open; a sentence without a parse has
 * relative depth 0 everywhere. The fork that pairs queries with rows of other queries is a defect
 * and not offered.
 */
#include <string.h>

#include "nn/attn/relation.h"
#include "nn/attn/sentence.h"

struct depth {
    struct dgm_attn_relation relation;
    enum dgm_attn_subword map;
    int end_label; /* pairs with the end of the sentence have a label of their own */
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "l", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 0, .high = 126,
      .help = "Largest difference of depths told apart" },
    { .name = "subword", .type = DGM_OPT_CHOICE, .argument = "MAP", .fallback = "inherit",
      .choices = "inherit|right_chain", .help = "How depths of words are carried to their pieces" },
    { .name = "end-label", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Pairs with the end of the sentence have a label of their own" },
    DGM_RELATION_OPTIONS,
    DGM_OPT_END
};
/* clang-format on */

static dgm_status depth_configure(struct dgm_env *env, void *state,
                                  const struct dgm_settings *settings,
                                  const struct dgm_attn_shape *shape)
{
    struct depth *depth = state;

    depth->map = dgm_attn_subword_read(settings);
    depth->end_label = (int)dgm_settings_int(settings, "end-label");
    DGM_TRY(dgm_relation_read(env, &depth->relation, settings, shape, 1u << DGM_SOURCE,
                              dgm_settings_int(settings, "l"), "depth"));
    depth->relation.labels += depth->end_label;
    return DGM_OK;
}

static unsigned depth_needs(const void *state)
{
    const struct dgm_attn_relation *relation = &((const struct depth *)state)->relation;

    return relation->layers != 0 && (relation->use_k || relation->use_v) ? DGM_NEEDS_TREES : 0;
}

static int depth_serves(const void *state, struct dgm_attn_place place)
{
    const struct depth *depth = state;

    return place.side == DGM_SOURCE && dgm_layers_has(depth->relation.layers, place.layer);
}

static unsigned depth_takes(const void *state, struct dgm_attn_place place)
{
    return depth_serves(state, place) ? DGM_TAKES_LABELS : 0;
}

static dgm_status depth_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                                struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct depth *depth = state;

    if (!depth_serves(state, place))
        return DGM_OK;
    return dgm_relation_declare(env, &depth->relation, params, place, shape->head_dim, "depth");
}

static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    const struct depth *depth = state;
    int32_t clip = (int32_t)depth->relation.clip, n = sentence->n, i, j;
    int32_t *of = dgm_attn_scratch(env, plan, n, 1); /* the end of the sentence keeps 0 */
    unsigned char *labels = dgm_attn_labels(env, plan);

    if (of == NULL || labels == NULL)
        return DGM_MEMORY;
    DGM_TRY(dgm_attn_depths(env, plan, sentence, depth->map, of));
    labels += sentence->square;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++) {
            int32_t relative = of[j] - of[i];
            relative = relative < -clip ? -clip : relative > clip ? clip : relative;
            labels[i * n + j] = (unsigned char)(relative + clip);
            if (depth->end_label && (i == n - 1 || j == n - 1))
                labels[i * n + j] = (unsigned char)(2 * clip + 1); /* at most 253: l <= 126 */
        }
    return DGM_OK;
}

static dgm_status depth_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    const struct depth *depth = state;
    unsigned char *labels = dgm_attn_labels(env, plan);

    if (labels == NULL)
        return DGM_MEMORY;
    memset(labels, (int)depth->relation.clip, (size_t)plan->squares[plan->packed->count]);
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static dgm_status depth_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct depth *depth = state;

    if (!depth_serves(state, layer->place))
        return DGM_OK;
    dgm_relation_terms(&depth->relation, layer, DGM_RELATION_LABELS, "depth");
    layer->terms.labels[DGM_RELATION_LABELS] = dgm_feed_ref(layer->feed, layer->constants->labels);
    return layer->g->status;
}

static const char *const samples[] = { "l=1", "l=2,subword=right_chain,share-kv=1", NULL };

const struct dgm_attn_kind dgm_attn_depth = {
    .name = "depth",
    .cite = "Omote, Tamura and Ninomiya 2019",
    .help = "learned vectors for relative depths in the tree are added to keys and values",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct depth),
    .configure = depth_configure,
    .needs = depth_needs,
    .takes = depth_takes,
    .declare = depth_declare,
    .serves = depth_serves,
    .plan = depth_plan,
    .terms = depth_terms,
};
