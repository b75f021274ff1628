/*
 * op_attention.c: the attention core as a node: z = attention(q, k, v, terms).
 *
 * device/task.h states the mathematics. q, k and v are columns of nodes, often of one node that
 * holds all three side by side; every column of such a node must be used, so that its gradient
 * is written whole. Saved for backward: the log-sum-exp of each score row, (N,H).
 */
#include <string.h>

#include "graph/op.h"

enum { Q, K, V, KEY_TABLE, VALUE_TABLE = KEY_TABLE + 2, INPUTS = VALUE_TABLE + 2 };

struct attention {
    struct dgm_attention_terms terms;
    int64_t column[3];
};

static struct dgm_ref from_column(struct dgm_ref ref, int64_t column)
{
    return dgm_ref_at(ref, (size_t)column * sizeof(dgm_real));
}

static size_t attention_extra(const struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    return (size_t)(z->rows * attention->terms.core.heads) * sizeof(dgm_real);
}

static dgm_status attention_forward(struct dgm_graph *g, struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    const struct dgm_attention_terms *terms = &attention->terms;
    struct dgm_attention_forward_args args;
    int t;

    memset(&args, 0, sizeof args);
    args.z = z->value;
    args.lse = z->extra;
    args.q = from_column(z->in[Q]->value, attention->column[Q]);
    args.k = from_column(z->in[K]->value, attention->column[K]);
    args.v = from_column(z->in[V]->value, attention->column[V]);
    args.q_offsets = terms->q_offsets;
    args.k_starts = terms->k_starts;
    args.k_counts = terms->k_counts;
    args.key_rows = terms->key_rows;
    args.squares = terms->squares;
    args.places = terms->places;
    args.factor = terms->factor;
    args.addend = terms->addend;
    args.hidden = terms->hidden;
    for (t = 0; t < 2; t++) {
        args.labels[t] = terms->labels[t];
        if (z->in[KEY_TABLE + t] != NULL)
            args.key_table[t] = z->in[KEY_TABLE + t]->value;
        if (z->in[VALUE_TABLE + t] != NULL)
            args.value_table[t] = z->in[VALUE_TABLE + t]->value;
    }
    args.core = terms->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_attention_forward, &args);
}

/* dq, dk, dv: several operands may lie in one node, whose gradient is then written in parts. */
static void open_grads(struct dgm_node *z, const struct attention *attention,
                       struct dgm_attention_backward_args *args)
{
    struct dgm_ref *grads[3];
    int *accumulate[3], i;

    grads[Q] = &args->dq;
    grads[K] = &args->dk;
    grads[V] = &args->dv;
    accumulate[Q] = &args->accumulate_q;
    accumulate[K] = &args->accumulate_k;
    accumulate[V] = &args->accumulate_v;
    for (i = Q; i <= V; i++) {
        if (!z->in[i]->wants_grad)
            continue;
        *grads[i] = from_column(z->in[i]->grad, attention->column[i]);
        *accumulate[i] = z->in[i]->grad_ready;
    }
    for (i = Q; i <= V; i++)
        z->in[i]->grad_ready = 1;
    args->lddq = z->in[Q]->cols;
    args->lddk = z->in[K]->cols;
    args->lddv = z->in[V]->cols;
}

static dgm_status attention_backward(struct dgm_graph *g, struct dgm_node *z)
{
    const struct attention *attention = z->attr;
    const struct dgm_attention_terms *terms = &attention->terms;
    struct dgm_attention_backward_args args;
    int t;

    memset(&args, 0, sizeof args);
    open_grads(z, attention, &args);
    args.dz = z->grad;
    args.lddz = z->cols;
    args.lse = z->extra;
    args.q = from_column(z->in[Q]->value, attention->column[Q]);
    args.k = from_column(z->in[K]->value, attention->column[K]);
    args.v = from_column(z->in[V]->value, attention->column[V]);
    args.q_offsets = terms->q_offsets;
    args.k_starts = terms->k_starts;
    args.k_counts = terms->k_counts;
    args.key_rows = terms->key_rows;
    args.squares = terms->squares;
    args.places = terms->places;
    args.factor = terms->factor;
    args.addend = terms->addend;
    args.hidden = terms->hidden;
    for (t = 0; t < 2; t++) {
        struct dgm_node *keys = z->in[KEY_TABLE + t], *values = z->in[VALUE_TABLE + t];
        args.labels[t] = terms->labels[t];
        if (keys != NULL) {
            args.key_table[t] = keys->value;
            args.dkey_table[t] = keys->grad;
        }
        if (values != NULL) {
            args.value_table[t] = values->value;
            args.dvalue_table[t] = values->grad;
        }
    }
    args.core = terms->core;
    return dgm_device_run(g->env, g->device, DGM_TASK_attention_backward, &args);
}

