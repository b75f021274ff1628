/*
 * score_files.c: files of sentences through scorers, counted by all threads of their context.
 */
#include <string.h>

#include "api/text/line_file.h"
#include "api/score/scorer.h"
#include "base/lines/line_blocks.h"
#include "base/mem.h"

/* Several readers side by side: the hypothesis, then the references. */
struct side {
    struct dgm_lines *lines;
    size_t count, open;
};

static dgm_status open_all(struct dgm_env *env, struct side *side, const char *hypothesis,
                           const char *const *references)
{
    int standard = 0;
    size_t i;
    for (i = 0; i < side->count; i++) {
        const char *path = i == 0 ? hypothesis : references[i - 1];
        DGM_TRY(dgm_argument_check(env, path, i == 0 ? "hypothesis" : "references[i]"));
        standard += strcmp(path, "-") == 0;
        if (standard > 1)
            return dgm_fail(env, DGM_USAGE,
                            "standard input is asked for twice; expected a file for one of them");
        DGM_TRY(dgm_lines_open(env, &side->lines[i], path));
        dgm_lines_keep_mark(&side->lines[i]); /* as sacreBLEU reads it */
        side->open++;
    }
    return DGM_OK;
}

/* Reads one line of each; *have counts those that had one. */
static dgm_status next_lines(struct dgm_env *env, struct side *side, size_t *have)
{
    size_t i;
    *have = 0;
    for (i = 0; i < side->count; i++) {
        struct dgm_lines *lines = &side->lines[i];
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
static dgm_status refuse_counts(struct dgm_env *env, struct side *side)
{
    const struct dgm_lines *first = &side->lines[0];
    size_t have, i;
    do
        DGM_TRY(next_lines(env, side, &have));
    while (have > 0);
    for (i = 1; side->lines[i].number == first->number; i++)
        ;
    return dgm_fail_at(env, DGM_DATA, side->lines[i].path, 0, 0,
                       "%ld line%s; expected %ld to match %s", side->lines[i].number,
                       side->lines[i].number == 1 ? "" : "s", first->number,
                       strcmp(first->path, "-") == 0 ? "standard input" : first->path);
}

/* What one thread counts with, for one scorer. */
struct counter {
    struct dgm_bleu bleu;
    struct dgm_chrf chrf;
};

/* What is done with each line. */
struct work {
    dgm_scorer *const *scorers;
    size_t count;
    dgm_score_fn each;
    void *user;
    struct side *side;
    int workers;
    struct counter *counters;    /* (workers,count) */
    struct dgm_bleu_text *texts; /* (workers,references) */
};

static dgm_status next_line(struct dgm_env *env, void *user, int *more)
{
    struct side *side = ((struct work *)user)->side;
    size_t have;
    DGM_TRY(next_lines(env, side, &have));
    *more = have > 0;
    return have == 0 || have == side->count ? DGM_OK : refuse_counts(env, side);
}

static struct dgm_bleu_text text_at(const struct dgm_line_block *block, size_t i, size_t file)
{
    struct dgm_bleu_text text;
    text.data = dgm_line_block_at(block, i, file, &text.bytes);
    return text;
}

static dgm_status count_by(struct dgm_env *env, struct counter *counter, int is_chrf,
                           struct dgm_counted *counted, struct dgm_bleu_text hypothesis,
                           const struct dgm_bleu_text *references, size_t count)
{
    memset(counted, 0, sizeof *counted);
    if (is_chrf)
        return dgm_chrf_count(env, &counter->chrf, &counted->chrf, hypothesis, references, count);
    counter->bleu.is_uncut = 0;
    counter->bleu.tokenized_lines = 0;
    DGM_TRY(dgm_bleu_count(env, &counter->bleu, &counted->bleu, hypothesis, references, count));
    counted->is_uncut = counter->bleu.is_uncut;
    counted->looks_tokenized = counter->bleu.tokenized_lines > 0;
    return DGM_OK;
}

/* Adds what each scorer counts in a line to block->out. */
static dgm_status count_line(struct dgm_env *env, void *user, int worker,
                             struct dgm_line_block *block, size_t i)
{
    const struct work *work = user;
    size_t references = work->side->count - 1, before = block->out.size, s;
    struct dgm_bleu_text *texts = work->texts + (size_t)worker * references;
    dgm_status status = DGM_OK;
    for (s = 0; s < references; s++)
        texts[s] = text_at(block, i, s + 1);
    for (s = 0; s < work->count && status == DGM_OK; s++) {
        struct dgm_counted counted;
        status =
            count_by(env, &work->counters[(size_t)worker * work->count + s],
                     work->scorers[s]->is_chrf, &counted, text_at(block, i, 0), texts, references);
        if (status == DGM_OK)
            status = dgm_buf_add(env, &block->out, &counted, sizeof counted);
    }
    if (status != DGM_OK)
        block->out.size = before;
    return status;
}

/* What is counted for one line, one scorer after the other. */
static dgm_status take_line(struct dgm_env *env, const struct work *work, const char *from,
                            long number)
{
    dgm_status status = DGM_OK;
    size_t s;
    for (s = 0; s < work->count; s++) {
        struct dgm_scorer *scorer = work->scorers[s];
        struct dgm_counted counted;
        memcpy(&counted, from + s * sizeof counted, sizeof counted);
        scorer->bleu.is_uncut |= counted.is_uncut;
        if (counted.looks_tokenized)
            dgm_bleu_tell_tokenized(env, &scorer->bleu);
        DGM_TRY(dgm_scorer_take(scorer, &counted, (int)(work->side->count - 1)));
    }
    if (work->each != NULL)
        status = work->each(work->user, number);
    if (status != DGM_OK)
        return dgm_fail(env, status, "the receiver of the scores refused one");
    return DGM_OK;
}

static dgm_status take_block(struct dgm_env *env, void *user, const struct dgm_line_block *block)
{
    const struct work *work = user;
    size_t each = work->count * sizeof(struct dgm_counted), i;
    for (i = 0; (i + 1) * each <= block->out.size; i++)
        DGM_TRY(take_line(env, work, block->out.data + i * each, block->first + (long)i));
    return DGM_OK;
}

/* ---- the threads that count --------------------------------------------------------------- */

static dgm_status make_counters(struct dgm_env *env, struct work *work)
{
    size_t workers = (size_t)work->workers, s;
    work->counters = dgm_alloc(env, workers * work->count, sizeof *work->counters);
    work->texts = dgm_alloc(env, workers * work->side->count, sizeof *work->texts);
    if (work->counters == NULL || work->texts == NULL)
        return DGM_MEMORY;
    for (s = 0; s < workers * work->count; s++) {
        work->counters[s].bleu.options = work->scorers[s % work->count]->bleu.options;
        work->counters[s].chrf.options = work->scorers[s % work->count]->chrf.options;
    }
    return DGM_OK;
}

static void clear_counters(struct dgm_env *env, struct work *work)
{
    size_t s, count = (size_t)work->workers * work->count;
    for (s = 0; s < count && work->counters != NULL; s++) {
        dgm_bleu_clear(env, &work->counters[s].bleu);
        dgm_chrf_clear(env, &work->counters[s].chrf);
    }
    dgm_release(env, work->counters);
    dgm_release(env, work->texts);
}

static dgm_status read_all(struct dgm_env *env, struct work *work)
{
    struct dgm_line_work lines = { .next = next_line, .line = count_line, .take = take_block };
    dgm_status status = make_counters(env, work);
    lines.files = work->side->lines;
    lines.file_count = work->side->count;
    lines.workers = work->workers;
    lines.user = work;
    if (status == DGM_OK)
        status = dgm_line_blocks_run(env, &lines);
    clear_counters(env, work);
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

dgm_status dgm_scorer_add_files(dgm_scorer *const *scorers, size_t scorer_count,
                                const char *hypothesis, const char *const *references, size_t count,
                                dgm_score_fn each, void *user)
{
    struct side side = { NULL, 0, 0 };
    struct work work = { .scorers = scorers };
    struct dgm_env *env;
    dgm_status status;
    if (scorers == NULL || scorer_count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    env = &scorers[0]->context->env;
    work.count = scorer_count;
    work.side = &side;
    work.workers = dgm_line_file_workers(scorers[0]->context);
    work.each = each;
    work.user = user;
    DGM_TRY(dgm_argument_check(env, references, "references"));
    DGM_TRY(check_scorers(env, &work, count));
    side.count = count + 1;
    side.lines = dgm_alloc(env, side.count, sizeof *side.lines);
    if (side.lines == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(open_all(env, &side, hypothesis, references));
    status = read_all(env, &work);
out:
    while (side.open > 0)
        dgm_lines_close(env, &side.lines[--side.open]);
    dgm_release(env, side.lines);
    return status;
}
