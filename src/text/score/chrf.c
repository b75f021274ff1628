/* chrf.c: chrF and chrF++: statistics of sentences, and the score of their sums. */
#include "text/score/chrf.h"

#include <string.h>

#include "base/mem.h"
#include "text/score/mteval.h"
#include "text/score/numpy_mean.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* ---- counting -------------------------------------------------------------------------------- */

static dgm_status push(struct dgm_env *env, struct dgm_chrf *chrf, size_t *count, uint32_t item)
{
    DGM_TRY(dgm_grow(env, &chrf->items, &chrf->item_capacity, *count, sizeof *chrf->items));
    chrf->items[(*count)++] = item;
    return DGM_OK;
}

static dgm_status list_characters(struct dgm_env *env, struct dgm_chrf *chrf, size_t *count,
                                  struct dgm_metric_text text)
{
    size_t at = 0;
    uint32_t code;

    *count = 0;
    while (at < text.bytes) {
        at += dgm_utf8_decode(&code, text.data + at, text.bytes - at);
        if (chrf->options.whitespace || !dgm_unicode_is_blank(code))
            DGM_TRY(push(env, chrf, count, code));
    }
    return DGM_OK;
}

static dgm_status push_word(struct dgm_env *env, struct dgm_chrf *chrf, size_t *count,
                            const char *word, size_t bytes)
{
    uint32_t number;

    DGM_TRY(dgm_map_number(env, &chrf->words, word, bytes, &number));
    return push(env, chrf, count, number);
}

static int is_punctuation(char c)
{
    return c > ' ' && c < 0x7F && !(c >= '0' && c <= '9') && !(c >= 'A' && c <= 'Z') &&
           !(c >= 'a' && c <= 'z');
}

/*
 * Words; a punctuation mark at the end, or else at the beginning, is a word of its own.
 */
static dgm_status list_words(struct dgm_env *env, struct dgm_chrf *chrf, size_t *count,
                             struct dgm_metric_text text)
{
    size_t at = 0, length;
    const char *word;

    *count = 0;
    while (dgm_mteval_next(text.data, text.bytes, &at, &word, &length)) {
        size_t split = 0;

        if (length > 1 && is_punctuation(word[length - 1]))
            split = length - 1;
        else if (length > 1 && is_punctuation(word[0]))
            split = 1;
        if (split > 0)
            DGM_TRY(push_word(env, chrf, count, word, split));
        DGM_TRY(push_word(env, chrf, count, word + split, length - split));
    }
    return DGM_OK;
}

typedef dgm_status list_fn(struct dgm_env *env, struct dgm_chrf *chrf, size_t *count,
                           struct dgm_metric_text text);

/* Statistics of orders 1..order of one kind of n-gram, at stats->...[at] and up. */
static dgm_status count_kind(struct dgm_env *env, struct dgm_chrf *chrf,
                             struct dgm_chrf_stats *stats, int at, int order, list_fn *list,
                             struct dgm_metric_text hypothesis, struct dgm_metric_text reference)
{
    size_t count;

    dgm_ngrams_reset(&chrf->ngrams);
    DGM_TRY(list(env, chrf, &count, hypothesis));
    DGM_TRY(dgm_ngrams_add(env, &chrf->ngrams, chrf->items, count, order, 0));
    DGM_TRY(list(env, chrf, &count, reference));
    DGM_TRY(dgm_ngrams_add(env, &chrf->ngrams, chrf->items, count, order, 1));
    dgm_ngrams_sum(&chrf->ngrams, stats->hypothesis + at, stats->reference + at, stats->common + at,
                   order);
    /* Orders for which the reference is too short do not count against the hypothesis. */
    for (int n = at; n < at + order; n++)
        if (stats->reference[n] == 0)
            stats->hypothesis[n] = 0;
    return DGM_OK;
}

static dgm_status prepare(struct dgm_env *env, const struct dgm_chrf *chrf, struct dgm_buf *out,
                          struct dgm_metric_text *text)
{
    if (!chrf->options.lower)
        return DGM_OK;
    dgm_buf_reset(out);
    DGM_TRY(dgm_buf_add(env, out, "", 0));
    DGM_TRY(dgm_unicode_lower_text(env, out, text->data, text->bytes));
    text->data = out->data;
    text->bytes = out->size;
    return DGM_OK;
}

