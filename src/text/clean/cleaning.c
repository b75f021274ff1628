/*
 * cleaning.c: which pairs of lines stay in a parallel corpus.
 *
 * Rules look at a pair alone, but for the last: only what has passed all others is remembered, so
 * memory grows with what stays.
 */
#include "text/clean/cleaning.h"

#include <string.h>

#include "base/mem.h"

const char *const dgm_duplicate_words[DGM_DUPLICATES] = { "pairs", "source", "target", "sides",
                                                          "none" };

/* ---- rules ----------------------------------------------------------------------------------- */

/* Of one side alone. */
static dgm_clean_reason judge_length(const struct dgm_clean_rules *rules,
                                     const struct dgm_line_measure *measure)
{
    if (rules->min_length > 0 && measure->tokens == 0)
        return DGM_CLEAN_EMPTY;
    if (rules->min_length > 0 && measure->tokens < (size_t)rules->min_length)
        return DGM_CLEAN_SHORT;
    if (rules->max_length > 0 && measure->tokens > (size_t)rules->max_length)
        return DGM_CLEAN_LONG;
    return DGM_CLEAN_KEPT;
}

static int is_unequal(const struct dgm_clean_rules *rules, const struct dgm_clean_pair *pair)
{
    const size_t a = pair->measure[0].tokens, b = pair->measure[1].tokens;
    const size_t least = a < b ? a : b, most = a < b ? b : a;

    return rules->sides == 2 && rules->max_ratio > 0 &&
           (double)most > rules->max_ratio * (double)least;
}

static dgm_clean_reason judge_words(const struct dgm_clean_rules *rules,
                                    const struct dgm_line_measure *measure)
{
    if (rules->max_word_length > 0 && measure->longest > (size_t)rules->max_word_length)
        return DGM_CLEAN_WORD;
    if ((double)measure->expected < rules->min_script * (double)measure->letters)
        return DGM_CLEAN_SCRIPT;
    return DGM_CLEAN_KEPT;
}

static int is_copy(const struct dgm_clean_rules *rules, const struct dgm_clean_pair *pair)
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

/* Whether all sides are without a token. */
static int is_blank(const struct dgm_cleaning *cleaning, const struct dgm_clean_pair *pair)
{
    return pair->measure[0].tokens == 0 &&
           (cleaning->rules.sides == 1 || pair->measure[1].tokens == 0);
}

/* All rules but the last one. */
static dgm_clean_reason judge_alone(const struct dgm_cleaning *cleaning,
                                    const struct dgm_clean_pair *pair)
{
    const struct dgm_clean_rules *rules = &cleaning->rules;
    const struct dgm_line_measure *measure = pair->measure;
    const int last = rules->sides - 1;
    dgm_clean_reason reason;

    if ((measure[0].is_bad || measure[last].is_bad) && !rules->keep_bad_utf8)
        return DGM_CLEAN_UTF8;
    reason = first_of(judge_length(rules, &measure[0]), judge_length(rules, &measure[last]));
    if (reason != DGM_CLEAN_KEPT || is_blank(cleaning, pair))
        return reason;
    if (is_unequal(rules, pair))
        return DGM_CLEAN_RATIO;
    reason = first_of(judge_words(rules, &measure[0]), judge_words(rules, &measure[last]));
    return reason == DGM_CLEAN_KEPT && is_copy(rules, pair) ? DGM_CLEAN_COPY : reason;
}

/* ---- languages ------------------------------------------------------------------------------- */

/* A side without letters is in any language. */
static int is_foreign(const struct dgm_clean_languages *languages,
                      const struct dgm_clean_pair *pair, int side)
{
    const int language = languages->language[side];
    struct dgm_langid_letters letters;

    if (language < 0)
        return 0;
    letters = dgm_langid_judge(&languages->model, languages->probabilities, languages->sums,
                               pair->text[side], pair->bytes[side]);
    return letters.all > 0 && languages->probabilities[language] < languages->least;
}

static int has_foreign(const struct dgm_cleaning *cleaning, const struct dgm_clean_pair *pair)
{
    const struct dgm_clean_languages *languages = &cleaning->languages;

    return languages->model.language_count > 0 &&
           (is_foreign(languages, pair, 0) ||
            (cleaning->rules.sides == 2 && is_foreign(languages, pair, 1)));
}

/* ---- held out -------------------------------------------------------------------------------- */

