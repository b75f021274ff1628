/*
 * test_match.c: two ways of writing one text: what every tokeniser and normaliser keeps is matched,
 * what it changes costs nothing that follows.
 */
#include "text/match/match.h"

#include <string.h>

#include "base/philox.h"
#include "test.h"

static dgm_status read_text(struct dgm_written *written, const char *text)
{
    written->count = 0;
    return dgm_written_add(test_env(), written, text, strlen(text), 0);
}

/* Whether both texts have the same units. */
static int are_alike(const char *a, const char *b)
{
    struct dgm_written first = { 0 }, second = { 0 };
    int alike = read_text(&first, a) == DGM_OK && read_text(&second, b) == DGM_OK;

    alike = alike && first.count == second.count &&
            (first.count == 0 || memcmp(first.units, second.units, first.count * 4) == 0);
    dgm_written_clear(test_env(), &first);
    dgm_written_clear(test_env(), &second);
    return alike;
}

TEST(written_texts_have_their_characters_in_common)
{
    CHECK(are_alike("I don't know.", "i don 't know ."));
    CHECK(are_alike("a & b < \"c\" [d]", "a &amp; b &lt; &quot;c&quot; &#91; d &#93;"));
    CHECK(are_alike("don\xE2\x80\x99t \xE2\x80\x9Cyou\xE2\x80\x9D", "don't \"you\""));
    CHECK(are_alike("\xEF\xBC\xA1\xEF\xBC\x91", "a1"));         /* full width */
    CHECK(are_alike("\xEF\xAC\x81t\xE2\x80\xA6", "fit..."));    /* a ligature, dots */
    CHECK(are_alike("\xE2\x96\x81so \xE2\x96\x81on", "so on")); /* marks of blanks */
    CHECK(are_alike("a\xE2\x80\x8B"
                    "b\xC2\xAD"
                    "c\xEF\xBB\xBF",
                    "abc")); /* what nobody sees */
    CHECK(are_alike("A\tB\xC2\xA0"
                    "C\xE3\x80\x80"
                    "D\r\n",
                    "a b c d"));
    CHECK(are_alike(" \t ", ""));
    CHECK(!are_alike("&apos", "'"));
    CHECK(!are_alike("ab", "ba"));
    CHECK(!are_alike("\xE4\xB8\xAD", "\xE6\x96\x87"));
}

TEST(written_units_know_where_their_characters_begin)
{
    struct dgm_written written = { 0 };

    CHECK_STATUS(dgm_written_add(test_env(), &written, "a &amp;\xE2\x80\xA6\xFFz", 12, 100),
                 DGM_OK);
    CHECK_INT(written.count, 7);
    CHECK_INT(written.starts[0], 100);
    CHECK_INT(written.starts[1], 102);
    CHECK_INT(written.units[1], '&');
    for (size_t i = 2; i < 5; i++) {
        CHECK_INT(written.starts[i], 107);
        CHECK_INT(written.units[i], '.');
    }
    CHECK_INT(written.units[5], 0xFFFD);
    CHECK_INT(written.starts[6], 111);
    dgm_written_clear(test_env(), &written);
}

TEST(written_unescape_undoes_each_escape_once)
{
    struct dgm_buf out = { 0 };
    static const char text[] = "don&apos;t &amp;lt; &bogus; a @-@ b @-@ &";

    CHECK_STATUS(dgm_written_unescape(test_env(), &out, text, strlen(text)), DGM_OK);
    CHECK_STR(out.data, "don't &lt; &bogus; a-b-&");
    dgm_buf_clear(test_env(), &out);
}

/* Matches two texts; places: of the units of the first, and their end, as digits of base 36. */
static int is_matched(const char *a, const char *b, const char *places)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    struct dgm_written first = { 0 }, second = { 0 };
    struct dgm_match match = { 0 };
    int good = read_text(&first, a) == DGM_OK && read_text(&second, b) == DGM_OK &&
               dgm_match_find(test_env(), &match, &first, &second) == DGM_OK &&
               strlen(places) == first.count + 1;

    for (size_t i = 0; good && i <= first.count; i++)
        good = match.places[i] < 36 && places[i] == digits[match.places[i]];
    dgm_match_clear(test_env(), &match);
    dgm_written_clear(test_env(), &first);
    dgm_written_clear(test_env(), &second);
    return good;
}

