/*
 * test_op_bahdanau.c: the decoder that attends, on a worked example with all its gradients, step by
 * step against the whole loop, and sentence by sentence against the batch.
 */
#include <math.h>

#include "graph_case.h"

static int is_double(void)
{
    return sizeof(dgm_real) == sizeof(double);
}

/* ---- worked example E6 of the specification, recurrent models, 8 ----------------------------- */

enum { E6_D = 2, E6_A = 4, E6_V = 5, E6_M = 3 };

/* Numbers in the order in which the example fills its tensors. */
static double filled(void *counter)
{
    int *c = counter;

    return (((37 * (*c)++ + 11) % 101) - 50) / 100.0;
}

static void fill(double *x, int count, int *c)
{
    for (int i = 0; i < count; i++)
        x[i] = filled(c);
}

/* The nine tensors of a gated unit, stacked u, r, h. */
struct unit {
    double input[3 * E6_D * E6_A], state[3 * E6_D * E6_D], bias[3 * E6_D];
    struct dgm_node *i, *r, *b;
};

static void fill_unit(struct graph_case *c, struct unit *unit, int *at)
{
    for (int g = 0; g < 3; g++) {
        fill(unit->input + g * E6_D * E6_D, E6_D * E6_D, at);
        fill(unit->state + g * E6_D * E6_D, E6_D * E6_D, at);
        fill(unit->bias + g * E6_D, E6_D, at);
    }
    unit->i = case_leaf(c, unit->input, 3 * E6_D, E6_D);
    unit->r = case_leaf(c, unit->state, 3 * E6_D, E6_D);
    unit->b = case_leaf(c, unit->bias, 1, 3 * E6_D);
}

/* The second unit: its bias comes before the matrix of the context. */
static void fill_second(struct graph_case *c, struct unit *unit, int *at)
{
    for (int g = 0; g < 3; g++) {
        fill(unit->state + g * E6_D * E6_D, E6_D * E6_D, at);
        fill(unit->bias + g * E6_D, E6_D, at);
        fill(unit->input + g * E6_D * E6_A, E6_D * E6_A, at);
    }
    unit->i = case_leaf(c, unit->input, 3 * E6_D, E6_A);
    unit->r = case_leaf(c, unit->state, 3 * E6_D, E6_D);
    unit->b = case_leaf(c, unit->bias, 1, 3 * E6_D);
}

static struct dgm_node *filled_leaf(struct graph_case *c, int rows, int cols, int *at)
{
    double x[64];

    fill(x, rows * cols, at);
    return case_leaf(c, x, rows, cols);
}

struct e6 {
    struct unit forward, backward, first, second;
    struct dgm_node *source, *target, *init, *init_bias, *query, *key, *key_bias, *v;
    struct dgm_node *of_state, *of_word, *of_context, *biases[3], *logit, *logit_bias;
};

static void fill_e6(struct graph_case *c, struct e6 *e)
{
    int at = 0;

    e->source = filled_leaf(c, E6_V, E6_D, &at);
    e->target = filled_leaf(c, E6_V, E6_D, &at);
    fill_unit(c, &e->forward, &at);
    fill_unit(c, &e->backward, &at);
    e->init = filled_leaf(c, E6_D, E6_A, &at);
    e->init_bias = filled_leaf(c, 1, E6_D, &at);
    fill_unit(c, &e->first, &at);
    fill_second(c, &e->second, &at);
    e->query = filled_leaf(c, E6_A, E6_D, &at);
    e->key = filled_leaf(c, E6_A, E6_A, &at);
    e->key_bias = filled_leaf(c, 1, E6_A, &at);
    e->v = filled_leaf(c, 1, E6_A, &at);
    at++; /* c_a, which nothing depends on */
    e->of_state = filled_leaf(c, E6_D, E6_D, &at);
    e->biases[0] = filled_leaf(c, 1, E6_D, &at);
    e->of_word = filled_leaf(c, E6_D, E6_D, &at);
    e->biases[1] = filled_leaf(c, 1, E6_D, &at);
    e->of_context = filled_leaf(c, E6_D, E6_A, &at);
    e->biases[2] = filled_leaf(c, 1, E6_D, &at);
    e->logit = filled_leaf(c, E6_V, E6_D, &at);
    e->logit_bias = filled_leaf(c, 1, E6_V, &at);
    CHECK_INT(at, 232);
}

