/*
 * check.c: golden-check runs golden files and compares every expected number.
 *
 * usage: golden-check [-v | --mutants] FILE.gguf...
 *
 * A golden file holds one model, one batch and the numbers that an independent reference
 * implementation computed for them. numbers.h says when one passes; a file whose configuration
 * this version does not know, or that cannot be read, fails. -v prints the largest relative error
 * of each tensor. --mutants plants mistakes in the numbers of each file and fails if one is not
 * found: the test of this test.
 */
#include <stdio.h>
#include <string.h>

#include "golden/golden_file.h"
#include "open_device.h"

enum mode { COMPARE, COMPARE_LOUDLY, PLANT_MUTANTS };

/* Prints a line about the file; returns whether all its numbers are right. */
static int report_numbers(const char *name, const struct numbers_list *want,
                          const struct numbers_list *got, enum loudness loudness)
{
    struct verdict verdict = numbers_compare(want, got, loudness);
    int is_right = verdict.wrong == 0;

    if (is_right)
        printf("ok - %s: worst %.2f of the tolerance, %zu tensors\n", name, verdict.worst,
               want->count);
    else
        printf("not ok - %s: %zu of %zu tensors are wrong\n", name, verdict.wrong, want->count);
    return is_right;
}

/* The same for mutants of its numbers, which must all be found. */
static int report_mutants(const char *name, struct numbers_list *want,
                          const struct numbers_list *got)
{
    size_t planted, missed = numbers_missed_mutants(want, got, &planted);
    int all_found = planted > 0 && missed == 0;

    printf("%s - %s: %zu mutants, %zu not found\n", all_found ? "ok" : "not ok", name, planted,
           missed);
    return all_found;
}

/* Whether the file passes. */
static int check_file(struct dgm_device *device, const char *path, enum mode mode)
{
    struct numbers_list want = { NULL, 0, 0 }, got = { NULL, 0, 0 };
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    struct dgm_env env;
    int passes = 0;

    dgm_env_init(&env);
    if (golden_file_run(&env, device, path, &want, &got) != DGM_OK)
        printf("not ok - %s: %s\n", name, env.error.message);
    else
        passes =
            report_numbers(name, &want, &got, mode == COMPARE_LOUDLY ? EVERYTHING : WRONG_ONLY);
    if (passes && mode == PLANT_MUTANTS)
        passes = report_mutants(name, &want, &got);
    numbers_clear(&env, &want);
    numbers_clear(&env, &got);
    return passes;
}

static enum mode mode_of(const char *word)
{
    return strcmp(word, "-v") == 0          ? COMPARE_LOUDLY
           : strcmp(word, "--mutants") == 0 ? PLANT_MUTANTS
                                            : COMPARE;
}

int main(int argc, char **argv)
{
    enum mode mode = argc > 1 ? mode_of(argv[1]) : COMPARE;
    int counts[2] = { 0, 0 }, i;
    struct dgm_device *device = NULL;
    struct dgm_env env;

    dgm_env_init(&env);
    if (open_device(&env, &device, 0) != DGM_OK) {
        printf("golden-check: %s\n", env.error.message);
        return 1;
    }
    for (i = mode == COMPARE ? 1 : 2; i < argc; i++)
        counts[check_file(device, argv[i], mode)]++;
    dgm_device_close(&env, device);
    printf("%d passed, %d failed\n", counts[1], counts[0]);
    return counts[0] == 0 && counts[1] > 0 ? 0 : 1;
}
