/*
 * test_op_linear_heads.c: one matrix for all heads against loops in double and the parser logits of
 * the specification (3.3), and the bits of a row in any company.
 */
#include "base/mem.h"
#include "graph_case.h"

enum { ROWS = 97, HEADS = 5, IN = 37, OUT = 19, MOST_COLS = 3 + HEADS * IN + 2 };

/* Inputs, and what both passes leave behind, dy being y. */
struct heads {
    enum dgm_gemm_form form;
    int64_t column, cols; /* of x */
    dgm_real x[ROWS * MOST_COLS], w[IN * OUT], b[OUT], y[ROWS * HEADS * OUT];
    dgm_real dx[ROWS * MOST_COLS], dw[IN * OUT], db[OUT];
};

static void shape(struct heads *h, enum dgm_gemm_form form, int is_whole)
{
    memset(h, 0, sizeof *h);
    h->form = form;
    h->column = is_whole ? 0 : 3;
    h->cols = is_whole ? HEADS * IN : MOST_COLS;
}

/* y of rows first .. first+rows-1; h->dx: the gradient of x. */
static dgm_status run_on(struct dgm_device *device, struct heads *h, int64_t first, int64_t rows)
{
    const size_t skip = (size_t)(first * h->cols) * sizeof(dgm_real);
    struct dgm_columns x = { NULL, h->column };
    struct dgm_node *leaf, *w, *b, *y, *copy;
    struct graph_case c;

    DGM_TRY(case_begin(&c, device));
    leaf = dgm_sample_leaf(&c.g, &c.sample, ROWS, h->cols);
    w = dgm_sample_leaf(&c.g, &c.sample, h->form == DGM_NT ? OUT : IN,
                        h->form == DGM_NT ? IN : OUT);
    b = dgm_sample_leaf(&c.g, &c.sample, 1, OUT);
    DGM_TRY(c.g.status);
    copy =
        dgm_leaf(&c.g, dgm_ref_at(leaf->value, skip), dgm_ref_at(leaf->grad, skip), rows, h->cols);
    x.node = dgm_keep(&c.g, dgm_mean(&c.g, &copy, 1)); /* computed: its gradient starts unwritten */
    y = dgm_keep(&c.g, dgm_linear_heads(&c.g, x, HEADS, w, b, h->form, 1));
    DGM_TRY(dgm_graph_run(&c.g));
    DGM_TRY(dgm_graph_read(&c.g, y, h->y + first * HEADS * OUT));
    DGM_TRY(case_run(&c, &y, &(const dgm_real *){ h->y + first * HEADS * OUT }, 1));
    DGM_TRY(dgm_graph_read(&c.g, x.node, h->x + first * h->cols));
    DGM_TRY(case_read(&c, copy->grad, h->dx + first * h->cols, rows * h->cols));
    DGM_TRY(case_read(&c, w->value, h->w, IN * OUT));
    DGM_TRY(case_read(&c, b->value, h->b, OUT));
    DGM_TRY(case_read(&c, w->grad, h->dw, IN * OUT));
    DGM_TRY(case_read(&c, b->grad, h->db, OUT));
    case_end(&c);
    return DGM_OK;
}

static dgm_status run_heads(struct heads *h, int threads, int64_t first, int64_t rows)
{
    struct dgm_device *device;
    dgm_status status;

    DGM_TRY(open_device(test_env(), &device, threads));
    status = run_on(device, h, first, rows);
    dgm_device_close(test_env(), device);
    return status;
}

/* Element of w that leads from input i to output o. */
static int at_w(const struct heads *h, int i, int o)
{
    return h->form == DGM_NT ? o * IN + i : i * OUT + o;
}

