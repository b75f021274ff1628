/*
 * test_encoder_counts.c: sizes of recurrent encoders, from networks that are never allocated: those
 * of table 3 of Yang, Wong, Chao, Zhang (2019), and what the specification of recurrent models, 6,
 * says of other choices.
 */
#include <stdio.h>

#include "model/encoder.h"
#include "tiny.h"

enum { A = 250000, B = 50000, C = 10000 }; /* d^2, dk and k^2 at d = 500, k = 100 */

enum { VOCAB = 50 };

static int find_encoder(const char *name)
{
    int i = dgm_encoder_count() - 1;

    while (i > 0 && strcmp(dgm_encoder_entry(i)->name, name) != 0)
        i--;
    return i;
}

/* Static, with a bidirectional layer, as wide as the paper's. */
static struct dgm_model_config base_config(const char *encoder)
{
    struct dgm_model_config config = tiny_config();

    config.encoder = find_encoder(encoder);
    config.decoder = 1;
    config.tying = DGM_TIED_NONE;
    config.dim = config.recurrent.dim = 500;
    config.recurrent.birnn = 1;
    config.recurrent.source_end = -1;
    return config;
}

/* Its size, and in *rest all parameters but these and the embeddings of both sides. */
static struct dgm_encoder_size count(const struct dgm_model_config *config, int64_t *rest)
{
    struct dgm_encoder_size size = { -1, -1 };
    struct dgm_net net;

    if (dgm_net_init(test_env(), &net, config, VOCAB, VOCAB, TINY_EOS) != DGM_OK)
        return size;
    size = dgm_net_encoder_size(&net);
    if (rest != NULL)
        *rest = dgm_params_count(&net.params) - size.with_vectors - 2 * VOCAB * config->dim;
    dgm_net_clear(test_env(), &net);
    return size;
}

static int64_t weights(const struct dgm_model_config *config)
{
    return count(config, NULL).weights;
}

/* Millions with `digits` digits, of a number in units of the last one. */
static void check_text(int64_t units, int digits, const char *want)
{
    const int64_t one = digits == 2 ? 100 : 1000;
    char text[32];

    snprintf(text, sizeof text, "%d.%0*d", (int)(units / one), digits, (int)(units % one));
    CHECK_STR(text, want);
}

/* Matrices rounded half up, or matrices and vectors cut, are what the paper prints. */
TEST(ten_encoders_have_the_published_sizes)
{
    static const struct {
        const char *encoder;
        int64_t dim, birnn, k, weights, with_vectors;
        const char *published;
    } rows[10] = {
        { "sequential", 500, 1, 0, 3500000, 3503500, "3.50" },
        { "sequential", 750, 1, 0, 7875000, 7880250, "7.88" },
        { "constituency", 500, 1, 0, 9500000, 9509500, "9.50" },
        { "constituency", 500, 0, 0, 5750000, 5756000, "5.75" },
        { "constituency", 500, 1, 100, 8110000, 8117400, "8.11" },
        { "sequential-dependency", 500, 1, 0, 7000000, 7006500, "7.00" },
        { "sequential-dependency", 500, 0, 0, 3500000, 3503500, "3.50" },
        { "lexicalized", 500, 1, 0, 8750000, 8757500, "8.75" },
        { "lexicalized", 500, 0, 0, 5000000, 5004000, "5.00" },
        { "lexicalized", 500, 1, 100, 6970000, 6975300, "6.97" },
    };
    size_t r;

    for (r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct dgm_model_config config = base_config(rows[r].encoder);
        struct dgm_encoder_size size;
        config.dim = config.recurrent.dim = rows[r].dim;
        config.recurrent.birnn = (int)rows[r].birnn;
        config.recurrent.dynamic = rows[r].k;
        size = count(&config, NULL);
        CHECK_INT(size.weights, rows[r].weights);
        CHECK_INT(size.with_vectors, rows[r].with_vectors);
        check_text((size.weights + 5000) / 10000, 2, rows[r].published);
        check_text(size.with_vectors / 10000, 2, rows[r].published);
    }
}

/* 6.5, figure 5: 17 d^2 + 54 dk + 2 k^2 and 28 d^2 + 22 dk + k^2. */
TEST(dynamic_encoders_grow_with_k_as_predicted)
{
    static const struct {
        int64_t k, lexicalized, constituency;
        const char *millions[2];
    } rows[6] = {
        { 25, 4926250, 7275625, { "4.926", "7.276" } },
        { 50, 5605000, 7552500, { "5.605", "7.553" } },
        { 75, 6286250, 7830625, { "6.286", "7.831" } },
        { 100, 6970000, 8110000, { "6.970", "8.110" } },
        { 150, 8345000, 8672500, { "8.345", "8.673" } }, /* half up: readings C24 */
        { 200, 9730000, 9240000, { "9.730", "9.240" } },
    };
    size_t r;

    for (r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        struct dgm_model_config lexicalized = base_config("lexicalized");
        struct dgm_model_config constituency = base_config("constituency");
        lexicalized.recurrent.dynamic = constituency.recurrent.dynamic = rows[r].k;
        CHECK_INT(weights(&lexicalized), rows[r].lexicalized);
        CHECK_INT(weights(&constituency), rows[r].constituency);
        check_text((rows[r].lexicalized + 500) / 1000, 3, rows[r].millions[0]);
        check_text((rows[r].constituency + 500) / 1000, 3, rows[r].millions[1]);
    }
}

/* 2.6, 6.2: three gates that mix, and a decoder that starts from the mean of all states. */
TEST(constituency_has_the_sizes_of_its_other_choices)
{
    struct dgm_model_config config = base_config("constituency");

    config.recurrent.three_gates = 1;
    CHECK_INT(weights(&config), 10000000);
    config.recurrent.birnn = 0;
    CHECK_INT(weights(&config), 6250000);
    config.recurrent.three_gates = 0;
    config.recurrent.init_states = 1;
    CHECK_INT(weights(&config), 5750000);
    config.recurrent.birnn = 1;
    CHECK_INT(weights(&config), 9250000);
}

/* 6.3, readings B12: a Q for each matrix, beside B, which the other reading does not count. */
TEST(own_input_factors_have_the_predicted_size)
{
    struct dgm_model_config config = base_config("lexicalized");

    config.recurrent.dynamic = 100;
    config.recurrent.own_q = 1;
    CHECK_INT(weights(&config), 17 * A + (18 + 18 + 6 + 18) * B + 2 * C);
    CHECK_INT(weights(&config), 7270000);
    CHECK_INT(weights(&config) - 6 * B, 6970000);
    config.encoder = find_encoder("constituency");
    CHECK_INT(weights(&config), 28 * A + (10 + 10 + 5 + 3) * B + C);
    CHECK_INT(weights(&config) - 5 * B, 8160000);
}

/* What table 3 hides: rows of d columns, not 2d, make the decoder smaller (readings C29). */
TEST(decoders_over_narrow_rows_are_smaller)
{
    struct dgm_model_config config = base_config("sequential");
    int64_t wide = 0, narrow = 0;

    count(&config, &wide);
    config.encoder = find_encoder("lexicalized");
    count(&config, &narrow);
    CHECK_INT(wide - narrow, 2001000);
}
