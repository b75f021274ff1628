/*
 * trial_compare.c: runs an instance of a task on two devices, and compares what they wrote.
 */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device/task_shape.h"
#include "device/trial/trial.h"

/* Bytes before and after every operand, which nobody may touch. As reals they are NaN, so that it
 * shows in the results when a kernel reads them. */
enum { GUARD = 64, GUARD_BYTE = 0xFF };

/* ---- running ----------------------------------------------------------------------------- */

/* One device's side of a trial. */
struct side {
    struct dgm_device *device;
    struct dgm_buffer *buffers[DGM_MOST_OPERANDS];
    size_t before[DGM_MOST_OPERANDS];        /* bytes before the operand */
    unsigned char *after[DGM_MOST_OPERANDS]; /* whole buffers as they are after the run */
};

static size_t whole_bytes(const struct dgm_operand *operand, size_t before)
{
    return before + operand->bytes + GUARD;
}

static dgm_status upload(struct dgm_trial *trial, struct side *side, int i, struct dgm_ref *ref)
{
    const struct dgm_operand *operand = &trial->operands[i];
    struct dgm_ref start = { NULL, 0 };
    unsigned char *whole;
    size_t bytes;

    if (operand->data == NULL)
        return DGM_OK;
    if (operand->same_as >= 0) {
        *ref = ((struct dgm_ref *)trial->args)[operand->same_as];
        return DGM_OK;
    }
    /* Operands begin anywhere, at a multiple of their own size. */
    side->before[i] = GUARD + (operand->kind == DGM_DOUBLES ? 8u : 4u * (unsigned)(i % 5));
    bytes = whole_bytes(operand, side->before[i]);
    whole = dgm_trial_memory(trial, bytes, 1);
    side->after[i] = dgm_trial_memory(trial, bytes, 1);
    DGM_TRY(trial->status);
    memset(whole, GUARD_BYTE, bytes);
    memcpy(whole + side->before[i], operand->data, operand->bytes);
    DGM_TRY(dgm_device_alloc(trial->env, side->device, &side->buffers[i], bytes));
    start.buffer = side->buffers[i];
    DGM_TRY(dgm_device_write(trial->env, side->device, start, whole, bytes));
    *ref = dgm_ref_at(start, side->before[i]);
    return DGM_OK;
}

static int operands_of(const struct dgm_trial *trial)
{
    const struct dgm_task_shape *shape = dgm_task_shape(trial->kind);

    return shape->outputs + shape->inputs;
}

static dgm_status upload_all(struct dgm_trial *trial, struct side *side)
{
    const int count = operands_of(trial);
    struct dgm_ref *refs = trial->args;

    memset(refs, 0, (size_t)count * sizeof *refs);
    for (int pass = 0; pass < 2; pass++) /* those that share memory come after their owners */
        for (int i = 0; i < count; i++)
            if ((trial->operands[i].same_as >= 0) == pass)
                DGM_TRY(upload(trial, side, i, &refs[i]));
    return DGM_OK;
}

static dgm_status read_all(struct dgm_trial *trial, struct side *side)
{
    for (int i = 0; i < operands_of(trial); i++) {
        const struct dgm_ref start = { side->buffers[i], 0 };

        if (start.buffer != NULL)
            DGM_TRY(dgm_device_read(trial->env, side->device, side->after[i], start,
                                    whole_bytes(&trial->operands[i], side->before[i])));
    }
    return DGM_OK;
}

static dgm_status run_side(struct dgm_trial *trial, struct side *side)
{
    DGM_TRY(dgm_device_run(trial->env, side->device, trial->kind, trial->args));
    return read_all(trial, side);
}

static void clear_side(struct dgm_trial *trial, struct side *side)
{
    for (int i = 0; i < DGM_MOST_OPERANDS; i++)
        dgm_device_release(trial->env, side->device, side->buffers[i]);
}

/* ---- comparing --------------------------------------------------------------------------- */

