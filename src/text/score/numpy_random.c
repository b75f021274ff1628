/*
 * numpy_random.c: PCG64 and its seeding, in 64-bit arithmetic.
 *
 * The constants are those of numpy/random/bit_generator.pyx and src/pcg64.
 */
#include "text/score/numpy_random.h"

enum { POOL = 4, WORDS = 8, SHIFT = 16 };

/* ---- seeding: SeedSequence ----------------------------------------------------------------- */

static uint32_t hash_mix(uint32_t value, uint32_t *constant, uint32_t factor)
{
    value ^= *constant;
    *constant *= factor;
    value *= *constant;
    return value ^ (value >> SHIFT);
}

static uint32_t mix(uint32_t x, uint32_t y)
{
    uint32_t mixed = 0xCA01F9DDu * x - 0x4973F715u * y;
    return mixed ^ (mixed >> SHIFT);
}

/* Spreads the seed over a pool of words. */
static void fill_pool(uint32_t pool[POOL], uint64_t seed)
{
    uint32_t constant = 0x43B0D7E5u;

    for (int to = 0; to < POOL; to++) {
        uint32_t word = to == 0 ? (uint32_t)seed : to == 1 ? (uint32_t)(seed >> 32) : 0;
        pool[to] = hash_mix(word, &constant, 0x931E8875u);
    }
    for (int from = 0; from < POOL; from++)
        for (int to = 0; to < POOL; to++)
            if (from != to)
                pool[to] = mix(pool[to], hash_mix(pool[from], &constant, 0x931E8875u));
}

/* Four words of 64 bits out of the pool. */
static void draw_state(uint64_t state[WORDS / 2], const uint32_t pool[POOL])
{
    uint32_t constant = 0x8B51F9DDu;

    for (int i = 0; i < WORDS; i++) {
        uint64_t word = hash_mix(pool[i % POOL], &constant, 0x58F38DEDu);
        state[i / 2] = i % 2 == 0 ? word : state[i / 2] | word << 32;
    }
}

/* ---- PCG64 --------------------------------------------------------------------------------- */

/* The upper half of a product of 64 by 64 bits. */
static uint64_t multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a_low = a & 0xFFFFFFFFu, a_high = a >> 32;
    uint64_t b_low = b & 0xFFFFFFFFu, b_high = b >> 32;
    uint64_t middle = a_high * b_low + (a_low * b_low >> 32);
    uint64_t other = a_low * b_high + (middle & 0xFFFFFFFFu);

    return a_high * b_high + (middle >> 32) + (other >> 32);
}

static void add(struct dgm_numpy_random *random, uint64_t high, uint64_t low)
{
    random->low += low;
    random->high += high + (random->low < low);
}

/* state = state * multiplier + step, modulo 2^128, in halves of 64 bits: the product of the two
 * upper halves falls out of the 128 bits. */
static void step(struct dgm_numpy_random *random)
{
    const uint64_t high = UINT64_C(2549297995355413924), low = UINT64_C(4865540595714422341);

    random->high = random->high * low + random->low * high + multiply_high(random->low, low);
    random->low *= low;
    add(random, random->step_high, random->step_low);
}

void dgm_numpy_random_init(struct dgm_numpy_random *random, uint64_t seed)
{
    uint32_t pool[POOL];
    uint64_t state[WORDS / 2];

    fill_pool(pool, seed);
    draw_state(state, pool);
    random->high = random->low = 0;
    random->step_high = state[2] << 1 | state[3] >> 63;
    random->step_low = state[3] << 1 | 1;
    random->has_half = 0;
    random->half = 0;
    step(random);
    add(random, state[0], state[1]);
    step(random);
}

static uint64_t next_64(struct dgm_numpy_random *random)
{
    uint64_t folded;
    unsigned turn;

    step(random);
    folded = random->high ^ random->low;
    turn = (unsigned)(random->high >> 58);
    return folded >> turn | folded << ((64 - turn) & 63);
}

/* The lower half of a number first, then the upper one. */
uint32_t dgm_numpy_random_bits(struct dgm_numpy_random *random)
{
    uint64_t both;

    if (random->has_half) {
        random->has_half = 0;
        return random->half;
    }
    both = next_64(random);
    random->half = (uint32_t)(both >> 32);
    random->has_half = 1;
    return (uint32_t)both;
}

/* Lemire's method: the upper half of a product, but for the few that would favour small numbers. */
uint32_t dgm_numpy_random_below(struct dgm_numpy_random *random, uint32_t bound)
{
    uint64_t product;
    uint32_t refused;

    if (bound <= 1)
        return 0;
    product = (uint64_t)dgm_numpy_random_bits(random) * bound;
    if ((uint32_t)product >= bound) /* more than any that is refused: no division */
        return (uint32_t)(product >> 32);
    refused = (uint32_t)(-bound) % bound;
    while ((uint32_t)product < refused)
        product = (uint64_t)dgm_numpy_random_bits(random) * bound;
    return (uint32_t)(product >> 32);
}
