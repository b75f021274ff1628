/*
 * learner.c: a dependency parser as something to train: its batches, its losses, its validation.
 */
#include "train/parsing/learner.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/order.h"
#include "tensor/gguf/gguf_write.h"
#include "text/unicode/form_counts.h"
#include "train/options.h"
#include "train/parsing/treebanks.h"
#include "train/parsing/valid.h"
#include "train/parsing/vectors.h"
#include "train/run.h"
#include "train/step/batch_costs.h"
#include "train/step/replicas.h"
#include "train/trainee.h"

enum { MOST_FILES = 64 };

/* The learner's part of a replica: replica->self. */
struct parsing_replica {
    const struct dgm_parser *parser;
    struct dgm_parser copy; /* that, on all devices but the first */
    struct dgm_parser_step step;
    struct dgm_parser_losses losses; /* of the graph built last */
};

/* The learner's own data: trainee->self. */
struct parsing {
    struct dgm_parser parser;
    struct dgm_treebank train;
    struct dgm_text_bank text; /* of the training rows, if the parser learns to cut text */
    struct dgm_corpus view;    /* the training rows as both sides of a corpus: for batches */
    struct dgm_parsing_valid valid;
    dgm_real *host; /* losses on the host */
    size_t host_capacity;
};

/* ---- options and files ----------------------------------------------------------------------- */

static dgm_status open_options(struct dgm_run *run, struct dgm_trainee *trainee)
{
    const struct dgm_settings *s = run->settings;
    struct dgm_parser_config config; /* read to be checked, before any text is */
    size_t train = dgm_settings_count(s, "train-sets");

    trainee->has_valid = dgm_settings_count(s, "valid-sets") > 0;
    if (train < 1 || train > MOST_FILES)
        return dgm_fail(run->env, DGM_USAGE,
                        "--train-sets names %zu files; expected 1..%d treebanks in CoNLL-U", train,
                        (int)MOST_FILES);
    DGM_TRY(dgm_parsing_treebanks_check(run));
    DGM_TRY(dgm_parser_config_read(run->env, &config, s));
    return dgm_parsing_valid_check(run, config.morphs);
}

static dgm_status load_files(const struct dgm_run *run, struct parsing *self, const char *option,
                             struct dgm_treebank *bank)
{
    struct dgm_lexicon *lexicon = &self->parser.lexicon;
    long left_out = 0, more;

    for (size_t i = 0; i < dgm_settings_count(run->settings, option); i++) {
        const char *path = dgm_settings_item(run->settings, option, i);
        const int32_t first = bank->rows.count;

        DGM_TRY(dgm_parsing_treebanks_of(run, option, i, &lexicon->treebanks, &bank->treebank));
        DGM_TRY(dgm_treebank_load(run->env, bank, lexicon, path,
                                  (int32_t)self->parser.config.max_words,
                                  dgm_parsing_multi_root(run->settings), &more));
        if (bank == &self->train)
            dgm_parsing_treebanks_settle(run, lexicon, bank, first, path);
        left_out += more;
    }
    if (bank->rows.count == 0 && left_out > 0)
        return dgm_fail(run->env, DGM_DATA,
                        "--%s: no sentence: all %ld have more words than --max-length %lld; "
                        "expected shorter ones, or a larger --max-length",
                        option, left_out, (long long)self->parser.config.max_words);
    if (bank->rows.count == 0)
        return dgm_fail(run->env, DGM_DATA, "--%s: no sentence; expected at least 1", option);
    dgm_log(run->env, DGM_LOG_NOTE, "%s: %d sentences, %d words, %ld longer than max-length",
            option, (int)bank->rows.count,
            (int)(bank->rows.offsets[bank->rows.count] - bank->rows.count), left_out);
    dgm_parsing_treebanks_tell(run, option, &lexicon->treebanks, bank);
    return DGM_OK;
}

