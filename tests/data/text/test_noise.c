/* test_noise.c: lines with other capitals, slips and marks. */
#include "data/text/noise.h"

#include <string.h>

#include "test.h"

static void make(struct dgm_buf *line, const char *text)
{
    dgm_buf_reset(line);
    CHECK_STATUS(dgm_buf_add_text(test_env(), line, text), DGM_OK);
}

static void check_case(enum dgm_noise_case how, const char *text, const char *want)
{
    struct dgm_buf line = { 0 }, out = { 0 };

    make(&line, text);
    CHECK(!test_has_failed());
    CHECK_STATUS(dgm_noise_case(test_env(), &out, &line, how, DGM_LETTERS_GENERAL), DGM_OK);
    CHECK_STR(out.data, want);
    dgm_buf_clear(test_env(), &line);
    dgm_buf_clear(test_env(), &out);
}

TEST(noise_changes_capitals)
{
    check_case(DGM_NOISE_CAPITALS, "&quot; Ein Ma\xC3\x9F .", "&quot; EIN MASS .");
    check_case(DGM_NOISE_SMALL_HEAD, "&quot; Ein Mann", "&quot; ein Mann");
    check_case(DGM_NOISE_SMALL_HEAD, "3 . !", "3 . !");
    check_case(DGM_NOISE_TITLE, "a man 3rd &apos;tis", "A Man 3rd &apos;Tis");
}

typedef dgm_status noise_fn(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                            struct dgm_random *random);

static dgm_status marks(struct dgm_env *env, struct dgm_buf *out, const struct dgm_buf *line,
                        struct dgm_random *random)
{
    return dgm_noise_marks(env, out, line, random, 1);
}

/* A placeholder, U+FDD3, and the blanks beside it come through everything. */
TEST(noise_leaves_placeholders)
{
    static noise_fn *const kinds[] = { dgm_noise_typo, marks };
    struct dgm_buf line = { 0 }, out = { 0 };
    struct dgm_random random;

    make(&line, "a \xEF\xB7\x93 b \xEF\xB7\x93");
    for (uint32_t n = 0; n < 400 && !test_has_failed(); n++) {
        dgm_buf_reset(&out);
        dgm_random_init(&random, 1, 2, 3, n);
        CHECK_STATUS(kinds[n % 2](test_env(), &out, &line, &random), DGM_OK);
        CHECK(strstr(out.data, " \xEF\xB7\x93 ") != NULL);
        CHECK_STR(out.data + out.size - 4, " \xEF\xB7\x93");
    }
    check_case(DGM_NOISE_CAPITALS, "\xEF\xB7\x93 a", "\xEF\xB7\x93 A");
    check_case(DGM_NOISE_TITLE, "\xEF\xB7\x93 a", "\xEF\xB7\x93 A");
    dgm_buf_clear(test_env(), &line);
    dgm_buf_clear(test_env(), &out);
}

/* Each way of many draws is one of those wanted, and each of them is met. */
static void check_ways(noise_fn *noise, const char *text, const char *const *wanted)
{
    struct dgm_buf line = { 0 }, out = { 0 };
    struct dgm_random random;
    unsigned met = 0;
    int count = 0;

    make(&line, text);
    CHECK(!test_has_failed());
    while (wanted[count] != NULL)
        count++;
    for (uint32_t n = 0; n < 200; n++) {
        int i = 0;

        dgm_buf_reset(&out);
        dgm_random_init(&random, 1, 2, 3, n);
        CHECK_STATUS(noise(test_env(), &out, &line, &random), DGM_OK);
        while (i < count && strcmp(out.data, wanted[i]) != 0)
            i++;
        if (i == count)
            CHECK_STR(out.data, "one of those wanted");
        met |= 1U << i;
    }
    CHECK_INT(met, (1U << count) - 1);
    dgm_buf_clear(test_env(), &line);
    dgm_buf_clear(test_env(), &out);
}

TEST(noise_has_four_slips)
{
    static const char *const slips[] = { "ba &amp; c", "a &amp; c", "aab &amp; c", "sb &amp; c",
                                         NULL };
    static const char *const none[] = { "a &amp; 3", NULL };
    static const char *const others[] = { "\xC3\xA9\xC3\xBC", "\xC3\xBC",
                                          "\xC3\xBC\xC3\xBC\xC3\xA9", "\xC3\xBC\xC3\xA9", NULL };
    static const char *const edges[] = { "o", "oop", "po", "ip", "pp", NULL };

    check_ways(dgm_noise_typo, "ab &amp; c", slips);
    check_ways(dgm_noise_typo, "a &amp; 3", none);
    check_ways(dgm_noise_typo, "\xC3\xBC\xC3\xA9", others);
    check_ways(dgm_noise_typo, "op", edges);
}

TEST(noise_changes_marks)
{
    static const char *const quoted[] = { "&quot; a &quot;",    "\xE2\x80\x9C a \xE2\x80\x9D .",
                                          "&quot;  a &quot; .", "&quot; a  &quot; .",
                                          "&quot; a &quot;  .", NULL };
    static const char *const curly[] = { "&quot;a&quot;!",
                                         "\xC2\xAB"
                                         "a\xC2\xBB",
                                         "\xC2\xAB"
                                         "a\xC2\xBB!",
                                         NULL };
    static const char *const mark[] = { ".", NULL };

    check_ways(marks, "&quot; a &quot; .", quoted);
    check_ways(marks,
               "\xC2\xAB"
               "a\xC2\xBB!",
               curly);
    check_ways(marks, ".", mark);
}
