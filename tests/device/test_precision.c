/*
 * test_precision.c: the words of --precision, the rounding that they stand for, the CPU as the host
 * of a device that rounds, and the devices of --devices that do not.
 */
#include "device/precision.h"

#include <math.h>
#include <string.h>

#include "device/choice.h"
#include "device/task.h"
#include "kernel/narrow/matrix.h"
#include "test.h"

static uint32_t rounded_bits(enum dgm_precision precision, uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    x = (float)dgm_precision_round(precision, (dgm_real)x);
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

TEST(precision_rounds_to_nearest_ties_to_even)
{
    static const uint32_t bf16[][2] = {
        { 0x3f800000, 0x3f800000 }, { 0x3f807fff, 0x3f800000 }, { 0x3f808000, 0x3f800000 },
        { 0x3f808001, 0x3f810000 }, { 0x3f818000, 0x3f820000 }, { 0xbf818000, 0xbf820000 },
        { 0x3fffffff, 0x40000000 }, { 0x7f7fffff, 0x7f800000 }, { 0x7f7f7fff, 0x7f7f0000 },
        { 0xff800000, 0xff800000 }, { 0x80000000, 0x80000000 }, { 0x00008000, 0x00000000 },
        { 0x00018000, 0x00020000 },
    };
    static const uint32_t tf32[][2] = {
        { 0x3f800fff, 0x3f800000 }, { 0x3f801000, 0x3f800000 }, { 0x3f801001, 0x3f802000 },
        { 0x3f803000, 0x3f804000 }, { 0x7f7fffff, 0x7f800000 }, { 0x00003000, 0x00004000 },
    };

    for (size_t i = 0; i < sizeof bf16 / sizeof bf16[0]; i++)
        CHECK_INT(rounded_bits(DGM_BF16, bf16[i][0]), bf16[i][1]);
    for (size_t i = 0; i < sizeof tf32 / sizeof tf32[0]; i++)
        CHECK_INT(rounded_bits(DGM_TF32, tf32[i][0]), tf32[i][1]);
    CHECK_INT(rounded_bits(DGM_F32, 0x3f801001), 0x3f801001);
    for (int p = 0; p < DGM_PRECISION_COUNT; p++)
        CHECK(isnan(dgm_precision_round((enum dgm_precision)p, (dgm_real)NAN)));
}

TEST(precision_words)
{
    enum dgm_precision precision = DGM_BF16;

    CHECK_STATUS(dgm_precision_parse(test_env(), &precision, NULL), DGM_OK);
    CHECK_INT(precision, DGM_F32);
    for (int p = 0; p < DGM_PRECISION_COUNT; p++) {
        const char *name = dgm_precision_name((enum dgm_precision)p);

        CHECK_STATUS(dgm_precision_parse(test_env(), &precision, name), DGM_OK);
        CHECK_INT(precision, p);
    }
    CHECK_STATUS(dgm_precision_parse(test_env(), &precision, "fp16"), DGM_USAGE);
}

/* ---- the CPU --------------------------------------------------------------------------------- */

/* A product of 1 x 1: 1.00390625 takes nine bits, which bf16 has not. */
TEST(precision_of_a_host)
{
    static const char *const words[] = { "f32", "tf32", "bf16" };
    static const double products[] = { 3.01171875, 3.01171875, 3 };
    const dgm_real data[2] = { (dgm_real)1.00390625, 3 };

    for (int p = 0; p < 3; p++) {
        const struct dgm_device_options options = { 1, NULL, NULL, NULL, words[p] };
        struct dgm_device *cpu = NULL;
        struct dgm_gemm_args args;
        dgm_real found = 0;

        memset(&args, 0, sizeof args);
        CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
        CHECK_STATUS(dgm_device_alloc(test_env(), cpu, &args.c.buffer, 3 * sizeof found), DGM_OK);
        args.a = dgm_ref_at(args.c, sizeof found);
        args.b = dgm_ref_at(args.c, 2 * sizeof found);
        args.m = args.n = args.k = args.lda = args.ldb = args.ldc = args.batch = 1;
        args.alpha = 1;
        CHECK_STATUS(dgm_device_write(test_env(), cpu, args.a, data, sizeof data), DGM_OK);
        CHECK_STATUS(dgm_device_run(test_env(), cpu, DGM_TASK_gemm, &args), DGM_OK);
        CHECK_STATUS(dgm_device_read(test_env(), cpu, &found, args.c, sizeof found), DGM_OK);
        CHECK_NEAR(found, products[p], 0);
        dgm_device_release(test_env(), cpu, args.c.buffer);
        dgm_device_close(test_env(), cpu);
    }
}

static char heard[600];

static void hear(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    strncat(heard, text, sizeof heard - strlen(heard) - 1);
}

static void check_refused(const char *list, const struct dgm_device_options *options,
                          dgm_status status, const char *message)
{
    struct dgm_device *device = NULL;

    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, list, options), status);
    CHECK(strstr(test_env()->error.message, message) != NULL);
    CHECK(device == NULL);
    dgm_env_clear_error(test_env());
}

/* Kernels in C have no matrix instructions, wherever they run. */
TEST(precision_of_the_cpu_is_f32)
{
    const struct dgm_device_options bf16 = { 1, "c", NULL, NULL, "bf16" };
    const struct dgm_device_options tf32 = { 1, NULL, NULL, NULL, "tf32" };
    const struct dgm_device_options wrong = { 1, NULL, NULL, NULL, "half" };
    struct dgm_device *device = NULL;

    check_refused("cpu", &bf16, DGM_UNSUPPORTED,
                  "this CPU computes in f32; bf16 needs AMX (`dragoman devices` tells), or a GPU");
    check_refused("cpu", &tf32, DGM_UNSUPPORTED, "the CPU computes in f32; tf32 needs a GPU");
    check_refused(NULL, &wrong, DGM_USAGE, "half");
    check_refused("auto", &wrong, DGM_USAGE, "half");
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, "auto", &bf16), DGM_OK);
    if (strcmp(device->ops->name, "cpu") == 0)
        CHECK(strstr(heard, "computing in f32, not in bf16") != NULL);
    dgm_device_close(test_env(), device);
}

TEST(precision_of_a_cpu_with_matrix_instructions)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, "bf16" };
    struct dgm_device *device = NULL;

    if (!dgm_matrix_choose(NULL))
        TEST_SKIP("this processor has none");
    CHECK_STATUS(dgm_device_open_chosen(test_env(), &device, "cpu", &options), DGM_OK);
    CHECK(strstr(device->title, ", bf16 by ") != NULL);
    CHECK(strstr(device->isa, ", bf16 by ") != NULL); /* a resumed run, a shared model tell */
    dgm_device_close(test_env(), device);
}
