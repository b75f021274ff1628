/*
 * test_op_gru_dynamic.c: cells with dynamic weights: the worked example E3 of the specification of
 * recurrent models; a Q for every gate; and static cells as a special case.
 */
#include "gru_case.h"

enum { DIM = 2, SMALL = 3 };

/* The values of one side, gates stacked; 0: W, parents; 1: U, siblings; 2: V, words. */
struct values {
    double p[3][3 * DIM * SMALL], q[3][2 * SMALL * DIM], b[3 * DIM * SMALL];
    double meta[3][3 * SMALL * DIM], meta_bias[3 * SMALL], z[SMALL * SMALL], z_bias[SMALL];
};

static void fill(struct filler *filler, double *to, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = fill_next(filler);
}

/* In the order of the example; b_z = 0. */
static void fill_values(struct filler *filler, struct values *v)
{
    memset(v, 0, sizeof *v);
    for (int m = 0; m < 3; m++) {
        fill(filler, v->p[m], 2 * DIM * SMALL);
        fill(filler, v->q[m], SMALL * DIM);
        fill(filler, v->p[m] + 2 * DIM * SMALL, DIM * SMALL);
        fill(filler, v->q[m] + SMALL * DIM, SMALL * DIM);
    }
    fill(filler, v->b, 3 * DIM * SMALL);
    for (int gate = 0; gate < 3; gate++) {
        for (int m = 0; m < 3; m++)
            fill(filler, v->meta[m] + gate * SMALL * DIM, SMALL * DIM);
        fill(filler, v->meta_bias + gate * SMALL, SMALL);
    }
    fill(filler, v->z, SMALL * SMALL);
}

/* The leaves of one side. */
struct leaves {
    struct dgm_node *p[3], *q[3], *b, *meta[3], *meta_bias, *z;
};

/* With `own`, the Q of u and r stands twice. */
static struct leaves make_leaves(struct graph_case *bench, const struct values *v, int own)
{
    struct leaves leaves;

    for (int m = 0; m < 3; m++) {
        double q[3 * SMALL * DIM];
        memcpy(q, v->q[m], sizeof v->q[m]);
        memcpy(q + SMALL * DIM, own ? v->q[m] : v->q[m] + SMALL * DIM, SMALL * DIM * sizeof *q);
        memcpy(q + 2 * SMALL * DIM, v->q[m] + SMALL * DIM, SMALL * DIM * sizeof *q);
        leaves.q[m] = case_leaf(bench, q, own ? 3 * SMALL : 2 * SMALL, DIM);
        leaves.p[m] = case_leaf(bench, v->p[m], 3 * DIM, SMALL);
        leaves.meta[m] = case_leaf(bench, v->meta[m], 3 * SMALL, DIM);
    }
    leaves.b = case_leaf(bench, v->b, 3 * DIM, SMALL);
    leaves.meta_bias = case_leaf(bench, v->meta_bias, 1, 3 * SMALL);
    leaves.z = case_leaf(bench, v->z, SMALL, SMALL);
    return leaves;
}

static struct dgm_node *run_leaves(struct graph_case *bench, const struct leaves sides[2],
                                   const struct values values[2], struct dgm_node *x,
                                   struct dgm_node *init)
{
    const struct dgm_gru_plan plan = tree_plan(bench);
    struct dgm_gru_dynamic in[2];

    for (int s = 0; s < 2; s++) {
        struct dgm_node *words = tree_input(bench, x, s);
        struct dgm_node *parts[4] = { sides[s].p[0], sides[s].p[1], sides[s].p[2], sides[s].b };
        in[s].parent = sides[s].q[0];
        in[s].sibling = sides[s].q[1];
        in[s].word = dgm_linear(&bench->g, words, sides[s].q[2], NULL);
        in[s].out = dgm_concat(&bench->g, parts, 4, 1);
        in[s].parent_meta = sides[s].meta[0];
        in[s].sibling_meta = sides[s].meta[1];
        in[s].word_meta = dgm_linear(&bench->g, words, sides[s].meta[2], sides[s].meta_bias);
        in[s].z = sides[s].z;
        in[s].z_bias = case_leaf(bench, values[s].z_bias, 1, SMALL);
    }
    return tree_output(bench, dgm_gru_dynamic(&bench->g, init, in, &plan, 1));
}

/* The whole example; own: a Q for every gate. */
static struct dgm_node *run_e3(struct graph_case *bench, struct leaves sides[2],
                               struct dgm_node **x, int own)
{
    struct filler filler = { bench, 0 };
    struct dgm_node *w, *init, *v;
    struct values values[2];

    *x = fill_leaf(&filler, 8, 2);
    w = fill_leaf(&filler, 2, 2);
    init = tree_init(bench, *x, w, fill_leaf(&filler, 1, 2));
    for (int s = 0; s < 2; s++) {
        fill_values(&filler, &values[s]);
        sides[s] = make_leaves(bench, &values[s], own);
    }
    v = run_leaves(bench, sides, values, *x, init);
    run_example(bench, v, 1.085232181867);
    return v;
}

static const double h_of_e3[5][2] = {
    { -0.0937155906, 0.2896355145 }, { -0.0417731246, 0.2511494822 },
    { -0.0822137922, 0.3149302967 }, { -0.0708489461, 0.3497885145 },
    { 0.1086204732, 0.2335985719 },
};
static const int word_of_e3[5] = { 1, 0, 4, 7, 5 };

static void check_states(struct graph_case *bench, const struct dgm_node *v)
{
    for (int i = 0; i < 5; i++)
        check_node(bench, dgm_ref_at(v->value, (size_t)word_of_e3[i] * 2 * sizeof(dgm_real)),
                   h_of_e3[i], 2);
}

