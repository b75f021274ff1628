/*
 * test_opencl_tuning.c: parameters of the matrix product: those stored are read back and used, what
 * is damaged or of another device is passed over, and none of them changes a byte of a result.
 * Skipped without an OpenCL device.
 */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/philox.h"
#include "config.h"
#include "opencl_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/choice.h"
#include "device/opencl/core/opencl.h"
#include "device/opencl/gemm/tune/tune_measure.h"
#include "device/opencl/gemm/tune/tuning_file.h"
#include "device/trial/trial.h"

/* Large, small and thin tiles; more steps than a block of the sum has. */
enum { MOST_M = 140, N = 150, K = 300, SIZES = 3, FORMS = 3, TRIALS = 9 };

static struct dgm_opencl *opencl;

static dgm_status open_any(void)
{
    struct dgm_device *device = NULL;

    DGM_TRY(opencl_open(&device, "own"));
    opencl = (struct dgm_opencl *)device;
    return DGM_OK;
}

/* With a cache of its own, which makes PoCL compile what it needs. */
static dgm_status open_tuned(void)
{
    setenv("XDG_CACHE_HOME", test_dir(), 1);
    return open_any();
}

static void close_tuned(void)
{
    dgm_device_close(test_env(), &opencl->device);
    opencl = NULL;
}

#define OPEN_BY(open)                                       \
    do {                                                    \
        const dgm_status open_ = open();                    \
                                                            \
        if (open_ == DGM_UNSUPPORTED || open_ == DGM_USAGE) \
            TEST_SKIP(test_env()->error.message);           \
        CHECK_STATUS(open_, DGM_OK);                        \
        OPENCL_SKIP_MISSHAPEN(&opencl->device);             \
    } while (0)

#define OPEN() OPEN_BY(open_tuned)
/* Whether there is a device at all. */
#define OPEN_ANY()         \
    do {                   \
        OPEN_BY(open_any); \
        close_tuned();     \
    } while (0)

/* ---- files --------------------------------------------------------------------------------- */

static char path[1200];

/* Stores values other than the defaults; `path` is where. */
static dgm_status store_others(struct dgm_cl_tuning *tuning)
{
    struct dgm_buf where = { NULL, 0, 0, 0 };

    dgm_cl_tuning_default(&opencl->traits, tuning);
    tuning->value[DGM_TUNE_cpu_groups] = 2;
    tuning->value[DGM_TUNE_cpu_tile_rows] = 8;
    tuning->value[DGM_TUNE_gpu_thin_rows] = 32;
    DGM_TRY(dgm_cl_tuning_store(test_env(), &opencl->traits, tuning, &where));
    snprintf(path, sizeof path, "%s", where.data);
    dgm_buf_clear(test_env(), &where);
    return DGM_OK;
}

static int is_listed_as_tuned(void)
{
    struct dgm_buf list = { NULL, 0, 0, 0 };
    int is_tuned;

    if (dgm_device_list(test_env(), &list) != DGM_OK)
        return -1;
    is_tuned = strstr(list.data, "      tuned by devices --tune\n") != NULL;
    dgm_buf_clear(test_env(), &list);
    return is_tuned;
}

TEST(opencl_tuning_is_stored_and_used)
{
    struct dgm_cl_tuning stored, defaults;

    OPEN();
    dgm_cl_tuning_default(&opencl->traits, &defaults);
    CHECK(!opencl->tuning.is_stored);
    CHECK_MEM(opencl->tuning.value, defaults.value, sizeof defaults.value);
    CHECK_INT(is_listed_as_tuned(), 0);
    CHECK_STATUS(store_others(&stored), DGM_OK);
    close_tuned();
    OPEN();
    CHECK(opencl->tuning.is_stored);
    for (int i = 0; i < DGM_TUNE_COUNT; i++) {
        const struct dgm_cl_parameter *own = dgm_cl_parameter_at((enum dgm_cl_parameter_id)i);
        const int is_own = own->family == dgm_cl_tuning_family(&opencl->traits);

        CHECK_INT(opencl->tuning.value[i], is_own ? stored.value[i] : defaults.value[i]);
    }
    CHECK_INT(is_listed_as_tuned(), 1);
    dgm_cl_tuning_forget(test_env(), &opencl->traits);
    CHECK_INT(is_listed_as_tuned(), 0);
    close_tuned();
}

/* Whether a file of these bytes in place of the stored one is used; -1: it is neither used nor
 * passed over quietly. */
