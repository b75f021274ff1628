/*
 * trial_attention.c: instances of attention: each term there or not, sentences ragged and some
 * empty, keys by index, forced rows, rows without a visible key.
 */
#include <math.h>

#include "device/trial/trial.h"

enum { SENTENCES = 4, CLIP = 3, LABELS = 5, MANY_LABELS = 70 };

/* Rows, keys and packed squares of some sentences. */
struct spans {
    int64_t sentences, rows, keys, cells, longest; /* longest: most keys of a sentence */
    int32_t offsets[SENTENCES + 1], starts[SENTENCES];
    int32_t counts[SENTENCES], squares[SENTENCES];
};

/*
 * n and m of each sentence, m = n unless `uneven`, and then keys lie apart at times. Sentence 0 has
 * six keys or more, and no fewer than queries: where none of these has a choice, all gradients of
 * scores are 0, and what devices find instead is rounding.
 */
static void draw_spans(struct dgm_trial *trial, struct spans *spans, int uneven)
{
    const int64_t high = dgm_trial_once_in(trial, 3) ? 75 : 12;
    const int is_step = uneven && dgm_trial_once_in(trial, 3); /* of a decoder: one query each */

    spans->sentences = dgm_trial_between(trial, 1, SENTENCES);
    for (int64_t s = 0; s < spans->sentences; s++) {
        const int64_t low = s == 0 ? 6 : 0;
        const int64_t n = is_step ? 1 : dgm_trial_between(trial, low, high);
        const int64_t m = uneven ? dgm_trial_between(trial, s == 0 ? n + 5 : 0, high + 5) : n;

        spans->rows += n;
        spans->offsets[s + 1] = (int32_t)spans->rows;
        spans->counts[s] = (int32_t)m;
        spans->starts[s] = (int32_t)spans->keys;
        spans->squares[s] = (int32_t)spans->cells;
        spans->keys += m + (uneven ? dgm_trial_between(trial, 0, 2) : 0);
        spans->cells += n * m;
        spans->longest = m > spans->longest ? m : spans->longest;
    }
}

