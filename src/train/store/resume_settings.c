/*
 * resume_settings.c: the settings of a run as text, and whether those of a resumed run are those of
 * its checkpoint.
 */
#include "train/store/resume_settings.h"

#include <string.h>

#include "base/mem.h"
#include "base/option/settings_file.h"
#include "model/file/model.h"
#include "tensor/gguf/gguf_get.h"
#include "train/options.h"
#include "train/store/checkpoint_parts.h"

static int is_in(const struct dgm_opt *const *tables, const char *name)
{
    const struct dgm_opt *opt;

    for (; *tables != NULL; tables++)
        for (opt = *tables; opt->name != NULL; opt++)
            if (strcmp(opt->name, name) == 0)
                return 1;
    return 0;
}

/*
 * One `key = value` line each. Of a list of choices only the first counts: of metrics it decides
 * what is best, the others are only told. A second number counts where it is another one.
 */
static dgm_status describe(struct dgm_env *env, const struct dgm_setting *setting,
                           struct dgm_buf *text)
{
    const char *value = setting->item_count > 0 ? setting->items[0] : setting->value;

    if (value == NULL)
        return DGM_OK;
    DGM_TRY(dgm_buf_add_format(env, text, "%s = %s", setting->opt->name, value));
    for (size_t i = 1; i < setting->item_count && setting->opt->type == DGM_OPT_INTS; i++)
        if (strcmp(setting->items[i], value) != 0)
            DGM_TRY(dgm_buf_add_format(env, text, " %s", setting->items[i]));
    return dgm_buf_add_char(env, text, '\n');
}

dgm_status dgm_resume_settings_describe(struct dgm_env *env, const struct dgm_settings *settings,
                                        const struct dgm_learner *learner, struct dgm_buf *text)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_setting *setting = &settings->items[i];
        if (dgm_train_option_matters(setting->opt) &&
            is_in(learner->run_tables, setting->opt->name))
            DGM_TRY(describe(env, setting, text));
    }
    return dgm_buf_add_text(env, text, "");
}

/* ---- against those of a checkpoint ----------------------------------------------------------- */

/* The run that is to go on. */
struct resumed {
    struct dgm_env *env;
    const struct dgm_settings *settings;
    const struct dgm_learner *learner;
    const char *text;   /* of its settings (dgm_resume_settings_describe) */
    const char *folder; /* of its checkpoints */
};

/* The first line of `text` that `other` lacks. The order of lines does not matter, so that options
 * may move in their tables; a line that only `other` has is of an option that is gone. */
static const char *first_difference(const char *text, const char *other, size_t *length)
{
    for (; *text != '\0'; text += *length + 1) {
        const char *found = other;
        *length = strcspn(text, "\n");
        while (found != NULL && *found != '\0' && !(strncmp(found, text, *length + 1) == 0)) {
            found = strchr(found, '\n');
            found = found != NULL ? found + 1 : NULL;
        }
        if (found == NULL || *found == '\0')
            return text;
    }
    return NULL;
}

static const char *way_out(const struct resumed *run)
{
    return dgm_settings_find(run->settings, "init", strlen("init")) != NULL
               ? "Try the old setting, --overwrite, or another --model; with --init CHECKPOINT "
                 "that one goes on from these values with new settings"
               : "Try the old setting, --overwrite, or another --model";
}

static dgm_status compare_text(const struct resumed *run, const char *old, const char *now)
{
    size_t length;
    const char *line = first_difference(now, old, &length);

    if (line == NULL)
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, run->folder, 0, 0,
                       "checkpoints were trained with another setting than \"%.*s\". %s",
                       (int)length, line, way_out(run));
}

/* The value in the line "name = value" of `text`, up to an LF; NULL: there is no such line. */
static const char *value_in(const char *text, const char *name)
{
    const size_t size = strlen(name);

    while (strncmp(text, name, size) != 0 || strncmp(text + size, " = ", 3) != 0) {
        text = strchr(text, '\n');
        if (text == NULL)
            return NULL;
        text++;
    }
    return text + size + 3;
}

/* Whether `text` has the line "name = value". */
static int has_line(const char *text, const char *name, const char *value)
{
    const char *found = value_in(text, name);
    const size_t size = strlen(value);

    return found != NULL && strncmp(found, value, size) == 0 && found[size] == '\n';
}

/* The value of an option of the model. What nobody chose is as the run was begun, by a version with
 * another default: the checkpoint's model has that value, and keeps it. */
static const char *model_value(const struct resumed *run, const struct dgm_opt *opt,
                               const char *saved)
{
    if (opt->before != NULL && !dgm_settings_is_set(run->settings, opt->name) &&
        has_line(saved, opt->name, opt->before))
        return opt->before;
    return dgm_settings_text(run->settings, opt->name);
}

