/*
 * test_spec_gates.c: the worked examples of specification 3.3 (losses of a head that is a
 * parser), 3.8 (context gates in front of attention) and 3.9 (highway).
 */
#include <math.h>

#include "graph_case.h"

/* ---- 3.3: parse losses --------------------------------------------------------------------- */

static const double toy_q[8] = { 1, 0, 0, 1, 1, 1, 0.5, -0.5 };
static const double toy_k[8] = { 0.5, 1, 1, 0, -1, 0.5, 0.2, 0.3 };

/* The mean loss of toy A with the bias on keys: (q U1 + u) . k. */
static void check_toy_loss(enum dgm_pair_mask mask, const int32_t targets[4], double want)
{
    static const double w[4] = { 1, -0.5, 0.5, 1 }, u[2] = { 0.3, -0.6 }; /* U1 transposed */
    static const int32_t offsets[2] = { 0, 4 }, squares[1] = { 0 };
    struct graph_case bench;
    struct dgm_spans spans = { .sentences = 1, .rows = 4, .pairs = 16 };
    struct dgm_columns q = { NULL, 0 }, k = { NULL, 0 };
    struct dgm_node *y;
    dgm_real losses[4];
    double sum = 0;
    int i, count = 0;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    spans.offsets = dgm_sample_data(&bench.g, &bench.sample, offsets, sizeof offsets);
    spans.squares = dgm_sample_data(&bench.g, &bench.sample, squares, sizeof squares);
    q.node = dgm_linear(&bench.g, case_leaf(&bench, toy_q, 4, 2), case_leaf(&bench, w, 2, 2),
                        case_leaf(&bench, u, 1, 2));
    k.node = case_leaf(&bench, toy_k, 4, 2);
    y = dgm_pair_loss(&bench.g, dgm_pair_scores(&bench.g, q, k, 2, &spans), &spans,
                      dgm_sample_data(&bench.g, &bench.sample, targets, 4 * sizeof *targets), mask,
                      1);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, y, losses), DGM_OK);
    CHECK_NEAR(losses[3], -log(0.048013), 1.5e-5);
    for (i = 0; i < 4; i++) {
        sum += (double)losses[i];
        count += targets[i] >= 0;
    }
    CHECK_NEAR(sum / count, want, 1.5e-6);
    case_close(&bench);
}

TEST(spec_3_3_parse_losses_of_encoder_and_decoder)
{
    static const int32_t heads[4] = { 1, 2, 2, 2 }, seen[4] = { -1, -1, 2, 2 };

    check_toy_loss(DGM_PAIRS_ALL, heads, 1.818493);
    check_toy_loss(DGM_PAIRS_CAUSAL, seen, 2.636643);
}

/* ---- 3.8: context gates -------------------------------------------------------------------- */

static const double toy_x[6] = { 1, 0, 0, 2, -1, 1 };

/* Gated queries and keys of the global context, with x, qc and kc side by side in one matrix. */
struct mixed {
    struct dgm_node *x, *q, *k;
};

static struct mixed mix_global(struct graph_case *bench)
{
    static const double q_gate[2] = { 0.2, -0.1 }, k_gate[2] = { 0.3, 0.1 };
    static const double qc_gate[2] = { 0.5, 0.5 }, kc_gate[2] = { -0.4, 0.2 };
    /* x, U_q c, U_k c with c = mean x = (0, 1) */
    static const double all[18] = { 1,   0,   -0.2, 0.4, 0.3, 0.2,  0,   2,   -0.2,
                                    0.4, 0.3, 0.2,  -1,  1,   -0.2, 0.4, 0.3, 0.2 };
    struct dgm_context_gate gate;
    struct mixed mixed;

    memset(&gate, 0, sizeof gate);
    mixed.x = case_leaf(bench, all, 3, 6);
    gate.x.node = gate.c.node = mixed.x;
    gate.c.column = 2;
    gate.heads = 1;
    gate.width = gate.c_step = 2;
    gate.scale = 1;
    gate.x_gate = case_leaf(bench, q_gate, 1, 2);
    gate.c_gate = case_leaf(bench, qc_gate, 1, 2);
    gate.x_bias = gate.c_bias = case_leaf(bench, NULL, 1, 1);
    mixed.q = dgm_keep(&bench->g, dgm_gated_mix(&bench->g, &gate));
    gate.c.column = 4;
    gate.x_gate = case_leaf(bench, k_gate, 1, 2);
    gate.c_gate = case_leaf(bench, kc_gate, 1, 2);
    mixed.k = dgm_keep(&bench->g, dgm_gated_mix(&bench->g, &gate));
    return mixed;
}

TEST(spec_3_8_context_gates_mix_queries_and_keys)
{
    static const double l_q[3] = { 0.574443, 0.475021, 0.450166 };
    static const double l_k[3] = { 0.554779, 0.529964, 0.430454 };
    static const double q[6] = { 0.310669, 0.229777, -0.095004, 1.239967, -0.639867, 0.729900 };
    static const double k[6] = { 0.611655, 0.110956, 0.158989, 1.046065, -0.440410, 0.655637 };
    struct graph_case bench;
    struct mixed mixed;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    mixed = mix_global(&bench);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    case_check_at(&bench, mixed.q->extra, l_q, 3, 1.5e-6);
    case_check_at(&bench, mixed.q->value, q, 6, 1.5e-6);
    case_check_at(&bench, mixed.k->extra, l_k, 3, 1.5e-6);
    case_check_at(&bench, mixed.k->value, k, 6, 1.5e-6);
    case_close(&bench);
}

