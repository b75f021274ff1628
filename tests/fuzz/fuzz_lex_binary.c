/*
 * fuzz_lex_binary.c: any bytes as a shortlist of Marian's, as they are and under a right checksum.
 * What is accepted is a shortlist that our own file can hold.
 */
#include <stdlib.h>
#include <string.h>

#include "base/le.h"
#include "data/shortlist/lex_binary.h"
#include "data/shortlist/shortlist_file.h"
#include "data/side.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SUM_AT = 8, HEAD = 16 };

static void require(int holds)
{
    if (!holds)
        abort();
}

/* A model of six pieces on both sides. */
static void build(const void *bytes, size_t size)
{
    static const char types[] = "a 1\nb 1\nc 1\nd 1\n";
    struct dgm_shortlist shortlist, again;
    struct dgm_vocab vocab = { 0 };
    struct dgm_buf text = { 0 };
    struct dgm_env env;

    dgm_env_init(&env);
    require(dgm_vocab_parse(&env, &vocab, types, sizeof types - 1, "vocab") == DGM_OK);
    if (dgm_lex_binary_build(&env, &shortlist, bytes, size, "input", &vocab, &vocab) == DGM_OK) {
        require(dgm_shortlist_print(&env, &text, &shortlist) == DGM_OK);
        require(dgm_shortlist_parse(&env, &again, text.data, text.size, "again") == DGM_OK);
        dgm_shortlist_clear(&env, &again);
        dgm_shortlist_clear(&env, &shortlist);
    } else {
        require(env.error.status == DGM_DATA || env.error.status == DGM_MODEL);
    }
    dgm_buf_clear(&env, &text);
    dgm_vocab_clear(&env, &vocab);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned char *mended;
    uint64_t sum = 0;

    build(data, size);
    if (size < HEAD)
        return 0;
    mended = malloc(size);
    require(mended != NULL);
    memcpy(mended, data, size);
    for (size_t at = HEAD; at + 8 <= size; at += 8)
        sum ^= dgm_le64(data + at) + 0x9E3779B9 + (sum << 6) + (sum >> 2);
    dgm_le64_put(mended + SUM_AT, sum);
    build(mended, size);
    free(mended);
    return 0;
}
