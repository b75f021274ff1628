/*
 * test_graph.c: building and planning a step: errors that stick, memory that is shared without
 * values ever meeting, and warm steps that allocate nothing.
 */
#include <assert.h>

#include "graph/op.h"
#include "tiny.h"

enum { WARM_BATCHES = 6, MOST_OPS = 512 };

static struct dgm_device *open_one(void)
{
    struct dgm_device *device = NULL;

    if (open_device(test_env(), &device, 1) != DGM_OK)
        return NULL;
    return device;
}

/* A constant of zeros in a buffer of its own. */
static struct dgm_node *zeros(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                              int64_t cols)
{
    static const dgm_real values[3 * 1024];

    assert(rows * cols <= (int64_t)(sizeof values / sizeof *values));
    return dgm_constant(g,
                        dgm_sample_data(g, sample, values, (size_t)(rows * cols) * sizeof *values),
                        rows, cols);
}

TEST(graph_error_names_both_shapes_and_sticks)
{
    struct dgm_device *device = open_one();
    struct dgm_graph g;
    struct dgm_sample sample;
    struct dgm_node *x, *y;

    CHECK(device != NULL);
    memset(&sample, 0, sizeof sample);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    dgm_graph_begin(&g, 0, 1, 1);
    x = zeros(&g, &sample, 3, 4);
    y = dgm_linear(&g, x, zeros(&g, &sample, 5, 6), NULL);
    CHECK(y == NULL);
    CHECK(strstr(test_env()->error.message, "linear: operands 3 x 4 and 5 x 6") != NULL);
    CHECK(dgm_residual(&g, x, y, NULL, 0, 0) == NULL);
    CHECK(dgm_norm(&g, y, x, x, 1) == NULL);
    CHECK(dgm_constant(&g, dgm_node_value(x), 3, 4) == NULL);
    CHECK_STATUS(dgm_graph_run(&g), DGM_FAILURE);
    CHECK_STATUS(dgm_graph_backward(&g), DGM_FAILURE);
    dgm_env_clear_error(test_env());
    dgm_graph_begin(&g, 0, 1, 1);
    CHECK_STATUS(dgm_graph_run(&g), DGM_OK);
    dgm_sample_clear(&g, &sample);
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

TEST(graph_refuses_operands_of_other_shapes)
{
    struct dgm_device *device = open_one();
    struct dgm_graph g;
    struct dgm_sample sample;
    struct dgm_node *a, *b;
    int i;

    CHECK(device != NULL);
    memset(&sample, 0, sizeof sample);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    for (i = 0; i < 4; i++) {
        struct dgm_ref none = { NULL, 0 };
        dgm_graph_begin(&g, 1, 1, 1);
        dgm_env_clear_error(test_env());
        a = zeros(&g, &sample, 3, 4);
        b = zeros(&g, &sample, 2, 4);
        CHECK(a != NULL && b != NULL);
        switch (i) {
        case 0: CHECK(dgm_residual(&g, a, b, NULL, 0, 0) == NULL); break;
        case 1: CHECK(dgm_norm(&g, a, zeros(&g, &sample, 1, 3), b, 1) == NULL); break;
        case 2: CHECK(dgm_linear(&g, a, b, zeros(&g, &sample, 1, 3)) == NULL); break;
        default: CHECK(dgm_cross_entropy(&g, a, none, 0, DGM_SMOOTHING_OLD, 1) == NULL); break;
        }
        CHECK_STATUS(dgm_graph_run(&g), DGM_FAILURE);
    }
    dgm_env_clear_error(test_env());
    dgm_sample_clear(&g, &sample);
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

/* ---- sharing ------------------------------------------------------------------------------- */

/* How much sharing a run allows. */
enum sharing { ALL_SHARING, NO_TAKING_OVER, NO_SHARING };

/* Every byte of the pool becomes part of a NaN, so that whoever reads stale memory shows it. */
static dgm_status poison(struct tiny *tiny)
{
    size_t bytes, i;
    unsigned char *poisoned;
    struct dgm_ref start = { NULL, 0 };
    dgm_status status;

    DGM_TRY(dgm_graph_measure(&tiny->graph, &bytes));
    poisoned = dgm_alloc(test_env(), tiny->graph.pool_bytes, 1);
    if (poisoned == NULL)
        return DGM_MEMORY;
    for (i = 0; i < tiny->graph.pool_bytes; i++)
        poisoned[i] = 0xff;
    start.buffer = tiny->graph.pool[0];
    status = dgm_device_write(test_env(), tiny->device, start, poisoned, tiny->graph.pool_bytes);
    dgm_release(test_env(), poisoned);
    return status;
}

/* Runs a step; without sharing every node is kept and no operation takes memory over. */
static dgm_status run_shared(struct tiny *tiny, const struct dgm_batch *batch, enum sharing sharing,
                             double *loss, size_t *bytes)
{
    static struct dgm_op ops[MOST_OPS];
    int64_t i;

    DGM_TRY(tiny_forget_grads(tiny));
    DGM_TRY(tiny_build(tiny, batch, 1, 2));
    for (i = 0; i < tiny->graph.count && sharing != ALL_SHARING; i++) {
        struct dgm_node *node = tiny->graph.nodes[i];
        if (sharing == NO_SHARING)
            dgm_keep(&tiny->graph, node);
        if (node->op == NULL)
            continue;
        ops[i] = *node->op;
        ops[i].in_place = ops[i].hands_down = 0;
        node->op = &ops[i];
    }
    DGM_TRY(dgm_graph_measure(&tiny->graph, bytes));
    DGM_TRY(poison(tiny));
    DGM_TRY(tiny_run(tiny, loss));
    return dgm_graph_backward(&tiny->graph);
}

/* A step on a device that gives no buffer of more than `largest` bytes. */
static dgm_status run_in_pieces(struct tiny *tiny, const struct dgm_batch *batch, size_t largest,
                                double *loss, size_t *bytes)
{
    tiny->device->largest = largest;
    DGM_TRY(tiny_forget_grads(tiny));
    DGM_TRY(tiny_build(tiny, batch, 1, 2));
    DGM_TRY(dgm_graph_measure(&tiny->graph, bytes));
    DGM_TRY(tiny_run(tiny, loss));
    return dgm_graph_backward(&tiny->graph);
}

TEST(graph_in_pieces_of_memory_computes_the_same)
{
    struct dgm_model_config config = tiny_config();
    dgm_real *grads[3] = { NULL, NULL, NULL };
    double loss[3];
    struct tiny tiny;
    struct dgm_batch batch;
    size_t whole, bytes;

    config.dropout = 0.1;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 4), DGM_OK);
    for (int k = 0; k < 3; k++) { /* whole, in pieces, and whole again */
        const size_t largest = k == 1 ? whole / 5 / 64 * 64 : 0;

        CHECK_STATUS(run_in_pieces(&tiny, &batch, largest, &loss[k], k ? &bytes : &whole), DGM_OK);
        CHECK_INT(tiny.graph.pool_piece, largest);
        CHECK(tiny.device->ops->bytes(tiny.graph.pool[0]) <= (k == 1 ? largest : whole));
        CHECK((tiny.graph.pool[4] != NULL) == (k == 1));
        grads[k] = tiny_grads(&tiny);
        CHECK(grads[k] != NULL);
        CHECK_MEM(&loss[k], &loss[0], sizeof loss[0]);
        CHECK_MEM(grads[k], grads[0], (size_t)tiny.model.params.total * sizeof(dgm_real));
    }
    for (int k = 0; k < 3; k++)
        dgm_release(test_env(), grads[k]);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

static void check_sharing(int pre_norm, enum dgm_tying tying)
{
    struct dgm_model_config config = tiny_config();
    struct tiny tiny;
    struct dgm_batch batch;
    dgm_real *grads[3];
    double loss[3];
    size_t bytes[3], length;
    int k;

    config.pre_norm = pre_norm;
    config.tying = tying;
    config.dropout = config.attention_dropout = config.activation_dropout = 0.1;
    strcpy(config.syntax, "deps-san(layers=1)+shaw(k=2)");
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 4), DGM_OK);
    for (k = 0; k < 3; k++) {
        CHECK_STATUS(run_shared(&tiny, &batch, (enum sharing)k, &loss[k], &bytes[k]), DGM_OK);
        CHECK(tiny.graph.count <= MOST_OPS);
        grads[k] = tiny_grads(&tiny);
        CHECK(grads[k] != NULL);
        CHECK(loss[k] - loss[k] == 0);
    }
    length = (size_t)tiny.model.params.total * sizeof(dgm_real);
    for (k = 1; k < 3; k++) {
        CHECK_MEM(&loss[k], &loss[0], sizeof loss[0]);
        CHECK_MEM(grads[k], grads[0], length);
    }
    /* No packing is optimal: fewer blocks may be packed a little worse. */
    CHECK(bytes[0] <= bytes[1] + bytes[1] / 16 && bytes[1] < bytes[2]);
    for (k = 0; k < 3; k++)
        dgm_release(test_env(), grads[k]);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(graph_shares_memory_without_changing_a_bit_after_norms)
{
    check_sharing(0, DGM_TIED_ALL);
}

