/* buckets.c: gradients on their way to other ranks while a backward pass goes on. */
#include "train/step/exchange/buckets.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "train/step/exchange/halves.h"

/* A multiple of a line of memory; no more buckets than there are channels. */
size_t dgm_buckets_bytes(const struct dgm_settings *settings, size_t total)
{
    const size_t least = total / (DGM_CHANNELS - 1) + 64;
    const size_t wanted = (size_t)dgm_settings_bytes(settings, "bucket");

    return (wanted > least ? wanted : least) / 64 * 64;
}

dgm_status dgm_buckets_init(const struct dgm_run *run, struct dgm_buckets *buckets,
                            const struct dgm_params *params, const struct dgm_span *slices)
{
    const size_t elements = (size_t)params->total;

    buckets->env = run->env;
    buckets->ranks = run->ranks;
    buckets->slices = slices;
    buckets->grads = params->grads;
    buckets->total = elements * sizeof(dgm_real);
    buckets->bytes = dgm_buckets_bytes(run->settings, buckets->total);
    buckets->count = (int)((buckets->total + buckets->bytes - 1) / buckets->bytes);
    DGM_TRY(dgm_new(run->env, &buckets->expected, (size_t)buckets->count + 1,
                    sizeof *buckets->expected));
    DGM_TRY(dgm_new(run->env, &buckets->is_sent, (size_t)buckets->count + 1, 1));
    buckets->size = sizeof(dgm_real);
    if (!dgm_halves_are_on(run->settings))
        return DGM_OK;
    buckets->size = sizeof *buckets->halves;
    return dgm_new(run->env, &buckets->halves, elements, sizeof *buckets->halves);
}

void dgm_buckets_clear(struct dgm_env *env, struct dgm_buckets *buckets)
{
    dgm_release(env, buckets->expected);
    dgm_release(env, buckets->is_sent);
    dgm_release(env, buckets->halves);
}

/* A place in an array of reals, in one of what is sent. */
static size_t as_sent(const struct dgm_buckets *buckets, size_t bytes)
{
    return bytes / sizeof(dgm_real) * buckets->size;
}

struct dgm_span dgm_buckets_common(const struct dgm_buckets *buckets, int b, int rank)
{
    const struct dgm_span *slice = &buckets->slices[rank];
    const size_t first = (size_t)b * buckets->bytes, end = first + buckets->bytes;
    const size_t slice_end = slice->first + slice->count;
    struct dgm_span both = { first > slice->first ? first : slice->first, 0 };
    const size_t both_end = end < slice_end ? end : slice_end;

    if (both_end > both.first)
        both.count = both_end - both.first;
    return both;
}

static dgm_status post(struct dgm_buckets *buckets, int b, int peer, int is_send, const char *data,
                       size_t bytes)
{
    const struct dgm_transfer transfer = {
        .peer = peer,
        .is_send = is_send,
        .channel = b,
        .data = (void *)(uintptr_t)data,
        .bytes = bytes,
    };

    return bytes > 0 ? dgm_ranks_post(buckets->env, buckets->ranks, &transfer, 1) : DGM_OK;
}

/* ---- a round --------------------------------------------------------------------------------- */

void dgm_buckets_open_sums(struct dgm_buckets *buckets, dgm_status (*go_on)(void *user), void *user)
{
    memset(buckets->expected, 0, (size_t)buckets->count * sizeof *buckets->expected);
    memset(buckets->is_sent, 0, (size_t)buckets->count);
    buckets->gradient = NULL;
    buckets->is_open = 1;
    buckets->has_begun = 0;
    buckets->leaves = 0;
    buckets->go_on = go_on;
    buckets->user = user;
}

dgm_status dgm_buckets_open(struct dgm_buckets *buckets, int from, char *parts)
{
    const int rank = buckets->ranks->rank;
    const struct dgm_span *own = &buckets->slices[rank];

    for (int peer = 0; peer < from; peer++)
        for (int b = 0; b < buckets->count && peer != rank; b++) {
            const struct dgm_span both = dgm_buckets_common(buckets, b, rank);
            DGM_TRY(post(buckets, b, peer, 0,
                         parts + as_sent(buckets,
                                         (size_t)peer * own->count + (both.first - own->first)),
                         as_sent(buckets, both.count)));
        }
    dgm_buckets_open_sums(buckets, NULL, NULL);
    return DGM_OK;
}

