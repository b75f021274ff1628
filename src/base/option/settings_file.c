/*
 * settings_file.c: config files, read and written.
 *
 * One setting a line, `key = value` or `key: value`. A # at the start of a line or after
 * a blank begins a comment. A value may stand in double quotes, where \" and \\ mean "
 * and \.
 */
#include "base/option/settings_file.h"

#include <string.h>

#include "config.h"
#include "base/file/file.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/number/format.h"

enum { MAX_VALUE = 64 << 10 };

#define MAX_FILE ((size_t)16 << 20)

/* One line of the file, without its end. */
struct place {
    const char *name; /* of the file */
    const char *text;
    size_t size;
    long line;
    dgm_settings_elsewhere_fn *elsewhere; /* NULL: all keys are to be known here */
};

struct key {
    const char *text;
    size_t length;
};

/* Column of a byte of the line, in characters from 1. */
static long column_of(const struct place *place, size_t at)
{
    long column = 1;
    for (size_t i = 0; i < at; i++)
        column += ((unsigned char)place->text[i] & 0xC0) != 0x80;
    return column;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static size_t skip_blanks(const struct place *place, size_t at)
{
    while (at < place->size && is_blank(place->text[at]))
        at++;
    return at;
}

/* A quoted value from behind its opening quote; *at moves behind the closing one. */
static dgm_status read_quoted(struct dgm_env *env, const struct place *place, size_t *at,
                              struct dgm_buf *value)
{
    size_t i = *at;
    for (; i < place->size && place->text[i] != '"'; i++) {
        const char *next = place->text + i + 1;
        if (place->text[i] == '\\' && i + 1 < place->size && (*next == '"' || *next == '\\'))
            i++;
        DGM_TRY(dgm_buf_add_char(env, value, place->text[i]));
    }
    if (i == place->size)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, *at - 1),
                           "unclosed quote; expected \" before the end of the line");
    *at = i + 1;
    return DGM_OK;
}

/* Bytes from `at` to the comment or the end of the line, without trailing blanks. */
static size_t plain_length(const struct place *place, size_t at)
{
    size_t end = at;
    while (end < place->size &&
           (place->text[end] != '#' || (end > 0 && !is_blank(place->text[end - 1]))))
        end++;
    while (end > at && is_blank(place->text[end - 1]))
        end--;
    return end - at;
}

/* The value that begins at `at`, quotes removed; behind it only a comment may stand. */
static dgm_status read_value(struct dgm_env *env, const struct place *place, size_t at, int is_list,
                             struct dgm_buf *value)
{
    size_t length = plain_length(place, at);
    if (length > MAX_VALUE)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, at),
                           "value of %zu bytes; expected at most %d", length, MAX_VALUE);
    /* A list keeps its quotes: they hold together names with blanks. */
    if (is_list || at == place->size || place->text[at] != '"')
        return dgm_buf_add(env, value, place->text + at, length);
    at++;
    DGM_TRY(read_quoted(env, place, &at, value));
    length = plain_length(place, skip_blanks(place, at));
    if (length > 0)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, at),
                           "text after the closing quote; expected the end of the line");
    return dgm_buf_add(env, value, "", 0);
}

/* The key of a line; *at moves to where its value begins. */
static dgm_status read_key(struct dgm_env *env, const struct place *place, struct key *key,
                           size_t *at)
{
    size_t start = skip_blanks(place, 0), end = start, after;
    char quoted[DGM_QUOTE_SIZE];
    while (end < place->size && !is_blank(place->text[end]) && place->text[end] != '=' &&
           place->text[end] != ':')
        end++;
    after = skip_blanks(place, end);
    dgm_quote(quoted, sizeof quoted, place->text + start, end - start);
    if (after == place->size || (place->text[after] != '=' && place->text[after] != ':'))
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, after),
                           "no \"=\" after \"%s\"; expected key = value", quoted);
    if (end == start)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, start),
                           "no key; expected key = value");
    key->text = place->text + start;
    key->length = end - start;
    *at = skip_blanks(place, after + 1);
    return DGM_OK;
}

/* Whether settings elsewhere take the key's value; NULL: any. */
static dgm_status ask_elsewhere(struct dgm_env *env, const struct place *place,
                                const struct key *key, const char *value, int *takes)
{
    *takes = 0;
    return place->elsewhere != NULL ? place->elsewhere(env, key->text, key->length, value, takes)
                                    : DGM_OK;
}

