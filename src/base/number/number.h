/*
 * number.h: numbers to and from text, the same in every locale.
 *
 * The whole field must be the number: no blanks, no trailing text, no hexadecimal, no nan or inf.
 * Returns 1 on success; 0 leaves *out alone.
 */
#ifndef DGM_BASE_NUMBER_NUMBER_H
#define DGM_BASE_NUMBER_NUMBER_H

#include <stddef.h>
#include <stdint.h>

int dgm_number_int(int64_t *out, const char *text, size_t length);
int dgm_number_uint(uint64_t *out, const char *text, size_t length);
/* Correctly rounded for up to 17 significant digits; overflow, and underflow to zero, are
 * refused. */
int dgm_number_real(double *out, const char *text, size_t length);

/*
 * Writes a number with up to `digits` significant digits (1..17), the shortest form without
 * trailing zeros ("0.3", "1e-09", "41.02"); returns the length. `out` holds at least 32 bytes.
 * With 17 digits it writes no more than are needed to read back the same number ("0.1").
 */
size_t dgm_number_print(char *out, double value, int digits);

/* Writes a number with exactly `decimals` digits (0..9) after the point ("41.02"); from 1e18 on
 * as dgm_number_print does. */
size_t dgm_number_print_fixed(char *out, double value, int decimals);

/* The same for a message: both end the text with NUL, and these return it. */
const char *dgm_number_text(char out[32], double value, int digits);
const char *dgm_number_fixed(char out[32], double value, int decimals);

#endif
