/*
 * attn_tags.c: dependency labels as input features (Sennrich and Haddow: "Linguistic Input
 * Features Improve Neural Machine Translation", WMT 2016); specification 3.10.
 *
 *   x_t = [sqrt(d) Emb[w_t] of columns 1 .. d-g ; Tag[tag_t]] + PE(t)
 *
 * Encoder only. The word table keeps its width, so that it can be tied, and its last g columns
 * serve no source word; with mode=concat_narrow it has d-g columns. Every piece has its word's
 * label, the end of the sentence one of its own, a sentence without a parse the unknown one.
 */
#include <math.h>

#include "nn/attn/attn.h"

struct tags {
    int64_t dim;
    int narrow, scaled;
};

/* clang-format off */
static const struct dgm_opt options[] = {
    { .name = "dim", .type = DGM_OPT_INT, .argument = "G", .fallback = "10", .low = 0, .high = 4096,
      .help = "Columns of a label's vector" },
    { .name = "mode", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "overwrite",
      .choices = "overwrite|concat_narrow",
      .help = "Labels take the last columns of the word's vector, or stand beside a narrower one" },
    { .name = "scale-tags", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Scale labels by the square root of the width, as words are" },
    DGM_OPT_END
};
/* clang-format on */

static dgm_status tags_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct tags *tags = state;

    tags->dim = dgm_settings_int(settings, "dim");
    tags->narrow = dgm_attn_chose(settings, "mode", "concat_narrow");
    tags->scaled = (int)dgm_settings_int(settings, "scale-tags");
    if (tags->dim >= shape->dim)
        return dgm_fail(env, DGM_USAGE, "tags: dim=%d in a model of width %d; expected less",
                        (int)tags->dim, (int)shape->dim);
    return DGM_OK;
}

static unsigned tags_needs(const void *state)
{
    /* Of no columns, too: what a vocabulary has to hold is decided by the name. */
    return DGM_NEEDS_RELATIONS | (((const struct tags *)state)->dim > 0 ? DGM_NEEDS_TREES : 0);
}

static int is_on(const struct tags *tags, struct dgm_attn_place place)
{
    return tags->dim > 0 && place.side == DGM_SOURCE && place.layer == 0;
}

static unsigned tags_takes(const void *state, struct dgm_attn_place place)
{
    return is_on(state, place) ? DGM_TAKES_EMBEDDING : 0;
}

static dgm_status tags_declare(struct dgm_env *env, const void *state, struct dgm_params *params,
                               struct dgm_attn_place place, const struct dgm_attn_shape *shape)
{
    const struct tags *tags = state;
    dgm_param_id id;

    if (!is_on(tags, place))
        return DGM_OK;
    return dgm_params_matrix(env, params, &id, "encoder.embed_tags.weight", shape->relations,
                             tags->dim, DGM_INIT_NORMAL, 1 / sqrt((double)tags->dim));
}

static int tags_embedding(const void *state, struct dgm_attn_relation_input *use)
{
    const struct tags *tags = state;

    use->dim = tags->dim;
    use->narrow = tags->narrow;
    use->scaled = tags->scaled;
    return tags->dim > 0;
}

static const char *const samples[] = { "dim=3", "dim=2,mode=concat_narrow,scale-tags=1", NULL };

const struct dgm_attn_kind dgm_attn_tags = {
    .name = "tags",
    .cite = "Sennrich and Haddow 2016",
    .help = "dependency labels are a part of the source words' embeddings",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct tags),
    .configure = tags_configure,
    .needs = tags_needs,
    .takes = tags_takes,
    .declare = tags_declare,
    .relation_input = tags_embedding,
};
