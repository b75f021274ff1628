/*
 * fuzz_utf8.c: any bytes as text. Repaired text must be well-formed, and repairing,
 * lower-casing, normalising and tokenising it must succeed and leave it well-formed.
 */
#include <stdlib.h>
#include <string.h>

#include "text/tokenize/detokenize.h"
#include "text/score/mteval.h"
#include "text/tokenize/normalize.h"
#include "text/tokenize/tokenize.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void require_well_formed(const struct dgm_buf *text)
{
    size_t offset, length;
    long column;

    require(!dgm_utf8_find_bad(text->data, text->size, &offset, &length, &column));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const languages[] = { "en", "de", "fr", "it", "tr", "ko", NULL };
    struct dgm_normalize_options normal = { .compose = 1, .punctuation = 1, .lower = 1 };
    struct dgm_tokenize_options split = { NULL, 1, 1 };
    struct dgm_buf text, out, back;
    struct dgm_env env;
    size_t replaced, i;

    memset(&text, 0, sizeof text);
    memset(&out, 0, sizeof out);
    memset(&back, 0, sizeof back);
    dgm_env_init(&env);
    require(dgm_utf8_repair(&env, &text, (const char *)data, size, &replaced) == DGM_OK);
    require_well_formed(&text);
    require((replaced > 0) != (dgm_utf8_check(&env, "", 1, (const char *)data, size) == DGM_OK));
    dgm_env_clear_error(&env);
    for (i = 0; i < sizeof languages / sizeof languages[0]; i++) {
        normal.language = split.language = languages[i];
        dgm_buf_reset(&out);
        dgm_buf_reset(&back);
        require(dgm_normalize_line(&env, &out, text.data, text.size, &normal) == DGM_OK);
        require(dgm_tokenize_line(&env, &back, text.data, text.size, &split) == DGM_OK);
        require(dgm_detokenize_line(&env, &out, back.data == NULL ? "" : back.data, back.size,
                                    languages[i]) == DGM_OK);
        require_well_formed(&out);
        require(dgm_tokenize_line(&env, &back, (const char *)data, size, &split) == DGM_OK);
    }
    require(dgm_mteval_13a(&env, &out, text.data, text.size) == DGM_OK);
    require(dgm_mteval_intl(&env, &out, text.data, text.size) == DGM_OK);
    require_well_formed(&out);
    dgm_buf_clear(&env, &text);
    dgm_buf_clear(&env, &out);
    dgm_buf_clear(&env, &back);
    return 0;
}