/* The text that the training sentences stand in, under their numbers. */
static dgm_status load_text(const struct dgm_run *run, struct parsing *self)
{
    const struct dgm_settings *s = run->settings;
    uint64_t hash;

    if (self->parser.config.cutter == 0)
        return DGM_OK;
    for (size_t i = 0; i < dgm_settings_count(s, "train-sets"); i++)
        DGM_TRY(dgm_text_bank_load(run->env, &self->text, &self->parser.lexicon.cuts,
                                   dgm_settings_item(s, "train-sets", i),
                                   (int32_t)self->parser.config.max_words,
                                   dgm_parsing_multi_root(s)));
    if (self->text.span_count != (size_t)self->train.rows.count)
        return dgm_fail(run->env, DGM_DATA,
                        "--train-sets: %d sentences, then %zu; expected files that nobody changes",
                        (int)self->train.rows.count, self->text.span_count);
    hash = dgm_hash_value(&self->text.hash);
    dgm_hash_add(&self->train.hash, &hash, sizeof hash);
    dgm_log(run->env, DGM_LOG_NOTE,
            "tokenizer: %zu characters of text, %zu kinds of them, %zu multiword tokens",
            self->text.rows.count, dgm_vocab_size(&self->parser.lexicon.cuts.characters),
            self->parser.lexicon.cuts.multiwords.known.count);
    return DGM_OK;
}

static dgm_status load_data(struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_windows *windows)
{
    struct parsing *self = trainee->self;

    (void)windows; /* a treebank fits into memory */
    DGM_TRY(dgm_parsing_valid_check(run, dgm_parser_morphs(&self->parser)));
    DGM_TRY(load_files(run, self, "train-sets", &self->train));
    dgm_parsing_vectors_tell(run, &self->parser.lexicon.vectors, &self->train);
    DGM_TRY(load_text(run, self));
    run->state.train_checksum = dgm_hash_value(&self->train.hash);
    self->view.source = self->view.target = self->train.rows;
    trainee->corpus = &self->view;
    if (trainee->has_valid) {
        DGM_TRY(load_files(run, self, "valid-sets", &self->valid.bank));
        run->state.valid_checksum = dgm_hash_value(&self->valid.bank.hash);
        trainee->first_valid_checksum = run->state.valid_checksum;
        DGM_TRY(dgm_parsing_valid_take(run, &self->valid, &self->parser));
    }
    return DGM_OK;
}

/* ---- model ----------------------------------------------------------------------------------- */

static dgm_status make(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct parsing *self = trainee->self;
    const struct dgm_settings *s = run->settings;
    const char *paths[MOST_FILES];
    struct dgm_lexicon_options options = { 0 };
    struct dgm_parser_config config;
    struct dgm_lexicon lexicon;
    size_t files = dgm_settings_count(s, "train-sets");
    dgm_status status;

    for (size_t i = 0; i < files; i++)
        paths[i] = dgm_settings_item(s, "train-sets", i);
    DGM_TRY(dgm_parser_config_read(run->env, &config, s));
    options.kind = config.pieces;
    options.min_count = dgm_settings_int(s, "min-freq");
    options.words = (size_t)dgm_settings_int(s, "dim-vocabs");
    options.merges = (long)dgm_settings_int(s, "bpe-merges");
    options.multi_root = dgm_parsing_multi_root(s);
    options.with_text = config.cutter > 0;
    options.morphs = config.morphs;
    options.needed_morphs = config.needed_morphs;
    trainee->params = &self->parser.net.params;
    DGM_TRY(dgm_lexicon_learn(run->env, &lexicon, paths, files, &options));
    status = dgm_parsing_vectors_read(run, &lexicon.vectors);
    if (status == DGM_OK)
        status = dgm_parsing_treebanks_read(run, &lexicon.treebanks);
    if (status == DGM_OK)
        status = dgm_parser_make(run->env, &self->parser, s, &lexicon);
    dgm_lexicon_clear(run->env, &lexicon);
    return status;
}

static dgm_status allocate(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct parsing *self = trainee->self;

    return dgm_net_allocate(run->env, &self->parser.net, run->device, 1);
}

static dgm_status load(const struct dgm_run *run, struct dgm_trainee *trainee,
                       const struct dgm_gguf *file)
{
    struct parsing *self = trainee->self;
    char folder[1024]; /* of the checkpoints */

    trainee->params = &self->parser.net.params;
    snprintf(folder, sizeof folder, "%s.ckpt", dgm_settings_text(run->settings, "model"));
    DGM_TRY(dgm_parser_resume(run->env, &self->parser, file, run->device));
    DGM_TRY(dgm_parsing_treebanks_compare(run, folder, &self->parser.lexicon.treebanks));
    return dgm_parsing_vectors_compare(run, folder, &self->parser.lexicon.vectors);
}

