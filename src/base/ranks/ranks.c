/*
 * ranks.c: collective calls of ranks, as transfers between two of them each.
 *
 * Every rank sends to every other directly. What one rank waits for is then always a certain other
 * one, so that a rank that hangs can be named.
 */
#include "base/ranks/ranks.h"

#include "base/mem.h"

enum { ANY = -1 };

/* Spans of an array between ranks: each goes from the rank that has it. */
struct exchange {
    char *array;
    const struct dgm_span *spans; /* (ranks); NULL: rank r has `bytes` from r `step` on */
    size_t step, bytes;
    int from, to; /* the one rank that sends, or gets, anything; or ANY */
};

static void add(const struct exchange *exchange, int owner, int peer, int is_send,
                struct dgm_transfer *list, int *count)
{
    const struct dgm_span span =
        exchange->spans != NULL
            ? exchange->spans[owner]
            : (struct dgm_span){ (size_t)owner * exchange->step, exchange->bytes };

    if (span.count > 0)
        list[(*count)++] = (struct dgm_transfer){ .peer = peer,
                                                  .is_send = is_send,
                                                  .data = exchange->array + span.first,
                                                  .bytes = span.count };
}

/* Whether a transfer between these two is a part of it. */
static int has(const struct exchange *exchange, int from, int to)
{
    return (exchange->from == ANY || exchange->from == from) &&
           (exchange->to == ANY || exchange->to == to);
}

/* Peers in an order that begins behind this rank, so that not all send to rank 0 first. */
static dgm_status run(struct dgm_env *env, struct dgm_ranks *ranks, const struct exchange *exchange,
                      double patience)
{
    struct dgm_transfer *list;
    dgm_status status;
    int count = 0;

    DGM_TRY(dgm_new(env, &list, 2 * (size_t)ranks->count, sizeof *list));
    for (int i = 1; i < ranks->count; i++) {
        const int peer = (ranks->rank + i) % ranks->count;
        if (has(exchange, peer, ranks->rank))
            add(exchange, peer, peer, 0, list, &count);
        if (has(exchange, ranks->rank, peer))
            add(exchange, ranks->rank, peer, 1, list, &count);
    }
    status = dgm_ranks_post(env, ranks, list, count);
    dgm_release(env, list);
    DGM_TRY(status);
    return dgm_ranks_wait(env, ranks, patience);
}

dgm_status dgm_ranks_gather(struct dgm_env *env, struct dgm_ranks *ranks, void *records,
                            size_t bytes)
{
    const struct exchange all = { records, NULL, bytes, bytes, ANY, ANY };

    return run(env, ranks, &all, ranks->patience);
}

dgm_status dgm_ranks_broadcast(struct dgm_env *env, struct dgm_ranks *ranks, void *data,
                               size_t bytes, double patience)
{
    const struct exchange out = { data, NULL, 0, bytes, 0, ANY };

    return run(env, ranks, &out, patience);
}

dgm_status dgm_ranks_share(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                           const struct dgm_span *spans)
{
    const struct exchange all = { array, spans, 0, 0, ANY, ANY };

    return run(env, ranks, &all, ranks->patience);
}

dgm_status dgm_ranks_collect(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                             const struct dgm_span *spans)
{
    const struct exchange in = { array, spans, 0, 0, ANY, 0 };

    return run(env, ranks, &in, ranks->patience);
}
