/*
 * trial.c: makes an instance of a task: its operands in host memory, out of random numbers.
 */
#include "device/trial/trial.h"

#include <assert.h>

int64_t dgm_trial_between(struct dgm_trial *trial, int64_t low, int64_t high)
{
    return low + (int64_t)dgm_random_below(&trial->random, (uint32_t)(high - low + 1));
}

int dgm_trial_once_in(struct dgm_trial *trial, int n)
{
    return dgm_random_below(&trial->random, (uint32_t)n) == 0;
}

void *dgm_trial_memory(struct dgm_trial *trial, size_t count, size_t size)
{
    void *memory = NULL;

    assert(count * size <= DGM_TRIAL_SPARE); /* who asks writes as much, whatever the status is */
    if (trial->status == DGM_OK)
        memory = dgm_arena_alloc(trial->env, &trial->arena, count, size);
    if (memory != NULL)
        return memory;
    if (trial->status == DGM_OK)
        trial->status =
            dgm_fail(trial->env, DGM_MEMORY, "a trial has no memory for %zu elements", count);
    return trial->spare;
}

static struct dgm_operand *operand_of(struct dgm_trial *trial, const struct dgm_ref *field)
{
    return &trial->operands[field - (const struct dgm_ref *)trial->args];
}

static void *give(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count, size_t size,
                  enum dgm_operand_kind kind)
{
    struct dgm_operand *operand = operand_of(trial, field);

    operand->data = dgm_trial_memory(trial, (size_t)count + 1, size);
    operand->bytes = (size_t)count * size;
    operand->kind = kind;
    operand->same_as = -1;
    return operand->data;
}

dgm_real *dgm_trial_reals(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count,
                          double spread)
{
    dgm_real *data = give(trial, field, count, sizeof *data, DGM_REALS);

    for (int64_t i = 0; i < count; i++)
        data[i] = (dgm_real)(spread * dgm_random_normal(&trial->random));
    return data;
}

int32_t *dgm_trial_ints(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count,
                        int64_t low, int64_t high)
{
    int32_t *data = give(trial, field, count, sizeof *data, DGM_INTS);

    for (int64_t i = 0; i < count; i++)
        data[i] = (int32_t)dgm_trial_between(trial, low, high);
    return data;
}

unsigned char *dgm_trial_bytes(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count)
{
    unsigned char *data = give(trial, field, count, 1, DGM_BYTES);

    for (int64_t i = 0; i < count; i++)
        data[i] = (unsigned char)dgm_trial_between(trial, 0, 1);
    return data;
}

double *dgm_trial_double(struct dgm_trial *trial, const struct dgm_ref *field)
{
    double *data = give(trial, field, 1, sizeof *data, DGM_DOUBLES);

    *data = 0;
    return data;
}

void dgm_trial_same(struct dgm_trial *trial, const struct dgm_ref *field,
                    const struct dgm_ref *other)
{
    struct dgm_operand *operand = operand_of(trial, field);

    *operand = *operand_of(trial, other);
    operand->same_as = (int)(other - (const struct dgm_ref *)trial->args);
}

void dgm_trial_same_or_reals(struct dgm_trial *trial, int is_same, const struct dgm_ref *field,
                             const struct dgm_ref *other, int64_t count)
{
    if (is_same)
        dgm_trial_same(trial, field, other);
    else
        dgm_trial_reals(trial, field, count, 1);
}

dgm_real *dgm_trial_maybe(struct dgm_trial *trial, const struct dgm_ref *field, int64_t count)
{
    return dgm_trial_once_in(trial, 4) ? NULL : dgm_trial_reals(trial, field, count, 1);
}

int64_t dgm_trial_offsets(struct dgm_trial *trial, int32_t *offsets, int64_t count, int64_t low,
                          int64_t high)
{
    offsets[0] = 0;
    for (int64_t s = 0; s < count; s++)
        offsets[s + 1] = offsets[s] + (int32_t)dgm_trial_between(trial, low, high);
    return offsets[count];
}

int64_t dgm_trial_squares(int32_t *squares, const int32_t *offsets, int64_t count)
{
    int64_t total = 0;

    for (int64_t s = 0; s < count; s++) {
        const int64_t n = offsets[s + 1] - offsets[s];

        squares[s] = (int32_t)total;
        total += n * n;
    }
    return total;
}

void dgm_trial_drop(struct dgm_trial *trial, struct dgm_drop *drop, const struct dgm_ref *places,
                    int64_t rows)
{
    drop->rate = dgm_trial_once_in(trial, 2) ? (dgm_real)0.3 : 0;
    drop->stream = dgm_random_word(&trial->random);
    drop->key[0] = dgm_random_word(&trial->random);
    drop->key[1] = dgm_random_word(&trial->random);
    dgm_trial_ints(trial, places, 2 * rows, 0, 200);
}

void dgm_trial_make(struct dgm_trial *trial)
{
    switch ((int)trial->kind) {
#define TASK(name)                            \
    case DGM_TASK_##name:                     \
        dgm_trial_##name(trial, trial->args); \
        break;
#include "kernel/task/task_list.h"
    }
}
