/*
 * score_files.c: files of sentences through scorers, counted by all threads of their context.
 */
#include <string.h>

#include "api/program.h"
#include "api/score/scorer.h"
#include "base/lines/line_blocks.h"
#include "base/mem.h"
#include "text/score/columns.h"

/* Several readers side by side, and what is done with each line. */
struct work {
    dgm_scorer *const *scorers;
    size_t count;
    dgm_score_fn each;
    void *user;
    struct dgm_lines *lines; /* (files) the hypothesis, then the references */
    size_t columns;          /* of the hypothesis; 0: its tabs are text */
    size_t files, open;
    int workers;
    struct dgm_measure *measures;  /* (workers,count) what a thread counts with, for a scorer */
    struct dgm_metric_text *texts; /* (workers,references) */
};

static dgm_status open_all(struct dgm_env *env, struct work *work, const char *hypothesis,
                           const char *const *references)
{
    int standard = work->open > 0 && strcmp(work->lines[0].path, "-") == 0;
    size_t i;
    for (i = work->open; i < work->files; i++) {
        const char *path = i == 0 ? hypothesis : references[i - 1];
        DGM_TRY(dgm_argument_check(env, path, i == 0 ? "hypothesis" : "references[i]"));
        standard += strcmp(path, "-") == 0;
        if (standard > 1)
            return dgm_fail(env, DGM_USAGE,
                            "standard input is asked for twice; expected a file for one of them");
        DGM_TRY(dgm_lines_open(env, &work->lines[i], path));
        dgm_lines_keep_mark(&work->lines[i]); /* as sacreBLEU reads it */
        work->open++;
    }
    return DGM_OK;
}

/* Reads one line of each; *have counts those that had one. */
static dgm_status next_lines(struct dgm_env *env, struct work *work, size_t *have)
{
    size_t i;
    *have = 0;
    for (i = 0; i < work->files; i++) {
        struct dgm_lines *lines = &work->lines[i];
        int more;
        DGM_TRY(dgm_lines_next(env, lines, &more));
        *have += more != 0;
        if (more)
            dgm_lines_warn_cut(env, lines);
    }
    return DGM_OK;
}

/* Reads all files to their ends, so that the error can give their numbers of lines, and names the
 * first file that differs. */
static dgm_status refuse_counts(struct dgm_env *env, struct work *work)
{
    const struct dgm_lines *first = &work->lines[0];
    size_t have, i;
    do
        DGM_TRY(next_lines(env, work, &have));
    while (have > 0);
    for (i = 1; work->lines[i].number == first->number; i++)
        ;
    return dgm_fail_at(env, DGM_DATA, work->lines[i].path, 0, 0,
                       "%ld line%s; expected %ld to match %s", work->lines[i].number,
                       work->lines[i].number == 1 ? "" : "s", first->number,
                       dgm_lines_name(first->path));
}

static dgm_status next_line(struct dgm_env *env, void *user, int *more)
{
    struct work *work = user;
    size_t have;
    DGM_TRY(next_lines(env, work, &have));
    *more = have > 0;
    if (have > 0 && have < work->files)
        return refuse_counts(env, work);
    return have > 0 && work->columns > 0
               ? dgm_score_columns_check(env, &work->lines[0], work->columns)
               : DGM_OK;
}

static struct dgm_metric_text text_at(const struct dgm_line_block *block, size_t i, size_t file)
{
    struct dgm_metric_text text;
    text.data = dgm_line_block_at(block, i, file, &text.bytes);
    return text;
}

/* What a scorer counts: the line, or its column. */
static struct dgm_metric_text hypothesis_of(const struct work *work, struct dgm_metric_text line,
                                            size_t scorer)
{
    if (work->columns > 1)
        line.data = dgm_columns_at(line.data, line.bytes, scorer * work->columns / work->count,
                                   &line.bytes);
    return line;
}

/* Adds what each scorer counts in a line to block->out. */
static dgm_status count_line(struct dgm_env *env, void *user, int worker,
                             struct dgm_line_block *block, size_t i)
{
    const struct work *work = user;
    size_t references = work->files - 1, before = block->out.size, s;
    struct dgm_metric_text *texts = work->texts + (size_t)worker * references;
    dgm_status status = DGM_OK;
    for (s = 0; s < references; s++)
        texts[s] = text_at(block, i, s + 1);
    for (s = 0; s < work->count && status == DGM_OK; s++) {
        struct dgm_metric_count counted;
        status = dgm_measure_count(env, &work->measures[(size_t)worker * work->count + s], &counted,
                                   hypothesis_of(work, text_at(block, i, 0), s), texts, references);
        if (status == DGM_OK)
            status = dgm_buf_add(env, &block->out, &counted, sizeof counted);
    }
    if (status != DGM_OK)
        block->out.size = before;
    return status;
}

/* The caller's function may use the scorers, and free nothing. */
static dgm_status hear_each(struct dgm_env *env, const struct work *work, long number)
{
    struct dgm_context *context = work->scorers[0]->context;
    dgm_status status;

    context->waiting++;
    status = work->each(work->user, number);
    context->waiting--;
    return dgm_callback_check(env, status, "the receiver of the scores refused one");
}

