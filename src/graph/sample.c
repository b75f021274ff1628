/*
 * sample.c: operands of random instances: integers, leaves, data on the device, sentences.
 */
#include "graph/sample.h"

int64_t dgm_sample_int(struct dgm_sample *sample, int64_t low, int64_t high)
{
    return low + (int64_t)dgm_random_below(&sample->random, (uint32_t)(high - low + 1));
}

struct dgm_ref dgm_sample_data(struct dgm_graph *g, struct dgm_sample *sample, const void *data,
                               size_t bytes)
{
    struct dgm_ref ref = { NULL, 0 };

    if (g->status == DGM_OK && sample->buffer_count == DGM_SAMPLE_BUFFERS)
        g->status =
            dgm_fail(g->env, DGM_FAILURE, "sample: more than %d buffers", DGM_SAMPLE_BUFFERS);
    if (g->status != DGM_OK)
        return ref;
    g->status = dgm_device_alloc(g->env, g->device, &ref.buffer, bytes);
    if (g->status == DGM_OK) {
        sample->buffers[sample->buffer_count++] = ref.buffer;
        g->status = dgm_device_write(g->env, g->device, ref, data, bytes);
    }
    return ref;
}

/* Values come from a normal distribution: kinks at 0 are met with probability 0, so that central
 * differences are meaningful. */
struct dgm_node *dgm_sample_leaf(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                                 int64_t cols)
{
    size_t count = (size_t)(rows * cols), i;
    dgm_real *values = dgm_arena_alloc(g->env, &g->arena, count, sizeof *values);
    struct dgm_ref value, grad;
    struct dgm_node *leaf;

    if (values == NULL) {
        g->status = DGM_MEMORY;
        return NULL;
    }
    if (sample->leaf_count == DGM_SAMPLE_LEAVES) {
        g->status = dgm_fail(g->env, DGM_FAILURE, "sample: more than %d leaves", DGM_SAMPLE_LEAVES);
        return NULL;
    }
    grad = dgm_sample_data(g, sample, values, count * sizeof *values);
    for (i = 0; i < count; i++)
        values[i] = (dgm_real)dgm_random_normal(&sample->random);
    value = dgm_sample_data(g, sample, values, count * sizeof *values);
    leaf = dgm_leaf(g, value, grad, rows, cols);
    if (leaf != NULL)
        sample->leaves[sample->leaf_count++] = leaf;
    return leaf;
}

struct dgm_spans dgm_sample_spans(struct dgm_graph *g, struct dgm_sample *sample,
                                  int32_t offsets[DGM_SAMPLE_SPANS + 1])
{
    int32_t squares[DGM_SAMPLE_SPANS], n;
    struct dgm_spans spans;
    int64_t s;

    spans.sentences = dgm_sample_int(sample, 1, DGM_SAMPLE_SPANS);
    spans.pairs = 0;
    offsets[0] = 0;
    for (s = 0; s < spans.sentences; s++) {
        n = (int32_t)dgm_sample_int(sample, 1, 5);
        offsets[s + 1] = offsets[s] + n;
        squares[s] = (int32_t)spans.pairs;
        spans.pairs += n * n;
    }
    spans.rows = offsets[spans.sentences];
    spans.offsets =
        dgm_sample_data(g, sample, offsets, (size_t)(spans.sentences + 1) * sizeof *offsets);
    spans.squares = dgm_sample_data(g, sample, squares, (size_t)spans.sentences * sizeof *squares);
    return spans;
}

void dgm_sample_clear(struct dgm_graph *g, struct dgm_sample *sample)
{
    while (sample->buffer_count > 0)
        dgm_device_release(g->env, g->device, sample->buffers[--sample->buffer_count]);
    sample->leaf_count = 0;
}