static int is_used(const char *bytes, size_t size)
{
    struct dgm_cl_tuning tuning, defaults;
    FILE *file = fopen(path, "wb");

    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        return -1;
    dgm_cl_tuning_load(test_env(), &opencl->traits, &tuning);
    dgm_cl_tuning_default(&opencl->traits, &defaults);
    if (test_env()->error.status != DGM_OK)
        return -1;
    if (!tuning.is_stored && memcmp(&tuning, &defaults, sizeof tuning) != 0)
        return -1;
    return tuning.is_stored;
}

TEST(opencl_tuning_that_is_damaged_is_passed_over)
{
    static const char *const lines[] = {
        "cpu_groups = 3\n",
        "cpu_groups = -8\n",
        "cpu_groups = 99999999999999999999\n",
        "cpu_groups = \n",
        "cpu_groups=8\n",
        "cpu_groups\n",
        " = 8\n",
        "=\n",
        "\n",
        "cpu_groups = 8",
        "no_such_name = 8\n",
        "cpu_groups = 8 \n",
        "gpu_small_depth = 1\n",
        "cpu_groups = 0x8\n",
        "cpu_tile_rows = 5\n",
    };
    struct dgm_buf whole = { NULL, 0, 0, 0 };
    static char text[8192];
    struct dgm_cl_tuning stored;
    size_t head;

    OPEN();
    CHECK_STATUS(store_others(&stored), DGM_OK);
    CHECK_STATUS(dgm_file_read(test_env(), &whole, path), DGM_OK);
    CHECK_INT(is_used(whole.data, whole.size), 1);
    head = (size_t)(strstr(strstr(whole.data, "\ndriver = ") + 1, "\n") + 1 - whole.data);
    memcpy(text, whole.data, head);
    CHECK_INT(is_used(text, head), 1);
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        strcpy(text + head, lines[i]);
        CHECK_INT(is_used(text, head + strlen(lines[i])), 0);
    }
    memset(text + head, 0, 64); /* NULs */
    CHECK_INT(is_used(text, head + 64), 0);
    memset(text + head, '\n', 6000); /* more than such a file can be */
    CHECK_INT(is_used(text, head + 6000), 0);
    for (size_t i = 0; i < head; i++) { /* another version, device or driver */
        memcpy(text, whole.data, whole.size);
        text[i] ^= 1;
        CHECK_INT(is_used(text, whole.size), 0);
        CHECK_INT(is_used(whole.data, i), 0);
    }
    dgm_buf_clear(test_env(), &whole);
    close_tuned();
}

TEST(opencl_tuning_without_a_home_is_an_error_when_stored)
{
    struct dgm_cl_tuning tuning;

    OPEN();
    CHECK_STATUS(dgm_cl_tuning_check(test_env(), &opencl->traits), DGM_OK);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    dgm_cl_tuning_load(test_env(), &opencl->traits, &tuning);
    CHECK(!tuning.is_stored);
    CHECK_STATUS(dgm_cl_tuning_check(test_env(), &opencl->traits), DGM_FAILURE);
    dgm_env_clear_error(test_env());
    unsetenv("XDG_CACHE_HOME");
    setenv("HOME", "relative", 1);
    CHECK_STATUS(dgm_cl_tuning_check(test_env(), &opencl->traits), DGM_FAILURE);
    dgm_env_clear_error(test_env());
    close_tuned();
}

/* ---- defaults ------------------------------------------------------------------------------ */

TEST(opencl_tuning_defaults_fit_every_device)
{
    static const char *const vendors[] = { "NVIDIA Corporation", "Advanced Micro Devices, Inc.",
                                           "Intel(R) Corporation", "ARM", "" };
    static const cl_ulong locals[] = { 16 << 10, 32 << 10, 48 << 10, 64 << 10, 2 << 20 };
    static const cl_bitfield types[] = { CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU };
    struct dgm_cl_traits traits;

    memset(&traits, 0, sizeof traits);
    for (int v = 0; v < 5; v++)
        for (int l = 0; l < 5; l++)
            for (size_t limit = 64; limit <= 1024; limit *= 2)
                for (int t = 0; t < 2; t++) {
                    struct dgm_cl_tuning tuning;

                    strcpy(traits.vendor, vendors[v]);
                    traits.local_bytes = locals[l];
                    traits.group_limit = limit;
                    traits.type = types[t];
                    traits.is_cpu = t;
                    traits.native_vector = limit < 256 ? 8 : 16;
                    dgm_cl_tuning_default(&traits, &tuning);
                    CHECK(dgm_cl_tuning_fits(&traits, &tuning));
                    CHECK(!tuning.is_stored);
                }
}

/* ---- results ------------------------------------------------------------------------------- */