TEST(graph_shares_memory_without_changing_a_bit_before_norms)
{
    check_sharing(1, DGM_TIED_NONE);
}

/* dL/dW of L = cross-entropy of h, or of h + h where `twice`, with h = x W^T. */
static dgm_status grad_of_sum(struct dgm_graph *g, const dgm_real *weights, int twice,
                              dgm_real *out)
{
    static const dgm_real values[6] = { 1, -2, 3, 4, -5, 6 }, nothing[9];
    static const int32_t places[4] = { 0, 0, 0, 1 }, targets[2] = { 1, 0 };
    struct dgm_sample sample;
    struct dgm_rows rows;
    struct dgm_ref grad;
    struct dgm_node *x, *h;
    dgm_status status;

    memset(&sample, 0, sizeof sample);
    memset(&rows, 0, sizeof rows);
    dgm_graph_begin(g, 1, 1, 1);
    rows.count = 2;
    rows.places = dgm_sample_data(g, &sample, places, sizeof places);
    x = dgm_constant(g, dgm_sample_data(g, &sample, values, sizeof values), 2, 3);
    grad = dgm_sample_data(g, &sample, nothing, sizeof nothing);
    h = dgm_linear(g, x,
                   dgm_leaf(g, dgm_sample_data(g, &sample, weights, 9 * sizeof *weights), grad, 3,
                            3),
                   NULL);
    if (twice)
        h = dgm_residual(g, h, h, &rows, 0, 1);
    dgm_cross_entropy(g, h, dgm_sample_data(g, &sample, targets, sizeof targets), 0,
                      DGM_SMOOTHING_OLD, 1);
    DGM_TRY_OUT(dgm_graph_run(g));
    DGM_TRY_OUT(dgm_graph_backward(g));
    status = dgm_device_read(test_env(), g->device, out, grad, 9 * sizeof *out);
out:
    dgm_sample_clear(g, &sample);
    return status;
}

