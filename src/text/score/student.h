/* student.h: Student's t distribution. */
#ifndef DGM_TEXT_SCORE_STUDENT_H
#define DGM_TEXT_SCORE_STUDENT_H

/* How likely |T| >= |t| is, with `freedom` >= 1 degrees of freedom, which need not be whole. */
double dgm_student_two_sided(double t, double freedom);

#endif
