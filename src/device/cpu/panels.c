/*
 * panels.c: products with a matrix that was copied into panels before.
 */
#include "device/cpu/panels.h"

#include "device/cpu/tiles.h"

static int64_t width_of(const struct dgm_cpu *cpu, int64_t n)
{
    const int64_t nr = cpu->kernels->gemm->nr;

    return dgm_cpu_chunks(n, nr) * nr;
}

dgm_real *dgm_cpu_panel_at(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels,
                           int64_t t, int64_t j)
{
    const int64_t steps = dgm_cpu_min(DGM_GEMM_K, panels->k - t);

    /* Blocks before this one have t steps of the whole width; panels of this one, j / nr of them,
     * have nr * steps reals each. */
    return panels->data + t * width_of(cpu, panels->n) + j * steps;
}

/* ---- copying ------------------------------------------------------------------------------- */

int64_t dgm_cpu_panels_reals(const struct dgm_cpu *cpu, int64_t n, int64_t k)
{
    return width_of(cpu, n) * k;
}

int64_t dgm_cpu_panels_count(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels)
{
    return dgm_cpu_chunks(panels->n, cpu->kernels->gemm->nr);
}

void dgm_cpu_panels_copy(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels,
                         int64_t panel, enum dgm_gemm_form form, const dgm_real *b, int64_t ldb)
{
    const struct dgm_gemm_kernels *kernels = cpu->kernels->gemm;
    const int64_t nr = kernels->nr, j = panel * nr, cols = dgm_cpu_min(nr, panels->n - j);

    for (int64_t t = 0; t < panels->k; t += DGM_GEMM_K) {
        const int64_t steps = dgm_cpu_min(DGM_GEMM_K, panels->k - t);
        dgm_real *to = dgm_cpu_panel_at(cpu, panels, t, j);

        if (form == DGM_NT)
            kernels->pack_columns(to, kernels->nr, b + j * ldb + t, ldb, steps, cols);
        else
            kernels->pack_rows(to, kernels->nr, b + t * ldb + j, ldb, steps, cols);
    }
}

/* Column j of op(b), k numbers. */
static void put_column(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels, int64_t j,
                       const dgm_real *values)
{
    const int64_t nr = cpu->kernels->gemm->nr;

    for (int64_t t = 0; t < panels->k; t += DGM_GEMM_K) {
        const int64_t steps = dgm_cpu_min(DGM_GEMM_K, panels->k - t);
        dgm_real *to = dgm_cpu_panel_at(cpu, panels, t, j / nr * nr) + j % nr;

        for (int64_t u = 0; u < steps; u++)
            to[u * nr] = values[t + u];
    }
}

void dgm_cpu_panels_put(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels, int64_t j,
                        int64_t count, const dgm_real *values)
{
    const struct dgm_gemm_kernels *kernels = cpu->kernels->gemm;
    const int64_t nr = kernels->nr, end = j + count;

    while (j < end) {
        if (j % nr != 0 || end - j < nr) {
            put_column(cpu, panels, j++, values);
            values += panels->k;
            continue;
        }
        for (int64_t t = 0; t < panels->k; t += DGM_GEMM_K)
            kernels->pack_columns(dgm_cpu_panel_at(cpu, panels, t, j), kernels->nr, values + t,
                                  panels->k, dgm_cpu_min(DGM_GEMM_K, panels->k - t), nr);
        values += nr * panels->k;
        j += nr;
    }
}

void dgm_cpu_panels_take(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *panels, int64_t j,
                         dgm_real *values)
{
    const int64_t nr = cpu->kernels->gemm->nr;

    for (int64_t t = 0; t < panels->k; t += DGM_GEMM_K) {
        const int64_t steps = dgm_cpu_min(DGM_GEMM_K, panels->k - t);
        const dgm_real *from = dgm_cpu_panel_at(cpu, panels, t, j / nr * nr) + j % nr;

        for (int64_t u = 0; u < steps; u++)
            values[t + u] = from[u * nr];
    }
}

