/* announce.c: devices and ranks, as a run's log begins with them. */
#include "train/watch/announce.h"

#include <string.h>

#include "base/ranks/ranks.h"

/* The devices beside the first: their names, and warnings if they are unlike, or too many. */
static void tell_more_devices(const struct dgm_run *run, int used)
{
    const struct dgm_devices *devices = run->devices;
    int i, are_alike = 1;

    for (i = 1; i < used; i++) {
        dgm_log(run->env, DGM_LOG_NOTE, "device: %s", devices->items[i]->title);
        are_alike &= strcmp(devices->items[i]->title, run->device->title) == 0;
    }
    if (!are_alike)
        dgm_log(run->env, DGM_LOG_NOTE,
                "devices of different kinds round differently: the "
                "bytes of the model depend on which of them compute, and in what order");
    if (used < devices->count)
        dgm_log(run->env, DGM_LOG_WARNING,
                "devices share the batches of an update: %d of %d "
                "have nothing to do with --accumulate %lld",
                devices->count - used, devices->count, (long long)run->options.accumulate);
}

static void tell_ranks(const struct dgm_run *run)
{
    const struct dgm_ranks *ranks = run->ranks;
    const long long batches = (long long)run->options.accumulate;

    if (ranks == NULL)
        return;
    dgm_log(run->env, DGM_LOG_NOTE, "ranks: %d, %d on this machine; this is the log of rank 0",
            ranks->count, ranks->locals);
    if (ranks->count > run->options.accumulate)
        dgm_log(run->env, DGM_LOG_WARNING,
                "ranks share the batches of an update: %d of %d have none to compute with "
                "--accumulate %lld",
                (int)(ranks->count - batches), ranks->count, batches);
    else if (batches % ranks->count != 0)
        dgm_log(run->env, DGM_LOG_NOTE,
                "ranks share the batches of an update: some wait for others with %d ranks and "
                "--accumulate %lld, which is no multiple",
                ranks->count, batches);
}

void dgm_announce(const struct dgm_run *run, int used)
{
    dgm_log(run->env, DGM_LOG_NOTE, "device: %s; seed %u", run->device->title,
            (unsigned)run->options.seed);
    tell_more_devices(run, used);
    tell_ranks(run);
}