static struct dgm_node *pick(struct graph_case *c, struct dgm_node *x, int32_t a, int32_t b,
                             int32_t d)
{
    const int32_t index[E6_M] = { a, b, d };

    return dgm_gather(&c->g, x, case_ints(c, index, E6_M), E6_M);
}

/* Columns of the decoder's rows, multiplied by a matrix. */
static struct dgm_node *columns(struct graph_case *c, struct dgm_node *y, int64_t column,
                                struct dgm_node *w, struct dgm_node *bias)
{
    const struct dgm_columns from = { y, column };

    return dgm_linear_heads(&c->g, from, 1, w, bias, DGM_NT, 1);
}

/* One sentence of three rows and three rows of memory. */
static void one_sentence(struct graph_case *c, struct dgm_bahdanau_decoder *decoder)
{
    static const int32_t active[E6_M] = { 1, 1, 1 }, start = 0, count = E6_M;

    decoder->steps.count = E6_M;
    decoder->steps.active = active;
    decoder->memory.starts = case_ints(c, &start, 1);
    decoder->memory.counts = case_ints(c, &count, 1);
    decoder->memory.longest = E6_M;
}

/* Numbers without a gradient; NULL: zeros. */
static struct dgm_node *fixed(struct graph_case *c, const double *values, int rows, int cols)
{
    const double zeros[64] = { 0 };

    return dgm_constant(&c->g, case_reals(c, values != NULL ? values : zeros, rows * cols), rows,
                        cols);
}

/*
 * A plain unit over three rows: a decoder whose second update gate always copies. It reads zeros
 * as its context.
 */
static struct dgm_node *plain_unit(struct graph_case *c, const struct unit *unit,
                                   struct dgm_node *x)
{
    static const double copy[3 * E6_D] = { 1000, 1000 }, same[4] = { 1, 0, 0, 1 };
    struct dgm_bahdanau_decoder decoder;
    struct dgm_node *y;

    memset(&decoder, 0, sizeof decoder);
    one_sentence(c, &decoder);
    decoder.x = dgm_linear(&c->g, x, unit->i, unit->b);
    decoder.start = fixed(c, NULL, 1, E6_D);
    decoder.keys = decoder.values = fixed(c, NULL, E6_M, 1);
    decoder.state1 = unit->r;
    decoder.query = fixed(c, NULL, 1, E6_D);
    decoder.v = fixed(c, NULL, 1, 1);
    decoder.state2 = fixed(c, NULL, 3 * E6_D, E6_D);
    decoder.bias2 = fixed(c, copy, 1, 3 * E6_D);
    decoder.context = fixed(c, NULL, 3 * E6_D, 1);
    y = dgm_bahdanau_gru(&c->g, &decoder);
    return columns(c, y, 0, fixed(c, same, E6_D, E6_D), NULL);
}

static struct dgm_node *annotate(struct graph_case *c, const struct e6 *e)
{
    struct dgm_node *x = pick(c, e->source, 3, 4, 0), *parts[2];

    parts[0] = plain_unit(c, &e->forward, x);
    parts[1] = pick(c, plain_unit(c, &e->backward, pick(c, x, 2, 1, 0)), 2, 1, 0);
    return dgm_concat(&c->g, parts, 2, 1);
}

static struct dgm_node *decode(struct graph_case *c, const struct e6 *e, struct dgm_node *a,
                               struct dgm_node *start, struct dgm_node *words,
                               struct dgm_ref weights)
{
    struct dgm_bahdanau_decoder decoder;

