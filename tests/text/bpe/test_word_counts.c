/* test_word_counts.c: how often each word occurs. */
#include <string.h>

#include "test.h"
#include "text/bpe/word_counts.h"

static void count(struct dgm_map *counts, const char *line)
{
    CHECK_STATUS(dgm_word_counts_line(test_env(), counts, line, strlen(line)), DGM_OK);
}

TEST(count_splits_at_blanks_only_and_keeps_the_first_of_equals_first)
{
    struct dgm_env *env = test_env();
    struct dgm_map counts;
    struct dgm_buf out;

    memset(&counts, 0, sizeof counts);
    memset(&out, 0, sizeof out);
    count(&counts, "  z a\xC2\xA0"
                   "b  a z b \r\n");
    CHECK_STATUS(dgm_word_counts_print(env, &out, &counts, DGM_WORD_COUNTS_FIRST), DGM_OK);
    CHECK_STR(out.data, "z 2\na\xC2\xA0"
                        "b 1\na 1\nb 1\n");
    dgm_buf_reset(&out);
    CHECK_STATUS(dgm_word_counts_print(env, &out, &counts, DGM_WORD_COUNTS_BYTES), DGM_OK);
    CHECK_STR(out.data, "z 2\na 1\na\xC2\xA0"
                        "b 1\nb 1\n");
    dgm_buf_clear(env, &out);
    dgm_map_clear(env, &counts);
}
