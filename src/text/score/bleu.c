/* bleu.c: BLEU: statistics of sentences, the score of their sums, and both as text. */
#include "text/score/bleu.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "text/score/mteval.h"
#include "text/score/numpy_mean.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* The values of options, in the order of their enums. */
static const char *const tokenizers[] = { "13a", "none", "intl", "char", "ja-mecab", "zh" };
static const char *const smoothings[] = { "exp", "floor", "add-k", "none" };

static int order_of(const struct dgm_bleu_options *options)
{
    return options->order > 0 ? options->order : 4;
}

/* ---- counting -------------------------------------------------------------------------------- */

static dgm_status lower_ascii(struct dgm_env *env, struct dgm_buf *out, struct dgm_metric_text text)
{
    for (size_t i = 0; i < text.bytes; i++) {
        char c = text.data[i];

        DGM_TRY(dgm_buf_add_char(env, out, c >= 'A' && c <= 'Z' ? (char)(c + 32) : c));
    }
    return DGM_OK;
}

static dgm_status cut_japanese(struct dgm_env *env, struct dgm_bleu *bleu,
                               struct dgm_metric_text text)
{
    const size_t start = dgm_mteval_start(text.data, text.bytes);

    return text.bytes == 0 ? DGM_OK
                           : dgm_mecab_cut(env, bleu->mecab, &bleu->tokens, text.data + start,
                                           text.bytes - start);
}

/* Leaves the tokens of a text in bleu->tokens, with white space between. */
static dgm_status tokenize(struct dgm_env *env, struct dgm_bleu *bleu, struct dgm_metric_text text)
{
    const struct dgm_bleu_options *options = &bleu->options;
    struct dgm_buf *out = &bleu->tokens;

    dgm_buf_reset(out);
    if (options->lower || options->lower_ascii) {
        dgm_buf_reset(&bleu->lowered);
        DGM_TRY(dgm_buf_add(env, &bleu->lowered, "", 0));
        if (options->lower)
            DGM_TRY(dgm_unicode_lower_text(env, &bleu->lowered, text.data, text.bytes));
        else
            DGM_TRY(lower_ascii(env, &bleu->lowered, text));
        text.data = bleu->lowered.data;
        text.bytes = bleu->lowered.size;
    }
    /* Blanks at the end of a line would count as a neighbour of its last punctuation. */
    text.bytes = dgm_mteval_end(text.data, text.bytes);
    switch (options->tokenizer) {
    case DGM_BLEU_13A: return dgm_mteval_13a(env, out, text.data, text.bytes);
    case DGM_BLEU_INTL: return dgm_mteval_intl(env, out, text.data, text.bytes);
    case DGM_BLEU_CHAR: return dgm_mteval_char(env, out, text.data, text.bytes);
    case DGM_BLEU_JA_MECAB: return cut_japanese(env, bleu, text);
    case DGM_BLEU_ZH: return dgm_mteval_zh(env, out, text.data, text.bytes);
    case DGM_BLEU_NONE: break;
    }
    return dgm_buf_add(env, out, text.data, text.bytes);
}

dgm_status dgm_bleu_words(struct dgm_env *env, struct dgm_bleu *bleu, size_t *count,
                          struct dgm_metric_text text)
{
    const char *word;
    size_t at = 0, length, n = 0;

    DGM_TRY(tokenize(env, bleu, text));
    while (bleu->tokens.size > 0 &&
           dgm_mteval_next(bleu->tokens.data, bleu->tokens.size, &at, &word, &length)) {
        DGM_TRY(dgm_grow(env, &bleu->items, &bleu->item_capacity, n, sizeof *bleu->items));
        DGM_TRY(dgm_map_number(env, &bleu->words, word, length, &bleu->items[n++]));
    }
    *count = n;
    return DGM_OK;
}

/* Whether the text looks tokenised, which is not what BLEU wants unless it is told so. */
static int looks_tokenized(const struct dgm_bleu *bleu, struct dgm_metric_text text)
{
    return !bleu->options.force && bleu->options.tokenizer != DGM_BLEU_NONE && text.bytes >= 2 &&
           memcmp(text.data + text.bytes - 2, " .", 2) == 0;
}

