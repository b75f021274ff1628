/*
 * run_gemm.c: the matrix product on the CPU: cuts it into tiles for the kernels of gemm.h.
 *
 * Two ways through the same tiles. Products with many rows copy op(b) into panels once, shared by
 * all threads, and cut C into blocks of rows (by strips of columns where rows alone are too few).
 * Products with few rows, above all the decoder's, and batches of small ones cut C by columns
 * instead: every weight is then read by one thread, once, and copied at most into its cache.
 * Whichever way, and wherever a cut falls, an element is the same sum in the same order: gemm.h
 * says which.
 */
#include "device/cpu/cpu.h"
#include "device/cpu/run/run_weights.h"
#include "device/cpu/tiles.h"

/* Up to so many rows, a product is cut by columns. */
#define FEW_ROWS 48

/*
 * Up to so many, where panels of op(b) would be more than the second cache holds, so that to write
 * and read them again costs more than they save (recurrent steps: 50 rows, (1500,500)), and where
 * that cache holds op(a), which every panel's width of columns reads: measured with AVX2 and 512.
 */
#define MORE_ROWS 128
#define LARGE_B ((int64_t)1 << 19)
#define SMALL_A ((int64_t)1 << 18)

/* The most columns in one of those cuts; fewer while threads would get less than two each. */
#define MOST_STRIP 256

/* The most multiply-adds of one product of a batch that is not worth panels of its own. */
#define SMALL_PRODUCT ((int64_t)1 << 22)

/* Reals of op(b) that are shared as panels at a time: 4 MiB. */
#define SHARED_REALS ((int64_t)1 << 20)

/* Up to so many columns, op(a) of form TN is read as it lies: a copy would be read too few
 * times. */
#define NARROW 256

struct job {
    const struct dgm_gemm_kernels *kernels;
    const struct dgm_cpu *cpu;
    const struct dgm_gemm_args *args;
    dgm_real *c;
    const dgm_real *a, *b, *bias;
    int64_t tiles, blocks; /* of rows */
    int64_t strip, strips; /* columns of a chunk, whole panels */
    dgm_real *panels;      /* of op(b): columns j0.., steps t0.. */
    int64_t j0, cols;
    int64_t t0, steps;
};

static int64_t round_up(int64_t count, int64_t step)
{
    return dgm_cpu_chunks(count, step) * step;
}

/* op(a) from row i and step t on. */
static void tile_a(const struct job *job, struct dgm_gemm_tile *tile, int64_t i, int64_t t)
{
    const struct dgm_gemm_args *args = job->args;

    tile->a_row = args->form == DGM_TN ? 1 : args->lda;
    tile->a_step = args->form == DGM_TN ? args->lda : 1;
    tile->a = job->a + i * tile->a_row + t * tile->a_step;
}

/* op(b) from step t and column j on, as it lies in memory. */
static const dgm_real *at_b(const struct job *job, int64_t t, int64_t j)
{
    return job->b + (job->args->form == DGM_NT ? j * job->args->ldb + t : t * job->args->ldb + j);
}

static void tile_c(const struct job *job, struct dgm_gemm_tile *tile, int64_t i, int64_t j,
                   int64_t t)
{
    dgm_cpu_tile_c(tile, job->args, job->c, job->bias, i, j, t);
}

static void pack_b(const struct job *job, dgm_real *to, int64_t t, int64_t steps, int64_t j,
                   int64_t cols)
{
    const struct dgm_gemm_kernels *kernels = job->kernels;

    (job->args->form == DGM_NT
         ? kernels->pack_columns
         : kernels->pack_rows)(to, kernels->nr, at_b(job, t, j), job->args->ldb, steps, cols);
}

/* What tiles fetch ahead, shared out among `tiles` of them. */
struct fetch {
    const dgm_real *from; /* NULL: nothing */
    int64_t lines, tiles;
    int64_t tile; /* that is next */
};

static struct fetch fetch_begin(const struct dgm_gemm_tile *tile, int64_t tiles)
{
    const struct fetch fetch = { .from = tile->ahead, .lines = tile->ahead_lines, .tiles = tiles };

    return fetch;
}

/* The share of the next tile. */
static void fetch_share(struct fetch *fetch, struct dgm_gemm_tile *tile)
{
    const int64_t first = fetch->lines * fetch->tile / fetch->tiles;

    if (!fetch->from)
        return;
    fetch->tile++;
    tile->ahead = fetch->from + first * tile->ahead_ld;
    tile->ahead_lines = fetch->lines * fetch->tile / fetch->tiles - first;
}

