/*
 * op_attention.c: the attention core as a node: z = attention(q, k, v, terms).
 *
 * kernel/task/attention_list.h states the mathematics. q, k, v and the parser's q and k are columns
 * of nodes, often of one node that holds several side by side. Where they do not cover its columns,
 * each once, its gradient becomes zeros first and everything is added. Saved for backward: the
 * log-sum-exp of each score row, (N,H).
 */
#include <string.h>

#include "graph/calls.h"
#include "graph/op.h"

enum {
    Q,
    K,
    V,
    PARSER_Q,
    PARSER_K,
    COLUMNS, /* inputs that are columns of a node */
    CENTER = COLUMNS,
    WINDOW,
    KEY_TABLE,
    VALUE_TABLE = KEY_TABLE + 2,
    INPUTS = VALUE_TABLE + 2
};

struct attention {
    struct dgm_attention_terms terms;
    int64_t column[COLUMNS], width[COLUMNS];
};

/* Whether columns `first` .. +width contain all of those of operand i. */
static int holds(const struct attention *attention, int i, int64_t first, int64_t width)
{
    int64_t column = attention->column[i];

    return first <= column && column + attention->width[i] <= first + width;
}

/*
 * Whether operand i of the parser lies in the parser head's own columns of q or k (as in DBSA).
 * The core fills those with zeros before it adds the operand's gradient.
 */
static int is_in_own_head(struct dgm_node *const *in, const struct attention *attention, int i)
{
    const struct dgm_attention *core = &attention->terms.core;
    int64_t head = core->parser_head * core->head_dim;

    return (i == PARSER_Q || i == PARSER_K) &&
           ((in[i] == in[Q] && holds(attention, i, attention->column[Q] + head, core->head_dim)) ||
            (in[i] == in[K] && holds(attention, i, attention->column[K] + head, core->head_dim)));
}

/* Whether operands i and j, neither in its own head, share columns of a node. */
static int overlap(struct dgm_node *const *in, const struct attention *attention, int i, int j)
{
    return in[i] == in[j] && in[i] != NULL &&
           attention->column[i] < attention->column[j] + attention->width[j] &&
           attention->column[j] < attention->column[i] + attention->width[i] &&
           !is_in_own_head(in, attention, i) && !is_in_own_head(in, attention, j);
}

static uint64_t attention_extra(const struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    return (uint64_t)(z->rows * attention->terms.core.heads) * sizeof(dgm_real);
}

/* The value of input i, or an absent operand. */
static struct dgm_ref value_of(const struct dgm_node *z, int i)
{
    const struct attention *attention = z->attr;
    struct dgm_ref none = { NULL, 0 };

    if (z->in[i] == NULL)
        return none;
    return i < COLUMNS ? dgm_reals_at(z->in[i]->value, attention->column[i]) : z->in[i]->value;
}

static struct dgm_attention_inputs inputs_of(const struct dgm_node *z)
{
    const struct dgm_attention_terms *terms = &((const struct attention *)z->attr)->terms;
    struct dgm_attention_inputs in = { 0 };
    int t;

    in.q = value_of(z, Q);
    in.k = value_of(z, K);
    in.v = value_of(z, V);
    in.parser_q = value_of(z, PARSER_Q);
    in.parser_k = value_of(z, PARSER_K);
    in.center = value_of(z, CENTER);
    in.window = value_of(z, WINDOW);
    in.q_offsets = terms->q_offsets;
    in.k_starts = terms->k_starts;
    in.k_counts = terms->k_counts;
    in.key_rows = terms->key_rows;
    in.squares = terms->squares;
    in.places = terms->places;
    in.addend = terms->addend;
    in.hidden = terms->hidden;
    in.ignored = terms->ignored;
    in.forced = terms->forced;
    for (t = 0; t < 2; t++) {
        in.factor[t] = terms->factor[t];
        in.labels[t] = terms->labels[t];
        in.key_table[t] = value_of(z, KEY_TABLE + t);
        in.value_table[t] = value_of(z, VALUE_TABLE + t);
    }
    return in;
}

