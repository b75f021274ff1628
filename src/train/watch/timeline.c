/* timeline.c: --trace: the events of all ranks in one file. */
#include "train/watch/timeline.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "train/step/exchange/lead.h"
#include "train/session.h"

dgm_status dgm_timeline_check(const struct dgm_session *session)
{
    const struct dgm_settings *settings = session->run.settings;
    const int is_on = dgm_settings_text(settings, "trace") != NULL;

    if (is_on && dgm_settings_flag(settings, "dry-run"))
        return dgm_fail(session->run.env, DGM_USAGE,
                        "--trace shows updates, and --dry-run makes none; expected one of them");
    if (!is_on && dgm_settings_is_typed(settings, "trace-updates"))
        return dgm_fail(session->run.env, DGM_USAGE,
                        "--trace-updates counts the updates of --trace FILE, which is not given");
    return DGM_OK;
}

int64_t dgm_timeline_updates(const struct dgm_session *session)
{
    return dgm_settings_text(session->run.settings, "trace") != NULL
               ? dgm_settings_int(session->run.settings, "trace-updates")
               : 0;
}

/* ---- beginning ------------------------------------------------------------------------------- */

dgm_status dgm_timeline_begin(struct dgm_session *session)
{
    struct dgm_timeline *line = &session->timeline;
    const char *path = dgm_settings_text(session->run.settings, "trace");

    line->left = dgm_timeline_updates(session);
    if (line->left == 0)
        return DGM_OK;
    line->trace.origin = dgm_trace_clock();
    if (dgm_run_rank(&session->run) == 0)
        DGM_TRY(dgm_writer_open(session->run.env, &line->writer, path));
    line->is_on = 1;
    session->run.env->trace = &line->trace;
    return DGM_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void stop(struct dgm_session *session)
{
    session->timeline.is_on = 0;
    session->run.env->trace = NULL;
    dgm_trace_clear(session->run.env, &session->timeline.trace);
}

static dgm_status print(struct dgm_session *session, struct dgm_buf *out)
{
    const struct dgm_ranks *ranks = session->run.ranks;
    const struct dgm_trace *trace = &session->timeline.trace;
    char name[32] = "training", host[DGM_HOST_SIZE] = "one process";

    if (trace->lost > 0)
        dgm_log(session->run.env, DGM_LOG_WARNING,
                "--trace: %lld events are missing: expected fewer "
                "--trace-updates",
                (long long)trace->lost);
    if (ranks != NULL) {
        snprintf(name, sizeof name, "rank %d", ranks->rank);
        snprintf(host, sizeof host, "%s", ranks->places[ranks->rank].host);
    }
    return dgm_trace_print(session->run.env, trace, dgm_run_rank(&session->run), name, host,
                           dgm_trace_clock(), out);
}

/* Rank 0's part of the file stands first, those of others, if any, behind it. */
static dgm_status write_parts(struct dgm_env *env, struct dgm_writer *writer, const char *parts,
                              const struct dgm_span *spans, int count)
{
    int i;

    for (i = 0; i < count; i++) {
        DGM_TRY(dgm_writer_add(env, writer, i > 0 ? ",\n" : "[\n", 2));
        DGM_TRY(dgm_writer_add(env, writer, parts + spans[i].first, spans[i].count));
    }
    DGM_TRY(dgm_writer_add(env, writer, "\n]\n", 3));
    return dgm_writer_close(env, writer);
}

/* A timeline that cannot be written does not end the run it shows. */
static void write_file(struct dgm_session *session, const char *parts, const struct dgm_span *spans,
                       int count)
{
    struct dgm_writer *writer = &session->timeline.writer;
    struct dgm_env quiet = dgm_env_quiet(session->run.env);

    if (write_parts(&quiet, writer, parts, spans, count) == DGM_OK)
        dgm_log(session->run.env, DGM_LOG_NOTE, "--trace: written to %s", writer->path);
    else
        dgm_log(session->run.env, DGM_LOG_WARNING, "--trace: %s: %s", writer->path,
                quiet.error.message);
    dgm_writer_abandon(&quiet, writer);
}

/* How long each rank's part is, and where it stands behind the others. */
static dgm_status find_spans(struct dgm_session *session, size_t own, struct dgm_span *spans)
{
    struct dgm_ranks *ranks = session->run.ranks;
    uint64_t *sizes = dgm_alloc(session->run.env, (size_t)ranks->count, sizeof *sizes);
    size_t end = 0;
    dgm_status status;
    int i;

    if (sizes == NULL)
        return DGM_MEMORY;
    sizes[ranks->rank] = own;
    status = dgm_ranks_gather(session->run.env, ranks, sizes, sizeof *sizes);
    for (i = 0; i < ranks->count; i++) {
        spans[i].first = end;
        spans[i].count = (size_t)sizes[i];
        end += (size_t)sizes[i];
    }
    dgm_release(session->run.env, sizes);
    return status;
}

/* Rank 0 makes room for all; the others' arrays are their own parts. */
static dgm_status collect(struct dgm_session *session, const struct dgm_buf *own,
                          struct dgm_span *spans)
{
    struct dgm_ranks *ranks = session->run.ranks;
    const struct dgm_span *last = &spans[ranks->count - 1];
    dgm_status status;
    char *all;

    if (ranks->rank != 0) {
        spans[ranks->rank].first = 0;
        return dgm_ranks_collect(session->run.env, ranks, own->data, spans);
    }
    all = dgm_alloc(session->run.env, last->first + last->count, 1);
    if (all == NULL)
        return DGM_MEMORY;
    memcpy(all, own->data, own->size);
    status = dgm_ranks_collect(session->run.env, ranks, all, spans);
    if (status == DGM_OK)
        write_file(session, all, spans, ranks->count);
    dgm_release(session->run.env, all);
    return status;
}

dgm_status dgm_timeline_send(struct dgm_session *session)
{
    struct dgm_buf own = { 0 };
    struct dgm_span *spans = NULL;
    dgm_status status;

    DGM_TRY_OUT(print(session, &own));
    stop(session);
    spans = dgm_alloc(session->run.env, (size_t)dgm_run_count(&session->run), sizeof *spans);
    if (spans == NULL) {
        status = DGM_MEMORY;
        goto out;
    }
    DGM_TRY_OUT(find_spans(session, own.size, spans));
    status = collect(session, &own, spans);
out:
    dgm_release(session->run.env, spans);
    dgm_buf_clear(session->run.env, &own);
    return status;
}

static void write_alone(struct dgm_session *session)
{
    struct dgm_span span = { 0, 0 };
    struct dgm_buf own = { 0 };

    if (print(session, &own) == DGM_OK) {
        span.count = own.size;
        write_file(session, own.data, &span, 1);
    }
    stop(session);
    dgm_buf_clear(session->run.env, &own);
}

dgm_status dgm_timeline_end(struct dgm_session *session)
{
    if (!session->timeline.is_on)
        return DGM_OK;
    if (session->run.ranks != NULL)
        return dgm_lead_timeline(session);
    write_alone(session);
    return DGM_OK;
}

dgm_status dgm_timeline_count(struct dgm_session *session)
{
    if (!session->timeline.is_on || --session->timeline.left > 0)
        return DGM_OK;
    return dgm_timeline_end(session);
}

void dgm_timeline_clear(struct dgm_session *session)
{
    if (session->timeline.is_on && dgm_run_rank(&session->run) == 0)
        write_alone(session);
    else if (session->timeline.is_on)
        stop(session);
}
