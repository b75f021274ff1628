/*
 * test_variant_errors.c: what --syntax cannot mean is refused, with words that say what and why.
 */
#include <stdio.h>

#include "nn/attn/syntax.h"
#include "tiny.h"

/* With two layers of four heads on each side; stored: as a model file has it. */
static dgm_status try_config(const char *text, int pre_norm, enum dgm_tying tying,
                             int64_t relations, int stored)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_net model;
    dgm_status status;

    config.pre_norm = pre_norm;
    config.tying = tying;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config.features[kind] = relations;
    config.heads = 4;
    config.stored = stored;
    strcpy(config.syntax, text);
    status = dgm_net_init(test_env(), &model, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS);
    if (status == DGM_OK)
        dgm_net_clear(test_env(), &model);
    return status;
}

static dgm_status try_model(const char *text, int pre_norm, enum dgm_tying tying, int64_t relations)
{
    return try_config(text, pre_norm, tying, relations, 0);
}

static void check_message(const char *const *parts)
{
    char message[512];
    int p;

    snprintf(message, sizeof message, "%s", test_env()->error.message);
    dgm_env_clear_error(test_env());
    for (p = 0; p < 3; p++)
        if (parts[p] != NULL && strstr(message, parts[p]) == NULL)
            CHECK_STR(message, parts[p]);
}

TEST(variants_that_want_the_same_of_a_layer_are_refused)
{
    static const struct {
        const char *text;
        const char *parts[3];
    } cases[6] = {
        { "lisa(layer=2)+dbsa(enc-layer=2)", { "lisa", "dbsa", "layer 2" } },
        { "dbsa(enc-layer=1)+lisa", { "lisa", "dbsa", "parses" } },
        { "pascal(heads=2)+deps-san(heads=2)", { "pascal", "deps-san", "layer 1" } },
        { "pascal(parent-ignoring=0.5)+deps-san(heads=2)", { "pascal", "deps-san", "heads" } },
        { "deps-san(layers=2,heads=1)+pascal(heads=0 3)", { "pascal", "deps-san", "layer 2" } },
        { "deps-san(layers=1,heads=3)+pascal(heads=1)", { "pascal", "deps-san", "layer 1" } },
    };
    size_t c;

    for (c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        CHECK_STATUS(try_model(cases[c].text, 0, DGM_TIED_ALL, 0), DGM_USAGE);
        check_message(cases[c].parts);
    }
}

TEST(variants_that_share_a_model_but_no_layer_are_accepted)
{
    static const char *const texts[7] = {
        "lisa(layer=1)+dbsa(enc-layer=2)",
        "lisa(layer=1)+dbsa(enc-layer=0,dec-layer=1)",
        "pascal(heads=2)+deps-san(layers=2,heads=2)",
        "pascal+deps-san(heads=2)",
        "pascal(heads=2)+deps-san",
        "pascal(heads=2)+deps-san(layers=0,heads=2)",
        "shaw+depth+lisa+pascal+deps-san+localness+context+sgsa",
    };
    size_t t;

    for (t = 0; t < sizeof texts / sizeof texts[0]; t++)
        CHECK_STATUS(try_model(texts[t], 0, DGM_TIED_ALL, 0), DGM_OK);
}

/* As a broken model file may have them, too. */
TEST(variants_written_in_no_way_at_all_are_refused)
{
    static const char *const texts[] = {
        "shaw(",
        "shaw)",
        "(",
        ")",
        "()",
        "+",
        "shaw+",
        "+shaw",
        "shaw++depth",
        "shaw((k=1)",
        "shaw(k=1))",
        "shaw(k=1)x",
        "shaw(k=1)(k=2)",
        "shaw(k=1",
        "shaw(k)",
        "shaw(=1)",
        "shaw(,)",
        "shaw(k=1+depth",
        "shaw)(depth",
        "shaw shaw",
        "shaw+depth+shaw",
        "none+shaw",
        "tags(dim=1",
        "shaw(layers=1-65)",
        "shaw(layers=2-1)",
        "shaw(layers=-1)",
        "shaw(layers=1-)",
        "pascal(heads=99999999999999999999)",
        "shaw(k=1e3)",
        "dbsa(enc-layer=x)",
        "dbsa(enc-layer=-1)",
        "dbsa(enc-layer=65)",
        "dbsa(enc-layer=)",
        "dbsa(dec-layer=3/2)",
        "dbsa(dec-layer=0/2)",
        "dbsa(dec-layer=1/0)",
        "dbsa(dec-layer=2/)",
        "dbsa(dec-layer=/3)",
        "dbsa(dec-layer=3)",
        "\377\001\033[31m",
    };
    char text[sizeof((struct dgm_model_config *)NULL)->syntax];
    unsigned features;
    size_t t;

    for (t = 0; t < sizeof texts / sizeof texts[0]; t++) {
        (void)dgm_syntax_text_features(test_env(), texts[t], &features);
        dgm_env_clear_error(test_env());
        if (try_model(texts[t], 0, DGM_TIED_ALL, 5) != DGM_USAGE)
            CHECK_STR(texts[t], "refused");
        dgm_env_clear_error(test_env());
    }
    for (t = 0; t < sizeof text - 1; t++)
        text[t] = "shaw("[t < 5 ? t : 4];
    text[t] = '\0';
    CHECK_STATUS(try_model(text, 0, DGM_TIED_ALL, 5), DGM_USAGE);
    memset(text, 'x', sizeof text - 1);
    CHECK_STATUS(try_model(text, 0, DGM_TIED_ALL, 5), DGM_USAGE);
    dgm_env_clear_error(test_env());
}

