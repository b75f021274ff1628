/*
 * arc_cell.h: how the searches for trees read and compare scores.
 *
 * A weight is a pair, the number of forbidden arcs and the sum of the others, and compares
 * by the first, then by the second. Pairs are added and subtracted like numbers and keep
 * their order, which is all that both searches ask for; a large constant in place of
 * the first number would round the scores away.
 */
#ifndef DGM_SYNTAX_SPANNING_ARC_CELL_H
#define DGM_SYNTAX_SPANNING_ARC_CELL_H

#include "syntax/spanning/spanning.h"

#include <float.h>
#include <math.h>

struct dgm_spanning_cell {
    double score;
    int32_t banned; /* forbidden arcs in it */
    int32_t from;   /* where it came from: each search says what */
};

/* The score of an arc, at most FLT_MAX in size, or -infinity: sums of any number of them
 * are finite. */
static inline double dgm_arc_score(dgm_real score)
{
    double s = (double)score;

    if (isnan(s) || s == -HUGE_VAL)
        return -HUGE_VAL;
    return s > (double)FLT_MAX ? (double)FLT_MAX : s < -(double)FLT_MAX ? -(double)FLT_MAX : s;
}

static inline struct dgm_spanning_cell dgm_arc_cell(dgm_real score, int32_t from)
{
    struct dgm_spanning_cell cell;

    cell.score = dgm_arc_score(score);
    cell.banned = cell.score == -HUGE_VAL;
    cell.from = from;
    if (cell.banned)
        cell.score = 0;
    return cell;
}

static inline int dgm_cell_better(const struct dgm_spanning_cell *a,
                                  const struct dgm_spanning_cell *b)
{
    return a->banned != b->banned ? a->banned < b->banned : a->score > b->score;
}

#endif
