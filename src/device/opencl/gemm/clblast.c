/*
 * clblast.c: finds CLBlast and calls its matrix product; bias and relu follow by a kernel of ours.
 */
#include "device/opencl/gemm/clblast.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "device/opencl/core/launch.h"
#include "device/opencl/system/loader.h"

/* ---- finding it ------------------------------------------------------------------------------ */

static const char *const libraries[] = { "libclblast.so.1", "libclblast.so", "libclblast.dylib" };

/* The library stays open until the process ends: it keeps programs that it has built. */
static dgm_status load(struct dgm_env *env, struct dgm_clblast *clblast)
{
    void *library = NULL;

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0] && library == NULL; i++)
        library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return dgm_fail(env, DGM_USAGE,
                        "no CLBlast here: %s is missing; install it (Debian: "
                        "libclblast1), or use our own matrix product: --gemm own",
                        libraries[0]);
#define CLBLAST_ENTRY(name, parameters)                                        \
    if (!dgm_cl_find(library, "CLBlast" #name, &clblast->name))                \
        return dgm_fail(env, DGM_USAGE,                                        \
                        "%s has no CLBlast" #name "; version 1.4 or newer is " \
                        "needed, or use our own matrix product: --gemm own",   \
                        libraries[0]);
    CLBLAST_ENTRY_LIST(CLBLAST_ENTRY)
#undef CLBLAST_ENTRY
    return DGM_OK;
}

dgm_status dgm_clblast_choose(struct dgm_env *env, struct dgm_clblast *clblast, const char *gemm)
{
    memset(clblast, 0, sizeof *clblast);
    if (gemm == NULL || strcmp(gemm, "auto") == 0 || strcmp(gemm, "own") == 0)
        return DGM_OK;
    if (strcmp(gemm, "clblast") == 0)
        return load(env, clblast);
    return dgm_fail(env, DGM_USAGE, "'%s' is no matrix product; there are auto, own and clblast",
                    gemm);
}

/* ---- calling it ------------------------------------------------------------------------------ */

int dgm_clblast_serves(const struct dgm_clblast *clblast, const struct dgm_gemm_args *args)
{
    return clblast->Sgemm != NULL && args->k > 0;
}

static size_t reals(struct dgm_ref ref)
{
    return ref.offset / sizeof(dgm_real);
}

static int multiply(struct dgm_opencl *opencl, const struct dgm_gemm_args *args)
{
    const int a_transposed = args->form == DGM_TN ? CLBLAST_TRANSPOSED : CLBLAST_AS_IT_LIES;
    const int b_transposed = args->form == DGM_NT ? CLBLAST_TRANSPOSED : CLBLAST_AS_IT_LIES;
    const size_t m = (size_t)args->m, n = (size_t)args->n, k = (size_t)args->k;
    const size_t lda = (size_t)args->lda, ldb = (size_t)args->ldb, ldc = (size_t)args->ldc;
    const cl_mem a = dgm_cl_memory_of(args->a), b = dgm_cl_memory_of(args->b);
    const cl_mem c = dgm_cl_memory_of(args->c);

    if (args->batch == 1)
        return opencl->clblast.Sgemm(CLBLAST_ROW_MAJOR, a_transposed, b_transposed, m, n, k,
                                     args->alpha, a, reals(args->a), lda, b, reals(args->b), ldb,
                                     args->beta, c, reals(args->c), ldc, &opencl->queue, NULL);
    return opencl->clblast.SgemmStridedBatched(CLBLAST_ROW_MAJOR, a_transposed, b_transposed, m, n,
                                               k, args->alpha, a, reals(args->a), lda,
                                               (size_t)args->stride_a, b, reals(args->b), ldb,
                                               (size_t)args->stride_b, args->beta, c,
                                               reals(args->c), ldc, (size_t)args->stride_c,
                                               (size_t)args->batch, &opencl->queue, NULL);
}

static dgm_status finish(struct dgm_env *env, struct dgm_opencl *opencl,
                         const struct dgm_gemm_args *args)
{
    const int64_t across = dgm_cl_divide_up(args->n, opencl->traits.vec);
    struct dgm_launch launch;

    dgm_launch_begin(&launch, env, opencl, DGM_KERNEL_gemm_finish);
    dgm_launch_ref(&launch, args->c);
    dgm_launch_ref(&launch, args->bias);
    dgm_launch_long(&launch, args->m);
    dgm_launch_long(&launch, args->n);
    dgm_launch_long(&launch, args->ldc);
    dgm_launch_long(&launch, args->batch);
    dgm_launch_long(&launch, args->stride_c);
    dgm_launch_int(&launch, args->relu);
    return dgm_launch_items(&launch, args->batch * args->m * across);
}

dgm_status dgm_clblast_gemm(struct dgm_env *env, struct dgm_opencl *opencl,
                            const struct dgm_gemm_args *args)
{
    const int error = multiply(opencl, args);

    if (error != CL_SUCCESS)
        return dgm_cl_fail(env, opencl->traits.name, "CLBlastSgemm", error);
    if (args->bias.buffer == NULL && !args->relu)
        return DGM_OK;
    return finish(env, opencl, args);
}
