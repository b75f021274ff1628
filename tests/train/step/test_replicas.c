/*
 * test_replicas.c: a run on several devices writes the bytes of a run on one, which sums the
 * batches of an update; whatever else a list of devices changes is said in the log.
 *
 * The devices are CPUs with different numbers of threads, or what TEST_DEVICE names.
 */
#include "device/choice.h"
#include "opencl_case.h"
#include "training_case.h"

static char heard[8000];

static void hear(void *user, dgm_level level, const char *text)
{
    const size_t at = strlen(heard);

    (void)user;
    (void)level;
    snprintf(heard + at, sizeof heard - at, "%s\n", text);
}

static dgm_status open_all(struct dgm_devices *devices, int count)
{
    memset(devices, 0, sizeof *devices);
    while (devices->count < count) {
        DGM_TRY(open_device(test_env(), &devices->items[devices->count], 1 + devices->count % 2));
        devices->count++;
    }
    return DGM_OK;
}

/* A run, or a part of one, on `count` devices. */
static dgm_status train_with(int count, const char *model, const char *const *extra, int stop_every)
{
    struct dgm_devices devices;
    dgm_status status = open_all(&devices, count);

    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    if (status == DGM_OK)
        status = train_on_all(&devices, model, extra, stop_every, NULL);
    test_env()->log = NULL;
    dgm_devices_close(test_env(), &devices);
    return status;
}

/* ---- the same bytes ------------------------------------------------------------------------- */

/* `extra` begins with the option accumulate and room for its value. */
static void check_counts(const char **extra)
{
    static const char *const values[] = { "1", "2", "3", "4" };
    char name[20];
    int k, count;

    CHECK(write_corpus());
    for (k = 0; k < 4; k++) {
        extra[1] = values[k];
        snprintf(name, sizeof name, "one%d", k);
        CHECK_STATUS(train_with(1, name, extra, 0), DGM_OK);
        for (count = 2; count <= 3; count++) {
            char other[20];
            snprintf(other, sizeof other, "other%d-%d", k, count);
            CHECK_STATUS(train_with(count, other, extra, 0), DGM_OK);
            check_same_files(name, other);
        }
    }
}

/* All embeddings are one matrix; dropout is on; updates reach beyond the end of an epoch. */
TEST(replicas_write_the_bytes_of_one_device)
{
    const char *extra[] = { "accumulate",   "",   "after", "12u", "transformer-dropout", "0.2",
                            "batch-tokens", "32", NULL };
    static const char *const epoch[] = { "batch-tokens", "32", "after", "1e", NULL };
    int batches;

    check_counts(extra);
    CHECK_STATUS(train("epoch", epoch, 1, 0, &batches), DGM_OK);
    CHECK(batches % 2 != 0 && batches % 3 != 0);
}

TEST(replicas_write_the_bytes_of_one_device_of_a_syntax_model)
{
    const char *extra[] = { "accumulate",
                            "",
                            "after",
                            "8u",
                            "syntax",
                            "deps-san(rs_q=0.1)+shaw(k=2)",
                            "transformer-dropout",
                            "0.1",
                            "length-buckets",
                            "3",
                            NULL };

    check_counts(extra);
}

/* A line of the metrics up to its times, and from its gradient norm on. */
static void check_same_metrics(const char *one, const char *other)
{
    static const char *const keys[] = { "\"loss\": ", "\"parse_loss\": " };
    struct dgm_buf texts[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 0, 0 } };
    const char *a, *b;
    int k, found;

    CHECK_STATUS(read_model(&texts[0], one), DGM_OK);
    CHECK_STATUS(read_model(&texts[1], other), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &texts[0], '\0'), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(test_env(), &texts[1], '\0'), DGM_OK);
    for (k = 0; k < 2; k++) {
        a = texts[0].data;
        b = texts[1].data;
        for (found = 0; (a = strstr(a, keys[k])) != NULL; found++) {
            size_t length = strcspn(a, ",}");
            b = strstr(b, keys[k]);
            CHECK(b != NULL);
            CHECK_MEM(b, a, length);
            a += length;
            b += length;
        }
        CHECK_INT(found, 3);
    }
    dgm_buf_clear(test_env(), &texts[0]);
    dgm_buf_clear(test_env(), &texts[1]);
}