static void check_head(const struct heads *h, int row, int head)
{
    const dgm_real *x = h->x + row * h->cols + h->column + head * IN;
    const dgm_real *dx = h->dx + row * h->cols + h->column + head * IN;
    const dgm_real *y = h->y + (row * HEADS + head) * OUT;
    int i, o;

    for (o = 0; o < OUT; o++) {
        double sum = (double)h->b[o];
        for (i = 0; i < IN; i++)
            sum += (double)x[i] * (double)h->w[at_w(h, i, o)];
        CHECK_NEAR(y[o], sum, 2e-5);
    }
    for (i = 0; i < IN; i++) {
        double sum = 0;
        for (o = 0; o < OUT; o++)
            sum += (double)y[o] * (double)h->w[at_w(h, i, o)];
        CHECK_NEAR(dx[i], sum, 2e-4);
    }
}

static void check_params(const struct heads *h)
{
    int i, o, r;

    for (o = 0; o < OUT; o++) {
        double bias = 0;
        for (r = 0; r < ROWS * HEADS; r++)
            bias += (double)h->y[r * OUT + o];
        CHECK_NEAR(h->db[o], bias, 2e-3);
        for (i = 0; i < IN; i++) {
            double sum = 0;
            for (r = 0; r < ROWS * HEADS; r++)
                sum += (double)h->x[r / HEADS * h->cols + h->column + r % HEADS * IN + i] *
                       (double)h->y[r * OUT + o];
            CHECK_NEAR(h->dw[at_w(h, i, o)], sum, 5e-3);
        }
    }
}

/* Columns that no head reads get zeros as their gradient. */
static void check_unread(const struct heads *h)
{
    int64_t r, j;

    for (r = 0; r < ROWS; r++)
        for (j = 0; j < h->cols; j++)
            if (j < h->column || j >= h->column + HEADS * IN)
                CHECK(h->dx[r * h->cols + j] == 0);
}

static void check_form(enum dgm_gemm_form form, int is_whole)
{
    struct heads *h = dgm_alloc(test_env(), 1, sizeof *h);
    int row, head;

    CHECK(h != NULL);
    shape(h, form, is_whole);
    CHECK_STATUS(run_heads(h, 2, 0, ROWS), DGM_OK);
    for (row = 0; row < ROWS; row++)
        for (head = 0; head < HEADS; head++)
            check_head(h, row, head);
    check_params(h);
    check_unread(h);
    dgm_release(test_env(), h);
}

TEST(linear_heads_have_the_values_and_gradients_of_plain_loops)
{
    check_form(DGM_NT, 1);
    check_form(DGM_NT, 0);
    check_form(DGM_NN, 1);
    check_form(DGM_NN, 0);
}

