/*
 * gemm_cpu.c: cuts the matrix product into groups of one work-item for opencl/gemm_cpu.cl.
 *
 * As device/cpu/run/run_gemm.c does, and with its numbers: many rows share panels of op(b); few
 * rows, and batches of small products, are cut by columns.
 */
#include "device/opencl/gemm/gemm_cpu.h"

#include "device/opencl/gemm/gemm.h"
#include "device/opencl/gemm/pack/panels.h"

enum { COLS = DGM_CPU_PANEL_COLS, STEPS = DGM_CPU_BLOCK_STEPS };

/*
 * Products of a batch with at most so many multiply-adds each are cut by columns, like products of
 * few rows, and make no panels: by rows each product would need launches of its own, by columns
 * one launch serves the batch.
 */
enum { SMALL_PRODUCT = 1 << 22 };

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Tiles of `rows` rows in a block: the tuned number, or what local memory holds beside a panel. */
static int64_t most_tiles(const struct dgm_opencl *opencl, int64_t rows)
{
    return least(DGM_TUNED(opencl, cpu_block_tiles),
                 ((int64_t)opencl->traits.local_bytes - DGM_CPU_PANEL_BYTES) /
                     (rows * DGM_CPU_ROW_BYTES));
}

static dgm_status launch_alone(struct dgm_launch *launch, int64_t x, int64_t y)
{
    const size_t local[3] = { 1, 1, 1 };
    size_t groups[3] = { 0, 0, 1 };

    groups[0] = (size_t)x;
    groups[1] = (size_t)y;
    return dgm_launch_grid(launch, groups, local);
}

/* Elements between the rows, and between the steps, of op(a). */
static int64_t row_of_a(const struct dgm_gemm_args *args)
{
    return args->form == DGM_TN ? 1 : args->lda;
}

static int64_t step_of_a(const struct dgm_gemm_args *args)
{
    return args->form == DGM_TN ? args->lda : 1;
}

/* What gemm_cpu_columns and gemm_cpu_rows have in common: PARAMETERS in gemm_cpu.cl. `packed`: rows
 * of op(a) that are copied at a time; panel: bytes of local memory before them. */
static void add_parameters(struct dgm_launch *launch, const struct dgm_gemm_args *args,
                           struct dgm_ref b, int64_t block, int64_t strip, int64_t packed,
                           size_t panel)
{
    dgm_launch_ref(launch, args->c);
    dgm_launch_ref(launch, args->a);
    dgm_launch_ref(launch, b);
    dgm_launch_ref(launch, args->bias);
    dgm_launch_int(launch, args->m);
    dgm_launch_int(launch, args->n);
    dgm_launch_int(launch, args->k);
    dgm_launch_long(launch, row_of_a(args));
    dgm_launch_long(launch, step_of_a(args));
    dgm_launch_long(launch, args->ldc);
    dgm_launch_int(launch, block);
    dgm_launch_int(launch, strip);
    dgm_launch_real(launch, args->alpha);
    dgm_launch_real(launch, args->beta);
    dgm_launch_int(launch, args->relu);
    dgm_launch_local(launch,
                     panel + (size_t)(packed * most(1, least(STEPS, args->k))) * sizeof(dgm_real));
}

/* ---- cut by columns -------------------------------------------------------------------------- */

/*
 * Rows of a tile, a multiple of 4: what leaves the fewest rows empty; of equals, the largest. For
 * 13 rows, tiles of 8 (16 rows) beat tiles of 12 (24 rows).
 */
static int64_t choose_tile(int64_t m, int64_t most_rows)
{
    int64_t best = most_rows;

    for (int64_t tile = best - 4; tile > 0; tile -= 4)
        if (dgm_cl_divide_up(m, tile) * tile < dgm_cl_divide_up(m, best) * best)
            best = tile;
    return best;
}

