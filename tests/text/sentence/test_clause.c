/* test_clause.c: sentences cut in two. */
#include "text/sentence/clause.h"

#include <string.h>

#include "test.h"

static void check_second(const char *text, const char *second)
{
    CHECK_STR(text + dgm_clause_cut(text, strlen(text)), second);
}

TEST(clause_cut_prefers_marks_near_the_middle)
{
    check_second("He came there, and when he had seen it he went.",
                 "and when he had seen it he went.");
    check_second("He came, and when he had seen it, he went.", "had seen it, he went.");
    check_second("one two three four", "three four");
    check_second("one, two three four five six", "four five six");
    check_second("彼は来て、そして見て、行った。", "そして見て、行った。");
}

TEST(clause_cut_leaves_no_character_apart)
{
    check_second("aaaa", "aa");
    check_second("ääää", "ää");
    check_second("a\xCC\x88"
                 "a\xCC\x88",
                 "a\xCC\x88");
    CHECK_INT(dgm_clause_cut("a", 1), 0);
    CHECK_INT(dgm_clause_cut("", 0), 0);
    CHECK_INT(dgm_clause_cut("a ", 2), 0);
}
