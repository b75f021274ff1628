/*
 * compare.h: whether all ranks are about to do the same.
 */
#ifndef DGM_BASE_RANKS_COMPARE_H
#define DGM_BASE_RANKS_COMPARE_H

#include "base/buf.h"
#include "base/ranks/ranks.h"

/* Collective: each rank describes itself in lines, which are cut up here. DGM_USAGE, and the first
 * line that differs, on a rank whose lines are not those of rank 0. Nobody goes on before all have
 * compared. */
dgm_status dgm_ranks_compare(struct dgm_env *env, struct dgm_ranks *ranks, struct dgm_buf *text);

#endif
