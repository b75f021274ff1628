/*
 * body_philox.h: Philox4x32-10 (base/philox.h) for a vector of counters at once, the same bits.
 */
#ifndef DGM_KERNEL_BODY_BODY_PHILOX_H
#define DGM_KERNEL_BODY_BODY_PHILOX_H

#include "kernel/drop.h"

/* Words made by one call: those of VEC_WIDTH consecutive counters. */
#define PHILOX_SPAN (4 * VEC_WIDTH)

/* words = Philox of the counters {first + i, rest[0..2]}, i < VEC_WIDTH, in that order. */
static inline void philox_span(uint32_t *words, uint32_t first, const uint32_t rest[3],
                               const uint32_t key[2])
{
    ivec a = ivec_add(ivec_set1(first), ivec_iota()), b = ivec_set1(rest[0]);
    ivec c = ivec_set1(rest[1]), d = ivec_set1(rest[2]);
    uint32_t key0 = key[0], key1 = key[1];

    for (int round = 0; round < 10; round++) {
        ivec high0, high1;
        ivec low0 = ivec_mul(a, ivec_set1(0xD2511F53u), &high0);
        ivec low1 = ivec_mul(c, ivec_set1(0xCD9E8D57u), &high1);
        a = ivec_xor(ivec_xor(high1, b), ivec_set1(key0));
        c = ivec_xor(ivec_xor(high0, d), ivec_set1(key1));
        b = low1;
        d = low0;
        key0 += 0x9E3779B9u;
        key1 += 0xBB67AE85u;
    }
    ivec_store_4(words, a, b, c, d);
}

/* The elements of x that stay, scaled; `words` are those of its lanes. */
static inline vec philox_drop(vec x, const uint32_t *words, const struct dgm_mask *mask)
{
    vmask stays = ivec_reaches(ivec_load(words), ivec_set1(mask->threshold));

    return vec_keep(stays, vec_mul(x, vec_set1(mask->scale)));
}

#endif
