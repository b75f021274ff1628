/*
 * siphash.c: SipHash-2-4 with 128 bits: two rounds for each 8 bytes, four before each half of the
 * result.
 */
#include "base/siphash.h"

#include "base/le.h"

static inline uint64_t turn(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline void do_round(uint64_t v[4])
{
    v[0] += v[1];
    v[2] += v[3];
    v[1] = turn(v[1], 13) ^ v[0];
    v[3] = turn(v[3], 16) ^ v[2];
    v[0] = turn(v[0], 32);
    v[2] += v[1];
    v[0] += v[3];
    v[1] = turn(v[1], 17) ^ v[2];
    v[3] = turn(v[3], 21) ^ v[0];
    v[2] = turn(v[2], 32);
}

static inline void mix(uint64_t v[4], uint64_t word)
{
    v[3] ^= word;
    do_round(v);
    do_round(v);
    v[0] ^= word;
}

/* The constants are "somepseudorandomlygeneratedbytes"; 0xEE stands for a result of 128 bits. */
void dgm_siphash_init(struct dgm_siphash *hash, uint64_t key0, uint64_t key1)
{
    hash->v[0] = key0 ^ UINT64_C(0x736F6D6570736575);
    hash->v[1] = key1 ^ UINT64_C(0x646F72616E646F6D) ^ 0xEE;
    hash->v[2] = key0 ^ UINT64_C(0x6C7967656E657261);
    hash->v[3] = key1 ^ UINT64_C(0x7465646279746573);
    hash->word = hash->total = 0;
}

static inline void add_byte(struct dgm_siphash *hash, unsigned char byte)
{
    hash->word |= (uint64_t)byte << 8 * (hash->total % 8);
    if (++hash->total % 8 == 0) {
        mix(hash->v, hash->word);
        hash->word = 0;
    }
}

void dgm_siphash_add(struct dgm_siphash *hash, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;

    for (; count > 0 && hash->total % 8 != 0; count--)
        add_byte(hash, *p++);
    for (; count >= 8; count -= 8, p += 8) {
        mix(hash->v, dgm_le64(p));
        hash->total += 8;
    }
    for (; count > 0; count--)
        add_byte(hash, *p++);
}

static uint64_t squeeze(uint64_t v[4])
{
    for (int i = 0; i < 4; i++)
        do_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

void dgm_siphash_end(struct dgm_siphash *hash, uint64_t out[2])
{
    mix(hash->v, hash->word | (hash->total & 0xFF) << 56);
    hash->v[2] ^= 0xEE;
    out[0] = squeeze(hash->v);
    hash->v[1] ^= 0xDD;
    out[1] = squeeze(hash->v);
}