    memset(&decoder, 0, sizeof decoder);
    one_sentence(c, &decoder);
    decoder.x = dgm_linear(&c->g, words, e->first.i, e->first.b);
    decoder.start = start;
    decoder.keys = dgm_linear(&c->g, a, e->key, e->key_bias);
    decoder.values = a;
    decoder.state1 = e->first.r;
    decoder.query = e->query;
    decoder.v = e->v;
    decoder.state2 = e->second.r;
    decoder.bias2 = e->second.b;
    decoder.context = e->second.i;
    decoder.weights = weights;
    return dgm_bahdanau_gru(&c->g, &decoder);
}

static struct dgm_node *read_out(struct graph_case *c, const struct e6 *e, struct dgm_node *y,
                                 struct dgm_node *words)
{
    static const struct dgm_rows no_rows;
    struct dgm_node *o = columns(c, y, 0, e->of_state, e->biases[0]);

    o = dgm_residual(&c->g, o, dgm_linear(&c->g, words, e->of_word, e->biases[1]), &no_rows, 0, 0);
    o = dgm_residual(&c->g, o, columns(c, y, E6_D, e->of_context, e->biases[2]), &no_rows, 0, 0);
    return dgm_linear(&c->g, dgm_activate(&c->g, o, DGM_TANH), e->logit, e->logit_bias);
}

/* Single precision: 1e-5 of numbers about 1. */
static double tolerance(void)
{
    return is_double() ? 1e-9 : 1e-6;
}

/* The gradient of rows `first` .. of a leaf: its sum and its sum of squares. */
static void check_gradient(struct graph_case *c, const struct dgm_node *leaf, int64_t first,
                           int64_t rows, double want_sum, double want_squares)
{
    dgm_real x[64];
    double sum = 0, squares = 0;

    CHECK_STATUS(case_read(c, leaf->grad, x, leaf->rows * leaf->cols), DGM_OK);
    for (int64_t i = first * leaf->cols; i < (first + rows) * leaf->cols; i++) {
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    CHECK_NEAR(sum, want_sum, tolerance());
    CHECK_NEAR(squares, want_squares, tolerance());
}

static void check_gradients(struct graph_case *c, const struct e6 *e)
{
    check_gradient(c, e->source, 0, E6_V, -0.0575003131, 0.0064743510);
    check_gradient(c, e->target, 0, E6_V, -0.1239990381, 0.0058531775);
    check_gradient(c, e->target, 0, 1, 0, 0); /* the end of a sentence is nobody's previous word */
    check_gradient(c, e->forward.i, 0, 2, 0.0037113247, 0.0000164700);
    check_gradient(c, e->backward.r, 4, 2, -0.0021587270, 0.0000390863);
    check_gradient(c, e->init, 0, E6_D, -0.0184201137, 0.0003808308);
    check_gradient(c, e->first.i, 4, 2, 0.0008058731, 0.0000768173);
    check_gradient(c, e->second.r, 4, 2, -0.0003922080, 0.0000698094);
    check_gradient(c, e->second.i, 2, 2, -0.0021056111, 0.0000036080);
    check_gradient(c, e->query, 0, E6_A, 0.0000056588, 0.0000000000);
    check_gradient(c, e->key, 0, E6_A, -0.0000108624, 0.0000000209);
    check_gradient(c, e->v, 0, 1, 0.0000892282, 0.0000000365);
    check_gradient(c, e->of_context, 0, E6_D, 0.0266937240, 0.0217680427);
    check_gradient(c, e->logit, 0, E6_V, 0, 0.3172518775);
}

/* Of b2, only the part of the candidate is printed. */
static void check_bias(struct graph_case *c, const struct e6 *e)
{
    dgm_real x[3 * E6_D];
    double a, b;

    CHECK_STATUS(case_read(c, e->second.b->grad, x, 3 * E6_D), DGM_OK);
    a = (double)x[4];
    b = (double)x[5];
    CHECK_NEAR(a + b, 0.0305504536, tolerance());
    CHECK_NEAR(a * a + b * b, 0.0009381417, tolerance());
}

static const double e6_annotations[E6_M * E6_A] = { 0.0422436759,  -0.1510446268, 0.0638063038,
                                                    -0.3052594893, 0.0711115397,  -0.2563532631,
                                                    0.0721689263,  -0.2809132446, 0.0777039764,
                                                    -0.3074293248, 0.0507947920,  -0.1742911142 };
static const double e6_start[E6_D] = { -0.2459096243, 0.1854957480 };
static const double e6_weights[E6_M * E6_M] = { 0.3366791084, 0.3330342820, 0.3302866096,
                                                0.3367785592, 0.3330436394, 0.3301778014,
                                                0.3366243588, 0.3330444629, 0.3303311783 };
static const double e6_states[E6_M][E6_D] = { { -0.0936394281, 0.1600871749 },
                                              { -0.0352769569, 0.1747124870 },
                                              { -0.0830140329, 0.1351712250 } };
static const double e6_losses[E6_M] = { 1.9164357180, 1.3963655508, 1.9240551753 };

static void check_values(struct graph_case *c, struct dgm_node *const *node, struct dgm_ref weights)
{
    dgm_real y[E6_M * (E6_D + E6_A)], losses[2 * E6_M];
    double total = 0;

    case_check_at(c, node[0]->value, e6_annotations, E6_M * E6_A, tolerance());
    case_check_at(c, node[1]->value, e6_start, E6_D, tolerance());
    case_check_at(c, weights, e6_weights, E6_M * E6_M, tolerance());
    CHECK_STATUS(dgm_graph_read(&c->g, node[2], y), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c->g, node[3], losses), DGM_OK);
    for (int j = 0; j < E6_M; j++) {
        case_check(y + j * (E6_D + E6_A), e6_states[j], E6_D, tolerance());
        CHECK_NEAR(losses[2 * j], e6_losses[j], 4 * tolerance());
        total += (double)losses[2 * j];
    }
    CHECK_NEAR(total, 5.236856444029, 4 * tolerance());
}