/* Parameters that differ from the defaults: { id, value } up to a value of -1. */
struct set {
    const char *shape; /* DGM_CL_SHAPE */
    struct {
        enum dgm_cl_parameter_id id;
        int value;
    } rows[12];
};

#define SET(name, value)       \
    {                          \
        DGM_TUNE_##name, value \
    }

static void apply(const struct set *set)
{
    for (int i = 0; i < 12 && set->rows[i].value >= 0; i++)
        opencl->tuning.value[set->rows[i].id] = set->rows[i].value;
}

/* Compilers take long: only make check-device goes through everything. */
static int is_quick(void)
{
    const char *wish = getenv("DEVICE_CHECK");

    return wish == NULL || wish[0] == '\0';
}

/* Hashes of products of many, some and few rows in all forms, or in one each. */
static dgm_status multiply_all(uint64_t hashes[SIZES * FORMS])
{
    static const int rows[SIZES] = { MOST_M, 40, 5 };
    static dgm_real x[MOST_M * K], y[K * N], z[MOST_M * N];
    struct dgm_device *device = &opencl->device;
    struct dgm_ref a = { NULL, 0 }, b = a, c = a;
    struct dgm_random random;

    dgm_random_init(&random, 9, 0, 0, 0);
    for (int i = 0; i < MOST_M * K; i++)
        x[i] = (dgm_real)dgm_random_normal(&random);
    for (int i = 0; i < K * N; i++)
        y[i] = (dgm_real)dgm_random_normal(&random);
    DGM_TRY(dgm_device_alloc(test_env(), device, &a.buffer, sizeof x));
    DGM_TRY(dgm_device_alloc(test_env(), device, &b.buffer, sizeof y));
    DGM_TRY(dgm_device_alloc(test_env(), device, &c.buffer, sizeof z));
    DGM_TRY(dgm_device_write(test_env(), device, a, x, sizeof x));
    DGM_TRY(dgm_device_write(test_env(), device, b, y, sizeof y));
    for (int i = 0; i < SIZES * FORMS; i++) {
        const int m = rows[i / FORMS];
        const enum dgm_gemm_form form = (enum dgm_gemm_form)(i % FORMS);
        struct dgm_gemm_args args = { 0 };

        if (is_quick() && i / FORMS != i % FORMS)
            continue;
        args.a = a;
        args.b = b;
        args.c = c;
        args.form = form;
        args.m = m;
        args.n = N;
        args.k = K;
        args.lda = form == DGM_TN ? m : K;
        args.ldb = form == DGM_NT ? K : N;
        args.ldc = N;
        args.batch = 1;
        args.alpha = (dgm_real)0.75;
        DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gemm, &args));
        DGM_TRY(dgm_device_read(test_env(), device, z, c, (size_t)(m * N) * sizeof *z));
        hashes[i] = dgm_hash_bytes(z, (size_t)(m * N) * sizeof *z);
    }
    dgm_device_release(test_env(), device, a.buffer);
    dgm_device_release(test_env(), device, b.buffer);
    dgm_device_release(test_env(), device, c.buffer);
    return DGM_OK;
}

/* With these parameters products are the CPU's, nearly, and those of the defaults, exactly. */
static void check_set(const struct set *set, uint64_t want[SIZES * FORMS])
{
    uint64_t found[SIZES * FORMS] = { 0 };
    struct dgm_verdict verdict;

    setenv("DGM_CL_SHAPE", set->shape, 1);
    CHECK_STATUS(open_any(), DGM_OK);
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning);
    if (want[0] == 0)
        CHECK_STATUS(multiply_all(want), DGM_OK);
    dgm_cl_programs_clear(opencl);
    apply(set);
    CHECK(dgm_cl_tuning_fits(&opencl->traits, &opencl->tuning));
    CHECK_STATUS(multiply_all(found), DGM_OK);
    CHECK_MEM(found, want, sizeof found);
    for (uint64_t seed = 1; seed <= TRIALS && !is_quick(); seed++) {
        CHECK_STATUS(dgm_trial_compare(test_env(), opencl->device.host, &opencl->device,
                                       DGM_TASK_gemm, seed, &verdict),
                     DGM_OK);
        CHECK(verdict.worst <= DGM_TRIAL_TOLERANCE);
    }
    close_tuned();
}

