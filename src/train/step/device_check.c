/*
 * device_check.c: runs batches a second time, on the CPU, and compares the losses.
 */
#include "train/step/device_check.h"

#include <math.h>
#include <stdio.h>

#include "base/number/number.h"
#include "base/philox.h"
#include "device/host_mirror.h"
#include "train/learner.h"
#include "train/step/batch_costs.h"

enum { STREAM_CHECK = 4 };

/* Sums in another order differ by 1e-6 or so; wrong kernels, by far more. */
static const double tolerance = 1e-3;
/* A loss of a label (nats) below which differences count as if it were as large: where the model is
 * sure, -log p is what rounding leaves of it. */
static const double least_loss = 0.01;

static int has_something_to_check(const struct dgm_replicas *replicas)
{
    for (int i = 0; i < replicas->count; i++)
        if (replicas->items[i].device->host != NULL)
            return 1;
    return 0;
}

void dgm_device_check_begin(const struct dgm_run *run, const struct dgm_replicas *replicas,
                            struct dgm_device_check *check)
{
    check->share = dgm_settings_real(run->settings, "check-device");
    if (check->share > 0 && !has_something_to_check(replicas)) {
        dgm_log(run->env, DGM_LOG_NOTE,
                "--check-device: the CPU itself computes, there is nothing to compare it with");
        check->share = 0;
    }
}

static int is_chosen(const struct dgm_run *run, double share, int64_t update)
{
    struct dgm_random random;

    if (share <= 0)
        return 0;
    dgm_random_init(&random, run->options.seed, STREAM_CHECK, (uint32_t)update,
                    (uint32_t)(update >> 32));
    return dgm_random_unit(&random) < share;
}

/* All losses of the batch, summed, those of parses and links too. */
static dgm_status read_loss(const struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_replica *replica, double *loss, int64_t *labels)
{
    struct dgm_batch_cost cost;

    DGM_TRY(trainee->learner->read(run, trainee, replica, &cost));
    *loss = cost.cost + cost.beside.parse_cost + cost.beside.link_cost;
    *labels = cost.labels;
    return DGM_OK;
}

static dgm_status compute_on_host(const struct dgm_run *run, struct dgm_trainee *trainee,
                                  struct dgm_replica *replica, double *loss, int64_t *labels)
{
    struct dgm_host_mirror shadow;
    dgm_status status;

    dgm_host_mirror_begin(&shadow, replica->device);
    status = dgm_graph_run(&replica->graph);
    if (status == DGM_OK)
        status = read_loss(run, trainee, replica, loss, labels);
    dgm_host_mirror_end(run->env, &shadow);
    return status;
}

/* Relative to the loss on the CPU. A run that diverges does so on every device. */
static double difference(double device, double host, int64_t labels)
{
    if (device == host || (!isfinite(device) && !isfinite(host)))
        return 0;
    return fabs(device - host) / fmax(fabs(host), least_loss * (double)labels);
}

/* losses: of a label, on the device and on the CPU. */
static dgm_status refuse(const struct dgm_run *run, const struct dgm_replica *replica,
                         int64_t last_checked, const double losses[2])
{
    const int64_t update = run->state.updates + 1;
    char there[32], here[32], last[64] = "no update was checked before";

    if (last_checked > 0)
        snprintf(last, sizeof last, "update %lld agreed still", (long long)last_checked);
    return dgm_fail(run->env, DGM_FAILURE,
                    "update %lld: the loss is %s on the device (%s) and %s on the CPU (%s); this "
                    "device or its driver computes wrongly. Try --devices cpu, which goes on from "
                    "the last checkpoint, or another driver",
                    (long long)update, dgm_number_text(there, losses[0], 6), replica->device->title,
                    dgm_number_text(here, losses[1], 6), last);
}

dgm_status dgm_device_check_batch(const struct dgm_run *run, struct dgm_trainee *trainee,
                                  struct dgm_replica *replica, struct dgm_device_check *check)
{
    const int64_t update = run->state.updates + 1;
    double device = 0, host = 0, apart;
    int64_t labels = 0;

    if (replica->device->host == NULL || !is_chosen(run, check->share, update))
        return DGM_OK;
    DGM_TRY(read_loss(run, trainee, replica, &device, &labels));
    DGM_TRY(compute_on_host(run, trainee, replica, &host, &labels));
    apart = difference(device, host, labels);
    if (!(apart <= tolerance)) { /* so that NaN is refused */
        const double losses[2] = { device / (double)labels, host / (double)labels };
        return refuse(run, replica, check->last, losses);
    }
    if (apart > check->worst)
        check->worst = apart;
    check->updates += check->last != update;
    check->last = update;
    return DGM_OK;
}

void dgm_device_check_end(struct dgm_env *env, const struct dgm_device_check *check)
{
    char worst[32];

    if (check->updates == 0)
        return;
    dgm_log(env, DGM_LOG_NOTE,
            "--check-device: the losses of %lld updates agree with the CPU's within %s",
            (long long)check->updates, dgm_number_text(worst, check->worst, 2));
}
