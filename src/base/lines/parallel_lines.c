/*
 * parallel_lines.c: text files read side by side, line by line.
 */
#include "base/lines/parallel_lines.h"

#include <string.h>

#include "base/mem.h"

dgm_status dgm_parallel_lines_open(struct dgm_env *env, struct dgm_parallel_lines *parallel,
                                   const char *const *paths, size_t count)
{
    size_t i, streams = 0;
    memset(parallel, 0, sizeof *parallel);
    for (i = 0; i < count; i++)
        streams += strcmp(paths[i], "-") == 0;
    if (streams > 1)
        return dgm_fail(env, DGM_USAGE, "standard input is named %zu times; expected once",
                        streams);
    DGM_TRY(dgm_new(env, &parallel->files, count, sizeof *parallel->files));
    for (i = 0; i < count; i++) {
        DGM_TRY(dgm_lines_open(env, &parallel->files[i], paths[i]));
        parallel->count++;
    }
    return DGM_OK;
}

dgm_status dgm_parallel_lines_next(struct dgm_env *env, struct dgm_parallel_lines *parallel,
                                   int *more)
{
    for (size_t i = 0; i < parallel->count; i++) {
        int has_line;
        DGM_TRY(dgm_lines_next(env, &parallel->files[i], &has_line));
        if (i > 0 && has_line != *more)
            return dgm_fail(env, DGM_DATA, "%s has %s lines than %s; expected as many",
                            dgm_lines_name(parallel->files[i].path), has_line ? "more" : "fewer",
                            dgm_lines_name(parallel->files[0].path));
        *more = has_line;
        if (has_line)
            dgm_lines_warn_cut(env, &parallel->files[i]);
    }
    return DGM_OK;
}

void dgm_parallel_lines_close(struct dgm_env *env, struct dgm_parallel_lines *parallel)
{
    while (parallel->count > 0)
        dgm_lines_close(env, &parallel->files[--parallel->count]);
    dgm_release(env, parallel->files);
    memset(parallel, 0, sizeof *parallel);
}
