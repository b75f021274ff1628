/*
 * fuzz_bpe.c: any bytes as BPE codes, then a NUL, then a text. Codes that are accepted
 * must cut every word into pieces that add up to it, and with `protect` undoing must
 * restore the text.
 */
#include <stdlib.h>
#include <string.h>

#include "text/bpe/bpe.h"
#include "text/bpe/bpe_load.h"
#include "text/bpe/word_counts.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_words(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t size)
{
    const uint32_t *ends;
    const char *word;
    size_t at = 0, length, count, i;

    while (dgm_word_counts_next(text, size, &at, &word, &length)) {
        require(dgm_bpe_apply_word(env, bpe, &ends, &count, word, length) == DGM_OK);
        require(count > 0 && ends[count - 1] == length);
        for (i = 1; i < count; i++)
            require(ends[i - 1] < ends[i]);
    }
}

static void check_undo(struct dgm_env *env, struct dgm_bpe *bpe, const char *text, size_t size)
{
    struct dgm_buf plain, pieces, back;
    const char *word;
    size_t at = 0, length;

    memset(&plain, 0, sizeof plain);
    memset(&pieces, 0, sizeof pieces);
    memset(&back, 0, sizeof back);
    while (dgm_word_counts_next(text, size, &at, &word, &length)) {
        if (plain.size > 0)
            require(dgm_buf_add_char(env, &plain, ' ') == DGM_OK);
        require(dgm_buf_add(env, &plain, word, length) == DGM_OK);
    }
    require(dgm_buf_add(env, &plain, "", 0) == DGM_OK);
    require(dgm_bpe_apply_line(env, bpe, &pieces, plain.data, plain.size) == DGM_OK);
    require(dgm_bpe_undo(env, &back, bpe->separator, pieces.data, pieces.size) == DGM_OK);
    require(back.size == plain.size && memcmp(back.data, plain.data, plain.size) == 0);
    dgm_buf_clear(env, &plain);
    dgm_buf_clear(env, &pieces);
    dgm_buf_clear(env, &back);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *codes = (const char *)data, *text = size > 0 ? memchr(codes, 0, size) : NULL;
    size_t code_bytes = text != NULL ? (size_t)(text - codes) : size;
    size_t text_bytes = text != NULL ? size - code_bytes - 1 : 0;
    struct dgm_bpe bpe;
    struct dgm_env env;

    memset(&bpe, 0, sizeof bpe);
    dgm_env_init(&env);
    if (dgm_bpe_parse(&env, &bpe, codes, code_bytes, "codes", -1) == DGM_OK && text != NULL) {
        bpe.protect = 1;
        check_words(&env, &bpe, text + 1, text_bytes);
        check_undo(&env, &bpe, text + 1, text_bytes);
        dgm_bpe_set_dropout(&bpe, 0.3, 1, 2, 3);
        check_words(&env, &bpe, text + 1, text_bytes);
    }
    dgm_bpe_clear(&env, &bpe);
    return 0;
}