TEST(attentive_worked_example_e6_with_its_gradients)
{
    static const int32_t offsets[2] = { 0, E6_M }, target[E6_M] = { 2, 4, 0 };
    const double nothing[E6_M * E6_M] = { 0 };
    struct graph_case c;
    struct e6 e;
    struct dgm_columns all = { NULL, 0 };
    struct dgm_node *node[4], *words;
    struct dgm_ref weights;

    CHECK_STATUS(case_open(&c, 2), DGM_OK);
    fill_e6(&c, &e);
    weights = case_reals(&c, nothing, E6_M * E6_M);
    node[0] = all.node = dgm_keep(&c.g, annotate(&c, &e));
    node[1] = dgm_span_mean(&c.g, all, E6_A, case_ints(&c, offsets, 2), 1);
    node[1] = dgm_activate(&c.g, dgm_linear(&c.g, node[1], e.init, e.init_bias), DGM_TANH);
    words = pick(&c, pick(&c, e.target, target[0], target[1], target[2]), -1, 0, 1);
    node[2] = decode(&c, &e, node[0], dgm_keep(&c.g, node[1]), words, weights);
    node[3] = dgm_cross_entropy(&c.g, read_out(&c, &e, dgm_keep(&c.g, node[2]), words),
                                case_ints(&c, target, E6_M), 0, DGM_SMOOTHING_OLD, 1);
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&c.g), DGM_OK);
    check_values(&c, node, weights);
    check_gradients(&c, &e);
    check_bias(&c, &e);
    case_close(&c);
}

/* ---- a batch against its rows ---------------------------------------------------------------- */

enum {
    D = 19,
    A = 23,
    W = 37,
    LD = D + W,
    SENTENCES = 5,
    STEPS = 6,
    KEYS = 30,
    MOST_ROWS = 2 * 17
};

static const int32_t lengths_active[STEPS] = { 5, 5, 3, 2, 1, 1 };
static const int32_t memory_starts[SENTENCES] = { 21, 0, 4, 13, 11 };
static const int32_t memory_counts[SENTENCES] = { 9, 4, 7, 8, 1 };

/* The weights and the memory, the same for every run on them. */
struct world {
    struct graph_case c;
    struct dgm_bahdanau_decoder decoder;
    dgm_real x[17 * 3 * D], start[SENTENCES * D];
};

