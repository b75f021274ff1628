/*
 * sample.h: random instances of operations, for gradient checks and comparisons of devices. An
 * operation's sample function draws sizes and operands with these functions only, so that a seed
 * names an instance.
 */
#ifndef DGM_GRAPH_SAMPLE_H
#define DGM_GRAPH_SAMPLE_H

#include "graph/ops.h"

enum { DGM_SAMPLE_BUFFERS = 96, DGM_SAMPLE_LEAVES = 32 };

/* Leaves made by a sample, so that a test can perturb them one by one. */
struct dgm_sample {
    struct dgm_random random;
    struct dgm_buffer *buffers[DGM_SAMPLE_BUFFERS]; /* freed by dgm_sample_clear */
    int buffer_count;
    struct dgm_node *leaves[DGM_SAMPLE_LEAVES];
    int leaf_count;
};

/* Uniform in low..high. */
int64_t dgm_sample_int(struct dgm_sample *sample, int64_t low, int64_t high);
/* A leaf with normal values and a zeroed gradient. */
struct dgm_node *dgm_sample_leaf(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                                 int64_t cols);
/* Host data copied to a fresh device buffer. */
struct dgm_ref dgm_sample_data(struct dgm_graph *g, struct dgm_sample *sample, const void *data,
                               size_t bytes);
/* A few sentences of one to five rows; their offsets stay on the host, too. */
enum { DGM_SAMPLE_SPANS = 3 };
struct dgm_spans dgm_sample_spans(struct dgm_graph *g, struct dgm_sample *sample,
                                  int32_t offsets[DGM_SAMPLE_SPANS + 1]);
void dgm_sample_clear(struct dgm_graph *g, struct dgm_sample *sample);

#endif
