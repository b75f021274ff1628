/*
 * test_opencl_launches.c: what training and searching with a deep Transformer ask of a driver:
 * launches, arguments, waits. The driver computes nothing (cl_null.c): this needs no device.
 *
 * On a GPU a launch costs microseconds, and whoever waits for the queue leaves the device idle.
 * Numbers are exact: fewer may mean that work went another way, to the CPU, say. A change that
 * moves one says why.
 */
#include "test.h"
#include "trace_case.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/memory.h"
#include "device/opencl/core/opencl.h"
#include "device/opencl/gemm/tune/tune_measure.h"
#endif

#define NULL_BEGIN()                        \
    do {                                    \
        const char *reason_ = null_begin(); \
                                            \
        if (reason_ != NULL)                \
            TEST_SKIP(reason_);             \
    } while (0)

static char logged[1024];

static void keep_log(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(logged, sizeof logged, "%s", text);
}

/* What an update asks for. pairs: launches of two products (gemm/gemm_pair.h), 68 of them, and two
 * of blocks that embed_backward may not find waiting (three where the sums of the first logits are
 * split, too). Each sets some 30 of the arguments. */
struct asked {
    long long launches, pairs, arguments;
    long long waits; /* for the losses, and the length of the gradient */
};

static void check_asked(struct asked want, const char *small, const char *large)
{
    CHECK_INT(null_driver.count("launches"), want.launches);
    CHECK_INT(null_driver.launches(small) + null_driver.launches(large), want.pairs);
    CHECK_INT(null_driver.count("arguments"), want.arguments);
    CHECK_INT(null_driver.count("blocking"), want.waits);
    CHECK_INT(null_driver.count("buffers"), 0);
    CHECK_INT(null_driver.count("finishes"), 0);
    CHECK_INT(null_driver.count("torn"), 0);
}

/* What is kept beside the step is not more than was said. */
static void check_room(struct dgm_device *device)
{
#ifdef DGM_HAVE_OPENCL
    const struct dgm_opencl *opencl = (const struct dgm_opencl *)device;
    const size_t most = device->ops->beside(device, dgm_cl_memory_bytes(opencl->weights.from));
    size_t bytes = dgm_cl_memory_bytes(opencl->scratch);

    for (int i = 0; i < 2; i++)
        bytes += dgm_cl_memory_bytes(opencl->gemm_parts[i]);
    for (int i = 0; i < DGM_CL_PACKED_PLACES; i++)
        bytes += dgm_cl_memory_bytes(opencl->packed[i].room);
    bytes += dgm_cl_memory_bytes(opencl->weights.room);
    printf("beside the step %zu of %zu\n", bytes, most);
    CHECK(bytes <= most);
#else
    (void)device;
#endif
}

/* The update after those that make memory and kernels. */
static void run_updates(struct null_model *model, const char *device, int count)
{
    CHECK_STATUS(null_model_open(test_env(), model, device), DGM_OK);
    CHECK_STATUS(null_pairs(test_env(), &model->batch, NULL_PAIRS), DGM_OK);
    for (int i = 0; i < count; i++) {
        null_driver.forget();
        CHECK_STATUS(null_update(test_env(), model), DGM_OK);
    }
}

static void check_update(const char *device, struct asked want)
{
    struct null_model model;

    run_updates(&model, device, 3);
    check_asked(want, "gemm_gpu_pair_64", "gemm_gpu_pair_128");
    null_model_close(test_env(), &model);
}

TEST(opencl_launches_of_an_update)
{
    NULL_BEGIN();
    check_update("h100", (struct asked){ 251, 70, 3638, 2 });
}

TEST(opencl_launches_of_an_update_on_other_gpus)
{
    NULL_BEGIN();
    check_update("mi210", (struct asked){ 252, 71, 3464, 2 });
    check_update("a770", (struct asked){ 251, 70, 3714, 2 });
    check_update("pvc", (struct asked){ 251, 70, 3714, 2 });
}

/* The caller's memory may change as soon as a write returns, though nobody waits for it. Where
 * copies have no more room a write waits, and all of the room is there again. */
