/*
 * text_cache.c: opening a file of encoded text, and reading its blocks.
 */
#include "data/cache/text_cache.h"

#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/hash.h"
#include "base/le.h"
#include "base/mem.h"

/* ---- opening --------------------------------------------------------------------------------- */

/* What is at hand while a file is opened. */
struct opening {
    struct dgm_env *env;
    struct dgm_text_cache *cache;
    long long bytes; /* of the file */
    char *why;
};

/* Says why the file is no use. */
static dgm_status reject(const struct opening *opening, const char *why)
{
    snprintf(opening->why, DGM_TEXT_CACHE_WHY, "%s", why);
    return DGM_OK;
}

/* All bytes, or as many as there are; *got says how many. */
static dgm_status read_at(struct dgm_env *env, const struct dgm_text_cache *cache, void *to,
                          size_t count, int64_t offset, size_t *got)
{
    return dgm_file_read_at(env, cache->fd, to, count, (long long)offset, got) == 0
               ? DGM_OK
               : dgm_file_fail(env, DGM_FAILURE, cache->path, "cannot read the training text");
}

static dgm_status check_head(const struct opening *opening, int *is_good)
{
    char head[DGM_TEXT_CACHE_HEAD_BYTES + 1] = { 0 }, wanted[DGM_TEXT_CACHE_HEAD_BYTES] = { 0 };
    size_t got;

    *is_good = 0;
    DGM_TRY(read_at(opening->env, opening->cache, head, DGM_TEXT_CACHE_HEAD_BYTES, 0, &got));
    if (got == 0)
        return reject(opening, "it is empty");
    if (strncmp(head, DGM_TEXT_CACHE_KIND, strlen(DGM_TEXT_CACHE_KIND)) != 0)
        return reject(opening, "it is no cache of training text");
    memcpy(wanted, DGM_TEXT_CACHE_HEAD, strlen(DGM_TEXT_CACHE_HEAD));
    *is_good = got == DGM_TEXT_CACHE_HEAD_BYTES && memcmp(head, wanted, sizeof wanted) == 0;
    return *is_good ? DGM_OK : reject(opening, "it is of another version");
}

/* The name of the first line in which two descriptions differ. */
static void name_difference(const char *old, size_t old_size, const char *now, char *why)
{
    size_t i = 0, start = 0;

    for (; i < old_size && now[i] != '\0' && old[i] == now[i]; i++)
        if (now[i] == '\n')
            start = i + 1;
    if (now[start] == '\0')
        snprintf(why, DGM_TEXT_CACHE_WHY, "it was made of something more");
    else
        snprintf(why, DGM_TEXT_CACHE_WHY, "another value of: %.*s",
                 (int)strcspn(now + start, "=\n"), now + start);
    for (i = strlen(why); i > 0 && why[i - 1] == ' '; i--)
        why[i - 1] = '\0';
}

static void take_facts(struct dgm_text_facts *facts, const unsigned char *bytes)
{
    uint64_t numbers[DGM_TEXT_FACTS];

    for (size_t i = 0; i < DGM_TEXT_FACTS; i++)
        numbers[i] = dgm_le64(bytes + 8 * i);
    memcpy(facts, numbers, sizeof *facts);
}

static void take_entry(struct dgm_text_entry *entry, const unsigned char *bytes)
{
    entry->offset = (int64_t)dgm_le64(bytes);
    entry->bytes = dgm_le32(bytes + 8);
    entry->pairs = dgm_le32(bytes + 12);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        entry->positions[side] = dgm_le32(bytes + 16 + 4 * side);
        entry->words[side] = dgm_le32(bytes + 24 + 4 * side);
    }
    entry->checksum = dgm_le64(bytes + 32);
}

static void take_part(struct dgm_text_part *part, const unsigned char *bytes)
{
    part->lines = (int64_t)dgm_le64(bytes);
    part->pairs = (int64_t)dgm_le64(bytes + 8);
    part->checksum = dgm_le64(bytes + 16);
}

/* As large as the reader of blocks takes them (text_block.c). */
static int is_possible(const struct dgm_text_entry *entry)
{
    enum { MOST = 1 << 24 };

    return entry->pairs > 0 && entry->pairs <= MOST && entry->positions[0] <= MOST &&
           entry->positions[1] <= MOST && entry->words[0] <= MOST && entry->words[1] <= MOST;
}

/* All facts but the checksums are counts. */
static int are_counts(const struct dgm_text_facts *facts)
{
    int64_t counts[DGM_TEXT_FACTS];

    memcpy(counts, facts, sizeof counts);
    for (size_t i = 0; i < DGM_TEXT_FACTS - 2; i++)
        if (counts[i] < 0)
            return 0;
    return 1;
}

