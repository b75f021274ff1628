/* sums.c: gradients that the link's library adds up. */
#include "train/step/exchange/sums.h"

#include <string.h>

#include "base/mem.h"

dgm_status dgm_sums_init(struct dgm_env *env, struct dgm_sums *sums, struct dgm_buckets *buckets,
                         char *host)
{
    sums->buckets = buckets;
    sums->host = host;
    return dgm_new(env, &sums->tokens, (size_t)buckets->ranks->count, 1);
}

void dgm_sums_clear(struct dgm_env *env, struct dgm_sums *sums)
{
    dgm_release(env, sums->tokens);
}

void dgm_sums_begin(struct dgm_sums *sums)
{
    sums->has_any = 0;
}

/* Elements first .. first + count - 1 of this rank's sum; a rank without a batch has zeros. */
static void add(struct dgm_sums *sums, const char *gradient, struct dgm_span span)
{
    char *to = sums->host + span.first;
    const dgm_real *from = (const dgm_real *)(const void *)(gradient + span.first);
    dgm_real *sum = (dgm_real *)(void *)to;

    if (sums->has_any)
        for (size_t i = 0; i < span.count / sizeof *sum; i++)
            sum[i] += from[i];
    else
        memcpy(to, from, span.count);
}

void dgm_sums_add(struct dgm_sums *sums, const void *gradient)
{
    const struct dgm_span all = { 0, sums->buckets->total };

    add(sums, gradient, all);
    sums->has_any = 1;
}

static void complete(struct dgm_sums *sums, int b)
{
    const struct dgm_buckets *buckets = sums->buckets;
    const size_t first = (size_t)b * buckets->bytes, rest = buckets->total - first;
    const struct dgm_span span = { first, rest < buckets->bytes ? rest : buckets->bytes };

    if (buckets->gradient != NULL)
        add(sums, buckets->gradient, span);
    else if (!sums->has_any)
        memset(sums->host + first, 0, span.count);
}

/* A sum for each slice that the bucket has a part of. */
static dgm_status add_up(struct dgm_sums *sums, int b)
{
    struct dgm_buckets *buckets = sums->buckets;
    struct dgm_ranks *ranks = buckets->ranks;

    complete(sums, b);
    for (int root = 0; root < ranks->count; root++) {
        const struct dgm_span both = dgm_buckets_common(buckets, b, root);
        if (both.count == 0)
            continue;
        DGM_TRY(dgm_ranks_sum(buckets->env, ranks, (dgm_real *)(void *)(sums->host + both.first),
                              both.count / sizeof(dgm_real), root));
        buckets->sent += root != ranks->rank ? both.count : 0;
    }
    return DGM_OK;
}

/* Begins the sums of buckets that are complete. */
static dgm_status go_on(void *user)
{
    struct dgm_sums *sums = user;

    for (; sums->next >= 0 && sums->buckets->expected[sums->next] == 0; sums->next--)
        DGM_TRY(add_up(sums, sums->next));
    return DGM_OK;
}

void dgm_sums_open(struct dgm_sums *sums)
{
    sums->next = sums->buckets->count - 1;
    dgm_buckets_open_sums(sums->buckets, go_on, sums);
}

dgm_status dgm_sums_finish(struct dgm_sums *sums)
{
    dgm_buckets_close(sums->buckets);
    return go_on(sums);
}

dgm_status dgm_sums_meet(struct dgm_sums *sums)
{
    return dgm_ranks_gather(sums->buckets->env, sums->buckets->ranks, sums->tokens, 1);
}
