/*
 * test_variant_counts.c: numbers of parameters of models with variants: specification 4.2 (26
 * published figures), 4.3 and 4.4, from declared models that are never allocated.
 */
#include <stdio.h>

#include "variant_case.h"

static struct dgm_model_config base_config(const char *syntax)
{
    struct dgm_model_config config = tiny_config();

    config.dim = 512;
    config.heads = 8;
    config.ffn = 2048;
    config.enc_depth = config.dec_depth = 6;
    config.features[DGM_FEATURE_DEPREL] = 50;
    strcpy(config.syntax, syntax);
    return config;
}

static int64_t count_params(const struct dgm_model_config *config, int64_t source, int64_t target)
{
    struct dgm_net model;
    int64_t count;

    if (dgm_net_init(test_env(), &model, config, source, target, TINY_EOS) != DGM_OK)
        return -1;
    count = dgm_params_count(&model.params);
    dgm_net_clear(test_env(), &model);
    return count;
}

/* The figure as the paper prints it: millions, cut to two digits. */
static void check_published(int64_t count, const char *want)
{
    char text[32];

    snprintf(text, sizeof text, "%d.%02d", (int)(count / 1000000), (int)(count % 1000000 / 10000));
    CHECK_STR(text, want);
}

/* Peng et al. 2021, table 1: IWSLT with one joint matrix, WMT with two, of 60,000 rows each. */
TEST(variants_have_the_published_numbers_of_parameters)
{
    static const struct {
        const char *syntax;
        int64_t iwslt, wmt;
        const char *published[2];
    } rows[13] = {
        { "", 74858496, 105578496, { "74.85", "105.57" } },
        { "pascal", 74858496, 105578496, { "74.85", "105.57" } },
        { "pascal(parent-ignoring=0.3)", 74858496, 105578496, { "74.85", "105.57" } },
        { "localness(type=fixed)", 74871171, 105591171, { "74.87", "105.59" } },
        { "localness(type=layer)", 74883846, 105603846, { "74.88", "105.60" } },
        { "localness(type=query)", 74871366, 105591366, { "74.87", "105.59" } },
        { "context(type=global)", 74909976, 105629976, { "74.90", "105.62" } },
        { "context(type=deep)", 74983576, 105703576, { "74.98", "105.70" } },
        { "context(type=deep_global)", 75032856, 105752856, { "75.03", "105.75" } },
        { "shaw(k=16,share-kv=1)", 74883840, 105603840, { "74.88", "105.60" } },
        { "deps-san", 74858496, 105578496, { "74.85", "105.57" } },
        { "deps-san(rs-q=0.1)", 74858496, 105578496, { "74.85", "105.57" } },
        { "deps-san(wink-k=6)", 74858496, 105578496, { "74.85", "105.57" } },
    };
    struct dgm_model_config config;
    int64_t iwslt, wmt;
    size_t r;

    for (r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        config = base_config(rows[r].syntax);
        config.tying = DGM_TIED_ALL;
        iwslt = count_params(&config, 60000, 60000);
        config.tying = DGM_TIED_DECODER;
        wmt = count_params(&config, 60000, 60000);
        CHECK_INT(iwslt, rows[r].iwslt);
        CHECK_INT(wmt, rows[r].wmt);
        check_published(iwslt, rows[r].published[0]);
        check_published(wmt, rows[r].published[1]);
    }
}

/* SGSA, table 9: source 8,848 and tied target 6,632 types, 6/4/512/1024. */
TEST(sgsa_has_the_published_number_of_parameters)
{
    static const struct {
        const char *syntax;
        int64_t extra;
    } rows[7] = {
        { "sgsa", 5508608 },
        { "sgsa(m=2,fusion=linear)", 786944 },
        { "sgsa(m=2,fusion=average)", 0 },
        { "sgsa(m=0)", 0 },
        { "sgsa(m=2,layers=2)", 0 }, /* fused is layer 1, which has no graph: readings B25 */
        { "sgsa(m=2,layers=1-2,dmsr-layers=1-2)", 2 * 5508608 },
        { "sgsa(m=2,nb=1)", 5508608 },
    };
    struct dgm_model_config config;
    size_t r;

    for (r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        config = base_config(rows[r].syntax);
        config.heads = 4;
        config.ffn = 1024;
        config.tying = DGM_TIED_DECODER;
        CHECK_INT(count_params(&config, 8848, 6632), 39469056 + rows[r].extra);
    }
    CHECK_INT(39469056 + 5508608, 44977664);
}