/* Parse losses are means over an update: each batch knows of the others, on whatever device. */
TEST(replicas_share_and_log_parse_losses_like_one_device)
{
    static const char *const extra[] = { "accumulate", "3",      "after", "12u", "disp-freq",
                                         "4u",         "syntax", "lisa",  NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train_with(1, "one", extra, 0), DGM_OK);
    CHECK_STATUS(train_with(2, "two", extra, 0), DGM_OK);
    CHECK_STATUS(train_with(3, "three", extra, 0), DGM_OK);
    check_same_files("one", "two");
    check_same_files("one", "three");
    check_same_metrics("one.ckpt/metrics.jsonl", "two.ckpt/metrics.jsonl");
    check_same_metrics("one.ckpt/metrics.jsonl", "three.ckpt/metrics.jsonl");
}

/* Stops after every third update and goes on with another number of devices. */
TEST(replicas_resume_with_any_number_of_devices)
{
    static const char *const extra[] = { "accumulate", "3", "after", "20u", NULL };
    dgm_status status = DGM_INTERRUPTED;
    int calls = 0;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train_with(1, "whole", extra, 0), DGM_OK);
    while (status == DGM_INTERRUPTED && calls < 50) {
        dgm_env_clear_error(test_env());
        status = train_with(1 + (calls + 1) % 3, "parts", extra, 3);
        calls++;
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK(calls > 5);
    check_same_files("whole", "parts");
}

TEST(replicas_validate_on_the_first_device)
{
    static char sets[2500];
    const char *extra[] = { "accumulate", "2",  "valid-sets",    sets,   "valid-freq", "3u",
                            "after",      "9u", "valid-metrics", "bleu", NULL };
    char path[2][1200];

    CHECK(write_corpus());
    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    CHECK_STATUS(train_with(1, "one", extra, 0), DGM_OK);
    CHECK_STATUS(train_with(2, "two", extra, 0), DGM_OK);
    check_same_files("one", "two");
}

TEST(replicas_on_opencl_write_the_bytes_of_one_device)
{
    static const char *const extra[] = { "accumulate", "3", "after", "4u", NULL };
    struct dgm_devices devices;
    int count;

    if (is_double())
        TEST_SKIP("OpenCL devices compute with floats");
    CHECK(write_corpus());
    memset(&devices, 0, sizeof devices);
    OPENCL_OPEN(&devices.items[0]);
    for (count = 1; count <= 2; count++) {
        devices.count = count;
        if (count == 2)
            CHECK_STATUS(opencl_open(&devices.items[1], NULL), DGM_OK);
        CHECK_STATUS(train_on_all(&devices, count == 1 ? "one" : "two", extra, 0, NULL), DGM_OK);
    }
    check_same_files("one", "two");
    dgm_devices_close(test_env(), &devices);
}

/* ---- what the log says ---------------------------------------------------------------------- */

TEST(replicas_beyond_the_batches_of_an_update_are_told_of)
{
    static const char *const two[] = { "accumulate", "2", "after", "2u", NULL };
    static const char *const three[] = { "accumulate", "3", "after", "2u", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train_with(3, "m", two, 0), DGM_OK);
    CHECK(strstr(heard, "1 of 3 have nothing to do with --accumulate 2") != NULL);
    CHECK_STATUS(train_with(3, "n", three, 0), DGM_OK);
    CHECK(strstr(heard, "nothing to do") == NULL);
}

