/* crew.c: gradients, values and moments between the ranks of a training run. */
#include "train/step/exchange/crew.h"

#include <string.h>

#include "base/mem.h"
#include "train/session.h"

/* Slices of a device that does not say how it sums: whole lines of memory. */
enum { USUAL_BLOCK = 8192 };

static struct dgm_ranks *ranks_of(const struct dgm_session *session)
{
    return session->run.ranks;
}

int64_t dgm_crew_block(const struct dgm_session *session)
{
    return session->run.device->sum_block > 0 ? session->run.device->sum_block : USUAL_BLOCK;
}

struct dgm_slice dgm_crew_slice(const struct dgm_session *session, int rank)
{
    return dgm_slice_of(session->trainee.params->total, dgm_crew_block(session),
                        dgm_run_count(&session->run), rank);
}

static struct dgm_slice own_slice(const struct dgm_session *session)
{
    return dgm_crew_slice(session, dgm_run_rank(&session->run));
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t blocks_of(const struct dgm_session *session)
{
    return (size_t)((session->trainee.params->total + dgm_crew_block(session) - 1) /
                    dgm_crew_block(session));
}

/* Slice 0 is a longest one. */
static size_t host_bytes(const struct dgm_session *session)
{
    const size_t whole = (size_t)session->trainee.params->total * sizeof(dgm_real);
    const size_t parts = (size_t)dgm_crew_slice(session, 0).count * sizeof(dgm_real) *
                         (size_t)dgm_run_count(&session->run);

    if (dgm_reduce_is_fast(session))
        return whole;
    return parts > whole ? parts : whole;
}

static size_t incoming_bytes(const struct dgm_session *session)
{
    const struct dgm_slice slice = own_slice(session);

    return (size_t)(slice.count > 0 ? slice.count : 1) * sizeof(dgm_real);
}

double dgm_crew_bytes(const struct dgm_session *session)
{
    double bytes;

    if (dgm_run_count(&session->run) == 1)
        return 0;
    bytes = (double)host_bytes(session) + (double)incoming_bytes(session);
    if (dgm_halves_are_on(session))
        bytes += (double)session->trainee.params->total * sizeof *session->crew.buckets.halves +
                 (double)incoming_bytes(session);
    return bytes;
}

dgm_status dgm_crew_init(struct dgm_session *session)
{
    struct dgm_crew *crew = &session->crew;
    const int count = dgm_run_count(&session->run);
    int i;

    if (count == 1)
        return DGM_OK;
    crew->spans = dgm_alloc(session->run.env, (size_t)count, sizeof *crew->spans);
    crew->host = dgm_alloc(session->run.env, host_bytes(session), 1);
    crew->squares = dgm_alloc(session->run.env, blocks_of(session), sizeof *crew->squares);
    if (crew->spans == NULL || crew->host == NULL || crew->squares == NULL)
        return DGM_MEMORY;
    for (i = 0; i < count; i++) {
        const struct dgm_slice slice = dgm_crew_slice(session, i);
        crew->spans[i].first = (size_t)slice.first * sizeof(dgm_real);
        crew->spans[i].count = (size_t)slice.count * sizeof(dgm_real);
    }
    DGM_TRY(dgm_buckets_init(session));
    DGM_TRY(dgm_sums_init(session));
    if (dgm_halves_are_on(session)) {
        crew->wide = dgm_alloc(session->run.env, incoming_bytes(session), 1);
        if (crew->wide == NULL)
            return DGM_MEMORY;
    }
    DGM_TRY(dgm_waits_init(session));
    return dgm_device_alloc(session->run.env, session->trainee.params->device, &crew->incoming,
                            incoming_bytes(session));
}

void dgm_crew_clear(struct dgm_session *session)
{
    struct dgm_crew *crew = &session->crew;

    if (crew->incoming != NULL)
        dgm_device_release(session->run.env, session->run.device, crew->incoming);
    dgm_buckets_clear(session);
    dgm_sums_clear(session);
    dgm_release(session->run.env, crew->wide);
    dgm_waits_clear(session);
    dgm_release(session->run.env, crew->spans);
    dgm_release(session->run.env, crew->host);
    dgm_release(session->run.env, crew->squares);
    memset(crew, 0, sizeof *crew);
}

dgm_status dgm_crew_follow_lead(struct dgm_session *session)
{
    char nothing = 0;

    if (ranks_of(session) == NULL)
        return DGM_OK;
    return dgm_ranks_broadcast(session->run.env, ranks_of(session), &nothing, 1, 0);
}

/* ---- gradients ------------------------------------------------------------------------------- */

static dgm_status add_part(struct dgm_session *session, const char *part, int is_first)
{
    const struct dgm_ref incoming = { session->crew.incoming, 0 };
    const size_t bytes = session->crew.spans[dgm_run_rank(&session->run)].count;

    if (session->crew.wide != NULL) {
        dgm_halves_widen(session->crew.wide, (const uint16_t *)(const void *)part,
                         bytes / sizeof(dgm_real));
        part = (const char *)session->crew.wide;
    }
    if (bytes > 0)
        DGM_TRY(dgm_device_write(session->run.env, session->trainee.params->device, incoming, part,
                                 bytes));
    return dgm_optimizer_add_from(session->run.env, &session->optimizer, incoming, is_first);
}

static dgm_status open_round(struct dgm_session *session, const struct dgm_crew_round *round)
{
    dgm_sent_note(session, DGM_SENT_CONTROL);
    if (!session->crew.sums.is_on)
        return dgm_buckets_open(session, round->count, session->crew.host);
    dgm_sums_open(session);
    return DGM_OK;
}

/* Where the gradients of a replica lie in the memory of the process; NULL: they lie elsewhere. */
static const void *place_of(const struct dgm_replica *replica)
{
    const struct dgm_ref grads = { replica->params->grads, 0 };

    return replica->device->ops->place != NULL ? replica->device->ops->place(grads) : NULL;
}

dgm_status dgm_crew_begin(struct dgm_session *session, const struct dgm_crew_round *round)
{
    struct dgm_replica *only = &session->replicas.items[0];

    if (round->is_first)
        dgm_sums_begin(session);
    if (session->run.ranks == NULL || session->replicas.count != 1 || place_of(only) == NULL ||
        (session->crew.sums.is_on && !round->is_last))
        return DGM_OK;
    DGM_TRY(open_round(session, round));
    if (dgm_run_rank(&session->run) < round->count)
        dgm_buckets_watch(session, place_of(only), &only->graph);
    return DGM_OK;
}

/* Bytes of this rank's slice as ranks send it. */
static size_t part_bytes(const struct dgm_session *session)
{
    return session->crew.spans[dgm_run_rank(&session->run)].count / sizeof(dgm_real) *
           session->crew.buckets.size;
}

/* This rank's own slice stands among the others', as it was sent. */
static void keep_own_part(struct dgm_session *session, const char *gradient)
{
    const struct dgm_buckets *buckets = &session->crew.buckets;
    const int rank = dgm_run_rank(&session->run);
    const struct dgm_span *own = &session->crew.spans[rank];
    const char *from = buckets->halves != NULL ? (const char *)buckets->halves : gradient;

    memcpy(session->crew.host + (size_t)rank * part_bytes(session),
           from + own->first / sizeof(dgm_real) * buckets->size, part_bytes(session));
}

static dgm_status end_exchange(struct dgm_session *session, const void *gradient,
                               const struct dgm_crew_round *round)
{
    const int is_fast = session->crew.sums.is_on;

    if (is_fast && !round->is_last) {
        if (gradient != NULL)
            dgm_sums_add(session, gradient);
        return DGM_OK;
    }
    if (!session->crew.buckets.is_open)
        DGM_TRY(open_round(session, round));
    session->crew.buckets.gradient = gradient;
    DGM_TRY(dgm_buckets_finish(session));
    if (is_fast)
        return DGM_OK;
    if (gradient != NULL)
        keep_own_part(session, gradient);
    dgm_sent_note(session, DGM_SENT_GRADIENTS);
    return DGM_OK;
}

/* Ends the exchange of a round. */
static dgm_status exchange(struct dgm_session *session, const struct dgm_replica *replica,
                           const struct dgm_crew_round *round)
{
    const void *gradient = NULL;
    void *copy = NULL;
    dgm_status status;

    if (replica != NULL) {
        const struct dgm_ref from = { replica->params->grads, 0 };
        DGM_TRY(dgm_device_look(session->run.env, replica->device, &gradient, &copy, from,
                                (size_t)replica->params->total * sizeof(dgm_real)));
    }
    session->replicas.items[0].graph.watch = NULL;
    DGM_TRY_OUT(end_exchange(session, gradient, round));
out:
    if (!ranks_of(session)->is_unsafe)
        dgm_release(session->run.env, copy);
    return status;
}

/* The link has added up this rank's slice. */
static dgm_status take_sum(struct dgm_session *session)
{
    const struct dgm_ref sum = { session->optimizer.sum, 0 };
    const struct dgm_span *own = &session->crew.spans[dgm_run_rank(&session->run)];

    if (own->count == 0)
        return DGM_OK;
    return dgm_device_write(session->run.env, session->trainee.params->device, sum,
                            session->crew.host + own->first, own->count);
}

dgm_status dgm_crew_add(struct dgm_session *session, const struct dgm_replica *replica,
                        const struct dgm_crew_round *round)
{
    const size_t bytes = part_bytes(session);
    int i;

    DGM_TRY(exchange(session, replica, round));
    if (session->crew.sums.is_on)
        return round->is_last ? take_sum(session) : DGM_OK;
    for (i = 0; i < round->count; i++)
        DGM_TRY(
            add_part(session, session->crew.host + (size_t)i * bytes, round->is_first && i == 0));
    return DGM_OK;
}

/* Puts this rank's slice, which begins at `from`, into its place on the host, gets the others', and
 * writes all of them to a buffer of the parameters. */
static dgm_status share(struct dgm_session *session, struct dgm_ref from, struct dgm_buffer *to)
{
    struct dgm_crew *crew = &session->crew;
    struct dgm_device *device = session->trainee.params->device;
    const struct dgm_span *own = &crew->spans[dgm_run_rank(&session->run)];
    const struct dgm_ref start = { to, 0 };

    if (own->count > 0)
        DGM_TRY(
            dgm_device_read(session->run.env, device, crew->host + own->first, from, own->count));
    DGM_TRY(dgm_ranks_share(session->run.env, ranks_of(session), crew->host, crew->spans));
    return dgm_device_write(session->run.env, device, start, crew->host,
                            (size_t)session->trainee.params->total * sizeof(dgm_real));
}

dgm_status dgm_crew_share_gradient(struct dgm_session *session)
{
    const struct dgm_ref sum = { session->optimizer.sum, 0 };

    return share(session, sum, session->trainee.params->grads);
}

dgm_status dgm_crew_share_values(struct dgm_session *session)
{
    const struct dgm_ref own = { session->trainee.params->values,
                                 session->crew.spans[dgm_run_rank(&session->run)].first };

    dgm_sent_note(session, DGM_SENT_CONTROL);
    DGM_TRY(share(session, own, session->trainee.params->values));
    dgm_sent_note(session, DGM_SENT_VALUES);
    return DGM_OK;
}

/* ---- the norm -------------------------------------------------------------------------------- */

/* Sums of squares of the blocks of this rank's slice. */
static dgm_status own_squares(struct dgm_session *session)
{
    const struct dgm_slice slice = own_slice(session);
    const int64_t block = dgm_crew_block(session);
    double *sums = session->crew.squares + (slice.first + block - 1) / block;
    int64_t at, count;

    for (at = 0; at < slice.count; at += block) {
        count = slice.count - at < block ? slice.count - at : block;
        DGM_TRY(
            dgm_optimizer_slice_squares(session->run.env, &session->optimizer, at, count, sums++));
    }
    return DGM_OK;
}

/* One sum for each block: as many as a slice has. */
static dgm_status share_squares(struct dgm_session *session)
{
    const struct dgm_crew *crew = &session->crew;
    const int count = dgm_run_count(&session->run);
    const int64_t block = dgm_crew_block(session);
    struct dgm_span *spans = dgm_alloc(session->run.env, (size_t)count, sizeof *spans);
    dgm_status status;
    int i;

    if (spans == NULL)
        return DGM_MEMORY;
    for (i = 0; i < count; i++) {
        const struct dgm_slice slice = dgm_crew_slice(session, i);
        spans[i].first = (size_t)((slice.first + block - 1) / block) * sizeof(double);
        spans[i].count = (size_t)((slice.count + block - 1) / block) * sizeof(double);
    }
    status = dgm_ranks_share(session->run.env, ranks_of(session), crew->squares, spans);
    dgm_release(session->run.env, spans);
    return status;
}

/* Where the device adds blocks in their order, so does this. Elsewhere each rank asks its device
 * for the sum of the whole. */
dgm_status dgm_crew_squares(struct dgm_session *session, double *squares)
{
    const struct dgm_crew *crew = &session->crew;
    const size_t blocks = blocks_of(session);
    size_t i;

    if (session->run.device->sum_block == 0) {
        dgm_sent_note(session, DGM_SENT_CONTROL);
        DGM_TRY(dgm_crew_share_gradient(session));
        dgm_sent_note(session, DGM_SENT_GRADIENTS);
        return dgm_optimizer_squares(session->run.env, &session->optimizer, 0,
                                     session->trainee.params->total, squares);
    }
    DGM_TRY(own_squares(session));
    DGM_TRY(share_squares(session));
    *squares = 0;
    for (i = 0; i < blocks; i++)
        *squares += crew->squares[i];
    return DGM_OK;
}

/* ---- moments --------------------------------------------------------------------------------- */

dgm_status dgm_crew_collect(struct dgm_session *session, struct dgm_buffer *moment, dgm_real **out)
{
    struct dgm_crew *crew = &session->crew;
    const struct dgm_span *own = &crew->spans[dgm_run_rank(&session->run)];
    const struct dgm_ref from = { moment, 0 };
    dgm_real *whole;
    dgm_status status;

    *out = NULL;
    whole = dgm_alloc(session->run.env, (size_t)session->trainee.params->total, sizeof *whole);
    if (whole == NULL)
        return DGM_MEMORY;
    if (own->count > 0)
        DGM_TRY_OUT(dgm_device_read(session->run.env, session->trainee.params->device,
                                    (char *)whole + own->first, from, own->count));
    status = dgm_ranks_collect(session->run.env, ranks_of(session), whole, crew->spans);
out:
    if (status != DGM_OK || dgm_run_rank(&session->run) != 0) {
        dgm_release(session->run.env, whole);
        whole = NULL;
    }
    *out = whole;
    return status;
}
