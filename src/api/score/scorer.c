/*
 * scorer.c: the public scorer: options, sentences, results, and the test whether systems differ.
 */
#include "api/score/scorer.h"

#include <string.h>

#include "api/program.h"
#include "base/mem.h"
#include "text/score/paired.h"
#include "text/score/randomization.h"

enum { MAX_REFERENCES = 1000 };

/* ---- making one --------------------------------------------------------------------------- */

static dgm_status set_up(struct dgm_scorer *scorer, const dgm_scorer_options *options,
                         const struct dgm_settings *from)
{
    static const char *const kinds_of_p[] = { "two-sided", "sacrebleu" };
    struct dgm_env *env = &scorer->context->env;
    DGM_TRY(dgm_settings_init(env, &scorer->settings, dgm_metric_tables));
    DGM_TRY(from != NULL ? dgm_scorer_take_settings(env, &scorer->settings, from)
                         : dgm_scorer_take_options(env, &scorer->settings, options));
    DGM_TRY(
        dgm_options_choose(env, &scorer->sacrebleu, "paired_p", options->paired_p, kinds_of_p, 2));
    scorer->keep = options->keep_sentences;
    return dgm_measure_open(env, &scorer->measure, options->metric, &scorer->settings);
}

dgm_status dgm_scorer_open(dgm_context *context, const dgm_scorer_options *options,
                           const struct dgm_settings *settings, dgm_scorer **scorer)
{
    struct dgm_scorer *made;
    dgm_status status;
    DGM_ENTER_NEW(context, scorer);
    DGM_TRY(dgm_scorer_check_name(&context->env, options->metric));
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = set_up(made, options, settings);
    if (status == DGM_OK)
        *scorer = made;
    else
        dgm_scorer_free(made);
    return status;
}

dgm_status dgm_scorer_new(dgm_context *context, const dgm_scorer_options *options,
                          dgm_scorer **scorer)
{
    dgm_scorer_options chosen;
    struct dgm_env *env;
    DGM_ENTER_NEW(context, scorer);
    env = &context->env;
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_scorer_options"));
    return dgm_scorer_open(context, &chosen, NULL, scorer);
}

void dgm_scorer_free(dgm_scorer *scorer)
{
    struct dgm_env *env;
    if (DGM_IS_HELD(scorer))
        return;
    env = &scorer->context->env;
    dgm_measure_close(env, &scorer->measure);
    dgm_settings_clear(env, &scorer->settings);
    dgm_buf_clear(env, &scorer->out);
    dgm_release(env, scorer->texts);
    dgm_release(env, scorer->rows);
    dgm_release(env, scorer);
}

dgm_status dgm_scorer_reset(dgm_scorer *scorer)
{
    DGM_ENTER_HANDLE(scorer);
    memset(scorer->sums, 0, sizeof scorer->sums);
    scorer->sentences = 0;
    scorer->references = 0;
    return DGM_OK;
}

/* ---- sentences ---------------------------------------------------------------------------- */

dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count)
{
    struct dgm_env *env = &scorer->context->env;
    if (count == 0 || count > MAX_REFERENCES)
        return dgm_fail(env, DGM_USAGE, "%zu references; expected 1..%d", count, MAX_REFERENCES);
    return dgm_reserve(env, &scorer->texts, &scorer->text_capacity, count, sizeof *scorer->texts);
}

/* Keeps the numbers of a sentence as a row. A paired test sums rows of random samples, so it needs
 * neither the texts nor what the numbers mean. */
static dgm_status keep_row(struct dgm_scorer *scorer, const int64_t *sums)
{
    size_t width = scorer->measure.metric->width, used = (size_t)scorer->sentences * width;
    if (!scorer->keep)
        return DGM_OK;
    DGM_TRY(dgm_reserve(&scorer->context->env, &scorer->rows, &scorer->row_capacity, used + width,
                        sizeof *scorer->rows));
    memcpy(scorer->rows + used, sums, width * sizeof *scorer->rows);
    return DGM_OK;
}

/* Warns at the hundredth sentence that looks tokenised, and once for all scorers of a context of
 * text that is hardly cut. */