/* A copy shares everything but the device's memory. */
static dgm_status join(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica)
{
    struct parsing_replica *own = replica->self;
    struct parsing *self = trainee->self;

    dgm_parser_step_init(&own->step, replica->device);
    own->parser = &self->parser;
    if (replica->params != NULL)
        return DGM_OK;
    own->copy = self->parser;
    own->parser = &own->copy;
    replica->params = &own->copy.net.params;
    return dgm_net_copy(run->env, &own->copy.net, &self->parser.net, replica->device);
}

static void leave(const struct dgm_run *run, struct dgm_replica *replica)
{
    struct parsing_replica *own = replica->self;

    dgm_parser_step_clear(run->env, &own->step);
    dgm_net_clear_copy(run->env, &own->copy.net);
}

/* Twice: what grows as it is filled has room for as much again. */
static double text_bytes(const struct dgm_trainee *trainee)
{
    const struct parsing *self = trainee->self;
    const double of_a_character = 3 * sizeof(int32_t);

    return 2 * (dgm_treebank_bytes(&self->train) + dgm_parsing_valid_size(&self->valid) +
                dgm_lexicon_bytes(&self->parser.lexicon) +
                of_a_character * (double)self->text.rows.count);
}

static double table_bytes(const struct dgm_trainee *trainee)
{
    const struct parsing *self = trainee->self;

    return dgm_word_vectors_bytes(&self->parser.lexicon.vectors);
}

static dgm_status announce(const struct dgm_run *run, const struct dgm_trainee *trainee)
{
    const struct parsing *self = trainee->self;
    const struct dgm_lexicon *lexicon = &self->parser.lexicon;

    dgm_log(run->env, DGM_LOG_NOTE,
            "parameters: %lld (%zu words, %zu pieces, %lld tags, %lld labels)",
            (long long)dgm_params_count(trainee->params), dgm_vocab_size(&lexicon->words),
            dgm_vocab_size(&lexicon->pieces), (long long)self->parser.tags,
            (long long)self->parser.labels);
    dgm_form_counts_warn(run->env, &lexicon->words.map, "words");
    if (self->parser.config.morphs != 0)
        dgm_log(run->env, DGM_LOG_NOTE, "columns: %lld XPOS, %lld FEATS, %lld scripts of lemmas",
                (long long)self->parser.morphs[DGM_MORPH_XPOS].classes,
                (long long)self->parser.morphs[DGM_MORPH_FEATS].classes,
                (long long)self->parser.morphs[DGM_MORPH_LEMMA].classes);
    return DGM_OK;
}

static dgm_status save(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_gguf_writer *writer, dgm_real **values)
{
    const struct parsing *self = trainee->self;

    DGM_TRY(dgm_gguf_add_text(run->env, writer, "general.architecture", "dragoman", 8));
    return dgm_parser_save(run->env, &self->parser, writer, values);
}

static void clear(const struct dgm_run *run, struct dgm_trainee *trainee)
{
    struct dgm_env *env = run->env;
    struct parsing *self = trainee->self;

    dgm_treebank_clear(env, &self->train);
    dgm_text_bank_clear(env, &self->text);
    dgm_parsing_valid_clear(env, &self->valid);
    dgm_parser_clear(env, &self->parser);
    dgm_release(env, self->host);
}

/* ---- batches --------------------------------------------------------------------------------- */

static dgm_status build(const struct dgm_run *run, struct dgm_trainee *trainee,
                        const struct dgm_batch *batch, struct dgm_replica *replica)
{
    const struct parsing *self = trainee->self;
    struct parsing_replica *own = replica->self;
    struct dgm_graph *g = &replica->graph;
    uint32_t update = (uint32_t)(run->state.updates + 1);

    own->step.text = self->parser.config.cutter > 0 ? &self->text : NULL;
    DGM_TRY(dgm_parser_stage(run->env, own->parser, &own->step, &self->train, batch->numbers,
                             batch->source.count, NULL, 1, run->options.seed, update));
    dgm_graph_begin(g, 1, run->options.seed, update);
    dgm_parser_loss(g, own->parser, &own->step, &own->losses);
    return DGM_OK;
}

