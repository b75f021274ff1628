/*
 * translation_data.c: the texts that a translation model is trained and validated on.
 */
#include "train/translation/sets/data.h"

#include <string.h>

#include "base/hash.h"
#include "base/lines/compression.h"
#include "data/text/pipeline_learn.h"
#include "data/text/pipeline_tags.h"
#include "text/tokenize/language.h"
#include "train/translation/sets/cache.h"
#include "train/translation/sets/mixture.h"
#include "train/translation/sets/parses.h"
#include "train/translation/sets/sets.h"
#include "train/translation/sets/text.h"
#include "train/translation/sets/trees.h"
#include "train/translation/translation_init.h"

const char *dgm_translation_data_file(const struct dgm_run *run, const char *name, size_t i)
{
    return dgm_settings_count(run->settings, name) > i ? dgm_settings_item(run->settings, name, i)
                                                       : NULL;
}

/* Whether a file is called after a language: train.de, train.de.gz, train.de.zst. */
static int is_named_after(const char *path, const char *language)
{
    size_t length = strlen(path), code = strlen(language);

    length -= dgm_compression_suffix(path);
    return length > code + 1 && path[length - code - 1] == '.' &&
           memcmp(path + length - code, language, code) == 0;
}

/* The rules of a wrong language would cost quality without a word: what nobody has named must be
 * what the file is called. */
static dgm_status check_name(const struct dgm_run *run, const struct dgm_text *text, int side)
{
    const char *what = side == DGM_SOURCE ? "--source-lang" : "--target-lang";
    const char *language = dgm_settings_text(run->settings, what + 2);

    if (text->path[DGM_TARGET] != NULL && is_named_after(text->path[side], language))
        return DGM_OK;
    return dgm_fail_at(run->env, DGM_USAGE, dgm_text_path(text, side), 0, 0,
                       "no %s, and the file is not called "
                       "after \"%s\", the default; expected %s CODE, whose rules cut the text "
                       "into words, or --tokenize none",
                       what, language, what);
}

static dgm_status check_language(const struct dgm_run *run, const struct dgm_translation *self,
                                 int side)
{
    const struct dgm_settings *s = run->settings;
    const char *what = side == DGM_SOURCE ? "--source-lang" : "--target-lang", *option = what + 2;
    const char *language = dgm_settings_text(s, option);
    int has_rules = strcmp(dgm_settings_text(s, "tokenize"), "moses") == 0;

    DGM_TRY(dgm_language_check(run->env, what, language));
    if (!has_rules && !dgm_settings_flag(s, "normalize-punctuation"))
        return DGM_OK;
    for (size_t i = 0; i < self->texts.count && !dgm_settings_is_set(s, option); i++)
        DGM_TRY(check_name(run, &self->texts.items[i], side));
    if (has_rules)
        dgm_language_warn(run->env, language);
    return DGM_OK;
}

/* One number is that of both sides; a joint vocabulary has no sides. */
static dgm_status check_least_counts(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    size_t count = dgm_settings_count(s, "min-freq");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (count > 2)
        return dgm_fail(run->env, DGM_USAGE,
                        "--min-freq names %zu numbers; expected one for both sides, or two", count);
    if (count == 2 && is_joint)
        return dgm_fail(run->env, DGM_USAGE,
                        "--min-freq names two numbers, and --tied-embeddings all has one "
                        "vocabulary; expected one number, which counts on both sides together");
    return DGM_OK;
}

static int64_t least_count(const struct dgm_settings *settings, size_t side)
{
    size_t last = dgm_settings_count(settings, "min-freq") - 1;

    return dgm_settings_item_int(settings, "min-freq", side < last ? side : last);
}

/* What has no meaning where models of SentencePiece are learned. */
static dgm_status check_vocab_type(const struct dgm_run *run)
{
    static const char *const others[] = { "codes", "bpe-merges", "min-freq", "spm", "vocabs" };
    const struct dgm_settings *s = run->settings;
    const char *kind = dgm_settings_text(s, "vocab-type");

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (dgm_settings_is_set(s, others[i]))
            return dgm_fail(run->env, DGM_USAGE,
                            "%s%s with --vocab-type %s, which learns all pieces; expected one of "
                            "the two",
                            dgm_settings_is_typed(s, others[i]) ? "--" : "", others[i], kind);
    return DGM_OK;
}

