/*
 * shared.c: models that are loaded once, for any number of translators and rescorers.
 *
 * A model counts its users, whoever made it among them, and goes with the last. It has an
 * environment of its own, a copy of that of its context, whose allocator serves any thread.
 */
#include "api/translate/shared.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "tensor/gguf/gguf_load.h"

struct dgm_shared {
    struct dgm_env env; /* without log and error */
    struct dgm_device *device;
    struct dgm_loaded loaded;
    pthread_mutex_t lock; /* of what follows */
    size_t users;
};

/* ---- making and freeing ---------------------------------------------------------------------- */

static dgm_status open_device(dgm_context *context, struct dgm_device **device)
{
    DGM_TRY(dgm_context_open_device(context, device));
    if ((*device)->isa != NULL)
        return DGM_OK;
    return dgm_fail(&context->env, DGM_UNSUPPORTED,
                    "a shared model computes on processors; expected a context without devices, "
                    "not \"%s\"",
                    (*device)->title);
}

/* From a container that is open. */
static dgm_status load(dgm_context *context, struct dgm_shared *model, struct dgm_gguf *file,
                       const dgm_model_open_options *options)
{
    dgm_model_open_options chosen;
    enum dgm_compute_type type;

    DGM_TRY(
        dgm_options_take(&context->env, &chosen, sizeof chosen, options, "dgm_model_open_options"));
    DGM_TRY(dgm_compute_type_parse(&context->env, &type, chosen.compute_type));
    DGM_TRY(open_device(context, &model->device));
    file->is_trusted = chosen.trusted;
    return dgm_loaded_read(&context->env, &model->loaded, file, model->device, type);
}

static void destroy(struct dgm_shared *model)
{
    struct dgm_env env = model->env;

    dgm_loaded_clear(&env, &model->loaded);
    if (model->device != NULL)
        dgm_device_close(&env, model->device);
    pthread_mutex_destroy(&model->lock);
    dgm_release(&env, model);
}

/* Closes the container in any case. */
static dgm_status make(dgm_context *context, struct dgm_gguf *file,
                       const dgm_model_open_options *options, dgm_model **out)
{
    struct dgm_shared *model = dgm_alloc(&context->env, 1, sizeof *model);
    dgm_status status = DGM_MEMORY;

    if (model != NULL) {
        model->env = dgm_env_quiet(&context->env);
        model->users = 1;
        pthread_mutex_init(&model->lock, NULL);
        status = load(context, model, file, options);
    }
    dgm_gguf_clear(&context->env, file);
    if (status == DGM_OK)
        *out = model;
    else if (model != NULL)
        destroy(model);
    return status;
}

dgm_status dgm_model_open(dgm_context *context, const char *path,
                          const dgm_model_open_options *options, dgm_model **model)
{
    struct dgm_gguf file;

    DGM_ENTER_NEW(context, model);
    DGM_TRY(dgm_argument_check(&context->env, path, "path"));
    DGM_TRY(dgm_gguf_open(&context->env, &file, path));
    return make(context, &file, options, model);
}

dgm_status dgm_model_from_memory(dgm_context *context, const void *bytes, size_t size,
                                 const char *name, const dgm_model_open_options *options,
                                 dgm_model **model)
{
    struct dgm_gguf file;

    DGM_ENTER_NEW(context, model);
    DGM_TRY(dgm_argument_check(&context->env, bytes, "bytes"));
    DGM_TRY(dgm_gguf_open_memory(&context->env, &file, bytes, size,
                                 name != NULL ? name : "the model in memory"));
    return make(context, &file, options, model);
}

static void enter(struct dgm_shared *model)
{
    pthread_mutex_lock(&model->lock);
    model->users++;
    pthread_mutex_unlock(&model->lock);
}

static void leave(struct dgm_shared *model)
{
    size_t left;

    pthread_mutex_lock(&model->lock);
    left = --model->users;
    pthread_mutex_unlock(&model->lock);
    if (left == 0)
        destroy(model);
}

void dgm_model_free(dgm_model *model)
{
    if (model != NULL)
        leave(model);
}

/* ---- users ----------------------------------------------------------------------------------- */

static dgm_status check_shared(struct dgm_env *env, const struct dgm_model_choice *choice)
{
    if (choice->model_count > 0)
        return dgm_fail(env, DGM_USAGE, "%s: models and shared; expected one of them",
                        choice->options);
    if (choice->compute_type != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "%s.compute_type \"%s\"; expected NULL with shared models, which were "
                        "loaded with theirs",
                        choice->options, choice->compute_type);
    if (choice->shared_count > DGM_ENSEMBLE)
        return dgm_fail(env, DGM_USAGE, "%zu models; expected 1..%d", choice->shared_count,
                        (int)DGM_ENSEMBLE);
    for (size_t i = 0; i < choice->shared_count; i++)
        if (choice->shared == NULL || choice->shared[i] == NULL)
            return dgm_fail(env, DGM_USAGE, "%s.shared: number %zu of %zu is NULL", choice->options,
                            i, choice->shared_count);
    return DGM_OK;
}

dgm_status dgm_model_choice_check(struct dgm_env *env, const struct dgm_model_choice *choice,
                                  enum dgm_compute_type *type)
{
    char name[64];

    DGM_TRY(dgm_compute_type_parse(env, type, choice->compute_type));
    if (choice->shared_count > 0)
        return check_shared(env, choice);
    snprintf(name, sizeof name, "%s.models", choice->options);
    return dgm_texts_check(env, choice->models, choice->model_count, name);
}

/* Weights lie in the order in which an instruction set reads them. */
static dgm_status check_device(struct dgm_env *env, const struct dgm_shared *model,
                               const struct dgm_device *device)
{
    if (device->isa != NULL && strcmp(device->isa, model->device->isa) == 0)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE,
                    "%s was loaded for %s; expected a context that computes with it, too, not %s",
                    model->loaded.name, model->device->isa, device->title);
}

dgm_status dgm_model_choice_open(struct dgm_env *env, struct dgm_ensemble *ensemble,
                                 struct dgm_shared_use *use, const struct dgm_model_choice *choice,
                                 struct dgm_device *device, enum dgm_compute_type type)
{
    const struct dgm_loaded *loaded[DGM_ENSEMBLE];

    if (choice->shared_count == 0)
        return dgm_ensemble_load(env, ensemble, choice->models, choice->model_count, device, type);
    for (size_t i = 0; i < choice->shared_count; i++) {
        DGM_TRY(check_device(env, choice->shared[i], device));
        enter(choice->shared[i]);
        use->models[use->count++] = choice->shared[i];
        loaded[i] = &choice->shared[i]->loaded;
    }
    return dgm_ensemble_share(env, ensemble, loaded, choice->shared_count, device);
}

void dgm_shared_leave(struct dgm_shared_use *use)
{
    for (size_t i = 0; i < use->count; i++)
        leave(use->models[i]);
    use->count = 0;
}
