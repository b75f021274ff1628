/*
 * test_lemma_script.c: scripts from forms to lemmas: what is learned, that it gives the lemma again
 * and fits other words, and what is no script.
 */
#include <string.h>

#include "test.h"
#include "text/lemma/lemma_script.h"

static const char *learn(const char *form, const char *lemma)
{
    static struct dgm_buf script;
    static char text[DGM_LEMMA_SCRIPT_BYTES + 1];

    strcpy(text, "");
    if (dgm_lemma_script_learn(test_env(), &script, form, lemma) != DGM_OK)
        strcpy(text, "(failed)");
    else if (script.size > 0)
        strcpy(text, script.data);
    dgm_buf_clear(test_env(), &script);
    return text;
}

static const char *apply(const char *script, const char *form)
{
    static char lemma[DGM_LEMMA_BYTES];

    if (!dgm_lemma_script_is_one(script, strlen(script)))
        return "(no script)";
    return dgm_lemma_script_apply(lemma, script, form) > 0 ? lemma : "(none)";
}

static void check(const char *form, const char *lemma, const char *script)
{
    char kept[DGM_LEMMA_SCRIPT_BYTES + 1];

    strcpy(kept, learn(form, lemma));
    CHECK_STR(kept, script);
    CHECK_STR(apply(kept, form), lemma);
}

TEST(lemma_script_edits_both_ends_of_what_is_common)
{
    check("dog", "dog", "l0||");
    check("houses", "house", "l0||-");
    check("cities", "city", "l0||---+y");
    check("gesagt", "sagen", "l0|--|-+e+n");
    check("aufzustehen", "aufstehen", "l0|===--|");
    check("B\xC3\xA4ume", "Baum", "U0l1|=-+a|-"); /* the edits keep the B before the umlaut */
    check("was", "be", "abe");
    check("me", "I", "aI");
    check("|", "|", "l0||");
    check("a", "a|b", "l0||+|+b");
    check("20 000", "20000", "l0|==-|");
    check("_", "_", "l0||");
}

TEST(lemma_script_sets_the_case)
{
    check("Dogs", "dog", "l0||-");
    check("HELP", "help", "l0||");
    check("Paris", "Paris", "U0l1||");
    check("PARIS", "Paris", "U0l1||");
    check("NASA", "NASA", "U0||");
    check("U.S.", "U.S.", "U0||"); /* a character without case goes with those before it */
    check("'Tis", "'Tis", "U0l2||");
    check("McDonald's", "McDonald", "k||--");
    check("iPhones", "iPhone", "k||-");
    check("\xC3\x89tats", "\xC3\x89tat", "U0l1||-");
    check("x-ray", "X-ray", "U0l2||");
    check("tvs", "tV", "l0U1||-");
    check("lmnopq", "lmnoPQ", "l0U-2||");
}

TEST(lemma_script_fits_other_words)
{
    CHECK_STR(apply("l0||---+y", "Ponies"), "pony");
    CHECK_STR(apply("k||-", "eBooks"), "eBook");
    CHECK_STR(apply("l0U-2||", "abcd"), "abCD"); /* counted from the end */
    CHECK_STR(apply("U0l-2||", "abcd"), "ABcd");
    CHECK_STR(apply("l0||---+y", "is"), "(none)"); /* too short */
    CHECK_STR(apply("l0||--", "is"), "(none)");    /* nothing is left */
    CHECK_STR(apply("l0||", "\xFF"), "(none)");
    CHECK_STR(apply("l0||", ""), "(none)");
    CHECK_STR(apply("U999||", "ab"), "ab");
    CHECK_STR(apply("U-999||", "ab"), "AB");
    CHECK_STR(apply("abe", "\xFF"), "be");
}

TEST(lemma_script_of_long_or_ill_formed_words)
{
    char form[2 * DGM_LEMMA_CHARACTERS] = "", lemma[2 * DGM_LEMMA_CHARACTERS];

    memset(form, 'x', DGM_LEMMA_CHARACTERS);
    strcpy(lemma, form);
    lemma[0] = 'y';
    check(form, lemma, "l0|+y|-");
    memset(lemma, 'y', 100); /* ends longer than are edited are replaced */
    strcpy(lemma, learn(form, lemma));
    CHECK_INT(strlen(lemma), 3 + 100 + 200 + 1);
    form[DGM_LEMMA_CHARACTERS] = 'x';
    CHECK_STR(learn(form, "x"), "");
    CHECK_STR(learn("x", form), "");
    CHECK_STR(apply("l0||", form), "(none)");
    CHECK_STR(learn("\xC3", "x"), "");
    CHECK_STR(learn("x", "\x01"), "");
    CHECK_STR(learn("x", ""), "");
}

TEST(lemma_script_refuses_what_is_none)
{
    static const char *const bad[] = { "",          "a",
                                       "l0",        "l0|",
                                       "l||",       "0||",
                                       "x0||",      "k|",
                                       "kk||",      "l0|||",
                                       "l0||x",     "l0||+",
                                       "l0|+|",     "l0||+\n",
                                       "a\x01",     "a\xFF",
                                       "l0||+\xC3", "l1000||",
                                       "l-||",      "ll0||",
                                       "l0 ||",     "U0l1U2l3U4l5U6l7U8||",
                                       "ax\x7f" };
    static char text[DGM_LEMMA_SCRIPT_BYTES + 2];

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (dgm_lemma_script_is_one(bad[i], strlen(bad[i])))
            CHECK_STR(bad[i], "no script");
    CHECK(!dgm_lemma_script_is_one("l0||\0-", 6));
    memset(text, 'a', DGM_LEMMA_SCRIPT_BYTES);
    CHECK(dgm_lemma_script_is_one(text, DGM_LEMMA_SCRIPT_BYTES));
    CHECK_INT(strlen(apply(text, "x")), DGM_LEMMA_SCRIPT_BYTES - 1);
    CHECK(!dgm_lemma_script_is_one(text, DGM_LEMMA_SCRIPT_BYTES + 1));
    for (int i = 4; i + 1 < DGM_LEMMA_SCRIPT_BYTES; i += 2)
        memcpy(text + i, "+x", 2);
    memcpy(text, "U0||", 4);
    CHECK_INT(strlen(apply(text, "x")), DGM_LEMMA_SCRIPT_BYTES / 2 - 1);
}
