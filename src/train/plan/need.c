/*
 * need.c: how much memory a training run needs: weights and what belongs to them, the largest step,
 * and the copies that saving, validating and averaging make.
 */
#include "train/plan/need.h"

#include <string.h>

/* Code, stacks and buffers that the first updates touch. */
enum { UNTOUCHED = 3 << 20 };

/* A table beside the values that is written: its copy, and two buffers (size_later). */
enum { TABLES = 3 };

/* Batches of later epochs may be a little larger; more so where parses, which no limit counts,
 * stand beside translations: about 50 of random lengths in a batch. */
#define SPREAD 0.04
#define SPREAD_BESIDE 0.15

/* The program itself, 5 MiB, with stacks and scratch memory of threads, of which 64 took 9, and
 * what its allocator leaves unused. */
enum { PROGRAM = 14 << 20 };

/* ---- the largest step ------------------------------------------------------------------------ */

/* The largest batch of the epoch, or of its first window, by the rows of both sides, decides the
 * size of a step. Where pieces are drawn, the best ones say which. */
static dgm_status pack_largest(struct dgm_session *session)
{
    int64_t b, rows, chosen = 0, largest = 0;

    for (b = 0; b < session->course.order.batches; b++) {
        rows = dgm_order_batch_rows(&session->course.order, session->trainee.corpus, b);
        if (rows > largest) {
            largest = rows;
            chosen = b;
        }
    }
    return dgm_order_batch(session->run.env, &session->course.order, session->trainee.corpus,
                           chosen, &session->course.batch);
}

static dgm_status size_graph(struct dgm_session *session, int recomputes, double *bytes)
{
    struct dgm_replica *first = &session->stepper.replicas.items[0];
    size_t size = 0;

    first->graph.recomputes = recomputes;
    DGM_TRY(session->trainee.learner->build(&session->run, &session->trainee,
                                            &session->course.batch, first));
    DGM_TRY(dgm_graph_size(&first->graph, &size));
    *bytes = (double)size;
    return DGM_OK;
}

static dgm_status size_step(struct dgm_session *session, struct dgm_need *need)
{
    const int recomputes = session->stepper.replicas.items[0].graph.recomputes;

    DGM_TRY(pack_largest(session));
    if (session->trainee.learner->share != NULL) /* what it keeps belongs to the program */
        DGM_TRY(session->trainee.learner->share(&session->run, &session->trainee,
                                                &session->course.order, 0,
                                                session->run.options.accumulate));
    DGM_TRY(size_graph(session, !recomputes, &need->other_step));
    return size_graph(session, recomputes, &need->step);
}

/* ---- other devices --------------------------------------------------------------------------- */

int dgm_need_is_on_host(const struct dgm_session *session)
{
    return session->run.device->host == NULL;
}

/* Devices beside the first that compute, and have the memory of the process. A dry run has one
 * replica, and the needs of all. */
static int count_copies(const struct dgm_session *session)
{
    const int count = dgm_replicas_useful(&session->run);
    int copies = 0, i;

    for (i = 1; i < count; i++)
        copies += session->run.devices->items[i]->host == NULL;
    return copies;
}

/* Each has weights, gradients and a step; one array on the host stands between all of them. */
static void size_copies(const struct dgm_session *session, double values, struct dgm_need *need)
{
    const int copies = count_copies(session);

    need->copies = 2 * values * copies;
    if (dgm_replicas_useful(&session->run) > 1)
        need->copies += values;
    need->copy_steps = need->step * copies;
}

/* ---- saving, validating, averaging ----------------------------------------------------------- */

/* A checkpoint takes copies of values and two moments that lie on a device only; of moments also
 * where ranks have slices of them, both of which rank 0 puts together, and others one at a time. */
static double checkpoint_copies(const struct dgm_session *session, double values)
{
    if (!dgm_need_is_on_host(session)) /* and the values beside their mean */
        return (dgm_ema_bytes(&session->run, session->trainee.params->total) > 0 ? 4 : 3) * values;
    if (session->run.ranks == NULL)
        return 0;
    return dgm_run_rank(&session->run) == 0 ? 2 * values : values;
}