/* 13a and intl cut at blanks and punctuation: a line of Japanese is then a word or two. Text that
 * was cut into words before has about two characters in each. */
static void look_for_uncut(struct dgm_bleu *bleu, struct dgm_metric_text text, size_t words)
{
    size_t at = 0, all = 0, unspaced = 0;
    uint32_t code;

    if ((bleu->notes & DGM_METRIC_UNCUT) ||
        (bleu->options.tokenizer != DGM_BLEU_13A && bleu->options.tokenizer != DGM_BLEU_INTL))
        return;
    for (; at < text.bytes; all++) {
        at += dgm_utf8_decode(&code, text.data + at, text.bytes - at);
        unspaced += dgm_unicode_is_unspaced(code) != 0;
    }
    if (2 * unspaced > all && unspaced > 4 * words)
        bleu->notes |= DGM_METRIC_UNCUT;
}

static int64_t distance(int64_t a, int64_t b)
{
    return a < b ? b - a : a - b;
}

dgm_status dgm_bleu_count(struct dgm_env *env, struct dgm_bleu *bleu, struct dgm_bleu_stats *stats,
                          struct dgm_metric_text hypothesis,
                          const struct dgm_metric_text *references, size_t reference_count)
{
    int64_t reference[DGM_NGRAMS_MAX_ORDER];
    int order = order_of(&bleu->options), has_reference = 0;
    struct dgm_bleu_stats counted = { 0 };
    size_t i, count;

    /* Numbers of words are never taken back: they go on from sentence to sentence, n-grams do
     * not. */
    dgm_ngrams_reset(&bleu->ngrams);
    bleu->notes = looks_tokenized(bleu, hypothesis) ? DGM_METRIC_TOKENIZED : 0;
    DGM_TRY(dgm_bleu_words(env, bleu, &count, hypothesis));
    counted.hyp_len = (int64_t)count;
    DGM_TRY(dgm_ngrams_add(env, &bleu->ngrams, bleu->items, count, order, 0));
    for (i = 0; i < reference_count; i++) {
        int64_t length, nearer;

        if (references[i].data == NULL)
            continue;
        DGM_TRY(dgm_bleu_words(env, bleu, &count, references[i]));
        look_for_uncut(bleu, references[i], count);
        DGM_TRY(dgm_ngrams_add(env, &bleu->ngrams, bleu->items, count, order, 1));
        /* The length nearest to the hypothesis counts; of two, the smaller. */
        length = (int64_t)count;
        nearer = distance(counted.hyp_len, length) - distance(counted.hyp_len, counted.ref_len);
        if (!has_reference || nearer < 0 || (nearer == 0 && length < counted.ref_len))
            counted.ref_len = length;
        has_reference = 1;
    }
    if (!has_reference)
        return dgm_fail(env, DGM_DATA, "a sentence without a reference; expected at least one");
    dgm_ngrams_sum(&bleu->ngrams, counted.total, reference, counted.correct, order);
    *stats = counted;
    return DGM_OK;
}

/* ---- the score ------------------------------------------------------------------------------- */

/*
 * Both scripts stand in for the logarithm of 0 like this, so that one zero makes the
 * mean 0.
 */
static double log_or_never(double x)
{
    return x > 0 ? log(x) : -9999999999.0;
}

static double brevity_penalty(const struct dgm_bleu_stats *stats)
{
    if (stats->hyp_len >= stats->ref_len)
        return 1.0;
    if (stats->hyp_len == 0)
        return 0.0;
    return exp(1.0 - (double)stats->ref_len / (double)stats->hyp_len);
}

static int has_match(const struct dgm_bleu_stats *stats, int order)
{
    for (int n = 0; n < order; n++)
        if (stats->correct[n] > 0)
            return 1;
    return 0;
}

static double smooth_value_of(const struct dgm_bleu_options *options)
{
    if (options->has_smooth_value)
        return options->smooth_value;
    return options->smoothing == DGM_BLEU_SMOOTH_FLOOR ? 0.1 : 1.0;
}

/*
 * Fills the precisions and returns how many of them count. The methods of smoothing are numbered by
 * Chen and Cherry, "A Systematic Comparison of Smoothing Techniques for Sentence-Level BLEU" (WMT
 * 2014): floor is 1, add-k is 2 (Lin and Och, COLING 2004), exp is 3, that of mteval-v13a.
 * Precisions stay 0 from the first order on that the text is too short for.
 */
