/*
 * test_resume_settings.c: which settings a resumed run must agree with, and what is said, without a
 * training.
 */
#include "train/store/resume_settings.h"

#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "train/options.h"
#include "train/store/checkpoint_parts.h"
#include "training_case.h"

static const struct dgm_opt *const no_tables[] = { NULL };

/* Its model has no settings. */
static const struct dgm_learner learner = { .run_tables = dgm_train_tables,
                                            .model_tables = no_tables,
                                            .config_key = "none" };

static dgm_status describe(struct dgm_settings *settings, const char *const *options,
                           struct dgm_buf *text)
{
    DGM_TRY(make_settings(settings, "m", options));
    return dgm_resume_settings_describe(test_env(), settings, &learner, text);
}

/* A file that has the settings of a run with these options. */
static dgm_status write_checkpoint(const char *path, const char *const *options)
{
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_settings settings;
    struct dgm_buf text = { 0 };
    dgm_status status = describe(&settings, options, &text);

    if (status == DGM_OK)
        status = dgm_gguf_add_text(test_env(), &writer, DGM_CHECKPOINT_SETTINGS, text.data,
                                   strlen(text.data));
    if (status == DGM_OK)
        status = dgm_gguf_write(test_env(), &writer, path);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_buf_clear(test_env(), &text);
    dgm_settings_clear(test_env(), &settings);
    return status;
}

/* A run that was begun with some options goes on with others; want: a part of the message, or NULL:
 * it may. */
static void check(const char *const *before, const char *const *now, const char *want)
{
    struct dgm_settings settings;
    struct dgm_run run = { .env = test_env(), .settings = &settings };
    struct dgm_gguf file = { 0 };
    struct dgm_buf text = { 0 };
    char path[1200];

    CHECK_STATUS(write_checkpoint(in_dir(path, "c.gguf"), before), DGM_OK);
    CHECK_STATUS(dgm_gguf_load(test_env(), &file, path), DGM_OK);
    CHECK_STATUS(describe(&settings, now, &text), DGM_OK);
    CHECK_STATUS(dgm_resume_settings_compare(&run, &learner, text.data, "m.ckpt", &file),
                 want == NULL ? DGM_OK : DGM_USAGE);
    if (want != NULL && strstr(test_env()->error.message, want) == NULL)
        CHECK_STR(test_env()->error.message, want);
    dgm_env_clear_error(test_env());
    dgm_gguf_clear(test_env(), &file);
    dgm_buf_clear(test_env(), &text);
    dgm_settings_clear(test_env(), &settings);
}

TEST(resume_settings_that_change_what_is_trained_must_agree)
{
    static const char *const slow[] = { "lr", "0.1", "disp-freq", "5u", NULL };
    static const char *const shown[] = { "lr", "0.1", "disp-freq", "7u", NULL };
    static const char *const fast[] = { "lr", "0.5", "disp-freq", "5u", NULL };

    check(slow, slow, NULL);
    check(slow, shown, NULL);
    check(slow, fast, "checkpoints were trained with another setting than \"lr = 0.5\"");
}

/* What has no default has a line in one of the two alone. */
TEST(resume_settings_that_are_not_named_any_more_are_told)
{
    static const char *const none[] = { NULL };
    static const char *const frozen[] = { "freeze", "decoder*", NULL };

    check(frozen, none, "trained with \"freeze = decoder*\", which is not set now");
    check(none, frozen, "with another setting than \"freeze = decoder*\"");
}
