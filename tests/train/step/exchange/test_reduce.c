/* test_reduce.c: gradients that the link adds up (--reduce fast): near those that are added in
 * order, the same on the same ranks; what log and model say of the way. */
#include <math.h>

#include "thread_ranks.h"
#include "training_case.h"

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

static void train_ranks(int ranks, const char *model, const char *const *extra)
{
    CHECK_STATUS(make_settings(&settings, model, extra), DGM_OK);
    CHECK(run_ranks(ranks, trains));
    CHECK_INT(wire.unlike, 0);
    dgm_settings_clear(test_env(), &settings);
}

/* This link adds ranks in one order, so that buckets, too, change nothing; those of 1K are more
 * than one. More batches than ranks, of which the last ranks have fewer. */
TEST(reduce_fast_is_the_same_on_the_same_ranks)
{
    static const char *const small[] = {
        "accumulate", "5", "reduce", "fast", "bucket", "1K", NULL
    };
    static const char *const large[] = { "accumulate", "5", "reduce", "fast", NULL };

    CHECK(write_corpus());
    train_ranks(3, "a", small);
    train_ranks(3, "b", small);
    train_ranks(3, "c", large);
    check_same_files("a", "b");
    check_same_files("a", "c");
}

/* Adam's first moment after one update: (1 - beta1) times the gradient. */
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

static double length_of(const dgm_real *values, size_t count)
{
    double sum = 0;

    for (size_t i = 0; i < count; i++)
        sum += (double)values[i] * (double)values[i];
    return sqrt(sum);
}

/* The sum of `batches` gradients, in any order: apart from that in the order of the batches by less
 * than a last bit for each addition, and a little more after some updates. One batch is no sum. */
static void check_near(int ranks, const char *batches, const char *updates, double apart)
{
    const char *const ordered[] = { "after",      updates, "save-freq", updates,
                                    "accumulate", batches, NULL };
    const char *const fast[] = { "after",  updates, "save-freq", updates, "accumulate", batches,
                                 "reduce", "fast",  "bucket",    "1K",    NULL };
    dgm_real *a, *b;
    size_t n, m, i;
    char name[20], checkpoint[2][64];

    snprintf(name, sizeof name, "o%d-%s-%s", ranks, batches, updates);
    snprintf(checkpoint[0], sizeof checkpoint[0], "%s.ckpt/update-0000000%.1s.gguf", name, updates);
    memcpy(checkpoint[1], checkpoint[0], sizeof checkpoint[0]);
    checkpoint[1][0] = 'f';
    CHECK_STATUS(train(name, ordered, 1, 0, NULL), DGM_OK);
    name[0] = 'f';
    train_ranks(ranks, name, fast);
    a = read_moment(checkpoint[0], &n);
    b = read_moment(checkpoint[1], &m);
    CHECK(n > 1000 && n == m);
    for (i = 0; i < n; i++)
        b[i] -= a[i];
    CHECK(length_of(b, n) <= apart * length_of(a, n));
    CHECK(length_of(a, n) > 0);
    dgm_release(test_env(), a);
    dgm_release(test_env(), b);
}

TEST(reduce_fast_is_near_ordered)
{
    CHECK(write_corpus());
    check_near(2, "2", "1u", 1e-6);
    check_near(4, "7", "1u", 1e-6);
    check_near(4, "1", "1u", 1e-6); /* three ranks have none */
    check_near(3, "2", "1u", 1e-6);
    check_near(3, "2", "6u", 1e-3); /* nor is one left of the update before */
}

/* What is added up in bf16 is refused, on one process, too. */
TEST(reduce_fast_has_no_halves)
{
    static const char *const extra[] = { "reduce", "fast", "reduce-type", "bf16", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("halves", extra, 1, 0, NULL), DGM_USAGE);
    CHECK(strstr(test_env()->error.message,
                 "--reduce-type with --reduce fast, which adds up by MPI"));
    CHECK(!exists("halves") && !exists("halves.ckpt"));
}

