/*
 * fuzz_text_block.c: any bytes as a block of encoded text. What is accepted is within its limits,
 * and packed again it is read as the same.
 */
#include <stdlib.h>
#include <string.h>

#include "data/cache/text_block.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct dgm_text_limits limits = { { 700, 700 }, { 9, 9, 9, 9 } };
static const struct dgm_text_place place = { "input", 0 };

static void require(int holds)
{
    if (!holds)
        abort();
}

static void check_side(const struct dgm_packed *side)
{
    for (int32_t i = 0; i < side->offsets[side->count]; i++)
        require(side->ids[i] >= 0 && side->ids[i] < 700);
    for (int32_t w = 0; side->heads != NULL && w < side->word_offsets[side->count]; w++)
        require(side->heads[w] >= -1 && side->heads[w] < side->word_offsets[side->count]);
    for (int32_t s = 0; s < side->count; s++)
        require(side->offsets[s] < side->offsets[s + 1] &&
                side->word_offsets[s] <= side->word_offsets[s + 1]);
}

static void check_same(const struct dgm_packed *a, const struct dgm_packed *b)
{
    const size_t count = (size_t)a->count + 1, positions = (size_t)a->offsets[a->count];

    require(a->count == b->count);
    require(memcmp(a->offsets, b->offsets, count * sizeof *a->offsets) == 0);
    require(memcmp(a->word_offsets, b->word_offsets, count * sizeof *a->offsets) == 0);
    require(memcmp(a->ids, b->ids, positions * sizeof *a->ids) == 0);
    require(memcmp(a->words, b->words, positions * sizeof *a->words) == 0);
}

static void pack_again(struct dgm_env *env, const struct dgm_corpus *corpus)
{
    struct dgm_corpus back;
    struct dgm_buf bytes = { 0 };

    memset(&back, 0, sizeof back);
    require(dgm_text_block_pack(env, &bytes, corpus, 0, corpus->source.count) == DGM_OK);
    require(dgm_text_block_unpack(env, &back, (const unsigned char *)bytes.data, bytes.size,
                                  &limits, &place) == DGM_OK);
    check_same(&back.source, &corpus->source);
    check_same(&back.target, &corpus->target);
    dgm_corpus_clear(env, &back);
    dgm_buf_clear(env, &bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_corpus corpus;
    struct dgm_env env;

    memset(&corpus, 0, sizeof corpus);
    dgm_env_init(&env);
    if (dgm_text_block_unpack(&env, &corpus, data, size, &limits, &place) == DGM_OK) {
        check_side(&corpus.source);
        check_side(&corpus.target);
        pack_again(&env, &corpus);
    } else {
        require(env.error.status == DGM_DATA);
    }
    dgm_corpus_clear(&env, &corpus);
    return 0;
}
