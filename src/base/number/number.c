/*
 * number.c: numbers to and from decimal text, correctly rounded and deaf to the locale.
 *
 * Both directions write the number as a fraction of two big integers and divide digit by
 * digit: decimal digits when printing, bits when reading. Plain, exact, and quick enough
 * for text files.
 */
#include "base/number/number.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/*
 * 44 limbs are 1408 bits. Reading needs the most: the smallest number that is not refused has 41
 * digits and a denominator of 10^365, 1213 bits; scaled until both sides have as many bits, and
 * doubled. Printing needs 2^1126 for the smallest double, 2^-1074, whose numerator is 2^52.
 */
enum { LIMBS = 44 };

/* Little-endian limbs of 32 bits; those from `count` on are zero. */
struct big {
    uint32_t limb[LIMBS];
    int count;
};

static void big_set(struct big *big, uint64_t value)
{
    memset(big, 0, sizeof *big);
    big->limb[0] = (uint32_t)value;
    big->limb[1] = (uint32_t)(value >> 32);
    big->count = big->limb[1] != 0 ? 2 : big->limb[0] != 0;
}

static void big_multiply_add(struct big *big, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < big->count; i++) {
        carry += (uint64_t)big->limb[i] * factor;
        big->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0) {
        assert(big->count < LIMBS);
        big->limb[big->count++] = (uint32_t)carry;
    }
}

static void big_scale_10(struct big *big, int power)
{
    for (; power >= 9; power -= 9)
        big_multiply_add(big, 1000000000, 0);
    for (; power > 0; power--)
        big_multiply_add(big, 10, 0);
}

static void big_scale_2(struct big *big, int power)
{
    for (; power >= 31; power -= 31)
        big_multiply_add(big, UINT32_C(1) << 31, 0);
    if (power > 0)
        big_multiply_add(big, UINT32_C(1) << power, 0);
}

