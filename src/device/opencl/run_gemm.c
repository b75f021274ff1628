/*
 * run_gemm.c: the matrix product through OpenCL: which kernel serves which shape.
 *
 * Whichever it is, an element is the same sum in the same order as on the CPU (kernel/gemm.h).
 */
#include "device/opencl/launch.h"

/* ---- processors (gemm_cpu.cl) --------------------------------------------------------------- */

/* Of a tile and of a block of the sum: as in gemm_cpu.cl. */
enum { ROWS = 12, COLS = 32, STEPS = 256 };

/*
 * Up to so many rows, or so many multiply-adds of one of a batch, a product is cut by columns, and
 * no panels are made for it.
 */
enum { FEW_ROWS = 48, SMALL_PRODUCT = 1 << 22 };

/* Tiles in a block of rows and panels in a strip of columns, at most. */
enum { BLOCK_TILES = 8, STRIP_PANELS = 8 };

/* So many groups keep all processors busy to the end, per processor. */
enum { ENOUGH_GROUPS = 8 };

static int64_t divide_up(int64_t count, int64_t step)
{
    return (count + step - 1) / step;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static dgm_status launch_alone(struct dgm_launch *launch, int64_t x, int64_t y)
{
    const size_t groups[3] = { (size_t)x, (size_t)y, 1 }, local[3] = { 1, 1, 1 };

    return dgm_launch_grid(launch, groups, local);
}

/* Two parameters: the elements between the rows, and between the steps, of op(a). */
static void add_steps_of_a(struct dgm_launch *launch, const struct dgm_gemm_args *args)
{
    dgm_launch_long(launch, args->form == DGM_TN ? 1 : args->lda);
    dgm_launch_long(launch, args->form == DGM_TN ? args->lda : 1);
}

static dgm_status run_columns(struct dgm_env *env, struct dgm_opencl *opencl,
                              const struct dgm_gemm_args *args)
{
    const int64_t panels = divide_up(args->n, COLS), tiles = divide_up(args->m, ROWS);
    const int64_t strip = least(panels / (2 * opencl->traits.units) + 1, STRIP_PANELS) * COLS;
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_cpu_columns);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_ref(&launch, args->a);
    dgm_launch_ref(&launch, args->b);
    dgm_launch_ref(&launch, args->bias);
    dgm_launch_int(&launch, args->m);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->k);
    add_steps_of_a(&launch, args);
    dgm_launch_long(&launch, args->ldb);
    dgm_launch_long(&launch, args->ldc);
    dgm_launch_long(&launch, args->stride_a);
    dgm_launch_long(&launch, args->stride_b);
    dgm_launch_long(&launch, args->stride_c);
    dgm_launch_int(&launch, args->form == DGM_NT);
    dgm_launch_int(&launch, divide_up(args->m, tiles));
    dgm_launch_int(&launch, strip);
    dgm_launch_real(&launch, args->alpha);
    dgm_launch_real(&launch, args->beta);
    dgm_launch_int(&launch, args->relu);
    return launch_alone(&launch, divide_up(args->n, strip), args->batch);
}

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
    return launch_alone(&launch, divide_up(args->n, COLS), divide_up(args->k, STEPS));
}

/*
 * Blocks of fewer rows until there are groups enough. Strips of fewer columns come last: each of
 * them copies op(a) again.
 */
static void cut(const struct dgm_opencl *opencl, const struct dgm_gemm_args *args, int64_t *block,
                int64_t *strip)
{
    const int64_t enough = (int64_t)ENOUGH_GROUPS * opencl->traits.units;
    int64_t tiles = BLOCK_TILES, panels = divide_up(args->n, COLS);

    while (tiles > 1 && divide_up(args->m, tiles * ROWS) * divide_up(args->n, panels * COLS)
                            < enough)
        tiles--;
    while (panels > 2 && divide_up(args->m, tiles * ROWS) * divide_up(args->n, panels * COLS)
                             < enough / 2)
        panels--;
    *block = tiles * ROWS;
    *strip = panels * COLS;
}

static dgm_status run_rows(struct dgm_env *env, struct dgm_opencl *opencl,
                           const struct dgm_gemm_args *args)
{
    struct dgm_launch launch;
    struct dgm_ref panels;
    int64_t block, strip;

    cut(opencl, args, &block, &strip);
    DGM_TRY(dgm_cl_reserve(env, opencl, &panels,
                           (size_t)(divide_up(args->n, COLS) * COLS * args->k) * sizeof(dgm_real)));
    DGM_TRY(pack(env, opencl, args, panels));
    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_cpu_rows);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_ref(&launch, args->a);
    dgm_launch_ref(&launch, args->bias);
    dgm_launch_ref(&launch, panels);
    dgm_launch_int(&launch, args->m);
    dgm_launch_int(&launch, args->n);
    dgm_launch_int(&launch, args->k);
    add_steps_of_a(&launch, args);
    dgm_launch_long(&launch, args->ldc);
    dgm_launch_int(&launch, block);
    dgm_launch_int(&launch, strip);
    dgm_launch_real(&launch, args->alpha);
    dgm_launch_real(&launch, args->beta);
    dgm_launch_int(&launch, args->relu);
    dgm_launch_local(&launch, (size_t)(block * least(STEPS, args->k)) * sizeof(dgm_real));
    return launch_alone(&launch, divide_up(args->m, block), divide_up(args->n, strip));
}

static int cuts_by_columns(const struct dgm_gemm_args *args)
{
    return args->m <= FEW_ROWS || args->k == 0
           || (args->batch > 1 && args->m * args->n * args->k <= SMALL_PRODUCT);
}

static dgm_status run_on_processor(struct dgm_env *env, struct dgm_opencl *opencl,
                                   const struct dgm_gemm_args *args)
{
    struct dgm_gemm_args one = *args;

    if (cuts_by_columns(args))
        return run_columns(env, opencl, args);
    for (int64_t item = 0; item < args->batch; item++) {
        DGM_TRY(run_rows(env, opencl, &one));
        one.a.offset += (size_t)args->stride_a * sizeof(dgm_real);
        one.b.offset += (size_t)args->stride_b * sizeof(dgm_real);
        one.c.offset += (size_t)args->stride_c * sizeof(dgm_real);
    }
    return DGM_OK;
}

/* ---- the task ------------------------------------------------------------------------------- */

dgm_status dgm_opencl_run_gemm(struct dgm_env *env, struct dgm_opencl *opencl, const void *args_)
{
    const struct dgm_gemm_args *args = args_;

    if (args->m <= 0 || args->n <= 0 || args->batch <= 0)
        return DGM_OK;
    return run_on_processor(env, opencl, args);
}
