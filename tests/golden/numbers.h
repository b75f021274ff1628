/*
 * numbers.h: named lists of numbers, those that a golden file expects and those that the program
 * computes, and their comparison.
 */
#ifndef DGM_GOLDEN_NUMBERS_H
#define DGM_GOLDEN_NUMBERS_H

#include "base/env.h"
#include "base/real.h"

enum { NUMBERS_NAME = 160 };

struct numbers {
    char name[NUMBERS_NAME]; /* "expect.logits", "grad.encoder.embed_tokens.weight" */
    dgm_real *values;        /* owned */
    size_t count;
};

/* Zero-initialise; numbers_clear releases it. */
struct numbers_list {
    struct numbers *items;
    size_t count, capacity;
};

/* Room for `count` numbers, zero, under a name; NULL where memory ends. */
dgm_real *numbers_add(struct dgm_env *env, struct numbers_list *list, const char *name,
                      size_t count);
struct numbers *numbers_find(const struct numbers_list *list, const char *name);
void numbers_clear(struct dgm_env *env, struct numbers_list *list);

struct verdict {
    double worst; /* the largest error of what passes, in units of what is allowed */
    size_t wrong; /* lists beyond that, not finite, missing, or that nothing computes */
};

enum loudness { SILENT, WRONG_ONLY, EVERYTHING };

/*
 * Compares all that is expected with what was computed. One list passes when all its numbers are
 * finite and the largest difference is at most 2e-5 times the largest expected size plus 1e-7.
 * Gradients that are zero by arithmetic (spec/readings.md, A8) may reach 1e-6 times the largest
 * gradient of the file. A file may keep some of the gradients; of "expect." it must have all that
 * are computed, and nothing else.
 */
struct verdict numbers_compare(const struct numbers_list *want, const struct numbers_list *got,
                               enum loudness loudness);

/*
 * Plants mistakes, one at a time, in expected and computed numbers: 1e-4 of the largest size (where
 * the tolerance can see it), NaN, infinity, at the first, a middle and the last place; names that
 * nothing computes; tensors left out, which is a mistake for all but gradients. Returns how many
 * the comparison judges wrongly, each printed; *planted counts all. `want` is as before afterwards.
 */
size_t numbers_missed_mutants(struct numbers_list *want, const struct numbers_list *got,
                              size_t *planted);

#endif
