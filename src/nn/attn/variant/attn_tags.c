/*
 * attn_tags.c: features of words as input (Sennrich and Haddow: "Linguistic Input Features Improve
 * Neural Machine Translation", WMT 2016); specification 3.10.
 *
 *   x_t = [sqrt(d) Emb[w_t] of columns 1 .. d-g ; Tag_1[tag_1t] ; Tag_2[tag_2t] ; ..] + PE(t)
 *
 * Encoder only. Relations, lemmas, UPOS and XPOS tags, and the place of a piece in its word, each
 * with a table of its own, of g = g_1 + g_2 + .. columns. The word table keeps its width, so that
 * it can be tied, and its last g columns serve no source word; with mode=concat_narrow it has d-g
 * columns. Every piece has what its word has, the end of the sentence a tag of its own, a word
 * without one the unknown one.
 *
 * The name alone, and tags(dim=G), mean relations: they were the first, and models have it so.
 */
#include <math.h>
#include <string.h>

#include "nn/attn/attn.h"

const char *const dgm_attn_feature_tables[DGM_FEATURES] = {
    "encoder.embed_tags.weight", "encoder.embed_lemma.weight", "encoder.embed_upos.weight",
    "encoder.embed_xpos.weight", "encoder.embed_subword.weight"
};

/* The options of the widths, in the order of enum dgm_feature_kind. */
static const char *const names[DGM_FEATURES] = { "deprel", "lemma", "upos", "xpos", "subword" };

struct tags {
    int64_t dims[DGM_FEATURES], dim;
    int narrow, scaled;
};

/* clang-format off */
#define WIDTH(name_, help_) \
    { .name = name_, .type = DGM_OPT_INT, .argument = "G", .fallback = "0", .low = 0, \
      .high = 4096, .help = help_ }

static const struct dgm_opt options[] = {
    { .name = "dim", .type = DGM_OPT_INT, .argument = "G", .fallback = "10", .low = 0, .high = 4096,
      .help = "Columns of a relation's vector, where deprel is not given; 0 where other features "
              "alone are" },
    WIDTH("deprel", "Columns of a relation's vector"),
    WIDTH("lemma", "Columns of a lemma's vector; a parser gives none"),
    WIDTH("upos", "Columns of a universal part-of-speech tag's vector"),
    WIDTH("xpos", "Columns of a language's own part-of-speech tag's vector; a parser gives none"),
    WIDTH("subword", "Columns for the place of a piece in its word: begin, inside, end, or whole"),
    { .name = "mode", .type = DGM_OPT_CHOICE, .argument = "KIND", .fallback = "overwrite",
      .choices = "overwrite|concat_narrow",
      .help = "Labels take the last columns of the word's vector, or stand beside a narrower one" },
    { .name = "scale-tags", .type = DGM_OPT_INT, .argument = "0|1", .fallback = "0", .low = 0,
      .high = 1, .help = "Scale labels by the square root of the width, as words are" },
    DGM_OPT_END
};
/* clang-format on */

/* dim is the width of relations, unless other features alone are named. */
static void read_widths(const struct dgm_settings *settings, int64_t dims[DGM_FEATURES])
{
    int kind, any = 0;

    for (kind = 0; kind < DGM_FEATURES; kind++) {
        dims[kind] = dgm_settings_int(settings, names[kind]);
        any |= dgm_settings_is_set(settings, names[kind]);
    }
    if (!dgm_settings_is_set(settings, "deprel") && (!any || dgm_settings_is_set(settings, "dim")))
        dims[DGM_FEATURE_DEPREL] = dgm_settings_int(settings, "dim");
}

static dgm_status tags_configure(struct dgm_env *env, void *state,
                                 const struct dgm_settings *settings,
                                 const struct dgm_attn_shape *shape)
{
    struct tags *tags = state;

    if (dgm_settings_is_set(settings, "dim") && dgm_settings_is_set(settings, "deprel"))
        return dgm_fail(env, DGM_USAGE,
                        "tags: dim and deprel are both the columns of a relation; expected one "
                        "of them");
    read_widths(settings, tags->dims);
    for (int kind = 0; kind < DGM_FEATURES; kind++)
        tags->dim += tags->dims[kind];
    tags->narrow = dgm_attn_chose(settings, "mode", "concat_narrow");
    tags->scaled = (int)dgm_settings_int(settings, "scale-tags");
    if (tags->dim < shape->dim)
        return DGM_OK;
    if (tags->dim == tags->dims[DGM_FEATURE_DEPREL])
        return dgm_fail(env, DGM_USAGE, "tags: dim=%d in a model of width %d; expected less",
                        (int)tags->dim, (int)shape->dim);
    return dgm_fail(env, DGM_USAGE,
                    "tags: features of %d columns in a model of width %d; expected less",
                    (int)tags->dim, (int)shape->dim);
}

/* Relations of no columns, too, as models had them from the first. */
static unsigned tags_features(const struct dgm_settings *settings)
{
    int64_t dims[DGM_FEATURES];
    unsigned features = 0;
    int kind, any = 0;

    read_widths(settings, dims);
    for (kind = 0; kind < DGM_WORD_FEATURES; kind++)
        features |= dims[kind] > 0 ? 1u << kind : 0;
    for (kind = 0; kind < DGM_FEATURES; kind++)
        any |= dgm_settings_is_set(settings, names[kind]);
    return any ? features : 1u << DGM_FEATURE_DEPREL;
}

/* The place of a piece in its word needs no tree. */
static unsigned tags_needs(const void *state)
{
    const struct tags *tags = state;

    return tags->dim > tags->dims[DGM_FEATURE_SUBWORD] ? DGM_NEEDS_FEATURES | DGM_NEEDS_TREES : 0;
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

    for (int kind = 0; kind < DGM_FEATURES && is_on(tags, place); kind++) {
        int64_t dim = tags->dims[kind];
        int64_t types = kind == DGM_FEATURE_SUBWORD ? (int64_t)DGM_SUBWORDS : shape->features[kind];

        if (dim > 0)
            DGM_TRY(dgm_params_matrix(env, params, &id, dgm_attn_feature_tables[kind], types, dim,
                                      DGM_INIT_NORMAL, 1 / sqrt((double)dim)));
    }
    return DGM_OK;
}

static int tags_embedding(const void *state, struct dgm_attn_feature_input *use)
{
    const struct tags *tags = state;

    memcpy(use->dims, tags->dims, sizeof use->dims);
    use->dim = tags->dim;
    use->narrow = tags->narrow;
    use->scaled = tags->scaled;
    return tags->dim > 0;
}

static const char *const samples[] = { "dim=3", "dim=2,mode=concat_narrow,scale-tags=1",
                                       "lemma=2,upos=1,xpos=1,deprel=1,subword=2",
                                       "lemma=1,subword=2,mode=concat_narrow,scale-tags=1", NULL };

const struct dgm_attn_kind dgm_attn_tags = {
    .name = "tags",
    .cite = "Sennrich and Haddow 2016",
    .help = "relations, lemmas, tags are a part of the source words' embeddings",
    .options = options,
    .samples = samples,
    .state_bytes = sizeof(struct tags),
    .configure = tags_configure,
    .features = tags_features,
    .needs = tags_needs,
    .takes = tags_takes,
    .declare = tags_declare,
    .feature_input = tags_embedding,
};
