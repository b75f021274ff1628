/*
 * siphash.h: a 128-bit hash of bytes under a key: SipHash-2-4.
 *
 * J.-P. Aumasson and D. J. Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT 2012; the form
 * of 128 bits is that of the authors' reference. Results behave like random numbers: that two of n
 * different texts share one has probability n * n / 2^129, 1.5e-21 for a billion.
 */
#ifndef DGM_BASE_SIPHASH_H
#define DGM_BASE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct dgm_siphash {
    uint64_t v[4];
    uint64_t word;  /* bytes not yet mixed in, the first lowest */
    uint64_t total; /* bytes so far */
};

void dgm_siphash_init(struct dgm_siphash *hash, uint64_t key0, uint64_t key1);
/* The result depends on the bytes alone, not on how they are cut into calls. */
void dgm_siphash_add(struct dgm_siphash *hash, const void *bytes, size_t count);
/* Ends it: out[0] are the first eight bytes of the result, little-endian. */
void dgm_siphash_end(struct dgm_siphash *hash, uint64_t out[2]);

#endif
