/*
 * attention_batch.h: a random batch of attention on the CPU device, with every kind of operand,
 * and what both passes over it leave: shared by the tests of run_attention.c.
 */
#ifndef DGM_TEST_ATTENTION_BATCH_H
#define DGM_TEST_ATTENTION_BATCH_H

#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"
#include "open_device.h"
#include "test.h"

enum {
    SENTENCES = 23,
    HEADS = 3,
    DIM = 12,
    WIDTH = HEADS * DIM,
    LONGEST = 40,
    LABELS = 5,
    ROWS = SENTENCES * LONGEST,
    CELLS = ROWS * LONGEST,
    TABLE = LABELS * DIM
};

/* What a run leaves: packed outputs of all sentences, and the tables' gradients. */
struct result {
    dgm_real z[ROWS * WIDTH], lse[ROWS * HEADS], dqkv[ROWS * 3 * WIDTH], tables[4 * TABLE];
    dgm_real dcenter[ROWS * HEADS], dwindow[ROWS * HEADS], dparser_q[ROWS * DIM];
};

/* A batch on the host; sentence s has as many keys as queries. */
struct batch {
    dgm_real qkv[ROWS * 3 * WIDTH], dz[ROWS * WIDTH], tables[4 * TABLE], factor[CELLS];
    dgm_real center[ROWS * HEADS], window[ROWS * HEADS], parser_q[ROWS * DIM];
    unsigned char labels[CELLS], hidden[CELLS], ignored[ROWS * HEADS];
    int32_t forced[ROWS];
    int32_t offsets[SENTENCES + 1], counts[SENTENCES], squares[SENTENCES], places[2 * ROWS];
    struct result first, second;
};

struct run {
    struct dgm_device *device;
    struct dgm_buffer *buffers[32];
    int count;
    struct dgm_attention_forward_args forward;
    struct dgm_attention_backward_args backward;
};

static inline void fill_reals(struct dgm_random *random, dgm_real *x, int64_t count)
{
    int64_t i;

    for (i = 0; i < count; i++)
        x[i] = (dgm_real)(2 * dgm_random_unit(random) - 1);
}

static inline void fill_batch(struct batch *b)
{
    struct dgm_random random;
    int32_t square = 0, i, s;

    dgm_random_init(&random, 6, 0, 0, 0);
    fill_reals(&random, b->qkv, ROWS * 3 * WIDTH);
    fill_reals(&random, b->dz, ROWS * WIDTH);
    fill_reals(&random, b->tables, 4 * TABLE);
    fill_reals(&random, b->factor, CELLS);
    fill_reals(&random, b->center, ROWS * HEADS);
    fill_reals(&random, b->parser_q, ROWS * DIM);
    for (i = 0; i < ROWS * HEADS; i++) {
        b->center[i] = (dgm_real)LONGEST / 2 * (b->center[i] + 1);
        b->window[i] = (dgm_real)(8 + dgm_random_unit(&random));
        b->ignored[i] = (unsigned char)(dgm_random_below(&random, 2));
    }
    for (i = 0; i < CELLS; i++) {
        b->labels[i] = (unsigned char)dgm_random_below(&random, LABELS);
        b->hidden[i] = dgm_random_below(&random, 8) == 0;
    }
    for (s = 0; s < SENTENCES; s++) {
        b->counts[s] = 1 + (int32_t)dgm_random_below(&random, LONGEST);
        b->offsets[s + 1] = b->offsets[s] + b->counts[s];
        b->squares[s] = square;
        square += b->counts[s] * b->counts[s];
        for (i = 0; i < b->counts[s]; i++) {
            b->places[2 * (b->offsets[s] + i)] = 900 + s;
            b->places[2 * (b->offsets[s] + i) + 1] = i;
            b->forced[b->offsets[s] + i] = (int32_t)dgm_random_below(&random, (uint32_t)i + 2) - 1;
        }
    }
}