/* The model's settings of this run as its file would hold them. saved: those of the checkpoint. */
static dgm_status describe_model(const struct resumed *run, const char *saved, struct dgm_buf *text)
{
    struct dgm_env *env = run->env;
    struct dgm_settings now;
    dgm_status status;

    DGM_TRY(dgm_settings_init(env, &now, run->learner->model_tables));
    for (size_t i = 0; i < now.count; i++) {
        const struct dgm_opt *opt = now.items[i].opt;
        const struct dgm_setting *setting =
            dgm_settings_find(run->settings, opt->name, strlen(opt->name));
        const char *value = model_value(run, opt, saved);
        if (setting->item_count > 0)
            DGM_TRY_OUT(dgm_settings_store_items(env, &now.items[i], setting->items,
                                                 setting->item_count, "model"));
        if (value == NULL)
            continue;
        /* The text of an older version stays what it is, and means what it meant. */
        if (has_line(saved, opt->name, value))
            DGM_TRY_OUT(dgm_settings_set(env, &now, opt->name, value, "model"));
        else
            DGM_TRY_OUT(dgm_model_set(env, &now, opt->name, value));
    }
    status = dgm_settings_file_dump(env, &now, text, 0);
out:
    dgm_settings_clear(env, &now);
    return status;
}

/* value: that of the checkpoint, up to an LF. */
static dgm_status refuse_other(const struct resumed *run, const char *name, const char *value)
{
    const char *now =
        dgm_settings_is_set(run->settings, name) ? dgm_settings_text(run->settings, name) : NULL;

    return dgm_fail_at(run->env, DGM_USAGE, run->folder, 0, 0,
                       "checkpoints were trained with \"%s = %.*s\", which is %s now. %s", name,
                       (int)strcspn(value, "\n"), value, now != NULL ? now : "not set",
                       way_out(run));
}

/* Whether the option is at a default that files do not name, where the checkpoint names another
 * value. */
static int is_back_at_default(const struct dgm_setting *setting, const char *saved)
{
    const struct dgm_opt *opt = setting->opt;

    return opt->unsaid && setting->value != NULL && strcmp(setting->value, opt->fallback) == 0 &&
           !has_line(saved, opt->name, opt->fallback);
}

/* What the model was begun with, a list or other than by default, and is not named now. */
static dgm_status check_unnamed(const struct resumed *run, const char *saved)
{
    for (size_t i = 0; i < run->settings->count; i++) {
        const struct dgm_setting *setting = &run->settings->items[i];
        const char *name = setting->opt->name, *value = value_in(saved, name);

        const int is_dropped = (DGM_OPT_IS_LIST(setting->opt->type) && setting->item_count == 0) ||
                               is_back_at_default(setting, saved);

        if (value != NULL && is_dropped && is_in(run->learner->model_tables, name))
            return refuse_other(run, name, value);
    }
    return DGM_OK;
}

static dgm_status compare_model(const struct resumed *run, const char *saved)
{
    struct dgm_buf config = { 0 };
    dgm_status status = describe_model(run, saved, &config);

    if (status == DGM_OK)
        status = compare_text(run, saved, config.data);
    dgm_buf_clear(run->env, &config);
    DGM_TRY(status);
    return check_unnamed(run, saved);
}

/* An option without a default that the run was begun with, and that is not named now: its line is
 * in the checkpoint alone. */
static dgm_status check_unset(const struct resumed *run, const char *saved)
{
    for (size_t i = 0; i < run->settings->count; i++) {
        const struct dgm_setting *setting = &run->settings->items[i];
        const char *name = setting->opt->name, *value = value_in(saved, name);

        if (value != NULL && setting->value == NULL && setting->item_count == 0 &&
            dgm_train_option_matters(setting->opt) && is_in(run->learner->run_tables, name))
            return refuse_other(run, name, value);
    }
    return DGM_OK;
}

static dgm_status compare_run(const struct resumed *run, const char *saved)
{
    DGM_TRY(compare_text(run, saved, run->text));
    return check_unset(run, saved);
}

/* Compares the settings in a key of the checkpoint, as text that ends, with those of the run. */
static dgm_status compare_key(const struct resumed *run, const struct dgm_gguf *file,
                              const char *key, int is_model)
{
    size_t length;
    const char *saved = dgm_gguf_text(file, key, &length);
    char *text;
    dgm_status status;

    if (saved == NULL && is_model)
        return DGM_OK;
    if (saved == NULL)
        return dgm_fail_at(run->env, DGM_MODEL, file->name, 0, 0, "key %s is missing", key);
    text = dgm_copy_text(run->env, saved, length);
    if (text == NULL)
        return DGM_MEMORY;
    status = is_model ? compare_model(run, text) : compare_run(run, text);
    dgm_release(run->env, text);
    return status;
}

dgm_status dgm_resume_settings_compare(const struct dgm_run *run, const struct dgm_learner *learner,
                                       const char *text, const char *folder,
                                       const struct dgm_gguf *file)
{
    const struct resumed resumed = { run->env, run->settings, learner, text, folder };

    DGM_TRY(compare_key(&resumed, file, DGM_CHECKPOINT_SETTINGS, 0));
    return compare_key(&resumed, file, learner->config_key, 1);
}