static int big_bits(const struct big *big)
{
    int bits = 32 * (big->count - 1);
    uint32_t top = big->limb[big->count - 1];
    for (; top != 0; top >>= 1)
        bits++;
    return bits;
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a -= b, where a >= b. */
static void big_subtract(struct big *a, const struct big *b)
{
    uint64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        uint64_t difference = (uint64_t)a->limb[i] - b->limb[i] - borrow;
        a->limb[i] = (uint32_t)difference;
        borrow = difference >> 63; /* below 0 it has wrapped */
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

/* ---- reading --------------------------------------------------------------------- */

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

int dgm_number_uint(uint64_t *out, const char *text, size_t length)
{
    uint64_t value = 0;
    if (length == 0)
        return 0;
    for (size_t i = 0; i < length; i++) {
        unsigned digit = (unsigned)(text[i] - '0');
        if (!is_digit(text[i]) || value > (UINT64_MAX - digit) / 10)
            return 0;
        value = value * 10 + digit;
    }
    *out = value;
    return 1;
}

int dgm_number_int(int64_t *out, const char *text, size_t length)
{
    int negative = length > 0 && text[0] == '-';
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    uint64_t value;
    if (!dgm_number_uint(&value, text + sign, length - sign))
        return 0;
    if (value > (uint64_t)INT64_MAX + (uint64_t)negative)
        return 0;
    if (negative)
        /* The magnitude of INT64_MIN is no int64_t: one less is. */
        *out = value == 0 ? 0 : -(int64_t)(value - 1) - 1;
    else
        *out = (int64_t)value;
    return 1;
}

/* A decimal as it stands in the text: digits times 10^exponent. */
struct decimal {
    struct big digits;
    int digit_count; /* significant digits taken */
    int exponent;
    int negative;
};

/*
 * Takes the digits around the point. Of those beyond 40 it only matters whether any is not zero: a
 * digit 1 then stands for all of them, so that a number just above the middle between two doubles
 * is not taken for a tie. Only a middle that itself has more than 40 digits and agrees with the
 * number in all of the first 40 could be decided wrongly.
 */
static size_t read_digits(struct decimal *decimal, const char *text, size_t length)
{
    size_t i, seen = 0;
    int after_point = 0, rest = 0;
    for (i = 0; i < length; i++) {
        if (text[i] == '.' && !after_point) {
            after_point = 1;
            continue;
        }
        if (!is_digit(text[i]))
            break;
        seen++;
        if (decimal->digit_count < 40) {
            if (decimal->digits.count == 0)
                big_set(&decimal->digits, (uint64_t)(text[i] - '0'));
            else
                big_multiply_add(&decimal->digits, 10, (uint32_t)(text[i] - '0'));
            decimal->digit_count += decimal->digits.count > 0; /* zeros in front do not count */
            /* The bound keeps any length of text from overflowing an int; it decides nothing
             * else. */
            decimal->exponent -= after_point && decimal->exponent > -1000000;
        } else {
            rest |= text[i] != '0';
            decimal->exponent += !after_point && decimal->exponent < 1000000;
        }
    }
    if (rest) {
        big_multiply_add(&decimal->digits, 10, 1);
        decimal->digit_count++;
        decimal->exponent--;
    }
    return seen > 0 ? i : 0;
}

/* "e-05" at the end of a number. */
static int read_exponent(struct decimal *decimal, const char *text, size_t length)
{
    size_t i = 1;
    int value = 0, negative;
    if (text[0] != 'e' && text[0] != 'E')
        return 0;
    negative = length > 1 && text[1] == '-';
    if (length > 1 && (text[1] == '-' || text[1] == '+'))
        i++;
    if (i == length)
        return 0;
    for (; i < length; i++) {
        if (!is_digit(text[i]))
            return 0;
        if (value < 1000000)
            value = value * 10 + (text[i] - '0');
    }
    decimal->exponent += negative ? -value : value;
    return 1;
}

/*
 * The double nearest to n / d, ties to even; may be 0 or infinite. Destroys n and d.
 *
 * A binary long division: the quotient's bits come one by one, and what is left of n decides how
 * the last of them is rounded, exactly. Numbers below 2^-1022 have fewer than 53 bits; they are
 * rounded once, at the bit that they have, for rounding to 53 bits first and to fewer then could be
 * wrong twice over. The final ldexp is exact.
 */
static double nearest_ratio(struct big *n, struct big *d)
{
    const int smallest = -1022; /* exponent of the smallest normal number */
    int exponent = big_bits(n) - big_bits(d);
    int bits = 53, i, order;
    uint64_t mantissa = 0;
    if (exponent > 0)
        big_scale_2(d, exponent);
    else
        big_scale_2(n, -exponent);
    if (big_compare(n, d) < 0) {
        big_multiply_add(n, 2, 0);
        exponent--;
    }
    /* Now 1 <= n / d < 2, and the value is n / d * 2^exponent. */
    if (exponent < smallest)
        bits -= smallest - exponent;
    if (bits < 0)
        return 0.0;
    for (i = 0; i < bits; i++) {
        int bit = big_compare(n, d) >= 0;
        if (bit)
            big_subtract(n, d);
        mantissa = mantissa << 1 | (uint64_t)bit;
        big_multiply_add(n, 2, 0);
    }
    /* n is now twice the remainder: d is the middle between two neighbours. */
    order = big_compare(n, d);
    if (order > 0 || (order == 0 && (mantissa & 1)))
        mantissa++;
    return ldexp((double)mantissa, exponent - (bits - 1));
}

int dgm_number_real(double *out, const char *text, size_t length)
{
    struct decimal decimal = { 0 };
    struct big denominator;
    size_t sign = length > 0 && (text[0] == '-' || text[0] == '+');
    size_t used;
    double value = 0.0;
    used = sign + read_digits(&decimal, text + sign, length - sign);
    if (used == sign)
        return 0;
    if (used < length && !read_exponent(&decimal, text + used, length - used))
        return 0;
    if (decimal.digits.count > 0) {
        int magnitude = decimal.exponent + decimal.digit_count; /* value < 10^magnitude */
        /* 2^1024 has magnitude 309, half the smallest double (2.5e-324) -323: between these bounds
         * the rounded value decides. */
        if (magnitude > 310 || magnitude < -324)
            return 0;
        big_set(&denominator, 1);
        if (decimal.exponent > 0)
            big_scale_10(&decimal.digits, decimal.exponent);
        else
            big_scale_10(&denominator, -decimal.exponent);
        value = nearest_ratio(&decimal.digits, &denominator);
        if (value == 0.0 || value > 0x1.fffffffffffffp+1023)
            return 0;
    }
    *out = text[0] == '-' ? -value : value;
    return 1;
}

/* ---- printing -------------------------------------------------------------------- */

/*
 * A positive double as n / d * 10^power with 1 <= n / d < 10; returns the power. The power is
 * guessed from the binary exponent and mended by one or two steps: the guess may be wrong, the
 * result not.
 */
static int split_value(double value, struct big *n, struct big *d)
{
    int exponent, power;
    double fraction = frexp(value, &exponent);
    big_set(n, (uint64_t)ldexp(fraction, 53)); /* a whole number below 2^53: exact */
    big_set(d, 1);
    power = (exponent - 1) * 1233 / 4096; /* log10(2), near enough: mended below */
    exponent -= 53;
    if (exponent > 0)
        big_scale_2(n, exponent);
    else
        big_scale_2(d, -exponent);
    if (power > 0)
        big_scale_10(d, power);
    else
        big_scale_10(n, -power);
    for (; big_compare(n, d) < 0; power--)
        big_multiply_add(n, 10, 0);
    for (;; power++) {
        struct big ten = *d;
        big_multiply_add(&ten, 10, 0);
        if (big_compare(n, &ten) < 0)
            return power;
        *d = ten;
    }
}

/* Adds one to the last of `count` digits; returns 1 when "999" grew to "1000". */
static int round_up(char *digits, int count)
{
    int i = count - 1;
    while (i >= 0 && digits[i] == '9')
        digits[i--] = '0';
    if (i >= 0) {
        digits[i]++;
        return 0;
    }
    memmove(digits + 1, digits, (size_t)count);
    digits[0] = '1';
    return 1;
}

/*
 * The first `count` >= 0 digits of n / d < 10, rounded to nearest, ties to even; returns 1 when
 * rounding made them one more. Destroys n and d. A decimal long division; behind it n is ten times
 * the remainder, so that 5 d is the middle.
 */
static int ratio_digits(char *digits, int count, struct big *n, struct big *d)
{
    int i, order;
    for (i = 0; i < count; i++) {
        digits[i] = '0';
        while (big_compare(n, d) >= 0) {
            big_subtract(n, d);
            digits[i]++;
        }
        big_multiply_add(n, 10, 0);
    }
    big_multiply_add(d, 5, 0);
    order = big_compare(n, d);
    if (order > 0 || (order == 0 && count > 0 && ((digits[count - 1] - '0') & 1)))
        return round_up(digits, count);
    return 0;
}

static size_t print_special(char *out, double value)
{
    const char *text = value != value ? "nan" : value < 0 ? "-inf" : "inf";
    size_t length = strlen(text);
    memcpy(out, text, length + 1);
    return length;
}

/* digits[0] . digits[1..] e power */
static char *put_scientific(char *at, const char *digits, int count, int power)
{
    int size = power < 0 ? -power : power;
    *at++ = digits[0];
    if (count > 1) {
        *at++ = '.';
        memcpy(at, digits + 1, (size_t)count - 1);
        at += count - 1;
    }
    *at++ = 'e';
    *at++ = power < 0 ? '-' : '+';
    if (size >= 100)
        *at++ = (char)('0' + size / 100);
    *at++ = (char)('0' + size / 10 % 10);
    *at++ = (char)('0' + size % 10);
    return at;
}

/* The digits with a point after digit number `power`, filled with zeros on either side.
 */
static char *put_plain(char *at, const char *digits, int count, int power)
{
    if (power < 0)
        *at++ = '0';
    for (int i = 0; i <= power; i++)
        *at++ = i < count ? digits[i] : '0';
    if (count <= power + 1)
        return at;
    *at++ = '.';
    for (int i = power + 1; i < count; i++)
        *at++ = i < 0 ? '0' : digits[i];
    return at;
}

static size_t print_digits(char *out, double value, int digits)
{
    struct big n, d;
    char text[20]; /* 17 digits, and one that round_up may add */
    char *at = out;
    int count = digits, power = 0;
    if (signbit(value))
        *at++ = '-';
    if (value == 0.0) {
        text[0] = '0';
        count = 1;
    } else {
        power = split_value(fabs(value), &n, &d);
        power += ratio_digits(text, count, &n, &d);
        while (count > 1 && text[count - 1] == '0')
            count--;
    }
    if (power < -4 || power >= digits)
        at = put_scientific(at, text, count, power);
    else
        at = put_plain(at, text, count, power);
    *at = '\0';
    return (size_t)(at - out);
}

size_t dgm_number_print(char *out, double value, int digits)
{
    size_t length;
    double back;
    assert(digits >= 1 && digits <= 17);
    if (value != value || value - value != 0.0)
        return print_special(out, value);
    if (digits < 17)
        return print_digits(out, value, digits);
    /* 17 digits tell any two doubles apart (IEEE 754); mostly 15 or 16 do. */
    for (int tried = 15; tried < 17; tried++) {
        length = print_digits(out, value, tried);
        if (dgm_number_real(&back, out, length) && back == value)
            return length;
    }
    return print_digits(out, value, 17);
}

size_t dgm_number_print_fixed(char *out, double value, int decimals)
{
    struct big n, d;
    char text[32]; /* below 10^18: 18 digits, 9 decimals, one that round_up may add */
    char *at = out;
    int power = -1, count = 0;
    assert(decimals >= 0 && decimals <= 9);
    if (!(fabs(value) < 1e18))
        return dgm_number_print(out, value, 17);
    if (signbit(value))
        *at++ = '-';
    memset(text, '0', sizeof text);
    if (value != 0.0) {
        power = split_value(fabs(value), &n, &d);
        count = power + 1 + decimals;
        if (count < 0)
            count = 0;
        else if (ratio_digits(text, count, &n, &d)) {
            power++;
            count++;
        }
    }
    if (count == 0) { /* nothing but zeros: text[decimals] stands for "0.00" */
        power = -1;
        count = decimals;
    }
    at = put_plain(at, text, count, power);
    *at = '\0';
    return (size_t)(at - out);
}

const char *dgm_number_text(char out[32], double value, int digits)
{
    dgm_number_print(out, value, digits);
    return out;
}

const char *dgm_number_fixed(char out[32], double value, int decimals)
{
    dgm_number_print_fixed(out, value, decimals);
    return out;
}
