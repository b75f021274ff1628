/* test_multiword.c: the words of multiword tokens, by dictionary and by rule. */
#include <string.h>

#include "test.h"
#include "text/tokenize/multiword.h"

static const char dictionary[] = "don't\tdo\tn't\n"
                                 "mary's\tmary\t's\n"
                                 "it's\tit\t's\n"
                                 "let's\tlet\tus\n"
                                 "du\tde\tle\n"
                                 "zum\tzu\tdem\n"
                                 "gonna\tgon\tna\n";

/* The words of a token, a bar between; "" where nothing tells them. */
static void check_words(const struct dgm_multiwords *multiwords, const char *token,
                        const char *want)
{
    struct dgm_buf out;
    int32_t count, seen = 0;

    memset(&out, 0, sizeof out);
    CHECK_STATUS(dgm_buf_add(test_env(), &out, "", 0), DGM_OK);
    CHECK_STATUS(dgm_multiwords_expand(test_env(), multiwords, token, strlen(token), &out, &count),
                 DGM_OK);
    for (size_t i = 0; i < out.size; i++)
        if (out.data[i] == '\0') {
            out.data[i] = i + 1 < out.size ? '|' : '\0';
            seen++;
        }
    CHECK_STR(out.data, want);
    CHECK_INT(seen, count);
    dgm_buf_clear(test_env(), &out);
}

TEST(multiword_tokens_become_words_with_the_capitals_of_the_token)
{
    struct dgm_multiwords multiwords;

    memset(&multiwords, 0, sizeof multiwords);
    CHECK_STATUS(dgm_multiwords_parse(test_env(), &multiwords, dictionary, strlen(dictionary),
                                      "test"),
                 DGM_OK);
    check_words(&multiwords, "don't", "do|n't");
    check_words(&multiwords, "DON'T", "DO|N'T");
    check_words(&multiwords, "dOn't", "dO|n't");
    check_words(&multiwords, "du", "de|le");
    check_words(&multiwords, "Du", "De|le");
    check_words(&multiwords, "DU", "DE|LE");
    check_words(&multiwords, "Zum", "Zu|dem");
    /* By rule: the longest ending; of its replacements the one of most entries. */
    check_words(&multiwords, "John's", "John|'s");
    check_words(&multiwords, "didn't", "did|n't");
    check_words(&multiwords, "\xC3\x89va's", "\xC3\x89va|'s");
    check_words(&multiwords, "\xC3\x89um", "\xC3\x89u|dem");
    check_words(&multiwords, "'s", "");
    check_words(&multiwords, "dog", "");
    dgm_multiwords_clear(test_env(), &multiwords);
}

static dgm_status count(struct dgm_map *counts, const char *token, const char *words, int32_t n)
{
    return dgm_multiwords_count(test_env(), counts, token, words, n);
}

TEST(multiword_dictionary_has_the_most_frequent_words)
{
    struct dgm_multiwords multiwords;
    struct dgm_map counts;

    memset(&multiwords, 0, sizeof multiwords);
    memset(&counts, 0, sizeof counts);
    CHECK_STATUS(count(&counts, "It's", "It\0's", 2), DGM_OK);
    CHECK_STATUS(count(&counts, "it's", "it\0is", 2), DGM_OK);
    CHECK_STATUS(count(&counts, "IT'S", "IT\0'S", 2), DGM_OK);
    CHECK_STATUS(count(&counts, "one", "one", 1), DGM_OK);
    CHECK_STATUS(count(&counts, "a\tb", "a\0b", 2), DGM_OK);
    CHECK_STATUS(count(&counts, "ab", "a\0 b", 2), DGM_OK);
    CHECK_STATUS(dgm_multiwords_build(test_env(), &multiwords, &counts), DGM_OK);
    CHECK_STR(multiwords.text.data, "it's\tit\t's\na\tb\ta\tb\n");
    dgm_multiwords_clear(test_env(), &multiwords);
    dgm_map_clear(test_env(), &counts);
}

static void check_refused(const char *text, size_t bytes, const char *message)
{
    struct dgm_multiwords multiwords;

    memset(&multiwords, 0, sizeof multiwords);
    if (dgm_multiwords_parse(test_env(), &multiwords, text, bytes, "test") != DGM_DATA)
        CHECK_STR(text, "a dictionary that is refused");
    if (strstr(test_env()->error.message, message) == NULL)
        CHECK_STR(test_env()->error.message, message);
    dgm_env_clear_error(test_env());
    dgm_multiwords_clear(test_env(), &multiwords);
}

TEST(multiword_dictionary_that_is_none_is_refused)
{
    check_refused("a\tb\n", 4, "multiword token without two words");
    check_refused("ab\ta\tb\nab\ta\tb\n", 14, "multiword token that stands twice");
    check_refused("ab\ta\tb", 6, "does not end");
    check_refused("ab\t\tb\n", 6, "empty part");
    check_refused("\ta\tb\n", 5, "empty part");
    check_refused("ab\ta\tb\t\n", 8, "empty part");
    check_refused("ab\ta \tb\n", 8, "blank at the end");
    check_refused("ab\ta\r\tb\n", 8, "control character");
    check_refused("ab\ta\0\tb\n", 8, "");
    check_refused("ab\t\xFF\tb\n", 7, "");
    check_refused("\n", 1, "empty part");
}