/* One node in both places of a sum must not hand its gradient's memory down to itself. */
TEST(graph_adds_both_gradients_of_a_node_that_meets_itself)
{
    static const dgm_real half[9] = { 0.5, 0, 0.25, 0, 0.5, 0, -0.25, 0, 0.5 };
    static const dgm_real whole[9] = { 1, 0, 0.5, 0, 1, 0, -0.5, 0, 1 };
    struct dgm_device *device = open_one();
    struct dgm_graph g;
    dgm_real of_half[9], of_whole[9];
    int i;

    CHECK(device != NULL);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    CHECK_STATUS(grad_of_sum(&g, half, 1, of_half), DGM_OK);
    CHECK_STATUS(grad_of_sum(&g, whole, 0, of_whole), DGM_OK);
    for (i = 0; i < 9; i++)
        CHECK_NEAR(of_half[i], 2 * of_whole[i], 1e-5);
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

/* ---- warm steps ---------------------------------------------------------------------------- */

static dgm_status make_batches(struct dgm_batch *batches)
{
    int b;

    for (b = 0; b < WARM_BATCHES; b++)
        DGM_TRY(tiny_batch(&batches[b], 20 + (uint64_t)b));
    return DGM_OK;
}

/* After one pass over all batches neither host nor device memory is asked for again. */
static void check_warm(const char *syntax)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batches[WARM_BATCHES];
    struct tiny tiny;
    long before = 0;
    int64_t grown = 0;
    double loss;
    int round, b;

    config.dropout = config.attention_dropout = 0.1;
    strcpy(config.syntax, syntax);
    memset(batches, 0, sizeof batches);
    CHECK_STATUS(tiny_open(&tiny, &config, 2), DGM_OK);
    CHECK_STATUS(make_batches(batches), DGM_OK);
    for (round = 0; round < 3; round++) {
        for (b = 0; b < WARM_BATCHES; b++)
            CHECK_STATUS(tiny_step(&tiny, &batches[b], (uint32_t)round, &loss), DGM_OK);
        if (round == 0) {
            before = test_allocations();
            grown = tiny.graph.allocations;
        }
    }
    CHECK_INT(test_allocations() - before, 0);
    CHECK_INT(tiny.graph.allocations, grown);
    for (b = 0; b < WARM_BATCHES; b++)
        dgm_batch_clear(test_env(), &batches[b]);
    tiny_close(&tiny);
}

TEST(graph_allocates_nothing_in_warm_steps_of_a_plain_model)
{
    check_warm("");
}