/* Where a bucket is sent from: the gradient, or halves that are made now. */
static const char *source_of(struct dgm_buckets *buckets, int b)
{
    const size_t first = (size_t)b * buckets->bytes, rest = buckets->total - first;
    const size_t bytes = rest < buckets->bytes ? rest : buckets->bytes;

    if (buckets->halves == NULL)
        return buckets->gradient;
    dgm_halves_round(buckets->halves + first / sizeof(dgm_real),
                     (const dgm_real *)(const void *)(buckets->gradient + first),
                     bytes / sizeof(dgm_real));
    return (const char *)buckets->halves;
}

/* To all ranks, beginning behind this one. */
static dgm_status send(struct dgm_buckets *buckets, int b)
{
    const int ranks = buckets->ranks->count, rank = buckets->ranks->rank;
    const char *source = source_of(buckets, b);

    buckets->is_sent[b] = 1;
    for (int i = 1; i < ranks; i++) {
        const int peer = (rank + i) % ranks;
        const struct dgm_span both = dgm_buckets_common(buckets, b, peer);
        DGM_TRY(post(buckets, b, peer, 1, source + as_sent(buckets, both.first),
                     as_sent(buckets, both.count)));
        buckets->sent += as_sent(buckets, both.count);
    }
    return DGM_OK;
}

static dgm_status send_final(struct dgm_buckets *buckets, int first, int end)
{
    if (buckets->go_on != NULL)
        return buckets->go_on(buckets->user);
    for (int b = first; b < end; b++)
        if (!buckets->is_sent[b] && buckets->expected[b] == 0)
            DGM_TRY(send(buckets, b));
    return DGM_OK;
}

void dgm_buckets_close(struct dgm_buckets *buckets)
{
    buckets->is_open = 0;
    memset(buckets->expected, 0, (size_t)buckets->count * sizeof *buckets->expected);
}

dgm_status dgm_buckets_finish(struct dgm_buckets *buckets)
{
    if (buckets->gradient != NULL)
        DGM_TRY(send_final(buckets, 0, buckets->count));
    return dgm_ranks_wait(buckets->env, buckets->ranks, buckets->ranks->patience);
}

/* ---- while a pass goes on -------------------------------------------------------------------- */

/* The buckets that a gradient lies in, first .. end - 1: none of one that is no parameter's. */
static void find_buckets(const struct dgm_buckets *buckets, struct dgm_ref grad, size_t bytes,
                         int *first, int *end)
{
    *first = *end = 0;
    if (grad.buffer != buckets->grads)
        return;
    *first = (int)(grad.offset / buckets->bytes);
    *end = (int)((grad.offset + bytes + buckets->bytes - 1) / buckets->bytes);
}

static void expect(void *user, struct dgm_ref grad, size_t bytes)
{
    struct dgm_buckets *buckets = user;
    int b, end;

    find_buckets(buckets, grad, bytes, &b, &end);
    buckets->leaves++;
    for (; b < end; b++)
        buckets->expected[b]++;
}

static dgm_status is_final(void *user, struct dgm_ref grad, size_t bytes)
{
    struct dgm_buckets *buckets = user;
    const uint64_t before = buckets->sent;
    int b, first, end;

    find_buckets(buckets, grad, bytes, &first, &end);
    for (b = first; b < end; b++)
        buckets->expected[b]--;
    if (!buckets->has_begun) { /* with those that nothing adds to */
        first = 0;
        end = buckets->count;
    }
    buckets->has_begun = 1;
    DGM_TRY(send_final(buckets, first, end));
    if (--buckets->leaves > 0)
        buckets->early += buckets->sent - before;
    return dgm_ranks_poke(buckets->env, buckets->ranks);
}

void dgm_buckets_watch(struct dgm_buckets *buckets, const void *gradient, struct dgm_graph *graph)
{
    buckets->gradient = gradient;
    buckets->graph = graph;
    buckets->watch.user = buckets;
    buckets->watch.expect = expect;
    buckets->watch.is_final = is_final;
    graph->watch = &buckets->watch;
}

void dgm_buckets_unwatch(struct dgm_buckets *buckets)
{
    if (buckets->graph != NULL)
        buckets->graph->watch = NULL;
    buckets->graph = NULL;
}
