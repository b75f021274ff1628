/*
 * mark.h: the characters that belong to the one before them, and are cut off it by no tokeniser.
 */
#ifndef DGM_TEXT_UNICODE_MARK_H
#define DGM_TEXT_UNICODE_MARK_H

#include <stdint.h>

enum { DGM_ZERO_WIDTH_JOINER = 0x200D };

/* Whether a character is a mark: general category M of Unicode 14.0 (Mn, Mc, Me). */
int dgm_unicode_is_mark(uint32_t code);

/* Half of a flag. */
int dgm_unicode_is_regional(uint32_t code);

/*
 * Marks (variation selectors are some), the joiners ZWJ and ZWNJ, soft hyphens, halves of flags,
 * and what goes on with a pictograph: tones of skin, tags.
 */
int dgm_unicode_is_follower(uint32_t code);

#endif
