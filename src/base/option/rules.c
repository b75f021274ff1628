/* rules.c: which options go together, as their rows say it. */
#include "base/option/rules.h"

#include <assert.h>
#include <string.h>

#include "base/number/number.h"
#include "base/option/clause.h"

/* ---- options --------------------------------------------------------------------------------- */

/* One of a clause's options: "format=raw|lines". */
struct partner {
    const struct dgm_setting *setting;
    const char *values; /* NULL: it is to be given */
    size_t values_length;
};

/* Reads the option at clause->names + *at, and goes on to the next; returns 0 behind the last. */
static int read_partner(const struct dgm_settings *settings, const struct dgm_clause *clause,
                        size_t *at, struct partner *partner)
{
    const char *name = clause->names + *at;
    size_t length, whole;

    if (*at >= clause->length)
        return 0;
    whole = strcspn(name, " ,;");
    length = strcspn(name, "= ,;");
    partner->setting = dgm_settings_find(settings, name, length);
    assert(partner->setting != NULL);
    partner->values = length < whole ? name + length + 1 : NULL;
    partner->values_length = length < whole ? whole - length - 1 : 0;
    *at += whole + (name[whole] == ' ');
    return 1;
}

/* Whether `value` is one of the partner's. */
static int is_among(const struct partner *partner, const char *value)
{
    const char *at = partner->values, *end = at + partner->values_length;
    const size_t length = strlen(value);

    for (; at < end; at += strcspn(at, "| ,;") + 1)
        if (strcspn(at, "| ,;") == length && memcmp(at, value, length) == 0)
            return 1;
    return 0;
}

static int is_on(const struct dgm_setting *setting)
{
    return setting->opt->type != DGM_OPT_FLAG ||
           (setting->value != NULL && strcmp(setting->value, "true") == 0);
}

static int is_there(const struct partner *partner)
{
    const struct dgm_setting *setting = partner->setting;

    if (partner->values == NULL)
        return is_on(setting) && (setting->explicit_ || setting->opt->type == DGM_OPT_FLAG);
    for (size_t i = 0; i < setting->item_count; i++)
        if (is_among(partner, setting->items[i]))
            return 1;
    return setting->value != NULL && is_among(partner, setting->value);
}

/* Numbers are equal however they are written. */
static int is_default(const struct dgm_setting *setting)
{
    const char *value = setting->value, *fallback = setting->opt->fallback;
    double a, b;

    if (value == NULL || fallback == NULL)
        return 0;
    if (dgm_number_real(&a, value, strlen(value)) &&
        dgm_number_real(&b, fallback, strlen(fallback)))
        return a == b;
    return strcmp(value, fallback) == 0;
}

/* Whether the option asks for something, so that the clause holds for it. */
static int asks(const struct dgm_setting *setting, const struct dgm_clause *clause)
{
    const int is_none = setting->item_count == 1 && strcmp(setting->items[0], "none") == 0;

    return (clause->is_for_all ? setting->explicit_ : dgm_setting_is_typed(setting)) &&
           is_on(setting) && !is_none && !(clause->is_changed && is_default(setting));
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* What it has instead of the values of a clause; NULL: nothing. */
static const char *value_of(const struct dgm_setting *setting)
{
    return setting->item_count > 0 ? setting->items[0] : setting->value;
}

static dgm_status refuse_alone(struct dgm_env *env, const char *name,
                               const struct dgm_clause *clause, const struct partner *partner)
{
    const char *value = partner->values != NULL ? value_of(partner->setting) : NULL;
    const int are_several = memchr(clause->names, ' ', clause->length) != NULL;
    char wanted[DGM_CLAUSE_SIZE];

    dgm_clause_print(wanted, clause);
    if (value == NULL)
        return dgm_fail(env, DGM_USAGE, "--%s goes with %s, %s given", name, wanted,
                        are_several ? "none of which is" : "which is not");
    return dgm_fail(env, DGM_USAGE, "--%s with --%s %s%.*s; expected %s", name,
                    partner->setting->opt->name, value, (int)clause->reason_length, clause->reason,
                    wanted);
}

static dgm_status check_needs(struct dgm_env *env, const struct dgm_settings *settings,
                              const struct dgm_setting *setting, const struct dgm_clause *clause)
{
    struct partner partner;
    size_t at = 0;

    while (read_partner(settings, clause, &at, &partner))
        if (is_there(&partner))
            return DGM_OK;
    return refuse_alone(env, setting->opt->name, clause, &partner);
}

static dgm_status check_excludes(struct dgm_env *env, const struct dgm_settings *settings,
                                 const struct dgm_setting *setting, const struct dgm_clause *clause)
{
    struct partner partner;
    size_t at = 0;

    while (read_partner(settings, clause, &at, &partner))
        if (is_there(&partner))
            return dgm_fail(env, DGM_USAGE, "--%s with --%s%s%s%.*s; expected one of the two",
                            setting->opt->name, partner.setting->opt->name,
                            partner.values != NULL ? " " : "",
                            partner.values != NULL ? value_of(partner.setting) : "",
                            (int)clause->reason_length, clause->reason);
    return DGM_OK;
}

typedef dgm_status check_fn(struct dgm_env *env, const struct dgm_settings *settings,
                            const struct dgm_setting *setting, const struct dgm_clause *clause);

/* Checks the clauses of a column. */
static dgm_status check_column(struct dgm_env *env, const struct dgm_settings *settings,
                               const struct dgm_setting *setting, const char *column,
                               check_fn *check)
{
    struct dgm_clause clause;

    while (column != NULL) {
        column = dgm_clause_read(&clause, column);
        if (asks(setting, &clause))
            DGM_TRY(check(env, settings, setting, &clause));
    }
    return DGM_OK;
}

dgm_status dgm_rules_check(struct dgm_env *env, const struct dgm_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_setting *setting = &settings->items[i];

        DGM_TRY(check_column(env, settings, setting, setting->opt->needs, check_needs));
        DGM_TRY(check_column(env, settings, setting, setting->opt->excludes, check_excludes));
    }
    return DGM_OK;
}