dgm_status dgm_cleaning_hold_out(struct dgm_env *env, struct dgm_cleaning *cleaning, int side,
                                 const char *text, size_t bytes)
{
    uint64_t hash[2];
    int is_new;

    if (bytes == 0)
        return DGM_OK;
    dgm_seen_hash(hash, 0, text, bytes, NULL, 0);
    return dgm_seen_add(env, &cleaning->held_out[side], hash, &is_new);
}

static int is_held_out(const struct dgm_cleaning *cleaning, const struct dgm_clean_pair *pair)
{
    uint64_t hash[2];

    for (int side = 0; side < cleaning->rules.sides; side++) {
        dgm_seen_hash(hash, 0, pair->text[side], pair->bytes[side], NULL, 0);
        if (dgm_seen_has(&cleaning->held_out[side], hash))
            return 1;
    }
    return 0;
}

/* ---- duplicates ------------------------------------------------------------------------------ */

/* A pair of which one side is old leaves no trace of the other, as it does not stay: so both are
 * asked before either is added. */
static dgm_status add_sides(struct dgm_env *env, struct dgm_cleaning *cleaning,
                            const struct dgm_clean_pair *pair, int *is_new)
{
    uint64_t hash[2][2];

    for (int side = 0; side < 2; side++)
        dgm_seen_hash(hash[side], 0, pair->text[side], pair->bytes[side], NULL, 0);
    *is_new =
        !dgm_seen_has(&cleaning->seen[0], hash[0]) && !dgm_seen_has(&cleaning->seen[1], hash[1]);
    for (int side = 0; side < 2 && *is_new; side++)
        DGM_TRY(dgm_seen_add(env, &cleaning->seen[side], hash[side], is_new));
    return DGM_OK;
}

static dgm_status add_pair(struct dgm_env *env, struct dgm_cleaning *cleaning,
                           const struct dgm_clean_pair *pair, int *is_new)
{
    const enum dgm_duplicates duplicates = cleaning->rules.duplicates;
    const int is_whole = duplicates == DGM_DUPLICATE_PAIRS && cleaning->rules.sides == 2;
    const int side = duplicates == DGM_DUPLICATE_TARGET;
    uint64_t hash[2];

    *is_new = 1;
    if (duplicates == DGM_DUPLICATE_NONE)
        return DGM_OK;
    if (duplicates == DGM_DUPLICATE_SIDES)
        return add_sides(env, cleaning, pair, is_new);
    dgm_seen_hash(hash, 0, pair->text[side], pair->bytes[side], is_whole ? pair->text[1] : NULL,
                  is_whole ? pair->bytes[1] : 0);
    return dgm_seen_add(env, &cleaning->seen[0], hash, is_new);
}

/* ---- judging --------------------------------------------------------------------------------- */

static void measure_pair(struct dgm_cleaning *cleaning, struct dgm_clean_pair *pair)
{
    for (int side = 0; side < cleaning->rules.sides; side++) {
        pair->text[side] = pair->bytes[side] > 0 ? pair->text[side] : "";
        dgm_measure_line(&pair->measure[side], &cleaning->scripts[side], pair->text[side],
                         pair->bytes[side]);
    }
}

dgm_status dgm_cleaning_judge(struct dgm_env *env, struct dgm_cleaning *cleaning,
                              struct dgm_clean_pair *pair, dgm_clean_reason *reason)
{
    int is_new;

    measure_pair(cleaning, pair);
    *reason = judge_alone(cleaning, pair);
    if (*reason != DGM_CLEAN_KEPT || is_blank(cleaning, pair))
        return DGM_OK;
    if (has_foreign(cleaning, pair))
        *reason = DGM_CLEAN_LANGUAGE;
    else if (is_held_out(cleaning, pair))
        *reason = DGM_CLEAN_HELD_OUT;
    if (*reason != DGM_CLEAN_KEPT)
        return DGM_OK;
    DGM_TRY(add_pair(env, cleaning, pair, &is_new));
    if (!is_new)
        *reason = DGM_CLEAN_DUPLICATE;
    return DGM_OK;
}

void dgm_cleaning_clear(struct dgm_env *env, struct dgm_cleaning *cleaning)
{
    for (int side = 0; side < 2; side++) {
        dgm_seen_clear(env, &cleaning->held_out[side]);
        dgm_seen_clear(env, &cleaning->seen[side]);
    }
    dgm_langid_model_clear(env, &cleaning->languages.model);
    dgm_release(env, cleaning->languages.sums);
    dgm_release(env, cleaning->languages.probabilities);
}