static int smooth_precisions(struct dgm_bleu_score *score, const struct dgm_bleu_options *options,
                             int single)
{
    double halved = 1.0, value = smooth_value_of(options);
    int order = order_of(options), counting = order, n;

    for (n = 0; n < order; n++) {
        double correct = (double)score->stats.correct[n], total = (double)score->stats.total[n];

        if (options->smoothing == DGM_BLEU_SMOOTH_ADD_K && n > 0) {
            correct = dgm_single(correct + value, single);
            total = dgm_single(total + value, single);
        }
        if (total <= 0)
            break;
        if (options->effective_order)
            counting = n + 1;
        if (correct > 0) {
            score->precisions[n] = dgm_single(dgm_single(100.0 * correct, single) / total, single);
        } else if (options->smoothing == DGM_BLEU_SMOOTH_EXP) {
            halved *= 2;
            score->precisions[n] = dgm_single(100.0 / (halved * total), single);
        } else if (options->smoothing == DGM_BLEU_SMOOTH_FLOOR) {
            score->precisions[n] = dgm_single(100.0 * value / total, single);
        }
    }
    return counting;
}

static struct dgm_bleu_score compute(const struct dgm_bleu_stats *stats,
                                     const struct dgm_bleu_options *options, int single)
{
    struct dgm_bleu_score score = { 0 };
    double sum = 0;
    int counting, n;

    score.stats = *stats;
    score.brevity_penalty = brevity_penalty(stats);
    if (stats->ref_len > 0)
        score.ratio = (double)stats->hyp_len / (double)stats->ref_len;
    if (!has_match(stats, order_of(options)))
        return score;
    /* Brevity penalty times the geometric mean of the precisions, which are in percent already. */
    counting = smooth_precisions(&score, options, single);
    for (n = 0; n < counting; n++)
        sum += log_or_never(score.precisions[n]);
    score.score = score.brevity_penalty * exp(sum / counting);
    return score;
}

struct dgm_bleu_score dgm_bleu_score(const struct dgm_bleu_stats *stats,
                                     const struct dgm_bleu_options *options)
{
    return compute(stats, options, 0);
}

/* ---- as text -------------------------------------------------------------------------------- */

static dgm_status add_fixed(struct dgm_env *env, struct dgm_buf *out, double value, int decimals)
{
    char text[64];

    return dgm_buf_add(env, out, text, dgm_number_print_fixed(text, value, decimals));
}

static dgm_status add_precisions(struct dgm_env *env, struct dgm_buf *out, const double *precisions,
                                 int order)
{
    for (int n = 0; n < order; n++) {
        if (n > 0)
            DGM_TRY(dgm_buf_add_char(env, out, '/'));
        DGM_TRY(add_fixed(env, out, precisions[n], 1));
    }
    return DGM_OK;
}

static dgm_status print_multi(struct dgm_env *env, struct dgm_buf *out, const int64_t *sums)
{
    static const struct dgm_bleu_options plain = {
        .tokenizer = DGM_BLEU_NONE, .smoothing = DGM_BLEU_SMOOTH_NONE, .order = 4, .force = 1
    };
    const struct dgm_bleu_stats *stats = (const struct dgm_bleu_stats *)sums;
    struct dgm_bleu_score score = dgm_bleu_score(stats, &plain);

    if (stats->ref_len == 0)
        return dgm_buf_add_text(env, out,
                                "BLEU = 0, 0/0/0/0 (BP=0, ratio=0, hyp_len=0, ref_len=0)");
    for (int n = 0; n < 4; n++)
        if (stats->total[n] > 0)
            score.precisions[n] = 100.0 * ((double)stats->correct[n] / (double)stats->total[n]);
    DGM_TRY(dgm_buf_add_text(env, out, "BLEU = "));
    DGM_TRY(add_fixed(env, out, score.score, 2));
    DGM_TRY(dgm_buf_add_text(env, out, ", "));
    DGM_TRY(add_precisions(env, out, score.precisions, 4));
    DGM_TRY(dgm_buf_add_text(env, out, " (BP="));
    DGM_TRY(add_fixed(env, out, score.brevity_penalty, 3));
    DGM_TRY(dgm_buf_add_text(env, out, ", ratio="));
    DGM_TRY(add_fixed(env, out, score.ratio, 3));
    return dgm_buf_add_format(env, out, ", hyp_len=%lld, ref_len=%lld)", (long long)stats->hyp_len,
                              (long long)stats->ref_len);
}