/* A = softmax(q k^T / sqrt(2)) and z = A x of three rows; dq, dk and dx (by way of v). */
static void attend(const dgm_real *q, const dgm_real *k, const double *dz, double *z, double *dq,
                   double *dk, double *dx)
{
    const double s = sqrt(0.5);
    double a[3], da[3];
    int i, j, c;

    for (i = 0; i < 3; i++) {
        double sum = 0, mean = 0;
        for (j = 0; j < 3; j++)
            sum += a[j] = exp(s * ((double)q[2 * i] * (double)k[2 * j] +
                                   (double)q[2 * i + 1] * (double)k[2 * j + 1]));
        for (j = 0; j < 3; j++) {
            a[j] /= sum;
            da[j] = dz[2 * i] * toy_x[2 * j] + dz[2 * i + 1] * toy_x[2 * j + 1];
            mean += a[j] * da[j];
        }
        for (j = 0; j < 3; j++)
            for (c = 0; c < 2; c++) {
                double de = s * a[j] * (da[j] - mean);
                z[2 * i + c] += a[j] * toy_x[2 * j + c];
                dx[2 * j + c] += a[j] * dz[2 * i + c];
                dq[2 * i + c] += de * (double)k[2 * j + c];
                dk[2 * j + c] += de * (double)q[2 * i + c];
            }
    }
}

/* dx from the gradients of [x | qc | kc]: x serves q and k, and its mean both contexts. */
static void gather_dx(const dgm_real *d, double *dx)
{
    static const double u[8] = { 0.6, -0.2, 0.1, 0.4, 0.3, 0.3, -0.5, 0.2 }; /* U_q, U_k */
    double dc[2] = { 0, 0 };
    int i, c, r;

    for (i = 0; i < 3; i++)
        for (r = 0; r < 4; r++)
            for (c = 0; c < 2; c++)
                dc[c] += (double)d[6 * i + 2 + r] * u[2 * r + c];
    for (i = 0; i < 3; i++)
        for (c = 0; c < 2; c++)
            dx[2 * i + c] += (double)d[6 * i + c] + dc[c] / 3;
}

TEST(spec_3_8_gradients_reach_the_input_by_gates_and_contexts)
{
    static const double dz[6] = { 1, -1, 0.5, 0.5, -0.5, 1 };
    static const double z_want[6] = {
        0.045503, 1.018451, -0.144011, 1.264340, -0.221090, 1.193059
    };
    static const double want[6] = { 0.600338, -0.253929, 0.307897, 0.378295, 0.133061, 0.290262 };
    double z[6] = { 0 }, dq[6] = { 0 }, dk[6] = { 0 }, dx[6] = { 0 };
    struct graph_case bench;
    struct mixed mixed;
    dgm_real q[6], k[6], d[18];

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    mixed = mix_global(&bench);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, mixed.q, q), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench.g, mixed.k, k), DGM_OK);
    attend(q, k, dz, z, dq, dk, dx);
    mixed.q->grad = case_reals(&bench, dq, 6);
    mixed.k->grad = case_reals(&bench, dk, 6);
    CHECK_STATUS(mixed.k->op->backward(&bench.g, mixed.k), DGM_OK);
    CHECK_STATUS(mixed.q->op->backward(&bench.g, mixed.q), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), bench.device, d, mixed.x->grad, sizeof d), DGM_OK);
    gather_dx(d, dx);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(z[i], z_want[i], 1.5e-6);
        CHECK_NEAR(dx[i], want[i], 1.5e-6);
    }
    case_close(&bench);
}

/* ---- 3.9: highway -------------------------------------------------------------------------- */

TEST(spec_3_9_highway_network_and_its_gradient)
{
    static const double c[4] = { 1, 2, -1, 0.5 }, g[2] = { 1, -1 };
    static const double w[32] = { 0.2, 0.1, 0,   0,   0,   0.3, 0.1, 0,   0.1, 0,   0.4,
                                  0,   0,   0,   0.2, 0.5, 0.1, 0,   0,   0.2, 0,   -0.3,
                                  0,   0,   0.2, 0,   0.1, 0,   0,   0.1, 0,   -0.2 };
    static const double w_o[8] = { 0.5, 0, 0.5, 0, 0, 0.5, 0, 0.5 };
    static const double y_want[4] = { 0.670100, 1.468484, -0.475021, 0.263759 };
    static const double out_want[2] = { 0.097539, 0.866122 };
    static const double dc_want[4] = { 0.297579, -0.394354, 0.179764, -0.394828 };
    struct graph_case bench;
    struct dgm_node *in, *y, *out;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    in = case_leaf(&bench, c, 1, 4);
    y = dgm_linear(&bench.g, in, case_leaf(&bench, w, 8, 4), NULL);
    y = dgm_keep(&bench.g, dgm_highway(&bench.g, y, in));
    out = dgm_keep(&bench.g, dgm_linear(&bench.g, y, case_leaf(&bench, w_o, 2, 4), NULL));
    case_give(&bench, out, g);
    CHECK_STATUS(dgm_graph_run(&bench.g), DGM_OK);
    case_check_at(&bench, y->value, y_want, 4, 1.5e-6);
    case_check_at(&bench, out->value, out_want, 2, 1.5e-6);
    CHECK_STATUS(dgm_graph_backward(&bench.g), DGM_OK);
    case_check_at(&bench, in->grad, dc_want, 4, 1.5e-6);
    case_close(&bench);
}
