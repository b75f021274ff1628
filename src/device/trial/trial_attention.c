/*
 * trial_attention.c: instances of attention: each term there or not, sentences ragged and some
 * empty, keys by index, forced rows, rows without a visible key.
 */
#include <math.h>

#include "device/trial/trial.h"

enum { SENTENCES = 4, CLIP = 3, LABELS = 5, MANY_LABELS = 70 };

/* What is drawn before the operands. */
struct shape {
    int64_t sentences, rows, keys, cells, key_places, longest;
    int32_t offsets[SENTENCES + 1], starts[SENTENCES], counts[SENTENCES], squares[SENTENCES];
};

/* n and m of each sentence; m = n unless `uneven`, and then keys lie apart at times. */
static void draw_shape(struct dgm_trial *trial, struct shape *shape, int uneven)
{
    const int64_t high = dgm_trial_once_in(trial, 3) ? 75 : 12;

    shape->sentences = dgm_trial_between(trial, 1, SENTENCES);
    shape->rows = dgm_trial_offsets(trial, shape->offsets, shape->sentences,
                                    dgm_trial_between(trial, 0, 1), high);
    for (int64_t s = 0; s < shape->sentences; s++) {
        const int64_t n = shape->offsets[s + 1] - shape->offsets[s];
        const int64_t m = uneven ? dgm_trial_between(trial, 0, high) : n;

        shape->counts[s] = (int32_t)m;
        shape->starts[s] = (int32_t)shape->keys;
        shape->squares[s] = (int32_t)shape->cells;
        shape->keys += m + (uneven ? dgm_trial_between(trial, 0, 2) : 0);
        shape->cells += n * m;
        shape->longest = m > shape->longest ? m : shape->longest;
    }
}

static void copy_ints(int32_t *to, const int32_t *from, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = from[i];
}

static void give_spans(struct dgm_trial *trial, const struct shape *shape, int64_t key_places,
                       struct dgm_attention_inputs *in)
{
    const int64_t s = shape->sentences;

    copy_ints(dgm_trial_ints(trial, &in->q_offsets, s + 1, 0, 0), shape->offsets, s + 1);
    copy_ints(dgm_trial_ints(trial, &in->k_starts, s, 0, 0), shape->starts, s);
    copy_ints(dgm_trial_ints(trial, &in->k_counts, s, 0, 0), shape->counts, s);
    copy_ints(dgm_trial_ints(trial, &in->squares, s, 0, 0), shape->squares, s);
    if (key_places > shape->keys)
        dgm_trial_ints(trial, &in->key_rows, shape->keys, 0, key_places - 1);
}

/* One row in eight hides every key. */
static void give_hidden(struct dgm_trial *trial, const struct shape *shape,
                        struct dgm_attention_inputs *in)
{
    unsigned char *hidden = dgm_trial_bytes(trial, &in->hidden, shape->cells);

    for (int64_t s = 0; s < shape->sentences; s++)
        for (int64_t i = 0; i < shape->offsets[s + 1] - shape->offsets[s]; i++) {
            const int64_t at = shape->squares[s] + i * shape->counts[s];
            const int all = dgm_trial_once_in(trial, 8);

            for (int64_t j = 0; j < shape->counts[s]; j++)
                hidden[at + j] = all || (hidden[at + j] && dgm_trial_once_in(trial, 2));
        }
}

static void give_constants(struct dgm_trial *trial, const struct shape *shape,
                           struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    for (int f = 0; f < 2; f++) {
        core->factor_heads[f] = dgm_trial_between(trial, 1, core->heads);
        core->factor_first[f] = dgm_trial_between(trial, 0, core->heads - core->factor_heads[f]);
        if (dgm_trial_once_in(trial, 3))
            dgm_trial_reals(trial, &in->factor[f], shape->cells, 1);
    }
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_bytes(trial, &in->ignored, shape->rows * core->heads);
    if (dgm_trial_once_in(trial, 3))
        dgm_trial_reals(trial, &in->addend, shape->cells, 1);
    if (dgm_trial_once_in(trial, 3))
        give_hidden(trial, shape, in);
}

