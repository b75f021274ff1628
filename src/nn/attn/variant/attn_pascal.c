/*
 * attn_pascal.c: parent-scaled self-attention, PASCAL (Bugliarello and Okazaki: "Enhancing Machine
 * Translation with Dependency-Aware Self-Attention", ACL 2020), with parent ignoring;
 * specification 3.5.
 *
 *   W_ij = exp(-(j - p_i)^2 / (2 sigma^2)) / sqrt(2 pi sigma^2),  E = (s Q K^T) .* W
 *
 * p_i is the position of word i's head, which may lie between two pieces; a root and the end of
 * the sentence stand at their own. Scaled are the last h heads of every sentence. (The released
 * code scales the last h B rows of the flattened batch, which is this only for h = H, and reads
 * positions of another padding; neither is done here.)
 *
 * Parent ignoring, in training: each row of each scaled head is left plain with probability q.
 */
#include <string.h>

#include "base/number/number.h"
#include "nn/attn/gaussian.h"
#include "nn/attn/sentence.h"

enum { STREAM_IGNORE = 3, MOST_LAYERS = 64 };

struct pascal {
    int64_t heads[MOST_LAYERS]; /* scaled heads of each layer */
    int64_t all;                /* heads there are */
    struct dgm_attn_gaussian bell;
    double ignoring;
    int first_piece;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "heads", .type = DGM_OPT_TEXT, .argument = "N...", .fallback = "all",
      .help = "Scaled heads of each layer from the first on, such as 2 0 1; all: every head of "
              "layer 1" },
    DGM_GAUSSIAN_OPTIONS,
    { .name = "subword", .type = DGM_OPT_CHOICE, .argument = "MAP", .fallback = "mean_pos",
      .choices = "mean_pos|first_piece",
      .help = "Where the pieces of a head word stand: in the middle of them, or at the first" },
    { .name = "parent-ignoring", .type = DGM_OPT_REAL, .argument = "Q", .fallback = "0", .low = 0,
      .high = 1, .help = "In training: probability that a row of a head is not scaled" },
    DGM_OPT_END
};
/* clang-format on */

/* "2 0 1": heads of layers 1, 2, 3; missing layers have none. */
static dgm_status parse_heads(struct dgm_env *env, struct pascal *pascal,
                              const struct dgm_attn_shape *shape, const char *list)
{
    const char *text = list;
    int layer = 0;

    if (strcmp(text, "all") == 0) {
        pascal->heads[0] = pascal->all;
        return DGM_OK;
    }
    for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
        size_t length = strcspn(text, " ");
        int64_t heads;
        if (layer == MOST_LAYERS || !dgm_number_int(&heads, text, length) || heads < 0 ||
            heads > pascal->all)
            return dgm_fail(env, DGM_USAGE,
                            "pascal: heads=%s; expected all, or for each of up to "
                            "%d layers a number within 0..%d",
                            list, (int)MOST_LAYERS, (int)pascal->all);
        if (heads > 0 && layer >= shape->depth[DGM_SOURCE] && !shape->stored)
            return dgm_fail(env, DGM_USAGE,
                            "pascal: heads=%s; expected a number for each of the "
                            "%d layers of the encoder, and not more",
                            list, shape->depth[DGM_SOURCE]);
        pascal->heads[layer] = layer < shape->depth[DGM_SOURCE] ? heads : 0;
        layer++;
        text += length;
    }
    return DGM_OK;
}

static dgm_status pascal_configure(struct dgm_env *env, void *state,
                                   const struct dgm_settings *settings,
                                   const struct dgm_attn_shape *shape)
{
    struct pascal *pascal = state;

    pascal->all = shape->heads;
    dgm_attn_gaussian_read(&pascal->bell, settings);
    pascal->ignoring = dgm_settings_real(settings, "parent-ignoring");
    pascal->first_piece = dgm_attn_chose(settings, "subword", "first_piece");
    return parse_heads(env, pascal, shape, dgm_settings_text(settings, "heads"));
}

static unsigned pascal_needs(const void *state)
{
    const struct pascal *pascal = state;
    int layer;

    for (layer = 0; layer < MOST_LAYERS; layer++)
        if (pascal->heads[layer] > 0)
            return DGM_NEEDS_TREES;
    return 0;
}

static int64_t scaled_heads(const struct pascal *pascal, struct dgm_attn_place place)
{
    return place.side == DGM_SOURCE && place.layer >= 1 ? pascal->heads[place.layer - 1] : 0;
}

static int pascal_serves(const void *state, struct dgm_attn_place place)
{
    return scaled_heads(state, place) > 0;
}

