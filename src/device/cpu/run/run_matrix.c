/*
 * run_matrix.c: the matrix product on the CPU with operands in bf16: cuts it into tiles for the
 * kernels of matrix.h.
 *
 * For some columns and one block of steps at a time, op(b) is copied into panels that all threads
 * share. C is cut into blocks of rows, and into strips of panels where these are too few; a thread
 * copies the rows of op(a) of its block. Of a batch of small products each is one thread's.
 */
#include "device/cpu/tiles.h"

/* Rows of a block; pairs in panels that are shared at a time, at most: 2 MiB. */
enum { BLOCK = 4 * DGM_MATRIX_ROWS, SHARED_PAIRS = 1 << 19 };

/* Steps that are not worth waking anyone for. Products of a batch up to these sizes are shared out
 * one by one. */
enum { FEW_STEPS = 1 << 17, SMALL_PRODUCT = 1 << 22, SMALL_PAIRS = 1 << 16 };

/* Panels of a tile: two, whose columns of op(b) the rows of a block pass by. */
enum { TILE_PANELS = 2 };

struct job {
    const struct dgm_matrix_kernels *kernels;
    const struct dgm_cpu *cpu;
    const struct dgm_gemm_args *args;
    dgm_real *c;
    const dgm_real *a, *b, *bias;
    int64_t most_pairs, most_panels;
    int64_t j, panels;     /* the columns of the panels, from j on */
    int64_t t, steps;      /* the block of steps */
    int64_t pairs;         /* of it */
    int64_t block, blocks; /* of rows */
    int64_t strip, strips; /* of panels */
    uint32_t *packed;      /* op(b) */
    int worker;            /* that does all of it; -1: all do */
};

/* Panels that are shared at a time. */
static int64_t most_panels(const struct job *job)
{
    const int64_t panels = dgm_narrow_panels(job->args->n);
    const int64_t each = job->most_pairs * DGM_NARROW_LANES;

    return each > 0 ? dgm_cpu_min(SHARED_PAIRS / each, panels) : panels;
}

/* Pairs of a block of op(a), and of the panels of op(b), at most. */
static int64_t block_pairs(const struct job *job)
{
    return job->block * job->most_pairs;
}

static int64_t panel_pairs(const struct job *job)
{
    return job->most_panels * DGM_NARROW_LANES * job->most_pairs;
}

static void pack_panel(void *shared, int64_t panel, int worker)
{
    const struct job *job = shared;
    const struct dgm_gemm_args *args = job->args;
    const int64_t j = job->j + panel * DGM_NARROW_LANES;
    struct dgm_matrix_pack pack;

    (void)worker;
    pack.to = job->packed + panel * job->pairs * DGM_NARROW_LANES;
    pack.line = args->form == DGM_NT ? args->ldb : 1;
    pack.step = args->form == DGM_NT ? 1 : args->ldb;
    pack.from = job->b + j * pack.line + job->t * pack.step;
    pack.lines = dgm_cpu_min(DGM_NARROW_LANES, args->n - j);
    pack.steps = job->steps;
    job->kernels->pack_lanes(&pack);
}

/* Rows i .. i + rows - 1 of op(a). */
static void pack_block(const struct job *job, uint32_t *to, int64_t i, int64_t rows)
{
    const struct dgm_gemm_args *args = job->args;
    struct dgm_matrix_pack pack;

    pack.to = to;
    pack.line = args->form == DGM_TN ? 1 : args->lda;
    pack.step = args->form == DGM_TN ? args->lda : 1;
    pack.from = job->a + i * pack.line + job->t * pack.step;
    pack.lines = rows;
    pack.steps = job->steps;
    job->kernels->pack_rows(&pack);
}

/* Rows from i on times panels from p on. */
static void multiply_tile(const struct job *job, const uint32_t *a, int64_t i, int64_t rows,
                          int64_t p, int64_t panels)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t j = job->j + p * DGM_NARROW_LANES;
    const int is_last = job->t + job->steps >= args->k;
    struct dgm_narrow_tile tile = { 0 };

    tile.rows = rows;
    tile.panels = panels;
    tile.groups = job->pairs;
    tile.q = a;
    tile.w = (const uint8_t *)(job->packed + p * job->pairs * DGM_NARROW_LANES);
    tile.end = dgm_cpu_min(panels * DGM_NARROW_LANES, args->n - j);
    tile.c = job->c + i * args->ldc + j;
    tile.ldc = args->ldc;
    tile.alpha = args->alpha;
    tile.beta = job->t == 0 ? args->beta : 1;
    tile.bias = is_last && job->bias ? job->bias + j : NULL;
    tile.relu = is_last && args->relu;
    job->kernels->tile(&tile);
}

static void multiply_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t i = chunk / job->strips * job->block, first = chunk % job->strips * job->strip;
    const int64_t rows = dgm_cpu_min(job->block, job->args->m - i);
    const int64_t end = dgm_cpu_min(first + job->strip, job->panels);
    uint32_t *a = dgm_cpu_scratch(job->cpu, worker, (size_t)(job->block * job->pairs) * sizeof *a);

    pack_block(job, a, i, rows);
    job->kernels->begin();
    for (int64_t p = first; p < end; p += TILE_PANELS)
        for (int64_t r = 0; r < rows; r += DGM_MATRIX_ROWS)
            multiply_tile(job, a + r * job->pairs, i + r, dgm_cpu_min(DGM_MATRIX_ROWS, rows - r), p,
                          dgm_cpu_min(TILE_PANELS, end - p));
    job->kernels->end();
}

