/*
 * test_span_ops.c: activations, sigmoids and means of sentences, means of matrices and columns side
 * by side, by hand and against the worked examples of the specification (3.7 and 3.8).
 */
#include <math.h>

#include "base/mem.h"
#include "graph_case.h"

#define PRINTED 1.5e-6 /* six decimals, and single precision */

/* ---- localness, 3.7: toy A, one sentence of four words ------------------------------------- */

enum { N = 4, D = 2 };

static const double toy_q[] = { 1, 0, 0, 1, 1, 1, .5, -.5 },
                    toy_k[] = { .5, 1, 1, 0, -1, .5, .2, .3 };
static const double toy_v[] = { 1, 2, 0, 1, -1, 0, 2, -1 },
                    toy_r[] = { 1, -1, .5, .5, -.5, 1, 1, .25 };
static const double place_hidden[] = { .5, -.2, .3, .8 }, window_hidden[] = { .2, .1, -.3, .6 };
static const double place[] = { 1, -1 }, window[] = { .7, .4 };
static const double centers[] = { 2.170390, 1.188178, 1.501537, 2.565461 };
static const double windows[] = { 2.433043, 2.127280, 2.512441, 2.137279 };

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1];
}

/* Gradients of centre and window of row i: E = S - 2 (j-P)^2 / W^2, A = softmax(E), L = R . A V. */
static void local_grads(int i, double center, double width, dgm_real *dcenter, dgm_real *dwidth)
{
    double a[N], da[N], sum = 0, mean = 0;
    int j;

    for (j = 0; j < N; j++) {
        double away = (j - center) / width;
        a[j] = exp(dot(toy_q + i * D, toy_k + j * D) / sqrt(2.0) - 2 * away * away);
        da[j] = dot(toy_r + i * D, toy_v + j * D);
        sum += a[j];
    }
    for (j = 0; j < N; j++)
        mean += a[j] / sum * da[j];
    *dcenter = *dwidth = 0;
    for (j = 0; j < N; j++) {
        double de = a[j] / sum * (da[j] - mean), away = j - center;
        *dcenter += (dgm_real)(de * 4 * away / (width * width));
        *dwidth += (dgm_real)(de * 4 * away * away / (width * width * width));
    }
}

/* I sigmoid(u . tanh(W x)) for each row of x. */
static struct dgm_node *range_of(struct graph_case *c, struct dgm_node *hidden, struct dgm_node *u,
                                 struct dgm_ref owners, struct dgm_ref counts)
{
    struct dgm_columns x = { NULL, 0 };

    x.node = hidden;
    return dgm_span_sigmoid(&c->g, dgm_linear_heads(&c->g, x, 1, u, NULL, DGM_NT, 1), owners,
                            counts, (dgm_real)1e-4);
}

static struct dgm_node *hidden_of(struct graph_case *c, struct dgm_node *x, const double *w)
{
    struct dgm_columns columns = { NULL, 0 };

    columns.node = x;
    return dgm_activate(&c->g,
                        dgm_linear_heads(&c->g, columns, 1, case_leaf(c, w, D, D), NULL, DGM_NT, 1),
                        DGM_TANH);
}

TEST(span_sigmoid_gives_centres_and_windows_of_query_specific_localness)
{
    static const int32_t owners[N] = { 0, 0, 0, 0 }, counts[1] = { N };
    static const double dplace[] = { .561439, -.615711 };
    dgm_real dcenter[N], dwindow[N];
    const dgm_real *dy[2] = { dcenter, dwindow };
    struct dgm_node *hidden, *u, *y[2];
    struct dgm_ref rows, words;
    struct graph_case c;
    int i;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    rows = case_ints(&c, owners, N);
    words = case_ints(&c, counts, 1);
    u = case_leaf(&c, place, 1, D);
    hidden = hidden_of(&c, case_leaf(&c, toy_q, N, D), place_hidden);
    y[0] = range_of(&c, hidden, u, rows, words);
    y[1] = range_of(&c, hidden, case_leaf(&c, window, 1, D), rows, words);
    for (i = 0; i < N; i++)
        local_grads(i, centers[i], windows[i], &dcenter[i], &dwindow[i]);
    CHECK_STATUS(case_run(&c, y, dy, 2), DGM_OK);
    case_check_at(&c, y[0]->value, centers, N, PRINTED);
    case_check_at(&c, y[1]->value, windows, N, PRINTED);
    case_check_at(&c, u->grad, dplace, D, PRINTED);
    case_close(&c);
}

