/*
 * bench_opencl.c: the matrix product through OpenCL, beside the CPU backend with all its threads,
 * beside CLBlast where it is installed, and on tensor cores where there are some. The first case of
 * each benchmark is the CPU. The device is the best one, or the one that DGM_BENCH_DEVICE names.
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench.h"
#include "device/device.h"
#include "device/task.h"

enum { MOST_REALS = 1 << 24, FORMS = 3, SIDES = 5 };

/* A way to compute products, with operands full of noise. */
struct rig {
    const char *label;
    struct dgm_env env;
    struct dgm_device *device; /* NULL: not here */
    struct dgm_ref a, b, c;
};

static void noise(struct rig *rig, struct dgm_ref *ref)
{
    const size_t bytes = MOST_REALS * sizeof(dgm_real);
    dgm_real *x = malloc(bytes);
    uint32_t state = 1;

    ref->offset = 0;
    for (size_t i = 0; x && i < MOST_REALS; i++) {
        state = state * 1664525u + 1013904223u;
        x[i] = (dgm_real)(state >> 8) / 16777216 - (dgm_real)0.5;
    }
    if (!x || dgm_device_alloc(&rig->env, rig->device, &ref->buffer, bytes) != DGM_OK ||
        dgm_device_write(&rig->env, rig->device, *ref, x, bytes) != DGM_OK)
        abort();
    free(x);
}

static void open_rig(struct rig *rig, const char *label, const char *device, const char *gemm,
                     const char *precision)
{
    const char *which = getenv("DGM_BENCH_DEVICE");
    struct dgm_device_options options = { .threads = 0 };

    options.which = which;
    options.gemm = gemm;
    options.precision = precision;
    rig->label = label;
    rig->device = NULL;
    dgm_env_init(&rig->env);
    if (dgm_device_open(&rig->env, &rig->device, device, &options) != DGM_OK) {
        printf("%s is left out: %s\n", label, rig->env.error.message);
        return;
    }
    printf("%s: %s\n", label, rig->device->title);
    noise(rig, &rig->a);
    noise(rig, &rig->b);
    noise(rig, &rig->c);
}

static void close_rig(struct rig *rig)
{
    if (rig->device == NULL)
        return;
    dgm_device_release(&rig->env, rig->device, rig->a.buffer);
    dgm_device_release(&rig->env, rig->device, rig->b.buffer);
    dgm_device_release(&rig->env, rig->device, rig->c.buffer);
    dgm_device_close(&rig->env, rig->device);
}

/* Few rows take other weights every round, until the buffer ends, as a decoder does. */
static void measure(struct rig *rig, enum dgm_gemm_form form, int m, int n, int k)
{
    static const char *const forms[FORMS] = { "NN", "NT", "TN" };
    const size_t weights = (size_t)n * (size_t)k;
    struct dgm_gemm_args args = { 0 };
    char label[80];
    size_t turn = 0;

    args.c = rig->c;
    args.a = rig->a;
    args.form = form;
    args.m = m;
    args.n = n;
    args.k = k;
    args.lda = form == DGM_TN ? m : k;
    args.ldb = form == DGM_NT ? k : n;
    args.ldc = n;
    args.batch = 1;
    args.alpha = 1;
    args.beta = form == DGM_TN;
    snprintf(label, sizeof label, "%-7s %s %d x %d x %d", rig->label, forms[form], m, n, k);
    bench_case(label);
    bench_flops(2.0 * m * n * k);
    while (bench_again()) {
        const size_t skip = m < 64 ? turn++ % (MOST_REALS / weights) * weights : 0;

        args.b = dgm_ref_at(rig->b, skip * sizeof(dgm_real));
        if (dgm_device_run(&rig->env, rig->device, DGM_TASK_gemm, &args) != DGM_OK ||
            rig->device->ops->sync(&rig->env, rig->device) != DGM_OK)
            abort();
    }
}

static void measure_all(int m, int n, int k)
{
    struct rig rigs[SIDES];

    open_rig(&rigs[0], "CPU", "cpu", NULL, NULL);
    open_rig(&rigs[1], "OpenCL", "opencl", "own", NULL);
    open_rig(&rigs[2], "CLBlast", "opencl", "clblast", NULL);
    open_rig(&rigs[3], "tf32", "opencl", "own", "tf32");
    open_rig(&rigs[4], "bf16", "opencl", "own", "bf16");
    for (int form = 0; form < FORMS; form++)
        for (int i = 0; i < SIDES; i++)
            if (rigs[i].device != NULL)
                measure(&rigs[i], (enum dgm_gemm_form)form, m, n, k);
    for (int i = 0; i < SIDES; i++)
        close_rig(&rigs[i]);
}

BENCH(opencl_gemm_512)
{
    measure_all(512, 512, 512);
}

static int has_gpu(void)
{
    struct dgm_device_options options = { .which = "gpu" };
    struct dgm_device *device;
    struct dgm_env env;

    dgm_env_init(&env);
    if (dgm_device_open(&env, &device, "opencl", &options) != DGM_OK)
        return 0;
    dgm_device_close(&env, device);
    return 1;
}

/* CLBlast on a processor would take ten seconds for each. */
BENCH(opencl_gemm_4096)
{
    if (has_gpu() || getenv("DGM_BENCH_DEVICE") != NULL)
        measure_all(4096, 4096, 4096);
    else
        printf("4096 x 4096 x 4096 is left out: there is no GPU\n");
}

BENCH(opencl_gemm_tokens)
{
    measure_all(4096, 512, 512);
}

BENCH(opencl_gemm_vocabulary)
{
    measure_all(1000, 10000, 512);
}

BENCH(opencl_gemm_decoder)
{
    measure_all(5, 2048, 512);
}
