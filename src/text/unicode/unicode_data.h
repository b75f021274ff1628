/* unicode_data.h: the layout of the tables in unicode_data.c; used by unicode.c alone. */
#ifndef DGM_TEXT_UNICODE_UNICODE_DATA_H
#define DGM_TEXT_UNICODE_UNICODE_DATA_H

#include <stddef.h>
#include <stdint.h>

/* Flags of the characters below U+0080. */
extern const uint16_t dgm_unicode_ascii[128];

/* Runs of characters with equal flags, in order: first character << 11 | flags. */
extern const uint32_t dgm_unicode_runs[];
extern const size_t dgm_unicode_run_count;

/* Characters first, first + step, ..., last have their lower case `delta` further on. */
struct dgm_unicode_lower_run {
    uint32_t first, last;
    int step, delta;
};

extern const struct dgm_unicode_lower_run dgm_unicode_lower_runs[];
extern const size_t dgm_unicode_lower_count;

#endif
