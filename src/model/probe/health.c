/*
 * health.c: figures of the encoder's states and of attention, from one pass over a batch.
 */
#include "model/probe/health.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "graph/gates.h"
#include "model/encoder.h"

/* Shorter sentences may well be translated from one position. */
enum { SHORT = 4 };

/* What one measurement reads from the device and adds up. */
struct look {
    struct dgm_env *env;
    const struct dgm_net *net;
    const struct dgm_step *step;
    const struct dgm_batch *batch;
    struct dgm_graph *graph;
    struct dgm_attention_probe watch;
    struct dgm_encoding encoded;
    int64_t encoder_end; /* nodes of the graph that are the encoder's */
    dgm_real *values;    /* of the node read last */
    size_t value_capacity;
    double *mean;   /* (M, longest memory) weights over the source, summed over layers and heads */
    int32_t *votes; /* (longest memory) */
};

static dgm_status read_node(struct look *look, const struct dgm_node *node, int64_t columns)
{
    DGM_TRY(dgm_reserve(look->env, &look->values, &look->value_capacity,
                        (size_t)(dgm_node_rows(node) * columns) + 1, sizeof *look->values));
    return dgm_graph_read(look->graph, node, look->values);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* What is not a number is larger than any. */
static double larger_of(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}

static dgm_status measure_states(struct look *look, struct dgm_health *health)
{
    const int64_t rows = dgm_node_rows(look->encoded.all);
    const int64_t columns = look->net->encoder->width(&look->net->config);
    double all = 0;

    DGM_TRY(read_node(look, look->encoded.all, columns));
    health->state_max = health->largest_state = 0;
    for (int64_t r = 0; r < rows; r++) {
        double sum = 0;

        for (int64_t c = 0; c < columns; c++) {
            const double x = fabs((double)look->values[r * columns + c]);
            sum += x * x;
            health->state_max = larger_of(health->state_max, x);
        }
        all += sum;
        health->largest_state = larger_of(health->largest_state, sqrt(sum / (double)columns));
    }
    health->state_rms = sqrt(all / (double)(rows * columns));
    return DGM_OK;
}

/* ---- gates ----------------------------------------------------------------------------------- */

static dgm_status measure_gates(struct look *look, struct dgm_health *health)
{
    const int64_t ends[] = { 0, look->encoder_end, dgm_gates_mark(look->graph) };
    struct dgm_gate_count count;

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        DGM_TRY(dgm_gates_count(look->graph, ends[side], ends[side + 1], &count));
        health->saturated[side] =
            count.gates > 0 ? (double)count.saturated / (double)count.gates : -1;
    }
    return DGM_OK;
}

/* ---- attention ------------------------------------------------------------------------------- */

/* Sums over the rows of weights of a layer. */
struct sums {
    double peak, entropy;
    int64_t rows;
};

/* One row of `count` weights that add up to 1. */
static void add_row(struct sums *sums, const dgm_real *weights, int64_t count)
{
    double peak = 0;

    for (int64_t j = 0; j < count; j++) {
        const double w = (double)weights[j];

        if (w > 0)
            sums->entropy -= w * log(w);
        if (w > peak)
            peak = w;
    }
    sums->peak += peak;
    sums->rows++;
}

/* Adds up a layer's weights. queries: where sentences begin; mean: (rows, width) receives the sums
 * over heads, or NULL. */
static dgm_status add_layer(struct look *look, enum dgm_attention_kind kind, int layer,
                            const int32_t *queries, int32_t sentences, double *mean,
                            struct sums *sums)
{
    const int64_t heads = dgm_attention_probe_heads(look->net, kind);
    const int64_t width = look->watch.width[kind];

    DGM_TRY(read_node(look, look->watch.weights[kind][layer], heads * width));
    for (int64_t i = 0; i < queries[sentences]; i++)
        for (int64_t h = 0; h < heads; h++) {
            const dgm_real *row = look->values + (i * heads + h) * width;

            add_row(sums, row, width);
            for (int64_t j = 0; j < width && mean != NULL; j++)
                mean[i * width + j] += (double)row[j];
        }
    return DGM_OK;
}

static dgm_status add_layers(struct look *look, enum dgm_attention_kind kind,
                             const struct dgm_packed *side, double *mean,
                             struct dgm_layer_entropies *layers, struct sums *all)
{
    layers->layers = dgm_attention_probe_layers(look->net, kind);
    for (int l = 0; l < layers->layers; l++) {
        struct sums sums = { 0, 0, 0 };

        DGM_TRY(add_layer(look, kind, l, side->offsets, side->count, mean, &sums));
        layers->entropy[l] = sums.entropy / (double)sums.rows;
        all->peak += sums.peak;
        all->entropy += sums.entropy;
        all->rows += sums.rows;
    }
    return DGM_OK;
}

