/*
 * learner.c: a translation model as something to train: its batches, its loss, its file.
 */
#include "train/translation/learner.h"

#include "base/mem.h"
#include "model/guided.h"
#include "nn/attn/syntax.h"
#include "train/options.h"
#include "train/translation/batch.h"
#include "train/translation/probe.h"
#include "train/translation/sets/files.h"
#include "train/translation/sets/form.h"
#include "train/translation/sets/learn.h"
#include "train/translation/sets/load.h"
#include "train/translation/sets/mixture.h"
#include "train/translation/sets/options.h"
#include "train/translation/sets/trees.h"
#include "train/translation/valid.h"

/* What a parent says comes before what the text says. */
static dgm_status settle(struct dgm_env *env, struct dgm_settings *own)
{
    DGM_TRY(dgm_parent_settle(env, own));
    return dgm_sets_form_settle(env, own);
}

/* ---- model ---------------------------------------------------------------------------------- */

static dgm_status read_options(struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_translation *self = trainee->self;

    self->sets.model = &self->model;
    DGM_TRY(dgm_sets_options_read(run, &self->sets));
    trainee->has_valid = self->sets.valid_texts.count > 0;
    return dgm_model_check(run->env, run->settings);
}

/* Universal Dependencies have so many relations, before languages add their own, and tags; of a
 * language's own tags, the Penn Treebank has so many. */
enum { USUAL_RELATIONS = 37, USUAL_UPOS = 17, USUAL_XPOS = 45 };

static void guess_features(struct dgm_model_config *config, unsigned features, int64_t lemmas)
{
    const int64_t usual[DGM_WORD_FEATURES] = { USUAL_RELATIONS, lemmas, USUAL_UPOS, USUAL_XPOS };

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        config->features[kind] = features >> kind & 1 ? DGM_FEATURE_SPECIALS + usual[kind] : 0;
}

/* Both vocabularies as large as --dim-vocabs, where no training text is named. */
static dgm_status sketch(const struct dgm_run *run, struct dgm_trainee *trainee, int *done)
{
    struct dgm_translation *self = trainee->self;
    int64_t vocab = dgm_settings_int(run->settings, "dim-vocabs");
    struct dgm_model_config config;
    unsigned features;

    if (dgm_sets_are_named(run->settings))
        return DGM_OK;
    if (vocab == 0)
        return dgm_fail(run->env, DGM_USAGE,
                        dgm_settings_count(run->settings, "spm") > 0
                            ? "--dry-run with --spm needs --train-sets or --train-list"
                            : "--dry-run needs --train-sets, --train-list or --dim-vocabs");
    DGM_TRY(dgm_model_config_read(run->env, &config, run->settings));
    DGM_TRY(dgm_syntax_text_features(run->env, config.syntax, &features));
    guess_features(&config, features, vocab);
    *done = 1;
    trainee->params = &self->model.net.params;
    DGM_TRY(dgm_net_init(run->env, &self->model.net, &config, vocab, vocab, DGM_VOCAB_EOS));
    return dgm_model_check_typed(run->env, run->settings, &self->model.net);
}

/* That of --parser or, if the model of --init has one, its own. */
static dgm_status take_parser(const struct dgm_run *run, struct dgm_translation *self)
{
    const struct dgm_parent *parent = &self->parent;
    int is_named = dgm_settings_text(run->settings, "parser") != NULL;

    return dgm_sets_trees_take_parser(run, &self->sets,
                                      parent->is_there && !is_named ? &parent->file : NULL);
}

/* From the model of --init, or from the training text. */
static dgm_status make_pipeline(const struct dgm_run *run, struct dgm_translation *self,
                                struct dgm_pipeline *pipeline)
{
    int is_taken;

    DGM_TRY(dgm_parent_pipeline(run, &self->parent, &self->sets.texts, pipeline, &is_taken));
    if (!is_taken)
        DGM_TRY(dgm_sets_learn(run, &self->sets, pipeline));
    return dgm_sets_trees_learn(run, &self->sets, pipeline);
}

static dgm_status make(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_env *env = run->env;
    struct dgm_translation *self = trainee->self;
    struct dgm_pipeline pipeline = { 0 };
    dgm_status status;

    DGM_TRY(dgm_parent_open(run, &self->parent));
    DGM_TRY(take_parser(run, self));
    DGM_TRY_OUT(make_pipeline(run, self, &pipeline));
    DGM_TRY_OUT(dgm_model_make(env, &self->model, run->settings, &pipeline));
    self->model.has_links = self->sets.guide > 0;
    if (self->model.has_links)
        status = dgm_guided_check(env, &self->model.net);
out:
    dgm_pipeline_clear(env, &pipeline);
    trainee->params = &self->model.net.params;
    return status;
}

static dgm_status allocate(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_translation *self = trainee->self;

    return dgm_net_allocate(run->env, &self->model.net, run->device, 1);
}

static dgm_status load(const struct dgm_run *run, struct dgm_trainee *trainee,
                       const struct dgm_gguf *file)
{
    struct dgm_translation *self = trainee->self;

    trainee->params = &self->model.net.params;
    DGM_TRY(dgm_model_from_gguf(run->env, &self->model, file, run->device, 1, NULL));
    DGM_TRY(dgm_sets_files_compare(run, &self->sets));
    return dgm_sets_trees_take_parser(run, &self->sets, file);
}

