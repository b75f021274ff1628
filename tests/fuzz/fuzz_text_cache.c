/*
 * fuzz_text_cache.c: any bytes as a file of encoded text: its end, its tail, its blocks. What is
 * accepted adds up, and is read in windows, with and without shares, as a run reads it.
 *
 * Checksums are put right first, as far as the file has a place for them, and the text is said to
 * be made of what the file says: it is the rest that is tried here.
 */
#include "data/windows.h"

#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"
#include "memory.h"

static const struct dgm_text_limits limits = { { 1 << 22, 1 << 22 },
                                               { 1 << 22, 1 << 22, 1 << 22, 1 << 22 } };
/* Blocks of a few bytes may say that they hold millions of equal pairs. */
enum { MOST_PAIRS = 20000, MOST_POSITIONS = 200000, MOST_TEXTS = 64 };

static long memory_pread(void *user, int fd, void *out, size_t count, long long offset)
{
    struct memory *memory = user;

    if (offset < 0 || (unsigned long long)offset > memory->size)
        return 0;
    memory->at = (size_t)offset;
    return memory_read(user, fd, out, count);
}

/* ---- checksums ------------------------------------------------------------------------------- */

static void mend_blocks(uint8_t *data, size_t size, uint8_t *entries, uint64_t blocks)
{
    for (uint64_t b = 0; b < blocks; b++) {
        uint8_t *entry = entries + b * DGM_TEXT_CACHE_ENTRY;
        const uint64_t at = dgm_le64(entry), bytes = dgm_le32(entry + 8);

        if (at <= size && bytes <= size - at)
            dgm_le64_put(entry + 32, dgm_hash_bytes(data + at, (size_t)bytes));
    }
}

/* What the text is said to be made of; the caller releases it. */
static char *mend(struct dgm_env *env, uint8_t *data, size_t size)
{
    uint8_t *end = data + size - DGM_TEXT_CACHE_END;
    uint64_t rest = size - DGM_TEXT_CACHE_END, place, lines, blocks;
    char *description;

    memcpy(end + 48, DGM_TEXT_CACHE_END_MARK, 8);
    dgm_le64_put(end + 40, size);
    place = dgm_le64(end);
    lines = dgm_le64(end + 8);
    blocks = dgm_le64(end + 24);
    if (place <= rest && blocks <= (rest - place) / DGM_TEXT_CACHE_ENTRY)
        mend_blocks(data, size, end - blocks * DGM_TEXT_CACHE_ENTRY, blocks);
    if (place <= rest)
        dgm_le64_put(end + 32, dgm_hash_bytes(data + place, (size_t)(rest - place)));
    dgm_le64_put(end + 56, dgm_hash_bytes(end, 56));
    if (place > rest || lines > rest - place)
        lines = 0;
    description = dgm_copy_text(env, (const char *)data + (lines > 0 ? place : 0), (size_t)lines);
    expect(description != NULL);
    return description;
}

/* ---- what was accepted ----------------------------------------------------------------------- */

static void check_facts(const struct dgm_text_cache *cache)
{
    int64_t pairs = 0, of_blocks = 0;

    for (size_t i = 0; i < cache->part_count; i++) {
        expect(cache->parts[i].pairs > 0 && cache->parts[i].lines >= cache->parts[i].pairs);
        pairs += cache->parts[i].pairs;
    }
    for (size_t b = 0; b < cache->count; b++)
        of_blocks += cache->blocks[b].pairs;
    expect(pairs == cache->facts.pairs && of_blocks == pairs);
    expect(dgm_text_cache_bytes(cache) > 0);
}

/* An epoch in windows of a block each; a failure is that of a block. */
static void read_epoch(struct dgm_env *env, struct dgm_text_cache *cache,
                       const struct dgm_mixture *mixture)
{
    const struct dgm_order_options options = { .seed = 1, .batch_tokens = 100, .parse_ratio = 1 };
    struct dgm_windows windows;
    struct dgm_corpus corpus;
    struct dgm_order order;
    int64_t pairs = 0;
    dgm_status status;

    memset(&corpus, 0, sizeof corpus);
    memset(&order, 0, sizeof order);
    expect(dgm_windows_init(env, &windows, cache, &corpus, mixture, 1) == DGM_OK);
    status = dgm_windows_begin(env, &windows, &order, &corpus, &options, 1);
    while (status == DGM_OK) {
        expect(order.batches > 0);
        pairs += order.pair_count;
        if (dgm_windows_is_last(&windows))
            break;
        status = dgm_windows_next(env, &windows, &order, &corpus, &options, 1);
    }
    expect(status == DGM_OK ? pairs == cache->facts.pairs : status == DGM_DATA);
    dgm_env_clear_error(env);
    dgm_windows_clear(env, &windows);
    dgm_order_clear(env, &order);
    dgm_corpus_clear(env, &corpus);
}

static void read_mixed(struct dgm_env *env, struct dgm_text_cache *cache)
{
    struct dgm_mixture mixture;
    double weights[MOST_TEXTS];
    size_t bad, i;
    dgm_status status;

    for (i = 0; i < cache->part_count && i < MOST_TEXTS; i++)
        weights[i] = 1 + (double)(i % 3);
    if (i < cache->part_count)
        return;
    status = dgm_mixture_init(env, &mixture, cache->parts, weights, cache->part_count, 7, &bad);
    expect(status == DGM_OK || status == DGM_USAGE);
    dgm_env_clear_error(env);
    if (status == DGM_OK)
        read_epoch(env, cache, &mixture);
    dgm_mixture_clear(env, &mixture);
}

static void read_all(struct dgm_env *env, struct dgm_text_cache *cache)
{
    struct dgm_corpus corpus;
    dgm_status status;

    memset(&corpus, 0, sizeof corpus);
    status = dgm_text_cache_read_all(env, cache, &corpus);
    expect(status == DGM_OK || status == DGM_DATA);
    expect(status != DGM_OK || corpus.source.count == cache->facts.pairs);
    dgm_env_clear_error(env);
    dgm_corpus_clear(env, &corpus);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_text_cache cache;
    struct memory memory;
    struct dgm_env env;
    char why[DGM_TEXT_CACHE_WHY], *description;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    const struct dgm_text_facts *facts = &cache.facts;

    expect(copy != NULL);
    if (size > 0)
        memcpy(copy, data, size);
    memory_begin(&memory, &env, copy, size);
    memory.vfs.pread = memory_pread;
    description = size >= DGM_TEXT_CACHE_END ? mend(&env, copy, size) : dgm_copy_text(&env, "", 0);
    expect(description != NULL);
    expect(dgm_text_cache_open(&env, &cache, "/", description, &limits, why) == DGM_OK);
    expect(cache.is_open || why[0] != '\0');
    if (cache.is_open)
        check_facts(&cache);
    if (cache.is_open && facts->pairs <= MOST_PAIRS &&
        facts->positions[0] + facts->positions[1] <= MOST_POSITIONS &&
        facts->words[0] + facts->words[1] <= MOST_POSITIONS) {
        read_all(&env, &cache);
        read_epoch(&env, &cache, NULL);
        read_mixed(&env, &cache);
    }
    dgm_text_cache_close(&env, &cache);
    dgm_release(&env, description);
    free(copy);
    return 0;
}
