/*
 * run_narrow.c: the product with weights in fewer bits on the CPU (kernel/narrow/narrow.h).
 *
 * Activations are narrowed first, tile by tile; then C is cut into strips of panels and blocks of
 * tiles. An element of C does not depend on its neighbours, so that a cut may fall anywhere.
 */
#include "device/cpu/run/run_weights.h"

/* Panels and tiles in a chunk, at most. */
enum { STRIP = 16, BLOCK = 8 };

/* Reals, and steps of a product, that are not worth waking anyone for. */
enum { FEW_REALS = 1 << 15, FEW_STEPS = 1 << 17 };

struct job {
    const struct dgm_narrow_kernels *kernels;
    const struct dgm_gemm_args *args;
    const struct dgm_cpu_weights *weights;
    dgm_real *c;
    const dgm_real *a, *bias;
    int64_t groups;
    int64_t rows, tiles;         /* of a tile but the last; how many */
    int64_t lane, panel, panels; /* where C's first column is, and how many panels C touches */
    int64_t strip, strips;
    uint8_t *q;    /* tile after tile */
    float *scales; /* (m) */
    int32_t *sums; /* (m) */
};

/* Those of row i, the first of a tile. */
static uint8_t *activations(const struct job *job, int64_t i)
{
    return job->q + i * job->groups * job->kernels->bytes;
}

static void narrow_activations(void *shared, int64_t t, int worker)
{
    const struct job *job = shared;
    const int64_t i = t * job->rows;
    struct dgm_narrow_rows rows;

    (void)worker;
    rows.rows = dgm_cpu_min(job->rows, job->args->m - i);
    rows.k = job->args->k;
    rows.lda = job->args->lda;
    rows.a = job->a + i * rows.lda;
    rows.q = activations(job, i);
    rows.step = job->kernels->bytes * rows.rows;
    rows.scales = job->scales + i;
    rows.sums = job->sums + i;
    job->kernels->activations(&rows);
}

/* Tile t of activations times `count` panels from C's panel p on. */
static void multiply_tile(const struct job *job, int64_t t, int64_t p, int64_t count)
{
    const struct dgm_gemm_args *args = job->args;
    const struct dgm_narrow_matrix *weights = &job->weights->narrow;
    const int64_t i = t * job->rows, lanes = count * DGM_NARROW_LANES;
    const int64_t column = p == 0 ? 0 : p * DGM_NARROW_LANES - job->lane;
    struct dgm_narrow_tile tile;

    tile.rows = dgm_cpu_min(job->rows, args->m - i);
    tile.panels = count;
    tile.groups = job->groups;
    tile.q = activations(job, i);
    tile.scales = job->scales + i;
    tile.sums = job->sums + i;
    tile.w = weights->panels + (job->panel + p) * job->groups * DGM_NARROW_GROUP;
    /* Panel p of C is panel + p of W; a product of some rows of W may begin within one, at
     * `lane`. */
    tile.w_scales = weights->scales ? weights->scales + (job->panel + p) * DGM_NARROW_LANES : NULL;
    tile.first = p == 0 ? job->lane : 0;
    tile.end = dgm_cpu_min(lanes, job->lane + args->n - p * DGM_NARROW_LANES);
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
    for (int64_t p = p0; p < p1; p += DGM_NARROW_PANELS)
        for (int64_t t = t0; t < t1; t++)
            multiply_tile(job, t, p, dgm_cpu_min(DGM_NARROW_PANELS, p1 - p));
}

/* Tiles of like height; strips of whole groups of panels, two or more for each thread. */
static void cut(struct job *job, int threads)
{
    const int64_t m = job->args->m, row = dgm_cpu_weights_row(job->args->b);
    const int64_t least = dgm_cpu_chunks(m, job->kernels->rows);

    job->rows = dgm_cpu_chunks(m, least);
    job->tiles = dgm_cpu_chunks(m, job->rows);
    job->panel = row / DGM_NARROW_LANES;
    job->lane = row % DGM_NARROW_LANES;
    job->panels = dgm_narrow_panels(job->lane + job->args->n);
    job->strip = dgm_cpu_min(STRIP, dgm_cpu_chunks(job->panels, 2 * threads));
    job->strip = dgm_cpu_chunks(job->strip, DGM_NARROW_PANELS) * DGM_NARROW_PANELS;
    job->strips = dgm_cpu_chunks(job->panels, job->strip);
}

/* Of m rows of activations. */
static size_t scratch_bytes(const struct job *job, int64_t m)
{
    const size_t row = (size_t)(job->groups * job->kernels->bytes);

    return (size_t)m * (sizeof(float) + sizeof(int32_t) + row);
}

static void place(struct job *job, void *memory)
{
    const size_t m = (size_t)job->args->m;

    job->scales = memory;
    job->sums = (int32_t *)(void *)(job->scales + m);
    job->q = (uint8_t *)(job->sums + m);
}

/* The job of a product, before it is cut. */
static struct job job_of(const struct dgm_cpu *cpu, const struct dgm_gemm_args *args)
{
    struct job job = { .args = args, .weights = dgm_cpu_weights(args->b) };

    job.kernels = cpu->narrow[job.weights->kind];
    job.groups = dgm_narrow_groups(job.weights->type, job.weights->cols);
    return job;
}

dgm_status dgm_cpu_multiply_narrow(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args)
{
    struct job job = job_of(cpu, args);
    void *memory;

    job.c = dgm_cpu_at(args->c);
    job.a = dgm_cpu_at(args->a);
    job.bias = dgm_cpu_at(args->bias);
    cut(&job, cpu->threads);
    DGM_TRY(dgm_cpu_reserve_shared(env, cpu, &memory, scratch_bytes(&job, args->m)));
    place(&job, memory);
    dgm_cpu_run_chunks(cpu, narrow_activations, &job, job.tiles, args->m * args->k <= FEW_REALS);
    dgm_cpu_run_chunks(cpu, multiply_chunk, &job, job.strips * dgm_cpu_chunks(job.tiles, BLOCK),
                       args->m * args->n * args->k <= FEW_STEPS);
    return DGM_OK;
}

size_t dgm_cpu_product_narrow_bytes(const struct dgm_cpu *cpu, struct dgm_ref b, int64_t m)
{
    const struct dgm_gemm_args args = { .b = b };
    const struct job job = job_of(cpu, &args);

    return scratch_bytes(&job, m);
}

void dgm_cpu_product_narrow(const struct dgm_cpu *cpu, int worker, const struct dgm_gemm_args *args,
                            dgm_real *c, const dgm_real *a)
{
    struct job job = job_of(cpu, args);

    if (args->m <= 0 || args->n <= 0)
        return;
    job.c = c;
    job.a = a;
    cut(&job, 1);
    place(&job, dgm_cpu_scratch(cpu, worker, scratch_bytes(&job, args->m)));
    for (int64_t t = 0; t < job.tiles; t++)
        narrow_activations(&job, t, worker);
    for (int64_t i = 0; i < job.strips * dgm_cpu_chunks(job.tiles, BLOCK); i++)
        multiply_chunk(&job, i, worker);
}
