/* lost_scores.c: what is said where a model has no finite score. */
#include "decode/lost_scores.h"

#include <stdio.h>

dgm_status dgm_lost_scores_fail(struct dgm_env *env, const struct dgm_input_lines *lines,
                                int32_t number, const char *what, long place)
{
    const int has_lines = lines->of != NULL;
    char digits[24] = "";

    if (place > 0)
        snprintf(digits, sizeof digits, " %ld", place);
    return dgm_fail(env, DGM_MODEL,
                    "%s %ld: no finite score for %s%s: weights of the model are so large that its "
                    "numbers overflow, or are damaged; expected a model whose training has not "
                    "diverged",
                    has_lines ? "line" : "sentence",
                    has_lines ? lines->of(lines->user, number) : (long)number + 1, what, digits);
}
