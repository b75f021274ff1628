/* settings.c: the settings of a run: storing, asking, and writing them out. */
#include "base/option/settings.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/number/number.h"

enum { MAX_TABLES = 16 };

dgm_status dgm_settings_init(struct dgm_env *env, struct dgm_settings *settings,
                             const struct dgm_opt *const *tables)
{
    dgm_status status = DGM_OK;
    const struct dgm_opt *opt;
    size_t count = 0, i;
    memset(settings, 0, sizeof *settings);
    for (i = 0; tables[i] != NULL; i++) {
        assert(i < MAX_TABLES);
        for (opt = tables[i]; opt->name != NULL; opt++)
            count++;
    }
    DGM_TRY(dgm_new(env, &settings->items, count, sizeof *settings->items));
    for (i = 0; tables[i] != NULL; i++)
        for (opt = tables[i]; opt->name != NULL; opt++)
            settings->items[settings->count++].opt = opt;
    for (i = 0; i < settings->count; i++) {
        opt = settings->items[i].opt;
        if (opt->fallback != NULL)
            DGM_TRY_OUT(dgm_settings_set(env, settings, opt->name, opt->fallback, "default"));
    }
    return DGM_OK;
out:
    dgm_settings_clear(env, settings);
    return status;
}

static void release_items(struct dgm_env *env, char **items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        dgm_release(env, items[i]);
    dgm_release(env, items);
}

void dgm_settings_clear(struct dgm_env *env, struct dgm_settings *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        dgm_release(env, settings->items[i].value);
        dgm_release(env, settings->items[i].origin);
        release_items(env, settings->items[i].items, settings->items[i].item_count);
    }
    dgm_release(env, settings->items);
    memset(settings, 0, sizeof *settings);
}

struct dgm_setting *dgm_settings_find(const struct dgm_settings *settings, const char *name,
                                      size_t length)
{
    for (size_t i = 0; i < settings->count; i++)
        if (dgm_opt_is_called(settings->items[i].opt, name, length))
            return &settings->items[i];
    return NULL;
}

void dgm_settings_nearest(const struct dgm_settings *settings, struct dgm_near *near,
                          const char *name, size_t length)
{
    dgm_near_begin(near, name, length);
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_opt *opt = settings->items[i].opt;
        dgm_near_try(near, opt->name, strlen(opt->name));
        dgm_near_try_list(near, opt->aliases, ' ');
    }
}

/* ---- storing --------------------------------------------------------------------- */

static dgm_status replace_text(struct dgm_env *env, char **place, const char *text)
{
    char *copy = dgm_copy_text(env, text, strlen(text));

    if (copy == NULL)
        return DGM_MEMORY;
    dgm_release(env, *place);
    *place = copy;
    return DGM_OK;
}

static dgm_status set_origin(struct dgm_env *env, struct dgm_setting *setting, const char *origin)
{
    DGM_TRY(replace_text(env, &setting->origin, origin));
    setting->explicit_ = strcmp(origin, "default") != 0 && strcmp(origin, "model") != 0;
    return DGM_OK;
}

dgm_status dgm_settings_store(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                              const char *origin)
{
    DGM_TRY(replace_text(env, &setting->value, value));
    return set_origin(env, setting, origin);
}

dgm_status dgm_settings_store_items(struct dgm_env *env, struct dgm_setting *setting,
                                    char *const *items, size_t count, const char *origin)
{
    char **copies;
    DGM_TRY(dgm_new(env, &copies, count, sizeof *copies));
    for (size_t i = 0; i < count; i++) {
        copies[i] = dgm_copy_text(env, items[i], strlen(items[i]));
        if (copies[i] == NULL) {
            release_items(env, copies, i);
            return DGM_MEMORY;
        }
    }
    release_items(env, setting->items, setting->item_count);
    setting->items = copies;
    setting->item_count = count;
    return set_origin(env, setting, origin);
}

static dgm_status copy_one(struct dgm_env *env, struct dgm_setting *to,
                           const struct dgm_setting *from)
{
    if (from->origin == NULL)
        return DGM_OK;
    if (DGM_OPT_IS_LIST(from->opt->type))
        return dgm_settings_store_items(env, to, from->items, from->item_count, from->origin);
    return from->value != NULL ? dgm_settings_store(env, to, from->value, from->origin) : DGM_OK;
}