/*
 * A group takes a strip of columns of one product and copies the panels that it needs itself. A
 * strip is short enough that every compute unit gets about two of them, or more.
 */
static dgm_status run_columns(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args)
{
    const int64_t panels = dgm_cl_divide_up(args->n, COLS);
    const int64_t strip =
        least(panels / (2 * opencl->traits.units) + 1, DGM_TUNED(opencl, cpu_strip_panels)) * COLS;
    const int64_t tile = choose_tile(args->m, DGM_TUNED(opencl, cpu_tile_rows));
    const int64_t tiles = dgm_cl_divide_up(args->m, tile);
    const int64_t block = least(tiles, most_tiles(opencl, tile)) * tile;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_cpu_columns);
    add_parameters(&launch, args, args->b, block, strip, block, DGM_CPU_PANEL_BYTES);
    dgm_launch_long(&launch, args->ldb);
    dgm_launch_long(&launch, args->stride_a);
    dgm_launch_long(&launch, args->stride_b);
    dgm_launch_long(&launch, args->stride_c);
    dgm_launch_int(&launch, args->form == DGM_NT);
    dgm_launch_int(&launch, tile);
    return launch_alone(&launch, dgm_cl_divide_up(args->n, strip), args->batch);
}

/* ---- many rows ------------------------------------------------------------------------------- */

static dgm_status pack(struct dgm_env *env, struct dgm_opencl *opencl,
                       const struct dgm_gemm_args *args, struct dgm_ref panels)
{
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_cpu_pack);
    dgm_launch_ref(&launch, panels);
    dgm_launch_ref(&launch, args->b);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->k);
    dgm_launch_long(&launch, args->ldb);
    dgm_launch_int(&launch, args->form == DGM_NT);
    return launch_alone(&launch, dgm_cl_divide_up(args->n, COLS), dgm_cl_divide_up(args->k, STEPS));
}

/*
 * Blocks of fewer rows until there are groups enough. Strips of fewer columns come last: each of
 * them copies op(a) again.
 */
static void cut(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args, int64_t *block,
                int64_t *strip)
{
    const int64_t units = opencl->traits.units;
    const int64_t enough = units == 1 ? 1 : DGM_TUNED(opencl, cpu_groups) * units;
    const int64_t all = dgm_cl_divide_up(args->n, COLS), rows = DGM_TUNED(opencl, cpu_tile_rows);
    int64_t tiles = most_tiles(opencl, rows), panels = all;

    while (tiles > 1 &&
           dgm_cl_divide_up(args->m, tiles * rows) * dgm_cl_divide_up(all, panels) < enough)
        tiles--;
    while (panels > 2 &&
           dgm_cl_divide_up(args->m, tiles * rows) * dgm_cl_divide_up(all, panels) < enough / 2)
        panels--;
    *block = tiles * rows;
    *strip = panels * COLS;
}

/* Up to so many columns, op(a) of form TN is read as it lies: a copy would be read too few
 * times. */
enum { NARROW = 256 };

/* Rows whose distance is close to a multiple of 4096 bytes share a few places of the first
 * cache. */
static int rows_collide(int64_t ld)
{
    const int64_t apart = ld * (int64_t)sizeof(dgm_real) % 4096;

    return apart < 256 || apart > 4096 - 256;
}

static int packs_a(const struct dgm_gemm_args *args)
{
    return rows_collide(args->lda) || (args->form == DGM_TN && args->n > NARROW);
}

static dgm_status multiply(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args, struct dgm_ref panels)
{
    const int packs = packs_a(args);
    struct dgm_launch launch;
    int64_t block, strip;

    cut(opencl, args, &block, &strip);
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_cpu_rows);
    add_parameters(&launch, args, panels, block, strip,
                   packs ? block : DGM_TUNED(opencl, cpu_tile_rows), 0);
    dgm_launch_int(&launch, packs);
    return launch_alone(&launch, dgm_cl_divide_up(args->m, block),
                        dgm_cl_divide_up(args->n, strip));
}

