/*
 * test_pairs.c: scores of pairs, their loss and log softmax: values and gradients against loops
 * in double, the same bits with any threads and neighbours, and no allocation when warm.
 */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "device/task.h"
#include "graph/op.h"
#include "open_device.h"
#include "test.h"

enum { SENTENCES = 9, WIDTH = 67, ROWS = 160, CELLS = 8192 };

/* One of every kind: a single row, a vector's width and one beside it, more than a tile. */
static const int32_t lengths[SENTENCES] = { 5, 1, 16, 2, 17, 49, 1, 31, 8 };

/* Everything that the tasks leave behind. */
struct result {
    dgm_real scores[CELLS], logs[CELLS], slopes[CELLS], losses[ROWS], dq[ROWS * WIDTH],
        dk[ROWS * WIDTH];
};

struct batch {
    dgm_real q[ROWS * WIDTH], k[ROWS * WIDTH];
    int32_t offsets[SENTENCES + 1], squares[SENTENCES], targets[ROWS];
    enum dgm_pair_mask mask;
    struct result first, second;
};

/* A batch on a device. */
struct run {
    struct dgm_device *device;
    struct dgm_buffer *buffers[16];
    int count;
    enum dgm_pair_mask mask;
    struct dgm_ref q, k, offsets, squares, targets, scores, logs, slopes, losses, dq, dk;
};

/* Of row i of n, whatever the mask leaves it. Every fifth is not supervised. */
static int32_t target_of(int32_t n, int32_t i, enum dgm_pair_mask mask)
{
    int32_t target = (i * 7 + 3) % (mask == DGM_PAIRS_CAUSAL ? i + 1 : n);

    if (i % 5 == 4 || (mask == DGM_PAIRS_NOT_SELF && n == 1))
        return -1;
    return mask == DGM_PAIRS_NOT_SELF && target == i ? (i + 1) % n : target;
}

static struct batch *new_batch(enum dgm_pair_mask mask)
{
    struct batch *b = dgm_alloc(test_env(), 1, sizeof *b);
    struct dgm_random random;
    int32_t s, i, square = 3; /* a gap before the first block */

    if (b == NULL)
        return NULL;
    b->mask = mask;
    dgm_random_init(&random, 4, 0, 0, 0);
    for (i = 0; i < ROWS * WIDTH; i++) {
        b->q[i] = (dgm_real)(dgm_random_normal(&random) / 3);
        b->k[i] = (dgm_real)dgm_random_normal(&random);
    }
    for (s = 0; s < SENTENCES; s++) {
        b->offsets[s + 1] = b->offsets[s] + lengths[s];
        b->squares[s] = square;
        square += lengths[s] * lengths[s];
        for (i = 0; i < lengths[s]; i++)
            b->targets[b->offsets[s] + i] = target_of(lengths[s], i, mask);
    }
    return b;
}

/* Data on the device, or zeros. */
static struct dgm_ref upload(struct run *run, const void *data, size_t bytes)
{
    struct dgm_ref ref = { NULL, 0 };

    if (dgm_device_alloc(test_env(), run->device, &ref.buffer, bytes) != DGM_OK)
        return ref;
    run->buffers[run->count++] = ref.buffer;
    if (data != NULL)
        (void)dgm_device_write(test_env(), run->device, ref, data, bytes);
    return ref;
}

static void close_run(struct run *run)
{
    while (run->count > 0)
        dgm_device_release(test_env(), run->device, run->buffers[--run->count]);
    if (run->device != NULL)
        dgm_device_close(test_env(), run->device);
}

static dgm_status open_run(struct run *run, const struct batch *b, int threads)
{
    memset(run, 0, sizeof *run);
    run->mask = b->mask;
    DGM_TRY(open_device(test_env(), &run->device, threads));
    run->q = upload(run, b->q, sizeof b->q);
    run->k = upload(run, b->k, sizeof b->k);
    run->offsets = upload(run, b->offsets, sizeof b->offsets);
    run->squares = upload(run, b->squares, sizeof b->squares);
    run->targets = upload(run, b->targets, sizeof b->targets);
    run->scores = upload(run, NULL, sizeof b->first.scores);
    run->logs = upload(run, NULL, sizeof b->first.logs);
    run->slopes = upload(run, NULL, sizeof b->first.slopes);
    run->losses = upload(run, NULL, sizeof b->first.losses);
    run->dq = upload(run, NULL, sizeof b->first.dq);
    run->dk = upload(run, NULL, sizeof b->first.dk);
    return test_env()->error.status;
}

/* ---- the tasks, on sentences s .. s+count-1 ------------------------------------------------- */

static dgm_status run_scores(struct run *run, int s, int count, struct dgm_ref to)
{
    struct dgm_pair_scores_args args;

    memset(&args, 0, sizeof args);
    args.scores = to;
    args.q = run->q;
    args.k = run->k;
    args.offsets = dgm_ref_at(run->offsets, (size_t)s * sizeof(int32_t));
    args.squares = dgm_ref_at(run->squares, (size_t)s * sizeof(int32_t));
    args.sentences = count;
    args.dim = args.ldq = args.ldk = WIDTH;
    return dgm_device_run(test_env(), run->device, DGM_TASK_pair_scores, &args);
}

