/*
 * hash.h: a 64-bit checksum that finds damage, at memory speed. It is no defence against
 * malice.
 *
 * The function is XXH64 (Y. Collet, "xxHash fast digest algorithm", specification 0.1.1),
 * so that any other implementation of that specification can check our files.
 */
#ifndef DGM_BASE_HASH_H
#define DGM_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

struct dgm_hash {
    uint64_t lanes[4];
    uint64_t seed, total;   /* bytes so far */
    unsigned char tail[32]; /* the last total % 32 bytes, not yet mixed in */
};

void dgm_hash_init(struct dgm_hash *hash, uint64_t seed);
/* The result depends on the bytes alone, not on how they are cut into calls. */
void dgm_hash_add(struct dgm_hash *hash, const void *bytes, size_t count);
/* The checksum of the bytes so far; more may follow. */
uint64_t dgm_hash_value(const struct dgm_hash *hash);

/* All at once, seed 0. */
uint64_t dgm_hash_bytes(const void *bytes, size_t count);

#endif
