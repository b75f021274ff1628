/*
 * kind_case.h: networks of every kind of encoder and decoder, in every pairing that needs a test,
 * and the samples of every encoder.
 */
#ifndef DGM_TEST_KIND_CASE_H
#define DGM_TEST_KIND_CASE_H

#include <stdio.h>

#include "base/option/settings_file.h"
#include "tiny.h"

struct kind_case {
    const char *encoder, *decoder;
    enum dgm_tying tying;
    int attend_level, dynamic, pre_norm;
    const char *syntax;
    const char *sample; /* one of its encoder's, instead of all above but the names; or NULL */
};

static const struct kind_case kind_cases[] = {
    { "sequential", "recurrent", DGM_TIED_NONE, 0, 0, 0, "", NULL },
    { "sequential-dependency", "recurrent", DGM_TIED_DECODER, 0, 0, 0, "", NULL },
    { "lexicalized", "recurrent", DGM_TIED_NONE, 0, 0, 0, "", NULL },
    { "lexicalized", "recurrent", DGM_TIED_ALL, 0, 3, 0, "", NULL },
    { "constituency", "recurrent", DGM_TIED_ALL, 0, 0, 0, "", NULL },
    { "constituency", "recurrent", DGM_TIED_NONE, -1, 3, 0, "", NULL },
    { "transformer", "recurrent", DGM_TIED_ALL, 0, 0, 0, "", NULL },
    { "transformer", "recurrent", DGM_TIED_NONE, 0, 0, 1, "deps-san(layers=1)+shaw(k=2)", NULL },
    { "transformer", "recurrent", DGM_TIED_DECODER, 0, 0, 0, "lisa(layer=2)", NULL },
    { "sequential", "transformer", DGM_TIED_NONE, 0, 0, 0, "", NULL },
    { "lexicalized", "transformer", DGM_TIED_ALL, 0, 0, 1, "", NULL },
    { "constituency", "transformer", DGM_TIED_DECODER, 2, 0, 0, "", NULL },
    { "transformer", "ssru", DGM_TIED_ALL, 0, 0, 0, "", NULL },
    { "transformer", "ssru", DGM_TIED_NONE, 0, 0, 1, "deps-san(layers=1)+shaw(k=2)", NULL },
    { "sequential", "ssru", DGM_TIED_DECODER, 0, 0, 1, "", NULL },
};

enum { KIND_CASES = sizeof kind_cases / sizeof *kind_cases };

/* Case number i: those above, then every sample of every encoder in the list, beneath a recurrent
 * decoder; 0: there are not so many. */
static inline int kind_case_at(int i, struct kind_case *one)
{
    int k, s;

    if (i < KIND_CASES) {
        *one = kind_cases[i];
        return 1;
    }
    i -= KIND_CASES;
    memset(one, 0, sizeof *one);
    for (k = 0; k < dgm_encoder_count(); k++)
        for (s = 0; dgm_encoder_entry(k)->samples[s] != NULL; s++)
            if (i-- == 0) {
                one->encoder = dgm_encoder_entry(k)->name;
                one->decoder = "recurrent";
                one->syntax = "";
                one->sample = dgm_encoder_entry(k)->samples[s];
                return 1;
            }
    return 0;
}

/* A configuration of small widths with the options of a sample, "name=value,name=value". */
static inline dgm_status kind_sample_config(struct dgm_model_config *config,
                                            const struct kind_case *one)
{
    static const struct dgm_opt *const tables[] = { dgm_model_options, dgm_recurrent_options,
                                                    NULL };
    static const char widths[] =
        "dim-emb = 8\ndim-rnn = 6\ntransformer-heads = 2\ntransformer-dim-ffn = 10\n"
        "enc-depth = 2\ndec-depth = 2\ndropout = 0\nmax-length = 64\n";
    struct dgm_settings settings;
    char text[256], *sample;
    dgm_status status;

    DGM_TRY(dgm_settings_init(test_env(), &settings, tables));
    snprintf(text, sizeof text, "encoder = %s\ndecoder = %s\n", one->encoder, one->decoder);
    sample = text + strlen(text);
    snprintf(sample, sizeof text - strlen(text), "%s\n", one->sample);
    for (; *sample != '\0'; sample++)
        if (*sample == ',')
            *sample = '\n';
    status = dgm_settings_file_parse(test_env(), &settings, widths, sizeof widths - 1, "widths");
    if (status == DGM_OK)
        status = dgm_settings_file_parse(test_env(), &settings, text, strlen(text), "sample");
    if (status == DGM_OK)
        status = dgm_model_config_read(test_env(), config, &settings);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

static inline struct dgm_model_config kind_config(const struct kind_case *one)
{
    struct dgm_model_config config = tiny_config();

    if (one->sample != NULL) {
        config.dim = -1; /* opens nothing, should the sample be refused */
        kind_sample_config(&config, one);
        return config;
    }
    tiny_kinds(&config, one->encoder, one->decoder);
    config.tying = one->tying;
    config.pre_norm = one->pre_norm;
    config.recurrent.attend_level = one->attend_level;
    config.recurrent.dynamic = one->dynamic;
    strcpy(config.syntax, one->syntax);
    return config;
}

#endif