static void copy_ints(int32_t *to, const int32_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void give_spans(struct dgm_trial *trial, const struct spans *spans, int64_t key_places,
                       struct dgm_attention_inputs *in)
{
    const int64_t s = spans->sentences;

    copy_ints(dgm_trial_ints(trial, &in->q_offsets, s + 1, 0, 0), spans->offsets, s + 1);
    copy_ints(dgm_trial_ints(trial, &in->k_starts, s, 0, 0), spans->starts, s);
    copy_ints(dgm_trial_ints(trial, &in->k_counts, s, 0, 0), spans->counts, s);
    copy_ints(dgm_trial_ints(trial, &in->squares, s, 0, 0), spans->squares, s);
    if (key_places > spans->keys)
        dgm_trial_ints(trial, &in->key_rows, spans->keys, 0, key_places - 1);
}

/* One row in eight hides every key. */
static void give_hidden(struct dgm_trial *trial, const struct spans *spans,
                        struct dgm_attention_inputs *in)
{
    unsigned char *hidden = dgm_trial_bytes(trial, &in->hidden, spans->cells);

    for (int64_t s = 0; s < spans->sentences; s++)
        for (int64_t i = 0; i < spans->offsets[s + 1] - spans->offsets[s]; i++) {
            const int64_t at = spans->squares[s] + i * spans->counts[s];
            const int all = dgm_trial_once_in(trial, 8);

            for (int64_t j = 0; j < spans->counts[s]; j++)
                hidden[at + j] = all || (hidden[at + j] && dgm_trial_once_in(trial, 2));
        }
}

static void give_constants(struct dgm_trial *trial, const struct spans *spans,
                           struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    for (int f = 0; f < 2; f++) {
        core->factor_heads[f] = dgm_trial_between(trial, 1, core->heads);
        core->factor_first[f] = dgm_trial_between(trial, 0, core->heads - core->factor_heads[f]);
        if (dgm_trial_once_in(trial, 3))
            dgm_trial_reals(trial, &in->factor[f], spans->cells, 1);
    }
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_bytes(trial, &in->ignored, spans->rows * core->heads);
    if (dgm_trial_once_in(trial, 3))
        dgm_trial_reals(trial, &in->addend, spans->cells, 1);
    if (dgm_trial_once_in(trial, 3))
        give_hidden(trial, spans, in);
}

/* Each by offset or by label; tables of keys, of values or of both. */
static void give_relations(struct dgm_trial *trial, const struct spans *spans, int64_t dim_v,
                           struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    for (int t = 0; t < 2; t++) {
        const int many = dgm_trial_once_in(trial, 4), which = (int)dgm_trial_between(trial, 0, 2);

        if (!dgm_trial_once_in(trial, 3))
            continue;
        core->clip[t] = many ? MANY_LABELS / 2 : CLIP;
        core->label_count[t] = 2 * core->clip[t] + 1;
        if (dgm_trial_once_in(trial, 2)) {
            unsigned char *labels = dgm_trial_bytes(trial, &in->labels[t], spans->cells);

            core->label_count[t] = many ? MANY_LABELS : LABELS;
            for (int64_t i = 0; i < spans->cells; i++)
                labels[i] = (unsigned char)dgm_trial_between(trial, 0, core->label_count[t] - 1);
        }
        if (which != 0)
            dgm_trial_reals(trial, &in->key_table[t], core->label_count[t] * core->head_dim, 0.5);
        if (which != 1)
            dgm_trial_reals(trial, &in->value_table[t], core->label_count[t] * dim_v, 0.5);
    }
}

/* Windows grow with the sentence: where only far keys are visible, E is of this size squared. */
static void give_window(struct dgm_trial *trial, const struct spans *spans,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    const int64_t count = spans->rows * core->heads;
    dgm_real *x;

    core->window_size = (dgm_real)(3 + spans->longest / 4);
    if (!dgm_trial_once_in(trial, 3))
        return;
    x = dgm_trial_reals(trial, &in->center, count, 0);
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)((double)spans->longest * dgm_random_unit(&trial->random));
    if (dgm_trial_once_in(trial, 2))
        return;
    x = dgm_trial_reals(trial, &in->window, count, 0);
    for (int64_t i = 0; i < count; i++)
        x[i] = core->window_size * (dgm_real)(0.5 + dgm_random_unit(&trial->random));
}

/* The parser head's q and k; a forced key may be one that the query does not see. */
static void give_parser(struct dgm_trial *trial, const struct spans *spans, int64_t key_places,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    int32_t *forced;

    if (!dgm_trial_once_in(trial, 3))
        return;
    core->parser_head = dgm_trial_between(trial, 0, core->heads - 1);
    core->parser_dim = dgm_trial_between(trial, 1, 20);
    core->ld_parser_q = core->parser_dim + dgm_trial_between(trial, 0, 2);
    core->ld_parser_k = core->parser_dim + dgm_trial_between(trial, 0, 2);
    dgm_trial_reals(trial, &in->parser_q, spans->rows * core->ld_parser_q, 0.5);
    dgm_trial_reals(trial, &in->parser_k, key_places * core->ld_parser_k, 0.5);
    if (dgm_trial_once_in(trial, 2))
        return;
    forced = dgm_trial_ints(trial, &in->forced, spans->rows, -1, -1);
    for (int64_t s = 0; s < spans->sentences; s++)
        for (int64_t i = spans->offsets[s]; i < spans->offsets[s + 1]; i++)
            if (dgm_trial_once_in(trial, 2))
                forced[i] = (int32_t)dgm_trial_between(trial, -1, spans->counts[s] - 1);
}

/* All inputs, and `core` but for ldz. Keys come by an index if key_places > spans->keys. One in
 * three has no terms of syntax: devices have other kernels for those. */
