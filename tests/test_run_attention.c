/*
 * test_run_attention.c: batches of attention on the CPU device: bits do not depend on threads or
 * on neighbours, terms touch their heads only, and tables get the gradients of all sentences.
 */
#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "device/task.h"
#include "test.h"

enum {
    SENTENCES = 23, HEADS = 3, DIM = 12, WIDTH = HEADS * DIM, LONGEST = 40, LABELS = 5,
    ROWS = SENTENCES * LONGEST, CELLS = ROWS * LONGEST, TABLE = LABELS * DIM
};

/* What a run leaves: packed outputs of all sentences, and the tables' gradients. */
struct result {
    dgm_real z[ROWS * WIDTH], lse[ROWS * HEADS], dqkv[ROWS * 3 * WIDTH], tables[4 * TABLE];
};

/* A batch on the host; sentence s has as many keys as queries. */
struct batch {
    dgm_real qkv[ROWS * 3 * WIDTH], dz[ROWS * WIDTH], tables[4 * TABLE], factor[CELLS];
    unsigned char labels[CELLS], hidden[CELLS];
    int32_t offsets[SENTENCES + 1], counts[SENTENCES], squares[SENTENCES], places[2 * ROWS];
    struct result first, second;
};

struct run {
    struct dgm_device *device;
    struct dgm_buffer *buffers[16];
    int count;
    struct dgm_attention_forward_args forward;
    struct dgm_attention_backward_args backward;
};

static void fill_reals(struct dgm_random *random, dgm_real *x, int64_t count)
{
    int64_t i;

    for (i = 0; i < count; i++)
        x[i] = (dgm_real)(2 * dgm_random_unit(random) - 1);
}

static void fill_batch(struct batch *b)
{
    struct dgm_random random;
    int32_t square = 0, i, s;

    dgm_random_init(&random, 6, 0, 0, 0);
    fill_reals(&random, b->qkv, ROWS * 3 * WIDTH);
    fill_reals(&random, b->dz, ROWS * WIDTH);
    fill_reals(&random, b->tables, 4 * TABLE);
    fill_reals(&random, b->factor, CELLS);
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
        }
    }
}

/* A device copy of `bytes` bytes, zeros if data is NULL; an absent operand on failure. */
static struct dgm_ref upload(struct run *run, const void *data, size_t bytes)
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

static struct dgm_ref column(struct dgm_ref ref, size_t count)
{
    return dgm_ref_at(ref, count * sizeof(dgm_real));
}

/* Both passes over the same operands. */
static void share_operands(struct run *run)
{
    struct dgm_attention_forward_args *f = &run->forward;
    struct dgm_attention_backward_args *b = &run->backward;

    b->lse = f->lse;
    b->q = f->q;
    b->k = f->k;
    b->v = f->v;
    b->q_offsets = f->q_offsets;
    b->k_starts = f->k_starts;
    b->k_counts = f->k_counts;
    b->squares = f->squares;
    b->places = f->places;
    b->factor = f->factor;
    b->hidden = f->hidden;
    memcpy(b->labels, f->labels, sizeof b->labels);
    memcpy(b->key_table, f->key_table, sizeof b->key_table);
    memcpy(b->value_table, f->value_table, sizeof b->value_table);
    b->core = f->core;
    b->lddq = b->lddk = b->lddv = 3 * WIDTH;
    b->lddz = WIDTH;
}

static void set_core(struct dgm_attention *core)
{
    core->sentences = SENTENCES;
    core->heads = HEADS;
    core->head_dim = DIM;
    core->ldq = core->ldk = core->ldv = 3 * WIDTH;
    core->ldz = WIDTH;
    core->rows = core->key_rows_total = ROWS;
    core->scale = (dgm_real)0.3;
    core->causal = 1;
    core->term_heads = HEADS;
    core->label_count[0] = core->label_count[1] = LABELS;
    core->clip[0] = LABELS / 2;
    core->drop.rate = (dgm_real)0.2;
    core->drop.stream = 40;
    core->drop.key[0] = 8;
}