static dgm_status run_loss(struct run *run, int s, int count, int want_gradient)
{
    struct dgm_pair_loss_args args;

    memset(&args, 0, sizeof args);
    args.scores = want_gradient ? run->slopes : run->scores;
    args.losses = run->losses;
    args.targets = run->targets;
    args.offsets = dgm_ref_at(run->offsets, (size_t)s * sizeof(int32_t));
    args.squares = dgm_ref_at(run->squares, (size_t)s * sizeof(int32_t));
    args.sentences = count;
    args.grad_scale = 2;
    args.mask = run->mask;
    args.want_gradient = want_gradient;
    return dgm_device_run(test_env(), run->device, DGM_TASK_pair_loss, &args);
}

static dgm_status run_logs(struct run *run, int s, int count)
{
    struct dgm_pair_log_softmax_args args;

    memset(&args, 0, sizeof args);
    args.y = run->logs;
    args.offsets = dgm_ref_at(run->offsets, (size_t)s * sizeof(int32_t));
    args.squares = dgm_ref_at(run->squares, (size_t)s * sizeof(int32_t));
    args.sentences = count;
    args.mask = run->mask;
    return dgm_device_run(test_env(), run->device, DGM_TASK_pair_log_softmax, &args);
}

static dgm_status run_slopes(struct run *run, int s, int count)
{
    struct dgm_pair_scores_backward_args args;

    memset(&args, 0, sizeof args);
    args.dq = run->dq;
    args.dk = run->dk;
    args.dscores = run->slopes;
    args.q = run->q;
    args.k = run->k;
    args.offsets = dgm_ref_at(run->offsets, (size_t)s * sizeof(int32_t));
    args.squares = dgm_ref_at(run->squares, (size_t)s * sizeof(int32_t));
    args.sentences = count;
    args.dim = args.ldq = args.ldk = WIDTH;
    return dgm_device_run(test_env(), run->device, DGM_TASK_pair_scores_backward, &args);
}

/* All tasks; the loss without a gradient must leave the scores as they are. */
static dgm_status run_all(struct run *run, int s, int count)
{
    DGM_TRY(run_scores(run, s, count, run->scores));
    DGM_TRY(run_scores(run, s, count, run->logs));
    DGM_TRY(run_scores(run, s, count, run->slopes));
    DGM_TRY(run_loss(run, s, count, 0));
    DGM_TRY(run_loss(run, s, count, 1));
    DGM_TRY(run_logs(run, s, count));
    return run_slopes(run, s, count);
}

static dgm_status read_all(struct run *run, struct result *r)
{
    struct dgm_env *env = test_env();

    DGM_TRY(dgm_device_read(env, run->device, r->scores, run->scores, sizeof r->scores));
    DGM_TRY(dgm_device_read(env, run->device, r->logs, run->logs, sizeof r->logs));
    DGM_TRY(dgm_device_read(env, run->device, r->slopes, run->slopes, sizeof r->slopes));
    DGM_TRY(dgm_device_read(env, run->device, r->losses, run->losses, sizeof r->losses));
    DGM_TRY(dgm_device_read(env, run->device, r->dq, run->dq, sizeof r->dq));
    return dgm_device_read(env, run->device, r->dk, run->dk, sizeof r->dk);
}

/* ---- values --------------------------------------------------------------------------------- */

static double dot(const dgm_real *a, const dgm_real *b)
{
    double sum = 0;

    for (int c = 0; c < WIDTH; c++)
        sum += (double)a[c] * (double)b[c];
    return sum;
}

static int is_hidden(const struct batch *b, int i, int j)
{
    return (b->mask == DGM_PAIRS_NOT_SELF && i == j) || (b->mask == DGM_PAIRS_CAUSAL && j > i);
}

/* Log-probabilities of row i, from the rows of q and k alone. */
static void row_logs(const struct batch *b, int s, int i, double *e, double *logs)
{
    const dgm_real *q = b->q + (b->offsets[s] + i) * WIDTH, *k = b->k + b->offsets[s] * WIDTH;
    double sum = 0;
    int j, n = lengths[s];

    for (j = 0; j < n; j++) {
        e[j] = dot(q, k + j * WIDTH);
        sum += is_hidden(b, i, j) ? 0 : exp(e[j]);
    }
    for (j = 0; j < n; j++)
        logs[j] = is_hidden(b, i, j) ? -(double)INFINITY : e[j] - log(sum);
}

static void check_row(const struct batch *b, int s, int i)
{
    const struct result *r = &b->first;
    const int n = lengths[s], target = b->targets[b->offsets[s] + i];
    const int at = b->squares[s] + i * n;
    double e[64], logs[64];
    int j;

    row_logs(b, s, i, e, logs);
    for (j = 0; j < n; j++) {
        double want = target < 0 ? 0 : 2 * (exp(logs[j]) - (j == target));
        CHECK_NEAR(r->scores[at + j], e[j], 2e-5);
        CHECK_NEAR(r->logs[at + j], logs[j], 5e-5);
        CHECK_NEAR(r->slopes[at + j], want, 5e-5);
        if (target < 0)
            CHECK(r->slopes[at + j] == 0);
    }
    if (target < 0)
        CHECK(r->losses[b->offsets[s] + i] == 0);
    else
        CHECK_NEAR(r->losses[b->offsets[s] + i], -logs[target], 5e-5);
}

