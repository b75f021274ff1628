/*
 * seen.h: which texts were there before, at 20 to 25 bytes for each different one.
 *
 * A text is kept as 128 bits of hash (siphash.h): that any of a billion is wrongly taken for
 * another one has probability 1.5e-21.
 */
#ifndef DGM_TEXT_CLEAN_SEEN_H
#define DGM_TEXT_CLEAN_SEEN_H

#include "base/env.h"

enum { DGM_SEEN_PARTS = 256 };

/* Zeroed: nothing was there. */
struct dgm_seen {
    struct dgm_seen_part {
        uint64_t (*slots)[2]; /* both halves 0: free */
        uint32_t slot_count, used;
    } parts[DGM_SEEN_PARTS]; /* by the hash's last byte */
};

/* The hash of a pair of texts, or of one (`second` NULL), under a seed. */
void dgm_seen_hash(uint64_t hash[2], uint64_t seed, const char *first, size_t first_bytes,
                   const char *second, size_t second_bytes);

/* Whether a text of this hash was added. */
int dgm_seen_has(const struct dgm_seen *seen, const uint64_t hash[2]);
/* *is_new: no text of this hash was added before. */
dgm_status dgm_seen_add(struct dgm_env *env, struct dgm_seen *seen, const uint64_t hash[2],
                        int *is_new);
void dgm_seen_clear(struct dgm_env *env, struct dgm_seen *seen);

#endif