static struct dgm_ref random_reals(struct world *w, dgm_real *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)dgm_random_normal(&w->c.sample.random);
    return dgm_sample_data(&w->c.g, &w->c.sample, x, (size_t)count * sizeof *x);
}

static struct dgm_ref random_values(struct world *w, int64_t rows, int64_t cols)
{
    static dgm_real x[3 * D * LD];

    return random_reals(w, x, rows * cols);
}

static struct dgm_ref refs[8]; /* keys, values, R1, U_a, v, R2, b2, C */

static void open_world(struct world *w, int threads)
{
    static const int64_t shapes[8][2] = { { KEYS, A }, { KEYS, W },  { 3 * D, D }, { A, D },
                                          { 1, A },    { 3 * D, D }, { 1, 3 * D }, { 3 * D, W } };

    CHECK_STATUS(case_open(&w->c, threads), DGM_OK);
    for (int i = 0; i < 8; i++)
        refs[i] = random_values(w, shapes[i][0], shapes[i][1]);
    random_reals(w, w->x, 17 * 3 * D);
    random_reals(w, w->start, SENTENCES * D);
}

static void build_world(struct world *w)
{
    struct dgm_bahdanau_decoder *decoder = &w->decoder;
    struct dgm_graph *g = &w->c.g;

    memset(decoder, 0, sizeof *decoder);
    decoder->keys = dgm_constant(g, refs[0], KEYS, A);
    decoder->values = dgm_constant(g, refs[1], KEYS, W);
    decoder->state1 = dgm_constant(g, refs[2], 3 * D, D);
    decoder->query = dgm_constant(g, refs[3], A, D);
    decoder->v = dgm_constant(g, refs[4], 1, A);
    decoder->state2 = dgm_constant(g, refs[5], 3 * D, D);
    decoder->bias2 = dgm_constant(g, refs[6], 1, 3 * D);
    decoder->context = dgm_constant(g, refs[7], 3 * D, W);
}