/* ---- few rows: cut by columns ------------------------------------------------------------ */

/*
 * The weights of form NT that follow the block of steps t and columns j: the block below, or the
 * top of the next columns. One thread alone goes on beyond its chunk.
 */
static void tile_ahead(const struct job *job, struct dgm_gemm_tile *tile, int64_t t, int64_t j,
                       int64_t width, int64_t end)
{
    int64_t next = j;

    tile->ahead = NULL;
    tile->ahead_ld = job->args->ldb;
    t += DGM_GEMM_K;
    if (t >= job->args->k) {
        t = 0;
        next += width;
    }
    if (job->args->form != DGM_NT || next >= (job->cpu->threads == 1 ? job->args->n : end))
        return;
    tile->ahead = at_b(job, t, next);
    tile->ahead_lines = dgm_cpu_min(width, job->args->n - next);
    tile->ahead_width = dgm_cpu_min(DGM_GEMM_K, job->args->k - t);
}

/* Weights of form NT, transposed on their way through the registers. */
static void run_thin(const struct job *job, int64_t j0, int64_t end)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t width = job->kernels->thin_cols;
    struct dgm_gemm_tile tile;

    tile.rows = args->m;
    tile.ldb = args->ldb;
    for (int64_t j = j0; j < end; j += width) {
        int64_t t = 0;

        tile.cols = dgm_cpu_min(width, end - j);
        do {
            tile.steps = dgm_cpu_min(DGM_GEMM_K, args->k - t);
            tile.b = at_b(job, t, j);
            tile_a(job, &tile, 0, t);
            tile_c(job, &tile, 0, j, t);
            tile_ahead(job, &tile, t, j, width, end);
            job->kernels->thin(&tile);
            t += DGM_GEMM_K;
        } while (t < args->k);
    }
}

/* All rows of one panel's width of columns and one block of steps. */
static void run_panel_block(const struct job *job, struct dgm_gemm_tile *tile, int64_t t, int64_t j,
                            int64_t end)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t mr = job->kernels->mr;
    struct fetch fetch;

    tile_ahead(job, tile, t, j, job->kernels->nr, end);
    fetch = fetch_begin(tile, dgm_cpu_chunks(args->m, mr));
    for (int64_t i = 0; i < args->m; i += mr) {
        tile->rows = dgm_cpu_min(mr, args->m - i);
        fetch_share(&fetch, tile);
        tile_a(job, tile, i, t);
        tile_c(job, tile, i, j, t);
        job->kernels->tile(tile);
    }
}

/* Panel by panel; op(b) is copied unless its rows can be read as they lie, by few tiles. */
static void run_panels(const struct job *job, dgm_real *panel, int64_t j0, int64_t end)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t mr = job->kernels->mr, nr = job->kernels->nr;
    struct dgm_gemm_tile tile;

    for (int64_t j = j0; j < end; j += nr) {
        const int64_t cols = dgm_cpu_min(nr, end - j);
        const int in_place = args->form != DGM_NT && cols == nr && args->m <= 2 * mr;
        int64_t t = 0;

        tile.cols = cols;
        tile.ldb = in_place ? args->ldb : nr;
        do {
            tile.steps = dgm_cpu_min(DGM_GEMM_K, args->k - t);
            tile.b = in_place ? at_b(job, t, j) : panel;
            if (!in_place)
                pack_b(job, panel, t, tile.steps, j, cols);
            run_panel_block(job, &tile, t, j, end);
            t += DGM_GEMM_K;
        } while (t < args->k);
    }
}

static void columns_chunk(void *shared, int64_t chunk, int worker)
{
    struct job job = *(const struct job *)shared;
    const struct dgm_gemm_args *args = job.args;
    const int64_t item = chunk / job.strips, nr = job.kernels->nr;
    const int64_t begin = chunk % job.strips * job.strip;
    const int64_t end = dgm_cpu_min(begin + job.strip, args->n);
    dgm_real *panel = dgm_cpu_scratch(job.cpu, worker, (size_t)(nr * DGM_GEMM_K) * sizeof *panel);

    job.a += item * args->stride_a;
    job.b += item * args->stride_b;
    job.c += item * args->stride_c;
    if (args->form == DGM_NT && args->m <= job.kernels->thin_rows)
        run_thin(&job, begin, end);
    else
        run_panels(&job, panel, begin, end);
}