/* Two chunks or more for every thread, where there is so much of C. */
static int64_t wanted_chunks(const struct job *job)
{
    return job->worker < 0 ? 2 * job->cpu->threads : 1;
}

static int64_t rows_of_a_block(const struct job *job)
{
    const int64_t tiles = dgm_cpu_chunks(job->args->m, DGM_MATRIX_ROWS);
    const int64_t each = dgm_cpu_chunks(tiles, wanted_chunks(job));

    return DGM_MATRIX_ROWS * dgm_cpu_min(BLOCK / DGM_MATRIX_ROWS, each);
}

static void cut(struct job *job)
{
    job->blocks = dgm_cpu_chunks(job->args->m, job->block);
    job->strip = dgm_cpu_chunks(job->panels, dgm_cpu_chunks(wanted_chunks(job), job->blocks));
    job->strip = dgm_cpu_chunks(job->strip, TILE_PANELS) * TILE_PANELS;
    job->strips = dgm_cpu_chunks(job->panels, job->strip);
}

/* By one worker, or by all, where there is work enough to wake them. */
static void run(struct job *job, dgm_pool_fn *fn, int64_t chunks)
{
    const int64_t steps = job->args->m * job->args->n * job->args->k;

    if (job->worker < 0 && steps > FEW_STEPS) {
        dgm_pool_run(job->cpu->pool, fn, job, chunks);
        return;
    }
    for (int64_t chunk = 0; chunk < chunks; chunk++)
        fn(job, chunk, job->worker < 0 ? 0 : job->worker);
}

static void multiply_item(struct job *job)
{
    const struct dgm_gemm_args *args = job->args;

    for (job->j = 0; job->j < args->n; job->j += job->most_panels * DGM_NARROW_LANES) {
        job->panels = dgm_cpu_min(job->most_panels, dgm_narrow_panels(args->n - job->j));
        cut(job);
        job->t = 0;
        do { /* once where there are no steps: C is beta C, and what follows */
            job->steps = dgm_cpu_min(DGM_MATRIX_K, args->k - job->t);
            job->pairs = dgm_matrix_pairs(job->steps);
            run(job, pack_panel, job->panels);
            run(job, multiply_chunk, job->blocks * job->strips);
            job->t += DGM_MATRIX_K;
        } while (job->t < args->k);
    }
}

/* One product of a batch, by one worker, whose scratch memory has room for the panels, too. */
static void item_chunk(void *shared, int64_t item, int worker)
{
    struct job job = *(const struct job *)shared;

    job.worker = worker;
    job.packed = (uint32_t *)dgm_cpu_scratch(job.cpu, worker, 0) + block_pairs(&job);
    job.a += item * job.args->stride_a;
    job.b += item * job.args->stride_b;
    job.c += item * job.args->stride_c;
    multiply_item(&job);
}

static int shares_out_items(const struct job *job)
{
    const struct dgm_gemm_args *args = job->args;

    return args->batch > 1 && panel_pairs(job) <= SMALL_PAIRS &&
           args->m * args->n * args->k <= SMALL_PRODUCT;
}

static dgm_status multiply_items(struct dgm_env *env, struct dgm_cpu *cpu, struct job *job)
{
    const int64_t all = job->args->batch * job->args->m * job->args->n * job->args->k;
    const size_t pairs = (size_t)(block_pairs(job) + panel_pairs(job));

    DGM_TRY(dgm_cpu_reserve(env, cpu, pairs * sizeof(uint32_t)));
    dgm_cpu_run_chunks(cpu, item_chunk, job, job->args->batch, all <= FEW_STEPS);
    return DGM_OK;
}

dgm_status dgm_cpu_multiply_matrix(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args)
{
    struct job job = { .kernels = cpu->matrix, .cpu = cpu, .args = args, .worker = -1 };
    void *packed;

    job.c = dgm_cpu_at(args->c);
    job.a = dgm_cpu_at(args->a);
    job.b = dgm_cpu_at(args->b);
    job.bias = dgm_cpu_at(args->bias);
    job.most_pairs = dgm_matrix_pairs(dgm_cpu_min(DGM_MATRIX_K, args->k));
    job.most_panels = most_panels(&job);
    job.block = rows_of_a_block(&job);
    if (shares_out_items(&job))
        return multiply_items(env, cpu, &job);
    DGM_TRY(dgm_cpu_reserve(env, cpu, (size_t)block_pairs(&job) * sizeof(uint32_t)));
    DGM_TRY(
        dgm_cpu_reserve_shared(env, cpu, &packed, (size_t)panel_pairs(&job) * sizeof(uint32_t)));
    job.packed = packed;
    for (int64_t item = 0; item < args->batch; item++) {
        multiply_item(&job);
        job.a += args->stride_a;
        job.b += args->stride_b;
        job.c += args->stride_c;
    }
    return DGM_OK;
}
