/*
 * test_op_linear.c: the gradient below a ReLU, which the product of the layer above may cut off
 * where it alone reads the ReLU, and that of its bias, which belongs to a product: against loops.
 */
#include <math.h>

#include "base/mem.h"
#include "graph_case.h"

enum { ROWS = 300, IN = 7, HIDDEN = 21, OUT = 9, READERS = 2 };

/* h = relu(x w^T + b), y_k = h v_k^T + c_k, and what the backward pass leaves, dy_k being y_k. */
struct layers {
    dgm_real x[ROWS * IN], w[HIDDEN * IN], h[ROWS * HIDDEN], v[READERS][OUT * HIDDEN];
    dgm_real y[READERS][ROWS * OUT];
    dgm_real dx[ROWS * IN], dw[HIDDEN * IN], db[HIDDEN], dc[READERS][OUT];
};

static dgm_status run_layers(struct dgm_device *device, struct layers *l, int readers)
{
    struct dgm_node *x, *w, *b, *h, *v[READERS], *c[READERS], *y[READERS];
    const dgm_real *dy[READERS] = { l->y[0], l->y[1] };
    struct graph_case bench;

    DGM_TRY(case_begin(&bench, device));
    x = dgm_sample_leaf(&bench.g, &bench.sample, ROWS, IN);
    w = dgm_sample_leaf(&bench.g, &bench.sample, HIDDEN, IN);
    b = dgm_sample_leaf(&bench.g, &bench.sample, 1, HIDDEN);
    h = dgm_keep(&bench.g, dgm_linear_relu(&bench.g, x, w, b));
    for (int k = 0; k < readers; k++) {
        v[k] = dgm_sample_leaf(&bench.g, &bench.sample, OUT, HIDDEN);
        c[k] = dgm_sample_leaf(&bench.g, &bench.sample, 1, OUT);
        y[k] = dgm_keep(&bench.g, dgm_linear(&bench.g, h, v[k], c[k]));
    }
    DGM_TRY(dgm_graph_run(&bench.g));
    for (int k = 0; k < readers; k++)
        DGM_TRY(dgm_graph_read(&bench.g, y[k], l->y[k]));
    DGM_TRY(dgm_graph_read(&bench.g, h, l->h));
    DGM_TRY(case_run(&bench, y, dy, readers));
    DGM_TRY(case_read(&bench, x->value, l->x, ROWS * IN));
    DGM_TRY(case_read(&bench, w->value, l->w, HIDDEN * IN));
    DGM_TRY(case_read(&bench, x->grad, l->dx, ROWS * IN));
    DGM_TRY(case_read(&bench, w->grad, l->dw, HIDDEN * IN));
    DGM_TRY(case_read(&bench, b->grad, l->db, HIDDEN));
    for (int k = 0; k < readers; k++) {
        DGM_TRY(case_read(&bench, v[k]->value, l->v[k], OUT * HIDDEN));
        DGM_TRY(case_read(&bench, c[k]->grad, l->dc[k], OUT));
    }
    case_end(&bench);
    return DGM_OK;
}

static double hidden_grad(const struct layers *l, int readers, int i, int j)
{
    double sum = 0;

    for (int k = 0; k < readers; k++)
        for (int o = 0; o < OUT; o++)
            sum += (double)l->y[k][i * OUT + o] * (double)l->v[k][o * HIDDEN + j];
    return l->h[i * HIDDEN + j] > 0 ? sum : 0;
}

static void check_near(dgm_real got, double want)
{
    CHECK_NEAR(got, want, 2e-4 * (1 + fabs(want)));
}

static void check_hidden(const struct layers *l, int readers)
{
    for (int j = 0; j < HIDDEN && !test_has_failed(); j++) {
        double db = 0, dw[IN] = { 0 };

        for (int i = 0; i < ROWS; i++) {
            const double dh = hidden_grad(l, readers, i, j);

            db += dh;
            for (int in = 0; in < IN; in++)
                dw[in] += dh * (double)l->x[i * IN + in];
        }
        check_near(l->db[j], db);
        for (int in = 0; in < IN; in++)
            check_near(l->dw[j * IN + in], dw[in]);
    }
}

static void check_inputs(const struct layers *l, int readers)
{
    for (int i = 0; i < ROWS && !test_has_failed(); i++)
        for (int in = 0; in < IN; in++) {
            double dx = 0;

            for (int j = 0; j < HIDDEN; j++)
                dx += hidden_grad(l, readers, i, j) * (double)l->w[j * IN + in];
            check_near(l->dx[i * IN + in], dx);
        }
}

static void check_biases(const struct layers *l, int readers)
{
    for (int k = 0; k < readers; k++)
        for (int o = 0; o < OUT; o++) {
            double dc = 0;

            for (int i = 0; i < ROWS; i++)
                dc += (double)l->y[k][i * OUT + o];
            check_near(l->dc[k][o], dc);
        }
}

static void check_layers(int readers)
{
    struct layers *l = dgm_alloc(test_env(), 1, sizeof *l);
    struct dgm_device *device;

    CHECK(l != NULL);
    CHECK_STATUS(open_device(test_env(), &device, 2), DGM_OK);
    CHECK_STATUS(run_layers(device, l, readers), DGM_OK);
    check_hidden(l, readers);
    check_inputs(l, readers);
    check_biases(l, readers);
    dgm_device_close(test_env(), device);
    dgm_release(test_env(), l);
}

TEST(linear_gradient_below_a_relu_with_one_reader)
{
    check_layers(1);
}

TEST(linear_gradient_below_a_relu_with_two_readers)
{
    check_layers(READERS);
}