/* Rows that differ between heads, or heads that are left alone, need the second factor. */
static int takes_heads(const struct pascal *pascal, struct dgm_attn_place place)
{
    return scaled_heads(pascal, place) < pascal->all || pascal->ignoring > 0;
}

static unsigned pascal_takes(const void *state, struct dgm_attn_place place)
{
    return pascal_serves(state, place) && takes_heads(state, place) ? DGM_TAKES_HEADS : 0;
}

/* The weights are those of every layer, but the slot depends on how many heads it scales. */
static int pascal_varies(const void *state, int training)
{
    const struct pascal *pascal = state;
    int layer;

    for (layer = 1; layer < MOST_LAYERS; layer++)
        if (pascal->heads[layer] != pascal->heads[0] && pascal->heads[layer] > 0)
            return 1;
    return training && pascal->ignoring > 0;
}

/* Parent positions of the pieces: (n), the end of the sentence at its own. */
static dgm_status find_parents(struct dgm_env *env, const struct pascal *pascal,
                               struct dgm_attn_plan *plan, const struct dgm_attn_sentence *sentence,
                               float *parent)
{
    int32_t *first, p;

    if (pascal->first_piece) {
        first = dgm_attn_scratch(env, plan, sentence->n, 1);
        if (first == NULL)
            return DGM_MEMORY;
        dgm_align_first_piece(first, &sentence->align, &sentence->tree);
        for (p = 0; p < sentence->n - 1; p++)
            parent[p] = (float)first[p];
    } else {
        dgm_align_mean_pos(parent, &sentence->align, &sentence->tree);
    }
    parent[sentence->n - 1] = (float)(sentence->n - 1);
    return DGM_OK;
}

static dgm_status plan_sentence(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan,
                                const struct dgm_attn_sentence *sentence)
{
    const struct pascal *pascal = state;
    int32_t n = sentence->n, i, j;
    float *parent = (float *)dgm_attn_scratch(env, plan, n, 1);
    dgm_real *factor = dgm_attn_factor(env, plan, takes_heads(pascal, plan->place));

    if (parent == NULL || factor == NULL)
        return DGM_MEMORY;
    DGM_TRY(find_parents(env, pascal, plan, sentence, parent));
    factor += sentence->square;
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            factor[i * n + j] =
                (dgm_real)((double)factor[i * n + j] *
                           dgm_attn_gaussian_at(&pascal->bell, (double)j - (double)parent[i]));
    return DGM_OK;
}

/* Marks each row of each head with probability q. */
static dgm_status ignore_parents(struct dgm_env *env, const struct pascal *pascal,
                                 struct dgm_attn_plan *plan)
{
    uint32_t threshold = dgm_attn_threshold(pascal->ignoring), words[4], h;
    unsigned char *ignored = dgm_attn_ignored(env, plan);
    int32_t s, i;

    if (ignored == NULL)
        return DGM_MEMORY;
    for (s = 0; s < plan->packed->count; s++)
        for (i = 0; i < dgm_packed_length(plan->packed, s); i++)
            for (h = 0; h < (uint32_t)pascal->all; h++) {
                if (h % 4 == 0)
                    dgm_attn_random(words, plan, s, STREAM_IGNORE, (uint32_t)i, h / 4);
                *ignored++ = (unsigned char)dgm_attn_happens(words[h % 4], threshold);
            }
    return DGM_OK;
}

static dgm_status pascal_plan(struct dgm_env *env, const void *state, struct dgm_attn_plan *plan)
{
    const struct pascal *pascal = state;

    if (plan->training && pascal->ignoring > 0)
        DGM_TRY(ignore_parents(env, pascal, plan));
    return dgm_attn_each_sentence(env, state, plan, plan_sentence);
}

static dgm_status pascal_terms(const void *state, struct dgm_attn_layer *layer)
{
    const struct pascal *pascal = state;
    struct dgm_attention *core = &layer->terms.core;

    if (pascal_serves(state, layer->place) && takes_heads(pascal, layer->place)) {
        core->factor_heads[1] = scaled_heads(pascal, layer->place);
        core->factor_first[1] = core->heads - core->factor_heads[1];
    }
    return DGM_OK;
}

static const char *const samples[] = { "", "heads=1 2,parent-ignoring=0.3 | heads=1 2",
                                       "heads=0 1,subword=first_piece,fn=uniform", NULL };

const struct dgm_attn_kind dgm_attn_pascal = {
    .name = "pascal",
    .cite = "Bugliarello and Okazaki 2020",
    .help = "scores are scaled by a Gaussian around the position of each word's head",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct pascal),
    .configure = pascal_configure,
    .needs = pascal_needs,
    .takes = pascal_takes,
    .serves = pascal_serves,
    .varies = pascal_varies,
    .plan = pascal_plan,
    .terms = pascal_terms,
};
