/*
 * device_check.c: runs batches a second time, on the CPU, and compares the losses.
 */
#include "train/step/device_check.h"

#include <math.h>
#include <stdio.h>

#include "base/number/number.h"
#include "base/philox.h"
#include "device/host_mirror.h"
#include "train/session.h"

enum { STREAM_CHECK = 4 };

/* Sums in another order differ by 1e-6 or so; wrong kernels, by far more. */
static const double tolerance = 1e-3;
/* A loss of a label (nats) below which differences count as if it were as large: where the model is
 * sure, -log p is what rounding leaves of it. */
static const double least_loss = 0.01;

static int has_something_to_check(const struct dgm_session *session)
{
    int i;

    for (i = 0; i < session->replicas.count; i++)
        if (session->replicas.items[i].device->host != NULL)
            return 1;
    return 0;
}

void dgm_device_check_begin(struct dgm_session *session)
{
    session->check.share = dgm_settings_real(session->run.settings, "check-device");
    if (session->check.share > 0 && !has_something_to_check(session)) {
        dgm_log(session->run.env, DGM_LOG_NOTE,
                "--check-device: the CPU itself computes, there is nothing to compare it with");
        session->check.share = 0;
    }
}

static int is_chosen(const struct dgm_session *session, int64_t update)
{
    struct dgm_random random;

    if (session->check.share <= 0)
        return 0;
    dgm_random_init(&random, session->run.options.seed, STREAM_CHECK, (uint32_t)update,
                    (uint32_t)(update >> 32));
    return dgm_random_unit(&random) < session->check.share;
}

/* All losses of the batch, summed, those of parses and links too; the report stays as it was. */
static dgm_status read_loss(struct dgm_session *session, struct dgm_replica *replica, double *loss,
                            int64_t *labels)
{
    struct dgm_report *report = &session->report;
    const struct dgm_beside_costs before = report->beside;
    dgm_status status = session->trainee.learner->read(session, replica, loss, labels);

    *loss += report->beside.parse_cost - before.parse_cost;
    *loss += report->beside.link_cost - before.link_cost;
    report->beside = before;
    return status;
}

static dgm_status compute_on_host(struct dgm_session *session, struct dgm_replica *replica,
                                  double *loss, int64_t *labels)
{
    struct dgm_host_mirror shadow;
    dgm_status status;

    dgm_host_mirror_begin(&shadow, replica->device);
    status = dgm_graph_run(&replica->graph);
    if (status == DGM_OK)
        status = read_loss(session, replica, loss, labels);
    dgm_host_mirror_end(session->run.env, &shadow);
    return status;
}

/* Relative to the loss on the CPU. A run that diverges does so on every device. */
static double difference(double device, double host, int64_t labels)
{
    if (device == host || (!isfinite(device) && !isfinite(host)))
        return 0;
    return fabs(device - host) / fmax(fabs(host), least_loss * (double)labels);
}

static dgm_status refuse(const struct dgm_session *session, const struct dgm_replica *replica,
                         double device, double host, int64_t labels)
{
    const int64_t update = session->run.state.updates + 1;
    char there[32], here[32], last[64] = "no update was checked before";

    there[dgm_number_print(there, device / (double)labels, 6)] = '\0';
    here[dgm_number_print(here, host / (double)labels, 6)] = '\0';
    if (session->check.last > 0)
        snprintf(last, sizeof last, "update %lld agreed still", (long long)session->check.last);
    return dgm_fail(session->run.env, DGM_FAILURE,
                    "update %lld: the loss is %s on the device (%s) and %s on the CPU (%s); this "
                    "device or its driver computes wrongly. Try --devices cpu, which goes on from "
                    "the last checkpoint, or another driver",
                    (long long)update, there, replica->device->title, here, last);
}

dgm_status dgm_device_check_batch(struct dgm_session *session, struct dgm_replica *replica)
{
    struct dgm_device_check *check = &session->check;
    const int64_t update = session->run.state.updates + 1;
    double device = 0, host = 0, apart;
    int64_t labels = 0;

    if (replica->device->host == NULL || !is_chosen(session, update))
        return DGM_OK;
    DGM_TRY(read_loss(session, replica, &device, &labels));
    DGM_TRY(compute_on_host(session, replica, &host, &labels));
    apart = difference(device, host, labels);
    if (!(apart <= tolerance)) /* so that NaN is refused */
        return refuse(session, replica, device, host, labels);
    if (apart > check->worst)
        check->worst = apart;
    check->updates += check->last != update;
    check->last = update;
    return DGM_OK;
}

void dgm_device_check_end(const struct dgm_session *session)
{
    const struct dgm_device_check *check = &session->check;
    char worst[32];

    if (check->updates == 0)
        return;
    worst[dgm_number_print(worst, check->worst, 2)] = '\0';
    dgm_log(session->run.env, DGM_LOG_NOTE,
            "--check-device: the losses of %lld updates agree with the "
            "CPU's within %s",
            (long long)check->updates, worst);
}