/* Only with some norms, tables or trees. */
TEST(variants_that_do_not_fit_the_model_are_refused)
{
    static const char *const norms[3] = { "nb=1", "post", NULL };
    static const char *const tables[3] = { "concat_narrow", "tied-embeddings", NULL };
    static const char *const labels[3] = { "tags", NULL, NULL };
    static const char *const width[3] = { "dim=8", "width 8", NULL };

    CHECK_STATUS(try_model("sgsa(nb=1)", 1, DGM_TIED_ALL, 0), DGM_USAGE);
    check_message(norms);
    CHECK_STATUS(try_model("sgsa(nb=1)", 0, DGM_TIED_ALL, 0), DGM_OK);
    CHECK_STATUS(try_model("tags(dim=2,mode=concat_narrow)", 0, DGM_TIED_ALL, 5), DGM_USAGE);
    check_message(tables);
    CHECK_STATUS(try_model("tags(dim=2,mode=concat_narrow)", 0, DGM_TIED_DECODER, 5), DGM_OK);
    CHECK_STATUS(try_model("tags(dim=2)", 0, DGM_TIED_ALL, 5), DGM_OK);
    CHECK_STATUS(try_model("tags(dim=2)", 0, DGM_TIED_ALL, 0), DGM_USAGE);
    check_message(labels);
    CHECK_STATUS(try_model("tags(dim=8)", 0, DGM_TIED_ALL, 5), DGM_USAGE);
    check_message(width);
}

TEST(variants_say_which_value_is_out_of_range)
{
    static const struct {
        const char *text;
        const char *parts[3];
    } cases[] = {
        { "depth(l=128)", { "l", "128", NULL } },
        { "depth(subword=mean_pos)", { "subword", "mean_pos", "inherit" } },
        { "depth(use-k=0,share-kv=1)", { "depth", "share_kv=1 needs", NULL } },
        { "dbsa(head=4)", { "head=4", "4 heads", NULL } },
        { "dbsa(bias=both)", { "bias", "both", "key" } },
        { "dbsa(enc-layer=-1)", { "enc-layer", "-1", NULL } },
        { "dbsa(lambda-enc=-0.5)", { "lambda-enc", "-0.5", NULL } },
        { "lisa(layer=0)", { "layer", "0", NULL } },
        { "lisa(lambda=nan)", { "lambda", "nan", NULL } },
        { "pascal(heads=5)", { "heads=5", "0..4", NULL } },
        { "pascal(heads=1 -1)", { "heads=1 -1", "0..4", NULL } },
        { "pascal(heads=one)", { "heads=one", NULL, NULL } },
        { "pascal(sigma=0)", { "sigma", "0", NULL } },
        { "pascal(parent-ignoring=1.5)", { "parent-ignoring", "1.5", NULL } },
        { "deps-san(heads=5)", { "heads=5", "4", NULL } },
        { "deps-san(heads=2,usage=add)", { "heads=2", "usage=mult", NULL } },
        { "deps-san(heads=2,wink-k=1,wink-mode=neg_inf)", { "heads=2", "neg_inf", NULL } },
        { "deps-san(rs-q=1.1)", { "rs-q", "1.1", NULL } },
        { "localness(window=0)", { "window", "0", NULL } },
        { "localness(type=wide)", { "type", "wide", "fixed" } },
        { "context(type=shallow)", { "type", "shallow", "global" } },
        { "context(chunk=all)", { "chunk", "all", "own" } },
        { "sgsa(m=8)", { "m", "8", NULL } },
        { "sgsa(node-drop=2)", { "node-drop", "2", NULL } },
        { "sgsa(fusion=max)", { "fusion", "max", "highway" } },
        { "sgsa(layers=x)", { "layers \"x\"", NULL, NULL } },
        { "tags(mode=wide)", { "mode", "wide", "overwrite" } },
        { "tags(dim=2,deprel=2)", { "dim and deprel", "one of them", NULL } },
        { "tags(lemma=4,upos=4)", { "8 columns", "width 8", "expected less" } },
        { "tags(morph=4)", { "morph", NULL, NULL } },
        { "tags(lemma=-1)", { "lemma", "0..4096", NULL } },
    };
    size_t c;

    for (c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if (try_model(cases[c].text, 0, DGM_TIED_ALL, 5) != DGM_USAGE)
            CHECK_STR(cases[c].text, "refused");
        check_message(cases[c].parts);
    }
}