static void check_bits(enum dgm_gemm_form form, int is_whole)
{
    struct heads *h = dgm_alloc(test_env(), 2, sizeof *h);
    struct dgm_device *device = NULL;
    int row;

    CHECK(h != NULL);
    shape(&h[0], form, is_whole);
    shape(&h[1], form, is_whole);
    CHECK_STATUS(run_heads(&h[0], 1, 0, ROWS), DGM_OK);
    CHECK_STATUS(run_heads(&h[1], 3, 0, ROWS), DGM_OK);
    CHECK_MEM(&h[1], &h[0], sizeof h[0]);
    shape(&h[1], form, is_whole);
    CHECK_STATUS(open_device(test_env(), &device, 2), DGM_OK);
    for (row = 0; row < ROWS; row++)
        CHECK_STATUS(run_on(device, &h[1], row, 1), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_MEM(h[1].y, h[0].y, sizeof h[0].y);
    CHECK_MEM(h[1].dx, h[0].dx, sizeof h[0].dx);
    dgm_release(test_env(), h);
}

TEST(linear_heads_have_the_same_bits_on_any_threads_in_any_company)
{
    check_bits(DGM_NT, 1);
    check_bits(DGM_NT, 0);
    check_bits(DGM_NN, 1);
    check_bits(DGM_NN, 0);
}

/* A gradient that nobody has written yet holds what was there before. */
TEST(gradient_of_some_columns_begins_with_zeros_in_all)
{
    static const double stale[] = { 1, 2, 3, 4, 5, 6 }, zeros[6] = { 0 };
    struct dgm_node *x;
    struct graph_case c;
    int accumulate;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    x = case_leaf(&c, stale, 2, 3);
    x->grad = x->value;
    x->grad_ready = 1;
    CHECK_STATUS(dgm_node_open_grad(&c.g, x, 0, &accumulate), DGM_OK);
    case_check_at(&c, x->grad, stale, 6, 0);
    CHECK_INT(accumulate, 1);
    x->grad_ready = 0;
    CHECK_STATUS(dgm_node_open_grad(&c.g, x, 1, &accumulate), DGM_OK);
    case_check_at(&c, x->grad, stale, 6, 0);
    CHECK_INT(accumulate, 0);
    x->grad_ready = 0;
    CHECK_STATUS(dgm_node_open_grad(&c.g, x, 0, &accumulate), DGM_OK);
    case_check_at(&c, x->grad, zeros, 6, 0);
    CHECK_INT(accumulate, 1);
    CHECK_INT(x->grad_ready, 1);
    case_close(&c);
}

/* 3.3, toy A with key bias: logits_tq = q_t U1 k_q + u . k_q = (q_t U1 + u) . k_q. */
TEST(linear_heads_give_the_parser_logits_of_the_specification)
{
    static const double q[] = { 1, 0, 0, 1, 1, 1, .5, -.5 }, k[] = { .5, 1, 1, 0, -1, .5, .2, .3 };
    static const double u1[] = { 1, .5, -.5, 1 }, u[] = { .3, -.6 };
    static const double logits[] = { .55, 1.3, -1.35, .23, .3,    -.2,  .4,     .08,
                                     1.3, .8,  -.35,  .43, -.325, 1.05, -1.475, -.045 };
    static const int32_t offsets[] = { 0, 4 }, squares[] = { 0 };
    struct dgm_spans spans = { .sentences = 1, .rows = 4, .pairs = 16 };
    struct dgm_columns x = { NULL, 0 }, keys = { NULL, 0 };
    struct dgm_node *scores;
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    spans.offsets = case_ints(&c, offsets, 2);
    spans.squares = case_ints(&c, squares, 1);
    x.node = case_leaf(&c, q, 4, 2);
    x.node =
        dgm_linear_heads(&c.g, x, 1, case_leaf(&c, u1, 2, 2), case_leaf(&c, u, 1, 2), DGM_NN, 1);
    keys.node = case_leaf(&c, k, 4, 2);
    scores = dgm_keep(&c.g, dgm_pair_scores(&c.g, x, keys, 2, &spans));
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    case_check_at(&c, dgm_node_value(scores), logits, 16, 1e-6);
    case_close(&c);
}

TEST(linear_heads_refuse_columns_that_are_not_there)
{
    struct dgm_columns x = { NULL, 1 };
    struct dgm_node *w, *b;
    struct graph_case c;
    int i;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    for (i = 0; i < 4; i++) {
        dgm_sample_clear(&c.g, &c.sample);
        dgm_graph_begin(&c.g, 1, 1, 1);
        x.node = dgm_sample_leaf(&c.g, &c.sample, 2, 7);
        w = dgm_sample_leaf(&c.g, &c.sample, 5, 3);
        b = dgm_sample_leaf(&c.g, &c.sample, 1, 5);
        if (i == 0)
            CHECK(dgm_linear_heads(&c.g, x, 2, w, b, DGM_NT, 1) != NULL);
        if (i == 1)
            CHECK(dgm_linear_heads(&c.g, x, 3, w, b, DGM_NT, 1) == NULL);
        if (i == 2)
            CHECK(dgm_linear_heads(&c.g, x, 1, w, b, DGM_NN, 1) == NULL);
        if (i == 3)
            CHECK(dgm_linear_heads(&c.g, x, 2, w, b, DGM_TN, 1) == NULL);
        CHECK_STATUS(dgm_graph_run(&c.g), i == 0 ? DGM_OK : DGM_FAILURE);
        dgm_env_clear_error(test_env());
    }
    case_close(&c);
}