/* Layer-specific: one window of the mean key; here the keys are columns among others. */
TEST(span_mean_gives_the_window_of_layer_specific_localness)
{
    static const int32_t owners[1] = { 0 }, counts[1] = { N }, offsets[2] = { 0, N };
    static const double width[] = { 2.141299 };
    double wide[N * 5] = { 0 };
    struct dgm_columns keys = { NULL, 2 };
    struct dgm_node *y;
    struct graph_case c;
    int i;

    for (i = 0; i < N * D; i++)
        wide[i / D * 5 + 2 + i % D] = toy_k[i];
    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    keys.node = case_leaf(&c, wide, N, 5);
    y = dgm_span_mean(&c.g, keys, D, case_ints(&c, offsets, 2), 1);
    y = range_of(&c, hidden_of(&c, y, window_hidden), case_leaf(&c, window, 1, D),
                 case_ints(&c, owners, 1), case_ints(&c, counts, 1));
    dgm_keep(&c.g, y);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    case_check_at(&c, y->value, width, 1, PRINTED);
    case_close(&c);
}

/* Two sentences, and a window so small that the floor holds: no gradient there. */
TEST(span_sigmoid_ranges_over_the_words_of_the_rows_sentence)
{
    static const int32_t owners[3] = { 1, 0, 1 }, counts[2] = { 10, 3 };
    static const double values[] = { 0, 1.09861229, -1.09861229, 0, 0, -9 }; /* ln 3 */
    static const double want[] = { 1.5, 2.25, 2.5, 5, 1.5, 0.5 };
    static const double grads[] = { 0.75, 0.5625, 1.875, 2.5, 0.75, 0 };
    static const dgm_real ones[] = { 1, 1, 1, 1, 1, 1 };
    const dgm_real *dy = ones;
    struct dgm_node *x, *y;
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    x = case_leaf(&c, values, 3, 2);
    y = dgm_span_sigmoid(&c.g, x, case_ints(&c, owners, 3), case_ints(&c, counts, 2),
                         (dgm_real)0.5);
    CHECK_STATUS(case_run(&c, &y, &dy, 1), DGM_OK);
    case_check_at(&c, y->value, want, 6, 1e-6);
    case_check_at(&c, x->grad, grads, 6, 1e-6);
    case_close(&c);
}

/* ---- context, 3.8 --------------------------------------------------------------------------- */

