/* test_mteval.c: the tokenisers by which BLEU is defined. */
#include <string.h>

#include "test.h"
#include "text/score/mteval.h"

static void check_13a(const char *line, const char *want)
{
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_mteval_13a(test_env(), &out, line, strlen(line)), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &out);
}

TEST(mteval_tokenizes_stops_commas_and_escapes)
{
    check_13a("Hello, world. 1,000.5 5-6 a-b", "Hello , world . 1,000.5 5 - 6 a-b");
    check_13a("&quot;a&amp;lt;b&quot;", "\" a < b \"");
    check_13a("it's 3.", "it's 3 .");
    check_13a("a<skipped>b\xC2\xA0"
              "c",
              "ab c");
}
