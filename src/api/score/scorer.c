/*
 * scorer.c: the public scorer: options, sentences, results, and the test whether systems differ.
 */
#include "api/score/scorer.h"

#include <string.h>

#include "base/mem.h"
#include "text/score/paired.h"

enum { MAX_REFERENCES = 1000 };

/* A row keeps the statistics of a sentence, which are nothing but numbers of type int64_t: so
 * many. */
#define BLEU_WIDTH (sizeof(struct dgm_bleu_stats) / sizeof(int64_t))
#define CHRF_WIDTH (sizeof(struct dgm_chrf_stats) / sizeof(int64_t))

/* Where a word stands in a list: 0 for NULL, -1 if it is not there. */
static int find_word(const char *word, const char *const *words, int count)
{
    int i;
    if (word == NULL)
        return 0;
    for (i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    return -1;
}

static dgm_status refuse(struct dgm_env *env, const char *what, const char *value,
                         const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];
    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_fail(env, DGM_USAGE, "%s: expected one of %s, got \"%s\"", what, expected, quoted);
}

static dgm_status set_bleu(struct dgm_env *env, struct dgm_bleu_options *bleu,
                           const dgm_scorer_options *options)
{
    static const char *const tokenizers[] = { "13a", "none", "intl", "char" };
    static const char *const smoothings[] = { "exp", "floor", "add-k", "none" };
    int tokenizer = find_word(options->tokenize, tokenizers, 4);
    int smoothing = find_word(options->smooth, smoothings, 4);
    if (tokenizer < 0)
        return refuse(env, "tokenize", options->tokenize, "13a, none, intl, char");
    if (smoothing < 0)
        return refuse(env, "smooth", options->smooth, "exp, floor, add-k, none");
    if (options->max_order < 0 || options->max_order > DGM_NGRAMS_MAX_ORDER)
        return dgm_fail(env, DGM_USAGE, "max_order %d; expected 1..%d", options->max_order,
                        DGM_NGRAMS_MAX_ORDER);
    if (options->has_smooth_value)
        DGM_TRY(
            dgm_range_real(env, "dgm_scorer_options.smooth_value", options->smooth_value, 0, 1e9));
    bleu->tokenizer = (enum dgm_bleu_tokenizer)tokenizer;
    bleu->smoothing = (enum dgm_bleu_smoothing)smoothing;
    bleu->has_smooth_value = options->has_smooth_value;
    bleu->smooth_value = options->smooth_value;
    bleu->lower = options->lower;
    bleu->lower_ascii = options->lower_ascii;
    bleu->effective_order = options->effective_order;
    bleu->order = options->max_order;
    bleu->force = options->force;
    return DGM_OK;
}

static dgm_status set_chrf(struct dgm_env *env, struct dgm_chrf_options *chrf,
                           const dgm_scorer_options *options)
{
    if (options->word_order < 0 || options->word_order > DGM_CHRF_MAX_WORD_ORDER)
        return dgm_fail(env, DGM_USAGE, "word_order %d; expected 0..%d", options->word_order,
                        DGM_CHRF_MAX_WORD_ORDER);
    if (options->beta < 0 || options->beta > 1000)
        return dgm_fail(env, DGM_USAGE, "beta %d; expected 1..1000", options->beta);
    chrf->word_order = options->word_order;
    chrf->beta = options->beta;
    chrf->lower = options->lower;
    chrf->whitespace = options->whitespace;
    return DGM_OK;
}

dgm_status dgm_scorer_new(dgm_context *context, const dgm_scorer_options *options,
                          dgm_scorer **scorer)
{
    static const char *const metrics[] = { "bleu", "chrf", "chrf++" };
    struct dgm_bleu_options bleu = { .tokenizer = DGM_BLEU_13A };
    struct dgm_chrf_options chrf = { .beta = 0 };
    dgm_scorer_options chosen;
    struct dgm_scorer *made;
    struct dgm_env *env;
    static const char *const kinds_of_p[] = { "two-sided", "sacrebleu" };
    int metric, kind_of_p;
    DGM_ENTER_NEW(context, scorer);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, scorer, "scorer"));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_scorer_options"));
    metric = find_word(chosen.metric, metrics, 3);
    if (metric < 0)
        return refuse(env, "metric", chosen.metric, "bleu, chrf, chrf++");
    if (metric == 2 && chosen.word_order == 0)
        chosen.word_order = 2;
    DGM_TRY(set_bleu(env, &bleu, &chosen));
    DGM_TRY(set_chrf(env, &chrf, &chosen));
    DGM_TRY(dgm_options_choose(env, &kind_of_p, "paired_p", chosen.paired_p, kinds_of_p, 2));
    made = dgm_alloc(env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    made->sacrebleu = kind_of_p;
    made->is_chrf = metric > 0;
    made->bleu.options = bleu;
    made->chrf.options = chrf;
    made->keep = chosen.keep_sentences;
    *scorer = made;
    return DGM_OK;
}

