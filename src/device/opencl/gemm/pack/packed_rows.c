/*
 * packed_rows.c: a table of the rows that were packed by the kernels that made them.
 */
#include "device/opencl/gemm/pack/packed_rows.h"

#include <string.h>

#include "base/mem.h"
#include "device/opencl/core/stretch.h"
#include "device/opencl/core/tensor_way.h"
#include "device/opencl/gemm/pack/pack.h"
#include "device/task_shape.h"

/* Reals of rows that are packed, at most: 6,144 rows of 2,048. Products of no more lines than a
 * fragment has take them as they lie. */
enum { MOST_REALS = 12 << 20 };

/* Of what is compared on a kernel's first time. */
enum { MOST_COMPARED = 1 << 20 };

/* As in opencl/packed.clh. */
static int way_of(const struct dgm_opencl *opencl)
{
    return opencl->precision == DGM_BF16 ? opencl->traits.tensor + 1 : DGM_CL_TENSOR_WAYS + 1;
}

/* Bytes of a packed real are two, or four. */
static size_t most_bytes(const struct dgm_opencl *opencl)
{
    return (size_t)MOST_REALS * 4 / (size_t)dgm_cl_steps_of_word(opencl);
}

/* ---- places --------------------------------------------------------------------------------- */

static struct dgm_cl_stretch rows_of(const struct dgm_cl_packed *packed)
{
    return dgm_cl_stretch_of(packed->from, packed->rows * packed->columns);
}

/*
 * Whose place is taken: an empty one; else the oldest of those that the product right behind them
 * has read. Others are read later, and again: those of an encoder by each layer of a decoder. If
 * all are such, the oldest. The last one may be read yet, and another one is being read.
 */
static int choose_place(const struct dgm_opencl *opencl)
{
    int best = -1;

    for (int i = 0; i < DGM_CL_PACKED_PLACES; i++) {
        const struct dgm_cl_packed *const a = &opencl->packed[i];
        const struct dgm_cl_packed *const b = best >= 0 ? &opencl->packed[best] : NULL;

        if (!a->is_there)
            return i;
        if (a->made == opencl->packed_count || i == opencl->packed_reading)
            continue;
        if (b == NULL || (a->is_read_at_once && !b->is_read_at_once) ||
            (a->is_read_at_once == b->is_read_at_once && a->made < b->made))
            best = i;
    }
    return best;
}

struct dgm_cl_packing dgm_cl_packing_begin(struct dgm_env *env, struct dgm_opencl *opencl,
                                           enum dgm_cl_kernel_id id, struct dgm_ref from,
                                           int64_t rows, int64_t columns, int fits)
{
    const struct dgm_cl_packing none = { .place = -1 };
    struct dgm_cl_packing packing = { .from = from, .rows = rows, .columns = columns };
    struct dgm_env quiet = dgm_env_quiet(env);
    size_t bytes;

    if (!fits || opencl->precision == DGM_F32 || opencl->packs_not[id] || rows <= DGM_LINES ||
        columns % (DGM_WORDS * DGM_STAGE_DEPTH * dgm_cl_steps_of_word(opencl)) != 0)
        return none;
    packing.depth = dgm_cl_depth_of(opencl, columns);
    bytes = dgm_cl_packed_bytes(rows, packing.depth);
    if (bytes > most_bytes(opencl))
        return none;
    packing.place = choose_place(opencl);
    opencl->packed[packing.place].is_there = 0;
    if (dgm_cl_reserve_in(&quiet, opencl, &opencl->packed[packing.place].room, &packing.to,
                          bytes) != DGM_OK)
        return none;
    return packing;
}

void dgm_cl_packing_push(struct dgm_launch *launch, const struct dgm_cl_packing *packing)
{
    dgm_launch_ref(launch, packing->to);
    dgm_launch_int(launch, packing->depth);
    dgm_launch_int(launch, packing->to.buffer != NULL ? way_of(launch->opencl) : 0);
}