TEST(match_goes_on_behind_what_differs)
{
    CHECK(is_matched("abc", "a b C", "0123"));
    CHECK(is_matched("stra\xC3\x9F"
                     "e",
                     "strasse", "0123467"));
    CHECK(is_matched("strasse",
                     "stra\xC3\x9F"
                     "e",
                     "01234456"));
    CHECK(is_matched("cafe\xCC\x81 au", "caf\xC3\xA9 au", "01233456"));
    CHECK(is_matched("a+bcd", "abcd", "011234")); /* something is left out */
    CHECK(is_matched("abcd", "a+bcd", "02345"));  /* what comes in goes to what is before it */
    CHECK(is_matched("", "", "0"));
    CHECK(is_matched("ab", "", "000"));
    CHECK(is_matched("", "ab", "2"));
    CHECK(is_matched("ab", "xyz", "013")); /* nothing agrees: evenly */
    CHECK(is_matched("abxyz", "abXYpz", "012356"));
}

TEST(match_of_random_changes_never_falls_and_finds_the_rest)
{
    struct dgm_random random;
    struct dgm_written first = { 0 }, second = { 0 };
    struct dgm_match match = { 0 };

    dgm_random_init(&random, 11, 3, 0, 0);
    for (int round = 0; round < 300; round++) {
        uint32_t n = dgm_random_below(&random, 90), at = dgm_random_below(&random, n + 1);
        uint32_t cut = dgm_random_below(&random, 3), more = dgm_random_below(&random, 3);

        first.count = second.count = 0;
        for (uint32_t i = 0; i < n; i++) {
            const char letter = (char)('a' + dgm_random_below(&random, 26));

            CHECK_STATUS(dgm_written_add(test_env(), &first, &letter, 1, i), DGM_OK);
            for (uint32_t k = 0; i == at && k < more; k++)
                CHECK_STATUS(dgm_written_add(test_env(), &second, "+", 1, i), DGM_OK);
            if (i < at || i >= at + cut)
                CHECK_STATUS(dgm_written_add(test_env(), &second, &letter, 1, i), DGM_OK);
        }
        CHECK_STATUS(dgm_match_find(test_env(), &match, &first, &second), DGM_OK);
        for (size_t i = 0; i < first.count; i++)
            CHECK(match.places[i] <= match.places[i + 1]);
        CHECK_INT(match.places[first.count], second.count);
        /* Letters that happen to be alike may cost a few. */
        CHECK(match.same + 8 + cut >= first.count);
        CHECK(n < 40 || dgm_match_is_one_text(&match, &first, &second) || cut + more > 3);
    }
    dgm_match_clear(test_env(), &match);
    dgm_written_clear(test_env(), &first);
    dgm_written_clear(test_env(), &second);
}

TEST(match_tells_one_text_from_two)
{
    struct dgm_written first = { 0 }, second = { 0 };
    struct dgm_match match = { 0 };

    CHECK_STATUS(read_text(&first, "A man in a blue shirt is standing on a ladder."), DGM_OK);
    CHECK_STATUS(read_text(&second, "a man in a blue shirt is standing on a ladder ."), DGM_OK);
    CHECK_STATUS(dgm_match_find(test_env(), &match, &first, &second), DGM_OK);
    CHECK(dgm_match_is_one_text(&match, &first, &second));
    CHECK_STATUS(read_text(&second, "a group of men are loading cotton onto a truck"), DGM_OK);
    CHECK_STATUS(dgm_match_find(test_env(), &match, &first, &second), DGM_OK);
    CHECK(!dgm_match_is_one_text(&match, &first, &second));
    dgm_match_clear(test_env(), &match);
    dgm_written_clear(test_env(), &first);
    dgm_written_clear(test_env(), &second);
}