TEST(opencl_tuning_changes_no_byte_on_processors)
{
    static const struct set sets[] = {
        { "16x1",
          { SET(cpu_tile_rows, 4), SET(cpu_groups, 1), SET(cpu_block_tiles, 2),
            SET(cpu_panel_kilo, 256), SET(cpu_few_rows, 96), SET(cpu_strip_panels, 1),
            SET(cpu_groups, -1) } },
        { "16x1",
          { SET(cpu_tile_rows, 8), SET(cpu_groups, 16), SET(cpu_block_tiles, 16),
            SET(cpu_few_rows, 12), SET(cpu_strip_panels, 16), SET(cpu_groups, -1) } },
        { "16x1", { SET(cpu_few_rows, 12), SET(cpu_groups, 2), SET(cpu_groups, -1) } },
    };
    uint64_t want[SIZES * FORMS] = { 0 };

    setenv("DGM_CL_SHAPE", sets[0].shape, 1);
    OPEN_ANY();
    for (size_t i = 0; i < (is_quick() ? 1 : sizeof sets / sizeof sets[0]); i++)
        check_set(&sets[i], want);
}

TEST(opencl_tuning_changes_no_byte_on_gpus)
{
    static const struct set sets[] = {
        { "1x64",
          { SET(gpu_large_rows, 4), SET(gpu_large_depth, 16), SET(gpu_large_buffers, 1),
            SET(gpu_large_from, 25), SET(gpu_small_rows, 4), SET(gpu_small_depth, 32),
            SET(gpu_small_buffers, 1), SET(gpu_thin_rows, 8), SET(gpu_thin_slices, 1),
            SET(gpu_thin_depth, 64), SET(gpu_thin_rows, -1) } },
        { "1x64",
          { SET(gpu_large_depth, 32), SET(gpu_large_from, 25), SET(gpu_small_depth, 16),
            SET(gpu_large_unroll, 8), SET(gpu_small_unroll, 1), SET(gpu_thin_rows, 64),
            SET(gpu_thin_slices, 2), SET(gpu_split_below, 400), SET(gpu_split_mega, 4),
            SET(gpu_thin_rows, -1) } },
        { "1x64",
          { SET(gpu_large_from, 1000000), SET(gpu_thin_rows, 0), SET(gpu_small_rows, 4),
            SET(gpu_thin_rows, -1) } },
    };
    uint64_t want[SIZES * FORMS] = { 0 };

    if (is_quick())
        TEST_SKIP("make check-device runs it");
    OPEN_ANY();
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        check_set(&sets[i], want);
}

/* ---- measuring ----------------------------------------------------------------------------- */

/* x = a y by the active side's kernel, y being 1: x is a. */
static void check_scaling(struct dgm_ref x, struct dgm_ref y, dgm_real a)
{
    const struct dgm_axpby_args args = { .y = x, .x = y, .a = a, .count = 1 };
    const dgm_real one = 1;
    dgm_real result = -1;

    CHECK_STATUS(dgm_device_write(test_env(), &opencl->device, y, &one, sizeof one), DGM_OK);
    CHECK_STATUS(dgm_device_run(test_env(), &opencl->device, DGM_TASK_axpby, &args), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), &opencl->device, &result, x, sizeof result), DGM_OK);
    CHECK_NEAR(result, a, 0);
}

/* Each side has kernels of its own: what those of the other were told does not count. */
TEST(opencl_tuning_sides_do_not_share_arguments)
{
    static struct dgm_tune_side sides[2];
    struct dgm_ref x = { NULL, 0 }, y = x;
    struct dgm_tuner tuner;

    OPEN_BY(open_any);
    memset(&tuner, 0, sizeof tuner);
    tuner.opencl = opencl;
    tuner.active = &sides[0];
    CHECK_STATUS(dgm_device_alloc(test_env(), &opencl->device, &x.buffer, 64), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), &opencl->device, &y.buffer, 64), DGM_OK);
    check_scaling(x, y, 2);
    dgm_tune_use(&tuner, &sides[1]);
    check_scaling(x, y, 3);
    dgm_tune_use(&tuner, &sides[0]);
    check_scaling(x, y, 3);
    dgm_tune_drop(&tuner, &sides[1]);
    dgm_device_release(test_env(), &opencl->device, x.buffer);
    dgm_device_release(test_env(), &opencl->device, y.buffer);
    close_tuned();
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_tuning_is_stored_and_used)
NEEDS_OPENCL(opencl_tuning_that_is_damaged_is_passed_over)
NEEDS_OPENCL(opencl_tuning_without_a_home_is_an_error_when_stored)
NEEDS_OPENCL(opencl_tuning_defaults_fit_every_device)
NEEDS_OPENCL(opencl_tuning_changes_no_byte_on_processors)
NEEDS_OPENCL(opencl_tuning_changes_no_byte_on_gpus)
NEEDS_OPENCL(opencl_tuning_sides_do_not_share_arguments)
#endif
