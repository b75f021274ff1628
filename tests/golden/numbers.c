/* numbers.c: the tolerance of golden files, and the test of the comparison itself. */
#include "golden/numbers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

dgm_real *numbers_add(struct dgm_env *env, struct numbers_list *list, const char *name,
                      size_t count)
{
    struct numbers *item;

    if (dgm_grow(env, &list->items, &list->capacity, list->count, sizeof *list->items) != DGM_OK)
        return NULL;
    item = &list->items[list->count];
    item->values = dgm_alloc(env, count > 0 ? count : 1, sizeof *item->values);
    if (item->values == NULL)
        return NULL;
    memset(item->values, 0, count * sizeof *item->values);
    snprintf(item->name, sizeof item->name, "%s", name);
    item->count = count;
    list->count++;
    return item->values;
}

struct numbers *numbers_find(const struct numbers_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->items[i].name, name) == 0)
            return &list->items[i];
    return NULL;
}

void numbers_clear(struct dgm_env *env, struct numbers_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dgm_release(env, list->items[i].values);
    dgm_release(env, list->items);
    memset(list, 0, sizeof *list);
}

/* ---- tolerance ----------------------------------------------------------------------------- */

static int is_grad(const struct numbers *item)
{
    return strncmp(item->name, "grad.", 5) == 0;
}

/* Infinite if a number is not finite. */
static double largest_size(const struct numbers *item)
{
    double largest = 0;

    for (size_t i = 0; i < item->count; i++) {
        if (!isfinite(item->values[i]))
            return HUGE_VAL;
        largest = fmax(largest, fabs((double)item->values[i]));
    }
    return largest;
}

/* What gradients that are zero by arithmetic are measured by. */
static double largest_grad(const struct numbers_list *list)
{
    double largest = 0;

    for (size_t i = 0; i < list->count; i++)
        if (is_grad(&list->items[i]))
            largest = fmax(largest, largest_size(&list->items[i]));
    return largest;
}

static int ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), tail = strlen(end);

    return length >= tail && strcmp(name + length - tail, end) == 0;
}

/* A softmax does not see what it adds to all scores of a row: the reference's gradient is its own
 * rounding in double precision, 1e-15 of the others and less. */
static int is_zero_by_arithmetic(const struct numbers *want, double of_grads)
{
    return is_grad(want) &&
           (ends_with(want->name, ".k_proj.bias") || ends_with(want->name, ".dbsa.bias")) &&
           largest_size(want) <= 1e-12 * of_grads;
}

static double allowed_error(const struct numbers *want, double of_grads)
{
    double allowed = 2e-5 * largest_size(want) + 1e-7;

    return is_zero_by_arithmetic(want, of_grads) ? fmax(allowed, 1e-6 * of_grads) : allowed;
}

/* ---- comparing ----------------------------------------------------------------------------- */

/* The largest difference; infinite where a number is not finite or counts differ. */
static double largest_difference(const struct numbers *want, const struct numbers *got)
{
    double largest = 0;

    if (want->count != got->count)
        return HUGE_VAL;
    for (size_t i = 0; i < want->count; i++) {
        if (!isfinite(want->values[i]) || !isfinite(got->values[i]))
            return HUGE_VAL;
        largest = fmax(largest, fabs((double)got->values[i] - (double)want->values[i]));
    }
    return largest;
}

static void say(const struct numbers *item, int is_wrong, enum loudness loudness, const char *what,
                double number)
{
    if (loudness == EVERYTHING || (loudness == WRONG_ONLY && is_wrong))
        printf("  %-60s %s %.2e%s\n", item->name, what, number, is_wrong ? "  WRONG" : "");
}

static void compare_one(struct verdict *verdict, const struct numbers *want,
                        const struct numbers *got, double of_grads, enum loudness loudness)
{
    double error = largest_difference(want, got), largest = largest_size(want);
    double share = error / allowed_error(want, of_grads);
    int is_wrong = error == HUGE_VAL || largest == HUGE_VAL || share > 1;

    if (is_wrong)
        verdict->wrong++;
    else
        verdict->worst = fmax(verdict->worst, share);
    say(want, is_wrong, loudness, "relative error", error / fmax(largest, 1e-30));
}

