/*
 * crc32.h: the checksum of archives (ISO 3309, polynomial EDB88320 with the bits reversed).
 */
#ifndef DGM_TENSOR_FOREIGN_CRC32_H
#define DGM_TENSOR_FOREIGN_CRC32_H

#include <stddef.h>
#include <stdint.h>

/* Tables for eight bytes at a time. */
struct dgm_crc32 {
    uint32_t tables[8][256];
    uint32_t state;
};

void dgm_crc32_init(struct dgm_crc32 *crc);
void dgm_crc32_add(struct dgm_crc32 *crc, const unsigned char *bytes, size_t count);
uint32_t dgm_crc32_value(const struct dgm_crc32 *crc);

#endif
