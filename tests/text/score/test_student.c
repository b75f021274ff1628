/* test_student.c: Student's t against tables. */
#include <math.h>

#include "test.h"
#include "text/score/student.h"

/* Quantiles of printed tables: 5 % lie beyond them, on both sides together. */
TEST(student_has_the_quantiles_of_the_tables)
{
    static const double table[][2] = { { 1, 12.7062 },   { 2, 4.30265 },    { 3, 3.18245 },
                                       { 4, 2.77645 },   { 10, 2.22814 },   { 30, 2.04227 },
                                       { 100, 1.98397 }, { 1000, 1.96234 }, { 1e9, 1.95996 } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        CHECK_NEAR(dgm_student_two_sided(table[i][1], table[i][0]), 0.05, 3e-5);
}

/* Of 1 and 2 degrees of freedom there are formulas; the sign counts for nothing. */
TEST(student_has_the_closed_forms)
{
    for (double t = 0; t < 8; t += 0.37) {
        CHECK_NEAR(dgm_student_two_sided(t, 1), 1 - 2 * atan(t) / 3.14159265358979323846, 1e-9);
        CHECK_NEAR(dgm_student_two_sided(-t, 2), 1 - t / sqrt(2 + t * t), 1e-9);
    }
    CHECK_NEAR(dgm_student_two_sided(0, 3.5), 1, 1e-12);
    CHECK(dgm_student_two_sided(100, 1e6) < 1e-12);
}
