/* test_scorer.c: the public scorer. */
#include "api/program.h"
#include "api_case.h"
#include "base/option/settings.h"
#include "text/score/metric.h"

TEST(api_scorer_scores_lines_and_files)
{
    const char *references[2] = { "the cat sat on the mat .", NULL };
    size_t bytes[2] = { 24, 0 };
    dgm_context *context;
    dgm_scorer *scorer;
    char hypothesis[512], reference[512];
    const char *files[1], *text;
    double value = 0.0;
    long count = -1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &scorer), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, NULL, &count), DGM_OK);
    CHECK_INT(count, 0);
    CHECK_FAILS(context, dgm_scorer_value(scorer, &value, NULL), DGM_DATA);
    CHECK_FAILS(context, dgm_scorer_text(scorer, DGM_SCORE_SIGNATURE, &text), DGM_DATA);
    CHECK_FAILS(context, dgm_scorer_text(scorer, DGM_SCORE_NAME, NULL), DGM_USAGE);
    CHECK_STATUS(dgm_scorer_add(scorer, references[0], 24, references, bytes, 2), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, &value, &count), DGM_OK);
    CHECK_NEAR(value, 100.0, 1e-9);
    CHECK_INT(count, 1);
    references[1] = "a cat sat .";
    bytes[1] = 11;
    CHECK_STATUS(dgm_scorer_add(scorer, NULL, 0, references, bytes, 2), DGM_OK);
    CHECK_STATUS(dgm_scorer_text(scorer, DGM_SCORE_SIGNATURE, &text), DGM_OK);
    CHECK(strncmp(text, "nrefs:var|case:mixed|eff:no|tok:13a|smooth:exp|version:", 55) == 0);
    CHECK_FAILS(context, dgm_scorer_text(scorer, (dgm_score_text)99, &text), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, 0), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, (size_t)-1), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, NULL, bytes, 1), DGM_USAGE);
    references[0] = references[1] = NULL;
    CHECK_FAILS(context, dgm_scorer_add(scorer, "x", 1, references, bytes, 2), DGM_DATA);
    CHECK_STATUS(dgm_scorer_reset(scorer), DGM_OK);
    put_file(hypothesis, "hypothesis", "a b c d\ne f g h\n");
    put_file(reference, "reference", "a b c d\ne f g h");
    files[0] = reference;
    CHECK_STATUS(dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL), DGM_OK);
    CHECK_STATUS(dgm_scorer_value(scorer, &value, &count), DGM_OK);
    CHECK_NEAR(value, 100.0, 1e-9);
    CHECK_INT(count, 2);
    put_file(reference, "reference", "a b c d\n");
    CHECK_FAILS(context, dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL),
                DGM_DATA);
    files[0] = NULL;
    CHECK_FAILS(context, dgm_scorer_add_files(&scorer, 1, hypothesis, files, 1, NULL, NULL),
                DGM_USAGE);
    dgm_scorer_free(scorer);
    dgm_context_free(context);
}

TEST(api_scorer_compares_systems)
{
    const char *reference = "the cat sat on the mat";
    const char *said[2] = { "the cat sat on the mat", "a dog sat on the mat" };
    dgm_scorer_options options;
    dgm_scorer *scorers[3], *bare;
    dgm_paired results[2];
    dgm_context *context;
    size_t bytes = 22;
    int i, line;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.keep_sentences = 1;
    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(dgm_scorer_new(context, NULL, &bare), DGM_OK);
    for (i = 0; i < 2; i++) {
        CHECK_STATUS(dgm_scorer_new(context, &options, &scorers[i]), DGM_OK);
        CHECK_STATUS(dgm_scorer_add(scorers[i], "x", 1, &reference, &bytes, 1), DGM_OK);
        CHECK_STATUS(dgm_scorer_reset(scorers[i]), DGM_OK);
        for (line = 0; line < 50; line++)
            CHECK_STATUS(dgm_scorer_add(scorers[i], said[i], strlen(said[i]), &reference, &bytes,
                                        1),
                         DGM_OK);
    }
    CHECK_STATUS(dgm_scorer_paired(scorers, 2, 99, 1, results), DGM_OK);
    CHECK_NEAR(results[0].score, 100, 1e-9);
    CHECK_NEAR(results[0].p, 1, 0);
    CHECK(results[1].score < 90);
    CHECK_NEAR(results[1].mean, results[1].score, 1e-9);
    CHECK_NEAR(results[1].p, 0.01, 1e-12);
    CHECK_STATUS(dgm_scorer_paired(NULL, 2, 99, 1, results), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 99, 1, NULL), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 0, 1, results), DGM_USAGE);
    CHECK_FAILS(context, dgm_scorer_paired(&bare, 1, 99, 1, results), DGM_USAGE);
    options.lower = 1; /* what it counts is no number of the other's kind */
    scorers[2] = scorers[1];
    CHECK_STATUS(dgm_scorer_new(context, &options, &scorers[1]), DGM_OK);
    for (line = 0; line < 50; line++)
        CHECK_STATUS(dgm_scorer_add(scorers[1], said[1], strlen(said[1]), &reference, &bytes, 1),
                     DGM_OK);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 99, 1, results), DGM_USAGE);
    dgm_scorer_free(scorers[1]);
    scorers[1] = scorers[2];
    CHECK_STATUS(dgm_scorer_add(scorers[1], "x", 1, &reference, &bytes, 1), DGM_OK);
    CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 99, 1, results), DGM_DATA);
    for (i = 0; i < 2; i++)
        dgm_scorer_free(scorers[i]);
    dgm_scorer_free(bare);
    dgm_context_free(context);
}

