/* waits.c: how long ranks wait for each other within updates, and which of them is slow. */
#include "train/step/exchange/waits.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "base/ranks/ranks.h"
#include "base/system/clock.h"
#include "train/step/exchange/buckets.h"

/* Of their time that others may wait for a rank. */
#define SLOW 0.1

static size_t columns(int ranks)
{
    return (size_t)DGM_WAITS_HEAD + (size_t)ranks;
}

dgm_status dgm_waits_init(struct dgm_env *env, struct dgm_waits *waits, int ranks)
{
    DGM_TRY(dgm_new(env, &waits->rows, (size_t)ranks * columns(ranks), sizeof *waits->rows));
    DGM_TRY(dgm_new(env, &waits->shares, (size_t)ranks, sizeof *waits->shares));
    return dgm_new(env, &waits->told, (size_t)ranks, 1);
}

void dgm_waits_clear(struct dgm_env *env, struct dgm_waits *waits)
{
    dgm_release(env, waits->rows);
    dgm_release(env, waits->shares);
    dgm_release(env, waits->told);
}

void dgm_waits_begin(struct dgm_waits *waits, struct dgm_ranks *ranks)
{
    ranks->is_timed = 1;
    waits->began = dgm_clock();
}

void dgm_waits_end(struct dgm_waits *waits, struct dgm_ranks *ranks)
{
    ranks->is_timed = 0;
    waits->spent += dgm_clock() - waits->began;
}

/* ---- judging --------------------------------------------------------------------------------- */

static double share_for(const double *row, int rank)
{
    return row[DGM_WAITS_SPENT] > 0 ? row[DGM_WAITS_HEAD + rank] / row[DGM_WAITS_SPENT] : 0;
}

/* The mean share of their time that the others wait for a rank. */
static double blame_of(const double *rows, int ranks, int rank)
{
    double sum = 0;

    for (int i = 0; i < ranks; i++)
        if (i != rank)
            sum += share_for(rows + (size_t)i * columns(ranks), rank);
    return ranks > 1 ? sum / (ranks - 1) : 0;
}

int dgm_waits_judge(const double *rows, int ranks, double *shares, double *blame)
{
    int i, k, slowest = -1;

    *blame = SLOW;
    for (i = 0; i < ranks; i++) {
        shares[i] = 0;
        for (k = 0; k < ranks; k++)
            shares[i] += share_for(rows + (size_t)i * columns(ranks), k);
    }
    for (i = 0; i < ranks; i++) {
        const double mean = blame_of(rows, ranks, i);
        if (mean > *blame && shares[i] <= mean / 2) {
            *blame = mean;
            slowest = i;
        }
    }
    return slowest;
}

static void name_slow(struct dgm_env *env, const struct dgm_ranks *ranks, struct dgm_waits *waits,
                      int rank, double blame)
{
    if (rank < 0 || waits->told[rank])
        return;
    waits->told[rank] = 1;
    dgm_log(env, DGM_LOG_WARNING,
            "rank %d (%s) is slow: the others wait for it %d %% of their time", rank,
            ranks->places[rank].host, (int)(100 * blame + 0.5));
}

/* ---- a report -------------------------------------------------------------------------------- */

static void fill_row(struct dgm_ranks *ranks, struct dgm_waits *waits, struct dgm_buckets *buckets,
                     double *row)
{
    row[DGM_WAITS_SPENT] = waits->spent;
    row[DGM_WAITS_EARLY] = (double)buckets->early;
    row[DGM_WAITS_SENT] = (double)buckets->sent;
    memcpy(row + DGM_WAITS_HEAD, ranks->waited, (size_t)ranks->count * sizeof *row);
    memset(ranks->waited, 0, (size_t)ranks->count * sizeof *row);
    waits->spent = 0;
    buckets->early = buckets->sent = 0;
}

static void take_rows(struct dgm_env *env, const struct dgm_ranks *ranks, struct dgm_waits *waits)
{
    double blame = 0;
    int i, slow;

    for (i = 0; i < ranks->count; i++) {
        waits->early += waits->rows[(size_t)i * columns(ranks->count) + DGM_WAITS_EARLY];
        waits->sent += waits->rows[(size_t)i * columns(ranks->count) + DGM_WAITS_SENT];
    }
    slow = dgm_waits_judge(waits->rows, ranks->count, waits->shares, &blame);
    name_slow(env, ranks, waits, slow, blame);
}

dgm_status dgm_waits_collect(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_waits *waits,
                             struct dgm_buckets *buckets)
{
    const size_t row = columns(ranks->count);
    struct dgm_span *spans;
    dgm_status status;

    DGM_TRY(dgm_new(env, &spans, (size_t)ranks->count, sizeof *spans));
    for (int i = 0; i < ranks->count; i++) {
        spans[i].first = (size_t)i * row * sizeof(double);
        spans[i].count = row * sizeof(double);
    }
    fill_row(ranks, waits, buckets, waits->rows + (size_t)ranks->rank * row);
    status = dgm_ranks_collect(env, ranks, waits->rows, spans);
    dgm_release(env, spans);
    if (status == DGM_OK && ranks->rank == 0)
        take_rows(env, ranks, waits);
    return status;
}

void dgm_waits_log(const struct dgm_run *run, const struct dgm_waits *waits)
{
    char sent[32], early[32];

    if (!(waits->sent > 0))
        return;
    dgm_log(
        run->env, DGM_LOG_NOTE,
        "ranks: of %s bytes of gradients that all have sent, %s left before a backward pass was "
        "over (--bucket %lld)",
        dgm_number_fixed(sent, waits->sent, 0), dgm_number_fixed(early, waits->early, 0),
        (long long)dgm_settings_bytes(run->settings, "bucket"));
}
