/* waits.c: how long ranks wait for each other within updates, and which of them is slow. */
#include "train/step/exchange/waits.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/number/number.h"
#include "train/session.h"

/* Of their time that others may wait for a rank. */
#define SLOW 0.1

static size_t columns(int ranks)
{
    return (size_t)DGM_WAITS_HEAD + (size_t)ranks;
}

dgm_status dgm_waits_init(struct dgm_session *session)
{
    struct dgm_waits *waits = &session->crew.waits;
    const size_t ranks = (size_t)dgm_run_count(&session->run);

    waits->rows = dgm_alloc(session->run.env, ranks * columns((int)ranks), sizeof *waits->rows);
    waits->shares = dgm_alloc(session->run.env, ranks, sizeof *waits->shares);
    waits->told = dgm_alloc(session->run.env, ranks, 1);
    return waits->rows != NULL && waits->shares != NULL && waits->told != NULL ? DGM_OK
                                                                               : DGM_MEMORY;
}

void dgm_waits_clear(struct dgm_session *session)
{
    dgm_release(session->run.env, session->crew.waits.rows);
    dgm_release(session->run.env, session->crew.waits.shares);
    dgm_release(session->run.env, session->crew.waits.told);
}

void dgm_waits_begin(struct dgm_session *session)
{
    if (session->run.ranks == NULL)
        return;
    session->run.ranks->is_timed = 1;
    session->crew.waits.began = dgm_ranks_clock();
}

void dgm_waits_end(struct dgm_session *session)
{
    if (session->run.ranks == NULL)
        return;
    session->run.ranks->is_timed = 0;
    session->crew.waits.spent += dgm_ranks_clock() - session->crew.waits.began;
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
    int i;

    for (i = 0; i < ranks; i++)
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

static void name_slow(struct dgm_session *session, int rank, double blame)
{
    struct dgm_waits *waits = &session->crew.waits;

    if (rank < 0 || waits->told[rank])
        return;
    waits->told[rank] = 1;
    dgm_log(session->run.env, DGM_LOG_WARNING,
            "rank %d (%s) is slow: the others wait for it %d %% of their time", rank,
            session->run.ranks->places[rank].host, (int)(100 * blame + 0.5));
}

/* ---- a report -------------------------------------------------------------------------------- */

static void fill_row(struct dgm_session *session, double *row)
{
    struct dgm_buckets *buckets = &session->crew.buckets;
    struct dgm_ranks *ranks = session->run.ranks;

    row[DGM_WAITS_SPENT] = session->crew.waits.spent;
    row[DGM_WAITS_EARLY] = (double)buckets->early;
    row[DGM_WAITS_SENT] = (double)buckets->sent;
    memcpy(row + DGM_WAITS_HEAD, ranks->waited, (size_t)ranks->count * sizeof *row);
    memset(ranks->waited, 0, (size_t)ranks->count * sizeof *row);
    session->crew.waits.spent = 0;
    buckets->early = buckets->sent = 0;
}

static void take_rows(struct dgm_session *session)
{
    struct dgm_waits *waits = &session->crew.waits;
    const int ranks = dgm_run_count(&session->run);
    double blame = 0;
    int i;

    for (i = 0; i < ranks; i++) {
        waits->early += waits->rows[(size_t)i * columns(ranks) + DGM_WAITS_EARLY];
        waits->sent += waits->rows[(size_t)i * columns(ranks) + DGM_WAITS_SENT];
    }
    name_slow(session, dgm_waits_judge(waits->rows, ranks, waits->shares, &blame), blame);
    session->report.waits = waits->shares;
    session->report.ranks = ranks;
}

dgm_status dgm_waits_collect(struct dgm_session *session)
{
    struct dgm_waits *waits = &session->crew.waits;
    struct dgm_ranks *ranks = session->run.ranks;
    const size_t row = columns(ranks->count);
    struct dgm_span *spans = dgm_alloc(session->run.env, (size_t)ranks->count, sizeof *spans);
    dgm_status status;
    int i;

    if (spans == NULL)
        return DGM_MEMORY;
    for (i = 0; i < ranks->count; i++) {
        spans[i].first = (size_t)i * row * sizeof(double);
        spans[i].count = row * sizeof(double);
    }
    fill_row(session, waits->rows + (size_t)ranks->rank * row);
    status = dgm_ranks_collect(session->run.env, ranks, waits->rows, spans);
    dgm_release(session->run.env, spans);
    if (status == DGM_OK && ranks->rank == 0)
        take_rows(session);
    return status;
}

void dgm_waits_log(const struct dgm_session *session)
{
    const struct dgm_waits *waits = &session->crew.waits;
    char sent[32], early[32];

    if (!(waits->sent > 0))
        return;
    sent[dgm_number_print_fixed(sent, waits->sent, 0)] = '\0';
    early[dgm_number_print_fixed(early, waits->early, 0)] = '\0';
    dgm_log(
        session->run.env, DGM_LOG_NOTE,
        "ranks: of %s bytes of gradients that all have sent, %s left before a backward pass was "
        "over (--bucket %lld)",
        sent, early, (long long)dgm_settings_bytes(session->run.settings, "bucket"));
}
