/*
 * narrow_output.c: the output layer of a search for the words of a shortlist alone.
 */
#include "model/search/narrow_output.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"

/* Operands begin at multiples of so many bytes. */
enum { ALIGN = 64 };

/* ---- memory ---------------------------------------------------------------------------------- */

/* At least rows x columns elements of `size` bytes; what a buffer held is lost. A quarter more than
 * is needed: batches of like sizes follow. */
static dgm_status reserve(struct dgm_env *env, const struct dgm_narrow_output *narrow,
                          struct dgm_buffer **buffer, size_t *capacity, int64_t rows,
                          int64_t columns, size_t size)
{
    size_t bytes;

    /* `size` becomes the bytes to allocate. */
    if (!dgm_size_mul(&bytes, (size_t)rows, (size_t)columns) ||
        !dgm_size_mul(&bytes, bytes, size) || !dgm_size_add(&size, bytes, bytes / 4))
        return dgm_fail(env, DGM_MEMORY, "%lld x %lld scores do not fit into memory",
                        (long long)rows, (long long)columns);
    if (bytes <= *capacity)
        return DGM_OK;
    dgm_device_release(env, narrow->device, *buffer);
    *buffer = NULL;
    *capacity = 0;
    DGM_TRY(dgm_device_alloc(env, narrow->device, buffer, size));
    *capacity = size;
    return DGM_OK;
}

static void release_rows(struct dgm_env *env, struct dgm_narrow_output *narrow)
{
    if (narrow->device == NULL)
        return;
    dgm_device_release(env, narrow->device, narrow->weight);
    dgm_device_release(env, narrow->device, narrow->bias);
    narrow->weight = narrow->bias = NULL;
    narrow->rows = 0;
}

/* A matrix held as the whole one is: in reals or in fewer bits. It is addressed as reals in any
 * case: these must be numbered. */
static dgm_status allocate_weight(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                  int64_t rows)
{
    const struct dgm_params *params = &narrow->net->params;
    const struct dgm_param *param = &params->items[narrow->net->output];
    struct dgm_device *device = narrow->device;
    const struct dgm_ref alone = { NULL, 0 };
    size_t bytes;

    if (!dgm_size_mul(&bytes, (size_t)rows, (size_t)param->cols) ||
        !dgm_size_mul(&bytes, bytes, sizeof(dgm_real)))
        return dgm_fail(env, DGM_MEMORY, "weights of %lld x %lld do not fit into memory",
                        (long long)rows, (long long)param->cols);
    if (param->weights == NULL)
        return dgm_device_alloc(env, device, &narrow->weight, bytes);
    return device->ops->alloc_weights(env, device, &narrow->weight, alone, params->held, rows,
                                      param->cols);
}

/* A quarter more than are needed, but never more than any batch has. */
static dgm_status reserve_rows(struct dgm_env *env, struct dgm_narrow_output *narrow, int64_t count)
{
    const int64_t more = count + count / 4, room = narrow->choice->room;
    const int64_t rows = more < room ? more : room;

    if (count <= narrow->rows)
        return DGM_OK;
    release_rows(env, narrow);
    DGM_TRY(allocate_weight(env, narrow, rows));
    if (narrow->net->output_bias >= 0)
        DGM_TRY(
            dgm_device_alloc(env, narrow->device, &narrow->bias, (size_t)rows * sizeof(dgm_real)));
    narrow->rows = rows;
    return DGM_OK;
}

void dgm_narrow_output_clear(struct dgm_env *env, struct dgm_narrow_output *narrow)
{
    release_rows(env, narrow);
    if (narrow->device != NULL) {
        dgm_device_release(env, narrow->device, narrow->numbers);
        dgm_device_release(env, narrow->device, narrow->owners);
        dgm_device_release(env, narrow->device, narrow->scores);
        dgm_device_release(env, narrow->device, narrow->logits);
    }
    memset(narrow, 0, sizeof *narrow);
}

/* ---- a batch --------------------------------------------------------------------------------- */

/* Hypotheses of a group, about. With fewer, a product takes longer for each; with more, it has more
 * columns that are not wanted. 5 to 80 differed little where it was measured (AVX-512; D 160 and V
 * 3,200, D 512 and V 9,700): larger vocabularies want small groups, small caches large ones. */
enum { GROUP_ROWS = 20 };

int32_t dgm_narrow_output_group(const struct dgm_device *device, int beam)
{
    if (device->threads ==
        0) /* of its own kind: one large product is better than many small ones */
        return INT32_MAX;
    return beam < GROUP_ROWS ? GROUP_ROWS / beam : 1;
}

static int64_t count_ids(const struct dgm_narrow_output *narrow)
{
    return narrow->choice->starts[narrow->choice->groups];
}

