/*
 * repetitions.c: counting lines of a translation that say a phrase twice.
 */

#include "api/context.h"
#include "api/program.h"
#include "base/lines/parallel_lines.h"
#include "base/mem.h"
#include "text/score/repetition.h"

enum { MOST_REFERENCES = 1000 };
enum { LONGEST = 5 }; /* phrases of this many tokens, or more, are counted together */

struct count {
    struct dgm_repetition repetition;
    struct dgm_parallel_lines lines;
    dgm_repetitions found;
};

static dgm_status count_line(struct dgm_env *env, struct count *count)
{
    int32_t longest;

    for (size_t i = 0; i < count->lines.count; i++) {
        const struct dgm_buf *line = &count->lines.files[i].line;
        if (i == 0)
            DGM_TRY(dgm_score_columns_check(env, &count->lines.files[i], 1));
        DGM_TRY(i == 0 ? dgm_repetition_begin(env, &count->repetition, line->data, line->size)
                       : dgm_repetition_add(env, &count->repetition, line->data, line->size));
    }
    longest = dgm_repetition_longest(&count->repetition);
    count->found.lines++;
    count->found.near += dgm_repetition_is_near(&count->repetition);
    if (longest > 0)
        count->found.lines_of[longest < LONGEST ? longest - 1 : LONGEST - 1]++;
    return DGM_OK;
}

static dgm_status count_lines(struct dgm_env *env, struct count *count, const char **paths,
                              size_t path_count)
{
    int more;

    for (size_t i = 0; i < path_count; i++)
        DGM_TRY(dgm_argument_check(env, paths[i], i == 0 ? "hypothesis" : "references[i]"));
    DGM_TRY(dgm_parallel_lines_open(env, &count->lines, paths, path_count));
    for (;;) {
        DGM_TRY(dgm_parallel_lines_next(env, &count->lines, &more));
        if (!more)
            return DGM_OK;
        DGM_TRY(count_line(env, count));
    }
}

static dgm_status run(struct dgm_env *env, const char *hypothesis, const char *const *references,
                      size_t reference_count, dgm_repetitions *found)
{
    struct count count = { 0 };
    const char **paths;
    dgm_status status;

    DGM_TRY(dgm_new(env, &paths, reference_count + 1, sizeof *paths));
    paths[0] = hypothesis;
    for (size_t i = 0; i < reference_count; i++)
        paths[1 + i] = references[i];
    status = count_lines(env, &count, paths, reference_count + 1);
    if (status == DGM_OK)
        *found = count.found;
    dgm_repetition_clear(env, &count.repetition);
    dgm_parallel_lines_close(env, &count.lines);
    dgm_release(env, paths);
    return status;
}

dgm_status dgm_count_repetitions(dgm_context *context, const char *hypothesis,
                                 const char *const *references, size_t count,
                                 dgm_repetitions *found)
{
    DGM_ENTER(context);
    DGM_TRY(dgm_argument_check(&context->env, hypothesis, "hypothesis"));
    if (count > MOST_REFERENCES)
        return dgm_fail(&context->env, DGM_USAGE, "%zu references; expected at most %d", count,
                        MOST_REFERENCES);
    if (count > 0)
        DGM_TRY(dgm_argument_check(&context->env, references, "references"));
    DGM_TRY(dgm_argument_check(&context->env, found, "found"));
    return run(&context->env, hypothesis, references, count, found);
}
