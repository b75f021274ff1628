/* ticks.c: the numbers of an axis. */
#include "draw/chart/ticks.h"

#include <string.h>

#include "base/number/number.h"

/* Without pow of libm, whose last bit differs from machine to machine. */
static double power_of_ten(int power)
{
    double value = 1;

    for (; power > 0; power--)
        value *= 10;
    return value;
}

double dgm_ticks_value(const struct dgm_ticks *ticks, int64_t multiple)
{
    double whole = (double)multiple * ticks->mantissa;

    return ticks->power >= 0 ? whole * power_of_ten(ticks->power)
                             : whole / power_of_ten(-ticks->power);
}

/* The greatest multiple not above `value`, or the least not below it; 1e-9 of a step more or less
 * is the same place. */
static int64_t multiple_at(const struct dgm_ticks *ticks, double value, int upwards)
{
    double ratio = value / dgm_ticks_value(ticks, 1);
    int64_t whole = (int64_t)ratio;
    double rest = ratio - (double)whole;

    if (rest > 1 - 1e-9 || (upwards && rest > 1e-9))
        return whole + 1;
    if (rest < -1 + 1e-9 || (!upwards && rest < -1e-9))
        return whole - 1;
    return whole;
}

static void find_ends(struct dgm_ticks *ticks, double low, double high)
{
    ticks->first = multiple_at(ticks, low, 1);
    ticks->last = multiple_at(ticks, high, 0);
}

static double size_of(double value)
{
    return value < 0 ? -value : value;
}

static void next_step(struct dgm_ticks *ticks)
{
    ticks->power += ticks->mantissa == 5;
    ticks->mantissa = ticks->mantissa == 1 ? 2 : ticks->mantissa == 2 ? 5 : 1;
}

void dgm_ticks_make(struct dgm_ticks *ticks, double *low, double *high, int most)
{
    double size = size_of(*low) > size_of(*high) ? size_of(*low) : size_of(*high);
    double range = *high - *low;

    /* An axis shorter than 1e-100 is none: steps of it could be too small for a double. */
    if (!(range > size * 1e-10 + 1e-100)) {
        double more = size > 1e-90 ? size * 0.05 : 0.5;
        *low -= more;
        *high += more;
        range = *high - *low;
    }
    ticks->mantissa = 1;
    ticks->power = 0;
    while (ticks->power > -110 && dgm_ticks_value(ticks, 1) * most > range)
        ticks->power--;
    while (dgm_ticks_value(ticks, 1) * (most + 1) < range)
        next_step(ticks);
    find_ends(ticks, *low, *high);
    while (ticks->last - ticks->first + 1 > most) {
        next_step(ticks);
        find_ends(ticks, *low, *high);
    }
}

void dgm_ticks_whole(struct dgm_ticks *ticks, double low, double high)
{
    if (ticks->power >= 0)
        return;
    ticks->mantissa = 1;
    ticks->power = 0;
    find_ends(ticks, low, high);
}

void dgm_ticks_widen(struct dgm_ticks *ticks, double *low, double *high)
{
    ticks->first = multiple_at(ticks, *low, 0);
    ticks->last = multiple_at(ticks, *high, 1);
    *low = dgm_ticks_value(ticks, ticks->first);
    *high = dgm_ticks_value(ticks, ticks->last);
}

/* ---- text ----------------------------------------------------------------------------------- */

/* Commas into a number that has more than three digits before the point. */
static size_t add_commas(char *out, size_t length)
{
    int sign = out[0] == '-', whole = (int)strcspn(out + sign, "."), at;

    for (at = whole - 3; at > 0; at -= 3) {
        memmove(out + sign + at + 1, out + sign + at, length - (size_t)(sign + at) + 1);
        out[sign + at] = ',';
        length++;
    }
    return length;
}

/* "1e-05" as "1e-5". */
static size_t shorten_exponent(char *out)
{
    char *exponent = strchr(out, 'e'), *from;

    if (exponent == NULL)
        return strlen(out);
    exponent++;
    from = exponent + (*exponent == '+' || *exponent == '-');
    exponent += *exponent == '-';
    from += strspn(from, "0");
    memmove(exponent, from, strlen(from) + 1);
    return strlen(out);
}

static size_t print_scaled(char *out, double value, int power, int scale, const char *unit)
{
    int decimals = scale - power;
    size_t length =
        dgm_number_print_fixed(out, value / power_of_ten(scale), decimals > 0 ? decimals : 0);

    strcpy(out + length, unit);
    return length + strlen(unit);
}

size_t dgm_ticks_print(char out[DGM_TICKS_SIZE], const struct dgm_ticks *ticks, int64_t multiple)
{
    double value = dgm_ticks_value(ticks, multiple);
    double first = size_of(dgm_ticks_value(ticks, ticks->first));
    double last = size_of(dgm_ticks_value(ticks, ticks->last));
    double most = first > last ? first : last;
    int decimals = ticks->power < 0 ? -ticks->power : 0;

    strcpy(out, "0");
    if (multiple == 0)
        return 1;
    if (most < 999999.5 && decimals <= 4) {
        size_t length = dgm_number_print_fixed(out, value, decimals);
        out[length] = '\0';
        return most >= 9999.5 ? add_commas(out, length) : length;
    }
    if (most < 999999999.5 && most > 1 && ticks->power >= 3)
        return print_scaled(out, value, ticks->power, 6, "M");
    if (most < 1e12 && most > 1 && ticks->power >= 6)
        return print_scaled(out, value, ticks->power, 9, "G");
    out[dgm_number_print(out, value, 12)] = '\0';
    return shorten_exponent(out);
}
