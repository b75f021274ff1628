/*
 * trial_attention.c: instances of attention: each term there or not, sentences ragged and some
 * empty, keys by index, forced rows, rows without a visible key.
 */
#include "device/trial/trial_attention.h"

#include <math.h>

enum { CLIP = 3, LABELS = 5, MANY_LABELS = 70 };

void dgm_trial_spans(struct dgm_trial *trial, struct dgm_trial_spans *spans, int uneven)
{
    const int64_t high = dgm_trial_once_in(trial, 3) ? 75 : 12;
    const int is_step = uneven && dgm_trial_once_in(trial, 3); /* of a decoder: one query each */

    spans->sentences = dgm_trial_between(trial, 1, DGM_TRIAL_SENTENCES);
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

static void give_spans(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
                       int64_t key_places, struct dgm_attention_inputs *in)
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
static void give_hidden(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
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

static void give_constants(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
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
static void give_relations(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
                           int64_t dim_v, struct dgm_attention_inputs *in,
                           struct dgm_attention *core)
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
static void give_window(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
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
static void give_parser(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
                        int64_t key_places, struct dgm_attention_inputs *in,
                        struct dgm_attention *core)
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

void dgm_trial_attention_inputs(struct dgm_trial *trial, const struct dgm_trial_spans *spans,
                                int64_t key_places, struct dgm_attention_inputs *in,
                                struct dgm_attention *core)
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
    give_constants(trial, spans, in, core);
    give_relations(trial, spans, dim_v, in, core);
    give_window(trial, spans, in, core);
    give_parser(trial, spans, key_places, in, core);
}

void dgm_trial_attention_forward(struct dgm_trial *trial, struct dgm_attention_forward_args *args)
{
    struct dgm_attention *core = &args->core;
    struct dgm_trial_spans spans = { 0 };
    int64_t key_places;

    dgm_trial_spans(trial, &spans, dgm_trial_once_in(trial, 2));
    key_places = spans.keys + (dgm_trial_once_in(trial, 3) ? 5 : 0);
    dgm_trial_attention_inputs(trial, &spans, key_places, &args->in, core);
    core->ldz = core->heads * (core->value_dim > 0 ? core->value_dim : core->head_dim) +
                dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->z, core->rows * core->ldz, 1)[0] = (dgm_real)NAN;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->lse, core->rows * core->heads, 1);
}
