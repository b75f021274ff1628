/*
 * lstm.c: the layout of what an LSTM saves, and the matrix products of its steps, for all devices.
 */
#include "device/lstm.h"

static struct dgm_ref at(struct dgm_ref ref, int64_t reals)
{
    return dgm_ref_at(ref, (size_t)reals * sizeof(dgm_real));
}

static struct dgm_ref take(struct dgm_ref *from, int64_t reals)
{
    struct dgm_ref part = *from;

    *from = at(part, reals);
    return part;
}

struct dgm_lstm_parts dgm_lstm_parts(struct dgm_ref saved, const struct dgm_lstm *core)
{
    struct dgm_lstm_parts parts;

    parts.gates = take(&saved, core->rows * 8 * core->dim);
    parts.c = take(&saved, core->rows * 2 * core->dim);
    parts.before = take(&saved, core->rows * 2 * core->dim);
    parts.keep = take(&saved, core->sequences * 2 * core->dim);
    parts.dnext = take(&saved, core->sequences * 2 * core->dim);
    parts.dc = saved;
    return parts;
}

int64_t dgm_lstm_active(const struct dgm_lstm *core, int64_t t)
{
    return t >= 0 && t < core->steps ? core->active[t] : 0;
}

struct dgm_lstm_step dgm_lstm_step(const struct dgm_lstm *core, int64_t t, int64_t first)
{
    struct dgm_lstm_step step;

    step.t = t;
    step.active = dgm_lstm_active(core, t);
    step.later = dgm_lstm_active(core, t + 1);
    step.first = first;
    step.last = first - dgm_lstm_active(core, t - 1);
    step.next = first + step.active;
    return step;
}

/*
 * The products are batches of two: both directions stand side by side in each row, so direction 1
 * begins H columns further on (4H in rows of gates). The weight (2,4H,H) has one matrix for each.
 *
 * (active,4H) = (active,H) (4H,H)^T
 */
struct dgm_gemm_args dgm_lstm_gates_product(const struct dgm_lstm *core,
                                            const struct dgm_lstm_parts *parts,
                                            struct dgm_ref weight, const struct dgm_lstm_step *step)
{
    const int64_t dim = core->dim;
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = at(parts->gates, step->first * 8 * dim);
    gemm.a = at(parts->before, step->first * 2 * dim);
    gemm.b = weight;
    gemm.form = DGM_NT;
    gemm.m = step->active;
    gemm.n = gemm.stride_c = 4 * dim;
    gemm.k = gemm.ldb = gemm.stride_a = dim;
    gemm.lda = 2 * dim;
    gemm.ldc = 8 * dim;
    gemm.batch = 2;
    gemm.stride_b = 4 * dim * dim;
    gemm.alpha = 1;
    return gemm;
}

/* (active,H) = (active,4H) (4H,H) */
struct dgm_gemm_args dgm_lstm_next_product(const struct dgm_lstm *core,
                                           const struct dgm_lstm_parts *parts,
                                           struct dgm_ref weight, const struct dgm_lstm_step *step)
{
    const int64_t dim = core->dim;
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = parts->dnext;
    gemm.a = at(parts->gates, step->first * 8 * dim);
    gemm.b = weight;
    gemm.form = DGM_NN;
    gemm.m = step->active;
    gemm.n = gemm.ldb = gemm.stride_c = dim;
    gemm.k = gemm.stride_a = 4 * dim;
    gemm.lda = 8 * dim;
    gemm.ldc = 2 * dim;
    gemm.batch = 2;
    gemm.stride_b = 4 * dim * dim;
    gemm.alpha = 1;
    return gemm;
}

/*
 * (4H,H) = (rows,4H)^T (rows,H), one product for all steps instead of one for each. The rows of
 * step 0, which come first, are left out: nothing came before them.
 */
struct dgm_gemm_args dgm_lstm_weight_product(const struct dgm_lstm_backward_args *args,
                                             const struct dgm_lstm_parts *parts)
{
    const int64_t dim = args->core.dim, first = dgm_lstm_active(&args->core, 0);
    struct dgm_gemm_args gemm = { 0 };

    gemm.c = args->dweight;
    gemm.a = at(parts->gates, first * 8 * dim);
    gemm.b = at(parts->before, first * 2 * dim);
    gemm.form = DGM_TN;
    gemm.m = gemm.stride_a = 4 * dim;
    gemm.n = gemm.ldc = gemm.stride_b = dim;
    gemm.k = args->core.rows - first;
    gemm.lda = 8 * dim;
    gemm.ldb = 2 * dim;
    gemm.batch = 2;
    gemm.stride_c = 4 * dim * dim;
    gemm.alpha = 1;
    gemm.beta = args->accumulate_weight ? 1 : 0;
    return gemm;
}