static void warn(struct dgm_scorer *scorer, int notes)
{
    const char *title = scorer->measure.metric->title;
    struct dgm_context *context = scorer->context;
    if ((notes & DGM_METRIC_TOKENIZED) && ++scorer->tokenized == 100)
        dgm_log(&context->env, DGM_LOG_WARNING,
                "100 lines end in a full stop set off by a blank: the text looks tokenised; %s "
                "wants it detokenised",
                title);
    if (!(notes & DGM_METRIC_UNCUT) || context->told_uncut)
        return;
    context->told_uncut = 1;
    dgm_log(
        &context->env, DGM_LOG_WARNING,
        "%s cuts words at blanks and punctuation, and these references have a script without "
        "blanks: whole sentences are compared as one word. Try: --tokenize char, or zh for "
        "Chinese, or ja-mecab for Japanese, or --metrics chrf, or text that is cut into words with "
        "--tokenize none",
        title);
}

dgm_status dgm_scorer_take(struct dgm_scorer *scorer, const struct dgm_metric_count *count,
                           int present)
{
    warn(scorer, count->notes);
    dgm_looks_add_of(&scorer->looks, count->looks);
    DGM_TRY(keep_row(scorer, count->sums));
    dgm_measure_add(&scorer->measure, scorer->sums, count->sums);
    if (scorer->sentences++ == 0)
        scorer->references = present;
    else if (scorer->references != present)
        scorer->references = -1;
    return DGM_OK;
}

/* Counts one sentence against the first `count` of scorer->texts. */
static dgm_status count_sentence(struct dgm_scorer *scorer, struct dgm_metric_text hypothesis,
                                 size_t count)
{
    struct dgm_env *env = &scorer->context->env;
    struct dgm_metric_count counted;
    int present = 0;
    size_t i;
    for (i = 0; i < count; i++)
        present += scorer->texts[i].data != NULL;
    DGM_TRY(dgm_measure_count(env, &scorer->measure, &counted, hypothesis, scorer->texts, count));
    return dgm_scorer_take(scorer, &counted, present);
}

dgm_status dgm_scorer_add(dgm_scorer *scorer, const char *hypothesis, size_t bytes,
                          const char *const *references, const size_t *reference_bytes,
                          size_t count)
{
    struct dgm_metric_text text;
    struct dgm_env *env;
    size_t i;
    DGM_ENTER_HANDLE(scorer);
    env = &scorer->context->env;
    DGM_TRY(dgm_line_check(env, &hypothesis, bytes));
    DGM_TRY(dgm_argument_check(env, references, "references"));
    DGM_TRY(dgm_argument_check(env, reference_bytes, "reference_bytes"));
    DGM_TRY(dgm_scorer_reserve(scorer, count));
    for (i = 0; i < count; i++) {
        scorer->texts[i].data = references[i];
        scorer->texts[i].bytes = references[i] != NULL ? reference_bytes[i] : 0;
        if (references[i] != NULL)
            DGM_TRY(dgm_line_check(env, &scorer->texts[i].data, reference_bytes[i]));
    }
    text.data = hypothesis;
    text.bytes = bytes;
    return count_sentence(scorer, text, count);
}

/* ---- results ------------------------------------------------------------------------------ */

/* A score of nothing would be a number without meaning; one of pieces is none of words, which is
 * said once for all scorers of a context. */
static dgm_status check_sentences(struct dgm_scorer *scorer)
{
    struct dgm_context *context = scorer->context;
    if (scorer->sentences == 0)
        return dgm_fail(&context->env, DGM_DATA, "no sentences; expected at least 1");
    if (!context->told_pieces)
        context->told_pieces = dgm_looks_warn_of_pieces(&context->env, &scorer->looks, "the text");
    return DGM_OK;
}

dgm_status dgm_scorer_value(dgm_scorer *scorer, double *value, long *sentences)
{
    DGM_ENTER_HANDLE(scorer);
    if (value != NULL) {
        DGM_TRY(check_sentences(scorer));
        *value = dgm_measure_score(&scorer->measure, scorer->sums);
    }
    if (sentences != NULL)
        *sentences = scorer->sentences;
    return DGM_OK;
}

static dgm_status print(struct dgm_scorer *scorer, dgm_score_text what)
{
    struct dgm_env *env = &scorer->context->env;
    const struct dgm_measure *measure = &scorer->measure;
    const struct dgm_metric *metric = measure->metric;
    switch (what) {
    case DGM_SCORE_NAME:
        return metric->print_name == NULL ? dgm_buf_add_text(env, &scorer->out, metric->title)
                                          : metric->print_name(env, &scorer->out, measure->state);
    case DGM_SCORE_SIGNATURE:
    case DGM_SCORE_SHORT_SIGNATURE:
        return dgm_measure_print_signature(env, &scorer->out, measure, scorer->references,
                                           what == DGM_SCORE_SHORT_SIGNATURE);
    case DGM_SCORE_DETAILS:
        return metric->print_details == NULL
                   ? DGM_OK
                   : metric->print_details(env, &scorer->out, measure->state, scorer->sums);
    case DGM_SCORE_MULTI_BLEU:
        if (metric->print_multi != NULL)
            return metric->print_multi(env, &scorer->out, scorer->sums);
        return dgm_fail(env, DGM_USAGE, "%s has no output in the form of multi-bleu.perl",
                        metric->title);
    }
    return dgm_fail(env, DGM_USAGE, "score text %d does not exist", (int)what);
}

