/*
 * test_checkpoint.c: what a checkpoint has beside a model comes back as it was, and a folder keeps
 * as many as it is told, without a training.
 */
#include "train/store/checkpoint.h"

#include "open_device.h"
#include "tensor/gguf/gguf_write.h"
#include "training_case.h"

enum { ELEMENTS = 7 };

/* Numbers that floats hold exactly. */
static const dgm_real moments[] = { 1, -2, 3, 0.5, -0.25, 6, 7 };
static const dgm_real squares[] = { 1, 2, 4, 8, 16, 0.125, 0 };
static const dgm_real values[] = { -1, -2, -3, -4, -5, -6, -7 };

struct bench {
    struct dgm_device *device;
    struct dgm_params params;
    struct dgm_optimizer optimizer;
    struct dgm_checkpoints folder;
};

static dgm_status write_to(struct bench *bench, struct dgm_buffer *buffer, const dgm_real *from)
{
    const struct dgm_ref start = { buffer, 0 };

    return dgm_device_write(test_env(), bench->device, start, from, ELEMENTS * sizeof *from);
}

static dgm_status bench_open(struct bench *bench)
{
    const struct dgm_optimizer_options adam = { .beta1 = 0.9, .beta2 = 0.98, .eps = 1e-9 };
    char path[1200];
    dgm_param_id id;

    memset(bench, 0, sizeof *bench);
    DGM_TRY(open_device(test_env(), &bench->device, 1));
    DGM_TRY(dgm_params_matrix(test_env(), &bench->params, &id, "w", 1, ELEMENTS, DGM_INIT_ZERO, 1));
    DGM_TRY(dgm_params_allocate(test_env(), &bench->params, bench->device, 1));
    DGM_TRY(dgm_optimizer_init(test_env(), &bench->optimizer, &bench->params, &adam, 0,
                               bench->params.total));
    DGM_TRY(write_to(bench, bench->optimizer.m, moments));
    DGM_TRY(write_to(bench, bench->optimizer.v, squares));
    DGM_TRY(write_to(bench, bench->params.values, values));
    return dgm_checkpoints_open(test_env(), &bench->folder, in_dir(path, "m"), 1);
}

static void bench_close(struct bench *bench)
{
    dgm_checkpoints_close(test_env(), &bench->folder);
    dgm_optimizer_clear(test_env(), &bench->optimizer);
    dgm_params_clear(test_env(), &bench->params);
    dgm_device_close(test_env(), bench->device);
}

static dgm_status save(struct bench *bench, int64_t update, int is_regular, int is_best)
{
    const struct dgm_train_state state = { .updates = update, .epoch = 1 };
    const struct dgm_checkpoint_parts parts = { .optimizer = &bench->optimizer,
                                                .state = &state,
                                                .settings = "seed = 1\n",
                                                .texts = "",
                                                .values = bench->params.values };
    struct dgm_gguf_writer writer = { 0 };
    dgm_status status =
        dgm_checkpoints_save(test_env(), &bench->folder, &writer, &parts, is_regular, is_best, 2);

    dgm_gguf_writer_clear(test_env(), &writer);
    return status;
}

static void check_buffer(struct bench *bench, struct dgm_buffer *buffer, const dgm_real *want,
                         size_t count)
{
    const struct dgm_ref start = { buffer, 0 };
    dgm_real got[ELEMENTS];

    CHECK_STATUS(dgm_device_read(test_env(), bench->device, got, start, count * sizeof *got),
                 DGM_OK);
    CHECK(memcmp(got, want, count * sizeof *got) == 0);
}

/* A rank reads its slice of the moments, and all of the values. */
TEST(checkpoint_gives_moments_and_values_back)
{
    struct dgm_optimizer slice;
    struct dgm_gguf file = { 0 };
    struct bench bench;
    int found = 0;

    CHECK_STATUS(bench_open(&bench), DGM_OK);
    CHECK_STATUS(save(&bench, 5, 1, 0), DGM_OK);
    CHECK_STATUS(write_to(&bench, bench.params.values, squares), DGM_OK);
    CHECK_STATUS(dgm_checkpoints_newest(test_env(), &bench.folder, &file, &found), DGM_OK);
    CHECK(found && bench.folder.newest_update == 5);
    CHECK_STATUS(dgm_optimizer_init(test_env(), &slice, &bench.params, &bench.optimizer.options, 2,
                                    3),
                 DGM_OK);
    CHECK_STATUS(dgm_checkpoint_parts_moments(test_env(), &file, &slice), DGM_OK);
    CHECK_STATUS(dgm_checkpoint_parts_values(test_env(), &file, &bench.params), DGM_OK);
    check_buffer(&bench, slice.m, moments + 2, 3);
    check_buffer(&bench, slice.v, squares + 2, 3);
    check_buffer(&bench, bench.params.values, values, ELEMENTS);
    dgm_optimizer_clear(test_env(), &slice);
    dgm_gguf_clear(test_env(), &file);
    bench_close(&bench);
}

/* A mean of squares is not negative. */
TEST(checkpoint_with_a_moment_that_has_no_root_is_refused)
{
    struct dgm_gguf file = { 0 };
    struct bench bench;
    int found = 0;

    CHECK_STATUS(bench_open(&bench), DGM_OK);
    CHECK_STATUS(write_to(&bench, bench.optimizer.v, moments), DGM_OK);
    CHECK_STATUS(save(&bench, 5, 1, 0), DGM_OK);
    CHECK_STATUS(dgm_checkpoints_newest(test_env(), &bench.folder, &file, &found), DGM_OK);
    CHECK_STATUS(dgm_checkpoint_parts_moments(test_env(), &file, &bench.optimizer), DGM_MODEL);
    CHECK(strstr(test_env()->error.message, "number 1, that is negative") != NULL);
    dgm_env_clear_error(test_env());
    dgm_gguf_clear(test_env(), &file);
    bench_close(&bench);
}

/* The newest regular ones stay, and the one of a stop until its successor is there. */
TEST(checkpoint_folder_keeps_the_newest)
{
    struct bench bench;

    CHECK_STATUS(bench_open(&bench), DGM_OK);
    CHECK_STATUS(save(&bench, 1, 1, 1), DGM_OK);
    CHECK_STATUS(save(&bench, 2, 1, 0), DGM_OK);
    CHECK_STATUS(save(&bench, 3, 0, 0), DGM_OK);
    CHECK(exists("m.ckpt/update-00000003-stop.gguf"));
    CHECK_STATUS(save(&bench, 4, 1, 0), DGM_OK);
    CHECK(!exists("m.ckpt/update-00000001.gguf") && !exists("m.ckpt/update-00000003-stop.gguf"));
    CHECK(exists("m.ckpt/update-00000002.gguf") && exists("m.ckpt/update-00000004.gguf"));
    CHECK(exists("m.ckpt/best.gguf"));
    CHECK_INT(bench.folder.saves, 3);
    CHECK_STATUS(save(&bench, 5, 0, 0), DGM_OK);
    CHECK_STATUS(save(&bench, 5, 1, 0), DGM_OK);
    CHECK(exists("m.ckpt/update-00000005.gguf") && !exists("m.ckpt/update-00000005-stop.gguf"));
    bench_close(&bench);
}
