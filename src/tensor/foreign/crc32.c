/*
 * crc32.c: the checksum of archives, eight bytes at a time: table k says what a byte does when k
 * more bytes follow it.
 */
#include "tensor/foreign/crc32.h"

#include "base/le.h"

void dgm_crc32_init(struct dgm_crc32 *crc)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t value = i;

        for (int bit = 0; bit < 8; bit++)
            /* The polynomial of IEEE 802.3, its bits in reverse (RFC 1952). */
            value = value >> 1 ^ (value & 1 ? 0xEDB88320U : 0);
        crc->tables[0][i] = value;
    }
    for (int k = 1; k < 8; k++)
        for (int i = 0; i < 256; i++) {
            const uint32_t before = crc->tables[k - 1][i];
            crc->tables[k][i] = before >> 8 ^ crc->tables[0][before & 255];
        }
    crc->state = 0xFFFFFFFFU;
}

void dgm_crc32_add(struct dgm_crc32 *crc, const unsigned char *bytes, size_t count)
{
    uint32_t state = crc->state;

    for (; count >= 8; bytes += 8, count -= 8) {
        const uint32_t low = dgm_le32(bytes) ^ state, high = dgm_le32(bytes + 4);

        state = crc->tables[7][low & 255] ^ crc->tables[6][low >> 8 & 255] ^
                crc->tables[5][low >> 16 & 255] ^ crc->tables[4][low >> 24] ^
                crc->tables[3][high & 255] ^ crc->tables[2][high >> 8 & 255] ^
                crc->tables[1][high >> 16 & 255] ^ crc->tables[0][high >> 24];
    }
    for (; count > 0; bytes++, count--)
        state = state >> 8 ^ crc->tables[0][(state ^ *bytes) & 255];
    crc->state = state;
}

uint32_t dgm_crc32_value(const struct dgm_crc32 *crc)
{
    return ~crc->state;
}
