/* cleaner.c: which pairs of lines stay in a parallel corpus (text/clean/cleaning.h). */
#include "text/clean/cleaning.h"

#include <limits.h>
#include <string.h>

#include "api/context.h"
#include "base/mem.h"
#include "model/file/langid_file.h"

struct dgm_cleaner {
    struct dgm_context *context;
    struct dgm_cleaning cleaning;
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
    DGM_TRY(dgm_range_real(env, "dgm_cleaner_options.min_language", rules->min_language, -1e9, 1));
    if (rules->max_length > 0 && rules->min_length > rules->max_length)
        return dgm_fail(env, DGM_USAGE,
                        "at least %d tokens and at most %d; expected no more than that",
                        rules->min_length, rules->max_length);
    return DGM_OK;
}

/* What needs two sides. */
static dgm_status check_sides(struct dgm_env *env, const dgm_cleaner_options *options,
                              enum dgm_duplicates duplicates)
{
    if (options->sides != 1)
        return DGM_OK;
    if (options->target_lang != NULL)
        return dgm_fail(env, DGM_USAGE, "a target language without a target side");
    if (duplicates == DGM_DUPLICATE_TARGET || duplicates == DGM_DUPLICATE_SIDES)
        return dgm_fail(env, DGM_USAGE,
                        "duplicates \"%s\" without a target side; expected "
                        "\"pairs\" or \"none\"",
                        dgm_duplicate_words[duplicates]);
    return DGM_OK;
}

static void set_limits(struct dgm_clean_rules *rules, const dgm_cleaner_options *options)
{
    rules->sides = options->sides == 0 ? 2 : options->sides;
    rules->min_length = options->min_length == 0 ? 1 : options->min_length;
    rules->max_length = options->max_length == 0 ? 250 : options->max_length;
    rules->max_ratio = options->max_ratio == 0 ? 3 : options->max_ratio;
    rules->max_word_length = options->max_word_length == 0 ? 40 : options->max_word_length;
    rules->min_script = options->min_script == 0 ? 0.5 : options->min_script;
    rules->keep_copies = options->keep_copies;
    rules->keep_bad_utf8 = options->keep_bad_utf8;
}

/* The number of the language of a side, or -1 where none was named. */
static dgm_status find_language(struct dgm_env *env, const struct dgm_clean_languages *languages,
                                const char *path, const char *code, int *number)
{
    char quoted[DGM_QUOTE_SIZE];

    *number = code != NULL ? dgm_langid_find(&languages->model, code) : -1;
    if (code == NULL || *number >= 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, code, strlen(code));
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "the model does not know the language \"%s\"; expected one of those that "
                       "it was trained with, such as %s",
                       quoted, languages->model.languages[0]);
}

static dgm_status set_languages(struct dgm_env *env, struct dgm_clean_languages *languages,
                                const dgm_cleaner_options *options)
{
    size_t count;

    if (options->langid == NULL)
        return DGM_OK;
    if (options->source_lang == NULL && options->target_lang == NULL)
        return dgm_fail(env, DGM_USAGE,
                        "a model of languages, but no language; expected that of a side");
    DGM_TRY(dgm_langid_read(env, &languages->model, options->langid));
    count = languages->model.language_count;
    languages->least = options->min_language == 0 ? 0.1 : options->min_language;
    DGM_TRY(find_language(env, languages, options->langid, options->source_lang,
                          &languages->language[0]));
    DGM_TRY(find_language(env, languages, options->langid, options->target_lang,
                          &languages->language[1]));
    DGM_TRY(dgm_new(env, &languages->sums, count, sizeof *languages->sums));
    return dgm_new(env, &languages->probabilities, count, sizeof *languages->probabilities);
}

static dgm_status set_rules(struct dgm_env *env, struct dgm_cleaning *cleaning,
                            const dgm_cleaner_options *given)
{
    dgm_cleaner_options options;
    int duplicates;

    DGM_TRY(dgm_options_take(env, &options, sizeof options, given, "dgm_cleaner_options"));
    DGM_TRY(check_options(env, &options));
    set_limits(&cleaning->rules, &options);
    DGM_TRY(dgm_options_choose(env, &duplicates, "duplicates", options.duplicates,
                               dgm_duplicate_words, DGM_DUPLICATES));
    cleaning->rules.duplicates = (enum dgm_duplicates)duplicates;
    DGM_TRY(check_sides(env, &options, cleaning->rules.duplicates));
    if (options.source_lang != NULL)
        DGM_TRY(dgm_script_set_fill(env, &cleaning->scripts[0], "source language",
                                    options.source_lang));
    if (options.target_lang != NULL)
        DGM_TRY(dgm_script_set_fill(env, &cleaning->scripts[1], "target language",
                                    options.target_lang));
    return set_languages(env, &cleaning->languages, &options);
}

dgm_status dgm_cleaner_new(dgm_context *context, const dgm_cleaner_options *options,
                           dgm_cleaner **cleaner)
{
    dgm_cleaner *made;
    dgm_status status;

    DGM_ENTER_NEW(context, cleaner);
    DGM_TRY(dgm_new(&context->env, &made, 1, sizeof *made));
    made->context = context;
    status = set_rules(&context->env, &made->cleaning, options);
    if (status == DGM_OK)
        *cleaner = made;
    else
        dgm_cleaner_free(made);
    return status;
}

void dgm_cleaner_free(dgm_cleaner *cleaner)
{
    struct dgm_env *env;

    if (DGM_IS_HELD(cleaner))
        return;
    env = &cleaner->context->env;
    dgm_cleaning_clear(env, &cleaner->cleaning);
    dgm_release(env, cleaner);
}

/* ---- held out -------------------------------------------------------------------------------- */

dgm_status dgm_cleaner_hold_out(dgm_cleaner *cleaner, int side, const char *line, size_t bytes)
{
    struct dgm_env *env;

    DGM_ENTER_HANDLE(cleaner);
    env = &cleaner->context->env;
    DGM_TRY(dgm_range_int(env, "side", side, 0, cleaner->cleaning.rules.sides - 1));
    DGM_TRY(dgm_line_check(env, &line, bytes));
    return dgm_cleaning_hold_out(env, &cleaner->cleaning, side, line, bytes);
}

/* ---- pairs ----------------------------------------------------------------------------------- */

dgm_status dgm_cleaner_judge(dgm_cleaner *cleaner, const char *source, size_t source_bytes,
                             const char *target, size_t target_bytes, dgm_clean_reason *reason)
{
    struct dgm_clean_pair pair = { { source, target },
                                   { source_bytes, target_bytes },
                                   { { 0 }, { 0 } } };
    struct dgm_env *env;

    DGM_ENTER_HANDLE(cleaner);
    env = &cleaner->context->env;
    DGM_TRY(dgm_argument_check(env, reason, "reason"));
    DGM_TRY(dgm_line_check(env, &pair.text[0], source_bytes));
    if (cleaner->cleaning.rules.sides == 2)
        DGM_TRY(dgm_line_check(env, &pair.text[1], target_bytes));
    return dgm_cleaning_judge(env, &cleaner->cleaning, &pair, reason);
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