/* ---- sample ---------------------------------------------------------------------------------- */

enum { SAMPLE_LONGEST = 5, SAMPLE_SQUARES = 2 * SAMPLE_LONGEST * SAMPLE_LONGEST };

/* Two packed sentences and every constant that a term may have. */
struct sample_lists {
    int32_t offsets[3], starts[2], counts[2], squares[2], places[4 * SAMPLE_LONGEST];
    dgm_real factor[SAMPLE_SQUARES], addend[SAMPLE_SQUARES];
    unsigned char hidden[SAMPLE_SQUARES], labels[SAMPLE_SQUARES];
};

enum { SAMPLE_CLIP = 2, SAMPLE_LABELS = 4 };

static void sample_spans(struct sample_lists *lists, int64_t n0, int64_t n1)
{
    lists->offsets[1] = lists->starts[1] = lists->counts[0] = (int32_t)n0;
    lists->offsets[2] = (int32_t)(n0 + n1);
    lists->counts[1] = (int32_t)n1;
    lists->squares[1] = (int32_t)(n0 * n0);
    for (int64_t i = 0; i < n0 + n1; i++) {
        lists->places[2 * i] = i < n0 ? 3 : 4;
        lists->places[2 * i + 1] = (int32_t)(i < n0 ? i : i - n0);
    }
}

/* No key hides from its own query: a row without keys has no gradient to compare. */
static void sample_squares(struct dgm_sample *sample, struct sample_lists *lists)
{
    for (int s = 0; s < 2; s++)
        for (int32_t i = 0; i < lists->counts[s] * lists->counts[s]; i++) {
            int32_t at = lists->squares[s] + i;
            int is_own = i / lists->counts[s] == i % lists->counts[s];

            lists->factor[at] = (dgm_real)dgm_random_unit(&sample->random);
            lists->addend[at] = (dgm_real)dgm_random_unit(&sample->random);
            lists->hidden[at] = !is_own && dgm_sample_int(sample, 0, 3) == 0;
            lists->labels[at] = (unsigned char)dgm_sample_int(sample, 0, SAMPLE_LABELS - 1);
        }
}

/* Each term or none of it, at random; two relations, one by offset and one by label. */
static void sample_terms(struct dgm_graph *g, struct dgm_sample *sample,
                         const struct sample_lists *lists, int64_t heads, int64_t dk,
                         struct dgm_attention_terms *terms)
{
    terms->core.term_heads = dgm_sample_int(sample, 1, heads);
    terms->core.term_head = dgm_sample_int(sample, 0, heads - terms->core.term_heads);
    if (dgm_sample_int(sample, 0, 1))
        terms->factor = dgm_sample_data(g, sample, lists->factor, sizeof lists->factor);
    if (dgm_sample_int(sample, 0, 1))
        terms->addend = dgm_sample_data(g, sample, lists->addend, sizeof lists->addend);
    if (dgm_sample_int(sample, 0, 1))
        terms->hidden = dgm_sample_data(g, sample, lists->hidden, sizeof lists->hidden);
    if (dgm_sample_int(sample, 0, 1)) {
        terms->core.clip[0] = SAMPLE_CLIP;
        terms->core.label_count[0] = 2 * SAMPLE_CLIP + 1;
        terms->key_table[0] = dgm_sample_leaf(g, sample, 2 * SAMPLE_CLIP + 1, dk);
        terms->value_table[0] = dgm_sample_leaf(g, sample, 2 * SAMPLE_CLIP + 1, dk);
    }
    if (dgm_sample_int(sample, 0, 1)) {
        terms->labels[1] = dgm_sample_data(g, sample, lists->labels, sizeof lists->labels);
        terms->core.label_count[1] = SAMPLE_LABELS;
        terms->key_table[1] = dgm_sample_leaf(g, sample, SAMPLE_LABELS, dk);
        if (dgm_sample_int(sample, 0, 1))
            terms->value_table[1] = dgm_sample_leaf(g, sample, SAMPLE_LABELS, dk);
    }
}