static void give_inputs(struct dgm_trial *trial, const struct spans *spans, int64_t key_places,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    const int64_t most = dgm_trial_once_in(trial, 3) ? 70 : 20;
    int64_t dim_v;

    core->sentences = spans->sentences;
    core->rows = spans->rows;
    core->key_rows_total = key_places;
    core->heads = dgm_trial_between(trial, 1, 3);
    core->head_dim = dgm_trial_between(trial, 1, most);
    core->value_dim = dgm_trial_once_in(trial, 2) ? 0 : dgm_trial_between(trial, 1, most);
    dim_v = core->value_dim > 0 ? core->value_dim : core->head_dim;
    core->ldq = core->heads * core->head_dim + dgm_trial_between(trial, 0, 3);
    core->ldk = core->heads * core->head_dim + dgm_trial_between(trial, 0, 3);
    core->ldv = core->heads * dim_v + dgm_trial_between(trial, 0, 3);
    core->scale = (dgm_real)(1 / sqrt((double)core->head_dim));
    core->causal = dgm_trial_once_in(trial, 2);
    dgm_trial_drop(trial, &core->drop, &in->places, spans->rows);
    dgm_trial_reals(trial, &in->q, spans->rows * core->ldq, 1);
    dgm_trial_reals(trial, &in->k, key_places * core->ldk, 1);
    dgm_trial_reals(trial, &in->v, key_places * core->ldv, 1);
    give_spans(trial, spans, key_places, in);
    if (dgm_trial_once_in(trial, 3))
        return;
    give_constants(trial, spans, in, core);
    give_relations(trial, spans, dim_v, in, core);
    give_window(trial, spans, in, core);
    give_parser(trial, spans, key_places, in, core);
}

void dgm_trial_attention_forward(struct dgm_trial *trial, struct dgm_attention_forward_args *args)
{
    struct dgm_attention *core = &args->core;
    struct spans spans = { 0 };
    int64_t key_places;

    draw_spans(trial, &spans, dgm_trial_once_in(trial, 2));
    key_places = spans.keys + (dgm_trial_once_in(trial, 3) ? 5 : 0);
    give_inputs(trial, &spans, key_places, &args->in, core);
    core->ldz = core->heads * (core->value_dim > 0 ? core->value_dim : core->head_dim) +
                dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->z, core->rows * core->ldz, 1)[0] = (dgm_real)NAN;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->lse, core->rows * core->heads, 1);
}

/* ---- the backward pass ------------------------------------------------------------------- */

/*
 * lse has to fit the inputs: it is computed here, in double precision and plain loops, one score at
 * a time.
 */

struct scores {
    const struct dgm_trial *trial;
    const struct spans *spans;
    const struct dgm_attention_inputs *in;
    const struct dgm_attention *core;
};

static const void *data_of(const struct scores *scores, const struct dgm_ref *field)
{
    const struct dgm_trial *trial = scores->trial;

    return trial->operands[field - (const struct dgm_ref *)trial->args].data;
}

static int64_t key_row(const struct scores *scores, int64_t s, int64_t j)
{
    const int32_t *key_rows = data_of(scores, &scores->in->key_rows);

    return key_rows != NULL ? key_rows[scores->spans->starts[s] + j] : scores->spans->starts[s] + j;
}

/* Query i and key j of sentence s; `at` is the place of the pair in packed squares. */
struct pair {
    int64_t s, h, i, j, row, key, at, n, m;
};

/* q . (k + what the relations' tables say) */
static double product(const struct scores *scores, const struct pair *p)
{
    const struct dgm_attention *core = scores->core;
    const dgm_real *q = data_of(scores, &scores->in->q), *k = data_of(scores, &scores->in->k);
    double sum = 0;

    for (int64_t c = 0; c < core->head_dim; c++) {
        const int64_t column = p->h * core->head_dim + c;
        double key = (double)k[p->key * core->ldk + column];

        for (int t = 0; t < 2; t++) {
            const unsigned char *labels = data_of(scores, &scores->in->labels[t]);
            const dgm_real *table = data_of(scores, &scores->in->key_table[t]);
            const int64_t clip = core->clip[t];
            int64_t label = p->j - (p->i + p->m - p->n);

            label = (label < -clip ? -clip : label > clip ? clip : label) + clip;
            if (table != NULL && core->label_count[t] > 0)
                key += (double)table[(labels != NULL ? labels[p->at] : label) * core->head_dim + c];
        }
        sum += (double)q[p->row * core->ldq + column] * key;
    }
    return sum;
}