static dgm_status run_columns(struct dgm_env *env, struct dgm_cpu *cpu, struct job *job)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t nr = job->kernels->nr, panel = nr * DGM_GEMM_K;

    DGM_TRY(dgm_cpu_reserve(env, cpu, (size_t)panel * sizeof(dgm_real)));
    job->strip = round_up(dgm_cpu_min(MOST_STRIP, args->n / (2 * cpu->threads) + 1), nr);
    job->strips = dgm_cpu_chunks(args->n, job->strip);
    dgm_cpu_run_chunks(cpu, columns_chunk, job, job->strips * args->batch,
                       args->batch * args->m * args->n * args->k <= 8192);
    return DGM_OK;
}

size_t dgm_cpu_product_bytes(const struct dgm_cpu *cpu)
{
    return (size_t)(cpu->kernels->gemm->nr * DGM_GEMM_K) * sizeof(dgm_real);
}

void dgm_cpu_product(const struct dgm_cpu *cpu, int worker, const struct dgm_gemm_args *args,
                     dgm_real *c, const dgm_real *a, const dgm_real *b)
{
    struct job job = { 0 };

    if (args->m <= 0 || args->n <= 0)
        return;
    job.kernels = cpu->kernels->gemm;
    job.cpu = cpu;
    job.args = args;
    job.c = c;
    job.a = a;
    job.b = b;
    job.strip = args->n;
    job.strips = 1;
    columns_chunk(&job, 0, worker);
}

/* ---- many rows: shared panels ------------------------------------------------------------ */

/* Panels of one block of steps lie side by side; blocks follow each other. */
static dgm_real *panel_at(const struct job *job, int64_t t, int64_t j)
{
    int64_t steps = dgm_cpu_min(DGM_GEMM_K, job->steps - t);

    return job->panels + t * round_up(job->cols, job->kernels->nr) + j * steps;
}

/* The first row of a block. */
static int64_t block_row(const struct job *job, int64_t block)
{
    return dgm_cpu_min(job->tiles * block / job->blocks * job->kernels->mr, job->args->m);
}

static void pack_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t nr = job->kernels->nr, across = dgm_cpu_chunks(job->cols, nr);
    const int64_t t = chunk / across * DGM_GEMM_K, j = chunk % across * nr;
    const int64_t steps = dgm_cpu_min(DGM_GEMM_K, job->steps - t);

    (void)worker;
    pack_b(job, panel_at(job, t, j), job->t0 + t, steps, job->j0 + j,
           dgm_cpu_min(nr, job->cols - j));
}

static int packs_a(const struct dgm_gemm_args *args)
{
    return dgm_cpu_rows_collide(args->lda) || (args->form == DGM_TN && args->n > NARROW);
}

/* The block of op(a) that a chunk needs next, in panels of a tile's rows. */
static void pack_a(const struct job *job, dgm_real *to, int64_t i, int64_t rows, int64_t t,
                   int64_t steps)
{
    const struct dgm_gemm_kernels *kernels = job->kernels;
    struct dgm_gemm_tile from;

    for (int64_t r = 0; r < rows; r += kernels->mr) {
        tile_a(job, &from, i + r, t);
        (job->args->form == DGM_TN ? kernels->pack_rows
                                   : kernels->pack_columns)(to, kernels->mr_panel, from.a,
                                                            job->args->lda, steps,
                                                            dgm_cpu_min(kernels->mr, rows - r));
        to += kernels->mr_panel * steps;
    }
}

/*
 * The block of op(a) that follows steps t of a chunk: its next steps, or the first of the chunk
 * that this worker is likely to take next.
 */
static void block_ahead(const struct job *job, struct dgm_gemm_tile *tile, int64_t chunk, int64_t t)
{
    const struct dgm_gemm_args *args = job->args;
    int64_t i, rows, steps;

    tile->ahead = NULL;
    t += DGM_GEMM_K;
    if (t >= job->steps) {
        t = 0;
        chunk += job->cpu->threads;
    }
    if (chunk >= job->blocks * job->strips)
        return;
    i = block_row(job, chunk % job->blocks);
    rows = block_row(job, chunk % job->blocks + 1) - i;
    steps = dgm_cpu_min(DGM_GEMM_K, job->steps - t);
    tile_a(job, tile, i, job->t0 + t);
    tile->ahead = tile->a;
    tile->ahead_ld = args->lda;
    tile->ahead_lines = args->form == DGM_TN ? steps : rows;
    tile->ahead_width = args->form == DGM_TN ? rows : steps;
}

