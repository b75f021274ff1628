/*
 * hash.c: XXH64. Four lanes eat 32 bytes per round; they are then folded into one, the
 * rest of the bytes is mixed in by 8, 4 and 1, and the bits are spread.
 */
#include "base/hash.h"

#include <string.h>

#include "base/le.h"

static const uint64_t prime1 = 0x9E3779B185EBCA87u;
static const uint64_t prime2 = 0xC2B2AE3D27D4EB4Fu;
static const uint64_t prime3 = 0x165667B19E3779F9u;
static const uint64_t prime4 = 0x85EBCA77C2B2AE63u;
static const uint64_t prime5 = 0x27D4EB2F165667C5u;

static inline uint64_t turn(uint64_t x, int bits)
{
    return x << bits | x >> (64 - bits);
}

static inline uint64_t mix(uint64_t lane, uint64_t word)
{
    return turn(lane + word * prime2, 31) * prime1;
}

void dgm_hash_init(struct dgm_hash *hash, uint64_t seed)
{
    memset(hash, 0, sizeof *hash);
    hash->seed = seed;
    hash->lanes[0] = seed + prime1 + prime2;
    hash->lanes[1] = seed + prime2;
    hash->lanes[2] = seed;
    hash->lanes[3] = seed - prime1;
}

/* `count` is a multiple of 32. */
static void add_rounds(struct dgm_hash *hash, const unsigned char *p, size_t count)
{
    uint64_t a = hash->lanes[0], b = hash->lanes[1], c = hash->lanes[2], d = hash->lanes[3];
    const unsigned char *end = p + count;

    for (; p != end; p += 32) {
        a = mix(a, dgm_le64(p));
        b = mix(b, dgm_le64(p + 8));
        c = mix(c, dgm_le64(p + 16));
        d = mix(d, dgm_le64(p + 24));
    }
    hash->lanes[0] = a;
    hash->lanes[1] = b;
    hash->lanes[2] = c;
    hash->lanes[3] = d;
}

void dgm_hash_add(struct dgm_hash *hash, const void *bytes, size_t count)
{
    const unsigned char *p = bytes;
    size_t kept = (size_t)(hash->total % 32), whole;

    hash->total += count;
    if (kept > 0) {
        size_t room = 32 - kept, n = count < room ? count : room;
        if (n > 0)
            memcpy(hash->tail + kept, p, n);
        if (n < room)
            return;
        add_rounds(hash, hash->tail, 32);
        p += n;
        count -= n;
    }
    whole = count - count % 32;
    if (whole > 0)
        add_rounds(hash, p, whole);
    if (count > whole)
        memcpy(hash->tail, p + whole, count - whole);
}

static uint64_t fold(const struct dgm_hash *hash)
{
    const uint64_t *lane = hash->lanes;
    uint64_t h = turn(lane[0], 1) + turn(lane[1], 7) + turn(lane[2], 12) + turn(lane[3], 18);

    for (int i = 0; i < 4; i++)
        h = (h ^ mix(0, lane[i])) * prime1 + prime4;
    return h;
}

uint64_t dgm_hash_value(const struct dgm_hash *hash)
{
    uint64_t h = hash->total >= 32 ? fold(hash) : hash->seed + prime5;
    const unsigned char *p = hash->tail, *end = p + hash->total % 32;

    h += hash->total;
    for (; end - p >= 8; p += 8)
        h = turn(h ^ mix(0, dgm_le64(p)), 27) * prime1 + prime4;
    if (end - p >= 4) {
        h = turn(h ^ dgm_le32(p) * prime1, 23) * prime2 + prime3;
        p += 4;
    }
    for (; p != end; p++)
        h = turn(h ^ *p * prime5, 11) * prime1;
    h = (h ^ h >> 33) * prime2;
    h = (h ^ h >> 29) * prime3;
    return h ^ h >> 32;
}

uint64_t dgm_hash_bytes(const void *bytes, size_t count)
{
    struct dgm_hash hash;

    dgm_hash_init(&hash, 0);
    dgm_hash_add(&hash, bytes, count);
    return dgm_hash_value(&hash);
}
