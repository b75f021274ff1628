/* philox.c: Philox4x32-10 and the draws made from it. */
#include "base/philox.h"

#include <math.h>

#include "base/number/own_math.h"

enum { ROUNDS = 10 };

/* Multipliers and key increments of Salmon et al. (2011), section 4.3. */
#define MULTIPLIER_0 UINT32_C(0xD2511F53)
#define MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define WEYL_0 UINT32_C(0x9E3779B9)
#define WEYL_1 UINT32_C(0xBB67AE85)

void dgm_philox(uint32_t out[4], const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t x0 = counter[0], x1 = counter[1], x2 = counter[2], x3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t p0 = (uint64_t)MULTIPLIER_0 * x0;
        uint64_t p1 = (uint64_t)MULTIPLIER_1 * x2;
        x0 = (uint32_t)(p1 >> 32) ^ x1 ^ k0;
        x1 = (uint32_t)p1;
        x2 = (uint32_t)(p0 >> 32) ^ x3 ^ k1;
        x3 = (uint32_t)p0;
        k0 += WEYL_0;
        k1 += WEYL_1;
    }
    out[0] = x0;
    out[1] = x1;
    out[2] = x2;
    out[3] = x3;
}

void dgm_random_init(struct dgm_random *random, uint64_t seed, uint32_t stream, uint32_t a,
                     uint32_t b)
{
    random->key[0] = (uint32_t)seed;
    random->key[1] = (uint32_t)(seed >> 32);
    random->counter[0] = 0;
    random->counter[1] = stream;
    random->counter[2] = a;
    random->counter[3] = b;
    random->used = 4;
}

uint32_t dgm_random_word(struct dgm_random *random)
{
    if (random->used == 4) {
        dgm_philox(random->block, random->counter, random->key);
        random->counter[0]++;
        random->used = 0;
    }
    return random->block[random->used++];
}

/* Lemire, "Fast random integer generation in an interval" (2019): the upper half of word
 * * n is uniform once the few words are dropped that would make some results more
 * frequent. */
uint32_t dgm_random_below(struct dgm_random *random, uint32_t n)
{
    uint64_t product = (uint64_t)dgm_random_word(random) * n;
    if ((uint32_t)product < n) {
        uint32_t surplus = (UINT32_C(0) - n) % n;
        while ((uint32_t)product < surplus)
            product = (uint64_t)dgm_random_word(random) * n;
    }
    return (uint32_t)(product >> 32);
}

double dgm_random_unit(struct dgm_random *random)
{
    /* 27 and 26 bits: as many as a double holds, so that no sum rounds up to 1. */
    uint64_t high = dgm_random_word(random) >> 5;
    uint64_t low = dgm_random_word(random) >> 6;
    return (double)(high << 26 | low) * 0x1p-53;
}

double dgm_random_normal(struct dgm_random *random)
{
    double radius = 1.0 - dgm_random_unit(random); /* in (0, 1]: its logarithm is finite */
    double turn = dgm_random_unit(random);
    return sqrt(-2.0 * dgm_own_log(radius)) * dgm_own_cos_turn(turn);
}

void dgm_random_shuffle(struct dgm_random *random, uint32_t *items, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = dgm_random_below(random, (uint32_t)i);
        uint32_t moved = items[i - 1];
        items[i - 1] = items[j];
        items[j] = moved;
    }
}