/* One value that an option cannot have, as text; 0: it may have any. */
static int bad_value(const struct dgm_opt *opt, double value, char *text, size_t size)
{
    if (opt->type == DGM_OPT_CHOICE)
        snprintf(text, size, "no-such-choice");
    else if (opt->type == DGM_OPT_INT || opt->type == DGM_OPT_REAL)
        snprintf(text, size, "%.17g", value);
    else
        return 0;
    return 1;
}

/* Every variant of the list: names that it does not have, and values outside what it declares. */
TEST(variants_refuse_what_their_options_do_not_allow)
{
    char text[160], value[64];
    int k, way;

    for (k = 0; dgm_attn_kinds[k] != NULL; k++) {
        const char *name = dgm_attn_kinds[k]->name;
        const struct dgm_opt *opt = dgm_attn_kinds[k]->options;
        const char *parts[3] = { "no-such-option", name, NULL };
        snprintf(text, sizeof text, "%s(no-such-option=1)", name);
        CHECK_STATUS(try_model(text, 0, DGM_TIED_NONE, 5), DGM_USAGE);
        check_message(parts);
        snprintf(text, sizeof text, "%s+%s", name, name);
        CHECK_STATUS(try_model(text, 0, DGM_TIED_NONE, 5), DGM_USAGE);
        dgm_env_clear_error(test_env());
        for (; opt->name != NULL; opt++)
            for (way = 0; way < 2; way++) {
                if (!bad_value(opt, way == 0 ? opt->low - 1 : opt->high + 1, value, sizeof value))
                    continue;
                snprintf(text, sizeof text, "%s(%s=%s)", name, opt->name, value);
                if (try_model(text, 0, DGM_TIED_NONE, 5) != DGM_USAGE)
                    CHECK_STR(text, "refused");
                parts[0] = opt->name;
                check_message(parts);
            }
    }
}

/* Nothing would come of them. A model of an older version that has them can still be read. */
TEST(variants_in_layers_that_a_model_lacks_are_refused)
{
    static const struct {
        const char *text;
        const char *parts[3];
    } cases[] = {
        { "deps-san(layers=9)", { "deps-san: layers=9", "1..2", "encoder" } },
        { "deps-san(layers=1-3)", { "deps-san: layers=1-3", "1..2", "encoder" } },
        { "shaw(layers=3)", { "shaw: layers=3", "1..2", NULL } },
        { "shaw(sides=enc,layers=1 3)", { "shaw: layers=1 3", "1..2", NULL } },
        { "depth(layers=64)", { "depth: layers=64", "1..2", "encoder" } },
        { "localness(layers=3)", { "localness: layers=3", "1..2", "encoder" } },
        { "context(layers=2-3)", { "context: layers=2-3", "1..2", "encoder" } },
        { "sgsa(layers=3)", { "sgsa: layers=3", "1..2", "encoder" } },
        { "sgsa(layers=1,dmsr-layers=4)", { "sgsa: dmsr_layers=4", "1..2", "encoder" } },
        { "pascal(heads=1 1 1)", { "pascal: heads=1 1 1", "2 layers", NULL } },
        { "lisa(layer=3)", { "lisa: layer=3", "1..2", "encoder" } },
        { "dbsa(enc-layer=3)", { "dbsa: enc_layer=3", "1..2", "encoder" } },
        { "dbsa(enc-layer=1,dec-layer=3)", { "dbsa: dec_layer=3", "1..2", "decoder" } },
    };
    size_t c;

    for (c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        if (try_config(cases[c].text, 0, DGM_TIED_ALL, 0, 0) != DGM_USAGE)
            CHECK_STR(cases[c].text, "refused");
        check_message(cases[c].parts);
        if (try_config(cases[c].text, 0, DGM_TIED_ALL, 0, 1) != DGM_OK)
            CHECK_STR(cases[c].text, test_env()->error.message);
    }
}

TEST(variants_in_the_layers_that_there_are_are_accepted)
{
    static const char *const texts[] = {
        "deps-san",
        "deps-san(layers=1-2)",
        "deps-san(layers=0)",
        "shaw",
        "shaw(layers=2)",
        "context",
        "localness",
        "sgsa(layers=2,dmsr-layers=2)",
        "pascal(heads=0 1 0 0)",
        "dbsa",
        "dbsa(enc-layer=0,dec-layer=2)",
    };
    size_t t;

    for (t = 0; t < sizeof texts / sizeof texts[0]; t++)
        if (try_model(texts[t], 0, DGM_TIED_ALL, 0) != DGM_OK)
            CHECK_STR(texts[t], test_env()->error.message);
}