/* The context of deep-global: means of both layers, side by side; a sentence without rows: 0. */
TEST(span_mean_and_concat_give_the_context_of_a_sentence)
{
    static const double x1[] = { 1, 0, 0, 2, -1, 1 }, x0[] = { .5, .5, 1, -1, 0, 1 };
    static const double want[] = { 0.5, 0.5 / 3, 0, 1, 0, 0, 0, 0 };
    static const double dx0[] = { 1.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3, 1.0 / 3, 2.0 / 3 };
    static const int32_t offsets[] = { 0, 3, 3 };
    static const dgm_real dy_values[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    const dgm_real *dy = dy_values;
    struct dgm_columns lower = { NULL, 0 }, upper = { NULL, 0 };
    struct dgm_node *parts[2], *y, *leaf;
    struct dgm_ref spans;
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    spans = case_ints(&c, offsets, 3);
    leaf = lower.node = case_leaf(&c, x0, 3, 2);
    upper.node = case_leaf(&c, x1, 3, 2);
    parts[0] = dgm_span_mean(&c.g, lower, 2, spans, 2);
    parts[1] = dgm_span_mean(&c.g, upper, 2, spans, 2);
    y = dgm_concat(&c.g, parts, 2, 1);
    CHECK_STATUS(case_run(&c, &y, &dy, 1), DGM_OK);
    case_check_at(&c, y->value, want, 8, 1e-6);
    case_check_at(&c, leaf->grad, dx0, 6, 1e-6);
    case_close(&c);
}

/* Two heads: each gets its own share of every part. */
TEST(concat_puts_groups_of_columns_side_by_side)
{
    static const double a[] = { 1, 2, 3, 4, 11, 12, 13, 14 }, b[] = { 5, 6, 15, 16 };
    static const double want[] = { 1,  2,  5,  1,  2,  3,  4,  6,  3,  4,
                                   11, 12, 15, 11, 12, 13, 14, 16, 13, 14 };
    static const double da[] = { 2, 4, 6, 8, 22, 24, 26, 28 };
    dgm_real dy_values[20];
    const dgm_real *dy = dy_values;
    struct dgm_node *parts[3], *y;
    struct graph_case c;
    int i;

    for (i = 0; i < 20; i++)
        dy_values[i] = (dgm_real)want[i];
    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    parts[0] = parts[2] = case_leaf(&c, a, 2, 4);
    parts[1] = case_leaf(&c, b, 2, 2);
    y = dgm_concat(&c.g, parts, 3, 2);
    CHECK_STATUS(case_run(&c, &y, &dy, 1), DGM_OK);
    CHECK_INT(y->cols, 10);
    case_check_at(&c, y->value, want, 20, 0);
    case_check_at(&c, parts[0]->grad, da, 8, 0);
    case_check_at(&c, parts[1]->grad, b, 4, 0);
    CHECK(dgm_concat(&c.g, parts, 3, 4) == NULL);
    CHECK(strstr(test_env()->error.message, "concat: operands 2 x 4 and 2 x 2") != NULL);
    dgm_env_clear_error(test_env());
    case_close(&c);
}

/* ---- many parts ------------------------------------------------------------------------------ */

/* More parts than operands have bits of what to keep: the rows of a matrix, one by one. */
TEST(concat_and_mean_take_many_computed_parts)
{
    enum { PARTS = 64 };
    double values[PARTS * 2], mean[2] = { 31.5, -31.5 }, dx[PARTS * 2];
    dgm_real dy_mean[2] = { 64, 128 }, dy_concat[PARTS * 2];
    const dgm_real *dy[2] = { dy_mean, dy_concat };
    struct dgm_node *parts[PARTS], *x, *y[2];
    struct dgm_ref index;
    struct graph_case c;
    int32_t rows[PARTS];
    int i;

    for (i = 0; i < PARTS * 2; i++) {
        values[i] = i % 2 ? -i / 2 : i / 2;
        dy_concat[i] = (dgm_real)i;
        dx[i] = i + 1 + i % 2;
        rows[i / 2] = i / 2;
    }
    CHECK_STATUS(case_open(&c, 2), DGM_OK);
    index = case_ints(&c, rows, PARTS);
    x = case_leaf(&c, values, PARTS, 2);
    for (i = 0; i < PARTS; i++)
        parts[i] = dgm_gather(&c.g, x, dgm_ref_at(index, (size_t)i * sizeof *rows), 1);
    y[0] = dgm_mean(&c.g, parts, PARTS);
    y[1] = dgm_concat(&c.g, parts, PARTS, 1);
    CHECK_STATUS(case_run(&c, y, dy, 2), DGM_OK);
    case_check_at(&c, y[0]->value, mean, 2, 1e-5);
    case_check_at(&c, y[1]->value, values, PARTS * 2, 0);
    case_check_at(&c, x->grad, dx, PARTS * 2, 1e-5);
    case_close(&c);
}

TEST(mean_and_concat_refuse_matrices_of_other_shapes)
{
    static const double values[] = { 1, 2, 3, 4, 5, 6 };
    struct dgm_node *parts[2];
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    parts[0] = case_leaf(&c, values, 2, 3);
    parts[1] = case_leaf(&c, values, 3, 2);
    CHECK(dgm_mean(&c.g, parts, 2) == NULL);
    CHECK(strstr(test_env()->error.message, "mean: operands 2 x 3 and 3 x 2") != NULL);
    CHECK(dgm_concat(&c.g, parts, 2, 1) == NULL);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_FAILURE);
    dgm_env_clear_error(test_env());
    case_close(&c);
}

/* ---- activations ----------------------------------------------------------------------------- */