/* What the file of a checkpoint has: values and two moments, and with --ema values twice. */
static double file_bytes(const struct dgm_session *session, double values)
{
    return (dgm_ema_bytes(&session->run, session->trainee.params->total) > 0 ? 4 : 3) * values;
}

/* A mean needs its sums, in doubles, the values of one checkpoint, and its file. The best one needs
 * its file and its values. Rank 0 alone makes either. Tables beside values are written by way of a
 * copy and of two buffers, of which two are there at a time, and read back in a file. */
static dgm_status size_later(struct dgm_session *session, double values, struct dgm_need *need)
{
    const struct dgm_learner *learner = session->trainee.learner;
    const double spread = session->run.options.order.parses_beside ? SPREAD_BESIDE : SPREAD;
    const double steps = need->step + need->copy_steps;
    double copies = checkpoint_copies(session, values), validation = 0;

    if (session->stepper.replicas.count == 0)
        return DGM_OK;
    if (dgm_settings_int(session->run.settings, "average") > 1)
        copies = (double)session->trainee.params->total * sizeof(double) + values +
                 file_bytes(session, values);
    else if (session->trainee.has_valid)
        copies = values + file_bytes(session, values);
    if (learner->table_bytes != NULL)
        copies += TABLES * learner->table_bytes(&session->trainee);
    if (session->trainee.has_valid && learner->valid_bytes != NULL)
        DGM_TRY(learner->valid_bytes(&session->run, &session->trainee, &validation));
    if (!learner->valid_stays)
        validation = validation > copies ? validation - copies : 0;
    need->batch = steps * (1 + spread) + validation;
    need->later = copies + UNTOUCHED + need->batch - steps;
    return DGM_OK;
}

/* ---- all in all ------------------------------------------------------------------------------ */

/* Of the parameters that this rank steps: all in a run of one process. */
static double slice_bytes(const struct dgm_session *session)
{
    return (double)dgm_crew_slice(&session->run, session->trainee.params->total,
                                  dgm_run_rank(&session->run))
               .count *
           sizeof(dgm_real);
}

double dgm_need_sum_bytes(const struct dgm_session *session)
{
    return session->run.options.accumulate > 1 || session->run.ranks != NULL ? slice_bytes(session)
                                                                             : 0;
}

dgm_status dgm_need_find(struct dgm_session *session, struct dgm_need *need)
{
    const double values = (double)session->trainee.params->total * sizeof(dgm_real);

    memset(need, 0, sizeof *need);
    need->weights = 2 * values + dgm_need_sum_bytes(session) +
                    dgm_crew_bytes(&session->run, session->trainee.params->total);
    need->moments = 2 * slice_bytes(session);
    need->mean = dgm_ema_bytes(&session->run, session->trainee.params->total);
    if (session->stepper.replicas.count > 0)
        DGM_TRY(size_step(session, need));
    if (session->stepper.replicas.count > 0 && session->run.device->ops->beside != NULL)
        need->beside =
            (double)session->run.device->ops->beside(session->run.device, (size_t)values);
    size_copies(session, values, need);
    return size_later(session, values, need);
}

double dgm_need_total(const struct dgm_need *need)
{
    return need->weights + need->moments + need->mean + need->step + need->copies +
           need->copy_steps + need->beside + need->later;
}

/* The share of a step that it saves, it saves of all that follows batches. */
double dgm_need_saved_by_recompute(const struct dgm_session *session, const struct dgm_need *need)
{
    if (dgm_settings_flag(session->run.settings, "recompute") || need->other_step >= need->step)
        return 0;
    return need->batch * (1 - need->other_step / need->step);
}

double dgm_need_program(const struct dgm_session *session)
{
    const struct dgm_learner *learner = session->trainee.learner;

    return PROGRAM + (double)dgm_windows_spare(&session->course.windows) +
           (learner->text_bytes != NULL ? learner->text_bytes(&session->trainee) : 0);
}
