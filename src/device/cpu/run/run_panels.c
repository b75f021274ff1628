/*
 * run_panels.c: the product with weights that lie in panels (cpu_weights.h): C is cut into blocks
 * of rows and strips of panels, and nothing is copied but rows of op(a) that collide in the cache.
 *
 * With few rows, the weights stream through once, in the order of memory, which the processor
 * foresees: to ask for them besides takes a third longer where there is one row. With many rows, a
 * strip of panels stays in the second cache while the blocks of rows pass.
 */
#include "device/cpu/run/run_weights.h"
#include "device/cpu/tiles.h"

/* Panels in a strip, at most; fewer while threads would get less than two strips each. */
#define MOST_STRIP 8

/* So few rows do not push each other out of the cache, even where they collide. */
#define FEW_ROWS 4

/* Multiply-adds that are not worth waking anyone for. */
#define FEW_STEPS 8192

struct job {
    const struct dgm_gemm_kernels *kernels;
    const struct dgm_cpu *cpu;
    const struct dgm_gemm_args *args;
    const struct dgm_cpu_panels *panels;
    dgm_real *c;
    const dgm_real *a, *bias;
    int64_t row;                  /* of the weights: column 0 of C */
    int64_t first, end;           /* panels that C touches */
    int64_t block, blocks, strip; /* rows of a block, how many there are, panels of a strip */
    int packs;                    /* whether rows of op(a) are copied */
};

/* What a chunk works on: rows i0 .. i0 + rows - 1 of C, panels p0 .. p1 - 1. */
struct part {
    int64_t i0, rows, p0, p1;
    dgm_real *packed; /* op(a), if job->packs */
};

static size_t packed_reals(const struct dgm_cpu *cpu)
{
    return (size_t)(DGM_CPU_BLOCK_TILES * cpu->kernels->gemm->mr_panel * DGM_GEMM_K);
}

static void pack_a(const struct job *job, const struct part *part, int64_t t, int64_t steps)
{
    const struct dgm_gemm_kernels *kernels = job->kernels;
    const dgm_real *from = job->a + part->i0 * job->args->lda + t;

    for (int64_t r = 0; r < part->rows; r += kernels->mr)
        kernels->pack_columns(part->packed + r / kernels->mr * kernels->mr_panel * steps,
                              kernels->mr_panel, from + r * job->args->lda, job->args->lda, steps,
                              dgm_cpu_min(kernels->mr, part->rows - r));
}

/* Where the tile's rows of op(a) are: r of the block, step t. */
static void tile_a(const struct job *job, const struct part *part, struct dgm_gemm_tile *tile,
                   int64_t r, int64_t t)
{
    const struct dgm_gemm_kernels *kernels = job->kernels;

    tile->a_row = job->packs ? 1 : job->args->lda;
    tile->a_step = job->packs ? kernels->mr_panel : 1;
    tile->a = job->packs ? part->packed + r / kernels->mr * kernels->mr_panel * tile->steps
                         : job->a + (part->i0 + r) * job->args->lda + t;
}

/* All rows of the part times one panel, one block of steps. */
static void run_panel(const struct job *job, const struct part *part, struct dgm_gemm_tile *tile,
                      int64_t p, int64_t t)
{
    const int64_t mr = job->kernels->mr, nr = job->kernels->nr;
    const int64_t begin = p * nr > job->row ? p * nr : job->row;
    const int64_t end = dgm_cpu_min((p + 1) * nr, job->row + job->args->n);

    tile->b = dgm_cpu_panel_at(job->cpu, job->panels, t, p * nr) + (begin - p * nr);
    tile->cols = end - begin;
    for (int64_t r = 0; r < part->rows; r += mr) {
        tile->rows = dgm_cpu_min(mr, part->rows - r);
        tile_a(job, part, tile, r, t);
        dgm_cpu_tile_c(tile, job->args, job->c, job->bias, part->i0 + r, begin - job->row, t);
        job->kernels->tile(tile);
    }
}

static void run_chunk(void *shared, int64_t chunk, int worker)
{
    const struct job *job = shared;
    const int64_t k = job->args->k;
    struct dgm_gemm_tile tile = { .ldb = job->kernels->nr, .ahead = NULL };
    struct part part;

    part.i0 = chunk % job->blocks * job->block;
    part.rows = dgm_cpu_min(job->block, job->args->m - part.i0);
    part.p0 = job->first + chunk / job->blocks * job->strip;
    part.p1 = dgm_cpu_min(part.p0 + job->strip, job->end);
    part.packed = dgm_cpu_scratch(job->cpu, worker, packed_reals(job->cpu) * sizeof *part.packed);
    for (int64_t t = 0; t < k; t += DGM_GEMM_K) {
        tile.steps = dgm_cpu_min(DGM_GEMM_K, k - t);
        if (job->packs)
            pack_a(job, &part, t, tile.steps);
        for (int64_t p = part.p0; p < part.p1; p++)
            run_panel(job, &part, &tile, p, t);
    }
}

/* Blocks of like height, strips of like width; returns how many chunks there are. */
static int64_t cut(struct job *job)
{
    const int64_t mr = job->kernels->mr, nr = job->kernels->nr, m = job->args->m;
    int64_t panels;

    job->first = job->row / nr;
    job->end = dgm_cpu_chunks(job->row + job->args->n, nr);
    panels = job->end - job->first;
    job->blocks = dgm_cpu_chunks(m, DGM_CPU_BLOCK_TILES * mr);
    job->block = dgm_cpu_chunks(dgm_cpu_chunks(m, job->blocks), mr) * mr;
    job->blocks = dgm_cpu_chunks(m, job->block);
    job->strip = dgm_cpu_min(MOST_STRIP, dgm_cpu_chunks(panels, 2 * job->cpu->threads));
    return dgm_cpu_chunks(panels, job->strip) * job->blocks;
}

dgm_status dgm_cpu_multiply_panels(struct dgm_env *env, struct dgm_cpu *cpu,
                                   const struct dgm_gemm_args *args)
{
    struct job job = { .kernels = cpu->kernels->gemm, .cpu = cpu, .args = args };
    int64_t chunks;

    job.panels = &dgm_cpu_weights(args->b)->reals;
    job.row = dgm_cpu_weights_row(args->b);
    job.c = dgm_cpu_at(args->c);
    job.a = dgm_cpu_at(args->a);
    job.bias = dgm_cpu_at(args->bias);
    job.packs = args->m > FEW_ROWS && dgm_cpu_rows_collide(args->lda);
    chunks = cut(&job);
    DGM_TRY(dgm_cpu_reserve(env, cpu, packed_reals(cpu) * sizeof(dgm_real)));
    dgm_cpu_run_chunks(cpu, run_chunk, &job, chunks, args->m * args->n * args->k <= FEW_STEPS);
    return DGM_OK;
}
