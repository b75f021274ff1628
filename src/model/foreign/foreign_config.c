/* foreign_config.c: names and values of another program's configuration. */
#include "model/foreign/foreign_config.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "text/json.h"
#include "text/yml.h"

void dgm_foreign_config_clear(struct dgm_env *env, struct dgm_foreign_config *config)
{
    dgm_map_clear(env, &config->names);
    dgm_release(env, config->settings);
    dgm_buf_clear(env, &config->bytes);
    memset(config, 0, sizeof *config);
}

static dgm_status fail(struct dgm_env *env, const struct dgm_foreign_config *config,
                       const char *name, const char *value, const char *expected)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, value, strlen(value));
    return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0, "%s is \"%s\"; expected %s", name,
                       quoted, expected);
}

/* Adds a name, which must be new, without a value. */
static dgm_status add_name(struct dgm_env *env, struct dgm_foreign_config *config, const char *name,
                           size_t bytes)
{
    struct dgm_map_entry *entry;
    char quoted[DGM_QUOTE_SIZE];
    int is_new;

    DGM_TRY(dgm_grow(env, &config->settings, &config->capacity, config->names.count,
                     sizeof *config->settings));
    DGM_TRY(dgm_map_insert(env, &config->names, name, bytes, &entry, &is_new));
    dgm_quote(quoted, sizeof quoted, name, bytes);
    if (!is_new)
        return dgm_fail_at(env, DGM_DATA, config->name, 0, 0,
                           "\"%s\" stands there twice; expected each name once", quoted);
    config->settings[config->names.count - 1].text = config->bytes.size;
    config->settings[config->names.count - 1].is_asked = 0;
    return DGM_OK;
}

static dgm_status add_value(struct dgm_env *env, struct dgm_foreign_config *config,
                            const char *value, size_t bytes)
{
    DGM_TRY(dgm_buf_add(env, &config->bytes, value, bytes));
    return dgm_buf_add_char(env, &config->bytes, '\0');
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A list or an object, from its first bracket to the last; only brackets and strings count. */
static dgm_status skip_nested(struct dgm_json *json, struct dgm_buf *scratch)
{
    size_t depth = 0;

    do {
        if (json->at == json->size)
            return dgm_json_fail(json, "the end of a list or an object");
        if (dgm_json_is_string(json)) {
            DGM_TRY(dgm_json_string(json, scratch));
            continue;
        }
        if (json->at == json->size)
            return dgm_json_fail(json, "the end of a list or an object");
        depth += json->text[json->at] == '[' || json->text[json->at] == '{';
        depth -= json->text[json->at] == ']' || json->text[json->at] == '}';
        json->at++;
    } while (depth > 0);
    return DGM_OK;
}

/* A number, true, false or null: its letters. */
static dgm_status skip_word(struct dgm_json *json)
{
    static const char letters[] = "+-.0123456789EINaefilnrstuy";
    const size_t start = json->at;

    while (json->at < json->size && json->text[json->at] != '\0' &&
           strchr(letters, json->text[json->at]) != NULL)
        json->at++;
    return json->at > start ? DGM_OK : dgm_json_fail(json, "a value");
}

static dgm_status read_json_value(struct dgm_json *json, struct dgm_foreign_config *config,
                                  struct dgm_buf *scratch)
{
    size_t start, bytes;

    if (dgm_json_is_string(json)) { /* skips blanks, too */
        DGM_TRY(dgm_json_string(json, scratch));
        return add_value(json->env, config, scratch->data, scratch->size);
    }
    start = json->at;
    if (json->at < json->size && (json->text[json->at] == '[' || json->text[json->at] == '{'))
        DGM_TRY(skip_nested(json, scratch));
    else
        DGM_TRY(skip_word(json));
    bytes = json->at - start;
    if ((bytes == 4 && memcmp(json->text + start, "null", 4) == 0) ||
        (bytes == 2 && memcmp(json->text + start, "[]", 2) == 0))
        bytes = 0;
    return add_value(json->env, config, json->text + start, bytes);
}

static dgm_status read_json(struct dgm_json *json, struct dgm_foreign_config *config,
                            struct dgm_buf *scratch)
{
    size_t count = 0;
    int more = 1;

    DGM_TRY(dgm_json_mark(json, '{'));
    for (;;) {
        DGM_TRY(dgm_json_item(json, '}', &count, &more));
        if (!more)
            return dgm_json_end(json);
        DGM_TRY(dgm_json_name(json, scratch));
        DGM_TRY(add_name(json->env, config, scratch->data, scratch->size));
        DGM_TRY(read_json_value(json, config, scratch));
    }
}

dgm_status dgm_foreign_config_json(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, const char *text, size_t size)
{
    struct dgm_buf scratch = { 0 };
    struct dgm_json json;
    dgm_status status;

    snprintf(config->name, sizeof config->name, "%s", name);
    dgm_json_start(&json, env, name, 1, text, size);
    status = read_json(&json, config, &scratch);
    dgm_buf_clear(env, &scratch);
    return status;
}

/* ---- YAML ------------------------------------------------------------------------------------ */

static dgm_status take_yml(struct dgm_env *env, void *user, const struct dgm_yml_item *item)
{
    struct dgm_foreign_config *config = user;
    const size_t last = config->names.count - 1;
    const char *name =
        config->names.count > 0 ? dgm_map_key(&config->names, &config->names.entries[last]) : "";

    /* Another item of the list before: its NUL becomes a comma. */
    if (item->is_item && config->names.count > 0 && strcmp(name, item->key) == 0) {
        config->bytes.data[config->bytes.size - 1] = ',';
        return add_value(env, config, item->value, item->value_bytes);
    }
    DGM_TRY(add_name(env, config, item->key, item->key_bytes));
    return add_value(env, config, item->value, item->value_bytes);
}

dgm_status dgm_foreign_config_yml(struct dgm_env *env, struct dgm_foreign_config *config,
                                  const char *name, const char *text, size_t size)
{
    snprintf(config->name, sizeof config->name, "%s", name);
    return dgm_yml_read(env, name, text, size, take_yml, config);
}

/* ---- asking ---------------------------------------------------------------------------------- */

const char *dgm_foreign_config_text(struct dgm_foreign_config *config, const char *name)
{
    const struct dgm_map_entry *entry = dgm_map_find(&config->names, name, strlen(name));
    struct dgm_foreign_setting *setting;

    if (entry == NULL)
        return NULL;
    setting = &config->settings[entry - config->names.entries];
    setting->is_asked = 1;
    return config->bytes.data + setting->text;
}

dgm_status dgm_foreign_config_int(struct dgm_env *env, struct dgm_foreign_config *config,
                                  const char *name, int64_t low, int64_t high, int64_t *value)
{
    const char *text = dgm_foreign_config_text(config, name);
    char expected[80];
    int64_t read;

    if (text == NULL || text[0] == '\0')
        return DGM_OK;
    snprintf(expected, sizeof expected, "a whole number within %lld..%lld", (long long)low,
             (long long)high);
    if (!dgm_number_int(&read, text, strlen(text)) || read < low || read > high)
        return fail(env, config, name, text, expected);
    *value = read;
    return DGM_OK;
}

dgm_status dgm_foreign_config_need(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, int64_t low, int64_t high, int64_t *value)
{
    const char *text = dgm_foreign_config_text(config, name);

    if (text == NULL || text[0] == '\0')
        return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0, "%s is missing", name);
    return dgm_foreign_config_int(env, config, name, low, high, value);
}