static dgm_status refuse_key(struct dgm_env *env, const struct place *place,
                             const struct dgm_settings *settings, const struct key *key)
{
    char quoted[DGM_QUOTE_SIZE], suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    dgm_quote(quoted, sizeof quoted, key->text, key->length);
    dgm_settings_nearest(settings, &near, key->text, key->length);
    dgm_near_suggest(&near, suggestion);
    return dgm_fail_at(env, DGM_USAGE, place->name, place->line,
                       column_of(place, (size_t)(key->text - place->text)), "unknown key \"%s\"%s",
                       quoted, suggestion);
}

/* The setting of a line's key, which must be known and new; NULL: it is one of elsewhere. */
static dgm_status find_setting(struct dgm_env *env, const struct place *place,
                               struct dgm_settings *settings, const struct key *key, long *seen,
                               struct dgm_setting **out)
{
    long column = column_of(place, (size_t)(key->text - place->text));
    char quoted[DGM_QUOTE_SIZE];
    int is_elsewhere;
    *out = dgm_settings_find(settings, key->text, key->length);
    dgm_quote(quoted, sizeof quoted, key->text, key->length);
    if (*out == NULL) {
        DGM_TRY(ask_elsewhere(env, place, key, NULL, &is_elsewhere));
        return is_elsewhere ? DGM_OK : refuse_key(env, place, settings, key);
    }
    if (strcmp((*out)->opt->name, "config") == 0)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column,
                           "\"config\" in a config file; expected it on the command line only");
    seen += *out - settings->items;
    if (*seen != 0)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column,
                           "duplicate key \"%s\"; line %ld has set it already", quoted, *seen);
    *seen = place->line;
    return DGM_OK;
}

/* Takes the value of a line that begins at `at`. */
static dgm_status take_value(struct dgm_env *env, const struct place *place, size_t at,
                             const struct key *key, struct dgm_setting *setting, const char *value)
{
    struct dgm_buf origin = { NULL, 0, 0, 0 };
    char why[DGM_OPT_WHY] = "";
    dgm_status status;
    int is_elsewhere = 0;
    DGM_TRY(dgm_buf_add_format(env, &origin, "%s:%ld", place->name, place->line));
    status = dgm_settings_take(env, setting, value, origin.data, why);
    dgm_buf_clear(env, &origin);
    if (status != DGM_USAGE)
        return status;
    DGM_TRY(ask_elsewhere(env, place, key, value, &is_elsewhere));
    if (is_elsewhere)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, place->name, place->line, column_of(place, at), "%s: %s",
                       setting->opt->name, why);
}

static dgm_status parse_line(struct dgm_env *env, struct dgm_settings *settings,
                             const struct place *place, long *seen, struct dgm_buf *value)
{
    struct dgm_setting *setting;
    struct key key = { NULL, 0 };
    size_t at = skip_blanks(place, 0);
    const char *nul = memchr(place->text, '\0', place->size);
    if (nul != NULL)
        return dgm_fail_at(env, DGM_USAGE, place->name, place->line,
                           column_of(place, (size_t)(nul - place->text)),
                           "NUL byte; expected text");
    if (at == place->size || place->text[at] == '#')
        return DGM_OK;
    DGM_TRY(read_key(env, place, &key, &at));
    DGM_TRY(find_setting(env, place, settings, &key, seen, &setting));
    if (setting == NULL)
        return DGM_OK;
    dgm_buf_reset(value);
    DGM_TRY(read_value(env, place, at, DGM_OPT_IS_LIST(setting->opt->type), value));
    return take_value(env, place, at, &key, setting, value->data);
}

