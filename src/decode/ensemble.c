/*
 * ensemble.c: loading models that must agree.
 */
#include "decode/ensemble.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/text/pipeline_tags.h"

static dgm_status fail_other(struct dgm_env *env, const char *path, const char *what)
{
    return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                       "another vocabulary%s than the first model's; "
                       "expected models that were trained with the same one",
                       what);
}

/* An ensemble needs the same ids for the same tokens. */
static dgm_status compare_vocabs(struct dgm_env *env, const struct dgm_model *a,
                                 const struct dgm_model *b, const char *path)
{
    int side;
    size_t i;

    if (a->pipeline.multitask != b->pipeline.multitask)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "multitask = %s; expected what the first "
                           "model has",
                           b->pipeline.multitask ? "true" : "false");
    if (!dgm_pipeline_same_tags(&a->pipeline, &b->pipeline))
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "knows %zu tags; expected those of the first model, which are %zu",
                           b->pipeline.tags.count, a->pipeline.tags.count);
    for (side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_buf *pa = &a->pipeline.spm[side].spm.file;
        const struct dgm_buf *pb = &b->pipeline.spm[side].spm.file;
        const struct dgm_vocab *va = dgm_pipeline_vocab(&a->pipeline, side);
        const struct dgm_vocab *vb = dgm_pipeline_vocab(&b->pipeline, side);
        int same = dgm_vocab_size(va) == dgm_vocab_size(vb);
        for (i = 0; same && i < dgm_vocab_size(va); i++)
            same = strcmp(dgm_vocab_token(va, (uint32_t)i, NULL),
                          dgm_vocab_token(vb, (uint32_t)i, NULL)) == 0;
        if (!same)
            return fail_other(env, path, "");
        if (a->pipeline.has_spm != b->pipeline.has_spm || pa->size != pb->size ||
            (pa->size > 0 && memcmp(pa->data, pb->data, pa->size) != 0))
            return fail_other(env, path, " or SentencePiece model");
    }
    return DGM_OK;
}

/* The same names of a feature for all models of an ensemble that read it. */
static dgm_status take_features(struct dgm_env *env, struct dgm_ensemble *ensemble,
                                const struct dgm_model *model, const char *path)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        const struct dgm_feature *feature = &model->pipeline.features.of[kind];
        struct dgm_feature *ours = &ensemble->features.of[kind];
        char what[40];

        if (dgm_feature_size(feature) == 0)
            continue;
        if (dgm_feature_size(ours) == 0)
            *ours = *feature;
        snprintf(what, sizeof what, " of %ss", kind == 0 ? "tag" : dgm_feature_titles[kind]);
        if (!dgm_feature_same(ours, feature))
            return fail_other(env, path, what);
    }
    return DGM_OK;
}

static dgm_status make_room(struct dgm_env *env, struct dgm_ensemble *ensemble, size_t count)
{
    if (count < 1 || count > DGM_ENSEMBLE)
        return dgm_fail(env, DGM_USAGE, "%zu models; expected 1..%d", count, (int)DGM_ENSEMBLE);
    ensemble->models = dgm_alloc(env, count, sizeof *ensemble->models);
    return ensemble->models != NULL ? DGM_OK : DGM_MEMORY;
}

/* The model behind those that the ensemble has; it must agree with them. */
static dgm_status take_model(struct dgm_env *env, struct dgm_ensemble *ensemble, const char *name)
{
    const int i = ensemble->count++;
    struct dgm_model *model = &ensemble->models[i];

    ensemble->nets[i] = &model->net;
    ensemble->names[i] = name;
    if (i > 0)
        DGM_TRY(compare_vocabs(env, &ensemble->models[0], model, name));
    return take_features(env, ensemble, model, name);
}

dgm_status dgm_ensemble_load(struct dgm_env *env, struct dgm_ensemble *ensemble,
                             const char *const *paths, size_t count, struct dgm_device *device,
                             enum dgm_compute_type type)
{
    DGM_TRY(make_room(env, ensemble, count));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_model_load_to_translate(env, &ensemble->models[i], paths[i], device, type));
        DGM_TRY(take_model(env, ensemble, paths[i]));
    }
    return DGM_OK;
}

dgm_status dgm_ensemble_share(struct dgm_env *env, struct dgm_ensemble *ensemble,
                              const struct dgm_loaded *const *loaded, size_t count,
                              struct dgm_device *device)
{
    ensemble->is_beside = 1;
    DGM_TRY(make_room(env, ensemble, count));
    for (size_t i = 0; i < count; i++) {
        dgm_model_beside(&ensemble->models[i], &loaded[i]->model, device);
        DGM_TRY(take_model(env, ensemble, loaded[i]->name));
        if (ensemble->parser == NULL && loaded[i]->model.has_parser)
            ensemble->parser = &loaded[i]->parser;
    }
    return DGM_OK;
}

int32_t dgm_ensemble_longest(const struct dgm_ensemble *ensemble)
{
    int64_t most = ensemble->nets[0]->config.max_length;

    for (int i = 1; i < ensemble->count; i++)
        if (ensemble->nets[i]->config.max_length < most)
            most = ensemble->nets[i]->config.max_length;
    return (int32_t)most;
}

void dgm_ensemble_clear(struct dgm_env *env, struct dgm_ensemble *ensemble)
{
    for (int i = 0; i < ensemble->count; i++)
        if (ensemble->is_beside)
            dgm_model_clear_beside(env, &ensemble->models[i]);
        else
            dgm_model_clear(env, &ensemble->models[i]);
    dgm_release(env, ensemble->models);
    memset(ensemble, 0, sizeof *ensemble);
}