/* Whether a model needs trees depends on what its options leave of a variant. */
static unsigned needs_of(const char *text, int stored)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_net model;
    unsigned needs;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config.features[kind] = 5;
    config.stored = stored;
    strcpy(config.syntax, text);
    if (dgm_net_init(test_env(), &model, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS) != DGM_OK)
        return ~0u;
    needs = dgm_net_needs(&model);
    dgm_net_clear(test_env(), &model);
    return needs & (DGM_NEEDS_TREES | DGM_NEEDS_TREES_TO_TRAIN | DGM_NEEDS_TARGET_TREES_TO_TRAIN);
}

TEST(variants_need_trees_where_they_read_them)
{
    static const char *const always[] = {
        "deps-san",      "deps-san(layers=2)",     "depth",
        "pascal",        "pascal(heads=0 1)",      "sgsa",
        "tags(dim=2)",   "lisa(gold-at-test=1)",   "shaw+deps-san",
        "tags(lemma=2)", "tags(upos=1,subword=1)", "tags(xpos=2)",
    };
    static const char *const never[] = {
        "shaw",
        "localness",
        "context",
        "deps-san(layers=0)",
        "depth(layers=0)",
        "depth(use-k=0,use-v=0)",
        "pascal(heads=0)",
        "sgsa(layers=0)",
        "tags(dim=0)",
        "tags(subword=2)",
        "tags(lemma=0,upos=0)",
        "lisa(lambda=0)",
        "dbsa(enc-layer=0,dec-layer=0)",
    };
    size_t t;

    for (t = 0; t < sizeof always / sizeof always[0]; t++)
        CHECK_INT(needs_of(always[t], 0), DGM_NEEDS_TREES);
    for (t = 0; t < sizeof never / sizeof never[0]; t++)
        if (needs_of(never[t], 0) != 0)
            CHECK_STR(never[t], "needs no trees");
    CHECK_INT(needs_of("lisa", 0), DGM_NEEDS_TREES_TO_TRAIN);
    CHECK_INT(needs_of("dbsa(enc-layer=1,dec-layer=0)", 0), DGM_NEEDS_TREES_TO_TRAIN);
    CHECK_INT(needs_of("dbsa(enc-layer=0,dec-layer=1)", 0), DGM_NEEDS_TARGET_TREES_TO_TRAIN);
    CHECK_INT(needs_of("deps-san(layers=9)", 1), 0);
    CHECK_INT(needs_of("pascal(heads=0 0 1)", 1), 0);
}

/* ---- recurrent sides ------------------------------------------------------------------------ */

static dgm_status try_kinds(const char *text, const char *encoder, const char *decoder)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_net model;
    dgm_status status;

    tiny_kinds(&config, encoder, decoder);
    strcpy(config.syntax, text);
    status = dgm_net_init(test_env(), &model, &config, TINY_VOCAB, TINY_VOCAB, TINY_EOS);
    if (status == DGM_OK)
        dgm_net_clear(test_env(), &model);
    return status;
}

TEST(variants_without_self_attention_to_vary_are_refused)
{
    static const char *const encoder[3] = { "--syntax", "--encoder sequential", NULL };
    static const char *const decoder[3] = { "shaw", "sides=dec", "decoder" };
    static const char *const both[3] = { "shaw", "sides=enc+dec", "decoder" };
    static const char *const layer[3] = { "dbsa", "dec_layer=1", "no self-attention" };

    CHECK_STATUS(try_kinds("pascal", "sequential", "recurrent"), DGM_USAGE);
    check_message(encoder);
    CHECK_STATUS(try_kinds("shaw(sides=dec)", "sequential", "transformer"), DGM_USAGE);
    check_message(encoder);
    CHECK_STATUS(try_kinds("shaw(sides=dec)", "transformer", "recurrent"), DGM_USAGE);
    check_message(decoder);
    CHECK_STATUS(try_kinds("shaw(sides=enc+dec)", "transformer", "recurrent"), DGM_USAGE);
    check_message(both);
    CHECK_STATUS(try_kinds("dbsa(enc-layer=1,dec-layer=1)", "transformer", "recurrent"), DGM_USAGE);
    check_message(layer);
    CHECK_STATUS(try_kinds("shaw", "transformer", "recurrent"), DGM_OK);
    CHECK_STATUS(try_kinds("lisa(layer=1)+deps-san(layers=2)", "transformer", "recurrent"), DGM_OK);
}
