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

/* Of the launches, 66 add up split gradients of weights (gemm/gemm_split.h), which would leave half
 * of an H100 idle otherwise, and ten make and add up those below the logits, in rounds. */
enum { UPDATE_LAUNCHES = 425, UPDATE_ARGUMENTS = 3200, UPDATE_WAITS = 3 };

/* The update after the first two, which make memory and kernels. */
static void count_update(const char *device, int arguments)
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
    CHECK_COUNT("launches", UPDATE_LAUNCHES);
    CHECK_COUNT("arguments", arguments);
    CHECK_COUNT("blocking", UPDATE_WAITS);
    null_model_close(test_env(), &model);
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
 * 44 million weights, for about 3,850 rows; the logits and the scores of attention come on top.
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
