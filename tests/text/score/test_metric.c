/* test_metric.c: what holds of every metric of the list, at its defaults and in a validation. */
#include "text/score/metric.h"

#include <math.h>
#include <string.h>

#include "test.h"

static const char *const said[] = { "the cat sat on the mat .", "A dog, then; it barked",
                                    "nothing of it all", "" };
static const char *const meant[] = { "the cat sat on a mat .", "a dog then barked", "all of it",
                                     "something" };
enum { SENTENCES = sizeof said / sizeof said[0] };

static struct dgm_metric_text text_of(const char *text)
{
    struct dgm_metric_text result;

    result.data = text;
    result.bytes = text != NULL ? strlen(text) : 0;
    return result;
}

static void open_one(struct dgm_measure *measure, size_t i, int is_valid)
{
    struct dgm_settings settings;

    if (is_valid) {
        CHECK_STATUS(dgm_measure_open_valid(test_env(), measure, dgm_metric_entry(i)), DGM_OK);
        return;
    }
    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_metric_tables), DGM_OK);
    CHECK_STATUS(dgm_measure_open(test_env(), measure, dgm_metric_entry(i)->name, &settings),
                 DGM_OK);
    dgm_settings_clear(test_env(), &settings);
}

static void count_one(struct dgm_measure *measure, struct dgm_metric_count *count, const char *hyp,
                      const char *ref)
{
    const struct dgm_metric_text references[2] = { text_of(NULL), text_of(ref) };

    CHECK_STATUS(dgm_measure_count(test_env(), measure, count, text_of(hyp), references, 2),
                 DGM_OK);
}

/* Runs a check on each metric, as `score` and as a validation have it. */
static void for_each(void (*check)(struct dgm_measure *measure))
{
    struct dgm_measure measure;

    for (int i = 0; dgm_metric_entry((size_t)i / 2) != NULL; i++) {
        memset(&measure, 0, sizeof measure);
        open_one(&measure, (size_t)i / 2, i % 2);
        if (!test_has_failed())
            check(&measure);
        dgm_measure_close(test_env(), &measure);
    }
}

TEST(metrics_have_names_and_rows)
{
    const struct dgm_metric *metric;

    for (size_t i = 0; (metric = dgm_metric_entry(i)) != NULL; i++) {
        int has_valid = metric->valid == NULL;

        CHECK(dgm_metric_find(metric->name) == metric);
        CHECK(strstr(metric->curve, metric->title) != NULL);
        CHECK(metric->width > 0 && metric->width <= DGM_METRIC_WIDTH);
        CHECK(metric->options[DGM_METRIC_OPTIONS - 1].name == NULL);
        for (const struct dgm_opt *opt = metric->options; opt->name != NULL; opt++) {
            CHECK(!DGM_OPT_IS_LIST(opt->type));
            has_valid |= metric->valid != NULL && strcmp(opt->name, metric->valid) == 0;
        }
        CHECK(metric->options[0].name == NULL || metric->options[0].section != NULL);
        CHECK(has_valid);
    }
    CHECK(dgm_metric_find(NULL) == dgm_metric_entry(0));
    CHECK(dgm_metric_find("chrf++") == dgm_metric_find("chrf"));
    CHECK(dgm_metric_find("no-such-metric") == NULL);
}

/* What was counted before, and neighbours, change nothing. */
static void check_counts(struct dgm_measure *measure)
{
    struct dgm_metric_count first[SENTENCES], again;
    int64_t sums[DGM_METRIC_WIDTH] = { 0 };

    for (int i = 0; i < SENTENCES; i++)
        count_one(measure, &first[i], said[i], meant[i]);
    for (int i = SENTENCES - 1; i >= 0; i--) {
        count_one(measure, &again, said[i], meant[i]);
        CHECK_MEM(&again, &first[i], sizeof again);
        dgm_measure_add(measure, sums, again.sums);
    }
    for (size_t i = measure->metric->width; i < DGM_METRIC_WIDTH; i++)
        CHECK_INT(first[0].sums[i], 0);
    CHECK(isfinite(dgm_measure_score(measure, sums)));
}

TEST(metrics_count_a_sentence_the_same_again)
{
    for_each(check_counts);
}

static double score_of(struct dgm_measure *measure, const char *const *hypotheses)
{
    int64_t sums[DGM_METRIC_WIDTH] = { 0 };
    struct dgm_metric_count count = { .notes = 0 };

    for (int i = 0; i < SENTENCES; i++) {
        count_one(measure, &count, hypotheses[i], meant[i]);
        dgm_measure_add(measure, sums, count.sums);
    }
    return dgm_measure_score(measure, sums);
}

static void check_best(struct dgm_measure *measure)
{
    double best = score_of(measure, meant), worse = score_of(measure, said);

    CHECK_NEAR(best, measure->metric->is_error ? 0 : 100, 1e-9);
    CHECK(measure->metric->is_error ? worse > best : worse < best);
}

TEST(metrics_find_the_reference_itself_best)
{
    for_each(check_best);
}

static void check_absent(struct dgm_measure *measure)
{
    const struct dgm_metric_text none[2] = { text_of(NULL), text_of(NULL) };
    struct dgm_metric_count count;

    CHECK_STATUS(dgm_measure_count(test_env(), measure, &count, text_of("a"), none, 2), DGM_DATA);
}

TEST(metrics_want_a_reference)
{
    for_each(check_absent);
}

/* "nrefs:2|case:mixed|version:...": each part a name, a colon and a value, which JSON relies on. */
static void check_signature(struct dgm_measure *measure)
{
    struct dgm_buf out = { NULL, 0, 0, 0 };

    for (int is_short = 0; is_short < 2; is_short++) {
        dgm_buf_reset(&out);
        CHECK_STATUS(dgm_measure_print_signature(test_env(), &out, measure, 2, is_short), DGM_OK);
        CHECK(strncmp(out.data, is_short ? "#:2|" : "nrefs:2|", is_short ? 4 : 8) == 0);
        CHECK(strstr(out.data, is_short ? "|v:" : "|version:") != NULL);
        for (const char *at = out.data; *at != '\0'; at += *at == '|') {
            size_t name = strcspn(at, ":|\" "), value = strcspn(at + name, "|\" ");

            CHECK(name > 0 && at[name] == ':' && value > 1);
            at += name + value;
        }
    }
    dgm_buf_clear(test_env(), &out);
}

TEST(metrics_sign_what_they_counted)
{
    for_each(check_signature);
}