static dgm_status print_details(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                const int64_t *sums)
{
    const struct dgm_bleu_options *options = &((const struct dgm_bleu *)state)->options;
    const struct dgm_bleu_stats *stats = (const struct dgm_bleu_stats *)sums;
    const struct dgm_bleu_score score = dgm_bleu_score(stats, options);

    DGM_TRY(add_precisions(env, out, score.precisions, order_of(options)));
    DGM_TRY(dgm_buf_add_text(env, out, " (BP = "));
    DGM_TRY(add_fixed(env, out, score.brevity_penalty, 3));
    DGM_TRY(dgm_buf_add_text(env, out, " ratio = "));
    DGM_TRY(add_fixed(env, out, score.ratio, 3));
    return dgm_buf_add_format(env, out, " hyp_len = %lld ref_len = %lld)",
                              (long long)stats->hyp_len, (long long)stats->ref_len);
}

static dgm_status add_smoothing(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_bleu_options *options)
{
    DGM_TRY(dgm_buf_add_text(env, out, smoothings[options->smoothing]));
    if (options->smoothing != DGM_BLEU_SMOOTH_FLOOR && options->smoothing != DGM_BLEU_SMOOTH_ADD_K)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_char(env, out, '['));
    DGM_TRY(add_fixed(env, out, smooth_value_of(options), 2));
    return dgm_buf_add_char(env, out, ']');
}

static dgm_status print_signature(struct dgm_env *env, struct dgm_buf *out, const void *state,
                                  int is_short)
{
    const struct dgm_bleu_options *options = &((const struct dgm_bleu *)state)->options;

    DGM_TRY(dgm_buf_add_format(env, out, is_short ? "c:%s|e:%s|tok:%s" : "case:%s|eff:%s|tok:%s",
                               options->lower || options->lower_ascii ? "lc" : "mixed",
                               options->effective_order ? "yes" : "no",
                               tokenizers[options->tokenizer]));
    if (options->tokenizer == DGM_BLEU_JA_MECAB)
        DGM_TRY(dgm_buf_add_format(env, out, "-%s-IPA", dgm_mecab_version()));
    DGM_TRY(dgm_buf_add_text(env, out, is_short ? "|s:" : "|smooth:"));
    return add_smoothing(env, out, options);
}

void dgm_bleu_clear(struct dgm_env *env, struct dgm_bleu *bleu)
{
    dgm_map_clear(env, &bleu->words);
    dgm_ngrams_clear(env, &bleu->ngrams);
    dgm_mecab_close(env, bleu->mecab);
    bleu->mecab = NULL;
    dgm_buf_clear(env, &bleu->lowered);
    dgm_buf_clear(env, &bleu->tokens);
    dgm_release(env, bleu->items);
    bleu->items = NULL;
    bleu->item_capacity = 0;
}

/* ---- as a metric ---------------------------------------------------------------------------- */

/* Where a value stands in a list that has it. */
static int place_of(const char *value, const char *const *words)
{
    int i = 0;

    while (strcmp(value, words[i]) != 0)
        i++;
    return i;
}

/* multi-bleu stands for multi-bleu.perl: text that is tokenised already, up to 4 words however
 * short a line is, no smoothing, and lower case of ASCII letters only, as that script has it. */
