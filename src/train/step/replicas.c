/*
 * replicas.c: copies of a model on several devices: values to them, gradients from them.
 */
#include "train/step/replicas.h"

#include <string.h>

#include "base/mem.h"
#include "train/learner.h"
#include "train/step/exchange/halves.h"

int dgm_replicas_useful(const struct dgm_run *run)
{
    const int64_t ranks = dgm_run_count(run);
    const int64_t batches = (run->options.accumulate + ranks - 1) / ranks;

    return batches < run->devices->count ? (int)batches : run->devices->count;
}

static dgm_status join(const struct dgm_run *run, struct dgm_trainee *trainee,
                       struct dgm_replica *replica)
{
    const struct dgm_learner *learner = trainee->learner;

    DGM_TRY(dgm_graph_init(run->env, &replica->graph, replica->device));
    replica->graph.recomputes = dgm_settings_flag(run->settings, "recompute");
    DGM_TRY(dgm_new(run->env, &replica->self, 1, learner->replica_size));
    return learner->join(run, trainee, replica);
}

dgm_status dgm_replicas_init(const struct dgm_run *run, struct dgm_trainee *trainee,
                             struct dgm_replicas *replicas)
{
    const int is_dry = dgm_settings_flag(run->settings, "dry-run");
    const int count = is_dry ? 1 : dgm_replicas_useful(run);

    DGM_TRY(dgm_new(run->env, &replicas->items, (size_t)count, sizeof *replicas->items));
    replicas->count = count;
    replicas->items[0].params = trainee->params;
    for (int i = 0; i < count; i++) {
        replicas->items[i].device = run->devices->items[i];
        DGM_TRY(join(run, trainee, &replicas->items[i]));
    }
    if (count == 1)
        return DGM_OK;
    return dgm_new(run->env, &replicas->host, (size_t)trainee->params->total,
                   sizeof *replicas->host);
}

void dgm_replicas_clear(const struct dgm_run *run, const struct dgm_trainee *trainee,
                        struct dgm_replicas *replicas)
{
    for (int i = 0; i < replicas->count; i++) {
        struct dgm_replica *replica = &replicas->items[i];
        dgm_graph_clear(&replica->graph);
        if (replica->self != NULL)
            trainee->learner->leave(run, replica);
        dgm_release(run->env, replica->self);
    }
    dgm_release(run->env, replicas->items);
    dgm_release(run->env, replicas->host);
    memset(replicas, 0, sizeof *replicas);
}

/* ---- an update ------------------------------------------------------------------------------ */

static struct dgm_ref start_of(struct dgm_buffer *buffer)
{
    return (struct dgm_ref){ buffer, 0 };
}

static size_t bytes_of(const struct dgm_params *params)
{
    return (size_t)params->total * sizeof(dgm_real);
}

dgm_status dgm_replicas_begin(struct dgm_env *env, struct dgm_replicas *replicas)
{
    const struct dgm_params *params = replicas->items[0].params;

    /* Values are read once and kept on the host; each device gets them when its first batch is due
     * (dgm_replicas_prepare). */
    for (int i = 1; i < replicas->count; i++)
        replicas->items[i].is_stale = 1;
    if (replicas->count == 1)
        return DGM_OK;
    return dgm_device_read(env, params->device, replicas->host, start_of(params->values),
                           bytes_of(params));
}

/* Values are sent to a device only when it is about to compute: the devices before it are at work
 * meanwhile. */
dgm_status dgm_replicas_prepare(struct dgm_env *env, const struct dgm_replicas *replicas,
                                struct dgm_replica *replica)
{
    struct dgm_params *params = replica->params;

    if (replica->is_stale)
        DGM_TRY(dgm_device_write(env, params->device, start_of(params->values), replicas->host,
                                 bytes_of(params)));
    replica->is_stale = 0;
    return dgm_params_zero_grads(env, params);
}

dgm_status dgm_replicas_collect(const struct dgm_run *run, const struct dgm_replicas *replicas,
                                const struct dgm_replica *replica, struct dgm_optimizer *optimizer,
                                int is_first_batch)
{
    const struct dgm_params *from = replica->params, *to = optimizer->params;
    dgm_real *host = replicas->host;

    if (dgm_halves_are_on(run->settings))
        DGM_TRY(dgm_halves_round_gradients(run->env, from));
    if (run->options.accumulate == 1)
        return DGM_OK; /* the optimizer reads the gradients where they are */
    /* The gradients of another device take the place of the first one's, which are in the sum by
     * now, and are added from there: the same addition on the same device, wherever a batch was
     * computed. */
    if (from != to) {
        DGM_TRY(
            dgm_device_read(run->env, from->device, host, start_of(from->grads), bytes_of(from)));
        DGM_TRY(dgm_device_write(run->env, to->device, start_of(to->grads), host, bytes_of(to)));
    }
    return dgm_optimizer_add(run->env, optimizer, is_first_batch);
}
