/* test_bleu.c: BLEU and chrF against published scores. */
#include <stdio.h>
#include <string.h>

#include "base/lines/lines.h"
#include "base/number/number.h"
#include "test.h"
#include "text/score/bleu.h"
#include "text/score/chrf.h"

static struct dgm_metric_text text_of(const char *text)
{
    struct dgm_metric_text result;

    result.data = text;
    result.bytes = strlen(text);
    return result;
}

static void add(const struct dgm_metric *metric, void *sum, const void *part)
{
    const struct dgm_measure measure = { .metric = metric };

    dgm_measure_add(&measure, sum, part);
}

/* The dog sentences of sacreBLEU's tests: hypothesis and two references. */
static const char *const dogs[3][3] = {
    { "The dog bit the man.", "The dog bit the man.", "The dog had bit the man." },
    { "It wasn't surprising.", "It was not unexpected.", "No one was surprised." },
    { "The man had just bitten him.", "The man bit him first.", "The man had bitten the dog." },
};

static struct dgm_bleu_stats count_dogs(const struct dgm_bleu_options *options)
{
    struct dgm_bleu_stats sum, part;
    struct dgm_metric_text references[2];
    struct dgm_bleu bleu;
    int i;

    memset(&sum, 0, sizeof sum);
    memset(&bleu, 0, sizeof bleu);
    bleu.options = *options;
    for (i = 0; i < 3; i++) {
        references[0] = text_of(dogs[i][1]);
        references[1] = text_of(dogs[i][2]);
        memset(&part, 0, sizeof part);
        dgm_bleu_count(test_env(), &bleu, &part, text_of(dogs[i][0]), references, 2);
        add(&dgm_metric_bleu, &sum, &part);
    }
    dgm_bleu_clear(test_env(), &bleu);
    return sum;
}

TEST(bleu_of_a_corpus_equals_sacrebleu)
{
    static const struct {
        enum dgm_bleu_tokenizer tokenizer;
        int order;
        double want, tolerance;
    } cases[] = {
        { DGM_BLEU_13A, 4, 48.530827, 5e-7 },    { DGM_BLEU_NONE, 4, 49.1919566, 5e-8 },
        { DGM_BLEU_INTL, 4, 43.91623493, 5e-9 }, { DGM_BLEU_13A, 1, 77.65, 5e-3 },
        { DGM_BLEU_13A, 2, 60.50, 5e-3 },        { DGM_BLEU_13A, 3, 53.93, 5e-3 },
        { DGM_BLEU_13A, 5, 46.14, 5e-3 },        { DGM_BLEU_13A, 6, 43.28, 5e-3 },
    };
    struct dgm_bleu_options options;
    struct dgm_bleu_stats stats;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&options, 0, sizeof options);
        options.tokenizer = cases[i].tokenizer;
        options.order = cases[i].order;
        stats = count_dogs(&options);
        CHECK_NEAR(dgm_bleu_score(&stats, &options).score, cases[i].want, cases[i].tolerance);
    }
}

static double sentence_bleu(const char *hypothesis, const char *reference,
                            const struct dgm_bleu_options *options)
{
    struct dgm_metric_text text = text_of(reference);
    struct dgm_bleu_stats stats;
    struct dgm_bleu bleu;

    memset(&bleu, 0, sizeof bleu);
    memset(&stats, 0, sizeof stats);
    bleu.options = *options;
    dgm_bleu_count(test_env(), &bleu, &stats, text_of(hypothesis), &text, 1);
    dgm_bleu_clear(test_env(), &bleu);
    return dgm_bleu_score(&stats, options).score;
}

TEST(bleu_of_a_sentence_follows_its_smoothing)
{
    static const char hypothesis[] =
        "Produc\xC8\x9Bia de zah\xC4\x83r prim\xC4\x83 va fi "
        "exprimat\xC4\x83 \xC3\xAEn ceea ce prive\xC8\x99te zah\xC4\x83rul alb;";
    static const char reference[] = "produc\xC5\xA3ia de zah\xC4\x83r brut se exprim\xC4\x83 "
                                    "\xC3\xAEn zah\xC4\x83r alb;";
    static const struct {
        struct dgm_bleu_options options;
        double want;
    } cases[] = {
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_EXP, 0, 0, 0, 0, 1, 4, 0 }, 8.493 },
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_NONE, 0, 0, 0, 0, 1, 4, 0 }, 0.0 },
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_FLOOR, 0, 0, 0, 0, 1, 4, 0 }, 4.51688 },
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_FLOOR, 1, 0.5, 0, 0, 1, 4, 0 }, 10.1 },
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_ADD_K, 0, 0, 0, 0, 1, 4, 0 }, 14.882 },
        { { DGM_BLEU_13A, DGM_BLEU_SMOOTH_ADD_K, 1, 2, 0, 0, 1, 4, 0 }, 21.389 },
        { { DGM_BLEU_NONE, DGM_BLEU_SMOOTH_EXP, 0, 0, 0, 0, 1, 4, 0 }, 7.347 },
        { { DGM_BLEU_INTL, DGM_BLEU_SMOOTH_EXP, 0, 0, 0, 0, 1, 4, 0 }, 8.493 },
        { { DGM_BLEU_CHAR, DGM_BLEU_SMOOTH_EXP, 0, 0, 0, 0, 1, 4, 0 }, 40.8759 },
        { { DGM_BLEU_CHAR, DGM_BLEU_SMOOTH_EXP, 0, 0, 1, 0, 1, 4, 0 }, 42.0267 },
    };
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_NEAR(sentence_bleu(hypothesis, reference, &cases[i].options), cases[i].want, 1e-3);
        if (cases[i].options.tokenizer == DGM_BLEU_13A)
            CHECK_NEAR(sentence_bleu("this is a cat", "okay thanks", &cases[i].options), 0, 0);
    }
}

