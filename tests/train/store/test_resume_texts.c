/*
 * test_resume_texts.c: which changes of several training texts are another text, and what is said.
 */
#include "train/store/resume_texts.h"

#include "test.h"

/* Compares two texts of the same checksum; NULL: they are the same. */
static void check(const char *before, const char *now, const char *want)
{
    const struct dgm_train_state state = { .train_checksum = 7 };
    struct dgm_buf old = { 0 }, new = { 0 };
    char what[DGM_RESUME_WHAT];

    CHECK_STATUS(dgm_buf_add_text(test_env(), &old, before), DGM_OK);
    CHECK_STATUS(dgm_buf_add_text(test_env(), &new, now), DGM_OK);
    CHECK_INT(dgm_resume_is_new_text(&state, &old, &state, &new, what), want != NULL);
    if (want != NULL)
        CHECK_STR(what, want);
    dgm_buf_clear(test_env(), &old);
    dgm_buf_clear(test_env(), &new);
}

TEST(resume_texts_without_shares_or_tags_are_one_text)
{
    check("", "", NULL);
    check("ab 3 3 -\ncd 5 5 -\n", "", NULL);
    check("ab 3 3 -\ncd 5 5 -\n", "ef 8 8 -\n", NULL);
    check("ab 3 9 -\ncd 5 5 -\n", "ab 3 9 -\ncd 5 5 -\n", NULL);
}

TEST(resume_texts_name_the_first_difference)
{
    static const char *const old = "ab 3 9 -\ncd 5 5 <x>\n";

    check(old, "", "the training text is not the one that this checkpoint was trained on");
    check(old, "ab 3 9 -\nce 5 5 <x>\n",
          "training text 2 is not the one that this checkpoint was trained on");
    check(old, "ab 3 8 -\ncd 5 5 <y>\n",
          "training text 1 has another share of an epoch than in this checkpoint");
    check(old, "ab 3 9 -\ncd 6 5 <x>\n",
          "training text 2 has another number of pairs than in this checkpoint");
    check(old, "ab 3 9 -\ncd 5 5 <y>\n", "training text 2 has another tag than in this checkpoint");
    check(old, "ab 3 9 -\n", "there are fewer training texts than in this checkpoint");
    check(old, "ab 3 9 -\ncd 5 5 <x>\nef 1 1 -\n",
          "there are more training texts than in this checkpoint");
}

/* The checksum of all text decides alone where there is one text. */
TEST(resume_texts_differ_where_the_checksum_does)
{
    const struct dgm_train_state before = { .train_checksum = 7 }, now = { .train_checksum = 8 };
    const struct dgm_buf none = { 0 };
    char what[DGM_RESUME_WHAT];

    CHECK_INT(dgm_resume_is_new_text(&before, &none, &now, &none, what), 1);
    CHECK_STR(what, "the training text is not the one that this checkpoint was trained on");
}
