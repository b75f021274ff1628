/* test_script.c: letters have their scripts, and languages are written in theirs. */
#include "text/unicode/script.h"

#include <string.h>

#include "test.h"

static int holds(const char *value, uint32_t code)
{
    struct dgm_script_set set;

    return dgm_script_set_fill(test_env(), &set, "language", value) == DGM_OK && set.is_given &&
           set.holds[dgm_script_of(code)];
}

TEST(script_of_a_letter_is_found_and_others_have_none)
{
    CHECK(dgm_script_of('a') == dgm_script_of(0xDF));
    CHECK(dgm_script_of('a') == dgm_script_of(0x1EFF));
    CHECK(dgm_script_of('a') != dgm_script_of(0x430));
    CHECK(dgm_script_of(0x3042) != dgm_script_of(0x30A2));
    CHECK_INT(dgm_script_of('1'), 0);
    CHECK_INT(dgm_script_of(' '), 0);
    CHECK_INT(dgm_script_of(0xD7), 0);   /* a sign between Latin letters */
    CHECK_INT(dgm_script_of(0x30FC), 0); /* Hiragana and Katakana share it */
    CHECK_INT(dgm_script_of(0x0301), 0); /* a mark */
    CHECK_INT(dgm_script_of(0x10FFFF), 0);
    CHECK_INT(dgm_script_of(0xFFFFFFFF), 0);
}

TEST(script_set_is_named_by_script_or_language)
{
    CHECK(holds("Latin", 'a'));
    CHECK(holds("latn", 'a'));
    CHECK(holds("de", 0xE4) && !holds("de", 0x430));
    CHECK(holds("DE-at", 0xE4));
    CHECK(holds("ru", 0x430) && !holds("ru", 'a'));
    CHECK(holds("sr", 0x430) && holds("sr", 'a'));
    CHECK(holds("sr-Latn", 'a') && !holds("sr-Latn", 0x430));
    CHECK(holds("zh_Hans_CN", 0x4E2D) && !holds("zh", 'a'));
    CHECK(holds("ja", 0x4E2D) && holds("ja", 0x3042) && holds("jpn", 0x30A2));
    CHECK(holds("Canadian_Aboriginal", 0x1401));
    CHECK(holds("he", 0x5D0) && holds("km", 0x1780) && holds("ka", 0x10D0) && holds("am", 0x1200));
}

TEST(script_set_refuses_what_it_does_not_know)
{
    struct dgm_script_set set;

    CHECK_STATUS(dgm_script_set_fill(test_env(), &set, "language", "Latim"), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "did you mean \"Latin\"") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_script_set_fill(test_env(), &set, "language", ""), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_script_set_fill(test_env(), &set, "language", "e n"), DGM_USAGE);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_script_set_fill(test_env(), &set, "language", "-Xxxx-"), DGM_USAGE);
}
