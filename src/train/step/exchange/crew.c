/* crew.c: gradients, values and moments between the ranks of a training run. */
#include "train/step/exchange/crew.h"

#include <string.h>

#include "base/mem.h"
#include "train/step/exchange/halves.h"
#include "train/step/exchange/reduce.h"

/* Slices of a device that does not say how it sums: whole lines of memory. */
enum { USUAL_BLOCK = 8192 };

int64_t dgm_crew_block(const struct dgm_device *device)
{
    return device->sum_block > 0 ? device->sum_block : USUAL_BLOCK;
}

struct dgm_slice dgm_crew_slice(const struct dgm_run *run, int64_t total, int rank)
{
    return dgm_slice_of(total, dgm_crew_block(run->device), dgm_run_count(run), rank);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static size_t blocks_of(const struct dgm_crew *crew)
{
    return (size_t)((crew->params->total + crew->block - 1) / crew->block);
}

/* Slice 0 is a longest one. */
static size_t host_bytes(const struct dgm_run *run, int64_t total)
{
    const size_t whole = (size_t)total * sizeof(dgm_real);
    const size_t parts =
        (size_t)dgm_crew_slice(run, total, 0).count * sizeof(dgm_real) * (size_t)dgm_run_count(run);

    if (dgm_reduce_is_fast(run))
        return whole;
    return parts > whole ? parts : whole;
}

static size_t incoming_bytes(const struct dgm_run *run, int64_t total)
{
    const struct dgm_slice slice = dgm_crew_slice(run, total, dgm_run_rank(run));

    return (size_t)(slice.count > 0 ? slice.count : 1) * sizeof(dgm_real);
}

double dgm_crew_bytes(const struct dgm_run *run, int64_t total)
{
    double bytes;

    if (run->ranks == NULL)
        return 0;
    bytes = (double)host_bytes(run, total) + (double)incoming_bytes(run, total);
    if (dgm_halves_are_on(run->settings))
        bytes += (double)total * sizeof(uint16_t) + (double)incoming_bytes(run, total);
    return bytes;
}

static dgm_status find_spans(const struct dgm_run *run, struct dgm_crew *crew)
{
    const int count = dgm_run_count(run);

    DGM_TRY(dgm_new(run->env, &crew->spans, (size_t)count, sizeof *crew->spans));
    for (int i = 0; i < count; i++) {
        const struct dgm_slice slice = dgm_crew_slice(run, crew->params->total, i);
        crew->spans[i].first = (size_t)slice.first * sizeof(dgm_real);
        crew->spans[i].count = (size_t)slice.count * sizeof(dgm_real);
    }
    return DGM_OK;
}

static dgm_status make_arrays(const struct dgm_run *run, struct dgm_crew *crew)
{
    const int64_t total = crew->params->total;

    DGM_TRY(dgm_new(run->env, &crew->host, host_bytes(run, total), 1));
    DGM_TRY(dgm_new(run->env, &crew->squares, blocks_of(crew), sizeof *crew->squares));
    if (dgm_halves_are_on(run->settings)) {
        DGM_TRY(dgm_new(run->env, &crew->wide, incoming_bytes(run, total), 1));
    }
    return dgm_device_alloc(run->env, crew->params->device, &crew->incoming,
                            incoming_bytes(run, total));
}

dgm_status dgm_crew_new(const struct dgm_run *run, struct dgm_params *params, struct dgm_crew **out)
{
    struct dgm_env *env = run->env;
    struct dgm_crew *crew;

    *out = NULL;
    if (run->ranks == NULL)
        return DGM_OK;
    DGM_TRY(dgm_new(env, out, 1, sizeof **out));
    crew = *out;
    crew->ranks = run->ranks;
    crew->params = params;
    crew->block = dgm_crew_block(params->device);
    crew->own = dgm_crew_slice(run, params->total, run->ranks->rank);
    DGM_TRY(find_spans(run, crew));
    DGM_TRY(make_arrays(run, crew));
    DGM_TRY(dgm_buckets_init(run, &crew->buckets, params, crew->spans));
    if (dgm_reduce_is_fast(run))
        DGM_TRY(dgm_sums_init(env, &crew->sums, &crew->buckets, crew->host));
    return dgm_waits_init(env, &crew->waits, run->ranks->count);
}

void dgm_crew_free(struct dgm_env *env, struct dgm_crew *crew)
{
    if (crew == NULL)
        return;
    if (crew->incoming != NULL)
        dgm_device_release(env, crew->params->device, crew->incoming);
    dgm_buckets_clear(env, &crew->buckets);
    dgm_sums_clear(env, &crew->sums);
    dgm_waits_clear(env, &crew->waits);
    dgm_release(env, crew->wide);
    dgm_release(env, crew->spans);
    dgm_release(env, crew->host);
    dgm_release(env, crew->squares);
    dgm_release(env, crew);
}

/* ---- an update ------------------------------------------------------------------------------- */

void dgm_crew_note(struct dgm_crew *crew, enum dgm_sent_kind kind)
{
    dgm_sent_note(&crew->sent, crew->ranks, kind);
}

int dgm_crew_is_fast(const struct dgm_crew *crew)
{
    return crew->sums.buckets != NULL;
}

static dgm_status open_round(struct dgm_crew *crew, const struct dgm_crew_round *round)
{
    dgm_crew_note(crew, DGM_SENT_CONTROL);
    if (!dgm_crew_is_fast(crew))
        return dgm_buckets_open(&crew->buckets, round->count, crew->host);
    dgm_sums_open(&crew->sums);
    return DGM_OK;
}

/* Where gradients lie in the memory of the process; NULL: they lie elsewhere. */
static const void *place_of(const struct dgm_params *params)
{
    const struct dgm_ref grads = { params->grads, 0 };

    return params->device->ops->place != NULL ? params->device->ops->place(grads) : NULL;
}

dgm_status dgm_crew_begin(struct dgm_crew *crew, const struct dgm_params *from,
                          struct dgm_graph *graph, const struct dgm_crew_round *round)
{
    if (round->is_first)
        dgm_sums_begin(&crew->sums);
    if (from == NULL || place_of(from) == NULL || (dgm_crew_is_fast(crew) && !round->is_last))
        return DGM_OK;
    DGM_TRY(open_round(crew, round));
    if (crew->ranks->rank < round->count)
        dgm_buckets_watch(&crew->buckets, place_of(from), graph);
    return DGM_OK;
}

/* Bytes of this rank's slice as ranks send it. */
static size_t part_bytes(const struct dgm_crew *crew)
{
    return (size_t)crew->own.count * crew->buckets.size;
}

/* This rank's own slice stands among the others', as it was sent. */
static void keep_own_part(struct dgm_crew *crew, const char *gradient)
{
    const struct dgm_buckets *buckets = &crew->buckets;
    const char *from = buckets->halves != NULL ? (const char *)buckets->halves : gradient;

    memcpy(crew->host + (size_t)crew->ranks->rank * part_bytes(crew),
           from + (size_t)crew->own.first * buckets->size, part_bytes(crew));
}

static dgm_status finish_sums(struct dgm_crew *crew)
{
    DGM_TRY(dgm_sums_finish(&crew->sums));
    dgm_crew_note(crew, DGM_SENT_GRADIENTS);
    DGM_TRY(dgm_sums_meet(&crew->sums));
    dgm_crew_note(crew, DGM_SENT_CONTROL);
    return DGM_OK;
}

static dgm_status end_exchange(struct dgm_crew *crew, const void *gradient,
                               const struct dgm_crew_round *round)
{
    if (dgm_crew_is_fast(crew) && !round->is_last) {
        if (gradient != NULL)
            dgm_sums_add(&crew->sums, gradient);
        return DGM_OK;
    }
    if (!crew->buckets.is_open)
        DGM_TRY(open_round(crew, round));
    crew->buckets.gradient = gradient;
    if (dgm_crew_is_fast(crew))
        return finish_sums(crew);
    dgm_buckets_close(&crew->buckets);
    DGM_TRY(dgm_buckets_finish(&crew->buckets));
    if (gradient != NULL)
        keep_own_part(crew, gradient);
    dgm_crew_note(crew, DGM_SENT_GRADIENTS);
    return DGM_OK;
}

dgm_status dgm_crew_exchange(struct dgm_env *env, struct dgm_crew *crew,
                             const struct dgm_params *from, const struct dgm_crew_round *round)
{
    const void *gradient = NULL;
    void *copy = NULL;
    dgm_status status;

    if (from != NULL) {
        const struct dgm_ref grads = { from->grads, 0 };
        DGM_TRY(dgm_device_look(env, from->device, &gradient, &copy, grads,
                                (size_t)from->total * sizeof(dgm_real)));
    }
    dgm_buckets_unwatch(&crew->buckets);
    DGM_TRY_OUT(end_exchange(crew, gradient, round));
out:
    if (!crew->ranks->is_unsafe)
        dgm_release(env, copy);
    return status;
}

dgm_status dgm_crew_part(struct dgm_env *env, struct dgm_crew *crew, int k, struct dgm_ref *part)
{
    const struct dgm_span *own = &crew->spans[crew->ranks->rank];
    const char *from = crew->host + (size_t)k * part_bytes(crew);

    part->buffer = crew->incoming;
    part->offset = 0;
    if (crew->wide != NULL) {
        dgm_halves_widen(crew->wide, (const uint16_t *)(const void *)from, (size_t)crew->own.count);
        from = (const char *)crew->wide;
    }
    return own->count > 0 ? dgm_device_write(env, crew->params->device, *part, from, own->count)
                          : DGM_OK;
}

dgm_status dgm_crew_take_sum(struct dgm_env *env, const struct dgm_crew *crew,
                             struct dgm_buffer *sum)
{
    const struct dgm_span *own = &crew->spans[crew->ranks->rank];
    const struct dgm_ref to = { sum, 0 };

