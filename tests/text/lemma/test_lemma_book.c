/* test_lemma_book.c: the scripts of a form with a tag, as text and back; what is no such text. */
#include <string.h>

#include "test.h"
#include "text/lemma/lemma_book.h"

static void add(struct dgm_lemma_book *book, const char *form, int32_t tag, int32_t script)
{
    CHECK_STATUS(dgm_lemma_book_add(test_env(), book, form, tag, script), DGM_OK);
}

/* The scripts of a form with a tag as digits. */
static void check(const struct dgm_lemma_book *book, const char *form, int32_t tag,
                  const char *want)
{
    const struct dgm_lemma_entry *entry = dgm_lemma_book_find(book, form, tag);
    char got[100] = "";

    for (size_t n = 0; entry != NULL && n < 99; entry = dgm_lemma_book_next(book, entry), n++)
        got[n] = (char)('0' + entry->script);
    CHECK_STR(got, want);
}

TEST(lemma_book_finds_the_scripts_of_a_form_with_a_tag)
{
    struct dgm_lemma_book book, again;
    struct dgm_buf text = { NULL, 0, 0, 0 };

    memset(&book, 0, sizeof book);
    memset(&again, 0, sizeof again);
    add(&book, "saw", 2, 5);
    add(&book, "saw", 1, 0);
    add(&book, "20 000", 0, 0);
    add(&book, "saw", 2, 3);
    add(&book, "saw", 2, 5); /* is there */
    CHECK_STATUS(dgm_lemma_book_print(test_env(), &book, &text), DGM_OK);
    CHECK_STR(text.data, "saw\t2\t5\t3\nsaw\t1\t0\n20 000\t0\t0\n");
    CHECK_STATUS(dgm_lemma_book_parse(test_env(), &again, text.data, text.size, 3, 6, "test"),
                 DGM_OK);
    for (int i = 0; i < 2; i++) {
        const struct dgm_lemma_book *one = i == 0 ? &book : &again;

        check(one, "saw", 2, "53");
        check(one, "saw", 1, "0");
        check(one, "saw", 0, "");
        check(one, "20 000", 0, "0");
        check(one, "20", 0, "");
        check(one, "Saw", 2, "");
        CHECK_INT(one->count, 4);
    }
    dgm_buf_clear(test_env(), &text);
    dgm_lemma_book_clear(test_env(), &book);
    dgm_lemma_book_clear(test_env(), &again);
}

TEST(lemma_book_leaves_out_long_forms_and_what_is_too_much)
{
    struct dgm_lemma_book book;
    char form[1026] = "";

    memset(&book, 0, sizeof book);
    memset(form, 'x', 1024);
    add(&book, form, 0, 1);
    check(&book, form, 0, "1");
    form[1024] = 'x';
    add(&book, form, 0, 1);
    check(&book, form, 0, "");
    for (int i = 0; i < 2 * DGM_LEMMA_CHOICES; i++)
        add(&book, "x", 0, i);
    CHECK_INT(book.count, 1 + DGM_LEMMA_CHOICES);
    dgm_lemma_book_clear(test_env(), &book);
}

static void refuse(const char *text, size_t bytes, long line)
{
    struct dgm_lemma_book book;

    memset(&book, 0, sizeof book);
    if (dgm_lemma_book_parse(test_env(), &book, text, bytes, 3, 6, "test") != DGM_DATA)
        CHECK_STR(text, "no book");
    CHECK(strstr(test_env()->error.message, "book of lemmas") != NULL);
    CHECK_INT(test_env()->error.line, line);
    dgm_env_clear_error(test_env());
    dgm_lemma_book_clear(test_env(), &book);
}

TEST(lemma_book_refuses_what_is_none)
{
    static const char *const bad[] = { "saw",
                                       "saw\n",
                                       "saw\t1\n",
                                       "saw\t1\t0",
                                       "\t1\t0\n",
                                       "saw\t3\t0\n",
                                       "saw\t1\t6\n",
                                       "saw\t-1\t0\n",
                                       "saw\t1\t0 \n",
                                       "saw\t1\t0\t\n",
                                       "saw\t\t0\n",
                                       "saw\t1\tx\n",
                                       "saw\t1 0\n",
                                       "\n",
                                       "saw\t1\t0000000000\n",
                                       "saw\t1\t99999999999999999999\n" };
    static const char twice[] = "saw\t1\t0\nsee\t0\t0\nsaw\t1\t0\n", nul[] = "saw\0\t1\t0\n";

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse(bad[i], strlen(bad[i]), 1);
    refuse(twice, sizeof twice - 1, 3);
    refuse(nul, sizeof nul - 1, 1);
}