/* A device copy of `bytes` bytes, zeros if data is NULL; an absent operand on failure. */
static inline struct dgm_ref upload(struct run *run, const void *data, size_t bytes)
{
    struct dgm_ref ref = { NULL, 0 };
    struct dgm_buffer *buffer;

    if (dgm_device_alloc(test_env(), run->device, &buffer, bytes) != DGM_OK)
        return ref;
    run->buffers[run->count++] = buffer;
    ref.buffer = buffer;
    if (data != NULL)
        (void)dgm_device_write(test_env(), run->device, ref, data, bytes);
    return ref;
}

static inline struct dgm_ref column(struct dgm_ref ref, size_t count)
{
    return dgm_ref_at(ref, count * sizeof(dgm_real));
}

/* Both passes over the same operands. */
static inline void share_operands(struct run *run)
{
    struct dgm_attention_forward_args *f = &run->forward;
    struct dgm_attention_backward_args *b = &run->backward;

    b->lse = f->lse;
    b->in = f->in;
    b->core = f->core;
    b->lddq = b->lddk = b->lddv = 3 * WIDTH;
    b->lddz = WIDTH;
}

static inline void set_core(struct dgm_attention *core)
{
    core->sentences = SENTENCES;
    core->heads = HEADS;
    core->head_dim = DIM;
    core->ldq = core->ldk = core->ldv = 3 * WIDTH;
    core->ldz = WIDTH;
    core->rows = core->key_rows_total = ROWS;
    core->scale = (dgm_real)0.3;
    core->causal = 1;
    core->factor_heads[0] = HEADS;
    core->label_count[0] = core->label_count[1] = LABELS;
    core->clip[0] = LABELS / 2;
    core->drop.rate = (dgm_real)0.2;
    core->drop.stream = 40;
    core->drop.key[0] = 8;
}

static inline void set_operands(struct run *run, const struct batch *b)
{
    struct dgm_attention_forward_args *f = &run->forward;
    struct dgm_ref qkv, tables, grads;
    int t;

    qkv = upload(run, b->qkv, sizeof b->qkv);
    f->in.q = qkv;
    f->in.k = column(qkv, WIDTH);
    f->in.v = column(qkv, 2 * WIDTH);
    f->z = upload(run, NULL, sizeof b->first.z);
    f->lse = upload(run, NULL, sizeof b->first.lse);
    f->in.q_offsets = f->in.k_starts = upload(run, b->offsets, sizeof b->offsets);
    f->in.k_counts = upload(run, b->counts, sizeof b->counts);
    f->in.squares = upload(run, b->squares, sizeof b->squares);
    f->in.places = upload(run, b->places, sizeof b->places);
    f->in.factor[0] = upload(run, b->factor, sizeof b->factor);
    f->in.hidden = upload(run, b->hidden, sizeof b->hidden);
    f->in.center = upload(run, b->center, sizeof b->center);
    f->in.window = upload(run, b->window, sizeof b->window);
    f->in.labels[1] = upload(run, b->labels, sizeof b->labels);
    tables = upload(run, b->tables, sizeof b->tables);
    grads = upload(run, NULL, sizeof b->first.tables);
    for (t = 0; t < 2; t++) {
        f->in.key_table[t] = column(tables, (size_t)(2 * t) * TABLE);
        f->in.value_table[t] = column(tables, (size_t)(2 * t + 1) * TABLE);
        run->backward.dkey_table[t] = column(grads, (size_t)(2 * t) * TABLE);
        run->backward.dvalue_table[t] = column(grads, (size_t)(2 * t + 1) * TABLE);
    }
    run->backward.dq = upload(run, NULL, sizeof b->first.dqkv);
    run->backward.dk = column(run->backward.dq, WIDTH);
    run->backward.dv = column(run->backward.dq, 2 * WIDTH);
    run->backward.dcenter = upload(run, NULL, sizeof b->first.dcenter);
    run->backward.dwindow = upload(run, NULL, sizeof b->first.dwindow);
    run->backward.dz = upload(run, b->dz, sizeof b->dz);
    set_core(&f->core);
    share_operands(run);
}

