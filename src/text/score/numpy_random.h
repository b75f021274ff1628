/*
 * numpy_random.h: the random numbers of NumPy's default_rng, with which sacreBLEU draws its
 * samples: PCG64 (O'Neill 2014, XSL-RR, a state of 128 bits), seeded by a SeedSequence.
 */
#ifndef DGM_TEXT_SCORE_NUMPY_RANDOM_H
#define DGM_TEXT_SCORE_NUMPY_RANDOM_H

#include <stdint.h>

struct dgm_numpy_random {
    uint64_t high, low;           /* the state */
    uint64_t step_high, step_low; /* what is added in each step */
    uint32_t half;                /* the upper half of the last number, if it still waits */
    int has_half;
};

void dgm_numpy_random_init(struct dgm_numpy_random *random, uint64_t seed);

/* The next 32 bits, of which integers(2, dtype=bool) takes one after the other from the lowest. */
uint32_t dgm_numpy_random_bits(struct dgm_numpy_random *random);

/* The next of integers(bound), which is choice(bound) too: 0 .. bound - 1; bound at least 1. */
uint32_t dgm_numpy_random_below(struct dgm_numpy_random *random, uint32_t bound);

#endif