dgm_status dgm_chrf_count(struct dgm_env *env, struct dgm_chrf *chrf, struct dgm_chrf_stats *stats,
                          struct dgm_metric_text hypothesis,
                          const struct dgm_metric_text *references, size_t reference_count)
{
    struct dgm_chrf_stats found;
    double score, best = -1;

    DGM_TRY(prepare(env, chrf, &chrf->hypothesis, &hypothesis));
    for (size_t i = 0; i < reference_count; i++) {
        struct dgm_metric_text reference = references[i];

        if (reference.data == NULL)
            continue;
        memset(&found, 0, sizeof found);
        DGM_TRY(prepare(env, chrf, &chrf->reference, &reference));
        DGM_TRY(count_kind(env, chrf, &found, 0, DGM_CHRF_CHAR_ORDER, list_characters, hypothesis,
                           reference));
        if (chrf->options.word_order > 0)
            DGM_TRY(count_kind(env, chrf, &found, DGM_CHRF_CHAR_ORDER, chrf->options.word_order,
                               list_words, hypothesis, reference));
        score = dgm_chrf_score(&found, &chrf->options);
        if (score > best) {
            best = score;
            *stats = found;
        }
    }
    if (best < 0)
        return dgm_fail(env, DGM_DATA, "a sentence without a reference; expected at least one");
    return DGM_OK;
}

/* ---- the score ------------------------------------------------------------------------------- */

/*
 * F = (1 + b^2) P R / (b^2 P + R). sacreBLEU takes the mean of P and of R over the orders that both
 * texts are long enough for, and F of these; chrF++.py and NLTK take the mean of the F of all
 * orders, where a tiny number stands in for what would be 0 / 0.
 */
/* `single`: each step is rounded, see dgm_single. */
static double compute(const struct dgm_chrf_stats *stats, const struct dgm_chrf_options *options,
                      int single)
{
    const double tiny = 1e-16;
    double beta = options->beta > 0 ? options->beta : 2, factor = beta * beta;
    double sum = 0, precision = 0, recall = 0, above, below;
    int orders = DGM_CHRF_CHAR_ORDER + options->word_order, counting = 0, n;

    for (n = 0; n < orders; n++) {
        double common = (double)stats->common[n];
        double hypothesis = (double)stats->hypothesis[n], reference = (double)stats->reference[n];
        double p = hypothesis > 0 ? dgm_single(common / hypothesis, single) : tiny;
        double r = reference > 0 ? dgm_single(common / reference, single) : tiny;

        below = factor * p + r;
        sum += below > 0 ? (1 + factor) * p * r / below : tiny;
        if (hypothesis > 0 && reference > 0) {
            precision = dgm_single(precision + p, single);
            recall = dgm_single(recall + r, single);
            counting++;
        }
    }
    if (options->eps_smoothing)
        return 100 * sum / orders;
    if (counting == 0)
        return 0;
    precision = dgm_single(precision / counting, single);
    recall = dgm_single(recall / counting, single);
    if (precision + recall <= 0)
        return 0;
    above = dgm_single(dgm_single((1 + factor) * precision, single) * recall, single);
    below = dgm_single(dgm_single(factor * precision, single) + recall, single);
    return dgm_single(100 * dgm_single(above / below, single), single);
}

double dgm_chrf_score(const struct dgm_chrf_stats *stats, const struct dgm_chrf_options *options)
{
    return compute(stats, options, 0);
}

void dgm_chrf_clear(struct dgm_env *env, struct dgm_chrf *chrf)
{
    dgm_map_clear(env, &chrf->words);
    dgm_ngrams_clear(env, &chrf->ngrams);
    dgm_buf_clear(env, &chrf->hypothesis);
    dgm_buf_clear(env, &chrf->reference);
    dgm_release(env, chrf->items);
    chrf->items = NULL;
    chrf->item_capacity = 0;
}

/* ---- as a metric ---------------------------------------------------------------------------- */