TEST(replicas_of_different_kinds_are_told_of)
{
    static const char *const extra[] = { "accumulate", "2", "after", "2u", NULL };
    static const char note[] = "devices of different kinds";
    struct dgm_devices devices;

    CHECK(write_corpus());
    CHECK_STATUS(train_with(1, "m", extra, 0), DGM_OK);
    CHECK(strstr(heard, note) == NULL);
    CHECK_STATUS(open_all(&devices, 2), DGM_OK);
    snprintf(devices.items[1]->title, sizeof devices.items[1]->title, "another kind");
    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    CHECK_STATUS(train_on_all(&devices, "n", extra, 0, NULL), DGM_OK);
    test_env()->log = NULL;
    dgm_devices_close(test_env(), &devices);
    CHECK(strstr(heard, note) != NULL);
    CHECK(strstr(heard, "device: another kind\n") != NULL);
}

/* ---- a device that fails -------------------------------------------------------------------- */

/* A second device that fails, or computes wrongly, from the backward pass of its batch `from`
 * on. */
static struct {
    struct dgm_device_ops ops;
    const struct dgm_device_ops *right;
    int batches, from, is_wrong;
} faulty;

static dgm_status run_or_fail(struct dgm_env *env, struct dgm_device *device,
                              enum dgm_task_kind kind, const void *args)
{
    struct dgm_gemm_args gemm;

    faulty.batches += kind == DGM_TASK_cross_entropy;
    if (faulty.batches < faulty.from || kind != DGM_TASK_gemm)
        return faulty.right->run(env, device, kind, args);
    if (!faulty.is_wrong)
        return dgm_fail(env, DGM_FAILURE, "the second device is lost");
    memcpy(&gemm, args, sizeof gemm);
    gemm.alpha *= (dgm_real)1.5;
    return faulty.right->run(env, device, kind, &gemm);
}

static dgm_status train_with_faulty(const char *model, const char *const *extra, int is_wrong)
{
    struct dgm_device *host = NULL;
    struct dgm_devices devices;
    dgm_status status;

    DGM_TRY(open_all(&devices, 2));
    if (devices.items[1]->host == NULL) {
        DGM_TRY(open_device(test_env(), &host, 1));
        devices.items[1]->host = host;
    }
    faulty.right = devices.items[1]->ops;
    faulty.ops = *faulty.right;
    faulty.ops.run = run_or_fail;
    faulty.batches = 0;
    faulty.from = 7;
    faulty.is_wrong = is_wrong;
    devices.items[1]->ops = &faulty.ops;
    snprintf(devices.items[1]->title, sizeof devices.items[1]->title, "the faulty one");
    status = train_on_all(&devices, model, extra, 0, NULL);
    dgm_device_close(test_env(), host);
    dgm_devices_close(test_env(), &devices);
    return status;
}

TEST(replicas_that_fail_end_the_run_with_its_checkpoints_whole)
{
    static const char *const extra[] = {
        "accumulate", "2", "after", "12u", "save-freq", "3u", NULL
    };

    CHECK(write_corpus());
    CHECK_STATUS(train_with_faulty("m", extra, 0), DGM_FAILURE);
    CHECK_STR(test_env()->error.message, "the second device is lost");
    dgm_env_clear_error(test_env());
    CHECK(exists("m.ckpt/update-00000006.gguf"));
    CHECK(!exists("m.ckpt/update-00000009.gguf"));
    CHECK(!exists("m"));
    if (is_double())
        return;
    CHECK_STATUS(train_with(1, "want", extra, 0), DGM_OK);
    CHECK_STATUS(train_with(1, "m", extra, 0), DGM_OK);
    check_same_files("want", "m");
}

TEST(replicas_are_all_checked_by_check_device)
{
    static const char *const extra[] = { "accumulate",   "2", "after", "12u", "save-freq", "3u",
                                         "check-device", "1", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train_with_faulty("m", extra, 1), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "update 8: the loss is ") != NULL);
    CHECK(strstr(test_env()->error.message, "(the faulty one)") != NULL);
    dgm_env_clear_error(test_env());
    CHECK(exists("m.ckpt/update-00000006.gguf"));
}