static dgm_status load_data(struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_windows *windows)
{
    struct dgm_translation *self = trainee->self;

    DGM_TRY(dgm_sets_load(run, &self->sets, windows));
    trainee->corpus = &self->sets.train;
    trainee->first_valid_checksum = self->sets.first_valid_checksum;
    return dgm_sets_mixture_describe(run->env, &self->sets, &trainee->texts);
}

static dgm_status join(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica)
{
    struct dgm_translation_replica *own = replica->self;
    struct dgm_translation *self = trainee->self;

    dgm_step_init(&own->step, replica->device);
    own->net = &self->model.net;
    if (replica->params != NULL)
        return DGM_OK;
    own->net = &own->copy;
    replica->params = &own->copy.params;
    return dgm_net_copy(run->env, &own->copy, &self->model.net, replica->device);
}

static void leave(const struct dgm_run *run, struct dgm_replica *replica)
{
    struct dgm_translation_replica *own = replica->self;

    dgm_step_clear(run->env, &own->step);
    dgm_net_clear_copy(run->env, &own->copy);
}

/* Where codes cut the text, a word is remembered with its pieces: of a corpus of N positions about
 * N / 16 words, as long as there is room for more. */
enum { POSITIONS_OF_A_WORD = 16, BYTES_OF_A_WORD = 96, MOST_WORDS = 1 << 20 };

static double bytes_of_words(const struct dgm_translation *self)
{
    const struct dgm_corpus *train = &self->sets.train;
    double words;

    if (!self->model.pipeline.has_bpe || train->source.count == 0)
        return 0;
    words = train->source.offsets[train->source.count];
    words = (words + train->target.offsets[train->target.count]) / POSITIONS_OF_A_WORD;
    return BYTES_OF_A_WORD * (words < MOST_WORDS ? words : MOST_WORDS);
}

/* The parser's. */
static double table_bytes(const struct dgm_trainee *trainee)
{
    const struct dgm_translation *self = trainee->self;

    return self->sets.has_parser ? dgm_word_vectors_bytes(&self->sets.parser.lexicon.vectors) : 0;
}

static double text_bytes(const struct dgm_trainee *trainee)
{
    const struct dgm_translation *self = trainee->self;

    return 2 * dgm_pipeline_bytes(&self->model.pipeline) + bytes_of_words(self) +
           dgm_sets_bytes(&self->sets);
}

/* The papers on recurrent encoders print sizes in millions with two digits, rounded half up. */
static void announce_encoder(const struct dgm_run *run, const struct dgm_net *net)
{
    struct dgm_encoder_size size = dgm_net_encoder_size(net);
    long long hundredths = (long long)(size.weights + 5000) / 10000;

    dgm_log(run->env, DGM_LOG_NOTE,
            "encoder: %lld weights (%lld.%02lldM), %lld with vectors; without embeddings",
            (long long)size.weights, hundredths / 100, hundredths % 100,
            (long long)size.with_vectors);
}

static dgm_status announce(const struct dgm_run *run, const struct dgm_trainee *trainee)
{
    const struct dgm_translation *self = trainee->self;
    const struct dgm_net *net = &self->model.net;

    dgm_log(run->env, DGM_LOG_NOTE, "parameters: %lld (vocabularies %lld and %lld)",
            (long long)dgm_params_count(&net->params), (long long)net->vocab[DGM_SOURCE],
            (long long)net->vocab[DGM_TARGET]);
    if (dgm_params_find(&net->params, "decoder.init.weight") >= 0)
        announce_encoder(run, net);
    return DGM_OK;
}

static dgm_status save(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_gguf_writer *writer, dgm_real **values)
{
    struct dgm_translation *self = trainee->self;

    DGM_TRY(dgm_model_save(run->env, &self->model, writer, values));
    if (!self->sets.has_parser)
        return DGM_OK;
    dgm_release(run->env, self->parser_values);
    self->parser_values = NULL;
    return dgm_parser_save(run->env, &self->sets.parser, writer, &self->parser_values);
}

static void clear(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_env *env = run->env;
    struct dgm_translation *self = trainee->self;

    dgm_batch_clear(env, &self->ahead);
    dgm_sets_clear(env, &self->sets);
    dgm_parent_clear(env, &self->parent);
    dgm_model_clear(env, &self->model);
    dgm_release(env, self->parser_values);
    dgm_release(env, self->losses);
}

/* ---- the learner ---------------------------------------------------------------------------- */

static const struct dgm_opt *const run_tables[] = { dgm_train_table, NULL };

const struct dgm_learner dgm_translation_learner = {
    .size = sizeof(struct dgm_translation),
    .run_tables = run_tables,
    .model_tables = dgm_model_tables,
    .config_key = DGM_MODEL_CONFIG,
    .settle = settle,
    .open = read_options,
    .sketch = sketch,
    .make = make,
    .allocate = allocate,
    .load = load,
    .begin = dgm_parent_values,
    .data = load_data,
    .replica_size = sizeof(struct dgm_translation_replica),
    .join = join,
    .leave = leave,
    .text_bytes = text_bytes,
    .table_bytes = table_bytes,
    .announce = announce,
    .share = dgm_translation_batch_share,
    .build = dgm_translation_batch_train,
    .read = dgm_translation_batch_cost,
    .probe = dgm_translation_probe,
    .validate = dgm_valid_run,
    .valid_bytes = dgm_valid_bytes,
    .save = save,
    .close = clear,
};