/* A self-attention over two packed sentences, causal or not, with terms on some of its heads. */
static struct dgm_node *attention_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t heads = dgm_sample_int(sample, 1, 3), dk = dgm_sample_int(sample, 1, 5);
    int64_t n0 = dgm_sample_int(sample, 1, SAMPLE_LONGEST);
    int64_t n1 = dgm_sample_int(sample, 1, SAMPLE_LONGEST);
    struct sample_lists lists;
    struct dgm_attention_terms terms;
    struct dgm_columns q, k, v;

    memset(&terms, 0, sizeof terms);
    memset(&lists, 0, sizeof lists);
    sample_spans(&lists, n0, n1);
    sample_squares(sample, &lists);
    terms.q_offsets = dgm_sample_data(g, sample, lists.offsets, sizeof lists.offsets);
    terms.k_starts = dgm_sample_data(g, sample, lists.starts, sizeof lists.starts);
    terms.k_counts = dgm_sample_data(g, sample, lists.counts, sizeof lists.counts);
    terms.squares = dgm_sample_data(g, sample, lists.squares, sizeof lists.squares);
    terms.places = dgm_sample_data(g, sample, lists.places, sizeof lists.places);
    sample_terms(g, sample, &lists, heads, dk, &terms);
    terms.core.sentences = 2;
    terms.core.heads = heads;
    terms.core.head_dim = dk;
    terms.core.scale = (dgm_real)0.7;
    terms.core.causal = (int)dgm_sample_int(sample, 0, 1);
    terms.core.drop.rate = dgm_sample_int(sample, 0, 1) ? (dgm_real)0.3 : 0;
    q.node = k.node = v.node = dgm_sample_leaf(g, sample, n0 + n1, 3 * heads * dk);
    q.column = 0;
    k.column = heads * dk;
    v.column = 2 * heads * dk;
    return dgm_attention_node(g, q, k, v, &terms);
}

const struct dgm_op dgm_op_attention = {
    "attention", DGM_KEEP_INPUTS, -1, -1, DGM_NO_LOSS, attention_extra,
    attention_forward, attention_backward, attention_sample
};

/* Whether q, k and v together cover every column of each node that wants a gradient. */
static int covers_columns(struct dgm_node *const *in, int64_t width)
{
    int i, j;

    for (i = Q; i <= V; i++) {
        int64_t covered = 0;
        for (j = Q; j <= V; j++)
            if (in[j] == in[i])
                covered += width;
        if (in[i]->wants_grad && covered != in[i]->cols)
            return 0;
    }
    return 1;
}

struct dgm_node *dgm_attention_node(struct dgm_graph *g, struct dgm_columns q,
                                    struct dgm_columns k, struct dgm_columns v,
                                    const struct dgm_attention_terms *terms)
{
    struct dgm_node *in[INPUTS], *z;
    struct attention *attention;
    struct dgm_attention *core;
    int64_t width = terms->core.heads * terms->core.head_dim;
    int t;

    if (q.node == NULL || k.node == NULL || v.node == NULL)
        return NULL;
    in[Q] = q.node;
    in[K] = k.node;
    in[V] = v.node;
    for (t = 0; t < 2; t++) {
        in[KEY_TABLE + t] = terms->key_table[t];
        in[VALUE_TABLE + t] = terms->value_table[t];
    }
    if (!covers_columns(in, width))
        return dgm_node_fail(g, "attention", q.node, k.node, "q, k, v to use every column");
    z = dgm_node_new(g, &dgm_op_attention, q.node->rows, width, in, INPUTS, sizeof *attention);
    if (z == NULL)
        return NULL;
    attention = z->attr;
    attention->terms = *terms;
    attention->column[Q] = q.column;
    attention->column[K] = k.column;
    attention->column[V] = v.column;
    core = &attention->terms.core;
    core->ldq = q.node->cols;
    core->ldk = k.node->cols;
    core->ldv = v.node->cols;
    core->ldz = width;
    core->rows = q.node->rows;
    core->key_rows_total = k.node->rows;
    if (!g->training)
        core->drop.rate = 0;
    memcpy(core->drop.key, g->key, sizeof g->key);
    return z;
}
