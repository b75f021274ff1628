/* timeline.c: --trace: the events of all ranks in one file. */
#include "train/watch/timeline.h"

#include <stdio.h>
#include <string.h>

#include "base/file/output.h"
#include "base/mem.h"
#include "base/ranks/ranks.h"
#include "base/system/clock.h"

int64_t dgm_timeline_updates(const struct dgm_settings *settings)
{
    return dgm_settings_text(settings, "trace") != NULL
               ? dgm_settings_int(settings, "trace-updates")
               : 0;
}

/* ---- beginning ------------------------------------------------------------------------------- */

#define HEAD "[\n"

dgm_status dgm_timeline_check(const struct dgm_run *run)
{
    const char *path = dgm_settings_text(run->settings, "trace");
    struct dgm_output output;

    if (path == NULL || strcmp(path, "-") == 0 || dgm_run_rank(run) != 0)
        return DGM_OK;
    DGM_TRY(dgm_output_find(run->env, &output, path));
    return dgm_output_keep_others(run->env, &output, HEAD DGM_TRACE_KIND, "timeline of --trace");
}

dgm_status dgm_timeline_begin(const struct dgm_run *run, struct dgm_timeline *line)
{
    const char *path = dgm_settings_text(run->settings, "trace");

    line->left = dgm_timeline_updates(run->settings);
    if (line->left == 0)
        return DGM_OK;
    line->trace.origin = dgm_clock();
    if (dgm_run_rank(run) == 0)
        DGM_TRY(dgm_writer_open(run->env, &line->writer, path));
    line->is_on = 1;
    run->env->trace = &line->trace;
    return DGM_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void stop(struct dgm_env *env, struct dgm_timeline *line)
{
    line->is_on = 0;
    env->trace = NULL;
    dgm_trace_clear(env, &line->trace);
}

static dgm_status print(const struct dgm_run *run, const struct dgm_trace *trace,
                        struct dgm_buf *out)
{
    const struct dgm_ranks *ranks = run->ranks;
    char name[32] = "training", host[DGM_HOST_SIZE] = "one process";

    if (trace->lost > 0)
        dgm_log(run->env, DGM_LOG_WARNING,
                "--trace: %lld events are missing: expected fewer --trace-updates",
                (long long)trace->lost);
    if (ranks != NULL) {
        snprintf(name, sizeof name, "rank %d", ranks->rank);
        snprintf(host, sizeof host, "%s", ranks->places[ranks->rank].host);
    }
    return dgm_trace_print(run->env, trace, dgm_run_rank(run), name, host, dgm_clock(), out);
}

/* Rank 0's part of the file stands first, those of others, if any, behind it. */
static dgm_status write_parts(struct dgm_env *env, struct dgm_writer *writer, const char *parts,
                              const struct dgm_span *spans, int count)
{
    for (int i = 0; i < count; i++) {
        DGM_TRY(dgm_writer_add(env, writer, i > 0 ? ",\n" : HEAD, 2));
        DGM_TRY(dgm_writer_add(env, writer, parts + spans[i].first, spans[i].count));
    }
    DGM_TRY(dgm_writer_add(env, writer, "\n]\n", 3));
    return dgm_writer_close(env, writer);
}

/* A timeline that cannot be written does not end the run it shows. */
static void write_file(struct dgm_env *env, struct dgm_writer *writer, const char *parts,
                       const struct dgm_span *spans, int count)
{
    struct dgm_env quiet = dgm_env_quiet(env);

    if (write_parts(&quiet, writer, parts, spans, count) == DGM_OK)
        dgm_log(env, DGM_LOG_NOTE, "--trace: written to %s", writer->path);
    else
        dgm_log(env, DGM_LOG_WARNING, "--trace: %s: %s", writer->path, quiet.error.message);
    dgm_writer_abandon(&quiet, writer);
}

/* How long each rank's part is, and where it stands behind the others. */
static dgm_status find_spans(struct dgm_env *env, struct dgm_ranks *ranks, size_t own,
                             struct dgm_span *spans)
{
    uint64_t *sizes;
    size_t end = 0;
    dgm_status status;

    DGM_TRY(dgm_new(env, &sizes, (size_t)ranks->count, sizeof *sizes));
    sizes[ranks->rank] = own;
    status = dgm_ranks_gather(env, ranks, sizes, sizeof *sizes);
    for (int i = 0; i < ranks->count; i++) {
        spans[i].first = end;
        spans[i].count = (size_t)sizes[i];
        end += (size_t)sizes[i];
    }
    dgm_release(env, sizes);
    return status;
}

/* Rank 0 makes room for all; the others' arrays are their own parts. */
static dgm_status collect(const struct dgm_run *run, struct dgm_writer *writer,
                          const struct dgm_buf *own, struct dgm_span *spans)
{
    struct dgm_ranks *ranks = run->ranks;
    const struct dgm_span *last = &spans[ranks->count - 1];
    dgm_status status;
    char *all;

    if (ranks->rank != 0) {
        spans[ranks->rank].first = 0;
        return dgm_ranks_collect(run->env, ranks, own->data, spans);
    }
    DGM_TRY(dgm_new(run->env, &all, last->first + last->count, 1));
    memcpy(all, own->data, own->size);
    status = dgm_ranks_collect(run->env, ranks, all, spans);
    if (status == DGM_OK)
        write_file(run->env, writer, all, spans, ranks->count);
    dgm_release(run->env, all);
    return status;
}

static dgm_status gather(const struct dgm_run *run, struct dgm_timeline *line)
{
    struct dgm_buf own = { 0 };
    struct dgm_span *spans = NULL;
    dgm_status status;

    DGM_TRY_OUT(print(run, &line->trace, &own));
    stop(run->env, line);
    DGM_TRY_OUT(dgm_new(run->env, &spans, (size_t)run->ranks->count, sizeof *spans));
    DGM_TRY_OUT(find_spans(run->env, run->ranks, own.size, spans));
    status = collect(run, &line->writer, &own, spans);
out:
    dgm_release(run->env, spans);
    dgm_buf_clear(run->env, &own);
    return status;
}

static void write_alone(const struct dgm_run *run, struct dgm_timeline *line)
{
    struct dgm_span span = { 0, 0 };
    struct dgm_buf own = { 0 };

    if (print(run, &line->trace, &own) == DGM_OK) {
        span.count = own.size;
        write_file(run->env, &line->writer, own.data, &span, 1);
    }
    stop(run->env, line);
    dgm_buf_clear(run->env, &own);
}

int dgm_timeline_is_over(struct dgm_timeline *line)
{
    return line->is_on && --line->left <= 0;
}

dgm_status dgm_timeline_end(const struct dgm_run *run, struct dgm_timeline *line)
{
    if (!line->is_on)
        return DGM_OK;
    if (run->ranks != NULL)
        return gather(run, line);
    write_alone(run, line);
    return DGM_OK;
}

void dgm_timeline_clear(const struct dgm_run *run, struct dgm_timeline *line)
{
    if (line->is_on && dgm_run_rank(run) == 0)
        write_alone(run, line);
    else if (line->is_on)
        stop(run->env, line);
}
