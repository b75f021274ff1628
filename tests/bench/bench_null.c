/*
 * bench_null.c: our own share of an update on a GPU: a deep Transformer on the OpenCL driver that
 * computes nothing (tests/support/cl_null.c), in time, and what is asked of the driver meanwhile.
 * CL_NULL_TRACE=PATH: the launches of an update go to PATH.GPU.csv (scripts/gpu-model.py);
 * CL_NULL_PRECISION=bf16: products of narrow numbers.
 */
#include "trace_case.h"

#include "bench/bench.h"

static void must(struct dgm_env *env, dgm_status status)
{
    if (status == DGM_OK)
        return;
    fprintf(stderr, "%s\n", env->error.message);
    abort();
}

static void print_counts(const char *what)
{
    printf(
        "    %-28s launches %lld, arguments %lld, waits %lld, flushes %lld, unsent at most %lld\n",
        what, null_driver.count("launches"), null_driver.count("arguments"),
        null_driver.count("blocking"), null_driver.count("flushes"),
        null_driver.count("most_unsent"));
}

/* Buffers stay as they are from the second update on: those of the first ones are all. */
static void print_memory(void)
{
    printf("    %-28s %lld buffers of %lld MiB in all, the largest %lld MiB\n", "memory",
           null_driver.count("buffers"), null_driver.count("buffer_bytes") >> 20,
           null_driver.count("largest_buffer") >> 20);
}

static void print_kernels(void)
{
    static const char *const names[] = {
#define PROGRAM(name)
#define KERNEL(program, name) #name,
#include "device/opencl/core/kernel_list.h"
#undef PROGRAM
#undef KERNEL
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (null_driver.launches(names[i]) > 0)
            printf("        %5lld %s\n", null_driver.launches(names[i]), names[i]);
}

/* One update more, written down where somebody asks for it. */
static void write_trace(struct dgm_env *env, struct null_model *model, const char *device)
{
    const char *path = getenv("CL_NULL_TRACE");

    if (path == NULL)
        return;
    if (!trace_begin(model->device, path, device))
        printf("    no trace: %s.%s.csv cannot be written\n", path, device);
    must(env, null_update(env, model));
    if (!trace_end(model->device))
        printf("    the trace %s.%s.csv is not whole\n", path, device);
}

static void measure_update(struct dgm_env *env, struct null_model *model, const char *device)
{
    must(env, null_pairs(env, &model->batch, NULL_PAIRS));
    must(env, null_update(env, model));
    must(env, null_update(env, model));
    print_memory();
    null_driver.forget();
    must(env, null_update(env, model));
    print_counts("an update");
    print_kernels();
    write_trace(env, model, device);
    bench_case(device);
    while (bench_again())
        must(env, null_update(env, model));
}

enum { SENTENCES = 8, FEW = 10, MANY = 30 };

/* A step of a search is what one of 30 tokens asks for beyond one of 10. */
static void measure_steps(struct dgm_env *env, struct null_model *model)
{
    long long launches, arguments, reads, writes;

    null_driver.forget();
    must(env, null_search(env, model, SENTENCES, FEW));
    launches = null_driver.count("launches");
    arguments = null_driver.count("arguments");
    reads = null_driver.count("reads");
    writes = null_driver.count("writes");
    null_driver.forget();
    must(env, null_search(env, model, SENTENCES, MANY));
    printf("    %-28s launches %.1f, arguments %.1f, reads %.1f, writes %.1f\n",
           "a step of a search", (double)(null_driver.count("launches") - launches) / (MANY - FEW),
           (double)(null_driver.count("arguments") - arguments) / (MANY - FEW),
           (double)(null_driver.count("reads") - reads) / (MANY - FEW),
           (double)(null_driver.count("writes") - writes) / (MANY - FEW));
}

BENCH(null_update)
{
    static const char *const devices[] = { "h100", "mi210", "a770", "pvc" };
    const char *reason = null_begin();

    if (reason != NULL) {
        printf("left out: %s\n", reason);
        return;
    }
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        struct null_model model;
        struct dgm_env env;

        null_driver.forget();
        dgm_env_init(&env);
        must(&env, null_model_open(&env, &model, devices[i]));
        printf("%s: %s\n", devices[i], model.device->title);
        measure_update(&env, &model, devices[i]);
        measure_steps(&env, &model);
        null_model_close(&env, &model);
    }
}
