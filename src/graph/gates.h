/*
 * gates.h: the gates of recurrent cells after a forward pass: how many of them are nearly shut or
 * nearly open, where they let no gradient through.
 */
#ifndef DGM_GRAPH_GATES_H
#define DGM_GRAPH_GATES_H

#include "graph/graph.h"

/* Rows of gates that an operation has saved: the first `cols` of ld columns. */
struct dgm_gate_rows {
    struct dgm_ref at;
    int64_t rows, cols, ld;
};

enum { DGM_GATE_ROWS = 8 }; /* most of one operation */

struct dgm_gate_count {
    int64_t gates, saturated; /* below 0.05 or above 0.95 */
};

/* After dgm_graph_begin: this graph's run keeps its gates. For a pass without training. */
void dgm_gates_keep(struct dgm_graph *g);
/* The number of nodes so far, to tell parts of a graph apart. */
int64_t dgm_gates_mark(const struct dgm_graph *g);
/* After the run: the gates of nodes first .. end - 1. */
dgm_status dgm_gates_count(struct dgm_graph *g, int64_t first, int64_t end,
                           struct dgm_gate_count *count);

#endif