static inline void close_run(struct run *run)
{
    while (run->count > 0)
        dgm_device_release(test_env(), run->device, run->buffers[--run->count]);
    if (run->device != NULL)
        dgm_device_close(test_env(), run->device);
}

/* Head `head` becomes a parser, whose keys are that head's own columns of k. */
static inline void add_parser(struct run *run, const struct batch *b, int head)
{
    struct dgm_attention_backward_args *back = &run->backward;
    struct dgm_attention_inputs *in = &run->forward.in;
    struct dgm_attention *core = &run->forward.core;

    core->parser_head = head;
    core->parser_dim = core->ld_parser_q = DIM;
    core->ld_parser_k = 3 * WIDTH;
    in->parser_q = upload(run, b->parser_q, sizeof b->parser_q);
    in->parser_k = column(in->k, (size_t)head * DIM);
    back->dparser_q = upload(run, NULL, sizeof b->first.dparser_q);
    back->dparser_k = column(back->dk, (size_t)head * DIM);
    back->ld_dparser_q = DIM;
    back->ld_dparser_k = 3 * WIDTH;
    back->accumulate_parser_k = 1;
    share_operands(run);
}

/* Opens a device with the batch on it; 0 without memory. */
static inline int open_run(struct run *run, const struct batch *b, int threads)
{
    memset(run, 0, sizeof *run);
    if (open_device(test_env(), &run->device, threads) != DGM_OK)
        return 0;
    set_operands(run, b);
    if (test_env()->error.status == DGM_OK)
        return 1;
    close_run(run);
    return 0;
}

/* Reads reals of an operand that may be absent. */
static inline int read_reals(struct run *run, dgm_real *out, struct dgm_ref from, size_t bytes)
{
    return from.buffer == NULL ||
           dgm_device_read(test_env(), run->device, out, from, bytes) == DGM_OK;
}

static inline int read_result(struct run *run, struct result *result)
{
    const struct dgm_attention_backward_args *b = &run->backward;

    return read_reals(run, result->z, run->forward.z, sizeof result->z) &&
           read_reals(run, result->lse, b->lse, sizeof result->lse) &&
           read_reals(run, result->dqkv, b->dq, sizeof result->dqkv) &&
           read_reals(run, result->tables, b->dkey_table[0], sizeof result->tables) &&
           read_reals(run, result->dcenter, b->dcenter, sizeof result->dcenter) &&
           read_reals(run, result->dwindow, b->dwindow, sizeof result->dwindow) &&
           read_reals(run, result->dparser_q, b->dparser_q, sizeof result->dparser_q);
}

/* Both passes over sentences s .. s+count-1; 0 on failure. */
static inline int run_sentences(struct run *run, int s, int count, struct result *result)
{
    struct dgm_attention_forward_args f = run->forward;
    struct dgm_attention_backward_args b = run->backward;
    struct dgm_env *env = test_env();
    size_t skip = (size_t)s * sizeof(int32_t);

    f.core.sentences = b.core.sentences = count;
    f.in.q_offsets = b.in.q_offsets = dgm_ref_at(f.in.q_offsets, skip);
    f.in.k_starts = b.in.k_starts = dgm_ref_at(f.in.k_starts, skip);
    f.in.k_counts = b.in.k_counts = dgm_ref_at(f.in.k_counts, skip);
    f.in.squares = b.in.squares = dgm_ref_at(f.in.squares, skip);
    return dgm_device_run(env, run->device, DGM_TASK_attention_forward, &f) == DGM_OK &&
           dgm_device_run(env, run->device, DGM_TASK_attention_backward, &b) == DGM_OK &&
           read_result(run, result);
}

static inline struct batch *new_batch(void)
{
    struct batch *b = dgm_alloc(test_env(), 1, sizeof *b);

    if (b != NULL)
        fill_batch(b);
    return b;
}

#endif
