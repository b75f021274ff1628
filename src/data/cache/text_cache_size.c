/*
 * text_cache_size.c: what encoded text takes in memory.
 */
#include "data/cache/text_cache.h"

static int64_t bits_of(unsigned columns)
{
    int64_t bits = 0;

    for (; columns != 0; columns &= columns - 1)
        bits++;
    return bits;
}

/* Of positions an id and a word; of pairs four offsets, a number and a place in the order; of words
 * a number for each column, and two for constituents and for links, of which a word has about one.
 */
static int64_t memory_bytes(int64_t pairs, int64_t positions, int64_t source_words,
                            int64_t target_words, const int64_t columns[2])
{
    const int64_t words[2] = { source_words, target_words };
    int64_t numbers = 6 * pairs + 2 * positions;

    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
        numbers += words[side] *
                   (bits_of((unsigned)columns[side]) + ((columns[side] & DGM_PACKED_BINARY) != 0) +
                    ((columns[side] & DGM_PACKED_LINKS) != 0));
    return numbers * (int64_t)sizeof(int32_t);
}

int64_t dgm_text_cache_block_bytes(const struct dgm_text_cache *cache, size_t block)
{
    const struct dgm_text_entry *entry = &cache->blocks[block];

    return memory_bytes(entry->pairs, (int64_t)entry->positions[0] + entry->positions[1],
                        entry->words[0], entry->words[1], cache->facts.columns);
}

int64_t dgm_text_cache_bytes(const struct dgm_text_cache *cache)
{
    const struct dgm_text_facts *facts = &cache->facts;

    return memory_bytes(facts->pairs, facts->positions[0] + facts->positions[1], facts->words[0],
                        facts->words[1], facts->columns);
}

int64_t dgm_text_cache_corpus_bytes(const struct dgm_corpus *corpus)
{
    const struct dgm_packed *source = &corpus->source, *target = &corpus->target;
    const int64_t columns[2] = { dgm_packed_columns(source), dgm_packed_columns(target) };
    const int32_t pairs = source->count;

    if (pairs == 0)
        return 0;
    return memory_bytes(pairs, (int64_t)source->offsets[pairs] + target->offsets[pairs],
                        source->word_offsets[pairs], target->word_offsets[pairs], columns);
}
