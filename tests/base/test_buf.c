/* test_buf.c: the growing buffer and its limit. */
#include <string.h>

#include "base/buf.h"
#include "test.h"

TEST(buf_is_always_followed_by_a_nul)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { NULL, 0, 0, 0 };
    int i;
    CHECK_STATUS(dgm_buf_add(env, &buf, "", 0), DGM_OK);
    CHECK_STR(buf.data, "");
    for (i = 0; i < 1000; i++) {
        CHECK_STATUS(dgm_buf_add_char(env, &buf, 'x'), DGM_OK);
        CHECK_INT(buf.data[buf.size], 0);
    }
    CHECK_INT(buf.size, 1000);
    dgm_buf_reset(&buf);
    CHECK_INT(buf.size, 0);
    CHECK_STR(buf.data, "");
    CHECK(buf.capacity > 1000);
    dgm_buf_clear(env, &buf);
    CHECK(buf.data == NULL);
}

TEST(buf_writes_text_formats_and_numbers)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { NULL, 0, 0, 0 };
    CHECK_STATUS(dgm_buf_add_text(env, &buf, "bleu = "), DGM_OK);
    CHECK_STATUS(dgm_buf_add_real(env, &buf, 41.02, 7), DGM_OK);
    CHECK_STATUS(dgm_buf_add_format(env, &buf, " at %d of %s", 84000, "de-en"), DGM_OK);
    CHECK_STR(buf.data, "bleu = 41.02 at 84000 of de-en");
    dgm_buf_clear(env, &buf);
}

TEST(buf_refuses_more_than_its_limit_and_keeps_what_it_has)
{
    struct dgm_env *env = test_env();
    struct dgm_buf buf = { NULL, 0, 0, 100 };
    char text[101];
    memset(text, 'a', sizeof text);
    CHECK_STATUS(dgm_buf_add(env, &buf, text, 100), DGM_OK);
    CHECK_STATUS(dgm_buf_add_char(env, &buf, 'b'), DGM_MEMORY);
    dgm_env_clear_error(env);
    CHECK_STATUS(dgm_buf_add(env, &buf, text, (size_t)-1), DGM_MEMORY);
    dgm_env_clear_error(env);
    CHECK_INT(buf.size, 100);
    CHECK_INT(buf.data[100], 0);
    dgm_buf_clear(env, &buf);
}
