/*
 * cleaner.c: which pairs of lines stay in a parallel corpus.
 *
 * Rules look at a pair alone, but for the last: only what has passed all others is remembered, so
 * memory grows with what stays.
 */
#include <limits.h>
#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "text/clean/measure.h"
#include "text/clean/seen.h"

enum duplicates { PAIRS, SOURCE, TARGET, SIDES, NONE, DUPLICATES };
static const char *const duplicate_words[DUPLICATES] = { "pairs", "source", "target", "sides",
                                                         "none" };

struct dgm_cleaner {
    struct dgm_context *context;
    dgm_cleaner_options rules; /* its texts belong to the caller: not to be used */
    enum duplicates duplicates;
    struct dgm_script_set scripts[2];
    struct dgm_seen seen[2]; /* pairs, or a side; with SIDES: sources, targets */
};

/* A pair, and what was measured of it. */
struct pair {
    const char *text[2];
    size_t bytes[2];
    struct dgm_measure measure[2];
};

/* ---- options --------------------------------------------------------------------------------- */

static dgm_status check_options(struct dgm_env *env, const dgm_cleaner_options *rules)
{
    DGM_TRY(dgm_range_int(env, "dgm_cleaner_options.sides", rules->sides, 0, 2));
    DGM_TRY(
        dgm_range_int(env, "dgm_cleaner_options.min_length", rules->min_length, INT_MIN, INT_MAX));
    DGM_TRY(dgm_range_real(env, "dgm_cleaner_options.max_ratio", rules->max_ratio, -1e9, 1e9));
    if (rules->max_ratio > 0)
        DGM_TRY(dgm_range_real(env, "dgm_cleaner_options.max_ratio", rules->max_ratio, 1, 1e9));
    DGM_TRY(dgm_range_real(env, "dgm_cleaner_options.min_script", rules->min_script, -1e9, 1));
    if (rules->max_length > 0 && rules->min_length > rules->max_length)
        return dgm_fail(env, DGM_USAGE,
                        "at least %d tokens and at most %d; expected no more than that",
                        rules->min_length, rules->max_length);
    return DGM_OK;
}

/* What needs two sides. */
static dgm_status check_sides(struct dgm_env *env, const dgm_cleaner *cleaner)
{
    if (cleaner->rules.sides == 2)
        return DGM_OK;
    if (cleaner->rules.target_lang != NULL)
        return dgm_fail(env, DGM_USAGE, "a target language without a target side");
    if (cleaner->duplicates == TARGET || cleaner->duplicates == SIDES)
        return dgm_fail(env, DGM_USAGE,
                        "duplicates \"%s\" without a target side; expected "
                        "\"pairs\" or \"none\"",
                        duplicate_words[cleaner->duplicates]);
    return DGM_OK;
}

static void set_defaults(dgm_cleaner_options *rules)
{
    rules->sides = rules->sides == 0 ? 2 : rules->sides;
    rules->min_length = rules->min_length == 0 ? 1 : rules->min_length;
    rules->max_length = rules->max_length == 0 ? 250 : rules->max_length;
    rules->max_ratio = rules->max_ratio == 0 ? 3 : rules->max_ratio;
    rules->max_word_length = rules->max_word_length == 0 ? 40 : rules->max_word_length;
    rules->min_script = rules->min_script == 0 ? 0.5 : rules->min_script;
}

static dgm_status set_rules(struct dgm_env *env, dgm_cleaner *cleaner,
                            const dgm_cleaner_options *options)
{
    dgm_cleaner_options *rules = &cleaner->rules;
    int duplicates;

    DGM_TRY(dgm_options_take(env, rules, sizeof *rules, options, "dgm_cleaner_options"));
    DGM_TRY(check_options(env, rules));
    set_defaults(rules);
    DGM_TRY(dgm_options_choose(env, &duplicates, "duplicates", rules->duplicates, duplicate_words,
                               DUPLICATES));
    cleaner->duplicates = (enum duplicates)duplicates;
    DGM_TRY(check_sides(env, cleaner));
    if (rules->source_lang != NULL)
        DGM_TRY(
            dgm_script_set_fill(env, &cleaner->scripts[0], "source language", rules->source_lang));
    if (rules->target_lang != NULL)
        DGM_TRY(
            dgm_script_set_fill(env, &cleaner->scripts[1], "target language", rules->target_lang));
    return DGM_OK;
}