static dgm_status attention_forward(struct dgm_graph *g, struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    struct dgm_attention_forward_args args = { 0 };

    args.z = z->value;
    args.lse = z->extra;
    args.in = inputs_of(z);
    args.core = attention->terms.core;
    return dgm_device_run(g->env, g->device, DGM_TASK_attention_forward, &args);
}

/* ---- backward -------------------------------------------------------------------------------- */

/* Whether the operands in one node write each column of its gradient exactly once. */
static int covers_once(const struct dgm_node *z, const struct dgm_node *node)
{
    const struct attention *attention = z->attr;
    int64_t covered = 0;
    int i, j;

    for (i = 0; i < COLUMNS; i++) {
        if (z->in[i] != node || is_in_own_head(z->in, attention, i))
            continue;
        covered += attention->width[i];
        for (j = 0; j < i; j++)
            if (overlap(z->in, attention, i, j))
                return 0;
    }
    return covered == node->cols;
}

/*
 * Opens the gradient of input i: *grad stays absent where it is not wanted. Several operands may
 * be columns of one node, as q, k and v are of one product: the first of them opens the node's
 * gradient, the others do as it did. If together they write every column exactly once, all of them
 * overwrite; else the gradient becomes zeros first and all add.
 */
static dgm_status open_columns(struct dgm_graph *g, struct dgm_node *z, int i, struct dgm_ref *grad,
                               int accumulate[COLUMNS])
{
    const struct attention *attention = z->attr;
    int first = 0;

    if (!dgm_node_wants(z, i))
        return DGM_OK;
    *grad = dgm_reals_at(z->in[i]->grad, attention->column[i]);
    while (z->in[first] != z->in[i])
        first++;
    accumulate[i] = is_in_own_head(z->in, attention, i) || accumulate[first];
    if (first < i)
        return DGM_OK;
    return dgm_node_open_grad(g, z->in[i], covers_once(z, z->in[i]), &accumulate[i]);
}

static dgm_status open_operands(struct dgm_graph *g, struct dgm_node *z,
                                struct dgm_attention_backward_args *args)
{
    int accumulate[COLUMNS] = { 0 };

    DGM_TRY(open_columns(g, z, Q, &args->dq, accumulate));
    DGM_TRY(open_columns(g, z, K, &args->dk, accumulate));
    DGM_TRY(open_columns(g, z, V, &args->dv, accumulate));
    DGM_TRY(open_columns(g, z, PARSER_Q, &args->dparser_q, accumulate));
    DGM_TRY(open_columns(g, z, PARSER_K, &args->dparser_k, accumulate));
    args->accumulate_q = accumulate[Q];
    args->accumulate_k = accumulate[K];
    args->accumulate_v = accumulate[V];
    args->accumulate_parser_q = accumulate[PARSER_Q];
    args->accumulate_parser_k = accumulate[PARSER_K];
    args->lddq = z->in[Q]->cols;
    args->lddk = z->in[K]->cols;
    args->lddv = z->in[V]->cols;
    args->ld_dparser_q = args->core.ld_parser_q;
    args->ld_dparser_k = args->core.ld_parser_k;
    return DGM_OK;
}

/* Opens the gradient of an input that the core covers, or adds to. */
static dgm_status open_whole(struct dgm_graph *g, struct dgm_node *z, int i, int covers_all,
                             struct dgm_ref *grad, int *accumulate)
{
    if (!dgm_node_wants(z, i))
        return DGM_OK;
    *grad = z->in[i]->grad;
    return dgm_node_open_grad(g, z->in[i], covers_all, accumulate);
}

