/*
 * fuzz_lemma_book.c: any bytes as a book of lemmas. What is accepted is written as text that gives
 * the same book, and all its numbers are below their limits.
 */
#include "text/lemma/lemma_book.h"

#include <stdlib.h>
#include <string.h>

enum { TAGS = 4, SCRIPTS = 300 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check(struct dgm_env *env, const struct dgm_lemma_book *book)
{
    struct dgm_buf text[2] = { { NULL, 0, 0, 0 }, { NULL, 0, 0, 0 } };
    struct dgm_lemma_book again;

    memset(&again, 0, sizeof again);
    for (size_t i = 0; i < book->count; i++)
        require(book->entries[i].script >= 0 && book->entries[i].script < SCRIPTS &&
                book->entries[i].next < (int32_t)book->count);
    require(dgm_lemma_book_print(env, book, &text[0]) == DGM_OK);
    require(dgm_lemma_book_parse(env, &again, text[0].data != NULL ? text[0].data : "",
                                 text[0].size, TAGS, SCRIPTS, "again") == DGM_OK);
    require(dgm_lemma_book_print(env, &again, &text[1]) == DGM_OK);
    require(text[0].size == text[1].size &&
            (text[0].size == 0 || memcmp(text[0].data, text[1].data, text[0].size) == 0));
    dgm_buf_clear(env, &text[0]);
    dgm_buf_clear(env, &text[1]);
    dgm_lemma_book_clear(env, &again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_lemma_book book;
    struct dgm_env env;

    memset(&book, 0, sizeof book);
    dgm_env_init(&env);
    if (dgm_lemma_book_parse(&env, &book, size > 0 ? (const char *)data : "", size, TAGS, SCRIPTS,
                             "input") == DGM_OK)
        check(&env, &book);
    else
        require(env.error.status == DGM_DATA);
    dgm_lemma_book_clear(&env, &book);
    return 0;
}
