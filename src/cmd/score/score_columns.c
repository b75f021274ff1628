/*
 * score_columns.c: `paste ONE TWO | score REFERENCE`: standard input has a column for each system,
 * as at sacreBLEU; and how systems are read, from there or from a file each.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "cmd/score/score.h"

/* Finds the system that is standard input; it may be named once. */
static dgm_status find(struct dgm_score *score, size_t *count)
{
    *count = 0;
    for (size_t s = 0; s < score->system_count; s++)
        if (strcmp(score->systems[s], "-") == 0 && ++*count == 1)
            score->first_column = s;
    if (*count > 1)
        return dgm_fail(score->cmd->env, DGM_USAGE,
                        "standard input is named %zu times; expected once", *count);
    for (size_t r = 0; r < score->reference_count; r++)
        if (strcmp(score->references[r], "-") == 0)
            *count = 0; /* refused where files are opened */
    return DGM_OK;
}

/* "System 1", "System 2" for standard input. */
static dgm_status name(struct dgm_score *score)
{
    struct dgm_env *env = score->cmd->env;
    const size_t more = score->column_count - 1, count = score->system_count + more;
    const char **systems;
    DGM_TRY(dgm_new(env, &score->column_names, more + 1, sizeof *score->column_names));
    DGM_TRY(dgm_new(env, &systems, count, sizeof *systems));
    for (size_t s = 0; s < score->first_column; s++)
        systems[s] = score->systems[s];
    for (size_t s = score->first_column + 1; s < score->system_count; s++)
        systems[s + more] = score->systems[s];
    for (size_t i = 0; i <= more; i++) {
        snprintf(score->column_names[i], sizeof *score->column_names, "System %zu", i + 1);
        systems[score->first_column + i] = score->column_names[i];
    }
    dgm_release(env, score->systems);
    score->systems = systems;
    score->system_count = count;
    return DGM_OK;
}

dgm_status dgm_score_open_columns(struct dgm_score *score)
{
    size_t count;
    DGM_TRY(find(score, &count));
    if (count == 0 || dgm_settings_text(&score->cmd->settings, "read-scores") != NULL)
        return DGM_OK;
    DGM_TRY(dgm_score_columns_open(score->cmd->context, &score->columns, &score->column_count));
    return score->column_count > 1 ? name(score) : DGM_OK;
}

void dgm_score_close_columns(struct dgm_score *score)
{
    dgm_score_columns_close(score->columns);
    dgm_release(score->cmd->env, score->column_names);
}

static int is_column(const struct dgm_score *score, size_t system)
{
    return score->columns != NULL && system == score->first_column;
}

size_t dgm_score_width(const struct dgm_score *score, size_t system)
{
    return is_column(score, system) ? score->column_count : 1;
}

dgm_status dgm_score_read(struct dgm_score *score, size_t system, dgm_scorer *const *scorers,
                          dgm_score_fn each)
{
    if (is_column(score, system))
        return dgm_scorer_add_columns(scorers, score->count, score->columns, score->references,
                                      score->reference_count, each, score);
    return dgm_score_add(score, score->systems[system], score->references, scorers, each);
}
