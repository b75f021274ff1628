/*
 * trainer.c: the training loop: batches, updates, log lines, validation, checkpoints, the end.
 */
#include "train/trainer.h"

#include <string.h>

#include "base/mem.h"
#include "base/number.h"
#include "train/session.h"

/* Packs the next batch, going on to the next epoch where one ends. */
static dgm_status next_batch(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    struct dgm_batch_size size;

    if (state->batch == session->batches) {
        state->epoch++;
        state->batch = 0;
        state->sentences = 0;
        DGM_TRY(session->learner->epoch(session, state->epoch, &session->batches));
    }
    DGM_TRY(session->learner->pack(session, state->batch, &size));
    state->batch++;
    state->sentences += size.sentences;
    return DGM_OK;
}

static int64_t completed_epochs(const struct dgm_session *session)
{
    return session->state.epoch - 1 + (session->state.batch == session->batches);
}

/* One update: `accumulate` batches, their gradients summed, divided once by their labels. */
static dgm_status update(struct dgm_session *session)
{
    struct dgm_train_state *state = &session->state;
    double cost, rate = dgm_schedule_rate(&session->schedule, state->updates);
    int64_t k, labels, all_labels = 0;

    session->epochs_before = completed_epochs(session);
    DGM_TRY(dgm_optimizer_begin(session->env, &session->optimizer));
    for (k = 0; k < session->accumulate; k++) {
        DGM_TRY(next_batch(session));
        session->part = k;
        DGM_TRY(session->learner->build(session));
        DGM_TRY(dgm_graph_run(&session->graph));
        DGM_TRY(session->learner->read(session, &cost, &labels));
        DGM_TRY(dgm_device_check_batch(session));
        DGM_TRY(dgm_graph_backward(&session->graph));
        all_labels += labels;
        state->cost += cost;
        state->cost_labels += (double)labels;
    }
    DGM_TRY(dgm_optimizer_update(session->env, &session->optimizer, state->updates + 1, rate,
                                 1 / (double)all_labels, &session->report.last_norm));
    session->report.last_rate = rate;
    state->labels += all_labels;
    state->updates++;
    return DGM_OK;
}

/* ---- what is due --------------------------------------------------------------------------- */

/* Every `length` updates, or with the update that ends every `length`-th epoch; an update of
 * several batches may reach beyond that end. */
static int is_due(const struct dgm_session *session, struct dgm_length length)
{
    int64_t every = (int64_t)length.value;

    if (length.unit == 'e')
        return completed_epochs(session) / every > session->epochs_before / every;
    return session->state.updates % every == 0;
}

static double elapsed(const struct dgm_session *session)
{
    return session->elapsed_before + dgm_report_clock() - session->started;
}

static int has_ended(const struct dgm_session *session)
{
    const struct dgm_train_state *state = &session->state;
    double limit = session->after.value;

    switch (session->after.unit) {
    case 'u': return (double)state->updates >= limit;
    case 't': return (double)state->labels >= limit;
    case 'e': return (double)completed_epochs(session) >= limit;
    case 'h': return elapsed(session) >= 3600 * limit;
    case 'm': return elapsed(session) >= 60 * limit;
    default: return elapsed(session) >= limit;
    }
}

/* ---- validation and saving ----------------------------------------------------------------- */

/* Whether `value` is the best so far; a tie is not. */
static int note_score(struct dgm_train_state *state, double value, int upwards)
{
    int is_best = state->best_update == 0 ||
                  (upwards ? value > state->best : value < state->best);

    if (is_best) {
        state->best = value;
        state->best_update = state->updates;
        state->stalled = 0;
    } else {
        state->stalled++;
    }
    return is_best;
}

dgm_status dgm_session_score(struct dgm_session *session, const char *metric, double value,
                             int upwards)
{
    int decides = strcmp(metric, session->decides) == 0;

    if (decides)
        session->is_best = note_score(&session->state, value, upwards);
    return dgm_report_valid(session->env, &session->report, &session->state, metric, value,
                            decides, session->is_best);
}

static dgm_status save(struct dgm_session *session, int is_regular, int is_best)
{
    struct dgm_gguf_writer writer;
    dgm_real *values = NULL;
    dgm_status status;

    session->state.elapsed = elapsed(session);
    memset(&writer, 0, sizeof writer);
    status = session->learner->save(session, &writer, &values);
    if (status == DGM_OK)
        status = dgm_checkpoints_save(session->env, &session->checkpoints, &writer,
                                      &session->optimizer, &session->state,
                                      session->settings_text.data, is_regular, is_best,
                                      session->keep);
    dgm_gguf_writer_clear(session->env, &writer);
    dgm_release(session->env, values);
    return status;
}

static void show_progress(const struct dgm_session *session)
{
    const struct dgm_train_hooks *hooks = session->hooks;
    char text[64];

    if (hooks->progress == NULL)
        return;
    text[dgm_number_print_fixed(text, session->state.cost / (session->state.cost_labels + 1e-9),
                                3)] = '\0';
    hooks->progress(hooks->progress_user, session->state.batch, session->batches, text);
}

/* Everything that may follow an update; *more = 0 when the run has ended. */
static dgm_status after_update(struct dgm_session *session, int *more)
{
    struct dgm_train_state *state = &session->state;
    int end = has_ended(session);

    session->is_best = 0;
    show_progress(session);
    if (is_due(session, session->display) || end)
        DGM_TRY(dgm_report_update(session->env, &session->report, state, dgm_report_clock()));
    if (session->has_valid && (is_due(session, session->validate) || end))
        DGM_TRY(session->learner->validate(session));
    if (session->patience > 0 && state->stalled >= session->patience)
        end = 1;
    state->finished = end;
    if (is_due(session, session->save) || session->is_best || end)
        DGM_TRY(save(session, is_due(session, session->save) || end, session->is_best));
    *more = !end;
    return DGM_OK;
}