static dgm_status attention_backward(struct dgm_graph *g, struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    struct dgm_attention_backward_args args = { 0 };
    int t, unused;

    args.core = attention->terms.core;
    args.dz = z->grad;
    args.lddz = z->cols;
    args.lse = z->extra;
    args.in = inputs_of(z);
    DGM_TRY(open_operands(g, z, &args));
    DGM_TRY(open_whole(g, z, CENTER, 1, &args.dcenter, &args.accumulate_center));
    DGM_TRY(open_whole(g, z, WINDOW, 1, &args.dwindow, &args.accumulate_window));
    for (t = 0; t < 2; t++) {
        DGM_TRY(open_whole(g, z, KEY_TABLE + t, 0, &args.dkey_table[t], &unused));
        DGM_TRY(open_whole(g, z, VALUE_TABLE + t, 0, &args.dvalue_table[t], &unused));
    }
    return dgm_device_run(g->env, g->device, DGM_TASK_attention_backward, &args);
}

/* ---- sample: each term there or not ---------------------------------------------------------- */

enum {
    LONGEST = 5,
    MOST_ROWS = 2 * LONGEST,
    MOST_CELLS = 2 * LONGEST * LONGEST,
    MOST_HEADS = 3,
    CLIP = 2,
    OFFSETS = 2 * CLIP + 1,
    LABELS = 4
};

/* Two packed sentences and every constant that a term may have. */
struct lists {
    int32_t offsets[3], starts[2], counts[2], squares[2], places[2 * MOST_ROWS];
    int32_t forced[MOST_ROWS];
    dgm_real factor[2][MOST_CELLS], addend[MOST_CELLS];
    unsigned char hidden[MOST_CELLS], labels[MOST_CELLS], ignored[MOST_ROWS * MOST_HEADS];
};

static int chance(struct dgm_sample *sample)
{
    return dgm_sample_int(sample, 0, 1) == 1;
}

static void sample_rows(struct dgm_sample *sample, struct lists *lists, int64_t n0, int64_t n1)
{
    lists->offsets[1] = lists->starts[1] = lists->counts[0] = (int32_t)n0;
    lists->offsets[2] = (int32_t)(n0 + n1);
    lists->counts[1] = (int32_t)n1;
    lists->squares[1] = (int32_t)(n0 * n0);
    for (int64_t i = 0; i < n0 + n1; i++) {
        int64_t place = i < n0 ? i : i - n0;

        lists->places[2 * i] = i < n0 ? 3 : 4;
        lists->places[2 * i + 1] = (int32_t)place;
        lists->forced[i] = (int32_t)dgm_sample_int(sample, -1, place);
    }
    for (int64_t i = 0; i < MOST_ROWS * MOST_HEADS; i++)
        lists->ignored[i] = (unsigned char)chance(sample);
}

/* No key hides from its own query: a row without keys has no gradient to compare. */
static void sample_squares(struct dgm_sample *sample, struct lists *lists)
{
    for (int s = 0; s < 2; s++)
        for (int32_t i = 0; i < lists->counts[s] * lists->counts[s]; i++) {
            int32_t at = lists->squares[s] + i;
            int is_own = i / lists->counts[s] == i % lists->counts[s];

            lists->factor[0][at] = (dgm_real)dgm_random_unit(&sample->random);
            lists->factor[1][at] = (dgm_real)dgm_random_unit(&sample->random);
            lists->addend[at] = (dgm_real)dgm_random_unit(&sample->random);
            lists->hidden[at] = !is_own && dgm_sample_int(sample, 0, 3) == 0;
            lists->labels[at] = (unsigned char)dgm_sample_int(sample, 0, LABELS - 1);
        }
}

static void give_spans(struct dgm_graph *g, struct dgm_sample *sample, const struct lists *lists,
                       struct dgm_attention_terms *terms)
{
    terms->q_offsets = dgm_sample_data(g, sample, lists->offsets, sizeof lists->offsets);
    terms->k_starts = dgm_sample_data(g, sample, lists->starts, sizeof lists->starts);
    terms->k_counts = dgm_sample_data(g, sample, lists->counts, sizeof lists->counts);
    terms->squares = dgm_sample_data(g, sample, lists->squares, sizeof lists->squares);
    terms->places = dgm_sample_data(g, sample, lists->places, sizeof lists->places);
}