void dgm_scorer_free(dgm_scorer *scorer)
{
    struct dgm_env *env;
    if (scorer == NULL)
        return;
    env = &scorer->context->env;
    dgm_bleu_clear(env, &scorer->bleu);
    dgm_chrf_clear(env, &scorer->chrf);
    dgm_buf_clear(env, &scorer->out);
    dgm_release(env, scorer->texts);
    dgm_release(env, scorer->rows);
    dgm_release(env, scorer);
}

dgm_status dgm_scorer_reset(dgm_scorer *scorer)
{
    DGM_ENTER_HANDLE(scorer);
    memset(&scorer->bleu_sum, 0, sizeof scorer->bleu_sum);
    memset(&scorer->chrf_sum, 0, sizeof scorer->chrf_sum);
    scorer->sentences = 0;
    scorer->references = 0;
    return DGM_OK;
}

/* ---- sentences ---------------------------------------------------------------------------- */

dgm_status dgm_scorer_reserve(struct dgm_scorer *scorer, size_t count)
{
    struct dgm_env *env = &scorer->context->env;
    struct dgm_bleu_text *texts;
    if (count == 0 || count > MAX_REFERENCES)
        return dgm_fail(env, DGM_USAGE, "%zu references; expected 1..%d", count, MAX_REFERENCES);
    if (count <= scorer->text_capacity)
        return DGM_OK;
    texts = dgm_resize(env, scorer->texts, count, sizeof *texts);
    if (texts == NULL)
        return DGM_MEMORY;
    scorer->texts = texts;
    scorer->text_capacity = count;
    return DGM_OK;
}

static size_t width_of(const struct dgm_scorer *scorer)
{
    return scorer->is_chrf ? CHRF_WIDTH : BLEU_WIDTH;
}

/* Keeps the statistics of a sentence as a row of numbers. A paired test sums rows of random
 * samples, so it needs neither the texts nor what the numbers mean. */
static dgm_status keep_row(struct dgm_scorer *scorer, const void *stats)
{
    size_t width = width_of(scorer), used = (size_t)scorer->sentences * width;
    if (!scorer->keep)
        return DGM_OK;
    DGM_TRY(dgm_reserve(&scorer->context->env, &scorer->rows, &scorer->row_capacity, used + width,
                        sizeof *scorer->rows));
    memcpy(scorer->rows + used, stats, width * sizeof *scorer->rows);
    return DGM_OK;
}

/* Warns once for all scorers of a context. */
static void warn_of_uncut(struct dgm_scorer *scorer)
{
    struct dgm_context *context = scorer->context;
    if (!scorer->bleu.is_uncut || context->told_uncut)
        return;
    context->told_uncut = 1;
    dgm_log(&context->env, DGM_LOG_WARNING,
            "BLEU cuts words at blanks and punctuation, and these references have a script without "
            "blanks: whole sentences are compared as one word. Try: --tokenize char, or --metrics "
            "chrf, or text that is cut into words with --tokenize none");
}

dgm_status dgm_scorer_take(struct dgm_scorer *scorer, const struct dgm_counted *counted,
                           int present)
{
    if (scorer->is_chrf) {
        DGM_TRY(keep_row(scorer, &counted->chrf));
        dgm_chrf_add(&scorer->chrf_sum, &counted->chrf);
    } else {
        warn_of_uncut(scorer);
        DGM_TRY(keep_row(scorer, &counted->bleu));
        dgm_bleu_add(&scorer->bleu_sum, &counted->bleu);
    }
    if (scorer->sentences++ == 0)
        scorer->references = present;
    else if (scorer->references != present)
        scorer->references = -1;
    return DGM_OK;
}

