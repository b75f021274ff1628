/* test_near.c: the known word nearest to one that is not known. */
#include "base/near.h"

#include <string.h>

#include "test.h"

TEST(near_what_begins_with_the_word_comes_first)
{
    static const char *const words[] = { "train", "train-parser", "translate", "score" };
    CHECK_STR(dgm_nearest("trans", words, 4), "translate");
    CHECK_STR(dgm_nearest("train_", words, 4), "train-parser");
    CHECK_STR(dgm_nearest("tr", words, 4), "train");
    CHECK_STR(dgm_nearest("tran", words, 4), "translate");
    CHECK_STR(dgm_nearest("t", words, 4), NULL);
}

TEST(near_then_the_closest_word)
{
    static const char *const words[] = { "translate", "train", "score", "deps-san" };
    CHECK_STR(dgm_nearest("trani", words, 4), "train");
    CHECK_STR(dgm_nearest("transalte", words, 4), "translate");
    CHECK_STR(dgm_nearest("scroe", words, 4), "score");
    CHECK_STR(dgm_nearest("deps_sann", words, 4), "deps-san");
    CHECK_STR(dgm_nearest("x", words, 4), NULL);
    CHECK_STR(dgm_nearest("soon", words, 4), NULL);
    CHECK_STR(dgm_nearest("completion", words, 4), NULL);
    CHECK_STR(dgm_nearest("", words, 4), NULL);
}

TEST(near_ignores_words_without_end)
{
    static const char *const words[] = { "score" };
    char word[4096];
    memset(word, 's', sizeof word);
    word[sizeof word - 1] = '\0';
    CHECK_STR(dgm_nearest(word, words, 1), NULL);
}

TEST(near_reads_lists_and_suggests)
{
    char suggestion[DGM_SUGGESTION_SIZE];
    struct dgm_near near;
    dgm_near_begin(&near, "flor", 4);
    dgm_near_try_list(&near, "exp|floor|add-k|none", '|');
    dgm_near_suggest(&near, suggestion);
    CHECK_STR(suggestion, "; did you mean \"floor\"?");
    dgm_near_begin(&near, "xyzzy", 5);
    dgm_near_try_list(&near, "exp|floor|add-k|none", '|');
    dgm_near_try_list(&near, NULL, ' ');
    dgm_near_suggest(&near, suggestion);
    CHECK_STR(suggestion, "");
}