static void object(struct dgm_verdict *verdict, const struct dgm_trial *trial, int operand,
                   const char *text)
{
    verdict->worst = (double)INFINITY;
    snprintf(verdict->what, sizeof verdict->what, "%s, operand %d: %s",
             dgm_task_shape(trial->kind)->name, operand, text);
}

static int is_guarded(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != GUARD_BYTE)
            return 0;
    return 1;
}

static double element(const struct dgm_operand *operand, const unsigned char *data, size_t i)
{
    double wide;
    dgm_real narrow;

    if (operand->kind == DGM_DOUBLES) {
        memcpy(&wide, data + i * sizeof wide, sizeof wide);
        return wide;
    }
    memcpy(&narrow, data + i * sizeof narrow, sizeof narrow);
    return (double)narrow;
}

static void compare_reals(struct dgm_verdict *verdict, const struct dgm_trial *trial, int i,
                          const unsigned char *expected, const unsigned char *found)
{
    const struct dgm_operand *operand = &trial->operands[i];
    const size_t size = operand->kind == DGM_DOUBLES ? sizeof(double) : sizeof(dgm_real);
    double apart = 0, whole = 0;

    for (size_t e = 0; e < operand->bytes / size; e++) {
        const double a = element(operand, expected, e), b = element(operand, found, e);

        if (isnan(a) != isnan(b) || isinf(a) != isinf(b) || (isinf(a) && a != b)) {
            object(verdict, trial, i, "a NaN or an infinity in one of them");
            return;
        }
        if (!isfinite(a))
            continue;
        apart += (a - b) * (a - b);
        whole += a * a;
    }
    if (apart > 0)
        apart = whole > 0 ? apart / whole : (double)INFINITY;
    if (apart > verdict->worst) {
        verdict->worst = apart;
        snprintf(verdict->what, sizeof verdict->what, "%s, operand %d: values differ",
                 dgm_task_shape(trial->kind)->name, i);
    }
}

static void compare_operand(struct dgm_verdict *verdict, const struct dgm_trial *trial, int i,
                            const struct side *sides)
{
    const struct dgm_operand *operand = &trial->operands[i];
    const size_t before = sides[1].before[i];
    const unsigned char *expected = sides[0].after[i], *found = sides[1].after[i];
    const int is_real = operand->kind == DGM_REALS || operand->kind == DGM_DOUBLES;

    if (!is_guarded(found, before) || !is_guarded(found + before + operand->bytes, GUARD))
        object(verdict, trial, i, "memory beside it was written to");
    else if (i < dgm_task_shape(trial->kind)->outputs && is_real)
        compare_reals(verdict, trial, i, expected + before, found + before);
    else if (memcmp(expected + before, found + before, operand->bytes) != 0)
        object(verdict, trial, i, "bytes differ");
}

/* Runs both sides, unless the filter does not want the instance: its arguments say which operands
 * there are only once they lie on a device. */
static dgm_status run_sides(struct dgm_trial *trial, struct side *sides,
                            const struct dgm_trial_filter *filter, struct dgm_verdict *verdict)
{
    for (int i = 0; i < 2; i++) {
        DGM_TRY(upload_all(trial, &sides[i]));
        verdict->is_left_out =
            filter->wants != NULL && !filter->wants(filter, trial->kind, trial->args);
        if (verdict->is_left_out)
            return DGM_OK;
        DGM_TRY(run_side(trial, &sides[i]));
    }
    return DGM_OK;
}

/* ---- one instance ---------------------------------------------------------------------------- */

/* What has begun is ended, whatever this returns; trial->status: whether there is an instance. */
static dgm_status begin(struct dgm_env *env, struct dgm_trial *trial, enum dgm_task_kind kind,
                        uint64_t seed)
{
    memset(trial, 0, sizeof *trial);
    trial->env = env;
    trial->kind = kind;
    trial->number = seed;
    trial->spare = dgm_alloc(env, DGM_TRIAL_SPARE, 1);
    if (trial->spare == NULL)
        return DGM_MEMORY;
    dgm_random_init(&trial->random, seed, (uint32_t)kind, 0, 0);
    trial->args = dgm_trial_memory(trial, 1, dgm_task_shape(kind)->args_bytes);
    dgm_trial_make(trial);
    return DGM_OK;
}