static void set_operands(struct run *run, const struct batch *b)
{
    struct dgm_attention_forward_args *f = &run->forward;
    struct dgm_ref qkv, tables, grads;
    int t;

    qkv = upload(run, b->qkv, sizeof b->qkv);
    f->q = qkv;
    f->k = column(qkv, WIDTH);
    f->v = column(qkv, 2 * WIDTH);
    f->z = upload(run, NULL, sizeof b->first.z);
    f->lse = upload(run, NULL, sizeof b->first.lse);
    f->q_offsets = f->k_starts = upload(run, b->offsets, sizeof b->offsets);
    f->k_counts = upload(run, b->counts, sizeof b->counts);
    f->squares = upload(run, b->squares, sizeof b->squares);
    f->places = upload(run, b->places, sizeof b->places);
    f->factor = upload(run, b->factor, sizeof b->factor);
    f->hidden = upload(run, b->hidden, sizeof b->hidden);
    f->labels[1] = upload(run, b->labels, sizeof b->labels);
    tables = upload(run, b->tables, sizeof b->tables);
    grads = upload(run, NULL, sizeof b->first.tables);
    for (t = 0; t < 2; t++) {
        f->key_table[t] = column(tables, (size_t)(2 * t) * TABLE);
        f->value_table[t] = column(tables, (size_t)(2 * t + 1) * TABLE);
        run->backward.dkey_table[t] = column(grads, (size_t)(2 * t) * TABLE);
        run->backward.dvalue_table[t] = column(grads, (size_t)(2 * t + 1) * TABLE);
    }
    run->backward.dq = upload(run, NULL, sizeof b->first.dqkv);
    run->backward.dk = column(run->backward.dq, WIDTH);
    run->backward.dv = column(run->backward.dq, 2 * WIDTH);
    run->backward.dz = upload(run, b->dz, sizeof b->dz);
    set_core(&f->core);
    share_operands(run);
}

static void close_run(struct run *run)
{
    while (run->count > 0)
        dgm_device_release(test_env(), run->device, run->buffers[--run->count]);
    if (run->device != NULL)
        dgm_device_close(test_env(), run->device);
}

/* Opens a device with the batch on it; 0 without memory. */
static int open_run(struct run *run, const struct batch *b, int threads)
{
    struct dgm_device_options options = { 0, NULL };

    memset(run, 0, sizeof *run);
    options.threads = threads;
    if (dgm_device_open(test_env(), &run->device, "cpu", &options) != DGM_OK)
        return 0;
    set_operands(run, b);
    if (test_env()->error.status == DGM_OK)
        return 1;
    close_run(run);
    return 0;
}

/* Both passes over sentences s .. s+count-1; 0 on failure. */
static int run_sentences(struct run *run, int s, int count, struct result *result)
{
    struct dgm_attention_forward_args f = run->forward;
    struct dgm_attention_backward_args b = run->backward;
    struct dgm_env *env = test_env();
    size_t skip = (size_t)s * sizeof(int32_t);

    f.core.sentences = b.core.sentences = count;
    f.q_offsets = b.q_offsets = dgm_ref_at(f.q_offsets, skip);
    f.k_starts = b.k_starts = dgm_ref_at(f.k_starts, skip);
    f.k_counts = b.k_counts = dgm_ref_at(f.k_counts, skip);
    f.squares = b.squares = dgm_ref_at(f.squares, skip);
    return dgm_device_run(env, run->device, DGM_TASK_attention_forward, &f) == DGM_OK
        && dgm_device_run(env, run->device, DGM_TASK_attention_backward, &b) == DGM_OK
        && dgm_device_read(env, run->device, result->z, f.z, sizeof result->z) == DGM_OK
        && dgm_device_read(env, run->device, result->lse, f.lse, sizeof result->lse) == DGM_OK
        && dgm_device_read(env, run->device, result->dqkv, b.dq, sizeof result->dqkv) == DGM_OK
        && dgm_device_read(env, run->device, result->tables, b.dkey_table[0],
                           sizeof result->tables) == DGM_OK;
}