/* A block of rows times the panels of a strip, for one block of steps. */
struct block {
    int64_t i, rows; /* of C */
    int64_t j, end;  /* columns of the panels */
    int64_t t;
    const dgm_real *packed; /* op(a), or NULL: read as it lies */
};

static void multiply_block(const struct job *job, const struct block *block,
                           struct dgm_gemm_tile *tile)
{
    const int64_t mr = job->kernels->mr, nr = job->kernels->nr, mp = job->kernels->mr_panel;
    const int64_t tiles = dgm_cpu_chunks(block->rows, mr);
    struct fetch fetch = fetch_begin(tile, dgm_cpu_chunks(block->end - block->j, nr) * tiles);

    for (int64_t j = block->j; j < block->end; j += nr) {
        tile->b = panel_at(job, block->t, j);
        tile->cols = dgm_cpu_min(nr, job->cols - j);
        for (int64_t r = 0; r < block->rows; r += mr) {
            tile->rows = dgm_cpu_min(mr, block->rows - r);
            tile_a(job, tile, block->i + r, job->t0 + block->t);
            if (block->packed) {
                tile->a = block->packed + r / mr * mp * tile->steps;
                tile->a_row = 1;
                tile->a_step = mp;
            }
            tile_c(job, tile, block->i + r, job->j0 + j, job->t0 + block->t);
            fetch_share(&fetch, tile);
            job->kernels->tile(tile);
        }
    }
}

static void rows_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t reals = DGM_CPU_BLOCK_TILES * job->kernels->mr_panel * DGM_GEMM_K;
    dgm_real *scratch = dgm_cpu_scratch(job->cpu, worker, (size_t)reals * sizeof *scratch);
    dgm_real *packed = packs_a(job->args) ? scratch : NULL;
    struct dgm_gemm_tile tile = { .ldb = job->kernels->nr };
    struct block block = { .packed = packed };

    block.i = block_row(job, chunk % job->blocks);
    block.rows = block_row(job, chunk % job->blocks + 1) - block.i;
    block.j = chunk / job->blocks * job->strip;
    block.end = dgm_cpu_min(block.j + job->strip, job->cols);
    for (; block.t < job->steps; block.t += DGM_GEMM_K) {
        tile.steps = dgm_cpu_min(DGM_GEMM_K, job->steps - block.t);
        if (packed)
            pack_a(job, packed, block.i, block.rows, job->t0 + block.t, tile.steps);
        block_ahead(job, &tile, chunk, block.t);
        multiply_block(job, &block, &tile);
    }
}

/*
 * Every thread gets as many blocks of about as many rows. Strips of fewer columns only where there
 * are more threads than tiles: each of them copies op(a) again.
 */
static void cut(struct job *job)
{
    const int64_t nr = job->kernels->nr, threads = job->cpu->threads;
    int64_t panels = dgm_cpu_chunks(job->cols, nr);

    job->tiles = dgm_cpu_chunks(job->args->m, job->kernels->mr);
    job->blocks =
        dgm_cpu_min(round_up(dgm_cpu_chunks(job->tiles, DGM_CPU_BLOCK_TILES), threads), job->tiles);
    while (panels > 2 && job->blocks * dgm_cpu_chunks(job->cols, panels * nr) < threads)
        panels--;
    job->strip = panels * nr;
    job->strips = dgm_cpu_chunks(job->cols, job->strip);
}

static dgm_status run_rows(struct dgm_env *env, struct dgm_cpu *cpu, struct job *job)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t nr = job->kernels->nr, mp = job->kernels->mr_panel;
    /* 4096 columns, of which every nr (8, 16, 32) is a divisor: panels of a part end where it
     * ends. */
    const int64_t most_cols = dgm_cpu_min(SHARED_REALS / DGM_GEMM_K, round_up(args->n, nr));
    const int64_t most_steps = SHARED_REALS / most_cols / DGM_GEMM_K * DGM_GEMM_K;
    const int64_t reals = most_cols * dgm_cpu_min(most_steps, args->k);
    void *panels;

    DGM_TRY(dgm_cpu_reserve(env, cpu,
                            (size_t)(DGM_CPU_BLOCK_TILES * mp * DGM_GEMM_K) * sizeof(dgm_real)));
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &panels, (size_t)reals * sizeof(dgm_real)));
    job->panels = panels;
    for (job->j0 = 0; job->j0 < args->n; job->j0 += most_cols) {
        job->cols = dgm_cpu_min(most_cols, args->n - job->j0);
        cut(job);
        for (job->t0 = 0; job->t0 < args->k; job->t0 += most_steps) {
            job->steps = dgm_cpu_min(most_steps, args->k - job->t0);
            dgm_pool_run(cpu->pool, pack_chunk, job,
                         dgm_cpu_chunks(job->cols, nr) * dgm_cpu_chunks(job->steps, DGM_GEMM_K));
            dgm_pool_run(cpu->pool, rows_chunk, job, job->blocks * job->strips);
        }
    }
    return DGM_OK;
}