/* Counts one sentence against the first `count` of scorer->texts. */
static dgm_status count_sentence(struct dgm_scorer *scorer, struct dgm_bleu_text hypothesis,
                                 size_t count)
{
    struct dgm_env *env = &scorer->context->env;
    struct dgm_counted counted;
    int present = 0;
    size_t i;
    for (i = 0; i < count; i++)
        present += scorer->texts[i].data != NULL;
    if (scorer->is_chrf)
        DGM_TRY(
            dgm_chrf_count(env, &scorer->chrf, &counted.chrf, hypothesis, scorer->texts, count));
    else
        DGM_TRY(
            dgm_bleu_count(env, &scorer->bleu, &counted.bleu, hypothesis, scorer->texts, count));
    return dgm_scorer_take(scorer, &counted, present);
}

dgm_status dgm_scorer_add(dgm_scorer *scorer, const char *hypothesis, size_t bytes,
                          const char *const *references, const size_t *reference_bytes,
                          size_t count)
{
    struct dgm_bleu_text text;
    struct dgm_env *env;
    size_t i;
    DGM_ENTER_HANDLE(scorer);
    env = &scorer->context->env;
    DGM_TRY(dgm_line_check(env, hypothesis, bytes));
    DGM_TRY(dgm_argument_check(env, references, "references"));
    DGM_TRY(dgm_argument_check(env, reference_bytes, "reference_bytes"));
    DGM_TRY(dgm_scorer_reserve(scorer, count));
    for (i = 0; i < count; i++) {
        scorer->texts[i].data = references[i];
        scorer->texts[i].bytes = references[i] != NULL ? reference_bytes[i] : 0;
        if (references[i] != NULL)
            DGM_TRY(dgm_line_check(env, references[i], reference_bytes[i]));
    }
    text.data = hypothesis != NULL ? hypothesis : "";
    text.bytes = bytes;
    return count_sentence(scorer, text, count);
}

/* ---- results ------------------------------------------------------------------------------ */

/* A score of nothing would be a number without meaning. */
static dgm_status check_sentences(struct dgm_scorer *scorer)
{
    if (scorer->sentences > 0)
        return DGM_OK;
    return dgm_fail(&scorer->context->env, DGM_DATA, "no sentences; expected at least 1");
}

dgm_status dgm_scorer_value(dgm_scorer *scorer, double *value, long *sentences)
{
    DGM_ENTER_HANDLE(scorer);
    if (value != NULL) {
        DGM_TRY(check_sentences(scorer));
        *value = scorer->is_chrf ? dgm_chrf_score(&scorer->chrf_sum, &scorer->chrf.options)
                                 : dgm_bleu_score(&scorer->bleu_sum, &scorer->bleu.options).score;
    }
    if (sentences != NULL)
        *sentences = scorer->sentences;
    return DGM_OK;
}

static dgm_status print_bleu(struct dgm_scorer *scorer, dgm_score_text what)
{
    struct dgm_env *env = &scorer->context->env;
    const struct dgm_bleu_options *options = &scorer->bleu.options;
    struct dgm_bleu_score score;
    switch (what) {
    case DGM_SCORE_NAME: return dgm_buf_add_text(env, &scorer->out, "BLEU");
    case DGM_SCORE_SIGNATURE:
    case DGM_SCORE_SHORT_SIGNATURE:
        return dgm_bleu_print_signature(env, &scorer->out, options, scorer->references,
                                        what == DGM_SCORE_SHORT_SIGNATURE);
    case DGM_SCORE_DETAILS:
        score = dgm_bleu_score(&scorer->bleu_sum, options);
        return dgm_bleu_print_verbose(env, &scorer->out, &score, options->order);
    case DGM_SCORE_MULTI_BLEU: return dgm_bleu_print_multi(env, &scorer->out, &scorer->bleu_sum);
    }
    return dgm_fail(env, DGM_USAGE, "score text %d does not exist", (int)what);
}

