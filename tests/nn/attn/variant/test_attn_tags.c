/*
 * test_attn_tags.c: features of words in the encoder's embedding: properties of specification
 * section 6 (worked example: test_spec_gates.c).
 */
#include "variant_case.h"

enum { DIM = 8, TAG_DIM = 3 };

static struct dgm_model_config untied(const char *syntax)
{
    struct dgm_model_config config = variant_config(syntax, 0);

    config.tying = DGM_TIED_NONE;
    return config;
}

/* The last columns of the source's word table become 0, and all tags. */
static dgm_status clear_columns(struct tiny *tiny)
{
    struct dgm_params *params = &tiny->model.params;
    dgm_param_id id = dgm_params_find(params, "encoder.embed_tokens.weight");
    dgm_real values[TINY_VOCAB * DIM];
    int i;

    DGM_TRY(dgm_params_read(test_env(), params, id, values));
    for (i = 0; i < TINY_VOCAB * DIM; i++)
        if (i % DIM >= DIM - TAG_DIM)
            values[i] = 0;
    DGM_TRY(dgm_params_write(test_env(), params, id, values));
    return dgm_params_find(params, "encoder.embed_tags.weight") < 0
               ? DGM_OK
               : variant_set(tiny, "embed_tags", 0);
}

TEST(tags_of_zero_are_words_without_their_last_columns)
{
    dgm_real out[2][VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny[2];
    int k;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    for (k = 0; k < 2; k++) {
        struct dgm_model_config config = untied(k ? "tags(dim=3)" : "");
        CHECK_STATUS(variant_start(&tiny[k], &config, 1), DGM_OK);
    }
    CHECK_STATUS(variant_copy(&tiny[1], &tiny[0]), DGM_OK);
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(clear_columns(&tiny[k]), DGM_OK);
        CHECK_STATUS(tiny_outputs(&tiny[k], &batch, out[k], NULL), DGM_OK);
        tiny_close(&tiny[k]);
    }
    CHECK_MEM(out[1], out[0],
              (size_t)(batch.source.offsets[VARIANT_PAIRS] * DIM) * sizeof out[0][0]);
    dgm_batch_clear(test_env(), &batch);
}

TEST(tags_of_no_columns_are_the_plain_model)
{
    variant_check_alike("", "tags(dim=0)", 1, 0);
}

TEST(tags_leave_the_last_columns_of_words_without_a_gradient)
{
    struct dgm_model_config config = untied("tags(dim=3)");
    dgm_real words[TINY_VOCAB * DIM], tags[VARIANT_RELATIONS * TAG_DIM];
    double loss, used = 0;
    struct dgm_batch batch;
    struct tiny tiny;
    int i;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &loss), DGM_OK);
    CHECK_STATUS(variant_grad(&tiny, "encoder.embed_tokens.weight", words), DGM_OK);
    CHECK_STATUS(variant_grad(&tiny, "encoder.embed_tags.weight", tags), DGM_OK);
    for (i = 0; i < TINY_VOCAB * DIM; i++) {
        if (i % DIM >= DIM - TAG_DIM)
            CHECK(words[i] == 0);
        used += fabs((double)words[i]);
    }
    CHECK(used > 1);
    for (i = 0; i < VARIANT_RELATIONS * TAG_DIM;
         i++) /* every tag occurs: unknown, end, relations */
        CHECK(tags[i] != 0);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* An unknown relation is read as no parse is. */
TEST(tags_unknown_are_those_of_no_parse)
{
    static const int32_t unknown[40] = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
                                         -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
    dgm_real out[2][VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    CHECK(batch.source.word_offsets[VARIANT_PAIRS] <= 40);
    CHECK_STATUS(variant_open(&tiny, "tags(dim=3)", 0), DGM_OK);
    CHECK_STATUS(dgm_packed_set_feature(test_env(), &batch.source, DGM_FEATURE_DEPREL, unknown),
                 DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, out[0], NULL), DGM_OK);
    CHECK_STATUS(variant_forget_trees(&batch), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, out[1], NULL), DGM_OK);
    CHECK_MEM(out[1], out[0],
              (size_t)(batch.source.offsets[VARIANT_PAIRS] * DIM) * sizeof out[0][0]);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* ---- several features ------------------------------------------------------------------------ */

/* Every table of a feature becomes 0, and the words' last columns. */
static dgm_status clear_features(struct tiny *tiny)
{
    static const char *const tables[] = { "embed_lemma", "embed_upos", "embed_subword" };

    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        if (dgm_params_find(&tiny->model.params, "encoder.embed_lemma.weight") >= 0)
            DGM_TRY(variant_set(tiny, tables[i], 0));
    return clear_columns(tiny);
}

TEST(tags_of_all_kinds_that_are_zero_are_words_without_their_last_columns)
{
    dgm_real out[2][VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny[2];
    int k;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    for (k = 0; k < 2; k++) {
        struct dgm_model_config config = untied(k ? "tags(lemma=1,upos=1,subword=1)" : "");
        CHECK_STATUS(variant_start(&tiny[k], &config, 1), DGM_OK);
    }
    CHECK_STATUS(variant_copy(&tiny[1], &tiny[0]), DGM_OK);
    for (k = 0; k < 2; k++) {
        CHECK_STATUS(clear_features(&tiny[k]), DGM_OK);
        CHECK_STATUS(tiny_outputs(&tiny[k], &batch, out[k], NULL), DGM_OK);
        tiny_close(&tiny[k]);
    }
    CHECK_MEM(out[1], out[0],
              (size_t)(batch.source.offsets[VARIANT_PAIRS] * DIM) * sizeof out[0][0]);
    dgm_batch_clear(test_env(), &batch);
}

/* The old spelling, the new one and the old one beside others declare the same. */
TEST(tags_of_relations_have_two_spellings)
{
    variant_check_alike("tags(dim=3)", "tags(deprel=3)", 1, 0);
    variant_check_alike("tags(dim=3)", "tags(dim=3,lemma=0)", 1, 0);
    variant_check_alike("tags(dim=3,upos=1)", "tags(upos=1,deprel=3)", 1, 0);
    variant_check_alike("", "tags(upos=0)", 1, 0);
}

/* Each feature is read: other values of it, and of nothing else, are another output. */
TEST(tags_of_every_kind_are_read)
{
    dgm_real out[2][VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny;
    size_t bytes;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    bytes = (size_t)(batch.source.offsets[VARIANT_PAIRS] * DIM) * sizeof out[0][0];
    CHECK_STATUS(variant_open(&tiny, "tags(lemma=1,upos=1,xpos=1,deprel=1)", 0), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, out[0], NULL), DGM_OK);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        int32_t *value = &batch.source.features[kind][0], old = *value;
        *value = DGM_FEATURE_SPECIALS + (old + 1) % 3;
        if (*value == old)
            *value = DGM_FEATURE_SPECIALS + (old + 2) % 3;
        CHECK_STATUS(tiny_outputs(&tiny, &batch, out[1], NULL), DGM_OK);
        CHECK(memcmp(out[1], out[0], bytes) != 0);
        *value = old;
        CHECK_STATUS(tiny_outputs(&tiny, &batch, out[1], NULL), DGM_OK);
        CHECK_MEM(out[1], out[0], bytes);
    }
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}
