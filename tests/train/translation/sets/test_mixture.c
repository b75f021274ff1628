/*
 * test_mixture.c: shares of texts, from options to what a resumed run must agree with.
 */
#include "train/translation/sets/mixture.h"

#include <string.h>

#include "test.h"
#include "train/options.h"

/* Two texts, of which nothing is read: 100 and 300 pairs. */
struct mixed {
    struct dgm_settings settings;
    struct dgm_run run;
    struct dgm_sets sets;
    struct dgm_text_part parts[2];
};

static dgm_status begin(struct mixed *mixed, const char *option, const char *value)
{
    memset(mixed, 0, sizeof *mixed);
    mixed->run.env = test_env();
    mixed->run.settings = &mixed->settings;
    mixed->run.options.seed = 1;
    mixed->parts[0] = (struct dgm_text_part){ .pairs = 100, .checksum = 0xabc };
    mixed->parts[1] = (struct dgm_text_part){ .pairs = 300, .checksum = 0xdef };
    mixed->sets.train.parts = mixed->parts;
    mixed->sets.train.used = 400;
    DGM_TRY(dgm_text_list_add(test_env(), &mixed->sets.texts, "news.src", "news.trg"));
    DGM_TRY(dgm_text_list_add(test_env(), &mixed->sets.texts, "talks.src", "talks.trg"));
    DGM_TRY(dgm_settings_init(test_env(), &mixed->settings, dgm_train_tables));
    if (option != NULL)
        DGM_TRY(dgm_settings_set(test_env(), &mixed->settings, option, value, "test"));
    DGM_TRY(dgm_sets_mixture_read(&mixed->run, &mixed->sets));
    return dgm_sets_mixture_make(&mixed->run, &mixed->sets);
}

static void end(struct mixed *mixed)
{
    dgm_mixture_clear(test_env(), &mixed->sets.mixture);
    dgm_text_list_clear(test_env(), &mixed->sets.texts);
    dgm_settings_clear(test_env(), &mixed->settings);
}

static void check_described(const char *option, const char *value, const char *want)
{
    struct mixed mixed;
    struct dgm_buf said = { 0 };

    CHECK_STATUS(begin(&mixed, option, value), DGM_OK);
    CHECK_STATUS(dgm_sets_mixture_describe(test_env(), &mixed.sets, &said), DGM_OK);
    CHECK_STR(said.data, want);
    dgm_buf_clear(test_env(), &said);
    end(&mixed);
}

/* Weights count whatever the sizes; a temperature of 2 takes the roots of shares, 1 : 3 ^ 0.5. */
TEST(sets_mixture_says_how_many_pairs_of_each_text_an_epoch_has)
{
    check_described(NULL, NULL, "abc 100 100 -\ndef 300 300 -\n");
    check_described("train-weights", "3 1", "abc 100 300 -\ndef 300 100 -\n");
    check_described("train-temperature", "2", "abc 100 146 -\ndef 300 254 -\n");
}

TEST(sets_mixture_refuses_weights_that_are_not_one_for_each_text)
{
    struct mixed mixed;

    CHECK_STATUS(begin(&mixed, "train-weights", "1 2 3"), DGM_USAGE);
    CHECK_STR(test_env()->error.message,
              "--train-weights has 3 values for 2 texts; expected one for each");
    end(&mixed);
}
