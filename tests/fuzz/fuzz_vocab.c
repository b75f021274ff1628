/*
 * fuzz_vocab.c: any bytes as a vocabulary. What is accepted must come back alike when
 * it is printed and read again.
 */
#include <stdlib.h>
#include <string.h>

#include "text/bpe/vocab.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_vocab vocab, again;
    struct dgm_buf text;
    struct dgm_env env;
    uint32_t i;

    memset(&vocab, 0, sizeof vocab);
    memset(&again, 0, sizeof again);
    memset(&text, 0, sizeof text);
    dgm_env_init(&env);
    if (dgm_vocab_parse(&env, &vocab, (const char *)data, size, "vocab") == DGM_OK) {
        require(dgm_vocab_print(&env, &text, &vocab) == DGM_OK);
        require(dgm_vocab_parse(&env, &again, text.data, text.size, "vocab") == DGM_OK);
        require(dgm_vocab_size(&vocab) == dgm_vocab_size(&again));
        for (i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(&vocab); i++) {
            require(strcmp(dgm_vocab_token(&vocab, i, NULL), dgm_vocab_token(&again, i, NULL)) ==
                    0);
            require(vocab.map.entries[i].value == again.map.entries[i].value);
        }
    }
    dgm_buf_clear(&env, &text);
    dgm_vocab_clear(&env, &vocab);
    dgm_vocab_clear(&env, &again);
    return 0;
}
