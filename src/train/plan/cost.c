/* cost.c: what ranks send, and how long an update takes. */
#include "train/plan/cost.h"

#include <string.h>

#include "train/step/exchange/slices.h"
#include "train/step/batch_costs.h"

/* An order of rank 0 (lead.c). */
enum { ORDER_BYTES = 4 };

/* ---- what is sent ---------------------------------------------------------------------------- */

static struct dgm_slice slice_of(const struct dgm_cost_job *job, int rank)
{
    return dgm_slice_of(job->total, job->block, job->ranks, rank);
}

static void add(struct dgm_traffic *sent, uint64_t messages, uint64_t bytes)
{
    if (bytes > 0) {
        sent->messages += messages;
        sent->bytes += bytes;
    }
}

static uint64_t bytes_of(const struct dgm_cost_job *job, int64_t elements)
{
    return (uint64_t)elements * (uint64_t)job->real_bytes;
}

static uint64_t gradient_bytes(const struct dgm_cost_job *job, int64_t elements)
{
    return job->is_half ? (uint64_t)elements * sizeof(uint16_t) : bytes_of(job, elements);
}

/* The buckets that a slice lies in: a message each. */
static uint64_t pieces_of(const struct dgm_cost_job *job, int rank)
{
    const struct dgm_slice slice = slice_of(job, rank);

    if (slice.count == 0)
        return 0;
    return (bytes_of(job, slice.first + slice.count) - 1) / job->bucket -
           bytes_of(job, slice.first) / job->bucket + 1;
}

/* The messages of a gradient of this rank. */
static uint64_t pieces_of_others(const struct dgm_cost_job *job, int rank)
{
    uint64_t pieces = 0;

    for (int peer = 0; peer < job->ranks; peer++)
        if (peer != rank)
            pieces += pieces_of(job, peer);
    return pieces;
}

/* The rank's own slice, to all others. */
static void add_share(const struct dgm_cost_job *job, int rank, struct dgm_traffic *sent)
{
    const uint64_t peers = (uint64_t)job->ranks - 1;

    add(sent, peers, peers * bytes_of(job, slice_of(job, rank).count));
}

static int64_t rounds_of(const struct dgm_cost_job *job)
{
    return (job->accumulate + job->ranks - 1) / job->ranks;
}

static int64_t batches_of(const struct dgm_cost_job *job, int rank)
{
    return (job->accumulate - rank + job->ranks - 1) / job->ranks;
}

/* Each batch's gradient, or their sum, but for the own slice, to those that own the slices. */
static void add_gradients(const struct dgm_cost_job *job, int rank, struct dgm_traffic *sent)
{
    const uint64_t batches = job->is_fast ? 1 : (uint64_t)batches_of(job, rank);

    add(sent, batches * pieces_of_others(job, rank),
        batches * gradient_bytes(job, job->total - slice_of(job, rank).count));
    if (!job->has_block_sums)
        add_share(job, rank, sent);
}

static void add_control(const struct dgm_cost_job *job, int rank, struct dgm_traffic *sent)
{
    const uint64_t peers = (uint64_t)job->ranks - 1;
    const int64_t blocks = (slice_of(job, rank).count + job->block - 1) / job->block;

    if (rank == 0)
        add(sent, peers, peers * ORDER_BYTES);
    add(sent, peers, peers * (uint64_t)rounds_of(job) * sizeof(struct dgm_batch_cost));
    if (job->is_fast)
        add(sent, peers, peers); /* tokens */
    if (job->has_block_sums)
        add(sent, peers, peers * (uint64_t)blocks * sizeof(double));
}

void dgm_cost_sent(const struct dgm_cost_job *job, int rank,
                   struct dgm_traffic sent[DGM_SENT_BESIDE])
{
    memset(sent, 0, DGM_SENT_BESIDE * sizeof *sent);
    if (job->ranks == 1)
        return;
    add_gradients(job, rank, &sent[DGM_SENT_GRADIENTS]);
    add_share(job, rank, &sent[DGM_SENT_VALUES]);
    add_control(job, rank, &sent[DGM_SENT_CONTROL]);
}