/* What is counted for one line, one scorer after the other. */
static dgm_status take_line(struct dgm_env *env, const struct work *work, const char *from,
                            long number)
{
    size_t s;
    for (s = 0; s < work->count; s++) {
        struct dgm_metric_count counted;
        memcpy(&counted, from + s * sizeof counted, sizeof counted);
        DGM_TRY(dgm_scorer_take(work->scorers[s], &counted, (int)(work->files - 1)));
    }
    return work->each != NULL ? hear_each(env, work, number) : DGM_OK;
}

static dgm_status take_block(struct dgm_env *env, void *user, const struct dgm_line_block *block)
{
    const struct work *work = user;
    size_t each = work->count * sizeof(struct dgm_metric_count), i;
    for (i = 0; (i + 1) * each <= block->out.size; i++)
        DGM_TRY(take_line(env, work, block->out.data + i * each, block->first + (long)i));
    return DGM_OK;
}

/* ---- the threads that count --------------------------------------------------------------- */

static dgm_status open_measures(struct dgm_env *env, struct work *work)
{
    size_t workers = (size_t)work->workers, s;
    DGM_TRY(dgm_new(env, &work->measures, workers * work->count, sizeof *work->measures));
    DGM_TRY(dgm_new(env, &work->texts, workers * work->files, sizeof *work->texts));
    for (s = 0; s < workers * work->count; s++) {
        struct dgm_scorer *scorer = work->scorers[s % work->count];
        DGM_TRY(dgm_measure_open(env, &work->measures[s], scorer->measure.metric->name,
                                 &scorer->settings));
    }
    return DGM_OK;
}

static void close_measures(struct dgm_env *env, struct work *work)
{
    size_t s, count = (size_t)work->workers * work->count;
    for (s = 0; s < count && work->measures != NULL; s++)
        dgm_measure_close(env, &work->measures[s]);
    dgm_release(env, work->measures);
    dgm_release(env, work->texts);
}

static dgm_status read_all(struct dgm_env *env, struct work *work)
{
    struct dgm_line_work lines = { .next = next_line, .line = count_line, .take = take_block };
    dgm_status status = open_measures(env, work);
    lines.files = work->lines;
    lines.file_count = work->files;
    lines.workers = work->workers;
    lines.user = work;
    if (status == DGM_OK)
        status = dgm_line_blocks_run(env, &lines);
    close_measures(env, work);
    return status;
}

/* All scorers are there, belong to one context and have room for the references. */
static dgm_status check_scorers(struct dgm_env *env, const struct work *work, size_t references)
{
    size_t i;
    for (i = 0; i < work->count; i++) {
        DGM_TRY(dgm_argument_check(env, work->scorers[i], "scorers[i]"));
        if (&work->scorers[i]->context->env != env)
            return dgm_fail(env, DGM_USAGE, "the scorers belong to different contexts");
        DGM_TRY(dgm_scorer_reserve(work->scorers[i], references));
    }
    return DGM_OK;
}

static dgm_status add_files(struct dgm_env *env, struct work *work, struct dgm_lines *given,
                            const char *hypothesis, const char *const *references, size_t count)
{
    dgm_status status;
    DGM_TRY(dgm_argument_check(env, references, "references"));
    DGM_TRY(check_scorers(env, work, count));
    work->workers = dgm_context_threads(work->scorers[0]->context);
    work->files = count + 1;
    DGM_TRY(dgm_new(env, &work->lines, work->files, sizeof *work->lines));
    if (given != NULL) {
        work->lines[work->open++] = *given;
        memset(given, 0, sizeof *given);
    }
    DGM_TRY_OUT(open_all(env, work, hypothesis, references));
    status = read_all(env, work);
out:
    while (work->open > 0)
        dgm_lines_close(env, &work->lines[--work->open]);
    dgm_release(env, work->lines);
    return status;
}

dgm_status dgm_scorer_add_files(dgm_scorer *const *scorers, size_t scorer_count,
                                const char *hypothesis, const char *const *references, size_t count,
                                dgm_score_fn each, void *user)
{
    struct work work = { .scorers = scorers, .count = scorer_count, .each = each, .user = user };
    if (scorers == NULL || scorer_count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    return add_files(&scorers[0]->context->env, &work, NULL, hypothesis, references, count);
}

dgm_status dgm_scorer_add_columns(dgm_scorer *const *scorers, size_t scorer_count,
                                  struct dgm_score_columns *columns, const char *const *references,
                                  size_t count, dgm_score_fn each, void *user)
{
    struct work work = { .scorers = scorers,
                         .count = scorer_count * columns->count,
                         .each = each,
                         .user = user,
                         .columns = columns->count };
    DGM_ENTER_HANDLE(scorers[0]);
    return add_files(&columns->context->env, &work, &columns->lines, NULL, references, count);
}
