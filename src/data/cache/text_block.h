/*
 * text_block.h: a run of sentence pairs as bytes, and back.
 *
 * Bytes: the number of pairs and that of columns (4 each), then one column after the other. A
 * column has a head of 16 bytes: what it holds (2), the width of its numbers (2), how many there
 * are (4), the least of them (8); then the numbers, less the least, in 0, 1, 2 or 4 bytes each.
 * With width 0 all are the least. All of it is little-endian. Columns, by the number in their
 * head: of each side (data/side.h; the target's are 32 higher)
 *
 *     0 positions of a sentence   1 words of a sentence   2 ids   3 words of positions
 *     4 heads   5.. features, in the order of data/tree/feature.h   16 left   17 right
 *     18 weights of sentences, the bits of floats
 *     19 links of a sentence, of the target alone   20 their source words   21 their target words
 *
 * as data/packed.h has them, and, 64, the lines of the pairs. A column of words that has no value,
 * -1 throughout, is left out, and so are weights that are all 1, and links where there are none.
 */
#ifndef DGM_DATA_CACHE_TEXT_BLOCK_H
#define DGM_DATA_CACHE_TEXT_BLOCK_H

#include "data/corpus.h"

/* Replaces `out` by pairs from..to-1 of a corpus, at least one. */
dgm_status dgm_text_block_pack(struct dgm_env *env, struct dgm_buf *out,
                               const struct dgm_corpus *corpus, int32_t from, int32_t to);

/* What ids and features may be: below these. */
struct dgm_text_limits {
    int64_t ids[2], features[DGM_WORD_FEATURES];
};

/* Where bytes come from, for messages. */
struct dgm_text_place {
    const char *path;
    long long offset;
};

/* Replaces the pairs of a corpus by those of a block. DGM_DATA at `place` for bytes that are no
 * block, or whose numbers are out of their limits; shapes of trees are not looked at. */
dgm_status dgm_text_block_unpack(struct dgm_env *env, struct dgm_corpus *corpus,
                                 const unsigned char *bytes, size_t count,
                                 const struct dgm_text_limits *limits,
                                 const struct dgm_text_place *place);

/* Where the first run of pairs ends that begins at `from` and takes `bytes` of memory without its
 * trees, or at the end of the corpus. */
int32_t dgm_text_block_end(const struct dgm_corpus *corpus, int32_t from, int64_t bytes);
/* The bytes that a pair adds to that. */
int64_t dgm_text_block_pair_bytes(const struct dgm_corpus *corpus, int32_t pair);

#endif
