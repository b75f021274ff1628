/* scorer_settings.c: what a scorer is asked for, by public options or by a command. */
#include <stddef.h>
#include <string.h>

#include "api/program.h"
#include "api/score/scorer.h"
#include "base/number/number.h"

/* ---- the list, for the rows of a command ---------------------------------------------------- */

const char dgm_metric_names[] =
#define METRIC_FIRST(name) #name
#define METRIC(name) "|" #name
#define METRIC_ALSO(name, word, option, value) "|" word
#include "text/score/metric_list.h"
    ;

const char dgm_metric_words[] =
#define METRIC_FIRST(name) #name
#define METRIC(name) ", " #name
#define METRIC_ALSO(name, word, option, value) ", " word
#include "text/score/metric_list.h"
    ;

const char dgm_metric_help[] =
#define METRIC_FIRST(name) #name " (the default)"
#define METRIC(name) ", " #name
#define METRIC_ALSO(name, word, option, value) ", " word
#include "text/score/metric_list.h"
    ", or several";

const struct dgm_opt *const *dgm_scorer_option_tables(void)
{
    return dgm_metric_tables;
}

static int is_asked_for(const struct dgm_metric *metric, const struct dgm_settings *settings)
{
    const size_t count = dgm_settings_count(settings, "metrics");

    if (dgm_settings_text(settings, "read-scores") != NULL)
        return 0; /* another program's is */
    for (size_t i = 0; i < count; i++)
        if (dgm_metric_find(dgm_settings_item(settings, "metrics", i)) == metric)
            return 1;
    return count == 0 && dgm_metric_find(NULL) == metric;
}

/* Whoever says how a metric counts may think that another one hears it. */
static void warn_of_options(struct dgm_env *env, const struct dgm_metric *metric,
                            const struct dgm_settings *settings)
{
    for (const struct dgm_opt *opt = metric->options; opt->name != NULL; opt++)
        if (dgm_settings_is_typed(settings, opt->name))
            dgm_log(env, DGM_LOG_WARNING,
                    "--%s changes nothing: it is of %s, which is not among --metrics", opt->name,
                    metric->title);
}

dgm_status dgm_scorer_check(dgm_context *context, const struct dgm_settings *settings)
{
    const struct dgm_metric *metric;

    DGM_ENTER(context);
    for (size_t i = 0; (metric = dgm_metric_entry(i)) != NULL; i++) {
        if (!is_asked_for(metric, settings))
            warn_of_options(&context->env, metric, settings);
        if (metric->check != NULL)
            DGM_TRY(metric->check(&context->env, settings));
    }
    return DGM_OK;
}

/* ---- words ---------------------------------------------------------------------------------- */

static dgm_status refuse(struct dgm_env *env, const char *what, const char *value,
                         const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_fail(env, DGM_USAGE, "%s: expected one of %s, got \"%s\"", what, expected, quoted);
}

dgm_status dgm_scorer_check_name(struct dgm_env *env, const char *metric)
{
    return dgm_metric_find(metric) != NULL ? DGM_OK
                                           : refuse(env, "metric", metric, dgm_metric_words);
}

/* "13a, none, intl" of "13a|none|intl". */
static dgm_status refuse_choice(struct dgm_env *env, const char *what, const char *value,
                                const char *choices)
{
    char expected[160];
    size_t used = 0;

    for (; *choices != '\0' && used + 3 < sizeof expected; choices++) {
        expected[used++] = *choices == '|' ? ',' : *choices;
        if (*choices == '|')
            expected[used++] = ' ';
    }
    expected[used] = '\0';
    return refuse(env, what, value, expected);
}

/* ---- public options ------------------------------------------------------------------------- */

/* A field, and the option that it stands for. */
/* clang-format off */
static const struct field {
    const char *name, *option;
    size_t at;
} fields[] = {
#define FIELD(name, option) { #name, option, offsetof(dgm_scorer_options, name) }
    FIELD(tokenize, "tokenize"),
    FIELD(smooth, "smooth-method"),
    FIELD(max_order, "max-ngram-order"),
    FIELD(smooth_value, "smooth-value"),
    FIELD(word_order, "chrf-word-order"),
    FIELD(beta, "chrf-beta"),
    FIELD(lower, "lowercase"),
    FIELD(lower, "chrf-lowercase"),
    FIELD(effective_order, "sentence-level"),
    FIELD(whitespace, "chrf-whitespace"),
    FIELD(force, "force"),
#undef FIELD
};
/* clang-format on */