/* Predicted for En-Vi, of 17,279 to 17,291 rows in all: 40.39, 43.02, 45.90, 49.84 million. */
TEST(sgsa_has_the_predicted_numbers_of_parameters)
{
    static const double millions[4] = { 40.39, 43.02, 45.90, 49.84 };
    struct dgm_model_config config;
    char text[16];
    int m;

    for (m = 0; m < 4; m++) {
        int64_t w = 512 * (m + 1), highway = m ? 2 * (w * w + w) + 512 * w + 512 : 0, count;
        snprintf(text, sizeof text, "sgsa(m=%d)", m);
        config = base_config(text);
        config.heads = 4;
        config.ffn = 1024;
        config.tying = DGM_TIED_DECODER;
        count = count_params(&config, 10000, 7285);
        CHECK_INT(count, 31543296 + 17285 * 512 + highway);
        CHECK_NEAR((double)count / 1e6, millions[m], 0.0051);
    }
}

/* 4.4 and section 3: what papers without counts come to. */
TEST(variants_have_the_predicted_numbers_of_further_parameters)
{
    static const struct {
        const char *syntax;
        int64_t extra;
    } rows[11] = {
        { "shaw(k=2)", 7680 },
        { "depth(l=2)", 3840 },
        { "depth(l=2)+shaw(k=2)", 11520 },
        { "depth(l=2,share-kv=1)", 1920 },
        { "depth(l=2,use-k=0)", 1920 },
        { "dbsa(enc-layer=4,dec-layer=0)", 4160 },
        { "dbsa", 2 * 4160 },
        { "dbsa(bias=none)", 2 * 4096 },
        { "lisa", 69824 },
        { "tags", 50 * 10 },
        { "lisa(gold-at-test=1)", 69824 },
    };
    struct dgm_model_config config = base_config("");
    int64_t base = count_params(&config, 100, 100);
    size_t r;

    for (r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        config = base_config(rows[r].syntax);
        CHECK_INT(count_params(&config, 100, 100) - base, rows[r].extra);
    }
    config = base_config("tags(mode=concat_narrow)");
    config.tying = DGM_TIED_DECODER;
    CHECK_INT(count_params(&config, 100, 100) - base, 50 * 10 + 100 * 502);
}

/* Whatever a variant adds, it belongs to a layer or to the encoder's table of
 * tags, and what the plain model has keeps its name and its shape: a model file's names hold. */
TEST(variants_add_parameters_and_change_none)
{
    struct variant_case one;
    int v;

    test_env_fail_at(0);
    for (v = 0; variant_case_at(v, &one); v++) {
        struct dgm_model_config config = variant_config(one.syntax, 0), none = config;
        struct dgm_net varied, plain;
        size_t p, shared = 0;

        config.stored = 1;
        none.syntax[0] = '\0';
        CHECK_STATUS(dgm_net_init(test_env(), &varied, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS),
                     DGM_OK);
        CHECK_STATUS(dgm_net_init(test_env(), &plain, &none, TINY_VOCAB, TINY_VOCAB, TINY_EOS),
                     DGM_OK);
        for (p = 0; p < varied.params.count; p++) {
            const struct dgm_param *param = &varied.params.items[p];
            dgm_param_id id = dgm_params_find(&plain.params, param->name);
            shared += id >= 0;
            if (id >= 0 && strcmp(param->name, "encoder.embed_tokens.weight") != 0)
                CHECK_INT(param->rows * param->cols,
                          plain.params.items[id].rows * plain.params.items[id].cols);
            if (id < 0 && strstr(param->name, "coder.layers.") == NULL &&
                strncmp(param->name, "encoder.embed_", 14) != 0)
                CHECK_STR(param->name, "a parameter of a layer");
        }
        CHECK_INT(shared, plain.params.count);
        dgm_net_clear(test_env(), &varied);
        dgm_net_clear(test_env(), &plain);
    }
}