/* Blocks stand one behind the other up to the tail, and hold what the facts say. */
static int check_entries(struct dgm_text_cache *cache, int64_t tail)
{
    struct dgm_text_facts sums = cache->facts;
    int64_t at = DGM_TEXT_CACHE_HEAD_BYTES, pairs = 0;

    if (!are_counts(&sums))
        return 0;
    for (size_t b = 0; b < cache->count; b++) {
        struct dgm_text_entry *entry = &cache->blocks[b];

        if (entry->offset != at || !is_possible(entry))
            return 0;
        entry->first = pairs;
        at += entry->bytes;
        pairs += entry->pairs;
        for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
            sums.positions[side] -= entry->positions[side];
            sums.words[side] -= entry->words[side];
        }
    }
    return at == tail && pairs == cache->facts.pairs && pairs <= INT32_MAX &&
           sums.positions[0] == 0 && sums.positions[1] == 0 && sums.words[0] == 0 &&
           sums.words[1] == 0;
}

/* The files together hold what the facts say, each at least a pair. */
static int check_parts(const struct dgm_text_cache *cache)
{
    int64_t lines = cache->facts.lines, pairs = cache->facts.pairs;

    for (size_t i = 0; i < cache->part_count; i++) {
        const struct dgm_text_part *part = &cache->parts[i];

        if (part->pairs < 1 || part->pairs > pairs || part->lines < part->pairs ||
            part->lines > lines)
            return 0;
        lines -= part->lines;
        pairs -= part->pairs;
    }
    return lines == 0 && pairs == 0;
}

/* What the end of the file says of its tail. */
struct tail {
    int64_t place;
    size_t lines, parts, blocks;
};

static dgm_status make_room(struct dgm_env *env, struct dgm_text_cache *cache,
                            const struct tail *tail)
{
    DGM_TRY(dgm_new(env, &cache->parts, tail->parts, sizeof *cache->parts));
    DGM_TRY(dgm_new(env, &cache->blocks, tail->blocks, sizeof *cache->blocks));
    cache->part_count = tail->parts;
    cache->count = tail->blocks;
    return DGM_OK;
}

/* Takes the tail, whose checksum is right. */
static dgm_status take_tail(const struct opening *opening, const unsigned char *bytes,
                            const struct tail *tail, const char *description)
{
    struct dgm_text_cache *cache = opening->cache;
    const size_t lines = tail->lines;

    if (lines != strlen(description) || memcmp(bytes, description, lines) != 0) {
        name_difference((const char *)bytes, lines, description, opening->why);
        return DGM_OK;
    }
    bytes += lines;
    take_facts(&cache->facts, bytes);
    bytes += 8 * DGM_TEXT_FACTS;
    DGM_TRY(make_room(opening->env, cache, tail));
    for (size_t i = 0; i < tail->parts; i++)
        take_part(&cache->parts[i], bytes + i * DGM_TEXT_CACHE_PART);
    bytes += tail->parts * DGM_TEXT_CACHE_PART;
    for (size_t b = 0; b < tail->blocks; b++)
        take_entry(&cache->blocks[b], bytes + b * DGM_TEXT_CACHE_ENTRY);
    cache->is_open = check_entries(cache, tail->place) && check_parts(cache);
    return cache->is_open ? DGM_OK : reject(opening, "its parts do not fit together");
}

/* The tail lies where the end says, and has just the size that its parts take. */
static int is_end(const unsigned char end[DGM_TEXT_CACHE_END], long long bytes)
{
    const uint64_t place = dgm_le64(end), lines = dgm_le64(end + 8), parts = dgm_le64(end + 16);
    const uint64_t blocks = dgm_le64(end + 24), size = (uint64_t)bytes;
    const uint64_t rest = size - DGM_TEXT_CACHE_END;

    /* No term of the last sum is larger than a file can be: it does not overflow. */
    return dgm_le64(end + 56) == dgm_hash_bytes(end, 56) && dgm_le64(end + 40) == size &&
           memcmp(end + 48, DGM_TEXT_CACHE_END_MARK, 8) == 0 && place <= rest && lines <= rest &&
           parts > 0 && parts <= rest / DGM_TEXT_CACHE_PART && blocks > 0 &&
           blocks <= rest / DGM_TEXT_CACHE_ENTRY && rest < SIZE_MAX &&
           rest - place == lines + 8 * DGM_TEXT_FACTS + parts * DGM_TEXT_CACHE_PART +
                               blocks * DGM_TEXT_CACHE_ENTRY;
}

