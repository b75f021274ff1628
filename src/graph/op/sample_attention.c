/*
 * sample_attention.c: random instances of the attention core, each of its terms there or not, for
 * the gradient check.
 */
#include <string.h>

#include "graph/op.h"

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

struct dgm_node *dgm_attention_sample(struct dgm_graph *g, struct dgm_sample *sample)
{
    int64_t heads = dgm_sample_int(sample, 1, MOST_HEADS), dim = dgm_sample_int(sample, 1, 5);
    int64_t dim_v = chance(sample) ? dim : dgm_sample_int(sample, 1, 5), spare;
    int64_t n0 = dgm_sample_int(sample, 1, LONGEST), n1 = dgm_sample_int(sample, 1, LONGEST);
    struct lists lists;
    struct dgm_attention_terms terms;
    struct dgm_columns q, k, v;

    memset(&terms, 0, sizeof terms);
    memset(&lists, 0, sizeof lists);
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
