/*
 * export.c: a translation model as a folder for CTranslate2 or transformers.
 *
 * The folder is filled beside its place, as FOLDER.tmp-PROCESS-NUMBER, which nobody else has, and
 * renamed when it is whole. A folder that is replaced holds nothing but what an export writes;
 * it is FOLDER.old meanwhile.
 */
#include "model/foreign/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file/file.h"
#include "base/file/folder.h"
#include "model/decoder.h"
#include "tensor/gguf/gguf_load.h"

const char *const dgm_export_files[] = { "model.bin",
                                         "config.json",
                                         "shared_vocabulary.json",
                                         "source_vocabulary.json",
                                         "model.safetensors",
                                         "target_vocabulary.json",
                                         "generation_config.json",
                                         "vocab.json",
                                         "target_vocab.json",
                                         "source.spm",
                                         "target.spm",
                                         NULL };

const struct dgm_export_format *const dgm_export_formats[DGM_EXPORT_FORMATS] = {
    &dgm_export_ctranslate2, &dgm_export_huggingface
};

/* ---- what can be exported -------------------------------------------------------------------- */

static dgm_status refuse(const struct dgm_export *job, const char *what, const char *value)
{
    return dgm_fail_at(job->env, DGM_UNSUPPORTED, job->file.name, 0, 0,
                       "a model with --%s %s, which other programs do not have; expected a plain "
                       "Transformer",
                       what, value);
}

static dgm_status check_plain(const struct dgm_export *job)
{
    const struct dgm_net *net = &job->model.net;

    if (net->config.encoder != 0)
        return refuse(job, "encoder", net->encoder->name);
    if (strcmp(net->decoder->name, "transformer") != 0)
        return refuse(job, "decoder", net->decoder->name);
    if (strcmp(net->config.syntax, "none") != 0 && net->config.syntax[0] != '\0')
        return refuse(job, "syntax", net->config.syntax);
    return job->model.pipeline.multitask ? refuse(job, "multitask", "true") : DGM_OK;
}

static dgm_status read_model(struct dgm_export *job, const char *path)
{
    DGM_TRY(dgm_gguf_load(job->env, &job->file, path));
    DGM_TRY(dgm_gguf_verify(job->env, &job->file, NULL));
    DGM_TRY(dgm_model_declare(job->env, &job->model, &job->file));
    return check_plain(job);
}

/* ---- the folder ------------------------------------------------------------------------------ */

enum { ATTEMPTS = 1000, LONGEST_MARK = 32 };

struct places {
    char folder[DGM_EXPORT_PATH - LONGEST_MARK], fresh[DGM_EXPORT_PATH], old[DGM_EXPORT_PATH];
    int is_there;
};

static dgm_status name_places(struct dgm_env *env, struct places *places, const char *out)
{
    size_t length = strlen(out);

    while (length > 1 && out[length - 1] == '/')
        length--;
    if (length >= sizeof places->folder)
        return dgm_fail(env, DGM_USAGE, "a path of %zu bytes; expected %d at most", length,
                        DGM_EXPORT_PATH - LONGEST_MARK - 1);
    snprintf(places->folder, sizeof places->folder, "%.*s", (int)length, out);
    snprintf(places->old, sizeof places->old, "%.*s.old", (int)length, out);
    return DGM_OK;
}

/* What is at the path; 0: nothing. */
static int look_at(struct dgm_env *env, const char *path, struct dgm_file_info *info)
{
    return env->vfs->info(env->vfs->user, -1, path, 0, info) == 0;
}

static int is_of_an_export(const char *name)
{
    for (int i = 0; dgm_export_files[i] != NULL; i++)
        if (strcmp(name, dgm_export_files[i]) == 0)
            return 1;
    return 0;
}

/* A folder and the model that is read. */
struct inside {
    const char *folder;
    int model_is_there;
    struct dgm_file_info model;
};

/* A file in a folder that is to be replaced: one that an export writes, and not what is read. */
static dgm_status check_name(struct dgm_env *env, void *user, const char *name)
{
    const struct inside *inside = user;
    struct dgm_file_info info;
    char path[DGM_EXPORT_PATH + 300];

    snprintf(path, sizeof path, "%s/%s", inside->folder, name);
    if (!is_of_an_export(name) || !look_at(env, path, &info) || info.kind != DGM_FILE_REGULAR)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "is nothing that an export writes; expected a folder with an export "
                           "and nothing else, or another name for the new one");
    if (inside->model_is_there && info.device == inside->model.device &&
        info.inode == inside->model.inode)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                           "is the model, and would be replaced; expected another name for the "
                           "export");
    return DGM_OK;
}

