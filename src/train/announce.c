/*
 * announce.c: what a training run says of itself before its first update: devices and size.
 */
#include <string.h>

#include "train/session.h"

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
        dgm_log(session->env, DGM_LOG_NOTE,
                "devices of different kinds round differently: the "
                "bytes of the model depend on which of them compute, and in what order");
    if (used < devices->count)
        dgm_log(session->env, DGM_LOG_WARNING,
                "devices share the batches of an update: %d of %d "
                "have nothing to do with --accumulate %lld",
                devices->count - used, devices->count, (long long)session->accumulate);
}

dgm_status dgm_session_announce(struct dgm_session *session)
{
    struct dgm_env *env = session->env;

    dgm_log(env, DGM_LOG_NOTE, "device: %s; seed %u", session->device->title,
            (unsigned)session->seed);
    announce_more_devices(session);
    DGM_TRY(session->learner->announce(session));
    return dgm_session_plan_memory(session);
}