TEST(opencl_launches_wait_for_no_upload)
{
    enum { COUNT = 64 << 10 };
    struct dgm_device *device = NULL;
    struct dgm_ref to = { NULL, 0 };
    static dgm_real x[COUNT];

    NULL_BEGIN();
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    CHECK_STATUS(dgm_device_alloc(test_env(), device, &to.buffer, sizeof x), DGM_OK);
    null_driver.forget();
    for (int i = 0; i < 20; i++) {
        x[0] = x[COUNT - 1] = (dgm_real)i;
        CHECK_STATUS(dgm_device_write(test_env(), device, to, x, sizeof x), DGM_OK);
        CHECK_INT(null_driver.count("blocking"), (i + 1) / 9); /* eight fit */
    }
    CHECK_STATUS(dgm_device_read(test_env(), device, x, to, sizeof x), DGM_OK);
    CHECK_INT(null_driver.count("torn"), 0);
    dgm_device_release(test_env(), device, to.buffer);
    dgm_device_close(test_env(), device);
}

/* No tile of 128, no group of 128 items: nothing is refused, and nothing goes to the CPU. */
TEST(opencl_launches_in_small_groups)
{
    NULL_BEGIN();
    test_env()->log = keep_log;
    test_env()->log_level = DGM_LOG_NOTE;
    check_update("narrow", (struct asked){ 249, 68, 3270, 2 });
    CHECK_STR(logged, "");
}

/* Forwards, op(a) is packed by who makes it, and all weights by one launch an update. Backwards,
 * one launch packs what is left of the next one's operands; sums of columns are apart. */
TEST(opencl_launches_of_an_update_in_bf16)
{
    struct null_model model;

    NULL_BEGIN();
    setenv("CL_NULL_PRECISION", "bf16", 1);
    run_updates(&model, "h100", 4); /* the third is the first to pack all weights at once */
    check_asked((struct asked){ 452, 138, 5358, 2 }, "gemm_bf16_64", "gemm_bf16_128");
    check_room(model.device);
    CHECK_INT(null_driver.launches("gemm_bf16_pack"), 68);
    CHECK_INT(null_driver.launches("gemm_bf16_pack_all"), 1);
    null_model_close(test_env(), &model);
    unsetenv("CL_NULL_PRECISION");
}

/* A step that is larger than any buffer lies in several; parameters are 182 MiB. */
TEST(opencl_launches_with_small_buffers)
{
    NULL_BEGIN();
    setenv("CL_NULL_LARGEST", "256", 1);
    check_update("a770", (struct asked){ 251, 70, 3947, 2 });
    unsetenv("CL_NULL_LARGEST");
}

/* ---- a trace --------------------------------------------------------------------------------- */

/* Lines of the file after the first, and the FLOP that they name. */
static int read_trace(const char *path, double *flop)
{
    FILE *file = fopen(path, "r");
    char line[1024];
    int lines = -1;

    *flop = 0;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        const char *at = line;

        for (int comma = 0; comma < 4 && at != NULL; comma++)
            at = strchr(at + 1, ',');
        if (lines >= 0 && at != NULL)
            *flop += atof(at + 1);
        lines++;
    }
    if (file != NULL)
        fclose(file);
    return lines;
}

/*
 * A line for each launch. Of the multiply-adds, three products of each matrix are a lower bound:
 * 44 million weights, for about 3,930 rows; the logits and the scores of attention come on top.
 */
TEST(opencl_launches_are_traced)
{
    struct null_model model;
    char path[1200], file[1300];
    double flop;

    NULL_BEGIN();
    snprintf(path, sizeof path, "%s/trace", test_dir());
    snprintf(file, sizeof file, "%s.h100.csv", path);
    CHECK_STATUS(null_model_open(test_env(), &model, "h100"), DGM_OK);
    CHECK_STATUS(null_pairs(test_env(), &model.batch, NULL_PAIRS), DGM_OK);
    CHECK(trace_begin(model.device, path, "h100"));
    null_driver.forget();
    CHECK_STATUS(null_update(test_env(), &model), DGM_OK);
    CHECK(trace_end(model.device));
    CHECK_INT(read_trace(file, &flop), null_driver.count("launches"));
    CHECK(flop > 2 * 3 * 44e6 * 3850.0 && flop < 2 * 2 * 3 * 44e6 * 3850.0);
    CHECK(!trace_begin(model.device, "/dev/null/trace", "h100"));
    trace_end(model.device);
    null_model_close(test_env(), &model);
}