dgm_status dgm_settings_copy(struct dgm_env *env, struct dgm_settings *settings,
                             const struct dgm_settings *from)
{
    dgm_status status;

    memset(settings, 0, sizeof *settings);
    DGM_TRY(dgm_new(env, &settings->items, from->count, sizeof *settings->items));
    settings->count = from->count;
    for (size_t i = 0; i < from->count; i++) {
        settings->items[i].opt = from->items[i].opt;
        DGM_TRY_OUT(copy_one(env, &settings->items[i], &from->items[i]));
    }
    return DGM_OK;
out:
    dgm_settings_clear(env, settings);
    return status;
}

/* Whether a list has nothing before, between or behind commas. */
static int has_gap(const char *value)
{
    int expects = 1, has_comma = 0;
    for (; *value != '\0'; value++) {
        if (*value == ',' && expects)
            return 1;
        if (*value != ' ' && *value != '\t')
            expects = *value == ',';
        has_comma |= *value == ',';
    }
    return has_comma && expects;
}

/* Whether the last word may stand in the list: a choice is made once. */
static int check_word(const struct dgm_opt *opt, char *const *words, size_t count, char *why)
{
    if (!dgm_opt_check(opt, words[count - 1], why))
        return 0;
    for (size_t i = 0; i + 1 < count && opt->type == DGM_OPT_CHOICES; i++)
        if (strcmp(words[i], words[count - 1]) == 0) {
            snprintf(why, DGM_OPT_WHY, "\"%s\" stands there twice; expected each once", words[i]);
            return 0;
        }
    return 1;
}

/* Takes the next word of a list, without quotes, into `word`, which has the room. */
static const char *next_word(const char *at, const char *gaps, char *word)
{
    int quoted = *at == '"';
    at += quoted;
    while (*at != '\0' && (quoted ? *at != '"' : strchr(gaps, *at) == NULL)) {
        if (quoted && *at == '\\' && (at[1] == '"' || at[1] == '\\'))
            at++;
        *word++ = *at++;
    }
    *word = '\0';
    return at + (quoted && *at == '"');
}

/* A word that other programs have for a choice becomes ours. */
static dgm_status call_ours(struct dgm_env *env, const struct dgm_opt *opt, char **word)
{
    const char *ours = dgm_opt_ours(opt, *word);

    return ours == *word ? DGM_OK : replace_text(env, word, ours);
}

/* The words of: a "b c" d are a, b c and d. All are checked before the setting changes. */
static dgm_status take_list(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                            const char *origin, char *why)
{
    const char *gaps = DGM_OPT_IS_PLAIN_LIST(setting->opt->type) ? " \t," : " \t";
    dgm_status status = DGM_OK;
    char **words = NULL;
    size_t count = 0, capacity = 0;
    int is_empty = gaps[2] == ',' && has_gap(value);
    for (value += strspn(value, gaps); *value != '\0' && !is_empty; value += strspn(value, gaps)) {
        DGM_TRY_OUT(dgm_grow(env, &words, &capacity, count, sizeof *words));
        DGM_TRY_OUT(dgm_new(env, &words[count], strlen(value) + 1, 1));
        value = next_word(value, gaps, words[count++]);
        DGM_TRY_OUT(call_ours(env, setting->opt, &words[count - 1]));
        DGM_TRY_OUT(check_word(setting->opt, words, count, why) ? DGM_OK : DGM_USAGE);
    }
    if (count == 0 && !dgm_opt_may_be_empty(setting->opt))
        status = dgm_opt_check(setting->opt, "", why) ? DGM_OK : DGM_USAGE;
    if (status == DGM_OK)
        status = dgm_settings_store_items(env, setting, words, count, origin);
out:
    release_items(env, words, count);
    return status;
}

/* true, yes, on, 1 and false, no, off, 0; anything else is left for the check to refuse.
 */
static const char *plain_flag(const char *value)
{
    static const char *const spellings[] = { "yes", "on", "1", "no", "off", "0" };
    for (size_t i = 0; i < 6; i++)
        if (strcmp(value, spellings[i]) == 0)
            return i < 3 ? "true" : "false";
    return value;
}