TEST(bleu_scores_statistics_that_are_hardly_any)
{
    static const struct {
        struct dgm_bleu_stats stats;
        double offset, want;
    } cases[] = {
        { { 11, 11, { 9, 7, 5, 3, 0, 0 }, { 10, 8, 6, 4, 0, 0 } }, 0.0, 83.75922397 },
        { { 0, 1, { 0, 0, 0, 0, 0, 0 }, { 4, 4, 2, 1, 0, 0 } }, 0.0, 0 },
        { { 14, 10, { 0, 0, 0, 0, 0, 0 }, { 10, 11, 12, 0, 0, 0 } }, 0.0, 0 },
        { { 0, 0, { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 } }, 0.1, 0 },
        { { 6, 6, { 6, 5, 4, 0, 0, 0 }, { 6, 5, 4, 3, 0, 0 } }, 0.0, 0 },
        { { 1, 5, { 0, 0, 0, 0, 0, 0 }, { 0, 0, 0, 0, 0, 0 } }, 0.01, 0 },
        { { 6, 8, { 4, 2, 1, 0, 0, 0 }, { 6, 5, 4, 3, 0, 0 } }, 0.1, 15.55722182 },
    };
    struct dgm_bleu_options options;
    size_t i;

    for (i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        memset(&options, 0, sizeof options);
        options.smoothing = DGM_BLEU_SMOOTH_FLOOR;
        options.has_smooth_value = 1;
        options.smooth_value = cases[i].offset;
        CHECK_NEAR(dgm_bleu_score(&cases[i].stats, &options).score, cases[i].want, 1e-8);
    }
}

TEST(bleu_prints_as_multi_bleu_and_sacrebleu_do)
{
    const struct dgm_metric *metric = &dgm_metric_bleu;
    struct dgm_bleu bleu;
    const struct dgm_measure measure = { .metric = metric, .state = &bleu };
    struct dgm_bleu_stats stats;
    struct dgm_buf out;

    memset(&bleu, 0, sizeof bleu);
    memset(&out, 0, sizeof out);
    stats = count_dogs(&bleu.options);
    CHECK_STATUS(metric->print_details(test_env(), &out, &bleu, (const int64_t *)&stats), DGM_OK);
    CHECK_STR(out.data, "82.4/50.0/45.5/37.5 (BP = 0.943 ratio = 0.944 hyp_len = 17 ref_len = 18)");
    dgm_buf_reset(&out);
    CHECK_STATUS(metric->print_multi(test_env(), &out, (const int64_t *)&stats), DGM_OK);
    CHECK_STR(out.data, "BLEU = 48.53, 82.4/50.0/45.5/37.5 (BP=0.943, ratio=0.944, hyp_len=17, "
                        "ref_len=18)");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_measure_print_signature(test_env(), &out, &measure, 1, 0), DGM_OK);
    CHECK_STR(out.data, "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:dragoman-0.1.0");
    dgm_buf_reset(&out);
    bleu.options.smoothing = DGM_BLEU_SMOOTH_ADD_K;
    bleu.options.lower = 1;
    CHECK_STATUS(dgm_measure_print_signature(test_env(), &out, &measure, -1, 1), DGM_OK);
    CHECK_STR(out.data, "#:var|c:lc|e:no|tok:13a|s:add-k[1.00]|v:dragoman-0.1.0");
    dgm_buf_clear(test_env(), &out);
}

TEST(bleu_wants_a_reference)
{
    struct dgm_metric_text none = { NULL, 0 };
    struct dgm_bleu_stats stats;
    struct dgm_bleu bleu;

    memset(&bleu, 0, sizeof bleu);
    CHECK_STATUS(dgm_bleu_count(test_env(), &bleu, &stats, text_of("a"), &none, 1), DGM_DATA);
    dgm_bleu_clear(test_env(), &bleu);
}

/* ---- published scores of WMT ----------------------------------------------------------------- */

