/*
 * test_op_row_products.c: a matrix times a vector in every row, and rows looked up by number:
 * values and gradients against loops in double, and the bits of a row in any company. Then steps
 * with several losses.
 */
#include <string.h>

#include "base/mem.h"
#include "graph/op.h"
#include "open_device.h"
#include "test.h"

enum { ROWS = 37, LABELS = 53, WIDTH = 69, ALL = ROWS * LABELS * WIDTH };

/* A graph with leaves from a sample, on a device of some threads. */
struct bench {
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_sample sample;
};

static dgm_status open_bench(struct bench *bench, int threads)
{
    memset(bench, 0, sizeof *bench);
    DGM_TRY(open_device(test_env(), &bench->device, threads));
    DGM_TRY(dgm_graph_init(test_env(), &bench->g, bench->device));
    dgm_random_init(&bench->sample.random, 12, 0, 0, 0);
    dgm_graph_begin(&bench->g, 1, 1, 1);
    return DGM_OK;
}

static void close_bench(struct bench *bench)
{
    dgm_sample_clear(&bench->g, &bench->sample);
    dgm_graph_clear(&bench->g);
    dgm_device_close(test_env(), bench->device);
}

static dgm_status read_reals(struct bench *bench, struct dgm_ref from, dgm_real *to, int64_t count)
{
    return dgm_device_read(test_env(), bench->device, to, from, (size_t)count * sizeof *to);
}

/* ---- row products --------------------------------------------------------------------------- */

/* Inputs, and what y = row_products(x, h) and dy = y leave behind. */
struct products {
    dgm_real x[ALL], h[ROWS * WIDTH], y[ROWS * LABELS], dx[ALL], dh[ROWS * WIDTH];
};

/* Rows first .. first+rows-1 of a sample of ROWS, in a graph of their own; dy = y. */
static dgm_status run_products(struct products *p, int threads, int64_t first, int64_t rows)
{
    struct bench bench;
    struct dgm_graph *g = &bench.g;
    struct dgm_node *x, *h, *y;
    size_t x_skip = (size_t)(first * LABELS * WIDTH) * sizeof(dgm_real);
    size_t h_skip = (size_t)(first * WIDTH) * sizeof(dgm_real);

    DGM_TRY(open_bench(&bench, threads));
    x = dgm_sample_leaf(g, &bench.sample, ROWS, LABELS * WIDTH);
    h = dgm_sample_leaf(g, &bench.sample, ROWS, WIDTH);
    DGM_TRY(g->status);
    DGM_TRY(read_reals(&bench, x->value, p->x, ALL));
    DGM_TRY(read_reals(&bench, h->value, p->h, ROWS * WIDTH));
    x = dgm_leaf(g, dgm_ref_at(x->value, x_skip), dgm_ref_at(x->grad, x_skip), rows,
                 LABELS * WIDTH);
    h = dgm_leaf(g, dgm_ref_at(h->value, h_skip), dgm_ref_at(h->grad, h_skip), rows, WIDTH);
    y = dgm_keep(g, dgm_row_products(g, x, h));
    DGM_TRY(dgm_graph_run(g));
    y->grad = y->value;
    DGM_TRY(y->op->backward(g, y));
    DGM_TRY(dgm_graph_read(g, y, p->y + first * LABELS));
    DGM_TRY(read_reals(&bench, x->grad, p->dx + first * LABELS * WIDTH, rows * LABELS * WIDTH));
    DGM_TRY(read_reals(&bench, h->grad, p->dh + first * WIDTH, rows * WIDTH));
    close_bench(&bench);
    return DGM_OK;
}

static void check_products_of_row(const struct products *p, int i)
{
    const dgm_real *x = p->x + i * LABELS * WIDTH, *h = p->h + i * WIDTH, *y = p->y + i * LABELS;
    int l, r;

    for (l = 0; l < LABELS; l++) {
        double sum = 0;
        for (r = 0; r < WIDTH; r++) {
            sum += (double)x[l * WIDTH + r] * (double)h[r];
            CHECK_NEAR(p->dx[(i * LABELS + l) * WIDTH + r], (double)y[l] * (double)h[r], 2e-5);
        }
        CHECK_NEAR(y[l], sum, 2e-5);
    }
    for (r = 0; r < WIDTH; r++) {
        double sum = 0;
        for (l = 0; l < LABELS; l++)
            sum += (double)x[l * WIDTH + r] * (double)y[l];
        CHECK_NEAR(p->dh[i * WIDTH + r], sum, 2e-4);
    }
}

