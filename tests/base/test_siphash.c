/* test_siphash.c: the hash gives the values of OpenSSL's SIPHASH, however the bytes are cut. */
#include "base/siphash.h"

#include "base/le.h"
#include "test.h"

enum { MOST = 300 };

static void hash_of(uint64_t out[2], const unsigned char *bytes, size_t count, size_t cut)
{
    struct dgm_siphash hash;

    dgm_siphash_init(&hash, UINT64_C(0x0706050403020100), UINT64_C(0x0F0E0D0C0B0A0908));
    dgm_siphash_add(&hash, bytes, cut);
    dgm_siphash_add(&hash, bytes + cut, count - cut);
    dgm_siphash_end(&hash, out);
}

/* `want`: the 16 bytes of the result. */
static void check(const unsigned char *bytes, size_t count, const char *want)
{
    const unsigned char *p = (const unsigned char *)want;
    uint64_t out[2];
    size_t cut;

    for (cut = 0; cut <= count; cut++) {
        hash_of(out, bytes, count, cut);
        CHECK(out[0] == dgm_le64(p));
        CHECK(out[1] == dgm_le64(p + 8));
    }
}

TEST(siphash_gives_the_values_of_another_implementation)
{
    unsigned char bytes[MOST];
    int i;

    for (i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)i;
    check(bytes, 0, "\xA3\x81\x7F\x04\xBA\x25\xA8\xE6\x6D\xF6\x72\x14\xC7\x55\x02\x93");
    check(bytes, 1, "\xDA\x87\xC1\xD8\x6B\x99\xAF\x44\x34\x76\x59\x11\x9B\x22\xFC\x45");
    check(bytes, 7, "\xA1\xF1\xEB\xBE\xD8\xDB\xC1\x53\xC0\xB8\x4A\xA6\x1F\xF0\x82\x39");
    check(bytes, 8, "\x3B\x62\xA9\xBA\x62\x58\xF5\x61\x0F\x83\xE2\x64\xF3\x14\x97\xB4");
    check(bytes, 9, "\x26\x44\x99\x06\x0A\xD9\xBA\xAB\xC4\x7F\x8B\x02\xBB\x6D\x71\xED");
    check(bytes, 15, "\x54\x93\xE9\x99\x33\xB0\xA8\x11\x7E\x08\xEC\x0F\x97\xCF\xC3\xD9");
    for (i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)(i * 7);
    check(bytes, 300, "\xBA\xC3\xA4\xEE\x16\x7B\x38\xE9\xA3\x98\x71\xE4\xD4\x02\x60\x81");
}
