/* scorer_files.c: scoring files that must have as many lines as one another. */
#include <string.h>

#include "api/score/scorer.h"
#include "base/file/file.h"
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
        if (more && lines->cut)
            dgm_log(env, DGM_LOG_WARNING, "%s:%ld: line cut at %zu bytes", lines->path,
                    lines->number, lines->limit);
    }
    return DGM_OK;
}

/* Reads on to learn all line counts, and names the first file that differs. */
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

/* What is done with each line. */
struct work {
    dgm_scorer *const *scorers;
    size_t count;
    dgm_score_fn each;
    void *user;
};

/* Hands the lines just read to one scorer. */
static dgm_status count_line(struct dgm_scorer *scorer, const struct side *side)
{
    struct dgm_bleu_text hypothesis;
    size_t i;
    for (i = 1; i < side->count; i++) {
        scorer->texts[i - 1].data = side->lines[i].line.data;
        scorer->texts[i - 1].bytes = side->lines[i].line.size;
    }
    hypothesis.data = side->lines[0].line.data;
    hypothesis.bytes = side->lines[0].line.size;
    return dgm_scorer_count(scorer, hypothesis, side->count - 1);
}

static dgm_status read_all(struct dgm_env *env, struct side *side, const struct work *work)
{
    for (;;) {
        dgm_status status = DGM_OK;
        size_t have, i;
        DGM_TRY(next_lines(env, side, &have));
        if (have == 0)
            return DGM_OK;
        if (have < side->count)
            return refuse_counts(env, side);
        for (i = 0; i < work->count; i++)
            DGM_TRY(count_line(work->scorers[i], side));
        if (work->each != NULL)
            status = work->each(work->user, side->lines[0].number);
        if (status != DGM_OK)
            return dgm_fail(env, status, "the receiver of the scores refused one");
    }
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
    struct work work;
    struct dgm_env *env;
    dgm_status status;
    if (scorers == NULL || scorer_count == 0)
        return DGM_USAGE;
    DGM_ENTER_HANDLE(scorers[0]);
    env = &scorers[0]->context->env;
    work.scorers = scorers;
    work.count = scorer_count;
    work.each = each;
    work.user = user;
    DGM_TRY(dgm_argument_check(env, references, "references"));
    DGM_TRY(check_scorers(env, &work, count));
    side.count = count + 1;
    side.lines = dgm_alloc(env, side.count, sizeof *side.lines);
    if (side.lines == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(open_all(env, &side, hypothesis, references));
    status = read_all(env, &side, &work);
out:
    while (side.open > 0)
        dgm_lines_close(env, &side.lines[--side.open]);
    dgm_release(env, side.lines);
    return status;
}