/* Pieces that are drawn anew in each epoch: not of brackets, and not where links name pieces. */
static dgm_status check_drawn(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const char *drawn = dgm_settings_is_set(s, "spm-sampling") ? "spm-sampling" : "bpe-dropout";

    if (!dgm_settings_is_set(s, drawn))
        return DGM_OK;
    if (dgm_settings_flag(s, "multitask"))
        return dgm_fail(run->env, DGM_USAGE,
                        "--%s with --multitask, whose brackets are never cut; expected one of the "
                        "two",
                        drawn);
    if (dgm_settings_is_set(s, "guided-alignment"))
        return dgm_fail(run->env, DGM_USAGE,
                        "--%s with --guided-alignment, whose links are of pieces that stay; "
                        "expected one of the two",
                        drawn);
    return DGM_OK;
}

static int learns_spm(const struct dgm_settings *settings)
{
    return dgm_settings_is_set(settings, "vocab-type") &&
           strcmp(dgm_settings_text(settings, "vocab-type"), "bpe") != 0;
}

/* What has no meaning where the models of --spm have all pieces. */
static dgm_status check_spm(const struct dgm_run *run)
{
    static const char *const others[] = { "codes", "bpe-merges", "dim-vocabs", "min-freq",
                                          "learn-lines" };
    const struct dgm_settings *s = run->settings;
    const size_t files = dgm_settings_count(s, "spm");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (strcmp(dgm_settings_text(s, "tokenize"), "spm") != 0)
        return DGM_OK;
    if (learns_spm(s))
        return check_vocab_type(run);
    if (files == 0 && (dgm_settings_text(s, "init") == NULL || dgm_translation_init_has_text(s)))
        return dgm_fail(run->env, DGM_USAGE,
                        "--tokenize spm without --spm; expected SentencePiece models, or "
                        "--tokenize moses or none");
    if (files > (is_joint ? 1 : 2))
        return dgm_fail(run->env, DGM_USAGE, "--spm names %zu files; expected %s", files,
                        is_joint ? "one, since --tied-embeddings all has one vocabulary"
                                 : "one for both sides, or two");
    for (size_t i = 0; files > 0 && i < sizeof others / sizeof others[0]; i++)
        if (dgm_settings_is_set(s, others[i]))
            return dgm_fail(run->env, DGM_USAGE,
                            "%s%s with --spm, whose models have their pieces; expected one of the "
                            "two",
                            dgm_settings_is_typed(s, others[i]) ? "--" : "", others[i]);
    return DGM_OK;
}

/* A file for each vocabulary. */
static dgm_status check_vocabs(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;
    const size_t files = dgm_settings_count(s, "vocabs");
    int is_joint = strcmp(dgm_settings_text(s, "tied-embeddings"), "all") == 0;

    if (files == 0 || files == (is_joint ? 1 : 2))
        return DGM_OK;
    /* As Marian's configurations name a joint one. */
    if (files == 2 &&
        strcmp(dgm_settings_item(s, "vocabs", 0), dgm_settings_item(s, "vocabs", 1)) == 0)
        return DGM_OK;
    return dgm_fail(run->env, DGM_USAGE, "--vocabs names %zu file%s; expected %s", files,
                    files == 1 ? "" : "s",
                    is_joint ? "one, since --tied-embeddings all has one vocabulary, or "
                               "--tied-embeddings decoder"
                             : "two, one for each side (the same file may be named twice)");
}

/* What a file has all of is not learned: numbers that say how would be of no effect. A recipe may
 * name them, for runs without the file. */
static dgm_status check_learned(const struct dgm_run *run)
{
    static const struct {
        const char *file, *option, *has;
    } pairs[] = { { "codes", "bpe-merges", "merges" },
                  { "vocabs", "dim-vocabs", "entries" },
                  { "vocabs", "min-freq", "entries" } };
    const struct dgm_settings *s = run->settings;
    /* The least count of a lemma, too (translation_trees.c). */
    const int counts_lemmas = strstr(dgm_settings_text(s, "syntax"), "lemma") != NULL;

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (dgm_settings_is_set(s, pairs[i].file) && dgm_settings_is_typed(s, pairs[i].option) &&
            !(counts_lemmas && strcmp(pairs[i].option, "min-freq") == 0))
            return dgm_fail(run->env, DGM_USAGE,
                            "--%s with %s%s, which has all %s; expected one of the two",
                            pairs[i].option, dgm_settings_is_typed(s, pairs[i].file) ? "--" : "",
                            pairs[i].file, pairs[i].has);
    return DGM_OK;
}