    if (own->count == 0)
        return DGM_OK;
    return dgm_device_write(env, crew->params->device, to, crew->host + own->first, own->count);
}

/* Puts this rank's slice, which begins at `from`, into its place on the host, gets the others', and
 * writes all of them to a buffer of the parameters. */
static dgm_status share(struct dgm_env *env, struct dgm_crew *crew, struct dgm_ref from,
                        struct dgm_buffer *to)
{
    struct dgm_device *device = crew->params->device;
    const struct dgm_span *own = &crew->spans[crew->ranks->rank];
    const struct dgm_ref start = { to, 0 };

    if (own->count > 0)
        DGM_TRY(dgm_device_read(env, device, crew->host + own->first, from, own->count));
    DGM_TRY(dgm_ranks_share(env, crew->ranks, crew->host, crew->spans));
    return dgm_device_write(env, device, start, crew->host,
                            (size_t)crew->params->total * sizeof(dgm_real));
}

dgm_status dgm_crew_share_gradient(struct dgm_env *env, struct dgm_crew *crew,
                                   struct dgm_buffer *sum)
{
    const struct dgm_ref from = { sum, 0 };

    return share(env, crew, from, crew->params->grads);
}

dgm_status dgm_crew_share_values(struct dgm_env *env, struct dgm_crew *crew)
{
    const struct dgm_ref own = { crew->params->values, crew->spans[crew->ranks->rank].first };

    dgm_crew_note(crew, DGM_SENT_CONTROL);
    DGM_TRY(share(env, crew, own, crew->params->values));
    dgm_crew_note(crew, DGM_SENT_VALUES);
    return DGM_OK;
}

/* ---- the norm -------------------------------------------------------------------------------- */

static size_t block_at(const struct dgm_crew *crew, size_t bytes)
{
    const size_t block = (size_t)crew->block * sizeof(dgm_real);

    return (bytes + block - 1) / block;
}

double *dgm_crew_own_squares(const struct dgm_crew *crew)
{
    return crew->squares + block_at(crew, crew->spans[crew->ranks->rank].first);
}

/* One sum for each block: as many as a slice has. */
static dgm_status share_squares(struct dgm_env *env, struct dgm_crew *crew)
{
    const int count = crew->ranks->count;
    struct dgm_span *spans;
    dgm_status status;

    DGM_TRY(dgm_new(env, &spans, (size_t)count, sizeof *spans));
    for (int i = 0; i < count; i++) {
        spans[i].first = block_at(crew, crew->spans[i].first) * sizeof(double);
        spans[i].count = block_at(crew, crew->spans[i].count) * sizeof(double);
    }
    status = dgm_ranks_share(env, crew->ranks, crew->squares, spans);
    dgm_release(env, spans);
    return status;
}

dgm_status dgm_crew_add_squares(struct dgm_env *env, struct dgm_crew *crew, double *squares)
{
    const size_t blocks = blocks_of(crew);

    DGM_TRY(share_squares(env, crew));
    *squares = 0;
    for (size_t i = 0; i < blocks; i++)
        *squares += crew->squares[i];
    return DGM_OK;
}

/* ---- moments --------------------------------------------------------------------------------- */

dgm_status dgm_crew_collect(struct dgm_env *env, struct dgm_crew *crew, struct dgm_buffer *slice,
                            dgm_real **out)
{
    const struct dgm_span *own = &crew->spans[crew->ranks->rank];
    const struct dgm_ref from = { slice, 0 };
    dgm_real *whole;
    dgm_status status;

    *out = NULL;
    DGM_TRY(dgm_new(env, &whole, (size_t)crew->params->total, sizeof *whole));
    if (own->count > 0)
        DGM_TRY_OUT(dgm_device_read(env, crew->params->device, (char *)whole + own->first, from,
                                    own->count));
    status = dgm_ranks_collect(env, crew->ranks, whole, crew->spans);
out:
    if (status != DGM_OK || crew->ranks->rank != 0) {
        dgm_release(env, whole);
        whole = NULL;
    }
    *out = whole;
    return status;
}