static dgm_status configure(struct dgm_env *env, void *state, const struct dgm_settings *settings)
{
    struct dgm_bleu_options *options = &((struct dgm_bleu *)state)->options;
    const int multi = dgm_settings_flag(settings, "multi-bleu");
    const char *lower = dgm_settings_text(settings, "lowercase");

    options->tokenizer =
        (enum dgm_bleu_tokenizer)place_of(multi ? "none" : dgm_settings_text(settings, "tokenize"),
                                          tokenizers);
    options->smoothing = (enum dgm_bleu_smoothing)
        place_of(multi ? "none" : dgm_settings_text(settings, "smooth-method"), smoothings);
    options->has_smooth_value = dgm_settings_text(settings, "smooth-value") != NULL;
    options->smooth_value = dgm_settings_real(settings, "smooth-value");
    options->lower = lower != NULL && !multi && strcmp(lower, "true") == 0;
    options->lower_ascii = lower != NULL && strcmp(lower, multi ? "true" : "ascii") == 0;
    options->effective_order = !multi && dgm_settings_flag(settings, "sentence-level");
    options->order = multi ? 4 : (int)dgm_settings_int(settings, "max-ngram-order");
    options->force = dgm_settings_flag(settings, "force");
    if (options->tokenizer == DGM_BLEU_JA_MECAB)
        return dgm_mecab_open(env, &((struct dgm_bleu *)state)->mecab,
                              dgm_settings_text(settings, "mecab-dictionary"));
    return DGM_OK;
}

static dgm_status count_sentence(struct dgm_env *env, void *state, struct dgm_metric_count *count,
                                 struct dgm_metric_text hypothesis,
                                 const struct dgm_metric_text *references, size_t reference_count)
{
    struct dgm_bleu *bleu = state;

    DGM_TRY(dgm_bleu_count(env, bleu, (struct dgm_bleu_stats *)count->sums, hypothesis, references,
                           reference_count));
    count->notes = bleu->notes;
    return DGM_OK;
}

static double score_sums(const void *state, const int64_t *sums)
{
    const struct dgm_bleu *bleu = state;

    return dgm_bleu_score((const struct dgm_bleu_stats *)sums, &bleu->options).score;
}

static double score_sample(const void *state, const int64_t *sums)
{
    const struct dgm_bleu *bleu = state;

    return compute((const struct dgm_bleu_stats *)sums, &bleu->options, 1).score;
}

static void clear(struct dgm_env *env, void *state)
{
    dgm_bleu_clear(env, state);
}

/* clang-format off */
const struct dgm_metric dgm_metric_bleu = {
    .name = "bleu",
    .title = "BLEU",
    .curve = "validation: BLEU",
    .reads_words = 1,
    .valid = "multi-bleu",
    .options = {
        { .name = "tokenize", .type = DGM_OPT_CHOICE, .argument = "NAME", .fallback = "13a",
          .choices = "13a|none|intl|char|ja-mecab|zh", .aliases = "tok tokenise",
          .help = "How BLEU cuts words, -tok for short", .section = "BLEU" },
        { .name = "mecab-dictionary", .type = DGM_OPT_TEXT, .argument = "FOLDER",
          .help = "Where the IPA dictionary of --tokenize ja-mecab is, if MeCab does not know",
          .needs = "tokenize=ja-mecab, which has none" },
        { .name = "lowercase", .type = DGM_OPT_FLAG, .aliases = "lc",
          .help = "Ignore case in BLEU, -lc for short" },
        { .name = "smooth-method", .letter = 's', .type = DGM_OPT_CHOICE, .argument = "NAME",
          .fallback = "exp", .choices = "exp|floor|add-k|none", .aliases = "smooth",
          .help = "What BLEU does about orders without a match" },
        { .name = "smooth-value", .type = DGM_OPT_REAL, .argument = "X", .low = 0, .high = 1000,
          .aliases = "sv", .help = "Value of floor (default: 0.1) or add-k (default: 1)",
          .needs = "smooth-method=floor|add-k, which has none" },
        { .name = "max-ngram-order", .type = DGM_OPT_INT, .argument = "N", .fallback = "4",
          .low = 1, .high = DGM_NGRAMS_MAX_ORDER, .help = "Longest n-gram of BLEU" },
        { .name = "multi-bleu", .type = DGM_OPT_FLAG,
          .help = "Write the line of multi-bleu.perl, for text that is tokenised already" },
    },
    .width = sizeof(struct dgm_bleu_stats) / sizeof(int64_t),
    .state_bytes = sizeof(struct dgm_bleu),
    .configure = configure,
    .count = count_sentence,
    .score = score_sums,
    .sample = score_sample,
    .clear = clear,
    .print_signature = print_signature,
    .print_details = print_details,
    .print_multi = print_multi,
};
/* clang-format on */