/* Runs some sentences: x and start, rows of both; y is what comes out. */
static void run_world(struct world *w, const dgm_real *x, const dgm_real *start,
                      const int32_t *spans, int64_t steps, const int32_t *active, dgm_real *y)
{
    int32_t starts[MOST_ROWS], counts[MOST_ROWS];
    struct dgm_sample *sample = &w->c.sample;
    struct dgm_graph *g = &w->c.g;
    struct dgm_node *node;
    int64_t rows = 0;

    dgm_graph_begin(g, 0, 1, 1);
    build_world(w);
    for (int64_t t = 0; t < steps; t++)
        rows += active[t];
    w->decoder.memory.longest = 1;
    for (int32_t s = 0; s < active[0]; s++) {
        starts[s] = memory_starts[spans[s]];
        counts[s] = memory_counts[spans[s]];
        if (counts[s] > w->decoder.memory.longest)
            w->decoder.memory.longest = counts[s];
    }
    w->decoder.steps.count = steps;
    w->decoder.steps.active = active;
    w->decoder.memory.starts = case_ints(&w->c, starts, active[0]);
    w->decoder.memory.counts = case_ints(&w->c, counts, active[0]);
    w->decoder.x = dgm_constant(g, dgm_sample_data(g, sample, x, (size_t)rows * 3 * D * sizeof *x),
                                rows, 3 * D);
    w->decoder.start =
        dgm_constant(g, dgm_sample_data(g, sample, start, (size_t)active[0] * D * sizeof *start),
                     active[0], D);
    node = dgm_keep(g, dgm_bahdanau_gru(g, &w->decoder));
    CHECK_STATUS(dgm_graph_run(g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(g, node, y), DGM_OK);
}

static void run_batch(struct world *w, dgm_real *y)
{
    static const int32_t spans[SENTENCES] = { 0, 1, 2, 3, 4 };

    run_world(w, w->x, w->start, spans, STEPS, lengths_active, y);
}

/*
 * One step at a time, as a beam search goes: rows in another order, each of them twice, so that
 * hypotheses share a span.
 */
TEST(attentive_steps_of_shared_spans_have_the_bits_of_the_whole_loop)
{
    static struct world w;
    static dgm_real y[17 * LD], out[MOST_ROWS * LD], x[MOST_ROWS * 3 * D], s[MOST_ROWS * D];
    int32_t spans[MOST_ROWS], rows;
    int64_t first = 0, last = 0;

    open_world(&w, 2);
    run_batch(&w, y);
    for (int t = 0; t < STEPS; t++) {
        const int32_t n = lengths_active[t];
        rows = 2 * n;
        for (int32_t i = 0; i < rows; i++) {
            const int32_t k = (rows - 1 - i) % n;
            const dgm_real *from = t > 0 ? y + (last + k) * LD : w.start + k * D;
            spans[i] = k;
            memcpy(x + i * 3 * D, w.x + (first + k) * 3 * D, 3 * D * sizeof *x);
            memcpy(s + i * D, from, D * sizeof *s);
        }
        run_world(&w, x, s, spans, 1, &rows, out);
        for (int32_t i = 0; i < rows; i++)
            CHECK_MEM(out + i * LD, y + (first + spans[i]) * LD, LD * sizeof *y);
        last = first;
        first += n;
    }
    case_close(&w.c);
}

/* Neither the other sentences nor the number of threads matter. */
TEST(attentive_sentences_do_not_see_their_batch)
{
    static const int32_t ones[STEPS] = { 1, 1, 1, 1, 1, 1 };
    static struct world w, alone;
    static dgm_real y[17 * LD], out[17 * LD], x[STEPS * 3 * D];

    open_world(&w, 3);
    run_batch(&w, y);
    for (int32_t s = 0; s < SENTENCES; s++) {
        int64_t at[STEPS], first = 0, length = 0;
        if (s == 0) {
            case_close(&w.c);
            open_world(&alone, 1);
        }
        for (int t = 0; t < STEPS && lengths_active[t] > s; first += lengths_active[t++])
            at[length++] = first + s;
        for (int64_t t = 0; t < length; t++)
            memcpy(x + t * 3 * D, alone.x + at[t] * 3 * D, 3 * D * sizeof *x);
        run_world(&alone, x, alone.start + s * D, &s, length, ones, out);
        for (int64_t t = 0; t < length; t++)
            CHECK_MEM(out + t * LD, y + at[t] * LD, LD * sizeof *y);
    }
    case_close(&alone.c);
}

TEST(attentive_refuses_operands_that_do_not_fit)
{
    static const int32_t rising[2] = { 1, 2 }, short_of[2] = { 2, 2 };
    struct graph_case c;

    for (int wrong = 0; wrong < 4; wrong++) {
        struct dgm_bahdanau_decoder decoder;
        CHECK_STATUS(case_open(&c, 1), DGM_OK);
        memset(&decoder, 0, sizeof decoder);
        decoder.steps.count = 2;
        decoder.steps.active = wrong == 0 ? rising : short_of;
        decoder.memory.starts = decoder.memory.counts = case_ints(&c, rising, 2);
        decoder.memory.longest = 2;
        decoder.x = case_leaf(&c, NULL, wrong == 1 ? 5 : wrong == 0 ? 3 : 4, 6);
        decoder.start = case_leaf(&c, NULL, 2, 2);
        decoder.keys = case_leaf(&c, NULL, wrong == 2 ? 3 : 4, 3);
        decoder.values = case_leaf(&c, NULL, 4, 5);
        decoder.state1 = decoder.state2 = case_leaf(&c, NULL, 6, 2);
        decoder.query = case_leaf(&c, NULL, 3, 2);
        decoder.v = case_leaf(&c, NULL, 1, 3);
        decoder.bias2 = case_leaf(&c, NULL, 1, 6);
        decoder.context = case_leaf(&c, NULL, 6, wrong == 3 ? 6 : 5);
        CHECK(dgm_bahdanau_gru(&c.g, &decoder) == NULL);
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_FAILURE);
        dgm_env_clear_error(test_env());
        case_close(&c);
    }
}