TEST(spec_recur_e3_dynamic_weights)
{
    struct graph_case bench;
    struct leaves sides[2];
    struct dgm_node *x, *v;

    CHECK_STATUS(case_open(&bench, 1), DGM_OK);
    v = run_e3(&bench, sides, &x, 0);
    check_states(&bench, v);
    check_grad(&bench, x, 0, 2, 0.0275968165, 0.1116911022);
    check_grad(&bench, x, 14, 2, -0.0619349607, 0.2204837671);
    check_grad(&bench, sides[0].p[0], 0, 12, 0.0242950165, 0.0010327868);
    check_grad(&bench, sides[0].q[2], 6, 6, 0.0002725674, 0.0046114198);
    check_grad(&bench, sides[1].p[1], 12, 6, 0.0484958501, 0.0094487411);
    check_grad(&bench, sides[1].q[0], 0, 6, 0.0061365250, 0.0003763463);
    check_grad(&bench, sides[1].b, 0, 12, 0.3550928526, 0.1203925682);
    check_grad(&bench, sides[1].meta[0], 0, 6, -0.0172790956, 0.0006552890);
    check_grad(&bench, sides[1].meta[2], 12, 6, -0.0208819853, 0.0175662479);
    check_grad(&bench, sides[0].meta_bias, 3, 3, 0.0032211457, 0.0000113289);
    check_grad(&bench, sides[0].z, 0, 9, 0.0866112468, 0.1359720040);
    check_grad(&bench, sides[1].z, 0, 9, -0.5020130446, 3.5520095079);
    case_close(&bench);
}

/* The Q of u and r, given to each: the same states, and gradients that add up. */
TEST(recur_dynamic_with_a_q_for_every_gate_equals_one_that_is_shared)
{
    struct graph_case shared, own;
    struct leaves of_shared[2], of_own[2];
    struct dgm_node *x;

    CHECK_STATUS(case_open(&shared, 1), DGM_OK);
    CHECK_STATUS(case_open(&own, 1), DGM_OK);
    run_e3(&shared, of_shared, &x, 0);
    check_states(&own, run_e3(&own, of_own, &x, 1));
    for (int s = 0; s < 2; s++)
        for (int m = 0; m < 3; m++) {
            dgm_real want[12], got[18];
            CHECK_STATUS(case_read(&shared, of_shared[s].q[m]->grad, want, 12), DGM_OK);
            CHECK_STATUS(case_read(&own, of_own[s].q[m]->grad, got, 18), DGM_OK);
            for (int i = 0; i < 6; i++) {
                check_close((double)got[i] + (double)got[6 + i], (double)want[i]);
                check_close((double)got[12 + i], (double)want[6 + i]);
            }
        }
    case_close(&shared);
    case_close(&own);
}

/* ---- z = 1 ----------------------------------------------------------------------------------- */

/* W = P Q of matrix m, gate by gate. */
static struct dgm_node *product(struct graph_case *bench, const struct values *v, int m)
{
    double w[3 * DIM * DIM];

    for (int r = 0; r < 3 * DIM; r++)
        for (int c = 0; c < DIM; c++) {
            const double *q = v->q[m] + (r < 2 * DIM ? 0 : SMALL * DIM) + c;
            double sum = 0;
            for (int j = 0; j < SMALL; j++)
                sum += v->p[m][r * SMALL + j] * q[j * DIM];
            w[r * DIM + c] = sum;
        }
    return case_leaf(bench, w, 3 * DIM, DIM);
}

static struct dgm_node *row_sums(struct graph_case *bench, const double *b)
{
    double sums[3 * DIM] = { 0 };

    for (int r = 0; r < 3 * DIM; r++)
        for (int j = 0; j < SMALL; j++)
            sums[r] += b[r * SMALL + j];
    return case_leaf(bench, sums, 1, 3 * DIM);
}

/* W_z = 0, b_z = 1; reads the states of the eight words. */
static void run_ones(struct graph_case *bench, int is_static, dgm_real got[16])
{
    struct filler filler = { bench, 0 };
    struct dgm_node *x, *init, *v, *in[2], *w[2], *u[2];
    struct dgm_gru_plan plan = tree_plan(bench);
    struct leaves sides[2];
    struct values values[2];

    x = fill_leaf(&filler, 8, 2);
    init = fill_leaf(&filler, 1, 2);
    for (int s = 0; s < 2; s++) {
        fill_values(&filler, &values[s]);
        memset(values[s].z, 0, sizeof values[s].z);
        for (int j = 0; j < SMALL; j++)
            values[s].z_bias[j] = 1;
        if (!is_static) {
            sides[s] = make_leaves(bench, &values[s], 0);
            continue;
        }
        in[s] = dgm_linear(&bench->g, tree_input(bench, x, s), product(bench, &values[s], 2),
                           row_sums(bench, values[s].b));
        w[s] = product(bench, &values[s], 0);
        u[s] = product(bench, &values[s], 1);
    }
    v = is_static ? tree_output(bench, dgm_gru(&bench->g, init, in, w, u, &plan, 1))
                  : run_leaves(bench, sides, values, x, init);
    dgm_keep(&bench->g, v);
    CHECK_STATUS(dgm_graph_run(&bench->g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&bench->g, v, got), DGM_OK);
}

TEST(recur_dynamic_with_z_of_ones_is_the_static_cell)
{
    struct graph_case bench;
    dgm_real got[2][16];

    for (int is_static = 0; is_static < 2; is_static++) {
        CHECK_STATUS(case_open(&bench, 1), DGM_OK);
        run_ones(&bench, is_static, got[is_static]);
        case_close(&bench);
    }
    for (int i = 0; i < 16; i++)
        check_close((double)got[0][i], (double)got[1][i]);
}
