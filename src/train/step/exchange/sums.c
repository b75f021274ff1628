/* sums.c: gradients that the link's library adds up. */
#include "train/step/exchange/sums.h"

#include <string.h>

#include "base/mem.h"
#include "train/session.h"

dgm_status dgm_sums_init(struct dgm_session *session)
{
    struct dgm_sums *sums = &session->crew.sums;

    if (!dgm_reduce_is_fast(session))
        return DGM_OK;
    sums->is_on = 1;
    sums->tokens = dgm_alloc(session->run.env, (size_t)dgm_run_count(&session->run), 1);
    return sums->tokens != NULL ? DGM_OK : DGM_MEMORY;
}

void dgm_sums_clear(struct dgm_session *session)
{
    dgm_release(session->run.env, session->crew.sums.tokens);
}

void dgm_sums_begin(struct dgm_session *session)
{
    session->crew.sums.has_any = 0;
}

/* Elements first .. first + count - 1 of this rank's sum; a rank without a batch has zeros. */
static void add(struct dgm_session *session, const char *gradient, struct dgm_span span)
{
    char *to = session->crew.host + span.first;
    const dgm_real *from = (const dgm_real *)(const void *)(gradient + span.first);
    dgm_real *sum = (dgm_real *)(void *)to;
    size_t i;

    if (session->crew.sums.has_any)
        for (i = 0; i < span.count / sizeof *sum; i++)
            sum[i] += from[i];
    else
        memcpy(to, from, span.count);
}

void dgm_sums_add(struct dgm_session *session, const void *gradient)
{
    const struct dgm_span all = { 0, (size_t)session->trainee.params->total * sizeof(dgm_real) };

    add(session, gradient, all);
    session->crew.sums.has_any = 1;
}

void dgm_sums_open(struct dgm_session *session)
{
    session->crew.sums.next = session->crew.buckets.count - 1;
    dgm_buckets_open_sums(session);
}

static void complete(struct dgm_session *session, int b)
{
    const struct dgm_buckets *buckets = &session->crew.buckets;
    const size_t first = (size_t)b * buckets->bytes, rest = buckets->total - first;
    const struct dgm_span span = { first, rest < buckets->bytes ? rest : buckets->bytes };

    if (buckets->gradient != NULL)
        add(session, buckets->gradient, span);
    else if (!session->crew.sums.has_any)
        memset(session->crew.host + first, 0, span.count);
}

/* A sum for each slice that the bucket has a part of. */
static dgm_status add_up(struct dgm_session *session, int b)
{
    struct dgm_buckets *buckets = &session->crew.buckets;
    const int ranks = dgm_run_count(&session->run), rank = dgm_run_rank(&session->run);
    int root;

    complete(session, b);
    for (root = 0; root < ranks; root++) {
        const struct dgm_span both = dgm_buckets_common(session, b, root);
        if (both.count == 0)
            continue;
        DGM_TRY(dgm_ranks_sum(session->run.env, session->run.ranks,
                              (dgm_real *)(void *)(session->crew.host + both.first),
                              both.count / sizeof(dgm_real), root));
        buckets->sent += root != rank ? both.count : 0;
    }
    return DGM_OK;
}

dgm_status dgm_sums_go_on(struct dgm_session *session)
{
    struct dgm_sums *sums = &session->crew.sums;

    for (; sums->next >= 0 && session->crew.buckets.expected[sums->next] == 0; sums->next--)
        DGM_TRY(add_up(session, sums->next));
    return DGM_OK;
}

dgm_status dgm_sums_finish(struct dgm_session *session)
{
    struct dgm_sums *sums = &session->crew.sums;

    DGM_TRY(dgm_sums_go_on(session));
    dgm_sent_note(session, DGM_SENT_GRADIENTS);
    DGM_TRY(dgm_ranks_gather(session->run.env, session->run.ranks, sums->tokens, 1));
    dgm_sent_note(session, DGM_SENT_CONTROL);
    return DGM_OK;
}