static void sample_constants(struct dgm_graph *g, struct dgm_sample *sample,
                             const struct lists *lists, struct dgm_attention_terms *terms)
{
    struct dgm_attention *core = &terms->core;
    int f;

    for (f = 0; f < 2; f++) {
        core->factor_heads[f] = dgm_sample_int(sample, 1, core->heads);
        core->factor_first[f] = dgm_sample_int(sample, 0, core->heads - core->factor_heads[f]);
        if (chance(sample))
            terms->factor[f] =
                dgm_sample_data(g, sample, lists->factor[f], sizeof lists->factor[f]);
    }
    if (chance(sample))
        terms->ignored = dgm_sample_data(g, sample, lists->ignored, sizeof lists->ignored);
    if (chance(sample))
        terms->addend = dgm_sample_data(g, sample, lists->addend, sizeof lists->addend);
    if (chance(sample))
        terms->hidden = dgm_sample_data(g, sample, lists->hidden, sizeof lists->hidden);
}

/* One relation by offset and one by label. */
static void sample_relations(struct dgm_graph *g, struct dgm_sample *sample,
                             const struct lists *lists, int64_t dim_v,
                             struct dgm_attention_terms *terms)
{
    struct dgm_attention *core = &terms->core;

    if (chance(sample)) {
        core->clip[0] = CLIP;
        core->label_count[0] = OFFSETS;
        terms->key_table[0] = dgm_sample_leaf(g, sample, OFFSETS, core->head_dim);
        terms->value_table[0] = dgm_sample_leaf(g, sample, OFFSETS, dim_v);
    }
    if (chance(sample)) {
        terms->labels[1] = dgm_sample_data(g, sample, lists->labels, sizeof lists->labels);
        core->label_count[1] = LABELS;
        terms->key_table[1] = dgm_sample_leaf(g, sample, LABELS, core->head_dim);
        if (chance(sample))
            terms->value_table[1] = dgm_sample_leaf(g, sample, LABELS, dim_v);
    }
}

/* Centers around the keys; windows well away from 0, near which slopes are without bounds. */
static void sample_window(struct dgm_graph *g, struct dgm_sample *sample, int64_t rows,
                          struct dgm_attention_terms *terms)
{
    dgm_real sizes[MOST_ROWS * MOST_HEADS];
    int64_t i, heads = terms->core.heads;

    if (chance(sample))
        return;
    terms->center = dgm_sample_leaf(g, sample, rows, heads);
    terms->core.window_size = 3;
    if (chance(sample))
        return;
    terms->window = dgm_sample_leaf(g, sample, rows, heads);
    for (i = 0; i < rows * heads; i++)
        sizes[i] = (dgm_real)(1 + 2 * dgm_random_unit(&sample->random));
    if (g->status == DGM_OK)
        g->status = dgm_device_write(g->env, g->device, dgm_node_value(terms->window), sizes,
                                     (size_t)(rows * heads) * sizeof *sizes);
}

/* Keys of the parser are its head's own columns of k if they fit, or columns of another node. */
static void sample_parser(struct dgm_graph *g, struct dgm_sample *sample, const struct lists *lists,
                          struct dgm_columns k, struct dgm_attention_terms *terms)
{
    struct dgm_attention *core = &terms->core;
    int64_t rows = dgm_node_rows(k.node);

    if (chance(sample))
        return;
    core->parser_head = dgm_sample_int(sample, 0, core->heads - 1);
    core->parser_dim = dgm_sample_int(sample, 1, core->head_dim + 2);
    terms->parser_q.node = dgm_sample_leaf(g, sample, rows, core->parser_dim + 1);
    terms->parser_q.column = dgm_sample_int(sample, 0, 1);
    if (core->parser_dim <= core->head_dim && chance(sample)) {
        terms->parser_k.node = k.node;
        terms->parser_k.column = k.column + core->parser_head * core->head_dim;
    } else {
        terms->parser_k.node = dgm_sample_leaf(g, sample, rows, core->parser_dim);
    }
    if (chance(sample))
        terms->forced = dgm_sample_data(g, sample, lists->forced, sizeof lists->forced);
}