/* Files of codes and vocabularies, where the run learns from its own text. */
static dgm_status check_files(const struct dgm_run *run)
{
    const struct dgm_settings *s = run->settings;

    if (dgm_settings_text(s, "init") != NULL && !dgm_translation_init_has_text(s))
        return DGM_OK;
    DGM_TRY(check_vocabs(run));
    return check_learned(run);
}

/* What a validation alone has. --valid-freq also says when the model's health is measured. */
static dgm_status check_validation(const struct dgm_run *run, const struct dgm_translation *self)
{
    const struct dgm_settings *settings = run->settings;

    if (self->valid_texts.count == 0 && run->options.patience > 0)
        return dgm_fail(run->env, DGM_USAGE, "--early-stopping needs --valid-sets");
    DGM_TRY(dgm_settings_check_partner(run->env, settings, "valid-metrics", "valid-sets"));
    return dgm_settings_check_partner(run->env, settings, "beam-size", "valid-sets");
}

dgm_status dgm_translation_data_check(struct dgm_run *run, struct dgm_translation *self)
{
    DGM_TRY(dgm_translation_sets_read(run, self));
    DGM_TRY(check_least_counts(run));
    DGM_TRY(check_spm(run));
    DGM_TRY(check_files(run));
    DGM_TRY(check_drawn(run));
    DGM_TRY(check_validation(run, self));
    DGM_TRY(dgm_translation_parses_check(run));
    DGM_TRY(dgm_translation_cache_check(run));
    DGM_TRY(check_language(run, self, DGM_SOURCE));
    DGM_TRY(check_language(run, self, DGM_TARGET));
    return dgm_translation_sets_check(run, self);
}

enum dgm_bad_line dgm_translation_data_on_bad(const struct dgm_settings *settings)
{
    const char *what = dgm_settings_text(settings, "on-bad-line");

    return strcmp(what, "skip") == 0      ? DGM_BAD_LINE_SKIP
           : strcmp(what, "replace") == 0 ? DGM_BAD_LINE_REPLACE
                                          : DGM_BAD_LINE_ERROR;
}

/* Of either side: half of what both may take. */
static size_t count_memory(const struct dgm_settings *settings)
{
    const uint64_t half = (uint64_t)dgm_settings_bytes(settings, "count-memory") / 2;

    return half < SIZE_MAX ? (size_t)half : SIZE_MAX;
}

static dgm_status learn_text(const struct dgm_run *run, struct dgm_translation *self,
                             struct dgm_pipeline *pipeline)
{
    const struct dgm_settings *settings = run->settings;
    struct dgm_pipeline_learn_options learn;

    memset(&learn, 0, sizeof learn);
    learn.merges = (long)dgm_settings_int(settings, "bpe-merges");
    learn.codes = dgm_settings_text(settings, "codes");
    learn.spm[DGM_SOURCE] = dgm_translation_data_file(run, "spm", 0);
    learn.spm[DGM_TARGET] = dgm_translation_data_file(run, "spm", 1);
    learn.spm_kind = dgm_settings_text(settings, "vocab-type");
    learn.every_piece = dgm_settings_is_set(settings, "bpe-dropout");
    learn.vocab[DGM_SOURCE] = dgm_translation_data_file(run, "vocabs", 0);
    learn.vocab[DGM_TARGET] = dgm_translation_data_file(run, "vocabs", 1);
    learn.vocab_size = (size_t)dgm_settings_int(settings, "dim-vocabs");
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        learn.min_count[side] = least_count(settings, (size_t)side);
    learn.lines = dgm_settings_int(settings, "learn-lines");
    learn.memory = count_memory(settings);
    learn.on_bad = dgm_translation_data_on_bad(settings);
    DGM_TRY(dgm_model_pipeline(run->env, pipeline, settings));
    for (size_t i = 0; i < self->texts.count; i++)
        if (self->texts.items[i].tag != NULL)
            DGM_TRY(dgm_pipeline_add_tag(run->env, pipeline, self->texts.items[i].tag,
                                         strlen(self->texts.items[i].tag)));
    DGM_TRY(dgm_translation_parses_take(run, self, pipeline));
    learn.parses = pipeline->multitask ? &self->parses : NULL;
    return dgm_pipeline_learn(run->env, pipeline, &self->texts, &learn);
}