TEST(row_products_have_the_values_and_gradients_of_plain_loops)
{
    struct products *p = dgm_alloc(test_env(), 1, sizeof *p);
    int i;

    CHECK(p != NULL);
    CHECK_STATUS(run_products(p, 2, 0, ROWS), DGM_OK);
    for (i = 0; i < ROWS; i++)
        check_products_of_row(p, i);
    dgm_release(test_env(), p);
}

TEST(row_products_have_the_same_bits_on_any_threads_in_any_company)
{
    struct products *p = dgm_alloc(test_env(), 2, sizeof *p);
    int i;

    CHECK(p != NULL);
    CHECK_STATUS(run_products(&p[0], 1, 0, ROWS), DGM_OK);
    CHECK_STATUS(run_products(&p[1], 3, 0, ROWS), DGM_OK);
    CHECK_MEM(&p[1], &p[0], sizeof p[0]);
    memset(&p[1], 0, sizeof p[1]);
    for (i = 0; i < ROWS; i++)
        CHECK_STATUS(run_products(&p[1], 2, i, 1), DGM_OK);
    CHECK_MEM(&p[1], &p[0], sizeof p[0]);
    dgm_release(test_env(), p);
}

/* ---- gather --------------------------------------------------------------------------------- */

/* Rows of a leaf, and of a computed matrix whose gradient starts from stale memory. */
TEST(gather_gives_zeros_for_no_row_and_adds_up_gradients)
{
    static const int32_t index[6] = { 2, -1, 0, 2, 2, -1 };
    static const double count[4] = { 1, 0, 3, 0 };
    struct bench bench;
    dgm_real x[4 * 3], y[6 * 3], dx[4 * 3];
    struct dgm_node *leaf, *node;
    int i, c;

    CHECK_STATUS(open_bench(&bench, 2), DGM_OK);
    leaf = dgm_sample_leaf(&bench.g, &bench.sample, 4, 3);
    node = dgm_keep(&bench.g,
                    dgm_gather(&bench.g, leaf,
                               dgm_sample_data(&bench.g, &bench.sample, index, sizeof index), 6));
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    node->grad = node->value;
    CHECK_STATUS(read_reals(&bench, leaf->value, x, 12), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, node, y), DGM_OK);
    for (i = 0; i < 18; i++)
        CHECK(y[i] == (index[i / 3] < 0 ? 0 : x[index[i / 3] * 3 + i % 3]));
    for (c = 0; c < 2; c++) { /* first into what lies there, as a computed matrix; then adding */
        leaf->grad_ready = c;
        CHECK_STATUS(dgm_device_write(test_env(), bench.device, leaf->grad, c ? dx : x, sizeof x),
                     DGM_OK);
        CHECK_STATUS(node->op->backward(&bench.g, node), DGM_OK);
        CHECK_STATUS(read_reals(&bench, leaf->grad, dx, 12), DGM_OK);
        for (i = 0; i < 12; i++)
            CHECK_NEAR(dx[i], (c + 1) * count[i / 3] * (double)x[i], 1e-5);
    }
    close_bench(&bench);
}

/* ---- several losses ------------------------------------------------------------------------- */

enum { N = 7, D = 5, TOTAL = N * D + 4 * D };

/* Each row with each, over all columns. */
static struct dgm_node *pairs_of(struct dgm_graph *g, struct dgm_node *x,
                                 const struct dgm_spans *spans)
{
    struct dgm_columns all = { NULL, 0 };

    all.node = x;
    return dgm_pair_scores(g, all, all, 4, spans);
}

/*
 * A shared layer with up to three losses on it, named by bits: of tags over all rows, of pairs,
 * of classes over some rows. grads: those of x and of the layer's weights.
 */
