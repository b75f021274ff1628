/*
 * run_int8.c: the product with weights of one byte each on the CPU (kernel/int8.h).
 *
 * Activations are quantised first, tile by tile; then C is cut into strips of panels and blocks of
 * tiles. Sums are exact, so that a cut may fall anywhere.
 */
#include "device/cpu/cpu_weights.h"

/* Panels and tiles in a chunk, at most. */
enum { STRIP = 16, BLOCK = 8 };

/* Reals, and steps of a product, that are not worth waking anyone for. */
enum { FEW_REALS = 1 << 15, FEW_STEPS = 1 << 17 };

struct job {
    const struct dgm_int8_kernels *kernels;
    const struct dgm_gemm_args *args;
    const struct dgm_cpu_weights *weights;
    dgm_real *c;
    const dgm_real *a, *bias;
    int64_t quads;
    int64_t rows, tiles;         /* of a tile but the last; how many */
    int64_t lane, panel, panels; /* where C's first column is, and how many panels C touches */
    int64_t strip, strips;
    int8_t *q;     /* tile after tile */
    float *scales; /* (m) */
    int32_t *sums; /* (m) */
};

static void quantise_tile(void *shared, int64_t t, int worker)
{
    const struct job *job = shared;
    const int64_t i = t * job->rows;
    struct dgm_int8_rows rows;

    (void)worker;
    rows.rows = dgm_cpu_min(job->rows, job->args->m - i);
    rows.k = job->args->k;
    rows.lda = job->args->lda;
    rows.a = job->a + i * rows.lda;
    rows.q = job->q + i * job->quads * 4;
    rows.step = 4 * rows.rows;
    rows.scales = job->scales + i;
    rows.sums = job->sums + i;
    job->kernels->quantise(&rows);
}

/* Tile t of activations times `count` panels from C's panel p on. */
static void multiply_tile(const struct job *job, int64_t t, int64_t p, int64_t count)
{
    const struct dgm_gemm_args *args = job->args;
    const int64_t i = t * job->rows, lanes = count * DGM_INT8_LANES;
    const int64_t column = p == 0 ? 0 : p * DGM_INT8_LANES - job->lane;
    struct dgm_int8_tile tile;

    tile.rows = dgm_cpu_min(job->rows, args->m - i);
    tile.panels = count;
    tile.quads = job->quads;
    tile.q = job->q + i * job->quads * 4;
    tile.scales = job->scales + i;
    tile.sums = job->sums + i;
    tile.w = job->weights->panels + (job->panel + p) * job->quads * DGM_INT8_LANES * 4;
    tile.w_scales = job->weights->scales + (job->panel + p) * DGM_INT8_LANES;
    tile.first = p == 0 ? job->lane : 0;
    tile.end = dgm_cpu_min(lanes, job->lane + args->n - p * DGM_INT8_LANES);
    tile.c = job->c + i * args->ldc + column;
    tile.ldc = args->ldc;
    tile.alpha = args->alpha;
    tile.beta = args->beta;
    tile.bias = job->bias ? job->bias + column : NULL;
    tile.relu = args->relu;
    job->kernels->tile(&tile);
}

/* Panels are few at a time, so that they stay in the first cache while tiles pass. */
static void multiply_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t t0 = chunk / job->strips * BLOCK, p0 = chunk % job->strips * job->strip;
    const int64_t t1 = dgm_cpu_min(t0 + BLOCK, job->tiles);
    const int64_t p1 = dgm_cpu_min(p0 + job->strip, job->panels);

    (void)worker;
    for (int64_t p = p0; p < p1; p += DGM_INT8_PANELS)
        for (int64_t t = t0; t < t1; t++)
            multiply_tile(job, t, p, dgm_cpu_min(DGM_INT8_PANELS, p1 - p));
}

/* Here, or shared out where there is work enough. */
static void run(struct dgm_cpu *cpu, dgm_pool_fn *fn, struct job *job, int64_t count, int is_small)
{
    if (is_small)
        for (int64_t i = 0; i < count; i++)
            fn(job, i, 0);
    else
        dgm_pool_run(cpu->pool, fn, job, count);
}

/* Tiles of like height; strips of whole groups of panels, two or more for each thread. */
static void cut(struct job *job, int threads)
{
    const int64_t m = job->args->m, row = dgm_cpu_weights_row(job->args->b);
    const int64_t least = dgm_cpu_chunks(m, job->kernels->rows);

    job->quads = dgm_int8_quads(job->args->k);
    job->rows = dgm_cpu_chunks(m, least);
    job->tiles = dgm_cpu_chunks(m, job->rows);
    job->panel = row / DGM_INT8_LANES;
    job->lane = row % DGM_INT8_LANES;
    job->panels = dgm_int8_panels(job->lane + job->args->n);
    job->strip = dgm_cpu_min(STRIP, dgm_cpu_chunks(job->panels, 2 * threads));
    job->strip = dgm_cpu_chunks(job->strip, DGM_INT8_PANELS) * DGM_INT8_PANELS;
    job->strips = dgm_cpu_chunks(job->panels, job->strip);
}

/* Of m rows of k activations as bytes. */
static size_t scratch_bytes(int64_t m, int64_t k)
{
    return (size_t)m * (sizeof(float) + sizeof(int32_t) + (size_t)dgm_int8_quads(k) * 4);
}

static void place(struct job *job, void *memory)
{
    const size_t m = (size_t)job->args->m;

    job->scales = memory;
    job->sums = (int32_t *)(void *)(job->scales + m);
    job->q = (int8_t *)(job->sums + m);
}

dgm_status dgm_cpu_multiply_int8(struct dgm_env *env, struct dgm_cpu *cpu,
                                 const struct dgm_gemm_args *args)
{
    struct job job = { .kernels = cpu->int8, .args = args, .weights = dgm_cpu_weights(args->b) };
    void *memory;

    job.c = dgm_cpu_at(args->c);
    job.a = dgm_cpu_at(args->a);
    job.bias = dgm_cpu_at(args->bias);
    cut(&job, cpu->threads);
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &memory, scratch_bytes(args->m, args->k)));
    place(&job, memory);
    run(cpu, quantise_tile, &job, job.tiles, args->m * args->k <= FEW_REALS);
    run(cpu, multiply_chunk, &job, job.strips * dgm_cpu_chunks(job.tiles, BLOCK),
        args->m * args->n * args->k <= FEW_STEPS);
    return DGM_OK;
}

size_t dgm_cpu_product_int8_bytes(int64_t m, int64_t k)
{
    return scratch_bytes(m, k);
}

void dgm_cpu_product_int8(const struct dgm_cpu *cpu, int worker, const struct dgm_gemm_args *args,
                          dgm_real *c, const dgm_real *a)
{
    struct job job = { .kernels = cpu->int8, .args = args, .weights = dgm_cpu_weights(args->b) };

    if (args->m <= 0 || args->n <= 0)
        return;
    job.c = c;
    job.a = a;
    cut(&job, 1);
    place(&job, dgm_cpu_scratch(cpu, worker, scratch_bytes(args->m, args->k)));
    for (int64_t t = 0; t < job.tiles; t++)
        quantise_tile(&job, t, worker);
    for (int64_t i = 0; i < job.strips * dgm_cpu_chunks(job.tiles, BLOCK); i++)
        multiply_chunk(&job, i, worker);
}
