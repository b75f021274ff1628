/*
 * need.c: how much memory a training run needs: weights and what belongs to them, the largest step,
 * and the copies that saving, validating and averaging make.
 */
#include "train/plan/need.h"

#include <string.h>

#include "train/learner.h"
#include "train/step/ema.h"
#include "train/step/exchange/crew.h"

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
static dgm_status pack_largest(struct dgm_env *env, struct dgm_course *course,
                               const struct dgm_corpus *corpus)
{
    int64_t b, rows, chosen = 0, largest = 0;

    for (b = 0; b < course->order.batches; b++) {
        rows = dgm_order_batch_rows(&course->order, corpus, b);
        if (rows > largest) {
            largest = rows;
            chosen = b;
        }
    }
    return dgm_order_batch(env, &course->order, corpus, chosen, &course->batch);
}

static dgm_status size_graph(const struct dgm_run *run, struct dgm_trainee *trainee,
                             const struct dgm_batch *batch, struct dgm_replica *first,
                             double *bytes)
{
    uint64_t size = 0;

    DGM_TRY(trainee->learner->build(run, trainee, batch, first));
    DGM_TRY(dgm_graph_size(&first->graph, &size));
    *bytes = (double)size;
    return DGM_OK;
}

static dgm_status size_step(const struct dgm_run *run, struct dgm_trainee *trainee,
                            struct dgm_course *course, struct dgm_replica *first,
                            struct dgm_need *need)
{
    const struct dgm_learner *learner = trainee->learner;
    const int recomputes = first->graph.recomputes;

    DGM_TRY(pack_largest(run->env, course, trainee->corpus));
    if (learner->share != NULL) /* what it keeps belongs to the program */
        DGM_TRY(learner->share(run, trainee, &course->order, 0, run->options.accumulate));
    first->graph.recomputes = !recomputes;
    DGM_TRY(size_graph(run, trainee, &course->batch, first, &need->other_step));
    first->graph.recomputes = recomputes;
    return size_graph(run, trainee, &course->batch, first, &need->step);
}

/* ---- other devices --------------------------------------------------------------------------- */

int dgm_need_is_on_host(const struct dgm_run *run)
{
    return run->device->host == NULL;
}

/* Devices beside the first that compute, and have the memory of the process. A dry run has one
 * replica, and the needs of all. */
static int count_copies(const struct dgm_run *run)
{
    const int count = dgm_replicas_useful(run);
    int copies = 0, i;

    for (i = 1; i < count; i++)
        copies += run->devices->items[i]->host == NULL;
    return copies;
}

/* Each has weights, gradients and a step; one array on the host stands between all of them. */
static void size_copies(const struct dgm_run *run, double values, struct dgm_need *need)
{
    const int copies = count_copies(run);

    need->copies = 2 * values * copies;
    if (dgm_replicas_useful(run) > 1)
        need->copies += values;
    need->copy_steps = need->step * copies;
}

/* ---- saving, validating, averaging ----------------------------------------------------------- */

/* A checkpoint takes copies of values and two moments that lie on a device only; of moments also
 * where ranks have slices of them, both of which rank 0 puts together, and others one at a time. */
static double checkpoint_copies(const struct dgm_run *run, double values, int has_mean)
{
    if (!dgm_need_is_on_host(run)) /* and the values beside their mean */
        return (has_mean ? 4 : 3) * values;
    if (run->ranks == NULL)
        return 0;
    return dgm_run_rank(run) == 0 ? 2 * values : values;
}

/* A mean needs its sums, in doubles, the values of one checkpoint, and its file: values and two
 * moments, and with --ema values twice. The best one needs its file and its values. Rank 0 alone
 * makes either. Tables beside values are written by way of a copy and of two buffers, of which two
 * are there at a time, and read back in a file. */
static double saving_copies(const struct dgm_run *run, const struct dgm_trainee *trainee,
                            double values, int has_mean)
{
    const struct dgm_learner *learner = trainee->learner;
    const double file = (has_mean ? 4 : 3) * values;
    double copies = checkpoint_copies(run, values, has_mean);

    if (dgm_settings_int(run->settings, "average") > 1)
        copies = (double)trainee->params->total * sizeof(double) + values + file;
    else if (trainee->has_valid)
        copies = values + file;
    if (learner->table_bytes != NULL)
        copies += TABLES * learner->table_bytes(trainee);
    return copies;
}

static dgm_status size_later(const struct dgm_run *run, struct dgm_trainee *trainee, double values,
                             struct dgm_need *need)
{
    const struct dgm_learner *learner = trainee->learner;
    const double spread = run->options.order.parses_beside ? SPREAD_BESIDE : SPREAD;
    const double steps = need->step + need->copy_steps;
    const double copies = saving_copies(run, trainee, values, need->mean > 0);
    double validation = 0;

    if (trainee->has_valid && learner->valid_bytes != NULL)
        DGM_TRY(learner->valid_bytes(run, trainee, &validation));
    if (!learner->valid_stays)
        validation = validation > copies ? validation - copies : 0;
    need->batch = steps * (1 + spread) + validation;
    need->later = copies + UNTOUCHED + need->batch - steps;
    return DGM_OK;
}

/* ---- all in all ------------------------------------------------------------------------------ */

/* Of the parameters that this rank steps: all in a run of one process. */
static double slice_bytes(const struct dgm_run *run, int64_t total)
{
    return (double)dgm_crew_slice(run, total, dgm_run_rank(run)).count * sizeof(dgm_real);
}

double dgm_need_sum_bytes(const struct dgm_run *run, int64_t total)
{
    return run->options.accumulate > 1 || run->ranks != NULL ? slice_bytes(run, total) : 0;
}

dgm_status dgm_need_find(const struct dgm_run *run, struct dgm_trainee *trainee,
                         struct dgm_course *course, const struct dgm_replicas *replicas,
                         struct dgm_need *need)
{
    const int64_t total = trainee->params->total;
    const double values = (double)total * sizeof(dgm_real);
    const struct dgm_device *device = run->device;

    memset(need, 0, sizeof *need);
    need->weights = 2 * values + dgm_need_sum_bytes(run, total) + dgm_crew_bytes(run, total);
    need->moments = 2 * slice_bytes(run, total);
    need->mean = dgm_ema_bytes(run, total);
    if (replicas->count > 0)
        DGM_TRY(size_step(run, trainee, course, &replicas->items[0], need));
    size_copies(run, values, need);
    if (replicas->count == 0)
        return DGM_OK;
    if (device->ops->beside != NULL)
        need->beside = (double)device->ops->beside(device, (size_t)values);
    return size_later(run, trainee, values, need);
}

double dgm_need_total(const struct dgm_need *need)
{
    return need->weights + need->moments + need->mean + need->step + need->copies +
           need->copy_steps + need->beside + need->later;
}

/* The share of a step that it saves, it saves of all that follows batches. */
double dgm_need_saved_by_recompute(const struct dgm_settings *settings, const struct dgm_need *need)
{
    if (dgm_settings_flag(settings, "recompute") || need->other_step >= need->step)
        return 0;
    return need->batch * (1 - need->other_step / need->step);
}

double dgm_need_program(const struct dgm_trainee *trainee, const struct dgm_windows *windows)
{
    const struct dgm_learner *learner = trainee->learner;

    return PROGRAM + (double)dgm_windows_spare(windows) +
           (learner->text_bytes != NULL ? learner->text_bytes(trainee) : 0);
}
