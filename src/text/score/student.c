/*
 * student.c: Student's t distribution, by an integral instead of the incomplete beta function.
 *
 * With t = sqrt(f) tan(a) the density of f degrees of freedom, (1 + t^2/f)^(-(f+1)/2) dt up to a
 * factor, is cos(a)^(f-1) da: smooth and finite, so Simpson's rule sums up what lies beyond a, and
 * the whole.
 */
#include "text/score/student.h"

#include <math.h>

/* Beyond so many degrees of freedom the distribution is the normal one to five decimals, and the
 * integrand becomes too narrow for the steps. */
#define MOST_FREEDOM 1e4

enum { STEPS = 4000 };

static const double RIGHT = 1.57079632679489661923; /* pi / 2 */

/* Of cos(a)^power from `from` to a right angle. */
static double tail(double from, double power)
{
    double step = (RIGHT - from) / STEPS, sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        double weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;

        sum += weight * pow(fmax(cos(from + step * i), 0), power);
    }
    return sum * step / 3;
}

double dgm_student_two_sided(double t, double freedom)
{
    double f = fmin(freedom, MOST_FREEDOM);

    return tail(atan(fabs(t) / sqrt(f)), f - 1) / tail(0, f - 1);
}
