/* settings_args.c: the command line. */
#include <string.h>

#include "base/number.h"
#include "base/settings.h"

/* The arguments and how far they are read. */
struct arguments {
    char *const *argv;
    int count, at;
};

static const char origin[] = "command line";

static dgm_status refuse_value(struct dgm_env *env, const struct dgm_setting *setting,
                               const char *why)
{
    return dgm_fail(env, DGM_USAGE, "--%s: %s", setting->opt->name, why);
}

/* Whether an argument must be an option: "-" is a file and "-0.5" may be a number. */
static int is_option(const char *argument, enum dgm_opt_type type)
{
    double number;
    if (argument[0] != '-' || argument[1] == '\0')
        return 0;
    if (type == DGM_OPT_INT || type == DGM_OPT_REAL)
        return !dgm_number_real(&number, argument, strlen(argument));
    return 1;
}

static dgm_status store(struct dgm_env *env, struct dgm_settings *settings,
                        struct dgm_setting *setting, const char *value)
{
    char why[DGM_OPT_WHY] = "";
    char *one[1];
    dgm_status status;
    if (setting->opt->type == DGM_OPT_FILES) {
        /* One argument is one file, whatever blanks its name has. */
        if (!dgm_opt_check(setting->opt, value, why))
            return refuse_value(env, setting, why);
        memcpy(one, &value, sizeof value);
        return dgm_settings_store_items(env, setting, one, 1, origin);
    }
    status = dgm_settings_take(env, setting, value, origin, why);
    if (status == DGM_USAGE)
        return refuse_value(env, setting, why);
    if (status == DGM_OK && strcmp(setting->opt->name, "config") == 0)
        status = dgm_settings_load(env, settings, setting->value);
    return status;
}

/* The value of an option that has none attached: the next argument, or for lists all up
 * to the next option. */
static dgm_status store_following(struct dgm_env *env, struct dgm_settings *settings,
                                  struct dgm_setting *setting,
                                  struct arguments *arguments)
{
    const struct dgm_opt *opt = setting->opt;
    char *const *first = arguments->argv + arguments->at;
    char why[DGM_OPT_WHY] = "";
    int count = 0;
    if (arguments->at == arguments->count || is_option(*first, opt->type)) {
        const char *wanted = opt->argument != NULL ? opt->argument : "a value";
        return dgm_fail(env, DGM_USAGE, "option --%s needs %s. Try: --%s=%s", opt->name,
                        wanted, opt->name,
                        opt->argument != NULL ? opt->argument : "VALUE");
    }
    if (opt->type != DGM_OPT_FILES) {
        arguments->at++;
        return store(env, settings, setting, *first);
    }
    for (; arguments->at < arguments->count; arguments->at++, count++) {
        if (is_option(first[count], opt->type))
            break;
        if (!dgm_opt_check(opt, first[count], why))
            return refuse_value(env, setting, why);
    }
    return dgm_settings_store_items(env, setting, first, (size_t)count, origin);
}

static dgm_status unknown(struct dgm_env *env, const struct dgm_settings *settings,
                          const char *name, size_t length)
{
    const char *near = dgm_settings_nearest(settings, name, length);
    char quoted[DGM_QUOTE_SIZE];
    dgm_quote(quoted, sizeof quoted, name, length);
    if (near == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown option --%s", quoted);
    return dgm_fail(env, DGM_USAGE, "unknown option --%s. Did you mean --%s?", quoted,
                    near);
}

/* --name, --name=value, --name value, --no-name */
static dgm_status long_option(struct dgm_env *env, struct dgm_settings *settings,
                              const char *text, struct arguments *arguments)
{
    size_t length = strcspn(text, "=");
    struct dgm_setting *setting = dgm_settings_find(settings, text, length);
    const char *flag = "true";
    if (setting == NULL && length > 3 && (memcmp(text, "no-", 3) == 0 ||
                                          memcmp(text, "no_", 3) == 0)) {
        setting = dgm_settings_find(settings, text + 3, length - 3);
        flag = "false";
        if (setting != NULL && setting->opt->type != DGM_OPT_FLAG)
            return dgm_fail(env, DGM_USAGE,
                            "option --%s takes a value and has no --no- form",
                            setting->opt->name);
    }
    if (setting == NULL)
        return unknown(env, settings, text, length);
    if (setting->opt->type == DGM_OPT_FLAG && text[length] == '=')
        return dgm_fail(env, DGM_USAGE,
                        "option --%s takes no value. Try: --%s or --no-%s",
                        setting->opt->name, setting->opt->name, setting->opt->name);
    if (setting->opt->type == DGM_OPT_FLAG)
        return store(env, settings, setting, flag);
    if (text[length] == '=')
        return store(env, settings, setting, text + length + 1);
    return store_following(env, settings, setting, arguments);
}

static struct dgm_setting *find_letter(const struct dgm_settings *settings, char letter)
{
    size_t i;
    for (i = 0; i < settings->count; i++)
        if (settings->items[i].opt->letter == letter)
            return &settings->items[i];
    return NULL;
}

/* -x value, -xvalue, and flags in a row: -qf */
static dgm_status short_options(struct dgm_env *env, struct dgm_settings *settings,
                                const char *text, struct arguments *arguments)
{
    for (; *text != '\0'; text++) {
        struct dgm_setting *setting = find_letter(settings, *text);
        char quoted[DGM_QUOTE_SIZE];
        dgm_quote(quoted, sizeof quoted, text, 1);
        if (setting == NULL)
            return dgm_fail(env, DGM_USAGE, "unknown option -%s", quoted);
        if (setting->opt->type == DGM_OPT_FLAG)
            DGM_TRY(store(env, settings, setting, "true"));
        else if (text[1] != '\0')
            return store(env, settings, setting, text + 1);
        else
            return store_following(env, settings, setting, arguments);
    }
    return DGM_OK;
}

dgm_status dgm_settings_arguments(struct dgm_env *env, struct dgm_settings *settings,
                                  int argc, char *const *argv, char **rest,
                                  int *rest_count)
{
    struct arguments arguments = { argv, argc, 0 };
    int count = 0;
    while (arguments.at < argc) {
        char *argument = argv[arguments.at++];
        if (strcmp(argument, "--") == 0)
            break;
        if (!is_option(argument, DGM_OPT_TEXT))
            rest[count++] = argument;
        else if (argument[1] == '-')
            DGM_TRY(long_option(env, settings, argument + 2, &arguments));
        else
            DGM_TRY(short_options(env, settings, argument + 1, &arguments));
    }
    while (arguments.at < argc)
        rest[count++] = argv[arguments.at++];
    *rest_count = count;
    return DGM_OK;
}