/* How many target positions of a sentence attend most to the position that most of them do. */
static int32_t count_same(const struct look *look, int32_t s, int64_t width)
{
    const int32_t *offsets = look->batch->target.offsets;
    const int32_t *starts = look->step->memory.starts;
    const int32_t keys = starts[s + 1] - starts[s];
    int32_t most = 0;

    memset(look->votes, 0, (size_t)width * sizeof *look->votes);
    for (int32_t i = offsets[s]; i < offsets[s + 1]; i++) {
        const double *row = look->mean + i * width;
        int32_t best = 0;

        for (int32_t j = 1; j < keys; j++)
            if (row[j] > row[best])
                best = j;
        if (++look->votes[best] > most)
            most = look->votes[best];
    }
    return most;
}

static double share_of_same(const struct look *look)
{
    const struct dgm_packed *target = &look->batch->target;
    const int64_t width = look->watch.width[DGM_ATTENTION_CROSS];
    int64_t same = 0, rows = 0;

    for (int32_t s = 0; s < target->count; s++) {
        const int32_t *starts = look->step->memory.starts;
        const int32_t length = dgm_packed_length(target, s);

        if (length < SHORT || starts[s + 1] - starts[s] < SHORT)
            continue;
        same += count_same(look, s, width);
        rows += length;
    }
    return rows > 0 ? (double)same / (double)rows : -1;
}

static dgm_status measure_attention(struct look *look, struct dgm_health *health)
{
    const struct dgm_packed *target = &look->batch->target;
    const size_t rows = (size_t)target->offsets[target->count];
    const size_t width = (size_t)look->watch.width[DGM_ATTENTION_CROSS];
    struct sums unused = { 0, 0, 0 }, cross = { 0, 0, 0 };

    DGM_TRY(dgm_new(look->env, &look->mean, rows * width + 1, sizeof *look->mean));
    DGM_TRY(dgm_new(look->env, &look->votes, width + 1, sizeof *look->votes));
    memset(look->mean, 0, rows * width * sizeof *look->mean);
    DGM_TRY(add_layers(look, DGM_ATTENTION_ENCODER, &look->batch->source, NULL, &health->source,
                       &unused));
    DGM_TRY(add_layers(look, DGM_ATTENTION_CROSS, target, look->mean, &health->cross, &cross));
    health->peak = cross.peak / (double)cross.rows;
    health->entropy = cross.entropy / (double)cross.rows;
    health->same = share_of_same(look);
    return DGM_OK;
}

/* ---- the pass -------------------------------------------------------------------------------- */

static dgm_status run(struct look *look, struct dgm_step *step)
{
    struct dgm_graph *g = look->graph;

    DGM_TRY(dgm_net_stage(look->env, look->net, step, look->batch, 0, 0, 0));
    DGM_TRY(dgm_attention_probe_stage(look->env, &look->watch, look->net, step, look->batch));
    dgm_graph_begin(g, 0, 0, 0);
    dgm_gates_keep(g);
    look->encoded = dgm_net_encode(g, look->net, step);
    look->encoder_end = dgm_gates_mark(g);
    dgm_keep(g, look->encoded.all);
    dgm_keep(g, dgm_net_decode(g, look->net, step, &look->encoded));
    return dgm_graph_run(g);
}

dgm_status dgm_health_measure(struct dgm_env *env, struct dgm_health *health,
                              const struct dgm_net *net, struct dgm_step *step, struct dgm_graph *g,
                              const struct dgm_batch *batch)
{
    struct look look = { .env = env, .net = net, .step = step, .batch = batch, .graph = g };
    dgm_status status;

    memset(health, 0, sizeof *health);
    dgm_attention_probe_init(&look.watch, g->device);
    look.watch.layers[DGM_ATTENTION_ENCODER] = look.watch.layers[DGM_ATTENTION_CROSS] =
        ~(uint64_t)0;
    step->watch = &look.watch;
    DGM_TRY_OUT(run(&look, step));
    DGM_TRY_OUT(measure_states(&look, health));
    DGM_TRY_OUT(measure_gates(&look, health));
    status = measure_attention(&look, health);
out:
    step->watch = NULL;
    dgm_attention_probe_clear(env, &look.watch);
    dgm_release(env, look.values);
    dgm_release(env, look.mean);
    dgm_release(env, look.votes);
    return status;
}