static dgm_status parse(struct dgm_env *env, struct dgm_settings *settings, const char *text,
                        size_t bytes, const char *name, dgm_settings_elsewhere_fn *elsewhere)
{
    dgm_status status = DGM_OK;
    struct dgm_buf value = { NULL, 0, 0, 0 };
    struct place place = { name, text, 0, 0, elsewhere };
    const char *end = text + bytes;
    long *seen; /* line of each setting, or 0 */

    DGM_TRY(dgm_new(env, &seen, settings->count, sizeof *seen));
    if (bytes >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        place.text += 3;
    while (place.text < end) {
        const char *lf = memchr(place.text, '\n', (size_t)(end - place.text));
        place.size = (size_t)((lf != NULL ? lf : end) - place.text);
        place.line++;
        if (place.size > 0 && place.text[place.size - 1] == '\r')
            place.size--;
        DGM_TRY_OUT(parse_line(env, settings, &place, seen, &value));
        place.text = lf != NULL ? lf + 1 : end;
    }
out:
    dgm_buf_clear(env, &value);
    dgm_release(env, seen);
    return status;
}

dgm_status dgm_settings_file_parse(struct dgm_env *env, struct dgm_settings *settings,
                                   const char *text, size_t bytes, const char *name)
{
    return parse(env, settings, text, bytes, name, NULL);
}

/* Writes the path of an installed recipe that `name` can mean; "" if there is none. A name with a
 * slash, or of a file that is there, means that file. */
static dgm_status find_recipe(struct dgm_env *env, struct dgm_buf *path, const char *name)
{
    static const char *const endings[] = { "", ".conf" };

    DGM_TRY(dgm_buf_add(env, path, "", 1));
    if (strchr(name, '/') != NULL || strcmp(name, "-") == 0 || dgm_file_exists(env, name))
        return DGM_OK;
    for (int i = 0; i < 2; i++) {
        dgm_buf_reset(path);
        DGM_TRY(dgm_buf_add_format(env, path, "%s/%s%s", DGM_RECIPES, name, endings[i]));
        DGM_TRY(dgm_buf_add(env, path, "", 1));
        if (dgm_file_exists(env, path->data))
            return DGM_OK;
    }
    path->data[0] = '\0';
    return DGM_OK;
}

dgm_status dgm_settings_file_load(struct dgm_env *env, struct dgm_settings *settings,
                                  const char *path)
{
    return dgm_settings_file_load_ours(env, settings, path, NULL);
}

dgm_status dgm_settings_file_load_ours(struct dgm_env *env, struct dgm_settings *settings,
                                       const char *path, dgm_settings_elsewhere_fn *elsewhere)
{
    struct dgm_buf text = { NULL, 0, 0, MAX_FILE }, recipe = { NULL, 0, 0, 0 };
    dgm_status status;
    DGM_TRY_OUT(find_recipe(env, &recipe, path));
    if (recipe.data[0] != '\0')
        path = recipe.data;
    DGM_TRY_OUT(dgm_file_read_text(env, &text, path));
    status = parse(env, settings, text.data, text.size, path, elsewhere);
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &recipe);
    return status;
}

/* ---- writing --------------------------------------------------------------------- */

static dgm_status add_value(struct dgm_env *env, struct dgm_buf *out, const char *value)
{
    if (value[0] != '\0' && strpbrk(value, " \t#\"\\") == NULL)
        return dgm_buf_add_text(env, out, value);
    DGM_TRY(dgm_buf_add_char(env, out, '"'));
    for (; *value != '\0'; value++) {
        if (*value == '"' || *value == '\\')
            DGM_TRY(dgm_buf_add_char(env, out, '\\'));
        DGM_TRY(dgm_buf_add_char(env, out, *value));
    }
    return dgm_buf_add_char(env, out, '"');
}

/* Whether a dump leaves a setting out. */
static int is_left_out(const struct dgm_setting *setting, int with_origin)
{
    const struct dgm_opt *opt = setting->opt;
    int is_empty_list = DGM_OPT_IS_LIST(opt->type) && setting->explicit_;

    if (strcmp(opt->name, "config") == 0)
        return 1;
    if (setting->value == NULL)
        return setting->item_count == 0 && !is_empty_list;
    return opt->unsaid && strcmp(setting->value, opt->fallback) == 0 && !with_origin;
}

/* One that files do not name at its default would, read back, be said by the user: it is a remark
 * where nobody has said it. */
static int is_remark(const struct dgm_setting *setting, int with_origin)
{
    return with_origin && setting->opt->unsaid && !setting->explicit_;
}

dgm_status dgm_settings_file_dump(struct dgm_env *env, const struct dgm_settings *settings,
                                  struct dgm_buf *out, int with_origin)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_setting *setting = &settings->items[i];
        if (is_left_out(setting, with_origin))
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "%s%s =", is_remark(setting, with_origin) ? "# " : "",
                                   setting->opt->name));
        for (size_t j = 0; j < setting->item_count || (j == 0 && setting->value != NULL); j++) {
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
            DGM_TRY(
                add_value(env, out, setting->value != NULL ? setting->value : setting->items[j]));
        }
        if (with_origin)
            DGM_TRY(dgm_buf_add_format(env, out, "  # %s", setting->origin));
        DGM_TRY(dgm_buf_add_char(env, out, '\n'));
    }
    return DGM_OK;
}
