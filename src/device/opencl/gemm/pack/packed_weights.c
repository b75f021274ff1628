/*
 * packed_weights.c: a list of the packed matrices of the parameters, and the launch that packs all
 * of them.
 */
#include "device/opencl/gemm/pack/packed_weights.h"

#include <string.h>

#include "base/mem.h"
#include "device/opencl/gemm/pack/pack.h"
#include "device/task_shape.h"

/* Matrices; numbers that the kernel gets for each (opencl/gemm_tensor.clh). */
enum { MOST = 512, NUMBERS = 8 };

/* ---- memory --------------------------------------------------------------------------------- */

/* Each matrix forwards and backwards, with zeros to whole fragments and stages. */
size_t dgm_cl_packed_weights_room(const struct dgm_opencl *opencl, size_t parameters)
{
    const size_t twice = 2 * parameters / (size_t)dgm_cl_steps_of_word(opencl);

    return opencl->precision == DGM_F32 ? 0 : twice + twice / 16 + (1 << 20);
}

static void clear(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_cl_packed_weights *weights = &opencl->weights;

    dgm_cl_memory_release(env, &opencl->device, weights->room);
    dgm_cl_memory_release(env, &opencl->device, weights->list);
    dgm_release(env, weights->items);
    memset(weights, 0, sizeof *weights);
}

/* Without memory, weights are packed beside each product: no error. */
static void begin(struct dgm_env *env, struct dgm_opencl *opencl, struct dgm_buffer *from)
{
    struct dgm_cl_packed_weights *weights = &opencl->weights;
    const size_t bytes = dgm_cl_packed_weights_room(opencl, dgm_cl_memory_bytes(from));
    struct dgm_env quiet = dgm_env_quiet(env);

    clear(env, opencl);
    weights->items = dgm_alloc(&quiet, MOST, sizeof *weights->items);
    if (weights->items == NULL || bytes > opencl->traits.largest ||
        dgm_cl_memory_alloc(&quiet, &opencl->device, &weights->list,
                            MOST * NUMBERS * sizeof(int64_t)) != DGM_OK ||
        dgm_cl_memory_alloc(&quiet, &opencl->device, &weights->room, bytes) != DGM_OK)
        clear(env, opencl);
    weights->from = from;
}

/* ---- packing all ---------------------------------------------------------------------------- */

/* For the kernel: groups of those before it, where it lies and goes, in reals and pieces, lines, k,
 * ld, depth, flags. */
static dgm_status send_list(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_cl_packed_weights *weights = &opencl->weights;
    const struct dgm_ref to = { weights->list, 0 };
    int64_t numbers[MOST * NUMBERS], *at = numbers;
    int64_t groups = 0;

    for (int i = 0; i < weights->count; i++) {
        const struct dgm_cl_operand *one = &weights->items[i];

        *at++ = groups;
        *at++ = (int64_t)(one->from.offset / sizeof(dgm_real));
        *at++ = (int64_t)(one->to.offset / 16);
        *at++ = one->lines;
        *at++ = one->k;
        *at++ = one->ld;
        *at++ = one->depth;
        *at++ = dgm_cl_pack_flags(one);
        groups += dgm_cl_pack_groups(one);
    }
    weights->is_listed = 1;
    return dgm_cl_memory_write(env, &opencl->device, to, numbers,
                               (size_t)(at - numbers) * sizeof *numbers);
}

