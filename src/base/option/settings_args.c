/*
 * settings_args.c: the command line and the environment.
 *
 * The command line is read twice: for the files of --config first, and then for all else, so that
 * an option wins over a file wherever the two stand, and a file over those before it.
 */
#include "base/option/settings_args.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/number/number.h"

/* The arguments and how far they are read. */
struct arguments {
    char *const *argv;
    int count, at;
    int files; /* whether this reading is the one for the files of --config */
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
    if (type == DGM_OPT_INT || type == DGM_OPT_REAL || type == DGM_OPT_INTS ||
        type == DGM_OPT_REALS)
        return !dgm_number_real(&number, argument, strlen(argument));
    return 1;
}

/* Whether this reading passes over the option. */
static int is_for_later(const struct arguments *arguments, const struct dgm_setting *setting)
{
    return arguments->files != (strcmp(setting->opt->name, "config") == 0);
}

/* Whether a list goes on where it is given twice: "FILE..." does, "SRC TRG" is replaced. */
static int goes_on(const struct dgm_setting *setting)
{
    const char *argument = setting->opt->argument;
    return argument != NULL && strstr(argument, "...") != NULL && dgm_setting_is_typed(setting);
}

/* Files of a list. An open one that the command line has begun goes on: none of them is lost. */
static dgm_status add_items(struct dgm_env *env, struct dgm_setting *setting, char *const *items,
                            size_t count)
{
    size_t before = goes_on(setting) ? setting->item_count : 0;
    char **all;
    dgm_status status;
    DGM_TRY(dgm_new(env, &all, before + count, sizeof *all));
    for (size_t i = 0; i < before + count; i++)
        all[i] = i < before ? setting->items[i] : items[i - before];
    status = dgm_settings_store_items(env, setting, all, before + count, origin);
    dgm_release(env, all);
    return status;
}

static dgm_status store(struct dgm_env *env, struct dgm_settings *settings,
                        struct dgm_setting *setting, const char *value,
                        const struct arguments *arguments)
{
    char why[DGM_OPT_WHY] = "";
    char *one[1];
    dgm_status status;
    if (is_for_later(arguments, setting))
        return DGM_OK;
    if (setting->opt->once && dgm_setting_is_typed(setting))
        return refuse_value(env, setting, "given twice; expected once");
    if (DGM_OPT_IS_LIST(setting->opt->type) && !DGM_OPT_IS_PLAIN_LIST(setting->opt->type)) {
        /* One argument is one file, whatever blanks its name has. */
        if (!dgm_opt_check(setting->opt, value, why))
            return refuse_value(env, setting, why);
        memcpy(one, &value, sizeof value);
        return add_items(env, setting, one, 1);
    }
    status = dgm_settings_take(env, setting, value, origin, why);
    if (status == DGM_USAGE)
        return refuse_value(env, setting, why);
    if (status == DGM_OK && arguments->files)
        status = dgm_settings_file_load(env, settings, setting->value);
    return status;
}

/* The arguments of a list of choices or numbers, up to the next option, as one text. */
static dgm_status store_plain_list(struct dgm_env *env, struct dgm_settings *settings,
                                   struct dgm_setting *setting, struct arguments *arguments)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status = DGM_OK;
    for (; arguments->at < arguments->count; arguments->at++) {
        const char *argument = arguments->argv[arguments->at];
        if (is_option(argument, setting->opt->type))
            break;
        DGM_TRY_OUT(dgm_buf_add_format(env, &text, "%s%s", text.size > 0 ? " " : "", argument));
    }
    status = store(env, settings, setting, text.data, arguments);
out:
    dgm_buf_clear(env, &text);
    return status;
}

/* The arguments up to the next option. */
static dgm_status store_list(struct dgm_env *env, struct dgm_setting *setting,
                             struct arguments *arguments)
{
    char *const *first = arguments->argv + arguments->at;
    char why[DGM_OPT_WHY] = "";
    int count = 0;
    for (; arguments->at < arguments->count; arguments->at++, count++) {
        if (is_option(first[count], setting->opt->type))
            break;
        if (!dgm_opt_check(setting->opt, first[count], why))
            return refuse_value(env, setting, why);
    }
    return is_for_later(arguments, setting) ? DGM_OK
                                            : add_items(env, setting, first, (size_t)count);
}

/* The value of an option that has none attached: the next argument, or for lists all up
 * to the next option. */
static dgm_status store_following(struct dgm_env *env, struct dgm_settings *settings,
                                  struct dgm_setting *setting, struct arguments *arguments)
{
    const struct dgm_opt *opt = setting->opt;
    char *const *first = arguments->argv + arguments->at;
    int is_missing = arguments->at == arguments->count || is_option(*first, opt->type);
    if (is_missing && !dgm_opt_may_be_empty(opt)) {
        const char *wanted = opt->argument != NULL ? opt->argument : "a value";
        return dgm_fail(env, DGM_USAGE, "option --%s needs %s. Try: --%s=%s", opt->name, wanted,
                        opt->name, opt->argument != NULL ? opt->argument : "VALUE");
    }
    if (DGM_OPT_IS_PLAIN_LIST(opt->type))
        return store_plain_list(env, settings, setting, arguments);
    if (DGM_OPT_IS_LIST(opt->type))
        return store_list(env, setting, arguments);
    arguments->at++;
    return store(env, settings, setting, *first, arguments);
}