/* ---- operands in less precision ---------------------------------------------------------- */

/* Reals from the first to the last of an operand with so many lines of `width`. */
static int64_t extent(const struct dgm_gemm_args *args, int64_t lines, int64_t width, int64_t ld,
                      int64_t stride)
{
    return lines > 0 && width > 0 ? (args->batch - 1) * stride + (lines - 1) * ld + width : 0;
}

static void round_all(enum dgm_precision precision, dgm_real *to, const dgm_real *from,
                      int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = dgm_precision_round(precision, from[i]);
}

/*
 * Operands become copies in the device's precision, in the same strides, valid until the next task:
 * a CPU that is the host of a device with tensor cores computes what that device computes.
 */
static dgm_status round_operands(struct dgm_env *env, struct dgm_cpu *cpu,
                                 const struct dgm_gemm_args *args, const dgm_real **a,
                                 const dgm_real **b)
{
    const int turned_a = args->form == DGM_TN, turned_b = args->form == DGM_NT;
    const int64_t count_a = extent(args, turned_a ? args->k : args->m, turned_a ? args->m : args->k,
                                   args->lda, args->stride_a);
    const int64_t count_b = extent(args, turned_b ? args->n : args->k, turned_b ? args->k : args->n,
                                   args->ldb, args->stride_b);
    void *memory;
    dgm_real *to;

    DGM_TRY(
        dgm_cpu_reserve_rounded(env, cpu, &memory, (size_t)(count_a + count_b) * sizeof(dgm_real)));
    to = memory;
    round_all(cpu->precision, to, *a, count_a);
    round_all(cpu->precision, to + count_a, *b, count_b);
    *a = to;
    *b = to + count_a;
    return DGM_OK;
}

/* ---- the task ---------------------------------------------------------------------------- */

static int is_few_for_its_weights(const struct dgm_gemm_args *args)
{
    return args->m <= MORE_ROWS && args->form != DGM_TN && args->n * args->k > LARGE_B &&
           args->m * args->k <= SMALL_A && !dgm_cpu_rows_collide(args->lda);
}

static int cuts_by_columns(const struct dgm_gemm_args *args)
{
    return args->m <= FEW_ROWS || args->k == 0 || is_few_for_its_weights(args) ||
           (args->batch > 1 && args->m * args->n * args->k <= SMALL_PRODUCT);
}

dgm_status dgm_cpu_multiply(struct dgm_env *env, struct dgm_cpu *cpu,
                            const struct dgm_gemm_args *args)
{
    struct job job = { 0 };

    if (args->m <= 0 || args->n <= 0 || args->batch <= 0)
        return DGM_OK;
    if (dgm_cpu_weights(args->b))
        return dgm_cpu_multiply_weights(env, cpu, args);
    if (cpu->matrix != NULL)
        return dgm_cpu_multiply_matrix(env, cpu, args);
    job.kernels = cpu->kernels->gemm;
    job.cpu = cpu;
    job.args = args;
    job.c = dgm_cpu_at(args->c);
    job.a = dgm_cpu_at(args->a);
    job.b = dgm_cpu_at(args->b);
    job.bias = dgm_cpu_at(args->bias);
    if (cpu->precision != DGM_F32)
        DGM_TRY(round_operands(env, cpu, args, &job.a, &job.b));
    if (cuts_by_columns(args))
        return run_columns(env, cpu, &job);
    for (int64_t item = 0; item < args->batch; item++) {
        DGM_TRY(run_rows(env, cpu, &job));
        job.a += args->stride_a;
        job.b += args->stride_b;
        job.c += args->stride_c;
    }
    return DGM_OK;
}
