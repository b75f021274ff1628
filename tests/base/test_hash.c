/* test_hash.c: the checksum gives the published values, however the bytes are cut. */
#include "base/hash.h"

#include "test.h"

TEST(hash_gives_the_published_values)
{
    CHECK(dgm_hash_bytes("", 0) == UINT64_C(0xEF46DB3751D8E999));
    CHECK(dgm_hash_bytes("a", 1) == UINT64_C(0xD24EC4F1A98C6E5B));
    CHECK(dgm_hash_bytes("abc", 3) == UINT64_C(0x44BC2CF5AD770999));
    CHECK(dgm_hash_bytes("Nobody inspects the spammish repetition", 39) ==
          UINT64_C(0xFBCEA83C8A378BF1));
}

TEST(hash_does_not_depend_on_how_bytes_are_cut)
{
    unsigned char bytes[200];
    size_t count, cut;

    for (count = 0; count < sizeof bytes; count++)
        bytes[count] = (unsigned char)(count * 37 + 11);
    for (count = 0; count <= sizeof bytes; count += 7) {
        uint64_t whole = dgm_hash_bytes(bytes, count);
        for (cut = 0; cut <= count; cut++) {
            struct dgm_hash hash;
            dgm_hash_init(&hash, 0);
            dgm_hash_add(&hash, bytes, cut);
            dgm_hash_add(&hash, bytes + cut, (count - cut) / 2);
            dgm_hash_add(&hash, bytes + cut + (count - cut) / 2, count - cut - (count - cut) / 2);
            CHECK(dgm_hash_value(&hash) == whole);
        }
    }
}

TEST(hash_changes_with_every_bit_and_with_the_seed)
{
    unsigned char bytes[77] = { 0 };
    uint64_t zero = dgm_hash_bytes(bytes, sizeof bytes);
    struct dgm_hash hash;
    size_t bit;

    for (bit = 0; bit < 8 * sizeof bytes; bit++) {
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
        CHECK(dgm_hash_bytes(bytes, sizeof bytes) != zero);
        bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    }
    dgm_hash_init(&hash, 1);
    dgm_hash_add(&hash, bytes, sizeof bytes);
    CHECK(dgm_hash_value(&hash) != zero);
}