/* ---- the first time ------------------------------------------------------------------------- */

/* Whole blocks of lines: what lies behind the last row is not written. */
static int64_t compared_rows(const struct dgm_cl_packing *packing)
{
    const int64_t bytes = packing->depth * DGM_FRAGMENT_BYTES;
    const int64_t most = MOST_COMPARED / bytes > 0 ? MOST_COMPARED / bytes : 1;
    const int64_t blocks = packing->rows / DGM_LINES;

    return (blocks < most ? blocks : most) * DGM_LINES;
}

/* What the launch that packs makes of the rows. */
static dgm_status pack_again(struct dgm_env *env, struct dgm_opencl *opencl,
                             const struct dgm_cl_packing *packing, int64_t rows, struct dgm_ref *to)
{
    struct dgm_cl_operand operand = { .from = packing->from,
                                      .lines = rows,
                                      .k = packing->columns,
                                      .ld = packing->columns,
                                      .depth = packing->depth,
                                      .by_step = 1 };

    DGM_TRY(dgm_cl_reserve(env, opencl, to, dgm_cl_packed_bytes(rows, packing->depth)));
    operand.to = *to;
    return dgm_cl_pack(env, opencl, &operand, 1, 1);
}

static dgm_status compare(struct dgm_env *env, struct dgm_opencl *opencl,
                          const struct dgm_cl_packing *packing, int *is_same)
{
    const int64_t rows = compared_rows(packing);
    const size_t bytes = dgm_cl_packed_bytes(rows, packing->depth);
    unsigned char *both = dgm_alloc(env, 2, bytes);
    dgm_status status = DGM_OK;
    struct dgm_ref again;

    if (both == NULL)
        return DGM_MEMORY;
    DGM_TRY_OUT(pack_again(env, opencl, packing, rows, &again));
    DGM_TRY_OUT(dgm_cl_memory_read(env, &opencl->device, both, packing->to, bytes));
    DGM_TRY_OUT(dgm_cl_memory_read(env, &opencl->device, both + bytes, again, bytes));
    *is_same = memcmp(both, both + bytes, bytes) == 0;
out:
    dgm_release(env, both);
    return status;
}

dgm_status dgm_cl_packing_end(struct dgm_env *env, struct dgm_opencl *opencl,
                              enum dgm_cl_kernel_id id, const struct dgm_cl_packing *packing)
{
    struct dgm_cl_packed *packed;
    int is_same = 1;

    if (packing->to.buffer == NULL)
        return DGM_OK;
    if (!opencl->packs[id])
        DGM_TRY(compare(env, opencl, packing, &is_same));
    opencl->packs[id] = (char)is_same;
    opencl->packs_not[id] = (char)!is_same;
    if (!is_same) {
        dgm_log(env, DGM_LOG_WARNING,
                "%s: a kernel packs other numbers than those it stores; launches of their own pack",
                opencl->traits.name);
        return DGM_OK;
    }
    packed = &opencl->packed[packing->place];
    packed->is_there = 1;
    packed->is_read_at_once = 0;
    packed->from = packing->from;
    packed->rows = packing->rows;
    packed->columns = packing->columns;
    packed->made = ++opencl->packed_count;
    return DGM_OK;
}

/* ---- finding -------------------------------------------------------------------------------- */

/* The rows must begin with a fragment. */
static int has_rows(const struct dgm_cl_packed *packed, struct dgm_ref from, int64_t m, int64_t k)
{
    const size_t block = (size_t)(DGM_LINES * packed->columns) * sizeof(dgm_real);

    return packed->is_there && packed->from.buffer == from.buffer && packed->columns == k &&
           from.offset >= packed->from.offset && (from.offset - packed->from.offset) % block == 0 &&
           (int64_t)((from.offset - packed->from.offset) / block) * DGM_LINES + m <= packed->rows;
}