static dgm_status read_tail(const struct opening *opening, const unsigned char *end,
                            const char *description)
{
    struct dgm_text_cache *cache = opening->cache;
    const struct tail tail = { (int64_t)dgm_le64(end), (size_t)dgm_le64(end + 8),
                               (size_t)dgm_le64(end + 16), (size_t)dgm_le64(end + 24) };
    const size_t count = (size_t)(opening->bytes - DGM_TEXT_CACHE_END - tail.place);
    size_t got;
    dgm_status status;
    unsigned char *bytes;

    DGM_TRY(dgm_new(opening->env, &bytes, count, 1));
    status = read_at(opening->env, cache, bytes, count, tail.place, &got);
    if (status == DGM_OK)
        status = got < count || dgm_hash_bytes(bytes, count) != dgm_le64(end + 32)
                     ? reject(opening, "it is damaged")
                     : take_tail(opening, bytes, &tail, description);
    dgm_release(opening->env, bytes);
    return status;
}

static dgm_status look_inside(const struct opening *opening, const char *description)
{
    unsigned char end[DGM_TEXT_CACHE_END];
    int is_good;
    size_t got;

    DGM_TRY(check_head(opening, &is_good));
    if (!is_good)
        return DGM_OK;
    if (opening->bytes < DGM_TEXT_CACHE_HEAD_BYTES + DGM_TEXT_CACHE_END)
        return reject(opening, "it ends early");
    DGM_TRY(read_at(opening->env, opening->cache, end, sizeof end,
                    opening->bytes - DGM_TEXT_CACHE_END, &got));
    if (got < sizeof end || !is_end(end, opening->bytes))
        return reject(opening, "it ends early, or is damaged");
    return read_tail(opening, end, description);
}

dgm_status dgm_text_cache_open(struct dgm_env *env, struct dgm_text_cache *cache, const char *path,
                               const char *description, const struct dgm_text_limits *limits,
                               char why[DGM_TEXT_CACHE_WHY])
{
    struct opening opening = { .env = env, .cache = cache, .why = why };
    int is_regular;
    dgm_status status;

    memset(cache, 0, sizeof *cache);
    cache->limits = *limits;
    cache->fd = -1;
    why[0] = '\0';
    if (strlen(path) >= sizeof cache->path)
        return dgm_fail_at(env, DGM_USAGE, path, 0, 0, "path is too long");
    strcpy(cache->path, path);
    if (!dgm_file_exists(env, path))
        return DGM_OK;
    DGM_TRY(dgm_file_open(env, &cache->fd, path, &opening.bytes, &is_regular));
    status =
        is_regular ? look_inside(&opening, description) : reject(&opening, "it is no regular file");
    if (status != DGM_OK || !cache->is_open)
        dgm_text_cache_close(env, cache);
    return status;
}

void dgm_text_cache_close(struct dgm_env *env, struct dgm_text_cache *cache)
{
    if (cache->path[0] != '\0' && cache->fd >= 0)
        dgm_file_close(env, cache->fd);
    dgm_release(env, cache->parts);
    dgm_release(env, cache->blocks);
    dgm_release(env, cache->bytes);
    dgm_corpus_clear(env, &cache->block);
    memset(cache, 0, sizeof *cache);
    cache->fd = -1;
}

/* ---- reading --------------------------------------------------------------------------------- */

dgm_status dgm_text_cache_make_room(struct dgm_env *env, const struct dgm_text_cache *cache,
                                    struct dgm_corpus *corpus, const uint32_t *blocks, size_t count)
{
    const int64_t *columns = cache->facts.columns;
    int64_t pairs = 0, positions[2] = { 0, 0 }, words[2] = { 0, 0 };

    for (size_t i = 0; i < count; i++) {
        const struct dgm_text_entry *entry = &cache->blocks[blocks[i]];

        pairs += entry->pairs;
        for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
            positions[side] += entry->positions[side];
            words[side] += entry->words[side];
        }
    }
    dgm_corpus_forget_pairs(env, corpus);
    DGM_TRY(dgm_reserve(env, &corpus->numbers, &corpus->number_capacity, (size_t)pairs,
                        sizeof *corpus->numbers));
    DGM_TRY(dgm_packed_make_room(env, &corpus->source, pairs, positions[0], words[0],
                                 (unsigned)columns[0]));
    return dgm_packed_make_room(env, &corpus->target, pairs, positions[1], words[1],
                                (unsigned)columns[1]);
}

/* A block whose pairs and words are as many as the tail says. */
static int fits(const struct dgm_packed *side, const struct dgm_text_entry *entry, int which)
{
    return side->count == (int64_t)entry->pairs &&
           side->offsets[side->count] == (int64_t)entry->positions[which] &&
           side->word_offsets[side->count] == (int64_t)entry->words[which];
}

