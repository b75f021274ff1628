/*
 * Tests of param_file.h: numbers that weights in fewer bits cannot hold. What files may have is
 * tested beside their readers, and what models are made of by the golden files.
 */
#include "nn/param_file.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "device/device.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

enum { ROWS = 300, COLS = 1000, COUNT = ROWS * COLS }; /* more than a piece of a file */

/* A file of one matrix of ones, but for the last number but one. */
static dgm_status write_file(const char *path, double number)
{
    const size_t dims[] = { ROWS, COLS };
    dgm_real *values = dgm_alloc(test_env(), COUNT, sizeof *values);
    struct dgm_gguf_writer writer;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    if (values == NULL)
        return DGM_MEMORY;
    for (int i = 0; i < COUNT; i++)
        values[i] = 1;
    values[COUNT - 2] = (dgm_real)number;
    DGM_TRY_OUT(dgm_gguf_add_reals(test_env(), &writer, "weight", DGM_GGUF_F32, 2, dims, values));
    status = dgm_gguf_write(test_env(), &writer, path);
out:
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_release(test_env(), values);
    return status;
}

/* As translation loads it (`open`: one piece after the other), into weights of a kind. */
static dgm_status load(const char *path, enum dgm_weights kind, int is_open)
{
    struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    struct dgm_device *device = NULL;
    struct dgm_params params;
    struct dgm_gguf file;
    dgm_param_id id;
    dgm_status status;

    memset(&params, 0, sizeof params);
    memset(&file, 0, sizeof file);
    DGM_TRY_OUT(dgm_device_open(test_env(), &device, "cpu", &options));
    DGM_TRY_OUT(
        dgm_params_matrix(test_env(), &params, &id, "weight", ROWS, COLS, DGM_INIT_ZERO, 0));
    dgm_params_plain(&params, id);
    dgm_params_hold(&params, kind);
    DGM_TRY_OUT(dgm_params_allocate(test_env(), &params, device, 0));
    DGM_TRY_OUT((is_open ? dgm_gguf_open : dgm_gguf_load)(test_env(), &file, path));
    status = dgm_params_load(test_env(), &params, &file, NULL);
out:
    dgm_gguf_clear(test_env(), &file);
    dgm_params_clear(test_env(), &params);
    dgm_device_close(test_env(), device);
    return status;
}

static void check_kinds(double number, dgm_status want_of_bf16)
{
    char path[512];

    snprintf(path, sizeof path, "%s/model", test_dir());
    CHECK_STATUS(write_file(path, number), DGM_OK);
    for (int is_open = 0; is_open < 2; is_open++) {
        CHECK_STATUS(load(path, DGM_WEIGHTS_PANELS, is_open), DGM_OK);
        CHECK_STATUS(load(path, DGM_WEIGHTS_INT8, is_open), DGM_OK);
        CHECK_STATUS(load(path, DGM_WEIGHTS_BF16, is_open), want_of_bf16);
    }
}

TEST(bf16_holds_weights_up_to_its_largest)
{
    check_kinds(0x1.fep62, DGM_OK);
    check_kinds(-0x1.fep62, DGM_OK);
}

TEST(bf16_refuses_a_weight_beyond_its_largest_by_name)
{
    check_kinds(0x1p63, DGM_MODEL);
    CHECK(strstr(test_env()->error.message,
                 "tensor \"weight\": value 299999 of 300000 is 9.22337e+18, and bf16 ends at "
                 "9.18734e+18; expected --compute-type f32") != NULL);
    dgm_env_clear_error(test_env());
    check_kinds(-1e30, DGM_MODEL);
}