struct dgm_ref dgm_cl_packed_rows_find(struct dgm_opencl *opencl, struct dgm_ref from, int64_t m,
                                       int64_t k)
{
    struct dgm_ref to = { NULL, 0 };

    for (int i = 0; i < DGM_CL_PACKED_PLACES; i++) {
        struct dgm_cl_packed *const packed = &opencl->packed[i];

        if (!has_rows(packed, from, m, k))
            continue;
        packed->is_read_at_once |= packed->made == opencl->packed_count;
        opencl->packed_reading = i;
        to.buffer = packed->room;
        /* A real takes two bytes, or four. */
        to.offset = (from.offset - packed->from.offset) / (size_t)dgm_cl_steps_of_word(opencl);
    }
    return to;
}

/* ---- forgetting ----------------------------------------------------------------------------- */

void dgm_cl_packed_rows_forget(struct dgm_opencl *opencl, struct dgm_ref at, size_t bytes)
{
    const struct dgm_cl_stretch stretch = { at, bytes };

    for (int i = 0; i < DGM_CL_PACKED_PLACES; i++)
        if (opencl->packed[i].is_there &&
            dgm_cl_stretches_overlap(rows_of(&opencl->packed[i]), stretch))
            opencl->packed[i].is_there = 0;
}

/* Reals from each output's first to its last, in the order of the task's operands. */
struct reach {
    int64_t reals[3];
};

static struct reach reach_of_gemm(const struct dgm_gemm_args *args)
{
    const int64_t last = args->batch > 1 ? (args->batch - 1) * args->stride_c : 0;
    const struct reach reach = { { last + (args->m - 1) * args->ldc + args->n, args->m } };

    return reach;
}

/* Those of tasks that run between rows being made and being read, in most models; 0: of other tasks
 * it is not known. */
static int find_reach(enum dgm_task_kind kind, const void *args, struct reach *reach)
{
#define REACH(name, ...)                                 \
    case DGM_TASK_##name: {                              \
        const struct dgm_##name##_args *const of = args; \
                                                         \
        *reach = (struct reach){ { __VA_ARGS__ } };      \
        return 1;                                        \
    }
    switch (kind) {
    case DGM_TASK_gemm:
        *reach = reach_of_gemm(args);
        return 1;
        REACH(axpby, of->count)
        REACH(embed_forward, (of->rows - 1) * of->ldy + of->dim)
        REACH(residual_forward, of->rows * of->dim)
        REACH(norm_forward, of->rows * of->dim, 2 * of->rows)
        REACH(residual_norm_forward, of->rows * of->dim, 2 * of->rows, of->rows * of->dim)
        REACH(attention_forward, of->core.rows * of->core.ldz, of->core.rows * of->core.heads)
        REACH(cross_entropy, of->rows * of->vocab, 2 * of->rows)
    default: return 0;
    }
#undef REACH
}

/* Of other tasks, all that lies in the same buffer is forgotten. */
void dgm_cl_packed_rows_forget_outputs(struct dgm_opencl *opencl, enum dgm_task_kind kind,
                                       const void *args)
{
    const struct dgm_ref *operands = args;
    struct reach reach;
    int is_known;

    if (opencl->precision == DGM_F32)
        return;
    is_known = find_reach(kind, args, &reach);
    for (int i = 0; i < dgm_task_shape(kind)->outputs; i++) {
        const struct dgm_ref all = { operands[i].buffer, 0 };

        if (all.buffer == NULL)
            continue;
        if (is_known)
            dgm_cl_packed_rows_forget(opencl, operands[i],
                                      (size_t)reach.reals[i] * sizeof(dgm_real));
        else
            dgm_cl_packed_rows_forget(opencl, all, dgm_cl_memory_bytes(all.buffer));
    }
}

size_t dgm_cl_packed_rows_room(const struct dgm_opencl *opencl)
{
    return opencl->precision == DGM_F32
               ? 0
               : DGM_CL_PACKED_PLACES * dgm_cl_reserved(most_bytes(opencl));
}
