/*
 * kind_case.h: networks of every kind of encoder and decoder, in every pairing that needs a test.
 */
#ifndef DGM_TEST_KIND_CASE_H
#define DGM_TEST_KIND_CASE_H

#include "tiny.h"

struct kind_case {
    const char *encoder, *decoder;
    enum dgm_tying tying;
    int attend_level, dynamic, pre_norm;
    const char *syntax;
};

static const struct kind_case kind_cases[] = {
    { "sequential", "recurrent", DGM_TIED_NONE, 0, 0, 0, "" },
    { "sequential-dependency", "recurrent", DGM_TIED_DECODER, 0, 0, 0, "" },
    { "lexicalized", "recurrent", DGM_TIED_NONE, 0, 0, 0, "" },
    { "lexicalized", "recurrent", DGM_TIED_ALL, 0, 3, 0, "" },
    { "constituency", "recurrent", DGM_TIED_ALL, 0, 0, 0, "" },
    { "constituency", "recurrent", DGM_TIED_NONE, -1, 3, 0, "" },
    { "transformer", "recurrent", DGM_TIED_ALL, 0, 0, 0, "" },
    { "transformer", "recurrent", DGM_TIED_NONE, 0, 0, 1, "deps-san(layers=1)+shaw(k=2)" },
    { "transformer", "recurrent", DGM_TIED_DECODER, 0, 0, 0, "lisa(layer=2)" },
    { "sequential", "transformer", DGM_TIED_NONE, 0, 0, 0, "" },
    { "lexicalized", "transformer", DGM_TIED_ALL, 0, 0, 1, "" },
    { "constituency", "transformer", DGM_TIED_DECODER, 2, 0, 0, "" },
};

enum { KIND_CASES = sizeof kind_cases / sizeof *kind_cases };

static inline struct dgm_model_config kind_config(const struct kind_case *one)
{
    struct dgm_model_config config = tiny_config();

    tiny_kinds(&config, one->encoder, one->decoder);
    config.tying = one->tying;
    config.pre_norm = one->pre_norm;
    config.recurrent.attend_level = one->attend_level;
    config.recurrent.dynamic = one->dynamic;
    strcpy(config.syntax, one->syntax);
    return config;
}

#endif
