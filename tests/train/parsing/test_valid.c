/*
 * test_valid.c: metrics of columns, which only a parser that learns these columns has.
 */
#include "train/parsing/valid.h"

#include "test.h"
#include "train/options.h"

static void check_metrics(const char *metrics, unsigned morphs, dgm_status want)
{
    struct dgm_settings settings;
    const struct dgm_run run = { .env = test_env(), .settings = &settings };

    CHECK_STATUS(dgm_settings_init(test_env(), &settings, dgm_train_parser_tables), DGM_OK);
    CHECK_STATUS(dgm_settings_set(test_env(), &settings, "valid-metrics", metrics, "test"), DGM_OK);
    CHECK_STATUS(dgm_parsing_valid_check(&run, morphs), want);
    dgm_settings_clear(test_env(), &settings);
    dgm_env_clear_error(test_env());
}

TEST(parsing_valid_refuses_metrics_of_columns_that_are_not_learned)
{
    const unsigned xpos = 1 << DGM_MORPH_XPOS, lemma = 1 << DGM_MORPH_LEMMA;

    check_metrics("las", 0, DGM_OK);
    check_metrics("las lemmas", lemma, DGM_OK);
    check_metrics("las lemmas", xpos, DGM_USAGE);
    check_metrics("alltags", xpos, DGM_OK); /* of those that are learned */
    check_metrics("mlas", xpos | lemma, DGM_USAGE);
}
