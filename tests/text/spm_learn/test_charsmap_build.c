/* test_charsmap_build.c: NFKC as rules that charsmap.c reads. scripts/peers/spm_train.py compares
 * all characters with the library. */
#include "test.h"
#include "text/spm/charsmap.h"
#include "text/spm_learn/charsmap_build.h"

#include <string.h>

struct example {
    const char *from, *to;
    size_t taken;
};

static void check_rule(const struct dgm_charsmap *map, const struct example *example)
{
    const char *with = "";
    size_t bytes = 0;

    CHECK_INT(dgm_charsmap_find(map, example->from, strlen(example->from), &with, &bytes),
              example->taken);
    CHECK(bytes == strlen(example->to) && memcmp(with, example->to, bytes) == 0);
}

TEST(charsmap_build_composes_and_rewrites)
{
    static const struct example examples[] = {
        { "a", "", 0 },
        { "e\xCC\x81x", "\xC3\xA9", 3 },                               /* e, acute */
        { "\xE1\xBA\xB9\xCC\x82", "\xE1\xBB\x87", 5 },                 /* e below, circumflex */
        { "e\xCC\xA3\xCC\x82", "\xE1\xBB\x87", 5 },                    /* the same, all apart */
        { "\xEF\xAC\x81", "fi", 3 },                                   /* a ligature */
        { "\xEF\xBD\xB6\xEF\xBE\x9E", "\xE3\x82\xAC", 6 },             /* half-width ga */
        { "\xE3\x82\xAB\xE3\x82\x99", "\xE3\x82\xAC", 6 },             /* ka, voiced */
        { "\xE1\x84\x92\xE1\x85\xA1\xE1\x86\xAB", "\xED\x95\x9C", 9 }, /* Hangul */
        { "\xE1\x84\x92\xE1\x85\xA1", "\xED\x95\x98", 6 },
        { "\xE2\x84\xAB", "\xC3\x85", 3 }, /* the sign of angstrom */
    };
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_charsmap map;

    CHECK_STATUS(dgm_charsmap_build(test_env(), &bytes, DGM_SPM_NFKC), DGM_OK);
    CHECK_STATUS(dgm_charsmap_read(test_env(), &map, bytes.data, bytes.size, "m"), DGM_OK);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        check_rule(&map, &examples[i]);
    check_rule(&map, &(struct example){ "\t", "", 0 });
    dgm_buf_clear(test_env(), &bytes);
}

TEST(charsmap_build_makes_blanks_of_one_kind_for_translation)
{
    static const struct example examples[] = {
        { "\t", " ", 1 },           { "\x01", "", 1 },
        { "\xE3\x80\x80", " ", 3 }, { "\xEF\xBD\x9E", "", 0 }, /* the full-width tilde stays */
        { "\xEF\xBC\xA1", "A", 3 },
    };
    struct dgm_buf bytes = { .data = NULL };
    struct dgm_charsmap map;

    CHECK_STATUS(dgm_charsmap_build(test_env(), &bytes, DGM_SPM_NMT_NFKC), DGM_OK);
    CHECK_STATUS(dgm_charsmap_read(test_env(), &map, bytes.data, bytes.size, "m"), DGM_OK);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        check_rule(&map, &examples[i]);
    dgm_buf_reset(&bytes);
    CHECK_STATUS(dgm_charsmap_build(test_env(), &bytes, DGM_SPM_IDENTITY), DGM_OK);
    CHECK_INT(bytes.size, 0);
    dgm_buf_clear(test_env(), &bytes);
}
