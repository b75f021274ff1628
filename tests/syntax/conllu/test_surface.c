/* test_surface.c: the text that sentences were cut from. */
#include <string.h>

#include "syntax/conllu/conllu_reader.h"
#include "syntax/conllu/surface.h"
#include "test.h"
#include "treebank_file.h"

static dgm_status add_text(struct dgm_env *env, void *user,
                           const struct dgm_conllu_sentence *sentence)
{
    return dgm_surface_add(env, user, sentence);
}

static void check_text(const char *treebank, const char *want)
{
    struct dgm_buf text;
    char path[1200];

    memset(&text, 0, sizeof text);
    CHECK_STATUS(put_treebank(path, "bank.conllu", treebank), DGM_OK);
    CHECK_STATUS(dgm_conllu_reader_each(test_env(), path, NULL, add_text, &text), DGM_OK);
    CHECK_STR(text.data, want);
    dgm_buf_clear(test_env(), &text);
}

TEST(surface_is_tokens_with_what_stands_between)
{
    check_text("1-2\tdon't\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No\n"
               "1\tdo\t_\tX\t_\t_\t0\troot\t_\t_\n"
               "2\tn't\t_\tX\t_\t_\t1\tdep\t_\tSpaceAfter=No\n"
               "2.1\tx\t_\tX\t_\t_\t_\t_\t1:x\t_\n"
               "3\t!\t_\tX\t_\t_\t1\tdep\t_\tA=b|SpacesAfter=\\s\\s\\n|C=d\n"
               "4\t20 000\t_\tX\t_\t_\t1\tdep\t_\tSpacesInToken=20\\n000|XSpaceAfter=No\n\n"
               "1\tb\t_\tX\t_\t_\t0\troot\t_\tSpacesBefore=\\t\\p|SpacesAfter=\\\\s\\x\n\n",
               "don't!  \n20\n000 \t|b\\s\\x");
    check_text("1\ta\t_\tX\t_\t_\t0\troot\t_\tSpaceAfter=Yes\n"
               "2\tb\t_\tX\t_\t_\t1\tdep\t_\tSpacesAfter=\n\n",
               "a b");
}

TEST(surface_escapes_what_it_reads_back)
{
    static const char bytes[] = " \t\n\r|\\s\\\xC2\xA0x";
    struct dgm_buf out;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_surface_escape(test_env(), &out, bytes, sizeof bytes - 1), DGM_OK);
    CHECK_STR(out.data, "\\s\\t\\n\\r\\p\\\\s\\\\\xC2\xA0x");
    dgm_buf_clear(test_env(), &out);
}