/* ---- how long it takes ----------------------------------------------------------------------- */

/* `bytes` in messages of about the same size, all of which are under way at the same time, on their
 * way over so many ranks. */
static double exchange(const struct dgm_link_speed *link, double messages, double bytes, int height)
{
    const int hops = messages > 0 && bytes / messages > DGM_COST_EAGER ? 3 : 1;

    return hops * height * link->latency + messages * link->message + bytes / link->rate;
}

/* Of a tree of the ranks. */
static int height_of(const struct dgm_cost_job *job)
{
    int height = 0;

    while (1 << height < job->ranks)
        height++;
    return height;
}

/* One round: the last rank has a smallest slice, and sends most. */
static double deal_seconds(const struct dgm_cost_job *job, const struct dgm_link_speed *link)
{
    return exchange(link, (double)pieces_of_others(job, job->ranks - 1),
                    (double)gradient_bytes(job, job->total - slice_of(job, job->ranks - 1).count),
                    job->is_fast ? height_of(job) : 1);
}

static double share_seconds(const struct dgm_cost_job *job, const struct dgm_link_speed *link)
{
    struct dgm_traffic sent = { 0, 0 };

    add_share(job, 0, &sent);
    return exchange(link, (double)sent.messages, (double)sent.bytes, 1);
}

/* An order, costs and sums of squares. */
static double control_seconds(const struct dgm_cost_job *job, const struct dgm_link_speed *link)
{
    const double peers = job->ranks - 1;
    struct dgm_traffic sent = { 0, 0 };

    add_control(job, 0, &sent);
    return (2 + job->has_block_sums) * (link->latency + peers * link->message) +
           (double)sent.bytes / link->rate;
}

struct dgm_cost dgm_cost_of(const struct dgm_cost_job *job, const struct dgm_link_speed *link)
{
    const double rounds = (double)rounds_of(job), batch = job->batch_seconds;
    struct dgm_cost cost = { .compute = rounds * batch };

    if (job->ranks > 1) {
        const double deal = deal_seconds(job, link);
        const double early = job->early * deal, room = job->behind * batch;
        const double deals = job->is_fast ? 1 : rounds;
        cost.gradients = deals * deal;
        cost.hidden = deals * (early < room ? early : room);
        if (!job->has_block_sums)
            cost.gradients += share_seconds(job, link);
        cost.values = share_seconds(job, link);
        cost.control = control_seconds(job, link);
    }
    cost.update = cost.compute + cost.gradients - cost.hidden + cost.values + cost.control;
    cost.efficiency =
        cost.update > 0 ? (double)job->accumulate * batch / job->ranks / cost.update : 0;
    return cost;
}

int64_t dgm_cost_accumulate(const struct dgm_cost_job *job, const struct dgm_link_speed *link,
                            double efficiency, int64_t most)
{
    struct dgm_cost_job other = *job;

    for (other.accumulate = job->ranks; other.accumulate <= most; other.accumulate += job->ranks)
        if (dgm_cost_of(&other, link).efficiency >= efficiency)
            return other.accumulate;
    return 0;
}

double dgm_cost_stretch(const struct dgm_cost_job *job, const struct dgm_link_speed *link,
                        double efficiency)
{
    struct dgm_cost_job other = *job;
    double low = 1, high = 1e6, middle;

    other.batch_seconds = high * job->batch_seconds;
    if (dgm_cost_of(&other, link).efficiency < efficiency)
        return 0;
    while (high - low > 1e-3 * low) {
        middle = (low + high) / 2;
        other.batch_seconds = middle * job->batch_seconds;
        if (dgm_cost_of(&other, link).efficiency < efficiency)
            low = middle;
        else
            high = middle;
    }
    return high;
}
