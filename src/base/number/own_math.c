/* own_math.c: a logarithm, an exponential and a cosine with the same bits on every platform. */
#include "base/number/own_math.h"

#include <assert.h>
#include <math.h>

/* ln 2 in two parts; the first has 21 zero bits at its end, so exponent * part is exact.
 */
#define LN2_HIGH 0x1.62e42fee00000p-1
#define LN2_LOW 0x1.a39ef35793c76p-33

#define TWO_PI 0x1.921fb54442d18p+2

/*
 * x = 2^e m with m in [sqrt(1/2), sqrt(2)); ln m = 2 artanh f, f = (m - 1) / (m + 1),
 * = 2 (f + f^3/3 + f^5/5 + ...). |f| < 0.172: the terms after f^23 are below 2^-60.
 */
double dgm_own_log(double x)
{
    int exponent, n;
    double m, f, square, sum = 0.0;
    assert(x > 0.0);
    m = frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        exponent--;
    }
    f = (m - 1.0) / (m + 1.0);
    square = f * f;
    for (n = 23; n >= 3; n -= 2)
        sum = (sum + 1.0 / n) * square;
    /* The large term is exact and comes last: all that is rounded before it is small. */
    return exponent * LN2_HIGH + (2.0 * f + (2.0 * f * sum + exponent * LN2_LOW));
}

/* e^x = (e^(x / 1024))^1024; the terms left out of the series are below 2^-57 of it. */
double dgm_own_exp(double x)
{
    double sum = 1.0;
    assert(x >= -700.0 && x <= 0.0);
    /* Exact. Each of the ten squarings below doubles the relative error: 2^-53 becomes about
     * 1e-13. */
    x /= 1024.0;
    for (int n = 14; n >= 1; n--)
        sum = 1.0 + sum * x / n;
    for (int n = 0; n < 10; n++)
        sum *= sum;
    return sum;
}

/* Taylor series, |x| <= pi / 4: the terms left out are below 2^-57. */
static double cos_series(double x)
{
    double square = x * x, sum = 1.0;
    for (int n = 16; n >= 2; n -= 2)
        sum = 1.0 - sum * square / (n * (n - 1));
    return sum;
}

static double sin_series(double x)
{
    double square = x * x, sum = 1.0;
    for (int n = 17; n >= 3; n -= 2)
        sum = 1.0 - sum * square / (n * (n - 1));
    return x * sum;
}

double dgm_own_cos_turn(double turn)
{
    double sign = 1.0;
    if (turn > 0.5)
        turn = 1.0 - turn; /* cos is even and periodic */
    if (turn > 0.25) {
        turn = 0.5 - turn;
        sign = -1.0;
    }
    if (turn > 0.125)
        return sign * sin_series((0.25 - turn) * TWO_PI);
    return sign * cos_series(turn * TWO_PI);
}
