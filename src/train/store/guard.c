/*
 * guard.c: keeps --model from replacing a training text, a treebank or a model of another run.
 */
#include "train/store/guard.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "base/file/output.h"
#include "base/option/inputs_apart.h"
#include "base/option/option.h"
#include "base/option/settings.h"
#include "tensor/gguf/gguf_load.h"

enum { PATH_SIZE = 1200 };

/* ---- inputs in the folder of checkpoints ----------------------------------------------------- */

static dgm_status check_input(struct dgm_env *env, const char *checkpoints, const char *path)
{
    const size_t length = dgm_folder_length(path);
    char folder[PATH_SIZE] = ".";

    if (length > 0 && length < sizeof folder)
        snprintf(folder, sizeof folder, "%.*s", (int)length, path);
    if (!dgm_file_same(env, folder, checkpoints))
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "lies in %s, where this run writes and removes "
                       "files; expected an input from elsewhere",
                       checkpoints);
}

static dgm_status check_inputs(struct dgm_env *env, const struct dgm_settings *settings,
                               const char *checkpoints)
{
    for (size_t i = 0; i < settings->count; i++) {
        const struct dgm_setting *setting = &settings->items[i];
        if (setting->opt->type == DGM_OPT_FILE && setting->value != NULL)
            DGM_TRY(check_input(env, checkpoints, setting->value));
        for (size_t j = 0; setting->opt->type == DGM_OPT_FILES && j < setting->item_count; j++)
            DGM_TRY(check_input(env, checkpoints, setting->items[j]));
    }
    return DGM_OK;
}

/* ---- what stands at --model ------------------------------------------------------------------ */

static dgm_status note_checkpoint(struct dgm_env *env, void *any, const char *name)
{
    size_t length = strlen(name);

    (void)env;
    if (strncmp(name, "update-", 7) == 0 && length > 5 && strcmp(name + length - 5, ".gguf") == 0)
        *(int *)any = 1;
    return DGM_OK;
}

/* A model that a run has written stands beside its checkpoints. */
static dgm_status check_model(struct dgm_env *env, const char *model, const char *checkpoints)
{
    int has_checkpoints = 0, is_model;

    if (dgm_file_exists(env, checkpoints))
        DGM_TRY(dgm_folder_list(env, checkpoints, note_checkpoint, &has_checkpoints));
    DGM_TRY(dgm_gguf_is(env, model, "dragoman", &is_model));
    if (has_checkpoints && is_model)
        return DGM_OK;
    return dgm_fail_at(env, DGM_USAGE, model, 0, 0,
                       "%s; expected another --model, or --overwrite to replace this file",
                       is_model
                           ? "is a model without its checkpoints, so that this run would begin anew"
                           : "exists and is no model");
}

dgm_status dgm_guard_check(struct dgm_env *env, const struct dgm_settings *settings)
{
    const char *model = dgm_settings_text(settings, "model");
    struct dgm_output output;
    struct dgm_buf checkpoints = { 0 };
    dgm_status status;

    DGM_TRY(dgm_inputs_apart_check(env, settings, NULL, 0));
    DGM_TRY(dgm_output_find_file(env, &output, model));
    DGM_TRY_OUT(dgm_buf_add_format(env, &checkpoints, "%s.ckpt", model));
    DGM_TRY_OUT(check_inputs(env, settings, checkpoints.data));
    if (output.kind == DGM_OUTPUT_REPLACE && !dgm_settings_flag(settings, "overwrite"))
        status = check_model(env, model, checkpoints.data);
out:
    dgm_buf_clear(env, &checkpoints);
    return status;
}
