/*
 * runs_files.h: which files are runs of which system, and of which test set: a + among those of
 * --input stands between systems, and {} in a name for the name of a set.
 */
#ifndef DGM_CMD_SCORE_RUNS_FILES_H
#define DGM_CMD_SCORE_RUNS_FILES_H

#include "cmd/score/score.h"

struct dgm_runs_files {
    const char **runs; /* (run_count) as they are given, without the + between */
    size_t *first;     /* (system_count) the first run of a system */
    size_t *counts;    /* (system_count) how many it has */
    size_t run_count, system_count;
    const char **sets; /* (set_count) their names; NULL: one set without a name */
    size_t set_count;
    /* The last that dgm_runs_files_of has made: */
    struct dgm_buf *paths;   /* (references + 1) */
    const char **references; /* (references) */
    size_t path_count;
};

/* DGM_USAGE where a system has no run, or the same file twice; where a file is standard input, or
 * with --sets does not name {}. To be cleared after a failure too. */
dgm_status dgm_runs_files_group(const struct dgm_score *score, struct dgm_runs_files *files);
/* The file of a run for a set, and files->references. */
dgm_status dgm_runs_files_of(const struct dgm_score *score, struct dgm_runs_files *files,
                             size_t run, size_t set, const char **path);
void dgm_runs_files_clear(struct dgm_env *env, struct dgm_runs_files *files);

#endif
