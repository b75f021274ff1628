/* test_flat_json.c: objects of unknown members, and what is none. */
#include "text/flat_json.h"

#include <math.h>
#include <string.h>

#include "test.h"

static dgm_status read(struct dgm_flat *flat, const char *text)
{
    return dgm_flat_read(test_env(), flat, "log", 7, text, strlen(text));
}

TEST(flat_json_numbers_and_strings_by_name)
{
    struct dgm_flat flat;
    double value = 0;

    memset(&flat, 0, sizeof flat);
    CHECK_STATUS(read(&flat, " {\"update\": 12, \"metric\":\"b\\u006ceu\" , \"on\": true, "
                             "\"list\": [1, {\"x\": \"]}\"}], \"loss\": -2.5e-1, \"loss\": 4} "),
                 DGM_OK);
    CHECK_INT(flat.count, 4);
    CHECK(dgm_flat_number(&flat, "update", &value) && value > 11.5 && value < 12.5);
    CHECK_STR(dgm_flat_text(&flat, "metric"), "bleu");
    CHECK(dgm_flat_number(&flat, "loss", &value));
    CHECK_NEAR(value, 4, 0);
    CHECK(!dgm_flat_number(&flat, "metric", &value));
    CHECK(!dgm_flat_number(&flat, "on", &value));
    CHECK(dgm_flat_text(&flat, "update") == NULL);
    CHECK_STATUS(read(&flat, "{}"), DGM_OK);
    CHECK_INT(flat.count, 0);
    dgm_flat_clear(test_env(), &flat);
}

TEST(flat_json_numbers_that_are_not_finite)
{
    struct dgm_flat flat;
    double value = 0;

    memset(&flat, 0, sizeof flat);
    CHECK_STATUS(read(&flat, "{\"a\": nan, \"b\": inf, \"c\": -inf, \"d\": null, "
                             "\"e\": NaN, \"f\": -Infinity}"),
                 DGM_OK);
    CHECK(dgm_flat_number(&flat, "a", &value) && isnan(value));
    CHECK(dgm_flat_number(&flat, "b", &value) && isinf(value) && value > 0);
    CHECK(dgm_flat_number(&flat, "c", &value) && isinf(value) && value < 0);
    CHECK(dgm_flat_number(&flat, "d", &value) && isnan(value));
    CHECK(dgm_flat_number(&flat, "e", &value) && isnan(value));
    CHECK(dgm_flat_number(&flat, "f", &value) && isinf(value) && value < 0);
    dgm_flat_clear(test_env(), &flat);
}

TEST(flat_json_what_is_no_object_is_refused)
{
    static const char *const texts[] = {
        "",
        "[1]",
        "{",
        "{\"a\"",
        "{\"a\":",
        "{\"a\": 1",
        "{\"a\" 1}",
        "{\"a\": 1,}",
        "{\"a\": 1} x",
        "{\"a\": nanx}",
        "{a: 1}",
        "{\"a\": [1",
        "{\"a\": {]",
        "{\"a\": [\"\x01\"]}",
        "{\"a\": 1e999}",
        "{\"a\": 0x10}",
    };
    struct dgm_flat flat;
    size_t i;

    memset(&flat, 0, sizeof flat);
    for (i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        CHECK_STATUS(read(&flat, texts[i]), DGM_DATA);
        CHECK_INT(test_env()->error.line, 7);
        dgm_env_clear_error(test_env());
    }
    dgm_flat_clear(test_env(), &flat);
}
