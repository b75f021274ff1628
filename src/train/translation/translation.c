/*
 * translation.c: a translation model as something to train: its batches, its loss, its file.
 */
#include "train/translation/translation.h"

#include <string.h>

#include "base/mem.h"
#include "nn/attn/sentence.h"
#include "train/options.h"

/* ---- model ---------------------------------------------------------------------------------- */

static dgm_status read_options(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    const struct dgm_settings *s = session->settings;

    self->order_options.seed = session->seed;
    self->order_options.batch_tokens = dgm_settings_int(s, "batch-tokens");
    self->order_options.batch_sentences = dgm_settings_int(s, "batch-size");
    self->order_options.window = dgm_settings_int(s, "length-buckets");
    session->schedule.dim = (double)dgm_settings_int(s, "dim-emb");
    DGM_TRY(dgm_translation_check_files(session));
    return dgm_model_check(session->env, s);
}

/* Universal Dependencies have so many relations, before languages add their own. */
enum { USUAL_RELATIONS = 37 };

/* Both vocabularies as large as --dim-vocabs, where no training text is named. */
static dgm_status sketch(struct dgm_session *session, int *done)
{
    struct dgm_translation *self = session->self;
    int64_t vocab = dgm_settings_int(session->settings, "dim-vocabs");
    struct dgm_model_config config;

    if (dgm_settings_count(session->settings, "train-sets") > 0)
        return DGM_OK;
    if (vocab == 0)
        return dgm_fail(session->env, DGM_USAGE, "--dry-run needs --train-sets or --dim-vocabs");
    DGM_TRY(dgm_model_config_read(session->env, &config, session->settings));
    if (dgm_syntax_text_needs_tags(config.syntax))
        config.tags = DGM_TAG_SPECIALS + USUAL_RELATIONS;
    *done = 1;
    session->params = &self->model.net.params;
    DGM_TRY(dgm_net_init(session->env, &self->model.net, &config, vocab, vocab, DGM_VOCAB_EOS));
    return dgm_model_check_typed(session->env, session->settings, &self->model.net);
}

static dgm_status make(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    struct dgm_translation *self = session->self;
    struct dgm_pipeline pipeline;
    dgm_status status;

    memset(&pipeline, 0, sizeof pipeline);
    DGM_TRY(dgm_translation_take_parser(session, NULL));
    status = dgm_translation_learn(session, &pipeline);
    if (status == DGM_OK)
        status = dgm_model_make(env, &self->model, session->settings, &pipeline);
    dgm_pipeline_clear(env, &pipeline);
    session->params = &self->model.net.params;
    return status;
}

static dgm_status allocate(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;

    return dgm_net_allocate(session->env, &self->model.net, session->device, 1);
}

static dgm_status load(struct dgm_session *session, const struct dgm_gguf *file)
{
    struct dgm_translation *self = session->self;

    session->params = &self->model.net.params;
    DGM_TRY(dgm_model_from_gguf(session->env, &self->model, file, session->device, 1));
    return dgm_translation_take_parser(session, file);
}

static dgm_status join(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_translation_replica *own = replica->self;
    struct dgm_translation *self = session->self;

    dgm_step_init(&own->step, replica->device);
    own->net = &self->model.net;
    if (replica->params != NULL)
        return DGM_OK;
    own->net = &own->copy;
    replica->params = &own->copy.params;
    return dgm_net_copy(session->env, &own->copy, &self->model.net, replica->device);
}

static void leave(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_translation_replica *own = replica->self;

    dgm_step_clear(session->env, &own->step);
    dgm_net_clear_copy(session->env, &own->copy);
}

/* As their papers print it: rounded half up to a hundredth of a million. */
static void announce_encoder(const struct dgm_session *session, const struct dgm_net *net)
{
    struct dgm_encoder_size size = dgm_net_encoder_size(net);
    long long hundredths = (long long)(size.weights + 5000) / 10000;

    dgm_log(session->env, DGM_LOG_NOTE,
            "encoder: %lld weights (%lld.%02lldM), %lld with vectors; without embeddings",
            (long long)size.weights, hundredths / 100, hundredths % 100,
            (long long)size.with_vectors);
}