static dgm_status pack_all(struct dgm_env *env, struct dgm_opencl *opencl)
{
    struct dgm_cl_packed_weights *weights = &opencl->weights;
    const struct dgm_ref list = { weights->list, 0 }, to = { weights->room, 0 };
    const struct dgm_ref from = { weights->from, 0 };
    const size_t local[3] = { DGM_PACK_ITEMS, 1, 1 };
    size_t groups[3] = { 0, 1, 1 };
    struct dgm_launch launch;

    if (!weights->is_listed)
        DGM_TRY(send_list(env, opencl));
    for (int i = 0; i < weights->count; i++)
        groups[0] += (size_t)dgm_cl_pack_groups(&weights->items[i]);
    dgm_launch_begin(&launch, env, opencl,
                     opencl->precision == DGM_BF16 ? DGM_KERNEL_gemm_bf16_pack_all
                                                   : DGM_KERNEL_gemm_tf32_pack_all);
    dgm_launch_ref(&launch, to);
    dgm_launch_ref(&launch, from);
    dgm_launch_ref(&launch, list);
    dgm_launch_int(&launch, weights->count);
    DGM_TRY(dgm_launch_grid(&launch, groups, local));
    weights->is_valid = 1;
    return DGM_OK;
}

/* ---- finding -------------------------------------------------------------------------------- */

static int is_same(const struct dgm_cl_operand *a, const struct dgm_cl_operand *b)
{
    return a->from.offset == b->from.offset && a->lines == b->lines && a->k == b->k &&
           a->ld == b->ld && dgm_cl_pack_flags(a) == dgm_cl_pack_flags(b);
}

/* Its place in the list; the end: it is not there. */
static int look_up(const struct dgm_cl_packed_weights *weights,
                   const struct dgm_cl_operand *operand)
{
    int i = 0;

    while (i < weights->count && !is_same(&weights->items[i], operand))
        i++;
    return i;
}

/* A new one is packed by its product, beside others that are valid. */
static void append(struct dgm_cl_packed_weights *weights, const struct dgm_cl_operand *operand,
                   size_t bytes)
{
    struct dgm_cl_operand *one = &weights->items[weights->count++];

    *one = *operand;
    one->to.buffer = weights->room;
    one->to.offset = weights->used;
    weights->used += bytes;
    weights->is_listed = 0;
}

dgm_status dgm_cl_packed_weights_find(struct dgm_env *env, struct dgm_opencl *opencl,
                                      const struct dgm_cl_operand *operand, struct dgm_ref *at,
                                      int *is_new)
{
    struct dgm_cl_packed_weights *weights = &opencl->weights;
    const size_t bytes = dgm_cl_packed_bytes(operand->lines, operand->depth);
    int place;

    at->buffer = NULL;
    if (weights->room == NULL || operand->from.buffer != weights->from)
        return DGM_OK;
    place = look_up(weights, operand);
    *is_new = place == weights->count;
    if (*is_new && (place == MOST || bytes > dgm_cl_memory_bytes(weights->room) - weights->used))
        return DGM_OK;
    if (!weights->is_valid && weights->count > 0)
        DGM_TRY(pack_all(env, opencl));
    weights->is_valid = 1;
    if (*is_new)
        append(weights, operand, bytes);
    *at = weights->items[place].to;
    return DGM_OK;
}

/* ---- changes -------------------------------------------------------------------------------- */

void dgm_cl_packed_weights_written(struct dgm_opencl *opencl, struct dgm_buffer *buffer)
{
    if (buffer != NULL && buffer == opencl->weights.from)
        opencl->weights.is_valid = 0;
}

void dgm_cl_packed_weights_note(struct dgm_env *env, struct dgm_opencl *opencl,
                                enum dgm_task_kind kind, const void *args)
{
    const struct dgm_ref *operands = args;

    if (opencl->precision == DGM_F32)
        return;
    if ((kind == DGM_TASK_adam || kind == DGM_TASK_adadelta) && !opencl->on_trial[kind] &&
        operands[0].buffer != opencl->weights.from)
        begin(env, opencl, operands[0].buffer);
    for (int i = 0; i < dgm_task_shape(kind)->outputs; i++)
        dgm_cl_packed_weights_written(opencl, operands[i].buffer);
}

void dgm_cl_packed_weights_released(struct dgm_env *env, struct dgm_opencl *opencl,
                                    const struct dgm_buffer *buffer)
{
    if (buffer != NULL && buffer == opencl->weights.from)
        clear(env, opencl);
}
