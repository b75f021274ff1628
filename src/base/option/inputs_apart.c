/*
 * inputs_apart.c: no file that is read is one that is written.
 */
#include "base/option/inputs_apart.h"

#include <stdio.h>
#include <string.h>

#include "base/file/vfs.h"

/* A file by the name that the user gave it, and what it is. */
struct named_file {
    const char *path, *option; /* option: NULL for an argument, or where it says nothing new */
    int is_there;              /* as a regular file: nothing else is destroyed by writing */
    struct dgm_file_info info;
};

/* `standard` is the descriptor that "-" means. */
static struct named_file look_at(struct dgm_env *env, const char *path, const char *option,
                                 int standard)
{
    struct named_file file = { .path = path, .option = option };
    int fd = strcmp(path, "-") == 0 ? standard : -1;

    file.is_there = env->vfs->info(env->vfs->user, fd, path, 1, &file.info) == 0 &&
                    file.info.kind == DGM_FILE_REGULAR;
    return file;
}

static int is_same(const struct named_file *a, const struct named_file *b)
{
    return a->is_there && b->is_there && a->info.device == b->info.device &&
           a->info.inode == b->info.inode;
}

static const char *name_of(const struct named_file *output)
{
    return strcmp(output->path, "-") == 0 ? "standard output" : output->path;
}

/* " (--codes)", or nothing where `option` is the one that everybody expects. */
static void print_option(char *out, size_t size, const char *option, const char *expected)
{
    out[0] = '\0';
    if (option != NULL && strcmp(option, expected) != 0)
        snprintf(out, size, " (--%s)", option);
}

static dgm_status check_input(struct dgm_env *env, const struct named_file *output,
                              const char *path, const char *option)
{
    struct named_file input = look_at(env, path, option, 0);
    char from[80], to[80];

    if (!is_same(output, &input))
        return DGM_OK;
    print_option(from, sizeof from, input.option, "input");
    print_option(to, sizeof to, output->option, "output");
    return dgm_fail_at(env, DGM_USAGE, name_of(output), 0, 0,
                       "input%s and output%s are the same file; expected another one", from, to);
}

static dgm_status check_setting(struct dgm_env *env, const struct named_file *output,
                                const struct dgm_setting *setting)
{
    const struct dgm_opt *opt = setting->opt;

    if (opt->type == DGM_OPT_FILE && setting->value != NULL &&
        !dgm_opt_is_word(opt, setting->value))
        return check_input(env, output, setting->value, opt->name);
    if (opt->type != DGM_OPT_FILES)
        return DGM_OK;
    for (size_t i = 0; i < setting->item_count; i++)
        if (!dgm_opt_is_word(opt, setting->items[i]))
            DGM_TRY(check_input(env, output, setting->items[i], opt->name));
    return DGM_OK;
}

/* Names of files that are both not there yet are compared as text. */
static dgm_status check_outputs(struct dgm_env *env, const struct named_file *a,
                                const struct named_file *b)
{
    if (!is_same(a, b) && strcmp(a->path, b->path) != 0)
        return DGM_OK;
    if (a->option == b->option)
        return dgm_fail(env, DGM_USAGE, "--%s names %s twice; expected two files", a->option,
                        name_of(a));
    return dgm_fail(env, DGM_USAGE, "--%s and --%s are both %s; expected two files", a->option,
                    b->option, name_of(a));
}

/* How many outputs a setting names, and each of them. */
static size_t count_outputs(const struct dgm_setting *setting)
{
    if (setting->opt->type == DGM_OPT_OUTPUTS)
        return setting->item_count;
    return setting->opt->type == DGM_OPT_OUTPUT && setting->value != NULL &&
           !dgm_opt_is_word(setting->opt, setting->value);
}

static struct named_file output_at(struct dgm_env *env, const struct dgm_setting *setting, size_t i)
{
    const int is_list = setting->opt->type == DGM_OPT_OUTPUTS;

    return look_at(env, is_list ? setting->items[i] : setting->value, setting->opt->name, 1);
}

/* Output `i` of setting `o` against all else; of outputs, against those behind it. */
static dgm_status check_output(struct dgm_env *env, const struct dgm_settings *settings, size_t o,
                               size_t i, const char *const *others, size_t count)
{
    struct named_file output = output_at(env, &settings->items[o], i);

    for (size_t s = 0; s < settings->count; s++)
        DGM_TRY(check_setting(env, &output, &settings->items[s]));
    for (size_t k = 0; k < count; k++)
        DGM_TRY(check_input(env, &output, others[k], NULL));
    for (size_t s = o; s < settings->count; s++)
        for (size_t k = s == o ? i + 1 : 0; k < count_outputs(&settings->items[s]); k++) {
            struct named_file other = output_at(env, &settings->items[s], k);
            DGM_TRY(check_outputs(env, &other, &output));
        }
    return DGM_OK;
}

dgm_status dgm_inputs_apart_check(struct dgm_env *env, const struct dgm_settings *settings,
                                  const char *const *others, size_t count)
{
    for (size_t s = 0; s < settings->count; s++)
        for (size_t i = 0; i < count_outputs(&settings->items[s]); i++)
            DGM_TRY(check_output(env, settings, s, i, others, count));
    return DGM_OK;
}

dgm_status dgm_inputs_apart_check_one(struct dgm_env *env, const char *output,
                                      const char *const *inputs, size_t count)
{
    struct named_file file = look_at(env, output, NULL, 1);

    for (size_t i = 0; i < count; i++)
        DGM_TRY(check_input(env, &file, inputs[i], NULL));
    return DGM_OK;
}