dgm_status dgm_foreign_config_flag(struct dgm_env *env, struct dgm_foreign_config *config,
                                   const char *name, int *value)
{
    const char *text = dgm_foreign_config_text(config, name);

    if (text == NULL || text[0] == '\0')
        return DGM_OK;
    if (strcmp(text, "true") != 0 && strcmp(text, "false") != 0)
        return fail(env, config, name, text, "true or false");
    *value = text[0] == 't';
    return DGM_OK;
}

/* Whether a text is one of words separated by bars. */
static int is_one_of(const char *text, const char *words)
{
    const size_t length = strlen(text);

    for (;; words++) {
        const size_t size = strcspn(words, "|");

        if (size == length && memcmp(words, text, size) == 0)
            return 1;
        words += size;
        if (*words == '\0')
            return 0;
    }
}

dgm_status dgm_foreign_config_check(struct dgm_env *env, struct dgm_foreign_config *config,
                                    const struct dgm_foreign_rule *rules)
{
    for (; rules->name != NULL; rules++) {
        const char *text = dgm_foreign_config_text(config, rules->name);

        if (text != NULL && rules->values != NULL && !is_one_of(text, rules->values))
            return dgm_fail_at(env, DGM_MODEL, config->name, 0, 0,
                               "%s is \"%.60s\", which no network of ours has; expected %s",
                               rules->name, text,
                               rules->values[0] != '\0' ? rules->values : "nothing");
    }
    return DGM_OK;
}

dgm_status dgm_foreign_config_refuse_rest(struct dgm_env *env,
                                          const struct dgm_foreign_config *config)
{
    struct dgm_buf names = { 0 };
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < config->names.count && status == DGM_OK; i++) {
        const char *name = dgm_map_key(&config->names, &config->names.entries[i]);
        const int has_value = config->bytes.data[config->settings[i].text] != '\0';
        char quoted[DGM_QUOTE_SIZE];

        dgm_quote(quoted, sizeof quoted, name, strlen(name));
        if (!config->settings[i].is_asked && has_value)
            status = dgm_buf_add_format(env, &names, "%s%s", names.size > 0 ? ", " : "", quoted);
    }
    if (status == DGM_OK && names.size > 0)
        status = dgm_fail_at(env, DGM_MODEL, config->name, 0, 0,
                             "not known, and may change what the network computes: %s; expected "
                             "none but those of doc/other-models.md",
                             names.data);
    dgm_buf_clear(env, &names);
    return status;
}
