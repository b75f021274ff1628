/*
 * format.h: the small formatter behind messages and buffers, deaf to the locale.
 *
 * Knows %s %.Ns %.*s %d %i %u %x with the lengths l, ll and z, %c and %%; a width, and
 * the flags '-' and '0'. Anything else is a programming error.
 */
#ifndef DGM_BASE_NUMBER_FORMAT_H
#define DGM_BASE_NUMBER_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

#include "base/env.h"

/*
 * As vsnprintf: writes at most size - 1 bytes and a NUL (nothing when size is 0) and
 * returns the length the whole text would have.
 */
size_t dgm_format(char *out, size_t size, const char *format, va_list args) DGM_FORMAT(3, 0);

/* Length of the well-formed UTF-8 sequence at the start of the bytes, or 0. */
size_t dgm_format_character(const char *bytes, size_t count);

/* The greatest length up to `length` at which a cut does not go through a character. */
size_t dgm_format_cut(const char *text, size_t length);

#endif