/* Each by offset or by label; tables of keys, of values or of both. */
static void give_relations(struct dgm_trial *trial, const struct shape *shape, int64_t dim_v,
                           struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    for (int t = 0; t < 2; t++) {
        const int many = dgm_trial_once_in(trial, 4), which = (int)dgm_trial_between(trial, 0, 2);

        if (!dgm_trial_once_in(trial, 3))
            continue;
        core->clip[t] = many ? MANY_LABELS / 2 : CLIP;
        core->label_count[t] = 2 * core->clip[t] + 1;
        if (dgm_trial_once_in(trial, 2)) {
            unsigned char *labels = dgm_trial_bytes(trial, &in->labels[t], shape->cells);

            core->label_count[t] = many ? MANY_LABELS : LABELS;
            for (int64_t i = 0; i < shape->cells; i++)
                labels[i] = (unsigned char)dgm_trial_between(trial, 0, core->label_count[t] - 1);
        }
        if (which != 0)
            dgm_trial_reals(trial, &in->key_table[t], core->label_count[t] * core->head_dim, 0.5);
        if (which != 1)
            dgm_trial_reals(trial, &in->value_table[t], core->label_count[t] * dim_v, 0.5);
    }
}

static void give_window(struct dgm_trial *trial, const struct shape *shape,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    const int64_t count = shape->rows * core->heads;
    dgm_real *x;

    core->window_size = 3;
    if (!dgm_trial_once_in(trial, 3))
        return;
    x = dgm_trial_reals(trial, &in->center, count, 0);
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)((double)shape->longest * dgm_random_unit(&trial->random));
    if (dgm_trial_once_in(trial, 2))
        return;
    x = dgm_trial_reals(trial, &in->window, count, 0);
    for (int64_t i = 0; i < count; i++)
        x[i] = (dgm_real)(1 + 4 * dgm_random_unit(&trial->random));
}

/* The parser head's q and k; a forced key may be one that the query does not see. */
static void give_parser(struct dgm_trial *trial, const struct shape *shape, int64_t key_places,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    int32_t *forced;

    if (!dgm_trial_once_in(trial, 3))
        return;
    core->parser_head = dgm_trial_between(trial, 0, core->heads - 1);
    core->parser_dim = dgm_trial_between(trial, 1, 20);
    core->ld_parser_q = core->parser_dim + dgm_trial_between(trial, 0, 2);
    core->ld_parser_k = core->parser_dim + dgm_trial_between(trial, 0, 2);
    dgm_trial_reals(trial, &in->parser_q, shape->rows * core->ld_parser_q, 0.5);
    dgm_trial_reals(trial, &in->parser_k, key_places * core->ld_parser_k, 0.5);
    if (dgm_trial_once_in(trial, 2))
        return;
    forced = dgm_trial_ints(trial, &in->forced, shape->rows, -1, -1);
    for (int64_t s = 0; s < shape->sentences; s++)
        for (int64_t i = shape->offsets[s]; i < shape->offsets[s + 1]; i++)
            forced[i] = (int32_t)dgm_trial_between(trial, -1, shape->counts[s] - 1);
}

/* All inputs, and `core` but for ldz. */
static void give_inputs(struct dgm_trial *trial, const struct shape *shape, int64_t key_places,
                        struct dgm_attention_inputs *in, struct dgm_attention *core)
{
    const int64_t most = dgm_trial_once_in(trial, 3) ? 70 : 20;
    int64_t dim_v;

    core->sentences = shape->sentences;
    core->rows = shape->rows;
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
    dgm_trial_drop(trial, &core->drop, &in->places, shape->rows);
    dgm_trial_reals(trial, &in->q, shape->rows * core->ldq, 1);
    dgm_trial_reals(trial, &in->k, key_places * core->ldk, 1);
    dgm_trial_reals(trial, &in->v, key_places * core->ldv, 1);
    give_spans(trial, shape, key_places, in);
    give_constants(trial, shape, in, core);
    give_relations(trial, shape, dim_v, in, core);
    give_window(trial, shape, in, core);
    give_parser(trial, shape, key_places, in, core);
}

void dgm_trial_attention_forward(struct dgm_trial *trial, struct dgm_attention_forward_args *args)
{
    struct dgm_attention *core = &args->core;
    struct shape shape = { 0 };
    int64_t key_places;

    draw_shape(trial, &shape, dgm_trial_once_in(trial, 2));
    key_places = shape.keys + (dgm_trial_once_in(trial, 3) ? 5 : 0);
    give_inputs(trial, &shape, key_places, &args->in, core);
    core->ldz = core->heads * (core->value_dim > 0 ? core->value_dim : core->head_dim) +
                dgm_trial_between(trial, 0, 3);
    dgm_trial_reals(trial, &args->z, core->rows * core->ldz, 1)[0] = (dgm_real)NAN;
    if (dgm_trial_once_in(trial, 2))
        dgm_trial_reals(trial, &args->lse, core->rows * core->heads, 1);
}