static void end(struct dgm_trial *trial, struct side *sides)
{
    for (int i = 0; i < 2; i++)
        clear_side(trial, &sides[i]);
    dgm_arena_clear(trial->env, &trial->arena);
    dgm_release(trial->env, trial->spare);
}

static void compare_all(struct dgm_verdict *verdict, const struct dgm_trial *trial,
                        const struct side *sides)
{
    for (int i = 0; i < DGM_MOST_OPERANDS && trial->status == DGM_OK; i++)
        if (sides[1].buffers[i] != NULL && isfinite(verdict->worst))
            compare_operand(verdict, trial, i, sides);
}

dgm_status dgm_trial_compare(struct dgm_env *env, struct dgm_device *reference,
                             struct dgm_device *device, enum dgm_task_kind kind, uint64_t seed,
                             struct dgm_verdict *verdict)
{
    const struct dgm_trial_filter all = { NULL, 0 };

    return dgm_trial_compare_some(env, reference, device, kind, seed, &all, verdict);
}

dgm_status dgm_trial_compare_some(struct dgm_env *env, struct dgm_device *reference,
                                  struct dgm_device *device, enum dgm_task_kind kind, uint64_t seed,
                                  const struct dgm_trial_filter *filter,
                                  struct dgm_verdict *verdict)
{
    struct side sides[2];
    struct dgm_trial trial;
    dgm_status status;

    memset(sides, 0, sizeof sides);
    memset(verdict, 0, sizeof *verdict);
    sides[0].device = reference;
    sides[1].device = device;
    DGM_TRY(begin(env, &trial, kind, seed));
    if (trial.status == DGM_OK)
        trial.status = run_sides(&trial, sides, filter, verdict);
    compare_all(verdict, &trial, sides);
    status = trial.status;
    end(&trial, sides);
    return status;
}

/* ---- several at once ------------------------------------------------------------------------- */

/* First the reference's, whose results the trials keep. */
static dgm_status run_at_once(struct dgm_trial *trials, struct side (*sides)[2], int count,
                              dgm_trial_run_fn *run)
{
    const void *args[DGM_TRIAL_MOST_AT_ONCE] = { NULL };

    for (int i = 0; i < count; i++) {
        DGM_TRY(trials[i].status);
        DGM_TRY(upload_all(&trials[i], &sides[i][0]));
        DGM_TRY(run_side(&trials[i], &sides[i][0]));
        DGM_TRY(upload_all(&trials[i], &sides[i][1]));
        args[i] = trials[i].args;
    }
    DGM_TRY(run(trials[0].env, sides[0][1].device, args, count));
    for (int i = 0; i < count; i++)
        DGM_TRY(read_all(&trials[i], &sides[i][1]));
    return DGM_OK;
}

dgm_status dgm_trial_compare_at_once(struct dgm_env *env, struct dgm_device *reference,
                                     struct dgm_device *device, enum dgm_task_kind kind,
                                     uint64_t seed, int count, dgm_trial_run_fn *run,
                                     struct dgm_verdict *verdict)
{
    struct side sides[DGM_TRIAL_MOST_AT_ONCE][2];
    struct dgm_trial trials[DGM_TRIAL_MOST_AT_ONCE];
    dgm_status status = DGM_OK;
    int made = 0;

    assert(count <= DGM_TRIAL_MOST_AT_ONCE);
    memset(sides, 0, sizeof sides);
    memset(trials, 0, sizeof trials);
    memset(verdict, 0, sizeof *verdict);
    for (; made < count && status == DGM_OK; made++) {
        sides[made][0].device = reference;
        sides[made][1].device = device;
        status = begin(env, &trials[made], kind, seed + (uint64_t)made);
    }
    if (status == DGM_OK)
        status = run_at_once(trials, sides, count, run);
    for (int i = 0; i < made && status == DGM_OK; i++)
        compare_all(verdict, &trials[i], sides[i]);
    for (int i = 0; i < made; i++)
        end(&trials[i], sides[i]);
    return status;
}
