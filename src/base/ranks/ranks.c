/*
 * ranks.c: collective calls of ranks, as transfers between two of them each.
 *
 * Every rank sends to every other directly. What one rank waits for is then always a certain other
 * one, so that a rank that hangs can be named.
 */
#include "base/ranks/ranks.h"

#include <string.h>

#include "base/mem.h"

/* Room for two transfers with each rank. */
static struct dgm_transfer *new_list(struct dgm_env *env, const struct dgm_ranks *ranks)
{
    return dgm_alloc(env, 2 * (size_t)ranks->count, sizeof(struct dgm_transfer));
}

static void add(struct dgm_transfer *list, int *count, int peer, int is_send, void *data,
                size_t bytes)
{
    if (bytes == 0)
        return;
    list[*count].peer = peer;
    list[*count].is_send = is_send;
    list[*count].channel = 0;
    list[*count].data = data;
    list[*count].bytes = bytes;
    ++*count;
}

static dgm_status run_list(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_transfer *list,
                           int count, double patience)
{
    dgm_status status = dgm_ranks_post(env, ranks, list, count);

    dgm_release(env, list);
    DGM_TRY(status);
    return dgm_ranks_wait(env, ranks, patience);
}

/* Peers in an order that begins behind this rank, so that not all send to rank 0 first. */
static int peer_at(const struct dgm_ranks *ranks, int i)
{
    return (ranks->rank + i) % ranks->count;
}

dgm_status dgm_ranks_gather(struct dgm_env *env, struct dgm_ranks *ranks, void *records,
                            size_t bytes)
{
    struct dgm_transfer *list = new_list(env, ranks);
    char *at = records;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    for (i = 1; i < ranks->count; i++) {
        const int peer = peer_at(ranks, i);
        add(list, &count, peer, 0, at + (size_t)peer * bytes, bytes);
        add(list, &count, peer, 1, at + (size_t)ranks->rank * bytes, bytes);
    }
    return run_list(env, ranks, list, count, ranks->patience);
}

dgm_status dgm_ranks_broadcast(struct dgm_env *env, struct dgm_ranks *ranks, void *data,
                               size_t bytes, double patience)
{
    struct dgm_transfer *list = new_list(env, ranks);
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    if (ranks->rank != 0)
        add(list, &count, 0, 0, data, bytes);
    for (i = 1; i < ranks->count && ranks->rank == 0; i++)
        add(list, &count, i, 1, data, bytes);
    return run_list(env, ranks, list, count, patience);
}

dgm_status dgm_ranks_share(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                           const struct dgm_span *spans)
{
    const struct dgm_span *own = &spans[ranks->rank];
    struct dgm_transfer *list = new_list(env, ranks);
    char *bytes = array;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    for (i = 1; i < ranks->count; i++) {
        const int peer = peer_at(ranks, i);
        add(list, &count, peer, 0, bytes + spans[peer].first, spans[peer].count);
        add(list, &count, peer, 1, bytes + own->first, own->count);
    }
    return run_list(env, ranks, list, count, ranks->patience);
}

dgm_status dgm_ranks_collect(struct dgm_env *env, struct dgm_ranks *ranks, void *array,
                             const struct dgm_span *spans)
{
    const struct dgm_span *own = &spans[ranks->rank];
    struct dgm_transfer *list = new_list(env, ranks);
    char *bytes = array;
    int i, count = 0;

    if (list == NULL)
        return DGM_MEMORY;
    if (ranks->rank != 0)
        add(list, &count, 0, 1, bytes + own->first, own->count);
    for (i = 1; i < ranks->count && ranks->rank == 0; i++)
        add(list, &count, i, 0, bytes + spans[i].first, spans[i].count);
    return run_list(env, ranks, list, count, ranks->patience);
}