/* x passed on as the value of an operation: gradients of its columns start from nothing. */
static struct dgm_node *copy_of(struct dgm_graph *g, struct dgm_sample *sample, struct dgm_node *x)
{
    int32_t rows[MOST_ROWS];
    struct dgm_ref index;

    for (int32_t i = 0; i < MOST_ROWS; i++)
        rows[i] = i;
    index = dgm_sample_data(g, sample, rows, sizeof rows);
    return x != NULL ? dgm_gather(g, x, index, dgm_node_rows(x)) : NULL;
}

/* A self-attention over two packed sentences, causal or not, with any of its terms. */
static struct dgm_node *attention_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t heads = dgm_sample_int(sample, 1, MOST_HEADS), dim = dgm_sample_int(sample, 1, 5);
    int64_t dim_v = chance(sample) ? dim : dgm_sample_int(sample, 1, 5), spare;
    int64_t n0 = dgm_sample_int(sample, 1, LONGEST), n1 = dgm_sample_int(sample, 1, LONGEST);
    struct lists lists = { 0 };
    struct dgm_attention_terms terms = { 0 };
    struct dgm_columns q, k, v;

    sample_rows(sample, &lists, n0, n1);
    sample_squares(sample, &lists);
    terms.core.sentences = 2;
    terms.core.heads = heads;
    terms.core.head_dim = dim;
    terms.core.value_dim = dim_v != dim ? dim_v : 0;
    terms.core.scale = (dgm_real)0.7;
    terms.core.causal = chance(sample);
    terms.core.drop.rate = chance(sample) ? (dgm_real)0.3 : 0;
    spare = dgm_sample_int(sample, 0, 2); /* columns that nobody uses */
    q.node = dgm_sample_leaf(g, sample, n0 + n1, heads * (2 * dim + dim_v) + spare);
    if (chance(sample))
        q.node = copy_of(g, sample, q.node);
    if (q.node == NULL)
        return NULL;
    k.node = v.node = q.node;
    q.column = 0;
    k.column = dgm_sample_int(sample, 0, 4) ? heads * dim : q.column;
    v.column = 2 * heads * dim;
    give_spans(g, sample, &lists, &terms);
    sample_constants(g, sample, &lists, &terms);
    sample_relations(g, sample, &lists, dim_v, &terms);
    sample_window(g, sample, n0 + n1, &terms);
    sample_parser(g, sample, &lists, k, &terms);
    return dgm_attention_node(g, q, k, v, &terms);
}

/* ---- the operation --------------------------------------------------------------------------- */

const struct dgm_op dgm_op_attention = {
    .name = "attention",
    .keep = DGM_KEEP_INPUTS,
    .extra = attention_extra,
    .forward = attention_forward,
    .backward = attention_backward,
    .sample = attention_sample,
};

/* ---- building -------------------------------------------------------------------------------- */

static int is_shape(const struct dgm_node *node, int64_t rows, int64_t cols)
{
    return node == NULL || dgm_node_is(node, rows, cols);
}

static int has_columns(const struct dgm_node *node, int64_t column, int64_t width)
{
    return node == NULL || (column >= 0 && column + width <= node->cols);
}

/* Two heads may run at once, so no two of them may write one column of a gradient. */
static int heads_collide(struct dgm_node *const *in, const struct attention *attention)
{
    int i, j;

    for (i = 0; i < COLUMNS; i++)
        for (j = 0; j < i; j++)
            if (overlap(in, attention, i, j) && in[i]->wants_grad &&
                (attention->column[i] != attention->column[j] ||
                 attention->width[i] != attention->width[j]))
                return 1;
    return 0;
}