static struct batch *new_batch(void)
{
    struct batch *b = dgm_alloc(test_env(), 1, sizeof *b);

    if (b != NULL)
        fill_batch(b);
    return b;
}

TEST(run_attention_kernel_bits_do_not_depend_on_threads)
{
    struct batch *b = new_batch();
    struct run run;
    int threads, done = b != NULL;

    for (threads = 1; done && threads <= 4; threads += 3) {
        done = open_run(&run, b, threads);
        if (done) {
            done = run_sentences(&run, 0, SENTENCES, threads == 1 ? &b->first : &b->second);
            close_run(&run);
        }
    }
    if (done)
        done = memcmp(&b->first, &b->second, sizeof b->first) == 0;
    dgm_release(test_env(), b);
    CHECK(done);
}

/* Rows of sentence s are the same in both results. */
static int same_rows(const struct batch *b, int s)
{
    size_t row = (size_t)b->offsets[s], rows = (size_t)b->counts[s], real = sizeof(dgm_real);

    return memcmp(b->first.z + row * WIDTH, b->second.z + row * WIDTH, rows * WIDTH * real) == 0
        && memcmp(b->first.lse + row * HEADS, b->second.lse + row * HEADS,
                  rows * HEADS * real) == 0
        && memcmp(b->first.dqkv + row * 3 * WIDTH, b->second.dqkv + row * 3 * WIDTH,
                  rows * 3 * WIDTH * real) == 0;
}

TEST(run_attention_kernel_bits_of_a_sentence_do_not_depend_on_its_neighbours)
{
    struct batch *b = new_batch();
    struct run whole, alone;
    int s, i, done = b != NULL && open_run(&whole, b, 2);

    if (done) {
        done = run_sentences(&whole, 0, SENTENCES, &b->first);
        close_run(&whole);
    }
    if (done && (done = open_run(&alone, b, 1)) != 0) {
        for (s = 0; done && s < SENTENCES; s++)
            done = run_sentences(&alone, s, 1, &b->second) && same_rows(b, s);
        close_run(&alone);
    }
    /* The tables of `alone` have gathered the gradients of every sentence by now. */
    for (i = 0; done && i < 4 * TABLE; i++)
        done = test_near(TEST_HERE, "tables", (double)b->second.tables[i],
                         (double)b->first.tables[i], 1e-4);
    dgm_release(test_env(), b);
    CHECK(done);
}

/* Head h of every row of z is the same in both results. */
static int same_head(const struct batch *b, int h)
{
    int i;

    for (i = 0; i < b->offsets[SENTENCES]; i++)
        if (memcmp(b->first.z + i * WIDTH + h * DIM, b->second.z + i * WIDTH + h * DIM,
                   DIM * sizeof(dgm_real)) != 0)
            return 0;
    return 1;
}

TEST(run_attention_kernel_terms_touch_their_heads_only)
{
    struct batch *b = new_batch();
    struct run run;
    int opened = b != NULL && open_run(&run, b, 1), done = opened;

    if (opened) {
        struct dgm_attention *core[2];
        core[0] = &run.forward.core;
        core[1] = &run.backward.core;
        done = run_sentences(&run, 0, SENTENCES, &b->first);
        core[0]->term_head = core[1]->term_head = 1;
        core[0]->term_heads = core[1]->term_heads = 1;
        done = done && run_sentences(&run, 0, SENTENCES, &b->second);
        done = done && !same_head(b, 0) && same_head(b, 1) && !same_head(b, 2);
        core[0]->term_heads = core[1]->term_heads = 0;
        done = done && run_sentences(&run, 0, SENTENCES, &b->first);
        done = done && same_head(b, 0) && !same_head(b, 1) && same_head(b, 2);
        close_run(&run);
    }
    dgm_release(test_env(), b);
    CHECK(done);
}