static dgm_status unknown(struct dgm_env *env, const struct dgm_settings *settings,
                          const char *name, size_t length)
{
    int no = length > 3 && (memcmp(name, "no-", 3) == 0 || memcmp(name, "no_", 3) == 0);
    char quoted[DGM_QUOTE_SIZE];
    struct dgm_near near;
    dgm_quote(quoted, sizeof quoted, name, length);
    dgm_settings_nearest(settings, &near, name, length);
    no = no && near.best == NULL;
    if (no)
        dgm_settings_nearest(settings, &near, name + 3, length - 3);
    if (near.best == NULL)
        return dgm_fail(env, DGM_USAGE, "unknown option --%s", quoted);
    return dgm_fail(env, DGM_USAGE, "unknown option --%s. Did you mean --%s%.*s?", quoted,
                    no ? "no-" : "", (int)near.best_length, near.best);
}

/* --name, --name=value, --name value, --no-name */
static dgm_status long_option(struct dgm_env *env, struct dgm_settings *settings, const char *text,
                              struct arguments *arguments)
{
    size_t length = strcspn(text, "=");
    struct dgm_setting *setting = dgm_settings_find(settings, text, length);
    const char *flag = "true";
    if (setting == NULL && length > 3 &&
        (memcmp(text, "no-", 3) == 0 || memcmp(text, "no_", 3) == 0)) {
        setting = dgm_settings_find(settings, text + 3, length - 3);
        flag = "false";
        if (setting != NULL && setting->opt->type != DGM_OPT_FLAG)
            return dgm_fail(env, DGM_USAGE, "option --%s takes a value and has no --no- form",
                            setting->opt->name);
    }
    if (setting == NULL)
        return unknown(env, settings, text, length);
    if (setting->opt->type == DGM_OPT_FLAG && text[length] == '=')
        return dgm_fail(env, DGM_USAGE, "option --%s takes no value. Try: --%s or --no-%s",
                        setting->opt->name, setting->opt->name, setting->opt->name);
    if (setting->opt->type == DGM_OPT_FLAG)
        return store(env, settings, setting, flag, arguments);
    if (text[length] == '=')
        return store(env, settings, setting, text + length + 1, arguments);
    return store_following(env, settings, setting, arguments);
}

static struct dgm_setting *find_letter(const struct dgm_settings *settings, char letter)
{
    for (size_t i = 0; i < settings->count; i++)
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
            DGM_TRY(store(env, settings, setting, "true", arguments));
        else if (text[1] != '\0')
            return store(env, settings, setting, text + 1, arguments);
        else
            return store_following(env, settings, setting, arguments);
    }
    return DGM_OK;
}

/* Reads all arguments; what is no option goes to `rest`. */
static dgm_status read_arguments(struct dgm_env *env, struct dgm_settings *settings,
                                 struct arguments *arguments, char **rest, int *rest_count)
{
    int count = 0;
    while (arguments->at < arguments->count) {
        char *argument = arguments->argv[arguments->at++];
        if (strcmp(argument, "--") == 0)
            break;
        if (!is_option(argument, DGM_OPT_TEXT))
            rest[count++] = argument;
        else if (argument[1] == '-')
            DGM_TRY(long_option(env, settings, argument + 2, arguments));
        else
            DGM_TRY(short_options(env, settings, argument + 1, arguments));
    }
    while (arguments->at < arguments->count)
        rest[count++] = arguments->argv[arguments->at++];
    *rest_count = count;
    return DGM_OK;
}

dgm_status dgm_settings_args_read(struct dgm_env *env, struct dgm_settings *settings, int argc,
                                  char *const *argv, char **rest, int *rest_count)
{
    for (int files = 1; files >= 0; files--) {
        struct arguments arguments = { argv, argc, 0, files };
        DGM_TRY(read_arguments(env, settings, &arguments, rest, rest_count));
    }
    return DGM_OK;
}

/* DRAGOMAN_NO_RESUME=1 looks like --no-resume, and would change nothing. Files of settings have no
 * such form either. */
static dgm_status refuse_no_variable(struct dgm_env *env, const struct dgm_settings *settings,
                                     const struct dgm_opt *opt)
{
    static const char prefix[] = "DRAGOMAN_NO_";
    char no[80], variable[80];
    const struct dgm_opt negated = { .name = no };
    if (opt->type != DGM_OPT_FLAG)
        return DGM_OK;
    snprintf(no, sizeof no, "no-%s", opt->name);
    if (dgm_settings_find(settings, no, strlen(no)) != NULL ||
        dgm_opt_variable(&negated, variable) == NULL)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "%s: no variable of this name; expected DRAGOMAN_%s=false",
                    variable, variable + sizeof prefix - 1);
}

dgm_status dgm_settings_args_environment(struct dgm_env *env, struct dgm_settings *settings,
                                         dgm_settings_elsewhere_fn *elsewhere)
{
    for (size_t i = 0; i < settings->count; i++) {
        char name[80];
        const struct dgm_opt *opt = settings->items[i].opt;
        const char *value = dgm_opt_variable(opt, name);
        DGM_TRY(refuse_no_variable(env, settings, opt));
        if (value == NULL)
            continue;
        DGM_TRY(dgm_settings_set(env, settings, opt->name, value, name));
        if (strcmp(opt->name, "config") == 0) /* a file that those of the command line win over */
            DGM_TRY(dgm_settings_file_load_ours(env, settings, value, elsewhere));
    }
    return DGM_OK;
}
