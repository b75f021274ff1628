/*
 * test_repetition.c: phrases that are said twice.
 */
#include "text/score/repetition.h"

#include <string.h>

#include "test.h"

static int32_t look(const char *text, const char *reference, int *is_near)
{
    struct dgm_repetition repetition;
    int32_t longest = -1;

    memset(&repetition, 0, sizeof repetition);
    if (dgm_repetition_begin(test_env(), &repetition, text, strlen(text)) == DGM_OK &&
        (reference == NULL ||
         dgm_repetition_add(test_env(), &repetition, reference, strlen(reference)) == DGM_OK)) {
        longest = dgm_repetition_longest(&repetition);
        *is_near = dgm_repetition_is_near(&repetition);
    }
    dgm_repetition_clear(test_env(), &repetition);
    return longest;
}

TEST(tandem_finds_the_longest_block_that_is_followed_by_itself)
{
    static const struct {
        const char *text, *reference;
        int32_t longest;
    } cases[] = {
        { "a b a b c", NULL, 2 },
        { "a a a a", NULL, 1 },
        { "a b c", NULL, 0 },
        { "x y y x y y", NULL, 3 },
        { "", NULL, 0 },
        { "a", NULL, 0 },
        { "  a \t a ", NULL, 1 },
        { "in the house in the house", NULL, 3 },
        { "a b a b a b a b", NULL, 2 },
        { "x a b c d e a b c d e", NULL, 5 },
        /* no words */
        { ". . .", NULL, 0 },
        { "1 , 1 , 1 ,", NULL, 0 },
        { "10 10 a", NULL, 0 },
        { "\xe3\x80\x82 \xe3\x80\x82", NULL, 0 },
        { "a . a .", NULL, 2 },
        /* no fault where the reference says it, too; whichever token the block is cut at */
        { "very very good", "a very very good one", 0 },
        { "very very good", "very good", 1 },
        { "a b a b a", "b a b a", 0 },
        { "a b a b", "a b c a b", 2 },
        { "x x y y", "x x", 1 },
        { "x x", "", 1 },
        { "\xff \xff", NULL, 1 }, /* ill-formed bytes are a word */
    };
    int is_near;

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
        CHECK_INT(look(cases[k].text, cases[k].reference, &is_near), cases[k].longest);
}

TEST(tandem_is_near_when_one_token_differs)
{
    static const struct {
        const char *text, *reference;
        int is_near;
    } cases[] = {
        { "a b c d a x b c d", NULL, 1 },
        { "a x b c d a b c d", NULL, 1 },
        { "a b c d a b x d", NULL, 1 },
        { "a b c d a b c d", NULL, 1 },
        { "a b c d a x y d", NULL, 0 },
        { "a b c a b c", NULL, 0 },
        { "a b c d e f g", NULL, 0 },
        { "a b c d a x b c d", "a b c d a x b c d", 0 },
        { "1 2 3 4 1 2 3 4", NULL, 0 },
        { "a a a a a a a a", NULL, 0 },
        /* the published example: one token inserted */
        { "\xe5\x90\x8c \xe4\xb8\xad \xe6\xa0\xb7 \xe6\x84\xbf \xe7\x9a\x84 "
          "\xe5\x90\x8c \xe4\xb8\xad \xe4\xb8\x8e \xe6\xa0\xb7 \xe6\x84\xbf \xe7\x9a\x84",
          NULL, 1 },
    };
    int is_near = -1;

    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        CHECK(look(cases[k].text, cases[k].reference, &is_near) >= 0);
        CHECK_INT(is_near, cases[k].is_near);
    }
}

TEST(tandem_looks_at_the_beginning_of_endless_lines)
{
    static char text[400001];
    int is_near;

    for (size_t i = 0; i < 400000; i += 2)
        memcpy(text + i, i % 4 ? "a " : "b ", 2);
    CHECK_INT(look(text, text, &is_near), 0);
    CHECK_INT(look(text, NULL, &is_near), 2);
    memset(text, 'a', 400000);
    CHECK_INT(look(text, NULL, &is_near), 0);
}