dgm_status dgm_cleaner_new(dgm_context *context, const dgm_cleaner_options *options,
                           dgm_cleaner **cleaner)
{
    dgm_cleaner *made;
    dgm_status status;

    DGM_ENTER_NEW(context, cleaner);
    DGM_TRY(dgm_argument_check(&context->env, cleaner, "cleaner"));
    made = dgm_alloc(&context->env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    status = set_rules(&context->env, made, options);
    if (status != DGM_OK) {
        dgm_cleaner_free(made);
        return status;
    }
    *cleaner = made;
    return DGM_OK;
}

void dgm_cleaner_free(dgm_cleaner *cleaner)
{
    struct dgm_env *env;

    if (cleaner == NULL)
        return;
    env = &cleaner->context->env;
    dgm_seen_clear(env, &cleaner->seen[0]);
    dgm_seen_clear(env, &cleaner->seen[1]);
    dgm_release(env, cleaner);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* Of one side alone. */
static dgm_clean_reason judge_length(const dgm_cleaner_options *rules,
                                     const struct dgm_measure *measure)
{
    if (rules->min_length > 0 && measure->tokens == 0)
        return DGM_CLEAN_EMPTY;
    if (rules->min_length > 0 && measure->tokens < (size_t)rules->min_length)
        return DGM_CLEAN_SHORT;
    if (rules->max_length > 0 && measure->tokens > (size_t)rules->max_length)
        return DGM_CLEAN_LONG;
    return DGM_CLEAN_KEPT;
}

static int is_unequal(const dgm_cleaner_options *rules, const struct pair *pair)
{
    const size_t a = pair->measure[0].tokens, b = pair->measure[1].tokens;
    const size_t least = a < b ? a : b, most = a < b ? b : a;

    return rules->sides == 2 && rules->max_ratio > 0 &&
           (double)most > rules->max_ratio * (double)least;
}

static dgm_clean_reason judge_words(const dgm_cleaner_options *rules,
                                    const struct dgm_measure *measure)
{
    if (rules->max_word_length > 0 && measure->longest > (size_t)rules->max_word_length)
        return DGM_CLEAN_WORD;
    if ((double)measure->expected < rules->min_script * (double)measure->letters)
        return DGM_CLEAN_SCRIPT;
    return DGM_CLEAN_KEPT;
}

static int is_copy(const dgm_cleaner_options *rules, const struct pair *pair)
{
    return rules->sides == 2 && !rules->keep_copies && pair->bytes[0] == pair->bytes[1] &&
           memcmp(pair->text[0], pair->text[1], pair->bytes[0]) == 0;
}

/* The first of two sides that breaks a rule says which; earlier rules come first. */
static dgm_clean_reason first_of(dgm_clean_reason a, dgm_clean_reason b)
{
    if (a == DGM_CLEAN_KEPT || b == DGM_CLEAN_KEPT)
        return a == DGM_CLEAN_KEPT ? b : a;
    return a < b ? a : b;
}

static int is_bad(const struct dgm_cleaner *cleaner, const struct pair *pair)
{
    return pair->measure[0].is_bad || (cleaner->rules.sides == 2 && pair->measure[1].is_bad);
}

/* Whether all sides are without a token. */
static int is_blank(const struct dgm_cleaner *cleaner, const struct pair *pair)
{
    return pair->measure[0].tokens == 0 &&
           (cleaner->rules.sides == 1 || pair->measure[1].tokens == 0);
}

/* All rules but the last one. */
static dgm_clean_reason judge_alone(const struct dgm_cleaner *cleaner, const struct pair *pair)
{
    const dgm_cleaner_options *rules = &cleaner->rules;
    const struct dgm_measure *measure = pair->measure;
    const int last = rules->sides - 1;
    dgm_clean_reason reason;

    if (is_bad(cleaner, pair) && !rules->keep_bad_utf8)
        return DGM_CLEAN_UTF8;
    reason = first_of(judge_length(rules, &measure[0]), judge_length(rules, &measure[last]));
    if (reason != DGM_CLEAN_KEPT || is_blank(cleaner, pair))
        return reason;
    if (is_unequal(rules, pair))
        return DGM_CLEAN_RATIO;
    reason = first_of(judge_words(rules, &measure[0]), judge_words(rules, &measure[last]));
    return reason == DGM_CLEAN_KEPT && is_copy(rules, pair) ? DGM_CLEAN_COPY : reason;
}

/* ---- duplicates ------------------------------------------------------------------------------ */

static dgm_status add_side(struct dgm_cleaner *cleaner, struct dgm_seen *seen,
                           const struct pair *pair, int side, int *is_new)
{
    uint64_t hash[2];

    dgm_seen_hash(hash, 0, pair->text[side], pair->bytes[side], NULL, 0);
    return dgm_seen_add(&cleaner->context->env, seen, hash, is_new);
}

/* A pair of which one side is old leaves no trace of the other, as it does not stay: so both are
 * asked before either is added. */
static dgm_status add_sides(struct dgm_cleaner *cleaner, const struct pair *pair, int *is_new)
{
    uint64_t hash[2][2];
    int side;

    for (side = 0; side < 2; side++)
        dgm_seen_hash(hash[side], 0, pair->text[side], pair->bytes[side], NULL, 0);
    *is_new =
        !dgm_seen_has(&cleaner->seen[0], hash[0]) && !dgm_seen_has(&cleaner->seen[1], hash[1]);
    for (side = 0; side < 2 && *is_new; side++)
        DGM_TRY(dgm_seen_add(&cleaner->context->env, &cleaner->seen[side], hash[side], is_new));
    return DGM_OK;
}

static dgm_status add_pair(struct dgm_cleaner *cleaner, const struct pair *pair, int *is_new)
{
    struct dgm_seen *seen = &cleaner->seen[0];
    uint64_t hash[2];

    *is_new = 1;
    switch (cleaner->duplicates) {
    case SOURCE: return add_side(cleaner, seen, pair, 0, is_new);
    case TARGET: return add_side(cleaner, seen, pair, 1, is_new);
    case SIDES: return add_sides(cleaner, pair, is_new);
    case NONE: return DGM_OK;
    case PAIRS:
    case DUPLICATES: break;
    }
    if (cleaner->rules.sides == 1)
        return add_side(cleaner, seen, pair, 0, is_new);
    dgm_seen_hash(hash, 0, pair->text[0], pair->bytes[0], pair->text[1], pair->bytes[1]);
    return dgm_seen_add(&cleaner->context->env, seen, hash, is_new);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void measure_pair(struct dgm_cleaner *cleaner, struct pair *pair)
{
    int side;

    for (side = 0; side < cleaner->rules.sides; side++) {
        pair->text[side] = pair->bytes[side] > 0 ? pair->text[side] : "";
        dgm_measure_line(&pair->measure[side], &cleaner->scripts[side], pair->text[side],
                         pair->bytes[side]);
    }
}

dgm_status dgm_cleaner_judge(dgm_cleaner *cleaner, const char *source, size_t source_bytes,
                             const char *target, size_t target_bytes, dgm_clean_reason *reason)
{
    struct pair pair = { { source, target }, { source_bytes, target_bytes }, { { 0 }, { 0 } } };
    struct dgm_env *env;
    int is_new;

    DGM_ENTER_HANDLE(cleaner);
    env = &cleaner->context->env;
    DGM_TRY(dgm_argument_check(env, reason, "reason"));
    DGM_TRY(dgm_line_check(env, source, source_bytes));
    if (cleaner->rules.sides == 2)
        DGM_TRY(dgm_line_check(env, target, target_bytes));
    measure_pair(cleaner, &pair);
    *reason = judge_alone(cleaner, &pair);
    if (*reason != DGM_CLEAN_KEPT || is_blank(cleaner, &pair))
        return DGM_OK;
    DGM_TRY(add_pair(cleaner, &pair, &is_new));
    if (!is_new)
        *reason = DGM_CLEAN_DUPLICATE;
    return DGM_OK;
}

/* ---- names ----------------------------------------------------------------------------------- */

#define WORD(name, word, meaning) word,
#define MEANING(name, word, meaning) meaning,
static const char *const words[] = { DGM_CLEAN_LIST(WORD) };
static const char *const meanings[] = { DGM_CLEAN_LIST(MEANING) };
#undef WORD
#undef MEANING

const char *dgm_clean_reason_name(dgm_clean_reason reason)
{
    return (unsigned)reason < DGM_CLEAN_COUNT ? words[reason] : "unknown";
}

const char *dgm_clean_reason_text(dgm_clean_reason reason)
{
    return (unsigned)reason < DGM_CLEAN_COUNT ? meanings[reason] : "no reason of this version";
}
