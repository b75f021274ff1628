/*
 * text_cache_writer.c: blocks as the pairs come, and behind them what is known at the end.
 */
#include "data/cache/text_cache_writer.h"

#include <string.h>

#include "base/file/output.h"
#include "base/le.h"
#include "base/mem.h"

static dgm_status write_bytes(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                              const void *bytes, size_t count)
{
    writer->at += (int64_t)count;
    return dgm_writer_add(env, &writer->out, bytes, count);
}

static dgm_status find_place(struct dgm_env *env, struct dgm_output *output, const char *path)
{
    DGM_TRY(dgm_output_find_file(env, output, path));
    return dgm_output_keep_others(env, output, DGM_TEXT_CACHE_KIND, "cache of training text");
}

dgm_status dgm_text_cache_may_replace(struct dgm_env *env, const char *path)
{
    struct dgm_output output;

    return find_place(env, &output, path);
}

dgm_status dgm_text_cache_writer_open(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                      const char *path, int64_t block_bytes)
{
    char head[DGM_TEXT_CACHE_HEAD_BYTES] = { 0 };
    struct dgm_output output;

    memset(writer, 0, sizeof *writer);
    writer->block_bytes = block_bytes;
    dgm_hash_init(&writer->trees, 0);
    DGM_TRY(find_place(env, &output, path));
    dgm_replacement_sweep(env, output.path, DGM_TEXT_CACHE_MAGIC);
    DGM_TRY(dgm_writer_open(env, &writer->out, path));
    writer->is_open = 1;
    memcpy(head, DGM_TEXT_CACHE_HEAD, strlen(DGM_TEXT_CACHE_HEAD));
    return write_bytes(env, writer, head, sizeof head);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static int has_value(const int32_t *column, int32_t from, int32_t to)
{
    for (; column != NULL && from < to; from++)
        if (column[from] != -1)
            return 1;
    return 0;
}

/* Adds a column of words to the checksum of trees, unless it has no value; returns whether. */
static int hash_column(struct dgm_hash *hash, const int32_t *column, int32_t from, int32_t to)
{
    if (!has_value(column, from, to))
        return 0;
    dgm_hash_add(hash, column + from, (size_t)(to - from) * sizeof *column);
    return 1;
}

/* Pairs from..to-1 of a side. */
static void count_side(struct dgm_text_cache_writer *writer, const struct dgm_packed *side,
                       int which, int32_t from, int32_t to)
{
    const int32_t start = side->word_offsets[from], end = side->word_offsets[to];
    struct dgm_text_facts *facts = &writer->facts;
    struct dgm_hash *hash = &writer->trees;
    unsigned columns = hash_column(hash, side->heads, start, end) ? DGM_PACKED_HEADS : 0;

    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (hash_column(hash, side->features[kind], start, end))
            columns |= (unsigned)DGM_PACKED_FEATURE << kind;
    /* | and not ||: both are to be hashed. */
    if (hash_column(hash, side->left, start, end) | hash_column(hash, side->right, start, end))
        columns |= DGM_PACKED_BINARY;
    if (side->links != NULL && side->link_offsets[to] > side->link_offsets[from])
        columns |= DGM_PACKED_LINKS; /* the text's checksum has them */
    facts->columns[which] |= (int64_t)columns;
    facts->positions[which] += side->offsets[to] - side->offsets[from];
    facts->words[which] += end - start;
}

static void count_trees(struct dgm_text_cache_writer *writer, const struct dgm_corpus *corpus,
                        int32_t from, int32_t to)
{
    for (; from < to; from++) {
        if (!dgm_packed_lacks_tree(&corpus->source, from))
            continue;
        if (writer->facts.without_tree++ == 0)
            writer->facts.first_without = corpus->line_of[from] + 1;
    }
}

static dgm_status add_block(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                            const struct dgm_corpus *corpus, int32_t from, int32_t to)
{
    const struct dgm_packed *const sides[2] = { &corpus->source, &corpus->target };
    struct dgm_text_entry *entry;

    DGM_TRY(dgm_text_block_pack(env, &writer->block, corpus, from, to));
    DGM_TRY(
        dgm_grow(env, &writer->blocks, &writer->capacity, writer->count, sizeof *writer->blocks));
    entry = &writer->blocks[writer->count++];
    entry->offset = writer->at;
    entry->bytes = (uint32_t)writer->block.size;
    entry->pairs = (uint32_t)(to - from);
    entry->checksum = dgm_hash_bytes(writer->block.data, writer->block.size);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        const struct dgm_packed *packed = sides[side];

        entry->positions[side] = (uint32_t)(packed->offsets[to] - packed->offsets[from]);
        entry->words[side] = (uint32_t)(packed->word_offsets[to] - packed->word_offsets[from]);
        count_side(writer, packed, side, from, to);
    }
    writer->facts.pairs += to - from;
    count_trees(writer, corpus, from, to);
    return write_bytes(env, writer, writer->block.data, writer->block.size);
}

