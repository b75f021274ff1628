/*
 * test_word_vectors.c: a table of words and vectors: how a form is found, when tables are equal.
 */
#include "data/vectors/word_vectors.h"

#include <string.h>

#include "test.h"

/* Words between blanks; word i has the numbers 2i and 2i + 1. */
static dgm_status make(struct dgm_word_vectors *vectors, const char *words)
{
    uint16_t *row;

    DGM_TRY(dgm_word_vectors_init(test_env(), vectors, 2));
    for (uint16_t i = 0; *words != '\0'; i++) {
        size_t bytes = strcspn(words, " ");

        DGM_TRY(dgm_word_vectors_add(test_env(), vectors, words, bytes, &row));
        row[0] = (uint16_t)(2 * i);
        row[1] = (uint16_t)(2 * i + 1);
        words += bytes + (words[bytes] == ' ');
    }
    return DGM_OK;
}

static int32_t find(const struct dgm_word_vectors *vectors, const char *form)
{
    struct dgm_buf lowered = { NULL, 0, 0, 0 };
    int32_t row = -7;

    if (dgm_word_vectors_find(test_env(), vectors, &lowered, form, strlen(form), &row) != DGM_OK)
        row = -8;
    dgm_buf_clear(test_env(), &lowered);
    return row;
}

TEST(word_vectors_are_found_as_written_and_then_lower_cased)
{
    struct dgm_word_vectors vectors;

    CHECK_STATUS(make(&vectors, "the US us \xc3\xa9t\xc3\xa9"), DGM_OK);
    CHECK_INT(dgm_word_vectors_rows(&vectors), 4);
    CHECK_INT(find(&vectors, "the"), 0);
    CHECK_INT(find(&vectors, "The"), 0);
    CHECK_INT(find(&vectors, "US"), 1);
    CHECK_INT(find(&vectors, "Us"), 2);
    CHECK_INT(find(&vectors, "\xc3\x89t\xc3\xa9"), 3);
    CHECK_INT(find(&vectors, "th"), -1);
    CHECK_INT(find(&vectors, ""), -1);
    CHECK_INT(find(&vectors, "</s>"), -1);
    CHECK_INT(find(&vectors, "<unk>"), -1);
    dgm_word_vectors_clear(test_env(), &vectors);
    CHECK_INT(dgm_word_vectors_rows(&vectors), 0);
}

TEST(word_vectors_are_equal_where_words_and_numbers_are)
{
    struct dgm_word_vectors a, b, other, none;

    memset(&none, 0, sizeof none);
    CHECK_STATUS(make(&a, "one two"), DGM_OK);
    CHECK_STATUS(make(&b, "one two"), DGM_OK);
    CHECK_STATUS(make(&other, "one too"), DGM_OK);
    CHECK(dgm_word_vectors_equal(&a, &b));
    CHECK(dgm_word_vectors_equal(&none, &none));
    CHECK(!dgm_word_vectors_equal(&a, &none));
    CHECK(!dgm_word_vectors_equal(&none, &a));
    CHECK(!dgm_word_vectors_equal(&a, &other));
    b.numbers[3]++;
    CHECK(!dgm_word_vectors_equal(&a, &b));
    dgm_word_vectors_clear(test_env(), &a);
    dgm_word_vectors_clear(test_env(), &b);
    dgm_word_vectors_clear(test_env(), &other);
}
