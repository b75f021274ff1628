/*
 * segment.h: values of a step that are dropped after their use in the forward pass, and made again
 * for the backward pass.
 *
 * They are made by the same operations from the same operands, random masks included, which are
 * functions of their places: gradients are the same bits. Two kinds of them:
 *
 *   cheap values (op->is_cheap), on the processor always, on another device where the graph
 *   recomputes: those of layer norms, embeddings and residuals cost little beside the products that
 *   read them, but a launch. Each is made again just before the first backward pass that wants it.
 *
 *   values of segments, where the graph recomputes: a model marks where a part of it begins, such
 *   as a layer. What goes from segment to segment is kept, the rest is made again before the
 *   backward pass enters the segment (Chen, Xu, Zhang, Guestrin, "Training deep nets with sublinear
 *   memory cost", 2016), for about a third more time.
 */
#ifndef DGM_GRAPH_SEGMENT_H
#define DGM_GRAPH_SEGMENT_H

#include "graph/graph.h"

/* The nodes that follow, up to the next call, are a segment; those before the first call are in
 * none. Does nothing where the graph does not recompute. */
void dgm_begin_segment(struct dgm_graph *g);

/* Decides which nodes of a training step are made again, and in what order the second half of the
 * step runs: fills in their fields, and g->second, or fails for want of memory. */
dgm_status dgm_segments_find(struct dgm_graph *g);

/* Makes a node's value again, in the place of its second life. */
dgm_status dgm_make_again(struct dgm_graph *g, struct dgm_node *node);

#endif
