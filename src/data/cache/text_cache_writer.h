/*
 * text_cache_writer.h: makes a file of encoded text (text_cache.h).
 */
#ifndef DGM_DATA_CACHE_TEXT_CACHE_WRITER_H
#define DGM_DATA_CACHE_TEXT_CACHE_WRITER_H

#include "base/file/writer.h"
#include "base/hash.h"
#include "data/cache/text_cache.h"

/* Memory of the pairs of a block, without their trees. */
enum { DGM_TEXT_BLOCK_BYTES = 1 << 20 };

/* Zeroed is valid: nothing is open. */
struct dgm_text_cache_writer {
    struct dgm_writer out;
    int is_open;
    int64_t block_bytes, at; /* of a block in memory; written so far */
    struct dgm_buf block;
    struct dgm_text_entry *blocks;
    size_t count, capacity;
    struct dgm_text_facts facts;
    struct dgm_hash trees;
};

/* DGM_USAGE unless a cache may be made at `path`: there is nothing yet, or another cache. Only our
 * own files are ever replaced. */
dgm_status dgm_text_cache_may_replace(struct dgm_env *env, const char *path);
/* Asks that, removes what killed runs have left beside `path`, and begins a file there. */
dgm_status dgm_text_cache_writer_open(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                      const char *path, int64_t block_bytes);
/* Adds all pairs of a corpus, in blocks of its own. */
dgm_status dgm_text_cache_writer_add(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                     const struct dgm_corpus *corpus);
/* Ends the file and puts it in its place. counts: the corpus that the pairs came from, whose lines
 * and checksum are those of the whole text; description: what the text was made of. */
dgm_status dgm_text_cache_writer_close(struct dgm_env *env, struct dgm_text_cache_writer *writer,
                                       const struct dgm_corpus *counts, const char *description);
/* Gives up: what was at the path stays. Does nothing after a close. */
void dgm_text_cache_writer_abandon(struct dgm_env *env, struct dgm_text_cache_writer *writer);

#endif