static dgm_status fail_block(struct dgm_env *env, const struct dgm_text_cache *cache, size_t block)
{
    return dgm_fail_byte(env, DGM_DATA, cache->path, (long long)cache->blocks[block].offset,
                         "block %zu of the training text is damaged. Try the same command without "
                         "this file, which makes it anew",
                         block);
}

/* Reads a block into cache->block. */
static dgm_status read_block(struct dgm_env *env, struct dgm_text_cache *cache, size_t block)
{
    const struct dgm_text_entry *entry = &cache->blocks[block];
    const struct dgm_text_place place = { cache->path, (long long)entry->offset };
    size_t got;

    DGM_TRY(dgm_poll(env));
    DGM_TRY(dgm_reserve(env, &cache->bytes, &cache->capacity, entry->bytes, 1));
    DGM_TRY(read_at(env, cache, cache->bytes, entry->bytes, entry->offset, &got));
    if (got < entry->bytes || dgm_hash_bytes(cache->bytes, got) != entry->checksum)
        return fail_block(env, cache, block);
    DGM_TRY(dgm_text_block_unpack(env, &cache->block, cache->bytes, got, &cache->limits, &place));
    if (!fits(&cache->block.source, entry, DGM_SOURCE) ||
        !fits(&cache->block.target, entry, DGM_TARGET))
        return fail_block(env, cache, block);
    return DGM_OK;
}

dgm_status dgm_text_cache_read(struct dgm_env *env, struct dgm_text_cache *cache, size_t block,
                               struct dgm_corpus *corpus)
{
    const int32_t count = corpus->source.count;
    const struct dgm_text_entry *entry = &cache->blocks[block];

    DGM_TRY(read_block(env, cache, block));
    DGM_TRY(dgm_reserve(env, &corpus->numbers, &corpus->number_capacity,
                        (size_t)count + entry->pairs, sizeof *corpus->numbers));
    for (uint32_t i = 0; i < entry->pairs; i++)
        corpus->numbers[(size_t)count + i] = (int32_t)(entry->first + (int64_t)i);
    DGM_TRY(dgm_packed_append_all(env, &corpus->source, &cache->block.source));
    return dgm_packed_append_all(env, &corpus->target, &cache->block.target);
}

dgm_status dgm_text_cache_counts(struct dgm_env *env, const struct dgm_text_cache *cache,
                                 struct dgm_corpus *corpus)
{
    const struct dgm_text_facts *facts = &cache->facts;

    DGM_TRY(dgm_reserve(env, &corpus->parts, &corpus->part_capacity, cache->part_count,
                        sizeof *corpus->parts));
    memcpy(corpus->parts, cache->parts, cache->part_count * sizeof *corpus->parts);
    corpus->part_count = cache->part_count;
    corpus->lines = (long)facts->lines;
    corpus->used = (long)facts->pairs;
    corpus->blank = (long)facts->blank;
    corpus->too_long = (long)facts->too_long;
    corpus->bad = (long)facts->bad;
    corpus->checksum = facts->checksum;
    corpus->counts.words = (long)facts->feature_words;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        corpus->counts.missing[kind] = (long)facts->feature_missing[kind];
    return DGM_OK;
}

static dgm_status read_whole(struct dgm_env *env, struct dgm_text_cache *cache,
                             struct dgm_corpus *corpus)
{
    const struct dgm_text_facts *facts = &cache->facts;

    DGM_TRY(dgm_packed_make_room(env, &corpus->source, facts->pairs, facts->positions[0],
                                 facts->words[0], (unsigned)facts->columns[0]));
    DGM_TRY(dgm_packed_make_room(env, &corpus->target, facts->pairs, facts->positions[1],
                                 facts->words[1], (unsigned)facts->columns[1]));
    DGM_TRY(dgm_reserve(env, &corpus->line_of, &corpus->line_capacity, (size_t)facts->pairs,
                        sizeof *corpus->line_of));
    for (size_t b = 0; b < cache->count; b++) {
        DGM_TRY(read_block(env, cache, b));
        memcpy(corpus->line_of + cache->blocks[b].first, cache->block.line_of,
               cache->blocks[b].pairs * sizeof *corpus->line_of);
        DGM_TRY(dgm_packed_append_all(env, &corpus->source, &cache->block.source));
        DGM_TRY(dgm_packed_append_all(env, &corpus->target, &cache->block.target));
    }
    return DGM_OK;
}

dgm_status dgm_text_cache_read_all(struct dgm_env *env, struct dgm_text_cache *cache,
                                   struct dgm_corpus *corpus)
{
    dgm_status status;

    dgm_corpus_clear(env, corpus);
    status = read_whole(env, cache, corpus);
    if (status == DGM_OK)
        status = dgm_text_cache_counts(env, cache, corpus);
    if (status != DGM_OK)
        dgm_corpus_clear(env, corpus);
    return status;
}