/*
 * The part of a product that sums over `steps` from t on, for `cols` columns from j on. Only the
 * first part scales c by beta, only the last adds the bias and applies relu.
 */
static struct dgm_gemm_args part(const struct dgm_gemm_args *whole, int64_t j, int64_t cols,
                                 int64_t t, int64_t steps)
{
    struct dgm_gemm_args args = *whole;
    const int is_last = t + steps >= whole->k;

    args.n = cols;
    args.k = steps;
    args.c = dgm_cl_ref_plus(whole->c, j);
    args.a = dgm_cl_ref_plus(whole->a, t * step_of_a(whole));
    args.b =
        dgm_cl_ref_plus(whole->b, whole->form == DGM_NT ? j * whole->ldb + t : t * whole->ldb + j);
    args.bias = dgm_cl_ref_plus(whole->bias, j);
    if (!is_last)
        args.bias.buffer = NULL;
    args.relu = is_last && whole->relu;
    args.beta = t == 0 ? whole->beta : 1;
    return args;
}

/*
 * Panels of op(b) are packed once and shared by all blocks of rows. As many of them are packed at a
 * time as fit into `cpu_panel_kilo` (1024: 4 MiB), so that they are still in a cache when the next
 * block of rows reads them; where op(b) is larger, the product goes through its columns in the
 * outer loop and through the sum in the inner one. A part of the sum is a multiple of STEPS, so
 * that its blocks are those of the whole.
 */
static dgm_status run_rows(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    const int64_t reals = (int64_t)DGM_TUNED(opencl, cpu_panel_kilo) << 10;
    const int64_t most_cols = least(reals / STEPS, dgm_cl_divide_up(args->n, COLS) * COLS);
    const int64_t most_steps = reals / most_cols / STEPS * STEPS;
    struct dgm_ref panels;

    DGM_TRY(dgm_cl_reserve(env, opencl, &panels,
                           (size_t)(most_cols * least(most_steps, args->k)) * sizeof(dgm_real)));
    for (int64_t j = 0; j < args->n; j += most_cols)
        for (int64_t t = 0; t < args->k; t += most_steps) {
            const struct dgm_gemm_args some =
                part(args, j, least(most_cols, args->n - j), t, least(most_steps, args->k - t));

            DGM_TRY(pack(env, opencl, &some, panels));
            DGM_TRY(multiply(env, opencl, &some, panels));
        }
    return DGM_OK;
}

/* With the whole of op(b) in panels that are kept. */
static dgm_status run_kept(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args, struct dgm_ref panels, int is_new)
{
    const dgm_status status = is_new ? pack(env, opencl, args, panels) : DGM_OK;

    if (status == DGM_OK)
        return multiply(env, opencl, args, panels);
    dgm_cl_panels_clear(env, opencl); /* lest these are taken for full ones */
    return status;
}

static int cuts_by_columns(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    return args->m <= DGM_TUNED(opencl, cpu_few_rows) || args->k == 0 ||
           (args->batch > 1 && args->m * args->n * args->k <= SMALL_PRODUCT);
}

dgm_status dgm_cl_gemm_cpu(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    struct dgm_gemm_args one = *args;
    struct dgm_ref panels;
    int is_new;

    dgm_cl_panels_find(env, opencl, args, &panels, &is_new);
    if (panels.buffer != NULL)
        return run_kept(env, opencl, args, panels, is_new);
    if (cuts_by_columns(opencl, args))
        return run_columns(env, opencl, args);
    for (int64_t item = 0; item < args->batch; item++) {
        DGM_TRY(run_rows(env, opencl, &one));
        one.a = dgm_cl_ref_plus(one.a, args->stride_a);
        one.b = dgm_cl_ref_plus(one.b, args->stride_b);
        one.c = dgm_cl_ref_plus(one.c, args->stride_c);
    }
    return DGM_OK;
}
