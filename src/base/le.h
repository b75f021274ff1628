/*
 * le.h: little-endian numbers in byte strings.
 *
 * Files are little-endian and are only ever read and written through these functions, so
 * that the same bytes mean the same on every machine and no pointer into a file is cast
 * to a number.
 */
#ifndef DGM_BASE_LE_H
#define DGM_BASE_LE_H

#include <stdint.h>
#include <string.h>

static inline uint16_t dgm_le16(const unsigned char *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t dgm_le32(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t dgm_le64(const unsigned char *p)
{
    return p[0] | (uint64_t)p[1] << 8 | (uint64_t)p[2] << 16 | (uint64_t)p[3] << 24 |
           (uint64_t)p[4] << 32 | (uint64_t)p[5] << 40 | (uint64_t)p[6] << 48 |
           (uint64_t)p[7] << 56;
}

static inline float dgm_le_f32(const unsigned char *p)
{
    uint32_t bits = dgm_le32(p);
    float value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline double dgm_le_f64(const unsigned char *p)
{
    uint64_t bits = dgm_le64(p);
    double value;

    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline void dgm_le16_put(unsigned char *p, uint16_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
}

static inline void dgm_le32_put(unsigned char *p, uint32_t v)
{
    p[0] = (unsigned char)v;
    p[1] = (unsigned char)(v >> 8);
    p[2] = (unsigned char)(v >> 16);
    p[3] = (unsigned char)(v >> 24);
}

static inline void dgm_le64_put(unsigned char *p, uint64_t v)
{
    dgm_le32_put(p, (uint32_t)v);
    dgm_le32_put(p + 4, (uint32_t)(v >> 32));
}

static inline void dgm_le_f32_put(unsigned char *p, float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    dgm_le32_put(p, bits);
}

static inline void dgm_le_f64_put(unsigned char *p, double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    dgm_le64_put(p, bits);
}

#endif
