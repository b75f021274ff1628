/*
 * test_opencl_launches.c: what training and searching with a deep Transformer ask of a driver:
 * launches, arguments, waits. The driver computes nothing (cl_null.c): this needs no device.
 *
 * On a GPU a launch costs microseconds, and whoever waits for the queue leaves the device idle:
 * these numbers may fall, and a change that raises one says why.
 */
#include "test.h"
#include "trace_case.h"

#define NULL_BEGIN()                        \
    do {                                    \
        const char *reason_ = null_begin(); \
                                            \
        if (reason_ != NULL)                \
            TEST_SKIP(reason_);             \
    } while (0)

/* At most `most`, and what is counted was counted at all. */
#define CHECK_COUNT(what, most)                           \
    do {                                                  \
        const long long count_ = null_driver.count(what); \
                                                          \
        printf("%s %lld\n", what, count_);                \
        CHECK(count_ > 0 && count_ <= (most));            \
    } while (0)

static char logged[1024];

static void keep_log(void *user, dgm_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(logged, sizeof logged, "%s", text);
}

/* A backward pass has 68 launches of two products each (gemm/gemm_pair.h). Each sets some 30 of the
 * arguments, those of both products and of blocks that wait. */
enum { UPDATE_LAUNCHES = 283, UPDATE_ARGUMENTS = 3600, UPDATE_WAITS = 2 };

/* The update after the first two, which make memory and kernels. */
static void count_launches(const char *device, int launches, int arguments)
{
    struct null_model model;

    CHECK_STATUS(null_model_open(test_env(), &model, device), DGM_OK);
    CHECK_STATUS(null_pairs(test_env(), &model.batch, NULL_PAIRS), DGM_OK);
    for (int i = 0; i < 3; i++) {
        null_driver.forget();
        CHECK_STATUS(null_update(test_env(), &model), DGM_OK);
    }
    CHECK_INT(null_driver.count("buffers"), 0);
    CHECK_INT(null_driver.count("finishes"), 0);
    CHECK_COUNT("launches", launches);
    CHECK_COUNT("arguments", arguments);
    CHECK_COUNT("blocking", UPDATE_WAITS); /* for the losses, and the length of the gradient */
    CHECK_INT(null_driver.count("torn"), 0);
    null_model_close(test_env(), &model);
}

static void count_update(const char *device, int arguments)
{
    count_launches(device, UPDATE_LAUNCHES, arguments);
}

TEST(opencl_launches_of_an_update)
{
    NULL_BEGIN();
    count_update("h100", UPDATE_ARGUMENTS);
}

TEST(opencl_launches_of_an_update_on_other_gpus)
{
    NULL_BEGIN();
    count_update("mi210", UPDATE_ARGUMENTS);
    count_update("a770", UPDATE_ARGUMENTS);
    count_update("pvc", UPDATE_ARGUMENTS);
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
    count_update("narrow", UPDATE_ARGUMENTS);
    CHECK_STR(logged, "");
}

enum { NARROW_LAUNCHES = 550, NARROW_PACKS = 136 };

/* One launch packs all operands of the next one's products; sums of columns are apart. */
TEST(opencl_launches_of_an_update_in_bf16)
{
    NULL_BEGIN();
    setenv("CL_NULL_PRECISION", "bf16", 1);
    count_launches("h100", NARROW_LAUNCHES, 2 * UPDATE_ARGUMENTS);
    printf("packing %lld\n", null_driver.launches("gemm_bf16_pack"));
    CHECK(null_driver.launches("gemm_bf16_pack") <= NARROW_PACKS);
    unsetenv("CL_NULL_PRECISION");
}

/* A step that is larger than any buffer lies in several; parameters are 182 MiB. */
TEST(opencl_launches_with_small_buffers)
{
    NULL_BEGIN();
    setenv("CL_NULL_LARGEST", "256", 1);
    count_update("a770", UPDATE_ARGUMENTS + UPDATE_ARGUMENTS / 4);
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

enum { SENTENCES = 8, FEW = 10, MANY = 30, STEP_LAUNCHES = 78, STEP_READS = 1 };

/* What a search for so many tokens asks for. */
static void count_search(struct null_model *model, int tokens, long long counts[3])
{
    null_driver.forget();
    CHECK_STATUS(null_search(test_env(), model, SENTENCES, tokens), DGM_OK);
    counts[0] = null_driver.count("launches");
    counts[1] = null_driver.count("reads");
    counts[2] = null_driver.count("blocking");
}

/* The difference of two searches is one of steps. */
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
    CHECK(many[0] > few[0]);
    CHECK(many[0] - few[0] <= (MANY - FEW) * STEP_LAUNCHES);
    CHECK_INT(many[1] - few[1], (MANY - FEW) * STEP_READS);
    null_model_close(test_env(), &model);
}