dgm_status dgm_scorer_text(dgm_scorer *scorer, dgm_score_text what, const char **text)
{
    DGM_ENTER_HANDLE(scorer);
    DGM_TRY(dgm_argument_check(&scorer->context->env, text, "text"));
    if (what != DGM_SCORE_NAME)
        DGM_TRY(check_sentences(scorer));
    dgm_buf_reset(&scorer->out);
    DGM_TRY(dgm_buf_add(&scorer->context->env, &scorer->out, "", 0));
    DGM_TRY(print(scorer, what));
    *text = scorer->out.data;
    return DGM_OK;
}

/* ---- whether systems differ --------------------------------------------------------------- */

dgm_status dgm_scorer_gather(struct dgm_env *env, dgm_scorer *const *scorers, size_t count,
                             const int64_t **rows)
{
    size_t i;
    for (i = 0; i < count; i++) {
        const struct dgm_scorer *scorer = scorers[i], *first = scorers[0];
        DGM_TRY(dgm_argument_check(env, scorer, "scorers[i]"));
        if (&scorer->context->env != env)
            return dgm_fail(env, DGM_USAGE, "the scorers belong to different contexts");
        if (!scorer->keep)
            return dgm_fail(env, DGM_USAGE, "a scorer was made without keep_sentences");
        if (scorer->measure.metric != first->measure.metric)
            return dgm_fail(env, DGM_USAGE, "the scorers have different metrics");
        if (!dgm_scorer_is_like(scorer, first))
            return dgm_fail(env, DGM_USAGE, "scorer %zu was made with other options than the first",
                            i);
        if (scorer->sentences != first->sentences)
            return dgm_fail(env, DGM_DATA, "system %zu has %ld sentences; expected %ld", i,
                            scorer->sentences, first->sentences);
        rows[i] = scorer->rows;
    }
    return DGM_OK;
}

static struct dgm_paired_test test_of(const struct dgm_scorer *scorer, int sacrebleu, long samples,
                                      uint64_t seed)
{
    const struct dgm_metric *metric = scorer->measure.metric;
    struct dgm_paired_test test = { .width = metric->width, .score = metric->score };
    test.user = scorer->measure.state;
    test.sentences = (size_t)scorer->sentences;
    test.samples = (size_t)samples;
    test.seed = seed;
    test.sacrebleu = sacrebleu;
    test.sample = metric->sample;
    test.samples_are_single = metric->samples_are_single;
    return test;
}

dgm_status dgm_scorer_test(dgm_scorer *const *scorers, size_t count, enum dgm_score_test kind,
                           int sacrebleu, long samples, uint64_t seed, dgm_paired *results)
{
    struct dgm_paired_test test = { 0 };
    const int64_t **rows = NULL;
    struct dgm_env *env;
    dgm_status status;
    if (scorers == NULL || count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    env = &scorers[0]->context->env;
    DGM_TRY(dgm_argument_check(env, results, "results"));
    if (samples < 1)
        return dgm_fail(env, DGM_USAGE, "%ld samples; expected at least 1", samples);
    test = test_of(scorers[0], sacrebleu || kind == DGM_SCORE_CONFIDENCE, samples, seed);
    test.alone = kind == DGM_SCORE_CONFIDENCE;
    DGM_TRY_OUT(dgm_new(env, &rows, count, sizeof *rows));
    DGM_TRY_OUT(dgm_scorer_gather(env, scorers, count, rows));
    status = kind == DGM_SCORE_RANDOMIZATION
                 ? dgm_randomization_test(env, results, &test, rows, count)
                 : dgm_paired_bootstrap(env, results, &test, rows, count);
out:
    dgm_release(env, rows);
    return status;
}

dgm_status dgm_scorer_paired(dgm_scorer *const *scorers, size_t count, long samples, uint64_t seed,
                             dgm_paired *results)
{
    if (scorers == NULL || count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    return dgm_scorer_test(scorers, count, DGM_SCORE_BOOTSTRAP, scorers[0]->sacrebleu, samples,
                           seed, results);
}