dgm_status dgm_settings_take(struct dgm_env *env, struct dgm_setting *setting, const char *value,
                             const char *origin, char *why)
{
    if (DGM_OPT_IS_LIST(setting->opt->type))
        return take_list(env, setting, value, origin, why);
    if (setting->opt->type == DGM_OPT_FLAG)
        value = plain_flag(value);
    value = dgm_opt_ours(setting->opt, value);
    if (!dgm_opt_check(setting->opt, value, why))
        return DGM_USAGE;
    return dgm_settings_store(env, setting, value, origin);
}

dgm_status dgm_settings_set(struct dgm_env *env, struct dgm_settings *settings, const char *name,
                            const char *value, const char *origin)
{
    struct dgm_setting *setting = dgm_settings_find(settings, name, strlen(name));
    char why[DGM_OPT_WHY] = "", quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    dgm_status status;
    if (setting == NULL) {
        dgm_quote(quoted, sizeof quoted, name, strlen(name));
        dgm_settings_nearest(settings, &near, name, strlen(name));
        dgm_near_suggest(&near, suggestion);
        return dgm_fail(env, DGM_USAGE, "unknown setting \"%s\"%s (%s)", quoted, suggestion,
                        origin);
    }
    status = dgm_settings_take(env, setting, value, origin, why);
    if (status == DGM_USAGE)
        return dgm_fail(env, DGM_USAGE, "%s: %s (%s)", setting->opt->name, why, origin);
    return status;
}

/* ---- asking ---------------------------------------------------------------------- */

static const struct dgm_setting *find_known(const struct dgm_settings *settings, const char *name)
{
    const struct dgm_setting *setting = dgm_settings_find(settings, name, strlen(name));
    assert(setting != NULL);
    return setting;
}

const char *dgm_settings_text(const struct dgm_settings *settings, const char *name)
{
    return find_known(settings, name)->value;
}

int dgm_settings_choice(const struct dgm_settings *settings, const char *name)
{
    const struct dgm_setting *setting = find_known(settings, name);
    return dgm_opt_choice(setting->opt, setting->value);
}

int64_t dgm_settings_int(const struct dgm_settings *settings, const char *name)
{
    const char *value = dgm_settings_text(settings, name);
    int64_t number = 0;
    if (value != NULL)
        (void)dgm_number_int(&number, value, strlen(value));
    return number;
}

double dgm_settings_real(const struct dgm_settings *settings, const char *name)
{
    const char *value = dgm_settings_text(settings, name);
    double number = 0.0;
    if (value != NULL)
        (void)dgm_number_real(&number, value, strlen(value));
    return number;
}

int dgm_settings_flag(const struct dgm_settings *settings, const char *name)
{
    const char *value = dgm_settings_text(settings, name);
    return value != NULL && strcmp(value, "true") == 0;
}

double dgm_settings_length(const struct dgm_settings *settings, const char *name, char *unit)
{
    const char *value = dgm_settings_text(settings, name);
    double number = 0.0;
    *unit = 'u';
    if (value != NULL)
        (void)dgm_opt_length(value, &number, unit);
    return number;
}

int64_t dgm_settings_bytes(const struct dgm_settings *settings, const char *name)
{
    const char *value = dgm_settings_text(settings, name);
    int64_t bytes = 0;
    if (value != NULL)
        (void)dgm_opt_bytes(value, &bytes);
    return bytes;
}

size_t dgm_settings_count(const struct dgm_settings *settings, const char *name)
{
    return find_known(settings, name)->item_count;
}

const char *dgm_settings_item(const struct dgm_settings *settings, const char *name, size_t i)
{
    const struct dgm_setting *setting = find_known(settings, name);
    assert(i < setting->item_count);
    return setting->items[i];
}

int64_t dgm_settings_item_int(const struct dgm_settings *settings, const char *name, size_t i)
{
    const char *item = dgm_settings_item(settings, name, i);
    int64_t number = 0;
    (void)dgm_number_int(&number, item, strlen(item));
    return number;
}

int dgm_setting_is_typed(const struct dgm_setting *setting)
{
    return setting->origin != NULL && strcmp(setting->origin, "command line") == 0;
}

int dgm_settings_is_typed(const struct dgm_settings *settings, const char *name)
{
    return dgm_setting_is_typed(find_known(settings, name));
}

int dgm_settings_is_set(const struct dgm_settings *settings, const char *name)
{
    return find_known(settings, name)->explicit_;
}