dgm_status dgm_translation_data_pipeline(const struct dgm_run *run, struct dgm_translation *self,
                                         struct dgm_pipeline *pipeline)
{
    int is_taken;

    DGM_TRY(dgm_translation_init_pipeline(run, self, pipeline, &is_taken));
    if (!is_taken)
        DGM_TRY(learn_text(run, self, pipeline));
    return dgm_translation_trees_learn(run, self, pipeline);
}

/* Of a text in a cache. */
static uint64_t cache_checksum(const struct dgm_text_facts *facts)
{
    const uint64_t sums[2] = { facts->checksum, facts->tree_checksum };

    return dgm_hash_bytes(sums, sizeof sums);
}

/* Trees count only if some part of the model reads them. */
static uint64_t checksum(const struct dgm_translation *self, const struct dgm_corpus *corpus)
{
    if (dgm_net_needs(&self->model.net) != 0 && corpus == &self->train && self->cache.is_open)
        return cache_checksum(&self->cache.facts);
    return dgm_net_needs(&self->model.net) != 0 ? dgm_corpus_checksum(corpus) : corpus->checksum;
}

/* Of one validation text without a tag its own; else, that of theirs and the tags. */
static uint64_t valid_checksum(const struct dgm_translation *self)
{
    const struct dgm_text_list *texts = &self->valid_texts;
    struct dgm_hash hash;

    if (texts->count == 1 && texts->items[0].tag == NULL)
        return checksum(self, &self->valid_sets[0].corpus);
    dgm_hash_init(&hash, 0);
    for (size_t i = 0; i < texts->count; i++) {
        const uint64_t sum = checksum(self, &self->valid_sets[i].corpus);
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
static dgm_status draw_pieces(const struct dgm_run *run, struct dgm_translation *self)
{
    const struct dgm_settings *settings = run->settings;
    const char *drawn =
        dgm_settings_is_set(settings, "spm-sampling") ? "spm-sampling" : "bpe-dropout";

    if (dgm_settings_is_set(settings, drawn) && self->model.pipeline.has_spm &&
        dgm_net_needs(&self->model.net) != 0)
        return dgm_fail(run->env, DGM_USAGE,
                        "--%s with trees, which are over pieces that stay; expected one of the two",
                        drawn);
    DGM_TRY(dgm_resample_init(run->env, &self->resample, &self->model.pipeline,
                              chance(settings, "spm-sampling"), chance(settings, "bpe-dropout"),
                              run->options.seed, (int32_t)self->model.net.config.max_length));
    self->train.resample = self->resample.is_on ? &self->resample : NULL;
    return DGM_OK;
}

dgm_status dgm_translation_data_load(struct dgm_run *run, struct dgm_trainee *trainee,
                                     struct dgm_windows *windows)
{
    struct dgm_translation *self = trainee->self;

    DGM_TRY(dgm_translation_trees_check(run, self));
    DGM_TRY(dgm_translation_text_train(run, self, windows));
    if (self->cache.is_open)
        run->state.window_bytes = dgm_settings_bytes(run->settings, "shuffle-memory");
    if (!self->cache.is_open) {
        DGM_TRY(dgm_translation_mixture_make(run, self));
        /* A dry run may have kept the first pairs alone, which a share of theirs may leave out. */
        if (self->train.source.count == self->train.used)
            windows->mixture = dgm_translation_mixture(self);
    }
    DGM_TRY(dgm_translation_mixture_describe(run->env, self, &trainee->texts));
    DGM_TRY(dgm_translation_parses_add(run, self));
    DGM_TRY(draw_pieces(run, self));
    trainee->corpus = &self->train;
    run->state.train_checksum = checksum(self, &self->train);
    if (!trainee->has_valid)
        return DGM_OK;
    DGM_TRY(dgm_translation_text_valid(run, self));
    run->state.valid_checksum = valid_checksum(self);
    return DGM_OK;
}