static size_t ids_bytes(const struct dgm_narrow_output *narrow)
{
    const size_t bytes = (size_t)count_ids(narrow) * sizeof(int32_t);

    return (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
}

static dgm_status send_numbers(struct dgm_env *env, struct dgm_narrow_output *narrow)
{
    const struct dgm_shortlist_choice *choice = narrow->choice;
    const size_t lists = (size_t)(choice->sentences * choice->width) * sizeof *choice->lists;
    struct dgm_ref to = { NULL, 0 };

    DGM_TRY(reserve(env, narrow, &narrow->numbers, &narrow->numbers_bytes, 1,
                    (int64_t)(ids_bytes(narrow) + lists), 1));
    to.buffer = narrow->numbers;
    DGM_TRY(dgm_device_write(env, narrow->device, to, choice->ids,
                             (size_t)count_ids(narrow) * sizeof *choice->ids));
    to.offset = ids_bytes(narrow);
    return dgm_device_write(env, narrow->device, to, choice->lists, lists);
}

/* The rows of a parameter that choice->ids name. */
static dgm_status copy_rows(struct dgm_env *env, const struct dgm_narrow_output *narrow,
                            struct dgm_buffer *to, dgm_param_id from, int64_t dim)
{
    struct dgm_copy_rows_args args = { .y.buffer = to };

    args.x = dgm_params_ref(&narrow->net->params, from);
    args.index.buffer = narrow->numbers;
    args.rows = count_ids(narrow);
    args.dim = args.ldy = args.ldx = dim;
    return dgm_device_run(env, narrow->device, DGM_TASK_copy_rows, &args);
}

static int64_t width_of(const struct dgm_net *net)
{
    return net->params.items[net->output].cols;
}

dgm_status dgm_narrow_output_begin(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                   const struct dgm_net *net, struct dgm_device *device,
                                   const struct dgm_shortlist_choice *choice)
{
    narrow->net = net;
    narrow->device = device;
    narrow->choice = choice;
    DGM_TRY(reserve_rows(env, narrow, count_ids(narrow)));
    DGM_TRY(send_numbers(env, narrow));
    DGM_TRY(copy_rows(env, narrow, narrow->weight, net->output, width_of(net)));
    return narrow->bias != NULL ? copy_rows(env, narrow, narrow->bias, net->output_bias, 1)
                                : DGM_OK;
}

/* ---- a step ---------------------------------------------------------------------------------- */

/* Hypotheses first .. end-1, which are those of a group. */
static dgm_status multiply(struct dgm_env *env, const struct dgm_narrow_output *narrow,
                           struct dgm_ref states, int64_t first, int64_t end, int32_t group)
{
    const struct dgm_shortlist_choice *choice = narrow->choice;
    const int64_t dim = width_of(narrow->net), start = choice->starts[group];
    struct dgm_gemm_args args = { .form = DGM_NT,
                                  .m = end - first,
                                  .n = choice->starts[group + 1] - start,
                                  .k = dim,
                                  .lda = dim,
                                  .ldb = dim,
                                  .ldc = choice->largest,
                                  .batch = 1,
                                  .alpha = 1,
                                  .a = dgm_ref_at(states, (size_t)(first * dim) * sizeof(dgm_real)),
                                  .b.buffer = narrow->weight,
                                  .b.offset = (size_t)(start * dim) * sizeof(dgm_real),
                                  .c.buffer = narrow->logits };

    args.c.offset = (size_t)(first * args.ldc) * sizeof(dgm_real);
    args.bias.buffer = narrow->bias;
    args.bias.offset = (size_t)start * sizeof(dgm_real);
    return dgm_device_run(env, narrow->device, DGM_TASK_gemm, &args);
}

static dgm_status multiply_groups(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                  struct dgm_ref states, const int32_t *sentences, int64_t count)
{
    const struct dgm_shortlist_choice *choice = narrow->choice;
    int64_t first = 0, end;

    DGM_TRY(reserve(env, narrow, &narrow->logits, &narrow->logits_bytes, count, choice->largest,
                    sizeof(dgm_real)));
    for (; first < count; first = end) {
        const int32_t group = sentences[first] / choice->size;

        for (end = first + 1; end < count && sentences[end] / choice->size == group;)
            end++;
        DGM_TRY(multiply(env, narrow, states, first, end, group));
    }
    return DGM_OK;
}

dgm_status dgm_narrow_output_score(struct dgm_env *env, struct dgm_narrow_output *narrow,
                                   struct dgm_ref states, const int32_t *sentences, int64_t count,
                                   struct dgm_ref *lists)
{
    const size_t bytes = (size_t)count * sizeof *sentences;
    struct dgm_pick_columns_args args = { .rows = count,
                                          .width = narrow->choice->width,
                                          .ldx = narrow->choice->largest,
                                          .missing = -(dgm_real)INFINITY };

    DGM_TRY(multiply_groups(env, narrow, states, sentences, count));
    DGM_TRY(
        reserve(env, narrow, &narrow->owners, &narrow->owners_bytes, 1, count, sizeof *sentences));
    DGM_TRY(reserve(env, narrow, &narrow->scores, &narrow->scores_bytes, count, args.width,
                    sizeof(dgm_real)));
    args.x.buffer = narrow->logits;
    args.y.buffer = narrow->scores;
    args.owners.buffer = narrow->owners;
    args.index.buffer = narrow->numbers;
    args.index.offset = ids_bytes(narrow);
    DGM_TRY(dgm_device_write(env, narrow->device, args.owners, sentences, bytes));
    *lists = args.y;
    return dgm_device_run(env, narrow->device, DGM_TASK_pick_columns, &args);
}