void dgm_cpu_panels_move(const struct dgm_cpu *cpu, const struct dgm_cpu_panels *to, int64_t j,
                         const struct dgm_cpu_panels *from, int64_t i)
{
    const int64_t nr = cpu->kernels->gemm->nr;

    for (int64_t t = 0; t < to->k; t += DGM_GEMM_K) {
        const int64_t steps = dgm_cpu_min(DGM_GEMM_K, to->k - t);
        dgm_real *y = dgm_cpu_panel_at(cpu, to, t, j / nr * nr) + j % nr;
        const dgm_real *x = i < 0 ? NULL : dgm_cpu_panel_at(cpu, from, t, i / nr * nr) + i % nr;

        for (int64_t u = 0; u < steps; u++)
            y[u * nr] = x != NULL ? x[u * nr] : 0;
    }
}

/* ---- multiplying --------------------------------------------------------------------------- */

size_t dgm_cpu_panels_bytes(const struct dgm_cpu *cpu)
{
    return (size_t)(DGM_CPU_BLOCK_TILES * cpu->kernels->gemm->mr_panel * DGM_GEMM_K) *
           sizeof(dgm_real);
}

/* Rows whose addresses agree in their last bits are copied, or they would share one set of the
 * first cache: `packed` gets those of a block of steps, in panels of a tile's rows. */
static void pack_rows(const struct dgm_gemm_kernels *kernels, dgm_real *packed, const dgm_real *a,
                      int64_t lda, int64_t rows, int64_t steps)
{
    for (int64_t r = 0; r < rows; r += kernels->mr) {
        kernels->pack_columns(packed, kernels->mr_panel, a + r * lda, lda, steps,
                              dgm_cpu_min(kernels->mr, rows - r));
        packed += kernels->mr_panel * steps;
    }
}

/* Rows i .. i + rows - 1 of C, and the block of steps from t on. */
static void multiply_block(const struct dgm_cpu *cpu, int worker,
                           const struct dgm_cpu_panels *panels,
                           const struct dgm_cpu_panels_product *product, int64_t i, int64_t rows,
                           int64_t t)
{
    const struct dgm_gemm_kernels *kernels = cpu->kernels->gemm;
    const int64_t mr = kernels->mr, nr = kernels->nr, mp = kernels->mr_panel;
    const int packs = dgm_cpu_rows_collide(product->lda);
    dgm_real *packed = dgm_cpu_scratch(cpu, worker, dgm_cpu_panels_bytes(cpu));
    const dgm_real *a = product->a + i * product->lda + t;
    struct dgm_gemm_tile tile = { .ldb = nr, .ldc = product->ldc, .alpha = 1 };

    tile.steps = dgm_cpu_min(DGM_GEMM_K, panels->k - t);
    tile.beta = t == 0 ? 0 : 1;
    tile.a_row = packs ? 1 : product->lda;
    tile.a_step = packs ? mp : 1;
    if (packs)
        pack_rows(kernels, packed, a, product->lda, rows, tile.steps);
    for (int64_t j = 0; j < panels->n; j += nr) {
        tile.b = dgm_cpu_panel_at(cpu, panels, t, j);
        tile.cols = dgm_cpu_min(nr, panels->n - j);
        for (int64_t r = 0; r < rows; r += mr) {
            tile.rows = dgm_cpu_min(mr, rows - r);
            tile.a = packs ? packed + r / mr * mp * tile.steps : a + r * product->lda;
            tile.c = product->c + (i + r) * product->ldc + j;
            kernels->tile(&tile);
        }
    }
}

void dgm_cpu_panels_multiply(const struct dgm_cpu *cpu, int worker,
                             const struct dgm_cpu_panels *panels,
                             const struct dgm_cpu_panels_product *product)
{
    const int64_t block = DGM_CPU_BLOCK_TILES * cpu->kernels->gemm->mr;

    for (int64_t i = 0; i < product->m; i += block)
        for (int64_t t = 0; t < panels->k; t += DGM_GEMM_K)
            multiply_block(cpu, worker, panels, product, i, dgm_cpu_min(block, product->m - i), t);
}