/* Column c of row i of dq and dk, from the slopes that were found. */
static void check_slopes(const struct batch *b, int s, int i)
{
    const struct result *r = &b->first;
    const int n = lengths[s], first = b->offsets[s];
    const dgm_real *slopes = r->slopes + b->squares[s];
    int j, c;

    for (c = 0; c < WIDTH; c++) {
        double dq = 0, dk = 0;
        for (j = 0; j < n; j++) {
            dq += (double)slopes[i * n + j] * (double)b->k[(first + j) * WIDTH + c];
            dk += (double)slopes[j * n + i] * (double)b->q[(first + j) * WIDTH + c];
        }
        CHECK_NEAR(r->dq[(first + i) * WIDTH + c], dq, 2e-5);
        CHECK_NEAR(r->dk[(first + i) * WIDTH + c], dk, 2e-5);
    }
}

static void check_values(enum dgm_pair_mask mask)
{
    struct batch *b = new_batch(mask);
    struct run run;
    int s, i;

    CHECK(b != NULL);
    CHECK_STATUS(open_run(&run, b, 2), DGM_OK);
    CHECK_STATUS(run_all(&run, 0, SENTENCES), DGM_OK);
    CHECK_STATUS(read_all(&run, &b->first), DGM_OK);
    for (s = 0; s < SENTENCES; s++)
        for (i = 0; i < lengths[s]; i++) {
            check_row(b, s, i);
            check_slopes(b, s, i);
        }
    CHECK(b->first.scores[0] == 0 && b->first.slopes[2] == 0); /* the gap */
    close_run(&run);
    dgm_release(test_env(), b);
}

TEST(pairs_have_the_values_and_gradients_of_plain_loops)
{
    check_values(DGM_PAIRS_ALL);
}

TEST(pairs_without_themselves_have_the_values_and_gradients_of_plain_loops)
{
    check_values(DGM_PAIRS_NOT_SELF);
}

TEST(pairs_with_what_was_seen_have_the_values_and_gradients_of_plain_loops)
{
    check_values(DGM_PAIRS_CAUSAL);
}

/* ---- bits ----------------------------------------------------------------------------------- */

static void check_threads(enum dgm_pair_mask mask)
{
    struct batch *b = new_batch(mask);
    struct run run;
    int threads;

    CHECK(b != NULL);
    for (threads = 1; threads <= 3; threads++) {
        CHECK_STATUS(open_run(&run, b, threads), DGM_OK);
        CHECK_STATUS(run_all(&run, 0, SENTENCES), DGM_OK);
        CHECK_STATUS(read_all(&run, threads == 1 ? &b->first : &b->second), DGM_OK);
        close_run(&run);
        if (threads > 1)
            CHECK_MEM(&b->second, &b->first, sizeof b->first);
    }
    dgm_release(test_env(), b);
}

TEST(pairs_have_the_same_bits_on_any_number_of_threads)
{
    check_threads(DGM_PAIRS_NOT_SELF);
    check_threads(DGM_PAIRS_CAUSAL);
}

/* Sentences one by one, the last one first. */
static void check_neighbours(enum dgm_pair_mask mask)
{
    struct batch *b = new_batch(mask);
    struct run run;
    int alone, s;

    CHECK(b != NULL);
    for (alone = 0; alone < 2; alone++) {
        CHECK_STATUS(open_run(&run, b, 2), DGM_OK);
        if (!alone)
            CHECK_STATUS(run_all(&run, 0, SENTENCES), DGM_OK);
        for (s = SENTENCES - 1; alone && s >= 0; s--)
            CHECK_STATUS(run_all(&run, s, 1), DGM_OK);
        CHECK_STATUS(read_all(&run, alone ? &b->second : &b->first), DGM_OK);
        close_run(&run);
    }
    CHECK_MEM(&b->second, &b->first, sizeof b->first);
    dgm_release(test_env(), b);
}

TEST(pairs_have_the_same_bits_whatever_the_neighbours)
{
    check_neighbours(DGM_PAIRS_NOT_SELF);
    check_neighbours(DGM_PAIRS_CAUSAL);
}

TEST(pairs_allocate_nothing_when_warm)
{
    struct batch *b = new_batch(DGM_PAIRS_CAUSAL);
    struct run run;
    long before;

    CHECK(b != NULL);
    CHECK_STATUS(open_run(&run, b, 2), DGM_OK);
    CHECK_STATUS(run_all(&run, 0, SENTENCES), DGM_OK);
    before = test_allocations();
    CHECK_STATUS(run_all(&run, 0, SENTENCES), DGM_OK);
    CHECK_INT(test_allocations(), before);
    close_run(&run);
    dgm_release(test_env(), b);
}
