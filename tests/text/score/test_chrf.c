/* test_chrf.c: chrF against published scores. */
#include <string.h>

#include "test.h"
#include "text/score/chrf.h"

static struct dgm_metric_text text_of(const char *text)
{
    struct dgm_metric_text result;

    result.data = text;
    result.bytes = strlen(text);
    return result;
}

static double chrf_of(const char *const *pairs, size_t count,
                      const struct dgm_chrf_options *options)
{
    const struct dgm_measure measure = { .metric = &dgm_metric_chrf };
    struct dgm_chrf_stats sum, part;
    struct dgm_metric_text reference;
    struct dgm_chrf chrf;
    size_t i;

    memset(&sum, 0, sizeof sum);
    memset(&chrf, 0, sizeof chrf);
    chrf.options = *options;
    for (i = 0; i < count; i++) {
        reference = text_of(pairs[2 * i + 1]);
        memset(&part, 0, sizeof part);
        dgm_chrf_count(test_env(), &chrf, &part, text_of(pairs[2 * i]), &reference, 1);
        dgm_measure_add(&measure, (int64_t *)&sum, (const int64_t *)&part);
    }
    dgm_chrf_clear(test_env(), &chrf);
    return dgm_chrf_score(&sum, options);
}

#define SENTENCES_A                                                            \
    "Die Beziehung zwischen Obama und Netanjahu ist nicht gerade freundlich.", \
        "Das Verh\xC3\xA4ltnis zwischen Obama und Netanyahu ist nicht gerade " \
        "freundschaftlich."

TEST(chrf_equals_sacrebleu)
{
    static const struct {
        const char *pairs[4];
        size_t count;
        int beta, eps_smoothing, whitespace;
        double want, tolerance;
    } cases[] = {
        { { "a", "a" }, 1, 2, 0, 0, 100, 0 },
        { { "", "reference" }, 1, 2, 0, 0, 0, 0 },
        { { "a b c", "abc" }, 1, 2, 0, 0, 100, 0 },
        { { "a", "a", "b", "c" }, 2, 2, 0, 0, 50, 1e-12 },
        { { "aa", "ab" }, 1, 2, 0, 0, 25, 1e-12 },
        { { "a", "b" }, 1, 2, 1, 0, 0, 1e-12 },
        { { "aa", "ab" }, 1, 2, 1, 0, 8.3333, 5e-5 },
        { { "a b c", "a b c" }, 1, 2, 1, 0, 50, 1e-10 },
        { { SENTENCES_A }, 1, 3, 0, 1, 67.3481606, 5e-8 },
        { { " Die    Beziehung zwischen  Obama und Netanjahu ist nicht gerade  "
            "freundlich. ",
            "Das Verh\xC3\xA4ltnis zwischen Obama und Netanyahu ist nicht gerade "
            "freundschaftlich." },
          1,
          3,
          0,
          0,
          64.1302698,
          5e-8 },
        { { "Lapali po dechu, jejich \xC5\xBEivoty skon\xC4\x8Dily d\xC5\x99\xC3\xADv, "
            "ne\xC5\xBE "
            "skute\xC4\x8Dn\xC4\x9B za\xC4\x8D"
            "aly.",
            "Lapali po dechu a pak jejich \xC5\xBEivot skon\xC4\x8Dil - "
            "d\xC5\x99\xC3\xADv, "
            "ne\xC5\xBE skute\xC4\x8Dn\xC4\x9B mohl za\xC4\x8D\xC3\xADt, "
            "p\xC5\x99ipomn\xC4\x9Bli." },
          1,
          2,
          1,
          0,
          57.15704367,
          5e-9 },
    };
    struct dgm_chrf_options options;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&options, 0, sizeof options);
        options.beta = cases[i].beta;
        options.eps_smoothing = cases[i].eps_smoothing;
        options.whitespace = cases[i].whitespace;
        CHECK_NEAR(chrf_of(cases[i].pairs, cases[i].count, &options), cases[i].want,
                   cases[i].tolerance);
    }
}

TEST(chrf_prints_its_name_and_signature)
{
    struct dgm_chrf chrf;
    const struct dgm_measure measure = { .metric = &dgm_metric_chrf, .state = &chrf };
    struct dgm_buf out;

    memset(&chrf, 0, sizeof chrf);
    memset(&out, 0, sizeof out);
    chrf.options.word_order = 2;
    CHECK_STATUS(dgm_metric_chrf.print_name(test_env(), &out, &chrf), DGM_OK);
    CHECK_STR(out.data, "chrF2++");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_measure_print_signature(test_env(), &out, &measure, 2, 0), DGM_OK);
    CHECK_STR(out.data, "nrefs:2|case:mixed|eff:yes|nc:6|nw:2|space:no|version:dragoman-0.1.0");
    dgm_buf_clear(test_env(), &out);
}
