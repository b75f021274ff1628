/*
 * export.c: a translation model as a folder for CTranslate2 or transformers.
 *
 * The folder is filled beside its place, under the name FOLDER.new, and renamed when it is whole. A
 * folder that is replaced is FOLDER.old meanwhile; of it, only files that an export writes are
 * removed.
 */
#include "model/foreign/export.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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

struct places {
    char folder[DGM_EXPORT_PATH], fresh[DGM_EXPORT_PATH], old[DGM_EXPORT_PATH];
    int is_there;
};

static dgm_status name_places(struct dgm_env *env, struct places *places, const char *out)
{
    size_t length = strlen(out);

    while (length > 1 && out[length - 1] == '/')
        length--;
    if (length + 5 > DGM_EXPORT_PATH)
        return dgm_fail(env, DGM_USAGE, "a path of %zu bytes; expected %d at most", length,
                        DGM_EXPORT_PATH - 5);
    snprintf(places->folder, sizeof places->folder, "%.*s", (int)length, out);
    snprintf(places->fresh, sizeof places->fresh, "%.*s.new", (int)length, out);
    snprintf(places->old, sizeof places->old, "%.*s.old", (int)length, out);
    return DGM_OK;
}

/* 1: a folder, 0: nothing; *other: something else. */
static int find_folder(struct dgm_env *env, const char *path, int *other)
{
    struct dgm_file_info info;

    *other = 0;
    if (env->vfs->info(env->vfs->user, -1, path, 0, &info) != 0)
        return 0;
    *other = info.kind != DGM_FILE_FOLDER;
    return 1;
}

static dgm_status check_places(struct dgm_env *env, struct places *places, int overwrite)
{
    int other;

    places->is_there = find_folder(env, places->folder, &other);
    if (places->is_there && (other || !overwrite))
        return dgm_fail_at(env, DGM_USAGE, places->folder, 0, 0,
                           other ? "is no folder; expected another name for the export"
                                 : "exists; expected a new folder, or --overwrite");
    if (places->is_there && find_folder(env, places->old, &other))
        return dgm_fail_at(env, DGM_USAGE, places->old, 0, 0,
                           "exists; the folder that is replaced would need this name");
    if (find_folder(env, places->fresh, &other) && other)
        return dgm_fail_at(env, DGM_USAGE, places->fresh, 0, 0,
                           "is no folder; the export is written under this name first");
    return DGM_OK;
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

static dgm_status move(struct dgm_env *env, const char *from, const char *to)
{
    if (env->vfs->rename(env->vfs->user, from, to) != 0)
        return dgm_file_fail(env, DGM_FAILURE, from, "cannot rename this folder");
    return DGM_OK;
}

/* The whole folder takes its place. */
static dgm_status put_in_place(struct dgm_env *env, const struct places *places)
{
    dgm_status status;
    int other;

    DGM_TRY(dgm_folder_sync(env, places->fresh));
    if (places->is_there)
        DGM_TRY(move(env, places->folder, places->old));
    if (env->vfs->rename(env->vfs->user, places->fresh, places->folder) != 0) {
        status = dgm_file_fail(env, DGM_FAILURE, places->fresh, "cannot rename this folder");
        if (places->is_there)
            env->vfs->rename(env->vfs->user, places->old, places->folder);
        return status;
    }
    status = dgm_folder_sync_parent(env, places->folder);
    if (status != DGM_OK) { /* nothing is sure to last: back to what was there */
        env->vfs->rename(env->vfs->user, places->folder, places->fresh);
        if (places->is_there)
            env->vfs->rename(env->vfs->user, places->old, places->folder);
        return status;
    }
    if (!places->is_there)
        return DGM_OK;
    remove_files(env, places->old);
    if (find_folder(env, places->old, &other))
        dgm_log(env, DGM_LOG_NOTE, "%s holds files that no export wrote, and stays", places->old);
    return DGM_OK;
}

static dgm_status write_folder(struct dgm_export *job, const struct dgm_export_format *format,
                               const struct places *places)
{
    dgm_status status;

    remove_files(job->env, places->fresh); /* of a run that was killed */
    DGM_TRY(dgm_folder_make(job->env, places->fresh, 0777, NULL));
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
    DGM_TRY(check_places(env, &places, overwrite));
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
