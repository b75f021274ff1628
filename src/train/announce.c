/*
 * announce.c: what a training run says of itself before its first update: devices, memory, size.
 */
#include <string.h>

#include "base/number.h"
#include "train/session.h"

static void report_megabytes(struct dgm_env *env, const char *what, double bytes)
{
    char text[32];

    text[dgm_number_print_fixed(text, bytes / 1048576, 1)] = '\0';
    dgm_log(env, DGM_LOG_NOTE, "memory: %s %s MiB", what, text);
}

/* On every device: one that is too small ends the run before its first update. */
static dgm_status measure_build(struct dgm_session *session, size_t *bytes)
{
    int i;

    for (i = session->replicas.count - 1; i >= 0; i--) {
        struct dgm_replica *replica = &session->replicas.items[i];
        DGM_TRY(session->learner->build(session, replica));
        DGM_TRY(dgm_graph_measure(&replica->graph, bytes));
    }
    return DGM_OK;
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
    return measure_build(session, bytes);
}

/* The others, what they do not do, and what they may change. */
static void announce_more_devices(const struct dgm_session *session)
{
    const struct dgm_devices *devices = session->devices;
    const int used = session->replicas.count;
    int i, are_alike = 1;

    for (i = 1; i < used; i++) {
        dgm_log(session->env, DGM_LOG_NOTE, "device: %s", devices->items[i]->title);
        are_alike &= strcmp(devices->items[i]->title, session->device->title) == 0;
    }
    if (!are_alike)
        dgm_log(session->env, DGM_LOG_NOTE, "devices of different kinds round differently: the "
                "bytes of the model depend on which of them compute, and in what order");
    if (used < devices->count)
        dgm_log(session->env, DGM_LOG_WARNING, "devices share the batches of an update: %d of %d "
                "have nothing to do with --accumulate %lld", devices->count - used,
                devices->count, (long long)session->accumulate);
}

dgm_status dgm_session_announce(struct dgm_session *session)
{
    struct dgm_env *env = session->env;
    double weights = (double)session->params->total * sizeof(dgm_real);
    size_t step = 0;

    dgm_log(env, DGM_LOG_NOTE, "device: %s; seed %u", session->device->title,
            (unsigned)session->seed);
    announce_more_devices(session);
    DGM_TRY(session->learner->announce(session));
    report_megabytes(env, "weights and gradients", 2 * weights);
    if (session->optimizer.sum != NULL)
        report_megabytes(env, "the sum of gradients", weights);
    report_megabytes(env, "Adam's moments", 2 * weights);
    DGM_TRY(measure_step(session, &step));
    report_megabytes(env, "largest step", (double)step);
    return DGM_OK;
}
