/*
 * load.c: training and validation text, from files to corpora.
 */
#include "train/translation/sets/load.h"

#include <string.h>

#include "base/hash.h"
#include "train/translation/sets/corpus.h"
#include "train/translation/sets/mixture.h"
#include "train/translation/sets/parses.h"
#include "train/translation/sets/trees.h"

/* Of a text in a cache. */
static uint64_t cache_checksum(const struct dgm_text_facts *facts)
{
    const uint64_t sums[2] = { facts->checksum, facts->tree_checksum };

    return dgm_hash_bytes(sums, sizeof sums);
}

/* Trees count only if some part of the model reads them. */
static uint64_t checksum(const struct dgm_sets *sets, const struct dgm_corpus *corpus)
{
    if (dgm_net_needs(&sets->model->net) != 0 && corpus == &sets->train && sets->cache.is_open)
        return cache_checksum(&sets->cache.facts);
    return dgm_net_needs(&sets->model->net) != 0 ? dgm_corpus_checksum(corpus) : corpus->checksum;
}

/* Of one validation text without a tag its own; of the first `count`, that of theirs and the tags.
 */
static uint64_t valid_checksum(const struct dgm_sets *sets, size_t count)
{
    const struct dgm_text_list *texts = &sets->valid_texts;
    struct dgm_hash hash;

    if (count == 1 && texts->items[0].tag == NULL)
        return checksum(sets, &sets->valid_sets[0].corpus);
    dgm_hash_init(&hash, 0);
    for (size_t i = 0; i < count; i++) {
        const uint64_t sum = checksum(sets, &sets->valid_sets[i].corpus);
        const char *tag = texts->items[i].tag != NULL ? texts->items[i].tag : "";

        dgm_hash_add(&hash, &sum, sizeof sum);
        dgm_hash_add(&hash, tag, strlen(tag) + 1);
    }
    return dgm_hash_value(&hash);
}

static double chance(const struct dgm_settings *settings, const char *option)
{
    return dgm_settings_is_set(settings, option) ? dgm_settings_real(settings, option) : -1.0;
}

/* Batches of training have their pieces drawn; the texts of validation do not. */
static dgm_status draw_pieces(const struct dgm_run *run, struct dgm_sets *sets)
{
    const struct dgm_settings *settings = run->settings;
    const char *drawn =
        dgm_settings_is_set(settings, "spm-sampling") ? "spm-sampling" : "bpe-dropout";

    if (dgm_settings_is_set(settings, drawn) && sets->model->pipeline.has_spm &&
        dgm_net_needs(&sets->model->net) != 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--%s with trees, which are over pieces that stay; expected one of the two",
                        drawn);
    DGM_TRY(dgm_resample_init(run->env, &sets->resample, &sets->model->pipeline,
                              chance(settings, "spm-sampling"), chance(settings, "bpe-dropout"),
                              run->options.seed, (int32_t)sets->model->net.config.max_length));
    sets->train.resample = sets->resample.is_on ? &sets->resample : NULL;
    return DGM_OK;
}

/* So are their lines. */
static dgm_status change_lines(const struct dgm_run *run, struct dgm_sets *sets)
{
    const char *what = dgm_settings_text(run->settings, "augment");

    if (what != NULL && dgm_net_needs(&sets->model->net) != 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--augment with trees, which are of the lines as they are; expected one of "
                        "the two");
    DGM_TRY(dgm_augment_init(run->env, &sets->augment, &sets->model->pipeline, what,
                             run->options.seed, (int32_t)sets->model->net.config.max_length));
    sets->train.augment = sets->augment.is_on ? &sets->augment : NULL;
    return DGM_OK;
}

/* Slots are in the lines as they are read. */
static dgm_status fill_slots(const struct dgm_run *run, struct dgm_sets *sets)
{
    if (!sets->model->pipeline.has_slots)
        return DGM_OK;
    if (dgm_net_needs(&sets->model->net) != 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--placeholders with trees, which are of the lines as they are; expected "
                        "one of the two");
    sets->slots.share = dgm_settings_real(run->settings, "placeholders");
    sets->slots.seed = run->options.seed;
    return DGM_OK;
}

/* What learning to place them is worth is seen of texts that have some. */
static void report_slots(const struct dgm_run *run, const struct dgm_sets *sets)
{
    if (sets->slots.share > 0 && !sets->cache.is_open)
        dgm_log(run->env, DGM_LOG_NOTE, "train: %lld placeholders stand for spans of the pairs",
                (long long)sets->slots.replaced);
}

dgm_status dgm_sets_load(struct dgm_run *run, struct dgm_sets *sets, struct dgm_windows *windows)
{
    DGM_TRY(dgm_sets_trees_check(run, sets));
    DGM_TRY(fill_slots(run, sets));
    DGM_TRY(dgm_sets_corpus_train(run, sets, windows));
    report_slots(run, sets);
    if (sets->cache.is_open) { /* still: an epoch has windows */
        run->state.window_bytes = dgm_settings_bytes(run->settings, "shuffle-memory");
    } else {
        DGM_TRY(dgm_sets_mixture_make(run, sets));
        /* A dry run may have kept the first pairs alone, which a share of theirs may leave out. */
        if (sets->train.source.count == sets->train.used)
            windows->mixture = dgm_sets_mixture(sets);
    }
    DGM_TRY(dgm_sets_parses_add(run, sets));
    DGM_TRY(change_lines(run, sets));
    DGM_TRY(draw_pieces(run, sets));
    run->state.train_checksum = checksum(sets, &sets->train);
    if (sets->valid_texts.count == 0)
        return DGM_OK;
    DGM_TRY(dgm_sets_corpus_valid(run, sets));
    run->state.valid_checksum = valid_checksum(sets, sets->valid_texts.count);
    sets->first_valid_checksum = valid_checksum(sets, 1);
    return DGM_OK;
}