static double parser_product(const struct scores *scores, const struct pair *p)
{
    const struct dgm_attention *core = scores->core;
    const dgm_real *q = data_of(scores, &scores->in->parser_q);
    const dgm_real *k = data_of(scores, &scores->in->parser_k);
    double sum = 0;

    for (int64_t c = 0; c < core->parser_dim; c++)
        sum +=
            (double)q[p->row * core->ld_parser_q + c] * (double)k[p->key * core->ld_parser_k + c];
    return sum;
}

static double factors(const struct scores *scores, const struct pair *p)
{
    const struct dgm_attention *core = scores->core;
    const unsigned char *ignored = data_of(scores, &scores->in->ignored);
    double both = 1;

    for (int f = 0; f < 2; f++) {
        const dgm_real *factor = data_of(scores, &scores->in->factor[f]);
        const int64_t h = p->h - core->factor_first[f];

        if (factor != NULL && h >= 0 && h < core->factor_heads[f] &&
            !(f == 1 && ignored != NULL && ignored[p->row * core->heads + p->h]))
            both *= (double)factor[p->at];
    }
    return both;
}

static double score(const struct scores *scores, const struct pair *p)
{
    const struct dgm_attention *core = scores->core;
    const dgm_real *addend = data_of(scores, &scores->in->addend);
    const dgm_real *center = data_of(scores, &scores->in->center);
    const dgm_real *window = data_of(scores, &scores->in->window);
    const unsigned char *hidden = data_of(scores, &scores->in->hidden);
    const int64_t at = p->row * core->heads + p->h;
    double e, size, away;

    if (core->causal && p->j > p->i + p->m - p->n)
        return -(double)INFINITY;
    if (core->parser_dim > 0 && core->parser_head == p->h)
        return parser_product(scores, p);
    if (hidden != NULL && hidden[p->at])
        return -(double)INFINITY;
    e = (double)core->scale * product(scores, p) * factors(scores, p);
    if (addend != NULL)
        e += (double)addend[p->at];
    if (center == NULL)
        return e;
    size = window != NULL ? (double)window[at] : (double)core->window_size;
    away = (double)p->j - (double)center[at];
    return e - 2 * away * away / (size * size);
}

static double log_sum(const struct scores *scores, struct pair *p)
{
    double most = -(double)INFINITY, sum = 0;

    for (int pass = 0; pass < 2; pass++)
        for (p->j = 0; p->j < p->m; p->j++) {
            double e;

            p->key = key_row(scores, p->s, p->j);
            p->at = scores->spans->squares[p->s] + p->i * p->m + p->j;
            e = score(scores, p);
            if (pass == 0)
                most = e > most ? e : most;
            else if (isfinite(e))
                sum += exp(e - most);
        }
    return sum > 0 ? most + log(sum) : (double)INFINITY;
}

static void fill_lse(const struct scores *scores, dgm_real *lse)
{
    const struct spans *spans = scores->spans;
    struct pair p = { 0 };

    for (p.s = 0; p.s < spans->sentences; p.s++) {
        p.n = spans->offsets[p.s + 1] - spans->offsets[p.s];
        p.m = spans->counts[p.s];
        for (p.i = 0; p.i < p.n; p.i++)
            for (p.h = 0; p.h < scores->core->heads; p.h++) {
                p.row = spans->offsets[p.s] + p.i;
                lse[p.row * scores->core->heads + p.h] = (dgm_real)log_sum(scores, &p);
            }
    }
}

/* ---- gradients --------------------------------------------------------------------------- */

/* An output in two of three instances, NaN if it is not added to. */
static void give_output(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count,
                        int *accumulate)
{
    dgm_real *data;

    *accumulate = dgm_trial_once_in(trial, 2);
    if (dgm_trial_once_in(trial, 3))
        return;
    data = dgm_trial_reals(trial, field, count, 1);
    for (int64_t i = 0; i < count && !*accumulate; i++)
        data[i] = (dgm_real)NAN;
}

/* Of heads in rows; *ld: at least `width`. */
static void give_columns(struct dgm_trial *trial, const struct dgm_ref *field, int64_t rows,
                         int64_t width, int64_t *ld, int *accumulate)
{
    *ld = width + dgm_trial_between(trial, 0, 3);
    give_output(trial, field, rows * *ld, accumulate);
}

