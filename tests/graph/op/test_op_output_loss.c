/*
 * test_op_output_loss.c: the loss that holds some rows of logits at a time is, bit for bit, the
 * output layer and the cross-entropy after each other.
 */
#include "base/mem.h"
#include "graph_case.h"

/* More rows than a chunk has. */
enum { N = 600, IN = 3, V = 20480 };

/* What a step leaves behind. */
struct result {
    dgm_real loss[2 * N], dx[N * IN], dw[V * IN], db[V];
    size_t bytes;
};

static struct dgm_ref make_targets(struct graph_case *c)
{
    static int32_t targets[N];

    for (int i = 0; i < N; i++)
        targets[i] = (int32_t)(i * 31 % V);
    return dgm_sample_data(&c->g, &c->sample, targets, sizeof targets);
}

static void read_grad(struct graph_case *c, dgm_real *to, const struct dgm_node *leaf)
{
    CHECK_STATUS(dgm_device_read(test_env(), c->device, to, leaf->grad,
                                 (size_t)(leaf->rows * leaf->cols) * sizeof *to),
                 DGM_OK);
}

/* x goes through tanh, so that its gradient passes through the pool. */
static void run_weighed(struct result *result, int is_fused, int threads,
                        const struct dgm_row_weights *weights)
{
    struct graph_case c;
    struct dgm_node *x, *w, *b, *h, *loss;
    struct dgm_ref targets;

    CHECK_STATUS(case_open(&c, threads), DGM_OK);
    x = dgm_sample_leaf(&c.g, &c.sample, N, IN);
    w = dgm_sample_leaf(&c.g, &c.sample, V, IN);
    b = dgm_sample_leaf(&c.g, &c.sample, 1, V);
    targets = make_targets(&c);
    h = dgm_activate(&c.g, x, DGM_TANH);
    loss = is_fused ? dgm_output_loss(&c.g, h, w, b, targets, (dgm_real)0.1, DGM_SMOOTHING_OLD, 1)
                    : dgm_cross_entropy(&c.g, dgm_linear(&c.g, h, w, b), targets, (dgm_real)0.1,
                                        DGM_SMOOTHING_OLD, 1);
    if (weights != NULL)
        dgm_output_loss_weigh(loss, weights);
    CHECK_STATUS(dgm_graph_measure(&c.g, &result->bytes), DGM_OK);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, loss, result->loss), DGM_OK);
    read_grad(&c, result->dx, x);
    read_grad(&c, result->dw, w);
    read_grad(&c, result->db, b);
    case_close(&c);
}

static void run(struct result *result, int is_fused, int threads)
{
    run_weighed(result, is_fused, threads, NULL);
}

TEST(output_loss_has_the_bits_of_linear_and_cross_entropy)
{
    static struct result apart, fused;
    int threads;

    run(&apart, 0, 1);
    for (threads = 1; threads <= 3; threads += 2) {
        memset(&fused, 0, sizeof fused);
        run(&fused, 1, threads);
        CHECK_MEM(fused.loss, apart.loss, sizeof apart.loss);
        CHECK_MEM(fused.dx, apart.dx, sizeof apart.dx);
        CHECK_MEM(fused.dw, apart.dw, sizeof apart.dw);
        CHECK_MEM(fused.db, apart.db, sizeof apart.db);
    }
}

/* Powers of two, so that a row's losses and its share of a gradient are scaled without rounding;
 * what a run over all rows with weight 2 adds up is twice what it was, to the bit. */
TEST(output_loss_weighs_rows)
{
    static const int32_t offsets[] = { 0, 7, 300, 301, N };
    static const float mixed[] = { 1, 2, 2, 0.5F }, all[] = { 2, 2, 2, 2 };
    static struct result plain, weighed;
    const struct dgm_row_weights some = { offsets, mixed, 4 }, same = { offsets, all, 4 };

    run(&plain, 1, 1);
    run_weighed(&weighed, 1, 1, &some);
    for (int i = 0; i < N; i++) {
        const dgm_real w = i < 7 ? 1 : i < 301 ? 2 : (dgm_real)0.5;

        CHECK_NEAR(weighed.loss[2 * i], w * plain.loss[2 * i], 0);
        CHECK_NEAR(weighed.loss[2 * i + 1], w * plain.loss[2 * i + 1], 0);
        for (int c = 0; c < IN; c++)
            CHECK_NEAR(weighed.dx[i * IN + c], w * plain.dx[i * IN + c], 0);
    }
    run_weighed(&weighed, 1, 3, &same);
    for (int i = 0; i < V * IN; i++)
        CHECK_NEAR(weighed.dw[i], 2 * plain.dw[i], 0);
    for (int i = 0; i < V; i++)
        CHECK_NEAR(weighed.db[i], 2 * plain.db[i], 0);
}

/* Other devices than the processor hold more rows than there are here. */
TEST(output_loss_holds_some_rows_of_logits_only)
{
    static struct result apart, fused;

    FOR_THE_CPU();
    run(&apart, 0, 1);
    run(&fused, 1, 1);
    CHECK(apart.bytes >= (size_t)N * V * sizeof(dgm_real));
    CHECK(fused.bytes < (size_t)N * V * sizeof(dgm_real));
}

TEST(output_loss_names_the_best_of_every_row)
{
    static int32_t found[N];
    static dgm_real logits[N * 5];
    int32_t none[N] = { 0 };
    struct graph_case c;
    struct dgm_node *x, *w, *loss, *y;
    struct dgm_ref targets, ids;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    dgm_graph_begin(&c.g, 0, 1, 1);
    x = dgm_sample_leaf(&c.g, &c.sample, N, IN);
    w = dgm_sample_leaf(&c.g, &c.sample, 5, IN);
    targets = dgm_sample_data(&c.g, &c.sample, none, sizeof none);
    ids = dgm_sample_data(&c.g, &c.sample, none, sizeof none);
    y = dgm_keep(&c.g, dgm_linear(&c.g, x, w, NULL));
    loss = dgm_output_loss(&c.g, x, w, NULL, targets, 0, DGM_SMOOTHING_OLD, 1);
    dgm_output_loss_best(loss, ids);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, y, logits), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), c.device, found, ids, sizeof found), DGM_OK);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 5; j++)
            CHECK(logits[i * 5 + found[i]] >= logits[i * 5 + j]);
    case_close(&c);
}

TEST(output_loss_refuses_weights_that_are_computed)
{
    struct graph_case c;
    struct dgm_node *x, *w;
    struct dgm_ref none = { NULL, 0 };

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    x = dgm_sample_leaf(&c.g, &c.sample, 4, IN);
    w = dgm_activate(&c.g, dgm_sample_leaf(&c.g, &c.sample, 5, IN), DGM_TANH);
    CHECK(dgm_output_loss(&c.g, x, w, NULL, none, 0, DGM_SMOOTHING_OLD, 1) == NULL);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_FAILURE);
    case_close(&c);
}