static dgm_status run_losses(struct bench *bench, unsigned which, dgm_real *grads)
{
    static const int32_t offsets[3] = { 0, 3, N }, squares[3] = { 0, 9, 25 };
    static const int32_t targets[N] = { -1, 0, 1, -1, 2, 0, 1 }, some[3] = { 1, 5, 1 };
    static const int32_t tags[N] = { 0, 2, 1, 1, 0, 2, 2 };
    struct dgm_graph *g = &bench->g;
    struct dgm_sample *sample = &bench->sample;
    struct dgm_spans spans = { .sentences = 2, .rows = N, .pairs = 25 };
    struct dgm_node *x, *w, *v, *h;

    dgm_random_init(&sample->random, 12, 0, 0, 0);
    dgm_graph_begin(g, 1, 1, 1);
    x = dgm_sample_leaf(g, sample, N, D);
    w = dgm_sample_leaf(g, sample, 4, D);
    v = dgm_sample_leaf(g, sample, 3, 4);
    spans.offsets = dgm_sample_data(g, sample, offsets, sizeof offsets);
    spans.squares = dgm_sample_data(g, sample, squares, sizeof squares);
    DGM_TRY(g->status);
    h = dgm_linear_relu(g, x, w, NULL);
    if (which & 1)
        dgm_cross_entropy(g, dgm_linear(g, h, v, NULL),
                          dgm_sample_data(g, sample, tags, sizeof tags), 0, DGM_SMOOTHING_OLD, 1);
    if (which & 2)
        dgm_pair_loss(g, pairs_of(g, h, &spans), &spans,
                      dgm_sample_data(g, sample, targets, sizeof targets), DGM_PAIRS_NOT_SELF, 1);
    if (which & 4) {
        h = dgm_gather(g, h, dgm_sample_data(g, sample, some, sizeof some), 3);
        dgm_cross_entropy(g, dgm_linear(g, h, v, NULL),
                          dgm_sample_data(g, sample, tags, 3 * sizeof *tags), 0, DGM_SMOOTHING_OLD,
                          1);
    }
    DGM_TRY(dgm_graph_run(g));
    DGM_TRY(dgm_graph_backward(g));
    DGM_TRY(read_reals(bench, x->grad, grads, N * D));
    DGM_TRY(read_reals(bench, w->grad, grads + N * D, 4 * D));
    dgm_sample_clear(g, sample);
    return DGM_OK;
}

TEST(graph_with_several_losses_has_the_sum_of_their_gradients)
{
    struct bench bench;
    dgm_real one[TOTAL], sum[TOTAL], all[TOTAL];
    unsigned which;
    int i;

    memset(sum, 0, sizeof sum);
    CHECK_STATUS(open_bench(&bench, 2), DGM_OK);
    for (which = 1; which < 8; which *= 2) {
        double size = 0;
        CHECK_STATUS(run_losses(&bench, which, one), DGM_OK);
        for (i = 0; i < TOTAL; i++) {
            sum[i] += one[i];
            size += (double)one[i] * (double)one[i];
        }
        CHECK(size > 0.01);
    }
    CHECK_STATUS(run_losses(&bench, 7, all), DGM_OK);
    for (i = 0; i < TOTAL; i++)
        CHECK_NEAR(all[i], sum[i], 2e-5);
    close_bench(&bench);
}

/* The first loss would overwrite what the second reads. */
TEST(graph_refuses_two_losses_of_the_same_scores)
{
    static const int32_t targets[3] = { 1, 0, 1 };
    struct bench bench;
    struct dgm_node *x;
    struct dgm_ref at;

    CHECK_STATUS(open_bench(&bench, 1), DGM_OK);
    at = dgm_sample_data(&bench.g, &bench.sample, targets, sizeof targets);
    x = dgm_sample_leaf(&bench.g, &bench.sample, 3, 4);
    x = dgm_linear(&bench.g, x, dgm_sample_leaf(&bench.g, &bench.sample, 2, 4), NULL);
    dgm_cross_entropy(&bench.g, x, at, 0, DGM_SMOOTHING_OLD, 1);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    dgm_cross_entropy(&bench.g, x, at, 0, DGM_SMOOTHING_OLD, 1);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "that no other operation needs later") != NULL);
    dgm_env_clear_error(test_env());
    close_bench(&bench);
}

TEST(graph_allocates_nothing_in_warm_steps_with_several_losses)
{
    struct bench bench;
    dgm_real grads[TOTAL];
    int64_t grown;

    CHECK_STATUS(open_bench(&bench, 2), DGM_OK);
    CHECK_STATUS(run_losses(&bench, 7, grads), DGM_OK);
    grown = bench.g.allocations;
    CHECK_STATUS(run_losses(&bench, 7, grads), DGM_OK);
    CHECK_INT(bench.g.allocations, grown);
    close_bench(&bench);
}