/* Either of their own, or the columns of dq and dk at head 0. */
static void give_parser_grads(struct dgm_trial *trial, struct dgm_attention_backward_args *args,
                              int64_t keys)
{
    const struct dgm_attention *core = &args->core;
    const struct dgm_operand *dq = &trial->operands[&args->dq - (struct dgm_ref *)trial->args];
    const struct dgm_operand *dk = &trial->operands[&args->dk - (struct dgm_ref *)trial->args];

    if (core->parser_dim == 0)
        return;
    give_columns(trial, &args->dparser_q, core->rows, core->parser_dim, &args->ld_dparser_q,
                 &args->accumulate_parser_q);
    give_columns(trial, &args->dparser_k, keys, core->parser_dim, &args->ld_dparser_k,
                 &args->accumulate_parser_k);
    if (dq->data == NULL || dk->data == NULL || core->parser_head != 0 ||
        core->parser_dim > core->head_dim)
        return;
    dgm_trial_same(trial, &args->dparser_q, &args->dq);
    dgm_trial_same(trial, &args->dparser_k, &args->dk);
    args->ld_dparser_q = args->lddq;
    args->ld_dparser_k = args->lddk;
    args->accumulate_parser_q = args->accumulate_parser_k = 1;
}

static int has(const struct dgm_trial *trial, const struct dgm_ref *field)
{
    return trial->operands[field - (const struct dgm_ref *)trial->args].data != NULL;
}

static void give_outputs(struct dgm_trial *trial, struct dgm_attention_backward_args *args,
                         int64_t keys, int64_t dim_v)
{
    const struct dgm_attention *core = &args->core;
    const int64_t cells = core->rows * core->heads;

    give_columns(trial, &args->dq, core->rows, core->heads * core->head_dim, &args->lddq,
                 &args->accumulate_q);
    give_columns(trial, &args->dk, keys, core->heads * core->head_dim, &args->lddk,
                 &args->accumulate_k);
    give_columns(trial, &args->dv, keys, core->heads * dim_v, &args->lddv, &args->accumulate_v);
    if (has(trial, &args->in.center))
        give_output(trial, &args->dcenter, cells, &args->accumulate_center);
    if (has(trial, &args->in.window))
        give_output(trial, &args->dwindow, cells, &args->accumulate_window);
    for (int t = 0; t < 2; t++) {
        if (has(trial, &args->in.key_table[t]) && !dgm_trial_once_in(trial, 3))
            dgm_trial_reals(trial, &args->dkey_table[t], core->label_count[t] * core->head_dim, 1);
        if (has(trial, &args->in.value_table[t]) && !dgm_trial_once_in(trial, 3))
            dgm_trial_reals(trial, &args->dvalue_table[t], core->label_count[t] * dim_v, 1);
    }
    give_parser_grads(trial, args, keys);
}

void dgm_trial_attention_backward(struct dgm_trial *trial, struct dgm_attention_backward_args *args)
{
    struct dgm_attention *core = &args->core;
    struct spans spans = { 0 };
    const struct scores scores = { trial, &spans, &args->in, core };
    int64_t keys, dim_v;

    draw_spans(trial, &spans, dgm_trial_once_in(trial, 2));
    keys = spans.keys + (dgm_trial_once_in(trial, 4) ? 5 : 0);
    give_inputs(trial, &spans, keys, &args->in, core);
    if (keys > spans.keys) {
        int32_t *key_rows = dgm_trial_ints(trial, &args->in.key_rows, spans.keys, 0, 0);

        for (int64_t i = 0; i < spans.keys; i++) /* each key but once */
            key_rows[i] = (int32_t)(keys - 1 - i);
    }
    dim_v = core->value_dim > 0 ? core->value_dim : core->head_dim;
    args->lddz = core->heads * dim_v + dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->dz, core->rows * args->lddz, 1);
    fill_lse(&scores, dgm_trial_reals(trial, &args->lse, core->rows * core->heads, 1));
    give_outputs(trial, args, keys, dim_v);
}