static dgm_status check_places(struct dgm_env *env, struct places *places, const char *model,
                               int overwrite)
{
    struct dgm_file_info info;
    struct inside inside = { .folder = places->folder };
    int is_folder;

    places->is_there = look_at(env, places->folder, &info);
    if (!places->is_there)
        return DGM_OK;
    is_folder = info.kind == DGM_FILE_FOLDER;
    if (!is_folder || !overwrite)
        return dgm_fail_at(env, DGM_USAGE, places->folder, 0, 0,
                           is_folder ? "exists; expected a new folder, or --overwrite"
                                     : "is no folder; expected another name for the export");
    if (look_at(env, places->old, &info))
        return dgm_fail_at(env, DGM_USAGE, places->old, 0, 0,
                           "exists; the folder that is replaced would need this name");
    inside.model_is_there = env->vfs->info(env->vfs->user, -1, model, 1, &inside.model) == 0;
    return dgm_folder_list(env, places->folder, check_name, &inside);
}

/* A folder that was not there, so that nobody else writes to it. */
static dgm_status make_fresh(struct dgm_env *env, struct places *places)
{
    dgm_status status;

    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(places->fresh, sizeof places->fresh, "%s.tmp-%ld-%d", places->folder,
                 (long)getpid(), attempt);
        if (env->vfs->make_folder(env->vfs->user, places->fresh, 0777) == 0) {
            status = dgm_folder_sync_parent(env, places->folder);
            if (status != DGM_OK)
                env->vfs->remove_folder(env->vfs->user, places->fresh);
            return status;
        }
        if (errno != EEXIST)
            break;
    }
    return dgm_file_fail(env, DGM_FAILURE, places->folder, "cannot make this folder");
}

/* Removes what an export writes, and the folder if nothing else is in it. */
static void remove_files(struct dgm_env *env, const char *folder)
{
    char path[DGM_EXPORT_PATH + 64];

    for (int i = 0; dgm_export_files[i] != NULL; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, dgm_export_files[i]);
        env->vfs->remove(env->vfs->user, path);
    }
    env->vfs->remove_folder(env->vfs->user, folder);
}

static dgm_status move(struct dgm_env *env, const char *from, const char *to, const char *shown)
{
    if (env->vfs->rename(env->vfs->user, from, to) != 0)
        return dgm_file_fail(env, DGM_FAILURE, shown, "cannot rename this folder");
    return DGM_OK;
}

/* The whole folder takes its place, and nothing is sure to last until the names are synced. */
static dgm_status take_place(struct dgm_env *env, const struct places *places)
{
    dgm_status status;

    DGM_TRY(move(env, places->fresh, places->folder, places->folder));
    status = dgm_folder_sync_parent(env, places->folder);
    if (status != DGM_OK)
        env->vfs->rename(env->vfs->user, places->folder, places->fresh);
    return status;
}

static dgm_status put_in_place(struct dgm_env *env, const struct places *places)
{
    struct dgm_file_info info;
    dgm_status status;

    DGM_TRY(dgm_folder_sync(env, places->fresh));
    if (!places->is_there)
        return take_place(env, places);
    DGM_TRY(move(env, places->folder, places->old, places->folder));
    status = take_place(env, places);
    if (status != DGM_OK) {
        env->vfs->rename(env->vfs->user, places->old, places->folder);
        return status;
    }
    remove_files(env, places->old);
    if (look_at(env, places->old, &info))
        dgm_log(env, DGM_LOG_NOTE, "%s holds what came into it meanwhile, and stays", places->old);
    return DGM_OK;
}

static dgm_status write_folder(struct dgm_export *job, const struct dgm_export_format *format,
                               struct places *places)
{
    dgm_status status;

    DGM_TRY(make_fresh(job->env, places));
    strcpy(job->folder, places->fresh);
    status = format->write(job);
    if (status == DGM_OK)
        status = put_in_place(job->env, places);
    if (status != DGM_OK)
        remove_files(job->env, places->fresh);
    return status;
}

/* ---- the whole of it ------------------------------------------------------------------------- */

dgm_status dgm_export_model(struct dgm_env *env, const char *path,
                            const struct dgm_export_format *format, const char *out, int overwrite)
{
    struct dgm_export job;
    struct places places;
    dgm_status status;

    DGM_TRY(name_places(env, &places, out));
    DGM_TRY(check_places(env, &places, path, overwrite));
    memset(&job, 0, sizeof job);
    job.env = env;
    DGM_TRY_OUT(read_model(&job, path));
    DGM_TRY_OUT(format->check(&job));
    DGM_TRY_OUT(write_folder(&job, format, &places));
out:
    dgm_model_clear(env, &job.model);
    dgm_gguf_clear(env, &job.file);
    return status;
}
