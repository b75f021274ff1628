/* test_json.c: reading JSON: marks, strings with every escape, numbers, and what is refused. */
#include <string.h>

#include "test.h"
#include "text/json.h"

static struct dgm_json start(const char *text)
{
    struct dgm_json json;

    dgm_json_start(&json, test_env(), "file", 7, text, strlen(text));
    return json;
}

static void check_string(const char *text, const char *want)
{
    struct dgm_json json = start(text);
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_json_string(&json, &out), DGM_OK);
    CHECK_STATUS(dgm_json_end(&json), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

static void check_bad_string(const char *text, long column)
{
    struct dgm_json json = start(text);
    struct dgm_buf out = { NULL, 0, 0, 0 };

    CHECK_STATUS(dgm_json_string(&json, &out), DGM_DATA);
    CHECK_STR(test_env()->error.file, "file");
    CHECK_INT(test_env()->error.line, 7);
    CHECK_INT(test_env()->error.column, column);
    dgm_env_clear_error(test_env());
    dgm_buf_clear(test_env(), &out);
}

TEST(json_reads_strings)
{
    check_string(" \"\" ", "");
    check_string("\"a b\"", "a b");
    check_string("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
    check_string("\"\\u00e9\\u732B\\ud83d\\uDE00\"", "é猫😀");
    check_string("\"猫é\"", "猫é");
}

TEST(json_refuses_what_is_no_string)
{
    check_bad_string("", 1);
    check_bad_string("  7", 3);
    check_bad_string("\"open", 6);
    check_bad_string("\"a\nb\"", 3);
    check_bad_string("\"\\x\"", 3);
    check_bad_string("\"\\u12g4\"", 6);
    check_bad_string("\"\\u0000\"", 8);
    check_bad_string("\"\\ud800x\"", 8);
    check_bad_string("\"\\udc00\"", 8);
    check_bad_string("\"\\ud83d\\u0041\"", 14);
    check_bad_string("\"\xff\"", 2);
}

TEST(json_reads_lists_and_numbers)
{
    struct dgm_json json = start(" [ 1 , -2.5e1,[] ] ");
    size_t count = 0, inner = 0;
    double value;
    int64_t whole;
    int more;

    CHECK_STATUS(dgm_json_mark(&json, '['), DGM_OK);
    CHECK_STATUS(dgm_json_item(&json, ']', &count, &more), DGM_OK);
    CHECK_STATUS(dgm_json_int(&json, 1, 1, &whole), DGM_OK);
    CHECK_INT(whole, 1);
    CHECK_STATUS(dgm_json_item(&json, ']', &count, &more), DGM_OK);
    CHECK_STATUS(dgm_json_real(&json, &value), DGM_OK);
    CHECK_NEAR(value, -25, 0);
    CHECK_STATUS(dgm_json_item(&json, ']', &count, &more), DGM_OK);
    CHECK_STATUS(dgm_json_mark(&json, '['), DGM_OK);
    CHECK_STATUS(dgm_json_item(&json, ']', &inner, &more), DGM_OK);
    CHECK(!more);
    CHECK_STATUS(dgm_json_item(&json, ']', &count, &more), DGM_OK);
    CHECK(!more);
    CHECK_STATUS(dgm_json_end(&json), DGM_OK);
}

TEST(json_refuses_numbers_out_of_range_and_missing_marks)
{
    struct dgm_json json = start("12 13");
    size_t count = 1;
    double real;
    int64_t value;
    int more;

    CHECK_STATUS(dgm_json_int(&json, 0, 11, &value), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "\"12 13\"; expected a whole number within 0..11") !=
          NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_json_int(&json, 0, 12, &value), DGM_OK);
    CHECK_STATUS(dgm_json_item(&json, ']', &count, &more), DGM_DATA);
    CHECK(strstr(test_env()->error.message, ", or ]") != NULL);
    dgm_env_clear_error(test_env());
    CHECK_STATUS(dgm_json_end(&json), DGM_DATA);
    dgm_env_clear_error(test_env());
    json = start("nan");
    CHECK_STATUS(dgm_json_real(&json, &real), DGM_DATA);
    dgm_env_clear_error(test_env());
}
