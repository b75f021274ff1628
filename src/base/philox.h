/*
 * philox.h: Philox4x32-10, random numbers as a pure function of a key and a counter.
 *
 * Salmon, Moraes, Dror, Shaw: "Parallel Random Numbers: As Easy as 1, 2, 3" (SC 2011). There is no
 * state: the same (seed, update, stream, sentence, position) gives the same bits on any thread,
 * in any batch, and after a resume. Known answers of the paper's distribution are in the tests.
 */
#ifndef DGM_BASE_PHILOX_H
#define DGM_BASE_PHILOX_H

#include <stddef.h>
#include <stdint.h>

void dgm_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2]);

/* A stream of draws for host-side code: shuffles, initialisation, sampling. */
struct dgm_random {
    uint32_t key[2];
    uint32_t counter[4]; /* counter[0] runs; [1..3] name the stream */
    uint32_t block[4];
    unsigned used; /* words of `block` already handed out */
};

void dgm_random_init(struct dgm_random *random, uint64_t seed, uint32_t stream, uint32_t a,
                     uint32_t b);
uint32_t dgm_random_word(struct dgm_random *random);
/* Uniform in 0..n-1 without bias; n >= 1. */
uint32_t dgm_random_below(struct dgm_random *random, uint32_t n);
/* Uniform in [0, 1) with 53 bits. */
double dgm_random_unit(struct dgm_random *random);
/* Standard normal (Box-Muller on own log and cos: the same bits everywhere). */
double dgm_random_normal(struct dgm_random *random);
/* Fisher-Yates over n items. */
void dgm_random_shuffle(struct dgm_random *random, uint32_t *items, size_t n);

#endif