static dgm_status announce(struct dgm_session *session)
{
    const struct dgm_translation *self = session->self;
    const struct dgm_net *net = &self->model.net;

    dgm_log(session->env, DGM_LOG_NOTE, "parameters: %lld (vocabularies %lld and %lld)",
            (long long)dgm_params_count(&net->params), (long long)net->vocab[DGM_SOURCE],
            (long long)net->vocab[DGM_TARGET]);
    if (dgm_params_find(&net->params, "decoder.init.weight") >= 0)
        announce_encoder(session, net);
    return DGM_OK;
}

static dgm_status save(struct dgm_session *session, struct dgm_gguf_writer *writer,
                       dgm_real **values)
{
    struct dgm_translation *self = session->self;

    DGM_TRY(dgm_model_save(session->env, &self->model, writer, values));
    if (!self->has_parser)
        return DGM_OK;
    dgm_release(session->env, self->parser_values);
    self->parser_values = NULL;
    return dgm_parser_save(session->env, &self->parser, writer, &self->parser_values);
}

static void clear(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    struct dgm_translation *self = session->self;

    dgm_batch_clear(env, &self->batch);
    dgm_batch_clear(env, &self->ahead);
    dgm_order_clear(env, &self->order);
    dgm_corpus_clear(env, &self->train);
    dgm_corpus_clear(env, &self->valid);
    dgm_parses_clear(env, &self->parses);
    dgm_model_clear(env, &self->model);
    dgm_parser_clear(env, &self->parser);
    dgm_release(env, self->parser_values);
    dgm_release(env, self->losses);
}

/* ---- batches -------------------------------------------------------------------------------- */

static dgm_status epoch(struct dgm_session *session, int64_t number, int64_t *batches)
{
    struct dgm_translation *self = session->self;

    DGM_TRY(dgm_order_make(session->env, &self->order, &self->train, &self->order_options, number));
    *batches = self->order.batches;
    return DGM_OK;
}

static int64_t sentences(const struct dgm_session *session, int64_t count)
{
    const struct dgm_translation *self = session->self;

    return dgm_order_pairs(&self->order, count);
}

static dgm_status pack(struct dgm_session *session, int64_t b, struct dgm_batch_size *size)
{
    struct dgm_translation *self = session->self;
    const struct dgm_packed *source = &self->batch.source, *target = &self->batch.target;

    DGM_TRY(dgm_order_batch(session->env, &self->order, &self->train, b, &self->batch));
    size->sentences = source->count;
    size->rows = source->offsets[source->count] + target->offsets[target->count];
    return DGM_OK;
}

dgm_status dgm_translation_build(struct dgm_session *session, struct dgm_replica *replica,
                                 int training, double smoothing)
{
    const struct dgm_translation *self = session->self;
    struct dgm_translation_replica *own = replica->self;
    struct dgm_graph *g = &replica->graph;
    uint32_t update = (uint32_t)(session->state.updates + 1);

    DGM_TRY(dgm_net_stage(session->env, own->net, &own->step, &self->batch, training, session->seed,
                          update));
    dgm_graph_begin(g, training, session->seed, update);
    own->parse_losses.of = self->shares;
    own->loss =
        dgm_net_loss(g, own->net, &own->step, smoothing, 1, training ? &own->parse_losses : NULL);
    return DGM_OK;
}

dgm_status dgm_translation_read(struct dgm_session *session, struct dgm_replica *replica,
                                double sums[2], int64_t *labels)
{
    struct dgm_translation *self = session->self;
    const struct dgm_translation_replica *own = replica->self;
    int64_t i;

    *labels = dgm_node_rows(own->loss);
    DGM_TRY(dgm_reserve(session->env, &self->losses, &self->loss_capacity, 2 * (size_t)*labels,
                        sizeof *self->losses));
    DGM_TRY(dgm_graph_read(&replica->graph, own->loss, self->losses));
    sums[0] = sums[1] = 0;
    for (i = 0; i < *labels; i++) {
        sums[0] += (double)self->losses[2 * i];
        sums[1] += (double)self->losses[2 * i + 1];
    }
    return DGM_OK;
}

