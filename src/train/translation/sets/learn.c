/*
 * learn.c: codes and vocabularies from the training text, or from files.
 */
#include "train/translation/sets/learn.h"

#include <string.h>

#include "data/text/pipeline_learn.h"
#include "data/text/pipeline_tags.h"
#include "train/translation/sets/parses.h"

const char *const dgm_sets_learn_options[] = { "codes",      "spm",         "vocabs",
                                               "bpe-merges", "vocab-type",  "min-freq",
                                               "dim-vocabs", "learn-lines", NULL };

int dgm_sets_learns_anew(const struct dgm_settings *settings)
{
    for (int i = 0; dgm_sets_learn_options[i] != NULL; i++)
        if (dgm_settings_is_set(settings, dgm_sets_learn_options[i]))
            return dgm_settings_flag(settings, "init-partial");
    return 0;
}

const char *dgm_sets_file(const struct dgm_settings *settings, const char *name, size_t i)
{
    return dgm_settings_count(settings, name) > i ? dgm_settings_item(settings, name, i) : NULL;
}

static int64_t least_count(const struct dgm_settings *settings, size_t side)
{
    size_t last = dgm_settings_count(settings, "min-freq") - 1;

    return dgm_settings_item_int(settings, "min-freq", side < last ? side : last);
}

/* Of either side: half of what both may take. */
static size_t count_memory(const struct dgm_settings *settings)
{
    const uint64_t half = (uint64_t)dgm_settings_bytes(settings, "count-memory") / 2;

    return half < SIZE_MAX ? (size_t)half : SIZE_MAX;
}

dgm_status dgm_sets_learn(const struct dgm_run *run, struct dgm_sets *sets,
                          struct dgm_pipeline *pipeline)
{
    const struct dgm_settings *settings = run->settings;
    struct dgm_pipeline_learn_options learn = { 0 };

    learn.merges = (long)dgm_settings_int(settings, "bpe-merges");
    learn.codes = dgm_settings_text(settings, "codes");
    learn.spm[DGM_SOURCE] = dgm_sets_file(settings, "spm", 0);
    learn.spm[DGM_TARGET] = dgm_sets_file(settings, "spm", 1);
    learn.spm_kind = dgm_settings_text(settings, "vocab-type");
    learn.every_piece = dgm_settings_is_set(settings, "bpe-dropout") ||
                        dgm_settings_text(settings, "augment") != NULL;
    learn.vocab[DGM_SOURCE] = dgm_sets_file(settings, "vocabs", 0);
    learn.vocab[DGM_TARGET] = dgm_sets_file(settings, "vocabs", 1);
    learn.vocab_size = (size_t)dgm_settings_int(settings, "dim-vocabs");
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        learn.min_count[side] = least_count(settings, (size_t)side);
    learn.lines = dgm_settings_int(settings, "learn-lines");
    learn.memory = count_memory(settings);
    learn.on_bad = dgm_sets_on_bad(settings);
    DGM_TRY(dgm_model_pipeline(run->env, pipeline, settings));
    for (size_t i = 0; i < sets->texts.count; i++)
        if (sets->texts.items[i].tag != NULL)
            DGM_TRY(dgm_pipeline_add_tag(run->env, pipeline, sets->texts.items[i].tag,
                                         strlen(sets->texts.items[i].tag)));
    DGM_TRY(dgm_sets_parses_take(run, sets, pipeline));
    learn.parses = pipeline->multitask ? &sets->parses : NULL;
    return dgm_pipeline_learn(run->env, pipeline, &sets->texts, &learn);
}