struct verdict numbers_compare(const struct numbers_list *want, const struct numbers_list *got,
                               enum loudness loudness)
{
    struct verdict verdict = { 0, 0 };
    double of_grads = largest_grad(want);

    for (size_t i = 0; i < want->count; i++) {
        const struct numbers *computed = numbers_find(got, want->items[i].name);

        if (computed != NULL) {
            compare_one(&verdict, &want->items[i], computed, of_grads, loudness);
        } else {
            verdict.wrong++;
            say(&want->items[i], 1, loudness, "nothing computes its size,",
                (double)want->items[i].count);
        }
    }
    for (size_t i = 0; i < got->count; i++)
        if (!is_grad(&got->items[i]) && numbers_find(want, got->items[i].name) == NULL) {
            verdict.wrong++;
            say(&got->items[i], 1, loudness, "is missing in the file, size",
                (double)got->items[i].count);
        }
    return verdict;
}

/* ---- mutants ------------------------------------------------------------------------------- */

/* Whether the comparison finds *number changed to `value`; restores it. */
static int is_found(const struct numbers_list *want, const struct numbers_list *got,
                    dgm_real *number, double value)
{
    dgm_real before = *number;
    size_t wrong;

    *number = (dgm_real)value;
    wrong = numbers_compare(want, got, SILENT).wrong;
    *number = before;
    return wrong > 0;
}

/* The mistakes at one place of a list; returns those that are missed. */
static size_t missed_at(const struct numbers_list *want, const struct numbers_list *got,
                        const struct numbers *item, size_t at, double shift)
{
    const double values[] = { (double)item->values[at] + shift, (double)NAN, HUGE_VAL, -HUGE_VAL };
    size_t missed = 0;

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        if (!is_found(want, got, item->values + at, values[i])) {
            printf("  %s[%zu] = %g is not found\n", item->name, at, values[i]);
            missed++;
        }
    return missed;
}

static size_t missed_in(const struct numbers_list *want, const struct numbers_list *got,
                        const struct numbers *item, double shift, size_t *planted)
{
    const struct numbers *computed = numbers_find(got, item->name);
    const size_t places[] = { 0, item->count / 2, item->count - 1 };
    size_t missed = 0;

    for (size_t p = 0; computed != NULL && item->count > 0 && p < 3; p++) {
        missed += missed_at(want, got, item, places[p], shift);
        missed += missed_at(want, got, computed, places[p], shift);
        *planted += 8;
    }
    return missed;
}

/* A name that nothing computes is found; a list that is left out is, unless it is a gradient. */
static size_t missed_absence(struct numbers_list *want, const struct numbers_list *got, size_t i)
{
    struct numbers kept = want->items[i], last = want->items[want->count - 1];
    size_t missed = 0, wrong;

    want->items[i].name[0] = '?';
    missed += numbers_compare(want, got, SILENT).wrong == 0;
    want->items[i] = last;
    want->count--;
    wrong = numbers_compare(want, got, SILENT).wrong;
    missed += is_grad(&kept) ? wrong > 0 : wrong == 0;
    want->items[want->count++] = last;
    want->items[i] = kept;
    if (missed > 0)
        printf("  the absence of %s is not found, or found where it may be absent\n", kept.name);
    return missed;
}

size_t numbers_missed_mutants(struct numbers_list *want, const struct numbers_list *got,
                              size_t *planted)
{
    double of_grads = largest_grad(want);
    size_t missed = 0;

    *planted = 0;
    for (size_t i = 0; i < want->count; i++) {
        const struct numbers *item = &want->items[i];
        double largest = is_zero_by_arithmetic(item, of_grads) ? of_grads : largest_size(item);
        double shift = fmax(1e-4 * largest, 2.5e-7); /* below that the tolerance ends */

        missed += missed_in(want, got, item, shift, planted);
        missed += missed_absence(want, got, i);
        *planted += 2;
    }
    return missed;
}