static dgm_status print_chrf(struct dgm_scorer *scorer, dgm_score_text what)
{
    struct dgm_env *env = &scorer->context->env;
    const struct dgm_chrf_options *options = &scorer->chrf.options;
    switch (what) {
    case DGM_SCORE_NAME: return dgm_chrf_print_name(env, &scorer->out, options);
    case DGM_SCORE_SIGNATURE:
    case DGM_SCORE_SHORT_SIGNATURE:
        return dgm_chrf_print_signature(env, &scorer->out, options, scorer->references,
                                        what == DGM_SCORE_SHORT_SIGNATURE);
    case DGM_SCORE_DETAILS: return DGM_OK;
    case DGM_SCORE_MULTI_BLEU:
        return dgm_fail(env, DGM_USAGE, "chrF has no output in the form of multi-bleu.perl");
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
    DGM_TRY(scorer->is_chrf ? print_chrf(scorer, what) : print_bleu(scorer, what));
    *text = scorer->out.data;
    return DGM_OK;
}

/* ---- whether systems differ --------------------------------------------------------------- */

static double score_sums(const void *user, const int64_t *sums)
{
    const struct dgm_scorer *scorer = user;
    struct dgm_bleu_stats bleu;
    struct dgm_chrf_stats chrf;
    if (scorer->is_chrf) {
        memcpy(&chrf, sums, sizeof chrf);
        return dgm_chrf_score(&chrf, &scorer->chrf.options);
    }
    memcpy(&bleu, sums, sizeof bleu);
    return dgm_bleu_score(&bleu, &scorer->bleu.options).score;
}

/* Whether numbers of both are of one kind; 0 stands for a default. */
static int same_options(const struct dgm_scorer *a, const struct dgm_scorer *b)
{
    const struct dgm_bleu_options *x = &a->bleu.options, *y = &b->bleu.options;
    const struct dgm_chrf_options *c = &a->chrf.options, *d = &b->chrf.options;
    if (a->is_chrf)
        return c->word_order == d->word_order &&
               (c->beta > 0 ? c->beta : 2) == (d->beta > 0 ? d->beta : 2) && c->lower == d->lower &&
               c->whitespace == d->whitespace && c->eps_smoothing == d->eps_smoothing;
    return x->tokenizer == y->tokenizer && x->smoothing == y->smoothing &&
           x->has_smooth_value == y->has_smooth_value &&
           (!x->has_smooth_value || x->smooth_value == y->smooth_value) && x->lower == y->lower &&
           x->lower_ascii == y->lower_ascii && x->effective_order == y->effective_order &&
           (x->order > 0 ? x->order : 4) == (y->order > 0 ? y->order : 4);
}

/* Checks that the scorers can be compared, and collects their rows. */
static dgm_status gather(struct dgm_env *env, dgm_scorer *const *scorers, size_t count,
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
        if (scorer->is_chrf != first->is_chrf)
            return dgm_fail(env, DGM_USAGE, "the scorers have different metrics");
        if (!same_options(scorer, first))
            return dgm_fail(env, DGM_USAGE, "scorer %zu was made with other options than the first",
                            i);
        if (scorer->sentences != first->sentences)
            return dgm_fail(env, DGM_DATA, "system %zu has %ld sentences; expected %ld", i,
                            scorer->sentences, first->sentences);
        rows[i] = scorer->rows;
    }
    return DGM_OK;
}

static void hand_over(dgm_paired *results, const struct dgm_paired_result *found, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        results[i].score = found[i].score;
        results[i].mean = found[i].mean;
        results[i].half_width = found[i].half_width;
        results[i].p = found[i].p;
    }
}

dgm_status dgm_scorer_paired(dgm_scorer *const *scorers, size_t count, long samples, uint64_t seed,
                             dgm_paired *results)
{
    struct dgm_paired_result *found = NULL;
    struct dgm_paired_test test;
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
    test.score = score_sums;
    test.user = scorers[0];
    test.sentences = (size_t)scorers[0]->sentences;
    test.width = width_of(scorers[0]);
    test.samples = (size_t)samples;
    test.seed = seed;
    test.sacrebleu = scorers[0]->sacrebleu;
    rows = dgm_alloc(env, count, sizeof *rows);
    found = dgm_alloc(env, count, sizeof *found);
    DGM_TRY_OUT(rows == NULL || found == NULL ? DGM_MEMORY : DGM_OK);
    DGM_TRY_OUT(gather(env, scorers, count, rows));
    DGM_TRY_OUT(dgm_paired_bootstrap(env, found, &test, rows, count));
    hand_over(results, found, count);
out:
    dgm_release(env, found);
    dgm_release(env, rows);
    return status;
}
