/*
 * text_cache.h: encoded training text in a file, from which any part of it is read in any order.
 *
 * The file has four parts, all numbers little-endian:
 *
 *     64 bytes of text, DGM_TEXT_CACHE_HEAD, that name kind, version, byte order and width
 *     blocks of pairs (text_block.h), one after the other
 *     the tail: lines "name = value" that say what the text was made of, facts about the text; for
 *     each of the files that it came from 24 bytes: lines, pairs, checksum (8 each) as
 *     dgm_text_part has them; and for each block 40 bytes: place (8), bytes, pairs, positions of
 *     both sides, words of both sides (4 each), checksum (8; base/hash.h)
 *     64 bytes: place of the tail, bytes of those lines, files, blocks, checksum of the tail, bytes
 *     of the file, the word "DGM-TEXT", checksum of these (8 each)
 *
 * It is written to a temporary name and gets its own when it is whole, so that there is never a
 * part of one; what is damaged later is found by the checksums, whenever a block is read. Blocks
 * are read with pread and not mapped: a file that another program cuts, or whose disk goes away,
 * is an error with a message then, while a page of a mapping would be a SIGBUS, and pages that were
 * read count as memory of this process. An open cache goes on to be what it was when another run
 * replaces the file.
 *
 * Checksums find damage and are no defence against malice.
 */
#ifndef DGM_DATA_CACHE_TEXT_CACHE_H
#define DGM_DATA_CACHE_TEXT_CACHE_H

#include "data/cache/text_block.h"

#define DGM_TEXT_CACHE_HEAD "dragoman text, version 2, little-endian, 32-bit numbers"
/* What all versions begin with, and what a temporary file does (replacement.h). */
#define DGM_TEXT_CACHE_KIND "dragoman text, version "
#define DGM_TEXT_CACHE_MAGIC "dragoman"

enum {
    DGM_TEXT_CACHE_HEAD_BYTES = 64,
    DGM_TEXT_CACHE_PART = 24,
    DGM_TEXT_CACHE_ENTRY = 40,
    DGM_TEXT_CACHE_END = 64
};
#define DGM_TEXT_CACHE_END_MARK "DGM-TEXT"

/* What is known of the text without reading it. Numbers of 8 bytes, as they stand in the tail. */
struct dgm_text_facts {
    int64_t pairs, positions[2], words[2], columns[2]; /* columns: dgm_packed_columns */
    int64_t lines, blank, too_long, bad;               /* as in a corpus */
    int64_t without_tree, first_without; /* pairs; the line of the first one, from 1, or 0 */
    int64_t feature_words, feature_missing[DGM_WORD_FEATURES];
    uint64_t checksum, tree_checksum; /* of the lines; of all trees, as the blocks have them */
};

enum { DGM_TEXT_FACTS = sizeof(struct dgm_text_facts) / 8 };

struct dgm_text_entry {
    int64_t offset, first; /* in the file; the number of its first pair */
    uint32_t bytes, pairs, positions[2], words[2];
    uint64_t checksum;
};

struct dgm_text_cache {
    char path[1024];
    int is_open, fd;
    struct dgm_text_facts facts;
    struct dgm_text_limits limits;
    struct dgm_text_part *parts; /* (part_count) */
    struct dgm_text_entry *blocks;
    size_t part_count, count;
    unsigned char *bytes; /* of the block read last */
    size_t capacity;
    struct dgm_corpus block; /* the same, unpacked */
};

enum { DGM_TEXT_CACHE_WHY = 240 };

/*
 * Opens the cache at `path` if there is one of a text that was made of just this (`description`,
 * lines "name = value"). Otherwise cache->is_open is 0 and `why` says what is wrong with it, "" if
 * there is none. DGM_FAILURE for a file that cannot be read.
 */
dgm_status dgm_text_cache_open(struct dgm_env *env, struct dgm_text_cache *cache, const char *path,
                               const char *description, const struct dgm_text_limits *limits,
                               char why[DGM_TEXT_CACHE_WHY]);
/* Also of one that is zeroed, or was not opened. */
void dgm_text_cache_close(struct dgm_env *env, struct dgm_text_cache *cache);

/* Replaces the pairs of a corpus by room for those of these blocks; its counts stay. */
dgm_status dgm_text_cache_make_room(struct dgm_env *env, const struct dgm_text_cache *cache,
                                    struct dgm_corpus *corpus, const uint32_t *blocks,
                                    size_t count);
/* Appends the pairs of a block to a corpus, each with its number in the whole text. DGM_DATA where
 * the file is damaged. */
dgm_status dgm_text_cache_read(struct dgm_env *env, struct dgm_text_cache *cache, size_t block,
                               struct dgm_corpus *corpus);
/* Replaces a corpus by all of the text, as reading the files would have made it. */
dgm_status dgm_text_cache_read_all(struct dgm_env *env, struct dgm_text_cache *cache,
                                   struct dgm_corpus *corpus);

/* Gives a corpus what reading the files would have counted: lines, pairs left out, checksums. */
dgm_status dgm_text_cache_counts(struct dgm_env *env, const struct dgm_text_cache *cache,
                                 struct dgm_corpus *corpus);

/* Bytes that a block takes in a corpus; that of all blocks. */
int64_t dgm_text_cache_block_bytes(const struct dgm_text_cache *cache, size_t block);
int64_t dgm_text_cache_bytes(const struct dgm_text_cache *cache);
/* The same of a corpus: what the cache of its text would say. */
int64_t dgm_text_cache_corpus_bytes(const struct dgm_corpus *corpus);

#endif