/* What is wrong with the operands, or NULL. */
static const char *find_fault(struct dgm_node *const *in, const struct attention *attention)
{
    const struct dgm_attention *core = &attention->terms.core;
    int i, t;

    for (i = 0; i < COLUMNS; i++)
        if (!has_columns(in[i], attention->column[i], attention->width[i]))
            return "columns within their nodes";
    if (heads_collide(in, attention))
        return "operands with columns of their own, or all of their columns in common";
    if ((in[PARSER_Q] != NULL) != (core->parser_dim > 0) ||
        (in[PARSER_K] != NULL) != (core->parser_dim > 0) || core->parser_head < 0 ||
        core->parser_head >= core->heads)
        return "parser_q, parser_k and parser_dim together, for one of the heads";
    if (!is_shape(in[CENTER], in[Q]->rows, core->heads) ||
        !is_shape(in[WINDOW], in[Q]->rows, core->heads) ||
        (in[WINDOW] != NULL && in[CENTER] == NULL))
        return "a center (N,H), and a window (N,H) with it";
    for (t = 0; t < 2; t++)
        if (!is_shape(in[KEY_TABLE + t], core->label_count[t], core->head_dim) ||
            !is_shape(in[VALUE_TABLE + t], core->label_count[t], core->value_dim))
            return "tables of label_count rows as wide as a head";
    return NULL;
}

/* The settings of a node over `in`; the rest of `attention` is zero. */
static void fill_attention(struct dgm_graph *g, struct attention *attention,
                           struct dgm_node *const *in, const struct dgm_attention_terms *terms)
{
    struct dgm_attention *core = &attention->terms.core;

    attention->terms = *terms;
    if (core->value_dim == 0)
        core->value_dim = core->head_dim;
    attention->width[Q] = attention->width[K] = core->heads * core->head_dim;
    attention->width[V] = core->heads * core->value_dim;
    attention->width[PARSER_Q] = attention->width[PARSER_K] = core->parser_dim;
    core->ldq = in[Q]->cols;
    core->ldk = in[K]->cols;
    core->ldv = in[V]->cols;
    core->ldz = attention->width[V];
    core->ld_parser_q = in[PARSER_Q] != NULL ? in[PARSER_Q]->cols : 0;
    core->ld_parser_k = in[PARSER_K] != NULL ? in[PARSER_K]->cols : 0;
    core->rows = in[Q]->rows;
    core->key_rows_total = in[K]->rows;
    core->drop = dgm_node_drop(g, core->drop.rate, core->drop.stream);
}

struct dgm_node *dgm_attention_node(struct dgm_graph *g, struct dgm_columns q, struct dgm_columns k,
                                    struct dgm_columns v, const struct dgm_attention_terms *terms)
{
    struct dgm_columns columns[COLUMNS];
    struct dgm_node *in[INPUTS];
    struct attention attention = { 0 };
    const char *fault;
    int i;

    if (q.node == NULL || k.node == NULL || v.node == NULL)
        return NULL;
    columns[Q] = q;
    columns[K] = k;
    columns[V] = v;
    columns[PARSER_Q] = terms->parser_q;
    columns[PARSER_K] = terms->parser_k;
    for (i = 0; i < COLUMNS; i++) {
        in[i] = columns[i].node;
        attention.column[i] = columns[i].column;
    }
    in[CENTER] = terms->center;
    in[WINDOW] = terms->window;
    for (i = 0; i < 2; i++) {
        in[KEY_TABLE + i] = terms->key_table[i];
        in[VALUE_TABLE + i] = terms->value_table[i];
    }
    fill_attention(g, &attention, in, terms);
    fault = find_fault(in, &attention);
    if (fault != NULL)
        return dgm_node_fail(g, "attention", q.node, k.node, fault);
    return dgm_node_new(g, &dgm_op_attention, q.node->rows, attention.width[V], in, INPUTS,
                        &attention, sizeof attention);
}