TEST(graph_allocates_nothing_in_warm_steps_of_a_shaw_model)
{
    check_warm("shaw(k=2)");
}

TEST(graph_allocates_nothing_in_warm_steps_of_a_deps_san_model)
{
    check_warm("deps-san(layers=1-2,rs_q=0.1,wink_k=1,wink_mode=neg_inf)");
}

TEST(graph_allocates_nothing_in_warm_steps_with_chains_of_pieces)
{
    check_warm("deps-san(layers=1-2,subword=right_chain)");
}

/* A product of `rows` rows; returns the bytes of the pool. */
static size_t pool_of(struct dgm_graph *g, int64_t rows)
{
    struct dgm_sample sample;
    dgm_status status;

    memset(&sample, 0, sizeof sample);
    dgm_graph_begin(g, 0, 0, 0);
    dgm_keep(g, dgm_linear(g, zeros(g, &sample, rows, 3), zeros(g, &sample, 16, 3), NULL));
    status = dgm_graph_run(g);
    dgm_sample_clear(g, &sample);
    return status == DGM_OK ? g->pool_bytes : 0;
}

TEST(graph_with_spare_memory_grows_seldom)
{
    struct dgm_device *device = open_one();
    struct dgm_graph g;
    size_t first;

    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    g.has_spare = 1;
    first = pool_of(&g, 800);
    CHECK_INT(first, 900 * 16 * sizeof(dgm_real));
    CHECK_INT(pool_of(&g, 850), first);
    CHECK_INT(pool_of(&g, 900), first);
    CHECK_INT(g.allocations, 1);
    CHECK(pool_of(&g, 901) > first);
    CHECK_INT(g.allocations, 2);
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

/* Products that each fill a piece of what the device gives; returns the bytes of the pool. */
static size_t pool_of_pieces(struct dgm_graph *g, int count)
{
    struct dgm_node *x, *weight;
    struct dgm_sample sample;
    dgm_status status;

    memset(&sample, 0, sizeof sample);
    dgm_graph_begin(g, 0, 0, 0);
    x = zeros(g, &sample, 64, 3);
    weight = zeros(g, &sample, 16, 3);
    for (int i = 0; i < count; i++)
        dgm_keep(g, dgm_linear(g, x, weight, NULL));
    status = dgm_graph_run(g);
    dgm_sample_clear(g, &sample);
    return status == DGM_OK ? g->pool_bytes : 0;
}

TEST(graph_gives_up_spare_memory_before_a_step_that_fits)
{
    const size_t piece = 64 * 16 * sizeof(dgm_real);
    struct dgm_device *device = open_one();
    struct dgm_graph g;

    device->largest = piece;
    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    g.has_spare = 1;
    CHECK_INT(pool_of_pieces(&g, 48), 54 * piece);
    CHECK_INT(pool_of_pieces(&g, DGM_POOL_PIECES - 1), (DGM_POOL_PIECES - 1) * piece);
    CHECK_INT(pool_of_pieces(&g, DGM_POOL_PIECES), DGM_POOL_PIECES * piece);
    CHECK_INT(pool_of_pieces(&g, DGM_POOL_PIECES + 1), 0);
    dgm_env_clear_error(test_env());
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

/* A step that no machine of 32 bits has room for is sized all the same; a machine that has not
 * refuses it before anything is written. */
TEST(graph_sizes_steps_beyond_what_a_word_holds)
{
    const int64_t rows = (int64_t)1 << 20;
    const struct dgm_ref nowhere = { NULL, 0 };
    struct dgm_device *device = open_one();
    struct dgm_node *side;
    struct dgm_graph g;
    uint64_t bytes = 0;

    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    dgm_graph_begin(&g, 0, 0, 0);
    side = dgm_constant(&g, nowhere, rows, 1);
    dgm_keep(&g, dgm_linear(&g, side, side, NULL));
    CHECK_STATUS(dgm_graph_size(&g, &bytes), DGM_OK);
    CHECK(bytes == (uint64_t)rows * (uint64_t)rows * sizeof(dgm_real));
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

TEST(graph_measures_what_it_then_uses)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tiny;
    size_t measured, again;
    double loss;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 3), DGM_OK);
    CHECK_STATUS(tiny_build(&tiny, &batch, 1, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_measure(&tiny.graph, &measured), DGM_OK);
    CHECK_STATUS(tiny_run(&tiny, &loss), DGM_OK);
    CHECK_INT(tiny.graph.pool_bytes, measured);
    CHECK_STATUS(tiny_build(&tiny, &batch, 0, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_measure(&tiny.graph, &again), DGM_OK);
    CHECK(again < measured);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}
