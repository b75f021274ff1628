/* test_learn.c: which options make a run that starts from a model learn its text anew. */
#include "train/translation/sets/learn.h"

#include "test.h"
#include "train/options.h"

static void check_learns(const char *option, const char *value, int is_partial, int want)
{
    struct dgm_settings settings;

    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_train_tables), DGM_OK);
    CHECK_STATUS(dgm_settings_set(test_env(), &settings, option, value, "test"), DGM_OK);
    if (is_partial)
        CHECK_STATUS(dgm_settings_set(test_env(), &settings, "init-partial", "true", "test"),
                     DGM_OK);
    CHECK_INT(dgm_sets_learns_anew(&settings), want);
    dgm_settings_clear(test_env(), &settings);
}

TEST(sets_learn_anew_where_an_option_names_codes_and_values_are_taken_in_part)
{
    check_learns("bpe-merges", "100", 1, 1);
    check_learns("bpe-merges", "100", 0, 0);
    check_learns("lr", "0.1", 1, 0);
}
