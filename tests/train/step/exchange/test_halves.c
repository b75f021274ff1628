/* test_halves.c: gradients that are rounded to bf16: numbers, bytes on any number of ranks, how far
 * from f32 an update is. */
#include <math.h>

#include "thread_ranks.h"
#include "train/step/exchange/halves.h"
#include "training_case.h"

static double through(double x)
{
    const dgm_real before = (dgm_real)x;
    uint16_t half;
    dgm_real after;

    dgm_halves_round(&half, &before, 1);
    dgm_halves_widen(&after, &half, 1);
    return (double)after;
}

/* A significand has 8 bits, of which the first is not written: steps of 2^-7 above 1. */
TEST(halves_round_to_the_nearest_even)
{
    CHECK(through(1) == 1 && through(-3) == -3 && through(0) == 0);
    CHECK(through(1 + 0.0078125 / 2) == 1);                     /* half a step: to the even one */
    CHECK(through(1 + 3 * 0.0078125 / 2) == 1 + 2 * 0.0078125); /* the same, upwards */
    CHECK(through(1 + 0.0078125 * 0.51) == 1.0078125);
    CHECK(through(1e-30) > 0.998e-30 && through(1e-30) < 1.002e-30);
    CHECK(isinf(through((double)INFINITY)) && isnan(through((double)NAN)));
}

static struct dgm_settings settings;

static int trains(struct dgm_env *env, struct dgm_ranks *ranks)
{
    struct dgm_train_hooks hooks;
    struct dgm_device *device;
    struct dgm_devices devices;
    dgm_status status;

    memset(&hooks, 0, sizeof hooks);
    hooks.ranks = ranks;
    if (open_device(env, &device, 1) != DGM_OK)
        return 0;
    devices.items[0] = device;
    devices.count = 1;
    status = dgm_trainer_run(env, &devices, &settings, &hooks, &dgm_translation_learner);
    dgm_device_close(env, device);
    return status == DGM_OK;
}

TEST(halves_are_the_same_bytes_on_any_ranks)
{
    static const char *const extra[] = { "accumulate",  "3",    "bucket", "1K",
                                         "reduce-type", "bf16", NULL };
    char name[2] = "2";

    CHECK(write_corpus());
    CHECK_STATUS(train("1", extra, 1, 0, NULL), DGM_OK);
    for (; name[0] <= '4'; name[0]++) {
        CHECK_STATUS(make_settings(&settings, name, extra), DGM_OK);
        CHECK(run_ranks(name[0] - '0', trains));
        dgm_settings_clear(test_env(), &settings);
        check_same_files("1", name);
    }
}

/* Adam's first moment after one update of one batch: (1 - beta1) times the gradient. */
static dgm_real *read_moment(const char *checkpoint, size_t *count)
{
    const struct dgm_gguf_tensor *tensor;
    struct dgm_gguf file;
    dgm_real *values = NULL;
    char path[1200];

    memset(&file, 0, sizeof file);
    *count = 0;
    if (dgm_gguf_load(test_env(), &file, in_dir(path, checkpoint)) == DGM_OK) {
        tensor = dgm_gguf_find_tensor(&file, "state.adam.m");
        *count = (size_t)tensor->bytes / sizeof(float);
        values = dgm_alloc(test_env(), *count, sizeof *values);
        if (dgm_gguf_read_reals(test_env(), &file, tensor, values, *count) != DGM_OK)
            *count = 0;
    }
    dgm_gguf_clear(test_env(), &file);
    return values;
}

/* A gradient is off by half a step of its last bit of 8, 2^-8 of itself at most; the product with
 * 1 - beta1 and one over the labels, and a file's f32, by some 2^-24 more. */
TEST(halves_are_near_f32)
{
    static const char *const full[] = { "after", "1u", "save-freq", "1u", NULL };
    static const char *const half[] = { "after",       "1u",   "save-freq", "1u",
                                        "reduce-type", "bf16", NULL };
    dgm_real *a, *b;
    size_t n, m, i, differ = 0;

    CHECK(write_corpus());
    CHECK_STATUS(train("full", full, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(train("half", half, 1, 0, NULL), DGM_OK);
    a = read_moment("full.ckpt/update-00000001.gguf", &n);
    b = read_moment("half.ckpt/update-00000001.gguf", &m);
    CHECK(n > 1000 && n == m);
    for (i = 0; i < n; i++) {
        const double x = (double)a[i], apart = fabs((double)b[i] - x);
        differ += apart > 0;
        if (apart > fabs(x) * (1 / 256.0 + 1e-6))
            CHECK(apart <= fabs(x) * (1 / 256.0 + 1e-6));
    }
    CHECK(differ > n / 4);
    dgm_release(test_env(), a);
    dgm_release(test_env(), b);
}