static dgm_status configure(struct dgm_env *env, void *state, const struct dgm_settings *settings)
{
    struct dgm_chrf_options *options = &((struct dgm_chrf *)state)->options;

    (void)env;
    options->word_order = (int)dgm_settings_int(settings, "chrf-word-order");
    options->beta = (int)dgm_settings_int(settings, "chrf-beta");
    options->whitespace = dgm_settings_flag(settings, "chrf-whitespace");
    options->lower = dgm_settings_flag(settings, "chrf-lowercase");
    return DGM_OK;
}

/* Without words chrF++ is another metric. */
static dgm_status check(struct dgm_env *env, const struct dgm_settings *settings)
{
    if (!dgm_settings_is_typed(settings, "chrf-word-order") ||
        dgm_settings_int(settings, "chrf-word-order") > 0)
        return DGM_OK;
    for (size_t i = 0; i < dgm_settings_count(settings, "metrics"); i++)
        if (strcmp(dgm_settings_item(settings, "metrics", i), "chrf++") == 0)
            return dgm_fail(env, DGM_USAGE,
                            "--chrf-word-order 0 with chrf++, which counts words; expected 1 or "
                            "2, or --metrics chrf");
    return DGM_OK;
}

static dgm_status count_sentence(struct dgm_env *env, void *state, struct dgm_metric_count *count,
                                 struct dgm_metric_text hypothesis,
                                 const struct dgm_metric_text *references, size_t reference_count)
{
    return dgm_chrf_count(env, state, (struct dgm_chrf_stats *)count->sums, hypothesis, references,
                          reference_count);
}

static double score_sums(const void *state, const int64_t *sums)
{
    const struct dgm_chrf *chrf = state;

    return dgm_chrf_score((const struct dgm_chrf_stats *)sums, &chrf->options);
}

static double score_sample(const void *state, const int64_t *sums)
{
    const struct dgm_chrf *chrf = state;

    return compute((const struct dgm_chrf_stats *)sums, &chrf->options, 1);
}

static void clear(struct dgm_env *env, void *state)
{
    dgm_chrf_clear(env, state);
}

static dgm_status print_name(struct dgm_env *env, struct dgm_buf *out, const void *state)
{
    static const char *const plus[] = { "", "+", "++" };
    const struct dgm_chrf_options *options = &((const struct dgm_chrf *)state)->options;

    return dgm_buf_add_format(env, out, "chrF%d%s", options->beta > 0 ? options->beta : 2,
                              plus[options->word_order]);
}

static dgm_status print_signature(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                  int is_short)
{
    const struct dgm_chrf_options *options = &((const struct dgm_chrf *)state)->options;

    return dgm_buf_add_format(env, out,
                              is_short ? "c:%s|e:%s|nc:%d|nw:%d|s:%s"
                                       : "case:%s|eff:%s|nc:%d|nw:%d|space:%s",
                              options->lower ? "lc" : "mixed",
                              options->eps_smoothing ? "no" : "yes", DGM_CHRF_CHAR_ORDER,
                              options->word_order, options->whitespace ? "yes" : "no");
}

/* clang-format off */
const struct dgm_metric dgm_metric_chrf = {
    .name = "chrf",
    .title = "chrF",
    .curve = "validation: chrF",
    .options = {
        { .name = "chrf-word-order", .type = DGM_OPT_INT, .argument = "N", .fallback = "0",
          .low = 0, .high = DGM_CHRF_MAX_WORD_ORDER,
          .help = "Longest word n-gram of chrF; 2 is chrF++", .section = "chrF" },
        { .name = "chrf-beta", .type = DGM_OPT_INT, .argument = "N", .fallback = "2", .low = 1,
          .high = 1000, .help = "Weight of recall in chrF" },
        { .name = "chrf-whitespace", .type = DGM_OPT_FLAG,
          .help = "Let white space count as characters in chrF" },
        { .name = "chrf-lowercase", .type = DGM_OPT_FLAG, .help = "Ignore case in chrF" },
    },
    .width = sizeof(struct dgm_chrf_stats) / sizeof(int64_t),
    .state_bytes = sizeof(struct dgm_chrf),
    .configure = configure,
    .check = check,
    .count = count_sentence,
    .score = score_sums,
    .sample = score_sample,
    .samples_are_single = 1,
    .clear = clear,
    .print_name = print_name,
    .print_signature = print_signature,
};
/* clang-format on */