/* ---- a search -------------------------------------------------------------------------------- */

enum { SENTENCES = 8, FEW = 10, MANY = 30, STEP_LAUNCHES = 77, COPIES = 2, STEP_READS = 1 };

/* What a search for so many tokens asks for. */
static void count_search(struct null_model *model, int tokens, long long counts[3])
{
    null_driver.forget();
    CHECK_STATUS(null_search(test_env(), model, SENTENCES, tokens), DGM_OK);
    counts[0] = null_driver.count("launches");
    counts[1] = null_driver.count("reads");
    counts[2] = null_driver.count("blocking");
}

/* The difference of two searches is one of steps, of which one copies two things more. */
TEST(opencl_launches_of_a_step)
{
    long long few[3], many[3];
    struct null_model model;

    NULL_BEGIN();
    CHECK_STATUS(null_model_open(test_env(), &model, "h100"), DGM_OK);
    count_search(&model, FEW, few);
    count_search(&model, MANY, many);
    printf("launches %lld, reads %lld, waits %lld in %d steps\n", many[0] - few[0],
           many[1] - few[1], many[2] - few[2], MANY - FEW);
    CHECK_INT(many[0] - few[0], (MANY - FEW) * STEP_LAUNCHES + COPIES);
    CHECK_INT(many[1] - few[1], (MANY - FEW) * STEP_READS);
    null_model_close(test_env(), &model);
}

#ifdef DGM_HAVE_OPENCL
/* A translation compiles nothing that a backward pass alone needs. */
TEST(opencl_launches_of_a_search_build_no_backward_pass)
{
    static const enum dgm_cl_program_id backward[] = {
        DGM_PROGRAM_gemm_large_backward, DGM_PROGRAM_gemm_small_backward, DGM_PROGRAM_norm_backward,
        DGM_PROGRAM_attention_backward, DGM_PROGRAM_attention_backward_plain
    };
    const struct dgm_opencl *opencl;
    struct null_model model;

    NULL_BEGIN();
    CHECK_STATUS(null_model_open(test_env(), &model, "h100"), DGM_OK);
    CHECK_STATUS(null_search(test_env(), &model, NULL_PAIRS, FEW), DGM_OK);
    opencl = (const struct dgm_opencl *)model.device;
    CHECK(opencl->programs[DGM_PROGRAM_gemm_large] != NULL);
    CHECK(opencl->programs[DGM_PROGRAM_gemm_small] != NULL);
    for (size_t i = 0; i < sizeof backward / sizeof *backward; i++)
        CHECK(opencl->programs[backward[i]] == NULL);
    null_model_close(test_env(), &model);
}

/* Pairs decide whether and how sums are split: they are measured, and by pairs. */
TEST(opencl_launches_of_tuning_measure_pairs)
{
    struct dgm_device *device = NULL;
    struct dgm_opencl *opencl;
    struct dgm_tune_side side;
    struct dgm_tuner tuner;
    int64_t pairs;

    NULL_BEGIN();
    CHECK_STATUS(null_open(test_env(), &device, "h100"), DGM_OK);
    opencl = (struct dgm_opencl *)device;
    memset(&side, 0, sizeof side);
    CHECK_STATUS(dgm_tune_begin(&tuner, test_env(), opencl, &side), DGM_OK);
    pairs = opencl->pairs[0] + opencl->pairs[1];
    CHECK(pairs >= DGM_TUNE_PAIRS);
    CHECK_INT(tuner.count, DGM_TUNE_MOST);
    opencl->tuning.value[DGM_TUNE_gpu_split_below] = 0;
    for (int i = DGM_TUNE_ALONE; i < tuner.count; i++)
        CHECK_STATUS(dgm_tune_run(&tuner, &tuner.products[i]), DGM_OK);
    CHECK_INT(opencl->pairs[0] + opencl->pairs[1], pairs);
    dgm_tune_end(&tuner);
    dgm_device_close(test_env(), device);
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_launches_of_a_search_build_no_backward_pass)
NEEDS_OPENCL(opencl_launches_of_tuning_measure_pairs)
#endif