struct scorer {
    struct dgm_bleu bleu;
    struct dgm_chrf chrf;
    struct dgm_bleu_stats bleu_sum;
    struct dgm_chrf_stats chrf_sum;
    struct dgm_lines files[3]; /* the hypothesis and up to two references */
};

static dgm_status score_line(struct dgm_env *env, struct scorer *scorer, int files, int *more)
{
    struct dgm_metric_text texts[3];
    struct dgm_bleu_stats bleu;
    struct dgm_chrf_stats chrf;
    int i;

    for (i = 0; i < files; i++) {
        DGM_TRY(dgm_lines_next(env, &scorer->files[i], more));
        if (!*more)
            return DGM_OK;
        texts[i].data = scorer->files[i].line.size > 0 ? scorer->files[i].line.data : "";
        texts[i].bytes = scorer->files[i].line.size;
    }
    DGM_TRY(dgm_bleu_count(env, &scorer->bleu, &bleu, texts[0], texts + 1, (size_t)files - 1));
    DGM_TRY(dgm_chrf_count(env, &scorer->chrf, &chrf, texts[0], texts + 1, (size_t)files - 1));
    add(&dgm_metric_bleu, &scorer->bleu_sum, &bleu);
    add(&dgm_metric_chrf, &scorer->chrf_sum, &chrf);
    return DGM_OK;
}

static dgm_status score_files(struct dgm_env *env, const char *const *paths, int files,
                              double *bleu, double *chrf)
{
    struct scorer scorer;
    dgm_status status = DGM_OK;
    int i, more = 1;

    memset(&scorer, 0, sizeof scorer);
    for (i = 0; i < files; i++)
        DGM_TRY_OUT(dgm_lines_open(env, &scorer.files[i], paths[i]));
    while (more)
        DGM_TRY_OUT(score_line(env, &scorer, files, &more));
    *bleu = dgm_bleu_score(&scorer.bleu_sum, &scorer.bleu.options).score;
    *chrf = dgm_chrf_score(&scorer.chrf_sum, &scorer.chrf.options);
out:
    for (i = 0; i < files; i++)
        dgm_lines_close(env, &scorer.files[i]);
    dgm_bleu_clear(env, &scorer.bleu);
    dgm_chrf_clear(env, &scorer.chrf);
    return status;
}

/*
 * One row: pair, system, refset, segments, tokeniser, published BLEU, recomputed, chrF,
 * chrF.
 */
static void check_row(const char *folder, char *row)
{
    char *fields[9], paths[3][1200];
    const char *arguments[3];
    double want_bleu, want_chrf, bleu = 0, chrf = 0;
    int i, is_german, files = 2;

    for (i = 0; i < 9; i++) {
        fields[i] = row;
        row += strcspn(row, "\t");
        if (*row != '\0')
            *row++ = '\0';
        arguments[i % 3] = paths[i % 3];
    }
    is_german = strcmp(fields[0], "en-de") == 0;
    snprintf(paths[0], 1200, "%s/%s/hyp.%s.%s", folder, fields[0], fields[1],
             is_german ? "de" : "cs");
    snprintf(paths[1], 1200, "%s/%s/ref%s.%s", folder, fields[0], fields[2],
             is_german ? "de" : "cs");
    if (strcmp(fields[2], "all") == 0) {
        snprintf(paths[1], 1200, "%s/%s/%s", folder, fields[0], is_german ? "refA.de" : "refB.cs");
        snprintf(paths[2], 1200, "%s/%s/%s", folder, fields[0], is_german ? "refB.de" : "refC.cs");
        files = 3;
    }
    CHECK(dgm_number_real(&want_bleu, fields[5], strlen(fields[5])));
    CHECK(dgm_number_real(&want_chrf, fields[7], strlen(fields[7])));
    CHECK_STATUS(score_files(test_env(), arguments, files, &bleu, &chrf), DGM_OK);
    CHECK_NEAR(bleu, want_bleu, 1e-11);
    CHECK_NEAR(chrf, want_chrf, 1e-11);
}

/* Every row in `make check-long`; otherwise every ninth, to stay quick. */
TEST(bleu_and_chrf_of_wmt22_systems_equal_the_published)
{
    struct dgm_lines rows;
    char folder[1100], path[1200];
    int more = 1, step = test_is_long() ? 1 : 9;

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    snprintf(folder, sizeof folder, "%s/data/bleu/wmt22", test_shared());
    snprintf(path, sizeof path, "%s/expected.tsv", folder);
    memset(&rows, 0, sizeof rows);
    CHECK_STATUS(dgm_lines_open(test_env(), &rows, path), DGM_OK);
    for (;;) {
        CHECK_STATUS(dgm_lines_next(test_env(), &rows, &more), DGM_OK);
        if (!more)
            break;
        if (rows.number > 1 && rows.number % step == 0)
            check_row(folder, rows.line.data);
    }
    CHECK(rows.number > 50);
    dgm_lines_close(test_env(), &rows);
}