dgm_status dgm_text_cache_writer_add(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                     const struct dgm_corpus *corpus)
{
    int32_t from, to;

    for (from = 0; from < corpus->source.count; from = to) {
        DGM_TRY(dgm_poll(env));
        to = dgm_text_block_end(corpus, from, writer->block_bytes);
        DGM_TRY(add_block(env, writer, corpus, from, to));
    }
    if (writer->facts.pairs > INT32_MAX)
        return dgm_fail(env, DGM_DATA, "more than %d pairs; expected a smaller corpus",
                        (int)INT32_MAX);
    return DGM_OK;
}

/* ---- the end --------------------------------------------------------------------------------- */

static void take_counts(struct dgm_text_cache_writer *writer, const struct dgm_corpus *counts)
{
    struct dgm_text_facts *facts = &writer->facts;

    facts->lines = counts->lines;
    facts->blank = counts->blank;
    facts->too_long = counts->too_long;
    facts->bad = counts->bad;
    facts->feature_words = counts->counts.words;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        facts->feature_missing[kind] = counts->counts.missing[kind];
    facts->checksum = counts->checksum;
    facts->tree_checksum = dgm_hash_value(&writer->trees);
}

static dgm_status add_facts(struct dgm_env *env, const struct dgm_text_facts *facts,
                            struct dgm_buf *tail)
{
    uint64_t numbers[DGM_TEXT_FACTS];
    unsigned char bytes[8];

    memcpy(numbers, facts, sizeof numbers);
    for (size_t i = 0; i < DGM_TEXT_FACTS; i++) {
        dgm_le64_put(bytes, numbers[i]);
        DGM_TRY(dgm_buf_add(env, tail, bytes, sizeof bytes));
    }
    return DGM_OK;
}

static dgm_status add_part(struct dgm_env *env, const struct dgm_text_part *part,
                           struct dgm_buf *tail)
{
    unsigned char bytes[DGM_TEXT_CACHE_PART];

    dgm_le64_put(bytes, (uint64_t)part->lines);
    dgm_le64_put(bytes + 8, (uint64_t)part->pairs);
    dgm_le64_put(bytes + 16, part->checksum);
    return dgm_buf_add(env, tail, bytes, sizeof bytes);
}

static dgm_status add_entry(struct dgm_env *env, const struct dgm_text_entry *entry,
                            struct dgm_buf *tail)
{
    unsigned char bytes[DGM_TEXT_CACHE_ENTRY];

    dgm_le64_put(bytes, (uint64_t)entry->offset);
    dgm_le32_put(bytes + 8, entry->bytes);
    dgm_le32_put(bytes + 12, entry->pairs);
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        dgm_le32_put(bytes + 16 + 4 * side, entry->positions[side]);
        dgm_le32_put(bytes + 24 + 4 * side, entry->words[side]);
    }
    dgm_le64_put(bytes + 32, entry->checksum);
    return dgm_buf_add(env, tail, bytes, sizeof bytes);
}

static dgm_status make_tail(struct dgm_env *env, const struct dgm_text_cache_writer *writer,
                            const struct dgm_corpus *counts, const char *description,
                            struct dgm_buf *tail)
{
    DGM_TRY(dgm_buf_add_text(env, tail, description));
    DGM_TRY(add_facts(env, &writer->facts, tail));
    for (size_t i = 0; i < counts->part_count; i++)
        DGM_TRY(add_part(env, &counts->parts[i], tail));
    for (size_t b = 0; b < writer->count; b++)
        DGM_TRY(add_entry(env, &writer->blocks[b], tail));
    return DGM_OK;
}

static dgm_status write_end(struct dgm_env *env, struct dgm_text_cache_writer *writer, size_t parts,
                            const char *description, const struct dgm_buf *tail)
{
    unsigned char end[DGM_TEXT_CACHE_END];

    dgm_le64_put(end, (uint64_t)writer->at);
    dgm_le64_put(end + 8, strlen(description));
    dgm_le64_put(end + 16, parts);
    dgm_le64_put(end + 24, writer->count);
    dgm_le64_put(end + 32, dgm_hash_bytes(tail->data, tail->size));
    dgm_le64_put(end + 40, (uint64_t)writer->at + tail->size + sizeof end);
    memcpy(end + 48, DGM_TEXT_CACHE_END_MARK, 8);
    dgm_le64_put(end + 56, dgm_hash_bytes(end, 56));
    DGM_TRY(write_bytes(env, writer, tail->data, tail->size));
    return write_bytes(env, writer, end, sizeof end);
}

dgm_status dgm_text_cache_writer_close(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                       const struct dgm_corpus *counts, const char *description)
{
    struct dgm_buf tail = { 0 };
    dgm_status status;

    take_counts(writer, counts);
    DGM_TRY_OUT(make_tail(env, writer, counts, description, &tail));
    DGM_TRY_OUT(write_end(env, writer, counts->part_count, description, &tail));
    status = dgm_writer_close(env, &writer->out);
out:
    dgm_buf_clear(env, &tail);
    dgm_text_cache_writer_abandon(env, writer);
    return status;
}

void dgm_text_cache_writer_abandon(struct dgm_env *env, struct dgm_text_cache_writer *writer)
{
    if (writer->is_open)
        dgm_writer_abandon(env, &writer->out);
    dgm_buf_clear(env, &writer->block);
    dgm_release(env, writer->blocks);
    memset(writer, 0, sizeof *writer);
}
