/*
 * test_device_check.c: --check-device: a device that computes wrongly is caught, one that computes
 * rightly trains the same bytes with it and without.
 *
 * The device is the CPU with another CPU for its host, or what TEST_DEVICE names.
 */
#include "device/task.h"
#include "training_case.h"

static char heard[8000];

static void hear(void *user, dgm_level level, const char *text)
{
    const size_t at = strlen(heard);

    (void)user;
    (void)level;
    snprintf(heard + at, sizeof heard - at, "%s\n", text);
}

/* A device that runs matrix products wrongly, by half, from batch `wrong_from` on. */
static struct {
    const struct dgm_device_ops *right;
    struct dgm_device_ops ops;
    struct dgm_device *host; /* to be closed */
    int batches, wrong_from; /* 0: never */
} faulty;

static dgm_status run_wrongly(struct dgm_env *env, struct dgm_device *device,
                              enum dgm_task_kind kind, const void *args)
{
    struct dgm_gemm_args gemm;

    if (kind == DGM_TASK_gemm && faulty.wrong_from > 0 && faulty.batches >= faulty.wrong_from) {
        memcpy(&gemm, args, sizeof gemm);
        gemm.alpha *= (dgm_real)1.5;
        return faulty.right->run(env, device, kind, &gemm);
    }
    if (kind == DGM_TASK_adam)
        faulty.batches++;
    return faulty.right->run(env, device, kind, args);
}

static dgm_status train_checked(const char *model, const char *const *extra, int stop_every)
{
    struct dgm_device *device;
    dgm_status status = open_device(test_env(), &device, 2);

    DGM_TRY(status);
    memset(&faulty.ops, 0, sizeof faulty.ops);
    faulty.host = NULL;
    if (device->host == NULL) {
        DGM_TRY_OUT(open_device(test_env(), &faulty.host, 1));
        device->host = faulty.host;
    }
    faulty.right = device->ops;
    faulty.ops = *device->ops;
    faulty.ops.run = run_wrongly;
    faulty.batches = 1;
    device->ops = &faulty.ops;
    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    status = train_on(device, model, extra, stop_every, NULL);
    test_env()->log = NULL;
out:
    dgm_device_close(test_env(), faulty.host);
    dgm_device_close(test_env(), device);
    return status;
}

/* The number in "the losses of N updates agree"; 0 without such a line. */
static int checked_updates(void)
{
    const char *line = strstr(heard, "--check-device: the losses of ");
    int count = 0;

    if (line != NULL)
        sscanf(line, "--check-device: the losses of %d updates agree", &count);
    return count;
}

/* `extra` begins with the option check-device and its value. */
static void check_same_bytes(const char *const *extra)
{
    CHECK(write_corpus());
    CHECK_STATUS(train("plain", extra + 2, 2, 0, NULL), DGM_OK);
    CHECK_STATUS(train_checked("checked", extra, 0), DGM_OK);
    CHECK_INT(checked_updates(), 40);
    check_same_files("plain", "checked");
}

TEST(check_device_leaves_the_bytes_as_they_are)
{
    static const char *const plain[] = { "check-device", "1", NULL };

    check_same_bytes(plain);
}

TEST(check_device_leaves_the_bytes_of_a_syntax_model_as_they_are)
{
    static const char *const extra[] = {
        "check-device",        "1",   "syntax", "deps-san(rs_q=0.1)+shaw(k=2)", "accumulate", "2",
        "transformer-dropout", "0.2", NULL
    };

    check_same_bytes(extra);
}

/* Parse losses are compared with the rest, and the log has them once. */
TEST(check_device_leaves_the_log_of_parse_losses_as_it_is)
{
    static const char *const extra[] = { "check-device", "1", "syntax", "lisa", NULL };
    struct dgm_buf plain = { NULL, 0, 0, 0 }, checked = { NULL, 0, 0, 0 };
    const char *a, *b;

    check_same_bytes(extra);
    CHECK_STATUS(read_model(&plain, "plain.ckpt/metrics.jsonl"), DGM_OK);
    CHECK_STATUS(read_model(&checked, "checked.ckpt/metrics.jsonl"), DGM_OK);
    a = strstr(plain.data, "\"parse_loss\"");
    b = strstr(checked.data, "\"parse_loss\"");
    CHECK(a != NULL && b != NULL);
    CHECK_MEM(b, a, 24);
    dgm_buf_clear(test_env(), &plain);
    dgm_buf_clear(test_env(), &checked);
}

TEST(check_device_checks_the_same_updates_after_a_resume)
{
    static const char *const some[] = { "check-device", "0.3", NULL };
    dgm_status status = DGM_INTERRUPTED;
    int whole, parts = 0;

    if (is_double())
        TEST_SKIP("checkpoints hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train_checked("whole", some, 0), DGM_OK);
    whole = checked_updates();
    CHECK(whole > 4 && whole < 24);
    while (status == DGM_INTERRUPTED) {
        dgm_env_clear_error(test_env());
        status = train_checked("parts", some, 7);
        parts += checked_updates();
    }
    CHECK_STATUS(status, DGM_OK);
    CHECK_INT(parts, whole);
    check_same_files("whole", "parts");
}

TEST(check_device_stops_a_device_that_computes_wrongly)
{
    static const char *const all[] = { "check-device", "1", NULL };

    CHECK(write_corpus());
    CHECK_STATUS(train("want", NULL, 1, 0, NULL), DGM_OK);
    faulty.wrong_from = 23;
    CHECK_STATUS(train_checked("m", all, 0), DGM_FAILURE);
    CHECK(strstr(test_env()->error.message, "update 23: the loss is ") != NULL);
    CHECK(strstr(test_env()->error.message, "update 22 agreed still") != NULL);
    CHECK(strstr(test_env()->error.message, "--devices cpu") != NULL);
    CHECK(strstr(test_env()->error.message, "\n") == NULL);
    CHECK_INT(checked_updates(), 22);
    CHECK(exists("m.ckpt/update-00000020.gguf"));
    CHECK(!exists("m"));
    dgm_env_clear_error(test_env());
    if (is_double())
        return;
    faulty.wrong_from = 0;
    CHECK_STATUS(train_checked("m", NULL, 0), DGM_OK);
    check_same_files("want", "m");
}

TEST(check_device_not_asked_for_notices_nothing)
{
    CHECK(write_corpus());
    faulty.wrong_from = 23;
    CHECK_STATUS(train_checked("m", NULL, 0), DGM_OK);
    CHECK(strstr(heard, "check-device") == NULL);
}

TEST(check_device_has_nothing_to_do_on_the_cpu)
{
    static const char *const all[] = { "check-device", "1", "after", "2u", NULL };
    struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *device;

    CHECK(write_corpus());
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &options), DGM_OK);
    heard[0] = '\0';
    test_env()->log = hear;
    test_env()->log_level = DGM_LOG_NOTE;
    CHECK_STATUS(train_on(device, "m", all, 0, NULL), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK(strstr(heard, "--check-device: the CPU itself computes") != NULL);
    CHECK_INT(checked_updates(), 0);
}