/* Adds up the first column of a loss node (rows, cols). */
static dgm_status add_losses(const struct dgm_run *run, struct parsing *self,
                             struct dgm_replica *replica, const struct dgm_node *node, size_t cols,
                             double *sum)
{
    size_t rows = node == NULL ? 0 : (size_t)dgm_node_rows(node);

    if (rows == 0)
        return DGM_OK;
    DGM_TRY(
        dgm_reserve(run->env, &self->host, &self->host_capacity, rows * cols, sizeof *self->host));
    DGM_TRY(dgm_graph_read(&replica->graph, node, self->host));
    for (size_t i = 0; i < rows; i++)
        *sum += (double)self->host[i * cols];
    return DGM_OK;
}

/* The cost of a word is that of its head, its label and its tag, of its other columns, as they are
 * weighed, and of its characters. */
static dgm_status read_cost(const struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_replica *replica, struct dgm_batch_cost *cost)
{
    const struct parsing_replica *own = replica->self;
    struct parsing *self = trainee->self;
    double *sum = &cost->cost, morphs = 0;

    *cost = (struct dgm_batch_cost){ .labels = own->step.arc_count };
    DGM_TRY(add_losses(run, self, replica, own->losses.arcs, 1, sum));
    DGM_TRY(add_losses(run, self, replica, own->losses.labels, 2, sum));
    DGM_TRY(add_losses(run, self, replica, own->losses.tags, 2, sum));
    for (int m = 0; m < DGM_MORPHS; m++)
        DGM_TRY(add_losses(run, self, replica, own->losses.morphs[m], 2, &morphs));
    *sum += own->parser->config.morph_weight * morphs;
    return add_losses(run, self, replica, own->losses.cuts, 2, sum);
}

/* ---- validation ------------------------------------------------------------------------------ */

static dgm_status validate(const struct dgm_run *run, struct dgm_trainee *trainee,
                           struct dgm_replica *replica, struct dgm_judge *judge)
{
    struct parsing *self = trainee->self;

    (void)replica;
    return dgm_parsing_valid_run(run, &self->valid, &self->parser, judge);
}

static dgm_status valid_bytes(const struct dgm_run *run, struct dgm_trainee *trainee, double *bytes)
{
    struct parsing *self = trainee->self;

    return dgm_parsing_valid_bytes(run, &self->valid, &self->parser, bytes);
}

/* ---- the learner ----------------------------------------------------------------------------- */

static const struct dgm_opt *const run_tables[] = { dgm_train_parser_table, NULL };
static const struct dgm_opt *const model_tables[] = { dgm_parser_options, NULL };

/* A model's file does not name a dropout of 0: its absence means that, as in files that are older
 * than the option, whose training goes on with --tokenizer-dropout 0. */
static dgm_status settle_tokenizer(struct dgm_env *env, struct dgm_settings *own)
{
    static const char name[] = "tokenizer-dropout";

    if (!dgm_settings_flag(own, "tokenizer") || dgm_settings_is_set(own, name))
        return DGM_OK;
    return dgm_settings_set(env, own, name, "0.15", "--tokenizer");
}

const struct dgm_learner dgm_parsing_learner = {
    .size = sizeof(struct parsing),
    .run_tables = run_tables,
    .model_tables = model_tables,
    .config_key = "dragoman.parser.config",
    .settle = settle_tokenizer,
    .open = open_options,
    .sketch = NULL,
    .make = make,
    .allocate = allocate,
    .load = load,
    .data = load_data,
    .replica_size = sizeof(struct parsing_replica),
    .join = join,
    .leave = leave,
    .text_bytes = text_bytes,
    .table_bytes = table_bytes,
    .announce = announce,
    .build = build,
    .read = read_cost,
    .validate = validate,
    .valid_bytes = valid_bytes,
    .valid_stays = 1,
    .save = save,
    .close = clear,
};
