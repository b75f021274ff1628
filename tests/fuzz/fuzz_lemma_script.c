/*
 * fuzz_lemma_script.c: any bytes as a script and, behind the first NUL, as a form, and as a lemma
 * behind the next. What a script makes is text without control characters and not empty; what is
 * learned from a form and its lemma is a script that makes it.
 */
#include "text/lemma/lemma_script.h"

#include <stdlib.h>
#include <string.h>

#include "text/unicode/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text, size_t bytes)
{
    size_t offset, length;
    long column;

    require(bytes > 0 && bytes < DGM_LEMMA_BYTES && text[bytes] == '\0');
    require(!dgm_utf8_find_bad(text, bytes, &offset, &length, &column));
    for (size_t i = 0; i < bytes; i++)
        require((unsigned char)text[i] >= ' ' && text[i] != 0x7f);
}

static void run(const char *script, size_t script_bytes, const char *form, const char *lemma)
{
    struct dgm_buf learned = { NULL, 0, 0, 0 };
    char made[DGM_LEMMA_BYTES];
    struct dgm_env env;
    size_t bytes;

    dgm_env_init(&env);
    if (dgm_lemma_script_is_one(script, script_bytes)) {
        bytes = dgm_lemma_script_apply(made, script, form);
        if (bytes > 0)
            check_text(made, bytes);
    }
    require(dgm_lemma_script_learn(&env, &learned, form, lemma) == DGM_OK);
    if (learned.size > 0) {
        require(dgm_lemma_script_is_one(learned.data, learned.size));
        require(dgm_lemma_script_apply(made, learned.data, form) > 0);
        require(strcmp(made, lemma) == 0);
    }
    dgm_buf_clear(&env, &learned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 3), *form, *lemma;

    require(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    memset(text + size, 0, 3);
    form = text + strlen(text) + 1;
    lemma = form < text + size + 1 ? form + strlen(form) + 1 : form;
    run(text, strlen(text), form, lemma);
    free(text);
    return 0;
}
