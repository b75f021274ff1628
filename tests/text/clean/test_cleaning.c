/* test_cleaning.c: pairs and the reason why each goes, at the borders of the rules and where a pair
 * breaks several. */
#include "text/clean/cleaning.h"

#include <string.h>

#include "test.h"

static dgm_clean_reason judge(struct dgm_cleaning *cleaning, const char *source, const char *target)
{
    struct dgm_clean_pair pair = { .text = { source, target },
                                   .bytes = { strlen(source), strlen(target) } };
    dgm_clean_reason reason = DGM_CLEAN_COUNT;

    if (dgm_cleaning_judge(test_env(), cleaning, &pair, &reason) != DGM_OK)
        reason = DGM_CLEAN_COUNT;
    return reason;
}

/* Limits of 2 and 4 tokens, a ratio of 1.5, words of 5 characters. */
TEST(cleaning_judges_at_the_borders_and_by_the_first_rule)
{
    static const struct {
        const char *source, *target;
        dgm_clean_reason reason;
    } rows[] = {
        { "a b", "c d", DGM_CLEAN_KEPT },
        { "a b c d", "e f g h", DGM_CLEAN_KEPT },
        { "a b c", "d e", DGM_CLEAN_KEPT }, /* just 1.5 */
        { "a b c d", "e f", DGM_CLEAN_RATIO },
        { "e f", "a b c d", DGM_CLEAN_RATIO },
        { "a", "c d", DGM_CLEAN_SHORT },
        { "c d", "a", DGM_CLEAN_SHORT },
        { "", "c d", DGM_CLEAN_EMPTY },
        { "a b c d e", "c d e", DGM_CLEAN_LONG },
        { "abcde x", "y z", DGM_CLEAN_KEPT },
        { "abcdef x", "y z", DGM_CLEAN_WORD },
        { "y z", "abcdef x", DGM_CLEAN_WORD },
        { "q r", "q r", DGM_CLEAN_COPY },
        { "\xFF s", "t u", DGM_CLEAN_UTF8 },
        { "s t", "t \xFF", DGM_CLEAN_UTF8 },
        /* two rules: of both sides the first in the order of the list */
        { "a b c d e", "", DGM_CLEAN_EMPTY },
        { "", "a b c d e", DGM_CLEAN_EMPTY },
        { "a b c d e", "f", DGM_CLEAN_SHORT },
        { "f", "a b c d e", DGM_CLEAN_SHORT },
        { "a b c d e", "", DGM_CLEAN_EMPTY },
        { "abcdef", "abcdef", DGM_CLEAN_SHORT },
        { "abcdef x", "abcdef x", DGM_CLEAN_WORD },
        { "abcdef x c d", "e f", DGM_CLEAN_RATIO },
    };
    struct dgm_cleaning cleaning = { .rules = { .sides = 2,
                                                .min_length = 2,
                                                .max_length = 4,
                                                .max_ratio = 1.5,
                                                .max_word_length = 5,
                                                .duplicates = DGM_DUPLICATE_NONE } };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (judge(&cleaning, rows[i].source, rows[i].target) != rows[i].reason)
            CHECK_INT(i, -1);
    dgm_cleaning_clear(test_env(), &cleaning);
}

/* Pairs one after the other, and which of them stay. */
static void check_stay(enum dgm_duplicates duplicates, const char *const (*pairs)[2],
                       const char *want)
{
    struct dgm_cleaning cleaning = { .rules = { .sides = 2, .duplicates = duplicates } };

    for (size_t i = 0; want[i] != '\0'; i++) {
        const dgm_clean_reason reason = judge(&cleaning, pairs[i][0], pairs[i][1]);

        if (reason != (want[i] == '+' ? DGM_CLEAN_KEPT : DGM_CLEAN_DUPLICATE))
            CHECK_INT(i, -1);
    }
    dgm_cleaning_clear(test_env(), &cleaning);
}

TEST(cleaning_knows_what_it_has_seen)
{
    static const char *const pairs[][2] = {
        { "a", "x" }, { "a", "x" },  { "a", "y" },  { "b", "x" }, { "b", "z" },
        { "c", "y" }, { "ab", "c" }, { "a", "bc" }, { "", "" },   { "", "" },
    };

    check_stay(DGM_DUPLICATE_PAIRS, pairs, "+-++++++++");
    check_stay(DGM_DUPLICATE_SOURCE, pairs, "+--+-++-++");
    check_stay(DGM_DUPLICATE_TARGET, pairs, "+-+-+-++++");
    /* "b" "x" goes and leaves no trace of "b"; "c" "y" stays, as "a" "y" went. */
    check_stay(DGM_DUPLICATE_SIDES, pairs, "+---+++-++");
    check_stay(DGM_DUPLICATE_NONE, pairs, "++++++++++");
}