TEST(activate_is_tanh_or_a_leaky_relu)
{
    static const double values[] = { 0.5, -2, 0, 3 }, leaky[] = { 0.5, -0.02, 0, 3 };
    static const double tanhs[] = { 0.46211716, -0.96402758, 0, 0.99505475 };
    static const double slopes[] = { 0.78644773 + 1, 0.07065082 + 0.01, 1 + 0.01, 0.00986604 + 1 };
    static const dgm_real ones[] = { 1, 1, 1, 1 };
    const dgm_real *dy[2] = { ones, ones };
    struct dgm_node *x, *y[2];
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    x = case_leaf(&c, values, 2, 2);
    y[0] = dgm_activate(&c.g, x, DGM_TANH);
    y[1] = dgm_activate(&c.g, x, DGM_LEAKY_RELU);
    CHECK_STATUS(case_run(&c, y, dy, 2), DGM_OK);
    case_check_at(&c, y[0]->value, tanhs, 4, 1e-6);
    case_check_at(&c, y[1]->value, leaky, 4, 1e-8);
    case_check_at(&c, x->grad, slopes, 4, 1e-6);
    case_close(&c);
}

/* ---- threads --------------------------------------------------------------------------------- */

enum { ROWS = 501, WIDTH = 67, SENTENCES = 40, WIDE = WIDTH + 5 };

/* Value of a chain of all these operations over sentences of 0 to 25 rows, and its gradient. */
struct chain {
    dgm_real y[SENTENCES * 2 * WIDTH], dx[ROWS * WIDE];
};

static dgm_status run_chain(struct chain *chain, int threads)
{
    int32_t offsets[SENTENCES + 1] = { 0 }, owners[ROWS], counts[SENTENCES];
    const dgm_real *dy = chain->y;
    struct dgm_columns part = { NULL, 5 };
    struct dgm_node *x, *y, *parts[2];
    struct graph_case c;
    int s, i;

    for (s = 0; s < SENTENCES; s++) {
        counts[s] = s + 1 < SENTENCES ? s * 7 % 26 : ROWS - offsets[s];
        offsets[s + 1] = offsets[s] + counts[s];
        for (i = offsets[s]; i < offsets[s + 1]; i++)
            owners[i] = s;
    }
    DGM_TRY(case_open(&c, threads));
    x = dgm_sample_leaf(&c.g, &c.sample, ROWS, WIDE);
    parts[0] = dgm_span_sigmoid(&c.g, x, case_ints(&c, owners, ROWS),
                                case_ints(&c, counts, SENTENCES), (dgm_real)0.3);
    parts[1] = dgm_activate(&c.g, x, DGM_LEAKY_RELU);
    part.node = dgm_activate(&c.g, dgm_mean(&c.g, parts, 2), DGM_TANH);
    y = dgm_span_mean(&c.g, part, WIDTH, case_ints(&c, offsets, SENTENCES + 1), SENTENCES);
    parts[0] = parts[1] = y;
    y = dgm_keep(&c.g, dgm_concat(&c.g, parts, 2, 1));
    DGM_TRY(dgm_graph_run(&c.g));
    DGM_TRY(dgm_graph_read(&c.g, y, chain->y));
    DGM_TRY(case_run(&c, &y, &dy, 1));
    DGM_TRY(case_read(&c, x->grad, chain->dx, ROWS * WIDE));
    case_close(&c);
    return DGM_OK;
}

TEST(span_ops_have_the_same_bits_on_any_number_of_threads)
{
    struct chain *chain = dgm_alloc(test_env(), 3, sizeof *chain);
    double size = 0;
    int i;

    CHECK(chain != NULL);
    for (i = 0; i < 3; i++)
        CHECK_STATUS(run_chain(&chain[i], i + 1), DGM_OK);
    CHECK_MEM(&chain[1], &chain[0], sizeof *chain);
    CHECK_MEM(&chain[2], &chain[0], sizeof *chain);
    for (i = 0; i < ROWS * WIDE; i++)
        size += (double)chain[0].dx[i] * (double)chain[0].dx[i];
    CHECK(size > 0.01);
    dgm_release(test_env(), chain);
}
