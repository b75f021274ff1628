/* test_env.c: the first error wins; messages are one clean line; the log. */
#include <string.h>

#include "base/env.h"
#include "test.h"

TEST(env_the_first_error_wins)
{
    struct dgm_env *env = test_env();
    CHECK_INT(dgm_fail(env, DGM_DATA, "first"), DGM_DATA);
    CHECK_INT(dgm_fail_at(env, DGM_MODEL, "f", 1, 2, "second"), DGM_DATA);
    CHECK_INT(env->error.status, DGM_DATA);
    CHECK_STR(env->error.message, "first");
    CHECK_STR(env->error.file, "");
    CHECK_INT(env->error.offset, -1);
    dgm_env_clear_error(env);
    CHECK_INT(env->error.status, DGM_OK);
    CHECK_STR(env->error.message, "");
}

TEST(env_an_error_keeps_its_place)
{
    struct dgm_env *env = test_env();
    dgm_fail_at(env, DGM_DATA, "a.en", 3, 7, "byte \\x%x", 0xFFu);
    CHECK_STR(env->error.file, "a.en");
    CHECK_INT(env->error.line, 3);
    CHECK_INT(env->error.column, 7);
    CHECK_STR(env->error.message, "byte \\xff");
    dgm_env_clear_error(env);
    dgm_fail_byte(env, DGM_MODEL, "m.gguf", 128, "bad");
    CHECK_INT(env->error.offset, 128);
    CHECK_INT(env->error.line, 0);
    dgm_env_clear_error(env);
}

TEST(env_formats_every_documented_conversion)
{
    struct dgm_env *env = test_env();
    dgm_fail(env, DGM_DATA, "%s|%d|%ld|%lld|%u|%lu|%llu|%zu|%c|%x|%%|%5d|%-5d|%05d|%.2s|%.*s", "s",
             -1, -2L, (long long)INT64_MIN, 3u, 4ul, (unsigned long long)UINT64_MAX, (size_t)5, 'c',
             0xABCu, 42, 42, -42, "xyz", 1, "pqr");
    CHECK_STR(env->error.message, "s|-1|-2|-9223372036854775808|3|4|18446744073709551615|5|c|abc|%|"
                                  "   42|42   |-0042|xy|p");
    dgm_env_clear_error(env);
}

TEST(env_a_long_message_is_cut_between_characters)
{
    struct dgm_env *env = test_env();
    char text[1200];
    size_t i, length;
    for (i = 0; i + 1 < sizeof text; i++)
        text[i] = "\xE2\x82\xAC"[i % 3];
    text[sizeof text - 1] = '\0';
    dgm_fail(env, DGM_DATA, "%s", text);
    length = strlen(env->error.message);
    CHECK_INT(length, 510); /* 170 characters of three bytes; 511 would split one */
    dgm_env_clear_error(env);
    dgm_fail(env, DGM_DATA, "two\nlines\tand\x7F");
    CHECK_STR(env->error.message, "two lines and ");
    dgm_env_clear_error(env);
}

TEST(env_a_long_path_keeps_its_end)
{
    struct dgm_env *env = test_env();
    char path[600];
    memset(path, 'd', sizeof path);
    memcpy(path + sizeof path - 6, "/a.en", 6);
    dgm_fail_at(env, DGM_DATA, path, 1, 1, "x");
    CHECK_INT(strlen(env->error.file), sizeof env->error.file - 1);
    CHECK_MEM(env->error.file, "...d", 4);
    CHECK_STR(env->error.file + sizeof env->error.file - 6, "/a.en");
    dgm_env_clear_error(env);
}

TEST(env_quotes_control_bytes_and_ill_formed_text)
{
    char out[DGM_QUOTE_SIZE];
    dgm_quote(out, sizeof out, "a\tb\0c\x7F", 6);
    CHECK_STR(out, "a\\x09b\\x00c\\x7F");
    dgm_quote(out, sizeof out, "\xC3\xA9 \xC0\xAF \xED\xA0\x80 \xF0\x9F\x8C\xB3 \xE2\x82", 17);
    CHECK_STR(out, "\xC3\xA9 \\xC0\\xAF \\xED\\xA0\\x80 \xF0\x9F\x8C\xB3 \\xE2\\x82");
    dgm_quote(out, sizeof out,
              "\xC2\x9B"
              "1m\xC2\xA0 \xE2\x80\xAE \xE2\x81\xA9\xE2\x80\xAF",
              17);
    CHECK_STR(out, "\\xC2\\x9B"
                   "1m\xC2\xA0 \\xE2\\x80\\xAE \\xE2\\x81\\xA9\xE2\x80\xAF");
    dgm_quote(out, sizeof out, "", 0);
    CHECK_STR(out, "");
}

TEST(env_quotes_forty_characters_at_most)
{
    char out[DGM_QUOTE_SIZE], text[41];
    memset(text, 1, sizeof text);
    dgm_quote(out, sizeof out, text, 40);
    CHECK_INT(strlen(out), 160);
    dgm_quote(out, sizeof out, text, 41);
    CHECK_INT(strlen(out), 163);
    CHECK_STR(out + 156, "\\x01...");
    dgm_quote(out, 12, "abcdefghijklmnop", 16);
    CHECK_STR(out, "abcdefgh...");
}

struct log_line {
    char text[256];
    int count;
};

static void keep_line(void *user, dgm_level level, const char *text)
{
    struct log_line *line = user;
    (void)level;
    line->count++;
    strncpy(line->text, text, sizeof line->text - 1);
}

TEST(env_the_log_drops_what_is_above_its_level)
{
    struct dgm_env env;
    struct log_line line;
    memset(&line, 0, sizeof line);
    dgm_env_init(&env);
    dgm_log(&env, DGM_LOG_ERROR, "nobody listens");
    env.log = keep_line;
    env.log_user = &line;
    dgm_log(&env, DGM_LOG_NOTE, "step %d", 7);
    CHECK_STR(line.text, "step 7");
    dgm_log(&env, DGM_LOG_DEBUG, "detail");
    CHECK_INT(line.count, 1);
}

TEST(env_statuses_have_names_and_exit_codes)
{
    CHECK_STR(dgm_status_name(DGM_OK), "ok");
    CHECK_STR(dgm_status_name(DGM_DATA), "data");
    CHECK_STR(dgm_status_name(DGM_UNSUPPORTED), "unsupported");
    CHECK_STR(dgm_status_name(DGM_STATUS_COUNT), "unknown");
    CHECK_INT(dgm_status_exit_code(DGM_OK), 0);
    CHECK_INT(dgm_status_exit_code(DGM_USAGE), 2);
    CHECK_INT(dgm_status_exit_code(DGM_INTERRUPTED), 130);
    CHECK_INT(dgm_status_exit_code(DGM_STATUS_COUNT), 1);
}