/* 0 is the default. */
static dgm_status read_int(struct dgm_env *env, const struct field *field,
                           const struct dgm_opt *opt, int value, char *text)
{
    if (value != 0 && (value < opt->low || value > opt->high))
        return dgm_fail(env, DGM_USAGE, "%s %d; expected %d..%d", field->name, value, (int)opt->low,
                        (int)opt->high);
    if (value != 0)
        dgm_number_print(text, value, 17);
    return DGM_OK;
}

static dgm_status read_smooth_value(struct dgm_env *env, const dgm_scorer_options *options,
                                    char *text)
{
    if (!options->has_smooth_value)
        return DGM_OK;
    DGM_TRY(dgm_range_real(env, "dgm_scorer_options.smooth_value", options->smooth_value, 0, 1e9));
    dgm_number_print(text, options->smooth_value, 17);
    return DGM_OK;
}

/* A field that has its default leaves that of the option. */
static dgm_status take_field(struct dgm_env *env, struct dgm_settings *settings,
                             const dgm_scorer_options *options, const struct field *field)
{
    struct dgm_setting *setting = dgm_settings_find(settings, field->option, strlen(field->option));
    const void *at = (const char *)options + field->at;
    char number[32] = "";
    const char *value = number;

    if (setting->opt->type == DGM_OPT_CHOICE) {
        value = *(const char *const *)at != NULL ? *(const char *const *)at : "";
        if (*(const char *const *)at != NULL && !dgm_opt_is_word(setting->opt, value))
            return refuse_choice(env, field->name, value, setting->opt->choices);
    } else if (setting->opt->type == DGM_OPT_REAL) {
        DGM_TRY(read_smooth_value(env, options, number));
    } else if (setting->opt->type == DGM_OPT_INT) {
        DGM_TRY(read_int(env, field, setting->opt, *(const int *)at, number));
    } else if (*(const int *)at) {
        value = "true";
    }
    return value[0] != '\0' ? dgm_settings_store(env, setting, value, "default") : DGM_OK;
}

dgm_status dgm_scorer_take_options(struct dgm_env *env, struct dgm_settings *settings,
                                   const dgm_scorer_options *options)
{
    size_t i;

    for (i = 0; i < sizeof fields / sizeof *fields; i++)
        DGM_TRY(take_field(env, settings, options, &fields[i]));
    if (!options->lower_ascii || options->lower)
        return DGM_OK;
    return dgm_settings_store(env, dgm_settings_find(settings, "lowercase", 9), "ascii", "default");
}

/* ---- settings of a command ------------------------------------------------------------------ */

dgm_status dgm_scorer_take_settings(struct dgm_env *env, struct dgm_settings *settings,
                                    const struct dgm_settings *from)
{
    size_t i;

    for (i = 0; i < settings->count; i++) {
        struct dgm_setting *to = &settings->items[i];
        const char *value = dgm_settings_text(from, to->opt->name);

        if (value != NULL)
            DGM_TRY(dgm_settings_store(env, to, value, "command"));
    }
    return DGM_OK;
}

static int same_value(const struct dgm_scorer *a, const struct dgm_scorer *b, const char *name)
{
    const char *x = dgm_settings_text(&a->settings, name);
    const char *y = dgm_settings_text(&b->settings, name);

    return x == y || (x != NULL && y != NULL && strcmp(x, y) == 0);
}

int dgm_scorer_is_like(const struct dgm_scorer *a, const struct dgm_scorer *b)
{
    const struct dgm_opt *opt = a->measure.metric->options;

    for (; opt->name != NULL; opt++)
        if (!same_value(a, b, opt->name))
            return 0;
    return same_value(a, b, "sentence-level");
}