static dgm_status loop(struct dgm_session *session)
{
    int out_of_patience =
        session->patience > 0 && session->state.stalled >= session->patience;
    int more = !session->state.finished || !(has_ended(session) || out_of_patience);

    while (more) {
        DGM_TRY(update(session));
        DGM_TRY(after_update(session, &more));
        if (more && session->hooks->stop != NULL && *session->hooks->stop) {
            DGM_TRY(save(session, 0, 0));
            return dgm_fail(session->env, DGM_INTERRUPTED,
                            "stopped after update %lld and saved; the same command continues",
                            (long long)session->state.updates);
        }
    }
    return DGM_OK;
}

/* ---- beginning and end --------------------------------------------------------------------- */

static void report_megabytes(struct dgm_env *env, const char *what, double bytes)
{
    char text[32];

    text[dgm_number_print_fixed(text, bytes / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_NOTE, "memory: %s %s MiB", what, text);
}

/* The largest batch of the epoch decides the size of a step. */
static dgm_status measure_step(struct dgm_session *session, size_t *bytes)
{
    const struct dgm_learner *learner = session->learner;
    struct dgm_batch_size size;
    int64_t b, chosen = 0, largest = 0;

    for (b = 0; b < session->batches; b++) {
        DGM_TRY(learner->pack(session, b, &size));
        if (size.rows > largest) {
            largest = size.rows;
            chosen = b;
        }
    }
    DGM_TRY(learner->pack(session, chosen, &size));
    DGM_TRY(learner->build(session));
    return dgm_graph_measure(&session->graph, bytes);
}

static dgm_status announce(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    double weights = (double)session->params->total * sizeof(dgm_real);
    size_t step;

    dgm_log(env, DGM_LOG_NOTE, "device: %s; seed %u", session->device->title,
            (unsigned)session->seed);
    DGM_TRY(session->learner->announce(session));
    report_megabytes(env, "weights and gradients", 2 * weights);
    report_megabytes(env, "Adam's moments", 2 * weights);
    DGM_TRY(measure_step(session, &step));
    report_megabytes(env, "largest step", (double)step);
    return DGM_OK;
}

static dgm_status write_model(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    struct dgm_gguf_writer writer;
    dgm_real *values = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    status = session->learner->save(session, &writer, &values);
    if (status == DGM_OK)
        status = dgm_gguf_add_i64(env, &writer, "dragoman.training.updates",
                                  session->state.updates);
    if (status == DGM_OK)
        status = dgm_gguf_add_i64(env, &writer, "dragoman.training.labels",
                                  session->state.labels);
    if (status == DGM_OK)
        status = dgm_gguf_add_u64(env, &writer, "dragoman.training.data",
                                  session->state.train_checksum);
    if (status == DGM_OK)
        status = dgm_gguf_write(env, &writer, dgm_settings_text(session->settings, "model"));
    dgm_gguf_writer_clear(env, &writer);
    dgm_release(env, values);
    return status;
}

/* The final model: the mean of the last checkpoints, the best one, or the last. */
static dgm_status finish(struct dgm_session *session)
{
    int64_t average = dgm_settings_int(session->settings, "average");
    int found = 0;

    if (average > 1)
        DGM_TRY(dgm_checkpoints_average(session->env, &session->checkpoints, session->params,
                                        (size_t)average));
    else if (session->has_valid)
        DGM_TRY(dgm_checkpoints_best(session->env, &session->checkpoints, session->params,
                                     &found));
    DGM_TRY(write_model(session));
    dgm_log(session->env, DGM_LOG_NOTE, "finished after update %lld; model written to %s",
            (long long)session->state.updates, dgm_settings_text(session->settings, "model"));
    return DGM_OK;
}

/* Counts parameters: from the options alone where they are enough, else from the data. */
static dgm_status dry_run(struct dgm_session *session)
{
    int done = 0;

    if (session->learner->sketch != NULL)
        DGM_TRY(session->learner->sketch(session, &done));
    if (!done)
        DGM_TRY(dgm_session_init(session));
    return session->learner->announce(session);
}

static dgm_status run(struct dgm_session *session)
{
    dgm_status status;

    if (dgm_settings_flag(session->settings, "dry-run"))
        return dry_run(session);
    DGM_TRY(dgm_session_init(session));
    DGM_TRY(dgm_report_open(session->env, &session->report, session->checkpoints.folder,
                            session->state.log_bytes));
    session->elapsed_before = session->state.elapsed;
    session->started = dgm_report_clock();
    session->report.shown_labels = (double)session->state.labels;
    DGM_TRY(announce(session));
    dgm_device_check_begin(session);
    status = loop(session);
    dgm_device_check_end(session);
    DGM_TRY(status);
    return finish(session);
}

dgm_status dgm_train_learner(struct dgm_env *env, struct dgm_device *device,
                             const struct dgm_settings *settings,
                             const struct dgm_train_hooks *hooks,
                             const struct dgm_learner *learner)
{
    struct dgm_session session;
    dgm_status status;

    memset(&session, 0, sizeof session);
    session.env = env;
    session.device = device;
    session.settings = settings;
    session.hooks = hooks;
    session.learner = learner;
    session.report.fd = -1;
    session.checkpoints.lock.fd = -1;
    session.self = dgm_alloc(env, 1, learner->size);
    if (session.self == NULL)
        return DGM_MEMORY;
    status = run(&session);
    dgm_session_clear(&session);
    return status;
}
