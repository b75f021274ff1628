/*
 * replicas.c: copies of a model on several devices: values to them, gradients from them.
 */
#include "train/step/replicas.h"

#include <string.h>

#include "base/mem.h"
#include "train/session.h"

int dgm_replicas_useful(const struct dgm_session *session)
{
    const int64_t ranks = dgm_run_count(&session->run);
    const int64_t batches = (session->run.options.accumulate + ranks - 1) / ranks;

    return batches < session->run.devices->count ? (int)batches : session->run.devices->count;
}

static dgm_status join(struct dgm_session *session, struct dgm_replica *replica)
{
    const struct dgm_learner *learner = session->trainee.learner;

    DGM_TRY(dgm_graph_init(session->run.env, &replica->graph, replica->device));
    replica->graph.recomputes = dgm_settings_flag(session->run.settings, "recompute");
    replica->self = dgm_alloc(session->run.env, 1, learner->replica_size);
    if (replica->self == NULL)
        return DGM_MEMORY;
    return learner->join(session, replica);
}

dgm_status dgm_replicas_init(struct dgm_session *session)
{
    struct dgm_replicas *replicas = &session->replicas;
    const int is_dry = dgm_settings_flag(session->run.settings, "dry-run");
    const int count = is_dry ? 1 : dgm_replicas_useful(session);
    int i;

    replicas->items = dgm_alloc(session->run.env, (size_t)count, sizeof *replicas->items);
    if (replicas->items == NULL)
        return DGM_MEMORY;
    replicas->count = count;
    replicas->items[0].params = session->trainee.params;
    for (i = 0; i < count; i++) {
        replicas->items[i].device = session->run.devices->items[i];
        DGM_TRY(join(session, &replicas->items[i]));
    }
    if (count == 1)
        return DGM_OK;
    replicas->host =
        dgm_alloc(session->run.env, (size_t)session->trainee.params->total, sizeof *replicas->host);
    return replicas->host != NULL ? DGM_OK : DGM_MEMORY;
}

void dgm_replicas_clear(struct dgm_session *session)
{
    struct dgm_replicas *replicas = &session->replicas;
    int i;

    for (i = 0; i < replicas->count; i++) {
        struct dgm_replica *replica = &replicas->items[i];
        dgm_graph_clear(&replica->graph);
        if (replica->self != NULL)
            session->trainee.learner->leave(session, replica);
        dgm_release(session->run.env, replica->self);
    }
    dgm_release(session->run.env, replicas->items);
    dgm_release(session->run.env, replicas->host);
    memset(replicas, 0, sizeof *replicas);
}

/* ---- an update ------------------------------------------------------------------------------ */

static struct dgm_ref start_of(struct dgm_buffer *buffer)
{
    struct dgm_ref ref;

    ref.buffer = buffer;
    ref.offset = 0;
    return ref;
}

static size_t bytes_of(const struct dgm_params *params)
{
    return (size_t)params->total * sizeof(dgm_real);
}

dgm_status dgm_replicas_begin(struct dgm_session *session)
{
    struct dgm_replicas *replicas = &session->replicas;
    const struct dgm_params *params = session->trainee.params;
    int i;

    /* Values are read once and kept on the host; each device gets them when its first batch is due
     * (dgm_replicas_prepare). */
    for (i = 1; i < replicas->count; i++)
        replicas->items[i].is_stale = 1;
    if (replicas->count == 1)
        return DGM_OK;
    return dgm_device_read(session->run.env, params->device, replicas->host,
                           start_of(params->values), bytes_of(params));
}

/* Values are sent to a device only when it is about to compute: the devices before it are at work
 * meanwhile. */
dgm_status dgm_replicas_prepare(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_params *params = replica->params;

    if (replica->is_stale)
        DGM_TRY(dgm_device_write(session->run.env, params->device, start_of(params->values),
                                 session->replicas.host, bytes_of(params)));
    replica->is_stale = 0;
    return dgm_params_zero_grads(session->run.env, params);
}

dgm_status dgm_replicas_collect(struct dgm_session *session, const struct dgm_replica *replica,
                                int is_first_batch)
{
    const struct dgm_params *from = replica->params, *to = session->trainee.params;
    dgm_real *host = session->replicas.host;

    if (dgm_halves_are_on(session))
        DGM_TRY(dgm_halves_round_gradients(session, replica));
    if (session->run.options.accumulate == 1)
        return DGM_OK; /* the optimizer reads the gradients where they are */
    /* The gradients of another device take the place of the first one's, which are in the sum by
     * now, and are added from there: the same addition on the same device, wherever a batch was
     * computed. */
    if (from != to) {
        DGM_TRY(dgm_device_read(session->run.env, from->device, host, start_of(from->grads),
                                bytes_of(from)));
        DGM_TRY(dgm_device_write(session->run.env, to->device, start_of(to->grads), host,
                                 bytes_of(to)));
    }
    return dgm_optimizer_add(session->run.env, &session->optimizer, is_first_batch);
}