static int warnings;

static void count_warning(void *user, dgm_level level, const char *text)
{
    (void)user;
    warnings += level == DGM_LOG_WARNING && strstr(text, "resuming with gradients") != NULL;
}

static void check_label(const char *model, const char *expected)
{
    struct dgm_gguf file;
    char path[1200];
    const char *label;
    size_t length = 0;

    memset(&file, 0, sizeof file);
    CHECK_STATUS(dgm_gguf_load(test_env(), &file, in_dir(path, model)), DGM_OK);
    label = dgm_gguf_text(&file, "dragoman.training.reduce", &length);
    CHECK_INT(length, strlen(expected));
    CHECK(label == NULL || memcmp(label, expected, length) == 0);
    dgm_gguf_clear(test_env(), &file);
}

/* A model says how it was trained; a run that goes on another way is told, once for each change. */
TEST(reduce_is_told)
{
    static const char *const full[] = { "after", "2u", "save-freq", "1u", NULL };
    static const char *const half[] = { "after",       "3u",   "save-freq", "1u",
                                        "reduce-type", "bf16", NULL };
    static const char *const again[] = { "after",       "4u",   "save-freq", "1u",
                                         "reduce-type", "bf16", NULL };

    CHECK(write_corpus());
    test_env()->log = count_warning;
    test_env()->log_level = DGM_LOG_WARNING;
    warnings = 0;
    CHECK_STATUS(train("told", full, 1, 0, NULL), DGM_OK);
    check_label("told", "");
    CHECK_STATUS(train("told", half, 1, 0, NULL), DGM_OK);
    CHECK_INT(warnings, 1);
    check_label("told", "ordered f32; ordered bf16");
    CHECK_STATUS(train("told", again, 1, 0, NULL), DGM_OK);
    CHECK_INT(warnings, 1);
    check_label("told", "ordered f32; ordered bf16");
    test_env()->log = NULL;
}

/* Runs that go on in another way, and on other ranks, say so; one process is always in order. */
TEST(reduce_fast_is_told)
{
    static const char *const two[] = { "after", "2u", "save-freq", "1u", "reduce", "fast", NULL };
    static const char *const three[] = { "after", "3u", "save-freq", "1u", "reduce", "fast", NULL };
    static const char *const four[] = { "after", "4u", "save-freq", "1u", "reduce", "fast", NULL };
    static const char *const five[] = { "after", "5u", "save-freq", "1u", NULL };
    static const char *const six[] = { "after", "6u", "save-freq", "1u", "reduce", "fast", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("alone", two, 1, 0, NULL), DGM_OK);
    check_label("alone", "");
    train_ranks(2, "fast", two);
    check_label("fast", "fast f32 of 2 ranks");
    train_ranks(2, "fast", three);
    check_label("fast", "fast f32 of 2 ranks");
    train_ranks(3, "fast", four);
    check_label("fast", "fast f32 of 2 ranks; fast f32 of 3 ranks");
    test_env()->log = count_warning;
    test_env()->log_level = DGM_LOG_WARNING;
    warnings = 0;
    CHECK_STATUS(train("fast", five, 1, 0, NULL), DGM_OK);
    CHECK_INT(warnings, 1);
    check_label("fast", "fast f32 of 2 ranks; fast f32 of 3 ranks; ordered f32");
    CHECK_STATUS(train("fast", six, 1, 0, NULL), DGM_OK); /* one process: the same */
    CHECK_INT(warnings, 1);
    test_env()->log = NULL;
    train_ranks(4, "fast",
                (const char *const[]){ "after", "7u", "save-freq", "1u", "reduce", "fast", NULL });
    check_label("fast",
                "fast f32 of 2 ranks; fast f32 of 3 ranks; ordered f32; fast f32 of 4 ranks");
    train_ranks(2, "fast",
                (const char *const[]){ "after", "8u", "save-freq", "1u", "reduce", "fast", NULL });
    check_label("fast", "..; fast f32 of 2 ranks");
}
