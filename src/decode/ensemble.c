/*
 * ensemble.c: loading models that must agree.
 */
#include "decode/ensemble.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "model/foreign/import_read.h"

static dgm_status fail_other(struct dgm_env *env, const char *path, const char *what)
{
    return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                       "%s than the first model's; expected models that were trained with the same",
                       what);
}

static const char *tokenizer(const struct dgm_pipeline *pipeline)
{
    return pipeline->has_spm ? "spm" : pipeline->moses ? "moses" : "none";
}

static const char *truth(int value)
{
    return value ? "true" : "false";
}

/* Of punctuation, as a number. */
static const char *steps(const struct dgm_pipeline *pipeline, char text[16])
{
    snprintf(text, 16, "%u", pipeline->punctuation ? pipeline->steps : 0);
    return text;
}

static const char *form(const struct dgm_pipeline *pipeline)
{
    return pipeline->composes[DGM_SOURCE] ? "nfc" : "keep";
}

/* The language whose rules a side's text goes through. */
static const char *rules(const struct dgm_pipeline *pipeline, int side)
{
    return pipeline->moses || pipeline->punctuation ? pipeline->language[side] : "";
}

/* A line is cut once, as the first model says: the others must have learned from text cut so. */
static dgm_status compare_preparation(struct dgm_env *env, const struct dgm_pipeline *a,
                                      const struct dgm_pipeline *b, const char *path)
{
    char first[16], here[16];
    const struct {
        const char *option, *first, *here;
    } settings[] = {
        { "multitask", truth(a->multitask), truth(b->multitask) },
        { "tokenize", tokenizer(a), tokenizer(b) },
        { "lower-case", truth(a->lower), truth(b->lower) },
        { "normalize-punctuation", truth(a->punctuation), truth(b->punctuation) },
        { "normalize-steps", steps(a, first), steps(b, here) },
        { "unicode", form(a), form(b) },
        { "placeholders", truth(a->has_slots), truth(b->has_slots) },
        { "source-lang", rules(a, DGM_SOURCE), rules(b, DGM_SOURCE) },
        { "target-lang", rules(a, DGM_TARGET), rules(b, DGM_TARGET) },
    };

    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (strcmp(settings[i].first, settings[i].here) != 0)
            return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                               "%s = %s; expected what the first model has, %s", settings[i].option,
                               settings[i].here, settings[i].first);
    return DGM_OK;
}

static const char *target_form(const struct dgm_pipeline *pipeline)
{
    return pipeline->has_target_tags ? "begin with a tag" : "begin with no tag";
}

static dgm_status compare_tags(struct dgm_env *env, const struct dgm_pipeline *a,
                               const struct dgm_pipeline *b, const char *path)
{
    const char *extra = dgm_pipeline_other_tag(b, a), *lacking = dgm_pipeline_other_tag(a, b);

    if (extra != NULL || lacking != NULL)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "%s the tag %s, and the first model %s; expected models of the same "
                           "tags",
                           extra != NULL ? "knows" : "does not know",
                           extra != NULL ? extra : lacking, extra != NULL ? "does not" : "does");
    if (a->has_target_tags != b->has_target_tags)
        return dgm_fail_at(env, DGM_MODEL, path, 0, 0,
                           "its translations %s, and those of the first model %s; expected models "
                           "of one form",
                           target_form(b), target_form(a));
    return DGM_OK;
}

/* An ensemble needs the same ids for the same line. */
static dgm_status compare_text(struct dgm_env *env, const struct dgm_pipeline *a,
                               const struct dgm_pipeline *b, const char *path)
{
    DGM_TRY(compare_preparation(env, a, b, path));
    DGM_TRY(compare_tags(env, a, b, path));
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        if (!dgm_vocab_same(dgm_pipeline_vocab(a, side), dgm_pipeline_vocab(b, side)))
            return fail_other(env, path, "another vocabulary");
        if (!dgm_buf_same(&dgm_pipeline_spm(a, side)->spm.file,
                          &dgm_pipeline_spm(b, side)->spm.file))
            return fail_other(env, path, "another SentencePiece model");
    }
    if (!dgm_buf_same(&a->codes, &b->codes))
        return fail_other(env, path, "other BPE codes");
    return DGM_OK;
}

/* The same names of a feature for all models of an ensemble that read it. */
static dgm_status take_features(struct dgm_env *env, struct dgm_ensemble *ensemble,
                                const struct dgm_model *model, const char *path)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        const struct dgm_feature *feature = &model->pipeline.features.of[kind];
        struct dgm_feature *ours = &ensemble->features.of[kind];
        char what[60];

        if (dgm_feature_size(feature) == 0)
            continue;
        if (dgm_feature_size(ours) == 0)
            *ours = *feature;
        snprintf(what, sizeof what, "another vocabulary of %ss",
                 kind == 0 ? "tag" : dgm_feature_titles[kind]);
        if (!dgm_feature_same(ours, feature))
            return fail_other(env, path, what);
    }
    return DGM_OK;
}

static dgm_status make_room(struct dgm_env *env, struct dgm_ensemble *ensemble, size_t count)
{
    if (count < 1 || count > DGM_ENSEMBLE)
        return dgm_fail(env, DGM_USAGE, "%zu models; expected 1..%d", count, (int)DGM_ENSEMBLE);
    return dgm_new(env, &ensemble->models, count, sizeof *ensemble->models);
}

/* The model behind those that the ensemble has; it must agree with them. */
static dgm_status take_model(struct dgm_env *env, struct dgm_ensemble *ensemble, const char *name)
{
    const int i = ensemble->count++;
    struct dgm_model *model = &ensemble->models[i];

    ensemble->nets[i] = &model->net;
    ensemble->names[i] = name;
    if (i > 0)
        DGM_TRY(compare_text(env, &ensemble->models[0].pipeline, &model->pipeline, name));
    return take_features(env, ensemble, model, name);
}

dgm_status dgm_ensemble_load(struct dgm_env *env, struct dgm_ensemble *ensemble,
                             const char *const *paths, size_t count, struct dgm_device *device,
                             enum dgm_compute_type type)
{
    DGM_TRY(make_room(env, ensemble, count));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_import_is_at(env, paths[i])
                    ? dgm_import_read(env, &ensemble->models[i], paths[i], device, &type)
                    : dgm_model_load(env, &ensemble->models[i], paths[i], device, 0, &type));
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

/* A model that does not say comes from elsewhere, where lines have some twenty words. */
static int64_t home_of(const struct dgm_model *model)
{
    if (model->are_singles)
        return 0;
    return model->mean_source > 0 ? model->mean_source : 25;
}

int32_t dgm_ensemble_home(const struct dgm_ensemble *ensemble)
{
    int64_t least = INT32_MAX;

    for (int i = 0; i < ensemble->count; i++)
        if (home_of(&ensemble->models[i]) < least)
            least = home_of(&ensemble->models[i]);
    return (int32_t)least;
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