/*
 * A parse loss is a mean over the supervised rows of a whole update (specification 5, A-16): counts
 * them over its batches when the first one is built. What lies in the next epoch counts by itself.
 */
static dgm_status share_losses(struct dgm_session *session)
{
    struct dgm_translation *self = session->self;
    struct dgm_loss_shares *of = &self->shares;
    int64_t b = session->state.batch > 0 ? session->state.batch - 1 : 0;
    int64_t end = b + session->accumulate - session->part;

    if (session->accumulate == 1 || (session->part > 0 && b > 0))
        return DGM_OK;
    memset(of, 0, sizeof *of);
    for (; b < end && b < session->batches; b++) {
        const struct dgm_packed *target = &self->ahead.target;
        DGM_TRY(dgm_order_batch(session->env, &self->order, &self->train, b, &self->ahead));
        of->rows += target->offsets[target->count];
        if (self->ahead.source.heads != NULL)
            of->supervised[DGM_SOURCE] += dgm_attn_supervised(&self->ahead.source, DGM_SOURCE);
        if (target->heads != NULL)
            of->supervised[DGM_TARGET] += dgm_attn_supervised(target, DGM_TARGET);
    }
    return DGM_OK;
}

static dgm_status build(struct dgm_session *session, struct dgm_replica *replica)
{
    const struct dgm_translation *self = session->self;

    DGM_TRY(share_losses(session));
    return dgm_translation_build(session, replica, 1, self->model.net.config.smoothing);
}

/* The losses of heads that parse go into the log alone: the cost stays that of translating. */
static dgm_status read_parse_losses(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_translation *self = session->self;
    const struct dgm_translation_replica *own = replica->self;
    const struct dgm_parse_losses *losses = &own->parse_losses;
    int64_t rows, k;
    int i;

    for (i = 0; i < losses->count; i++) {
        rows = dgm_node_rows(losses->items[i].node);
        DGM_TRY(dgm_reserve(session->env, &self->losses, &self->loss_capacity, (size_t)rows,
                            sizeof *self->losses));
        DGM_TRY(dgm_graph_read(&replica->graph, losses->items[i].node, self->losses));
        for (k = 0; k < rows; k++)
            session->report.parse_cost += (double)self->losses[k];
        session->report.parse_rows += (double)losses->items[i].supervised;
    }
    return DGM_OK;
}

static dgm_status read_cost(struct dgm_session *session, struct dgm_replica *replica, double *cost,
                            int64_t *labels)
{
    double sums[2];

    DGM_TRY(dgm_translation_read(session, replica, sums, labels));
    *cost = sums[0];
    return read_parse_losses(session, replica);
}

/* ---- the learner ---------------------------------------------------------------------------- */

static const struct dgm_opt *const run_tables[] = { dgm_train_table, NULL };

const struct dgm_learner dgm_translation_learner = {
    .size = sizeof(struct dgm_translation),
    .run_tables = run_tables,
    .model_tables = dgm_model_tables,
    .config_key = "dragoman.config",
    .open = read_options,
    .sketch = sketch,
    .make = make,
    .allocate = allocate,
    .load = load,
    .data = dgm_translation_load,
    .replica_size = sizeof(struct dgm_translation_replica),
    .join = join,
    .leave = leave,
    .announce = announce,
    .epoch = epoch,
    .sentences = sentences,
    .pack = pack,
    .build = build,
    .read = read_cost,
    .validate = dgm_translation_validate,
    .valid_bytes = dgm_translation_valid_bytes,
    .save = save,
    .close = clear,
};

dgm_status dgm_train_run(struct dgm_env *env, const struct dgm_devices *devices,
                         const struct dgm_settings *settings, const struct dgm_train_hooks *hooks)
{
    return dgm_train_learner(env, devices, settings, hooks, &dgm_translation_learner);
}
