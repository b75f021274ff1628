/*
 * test_freeze.c: which parameters a pattern names, and that those stay while others are trained.
 */
#include <math.h>
#include <string.h>

#include "open_device.h"
#include "test.h"
#include "train/step/freeze.h"
#include "train/step/optimizer.h"

static const char *const names[] = { "encoder.layers.0.fc1.weight", "encoder.layers.10.fc1.bias",
                                     "decoder.embed_tokens.weight" };
enum { PARAMS = sizeof names / sizeof names[0] };

static void declare(struct dgm_params *params)
{
    memset(params, 0, sizeof *params);
    for (int i = 0; i < PARAMS; i++) {
        dgm_param_id id;

        CHECK_STATUS(dgm_params_vector(test_env(), params, &id, names[i], 3, DGM_INIT_ZERO),
                     DGM_OK);
    }
}

/* Which of the three a list of patterns freezes: "100" the first alone. */
static void freezes(const char *patterns, const char *want)
{
    struct dgm_params params;
    char got[PARAMS + 1] = "";

    declare(&params);
    CHECK_STATUS(dgm_freeze(test_env(), &params, patterns), DGM_OK);
    for (int i = 0; i < PARAMS; i++)
        got[i] = params.items[i].rate > 0 ? '0' : '1';
    CHECK_STR(got, want);
    dgm_params_clear(test_env(), &params);
}

static void refuses(const char *patterns, const char *message)
{
    struct dgm_params params;

    declare(&params);
    CHECK_STATUS(dgm_freeze(test_env(), &params, patterns), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, message) != NULL);
    dgm_env_clear_error(test_env());
    dgm_params_clear(test_env(), &params);
}

TEST(freeze_takes_names_by_patterns)
{
    freezes(NULL, "000");
    freezes("encoder.layers.0.fc1.weight", "100");
    freezes("encoder.layers.0.fc1.weight**", "100"); /* a star may stand for nothing */
    freezes("encoder.*", "110");
    freezes("*.weight", "101");
    freezes("*fc1*", "110");
    freezes("*.1*.bias", "010");
    freezes("**embed**", "001");
    freezes("encoder.layers.0.*,decoder.*", "101");
    freezes("*bias,*bias", "010");
}

TEST(freeze_refuses_what_fits_nothing_or_everything)
{
    refuses("encoder", "no parameter is called like \"encoder\"");
    refuses("encoder.*,x*", "no parameter is called like \"x*\"");
    refuses("*weigh", "no parameter is called like \"*weigh\"");
    refuses("", "--freeze names nothing");
    refuses("encoder.*,,decoder.*", "no parameter is called like \"\"");
    refuses("*", "all parameters would stay as they are");
    refuses("*.weight,*.bias", "all parameters would stay as they are");
}

/* The gradient of what stays neither moves it nor counts for clipping, whatever it is. */
static void train_one(enum dgm_optimizer_kind kind)
{
    const struct dgm_optimizer_options options = { .beta1 = 0.9,
                                                   .beta2 = 0.98,
                                                   .eps = 1e-6,
                                                   .weight_decay = kind == DGM_ADAM ? 0.5 : 0,
                                                   .clip_norm = 100,
                                                   .kind = kind,
                                                   .rho = 0.9 };
    const dgm_real start[3] = { 1, -2, 3 }, grads[3] = { 1000, 2, -7 };
    struct dgm_optimizer optimizer;
    struct dgm_device *device;
    struct dgm_params params;
    dgm_real got[3];
    double norm;

    declare(&params);
    CHECK_STATUS(dgm_freeze(test_env(), &params, "encoder.layers.10*"), DGM_OK);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(dgm_params_allocate(test_env(), &params, device, 1), DGM_OK);
    CHECK_STATUS(dgm_optimizer_init(test_env(), &optimizer, &params, &options, 0, params.total),
                 DGM_OK);
    for (int i = 0; i < PARAMS; i++) {
        const struct dgm_ref at = { params.grads, (size_t)params.items[i].offset * sizeof *grads };

        CHECK_STATUS(dgm_params_write(test_env(), &params, i, start), DGM_OK);
        if (i < 2) /* the third has no gradient */
            CHECK_STATUS(dgm_device_write(test_env(), device, at, grads, sizeof grads), DGM_OK);
    }
    CHECK_STATUS(dgm_optimizer_skip_frozen(test_env(), &optimizer), DGM_OK);
    CHECK_STATUS(dgm_optimizer_update(test_env(), &optimizer, 1, 0.1, 1, &norm), DGM_OK);
    CHECK_NEAR(norm, sqrt(1000 * 1000 + 4 + 49), 1e-3);
    CHECK_STATUS(dgm_params_read(test_env(), &params, 1, got), DGM_OK);
    CHECK_MEM(got, start, sizeof got);
    CHECK_STATUS(dgm_params_read(test_env(), &params, 0, got), DGM_OK);
    CHECK(got[0] < 1 && got[1] < start[1] * (kind == DGM_ADAM ? 0.95f : 1) && got[2] != 3);
    dgm_optimizer_clear(test_env(), &optimizer);
    dgm_params_clear(test_env(), &params);
    dgm_device_close(test_env(), device);
}

TEST(freeze_keeps_values_with_adam_and_decay)
{
    train_one(DGM_ADAM);
}

TEST(freeze_keeps_values_with_adadelta)
{
    train_one(DGM_ADADELTA);
}