/* A value of an option that is not its default. */
static const char *other_value(const struct dgm_opt *opt)
{
    static char text[32];
    if (opt->type == DGM_OPT_FLAG)
        return "true";
    if (opt->type == DGM_OPT_CHOICE)
        return strrchr(opt->choices, '|') + 1;
    sprintf(text, "%d", (int)opt->low);
    if (opt->fallback != NULL && strcmp(text, opt->fallback) == 0)
        sprintf(text, "%d", (int)opt->high);
    return text;
}

static void open_scorer(dgm_context *context, const char *metric, const struct dgm_opt *changed,
                        dgm_scorer **scorer)
{
    const char *reference = "the cat sat on the mat";
    dgm_scorer_options options = { .struct_size = sizeof options, .keep_sentences = 1 };
    struct dgm_settings settings;
    size_t bytes = 22;
    options.metric = metric;
    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_scorer_option_tables()), DGM_OK);
    if (changed != NULL)
        CHECK_STATUS(dgm_settings_set(test_env(), &settings, changed->name, other_value(changed),
                                      "test"),
                     DGM_OK);
    CHECK_STATUS(dgm_scorer_open(context, &options, &settings, scorer), DGM_OK);
    CHECK_STATUS(dgm_scorer_add(*scorer, reference, bytes, &reference, &bytes, 1), DGM_OK);
    dgm_settings_clear(test_env(), &settings);
}

TEST(api_scorer_tells_systems_of_other_options_apart)
{
    const struct dgm_metric *metric;
    dgm_scorer *scorers[2];
    dgm_paired results[2];
    dgm_context *context;
    CHECK_STATUS(new_context(&context), DGM_OK);
    for (size_t i = 0; (metric = dgm_metric_entry(i)) != NULL; i++) {
        const struct dgm_opt *opt = metric->options;
        open_scorer(context, metric->name, NULL, &scorers[0]);
        open_scorer(context, metric->name, NULL, &scorers[1]);
        CHECK_STATUS(dgm_scorer_paired(scorers, 2, 9, 1, results), DGM_OK);
        dgm_scorer_free(scorers[1]);
        for (; opt->name != NULL; opt++) {
            open_scorer(context, metric->name, opt, &scorers[1]);
            CHECK_FAILS(context, dgm_scorer_paired(scorers, 2, 9, 1, results), DGM_USAGE);
            dgm_scorer_free(scorers[1]);
        }
        dgm_scorer_free(scorers[0]);
    }
    dgm_context_free(context);
}

/* chrF++ is chrF with words of up to 2. */
TEST(api_scorer_knows_metrics_by_other_names)
{
    dgm_scorer_options options = { .struct_size = sizeof options, .keep_sentences = 1 };
    const char *reference = "the cat sat on the mat", *name;
    dgm_scorer *scorers[3];
    dgm_paired results[2];
    dgm_context *context;
    size_t bytes = 22;
    CHECK_STATUS(new_context(&context), DGM_OK);
    for (int i = 0; i < 3; i++) {
        options.metric = i == 0 ? "chrf++" : "chrf";
        options.word_order = i == 1 ? 2 : 0;
        CHECK_STATUS(dgm_scorer_new(context, &options, &scorers[i]), DGM_OK);
        CHECK_STATUS(dgm_scorer_text(scorers[i], DGM_SCORE_NAME, &name), DGM_OK);
        CHECK_STR(name, i < 2 ? "chrF2++" : "chrF2");
        CHECK_STATUS(dgm_scorer_add(scorers[i], reference, bytes, &reference, &bytes, 1), DGM_OK);
    }
    CHECK_STATUS(dgm_scorer_paired(scorers, 2, 9, 1, results), DGM_OK);
    CHECK_FAILS(context, dgm_scorer_paired(scorers + 1, 2, 9, 1, results), DGM_USAGE);
    for (int i = 0; i < 3; i++)
        dgm_scorer_free(scorers[i]);
    dgm_context_free(context);
}

TEST(api_scorer_refuses_unknown_words)
{
    dgm_context *context;
    dgm_scorer_options options;
    dgm_scorer *scorer;
    CHECK_STATUS(new_context(&context), DGM_OK);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.metric = "blue";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.metric = "bleu";
    options.tokenize = "14b";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.tokenize = NULL;
    options.smooth = "soft";
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.smooth = NULL;
    options.max_order = 7;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.max_order = 0;
    options.word_order = -1;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    options.word_order = 0;
    options.has_smooth_value = 1;
    options.smooth_value = -0.1;
    CHECK_FAILS(context, dgm_scorer_new(context, &options, &scorer), DGM_USAGE);
    CHECK(scorer == NULL);
    dgm_context_free(context);
}
