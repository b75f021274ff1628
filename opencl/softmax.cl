/*
 * softmax.cl: rows of scores over the vocabulary: cross-entropy (specification 1.8), log softmax,
 * the sum of log probabilities, columns of rows. A group handles one row.
 */
#include "softmax.clh"

/* ---- cross-entropy ------------------------------------------------------------------------- */

/*
 * The target distribution has `base` on every entry and `extra` more on the target. losses (N,2);
 * with want_gradient, logits become grad_scale (softmax - distribution).
 */
kernel void cross_entropy(OPERAND(real, logits), OPERAND(real, losses), OPERAND(const int, targets),
                          const int vocab, const real base, const real extra, const real grad_scale,
                          const int want_gradient)
{
    OPEN(real, logits);
    OPEN(real, losses);
    OPEN(const int, targets);
    GROUP_SCRATCH(scratch);
    const long row = get_group_id(0);
    const int target = targets[row];
    global real *x = logits + row * vocab;
    const real score = x[target], pivot = isfinite(x[0]) ? x[0] : 0;
    const struct totals totals = read_row(x, vocab, pivot, want_gradient ? x : 0, SCRATCH);
    const real log_sum = log(totals.sum), factor = grad_scale / totals.sum;
    const real plain = log_sum - (score - totals.largest);

    if (LANE == 0) {
        losses[2 * row] = (base > 0 ? base * (vocab * log_sum - totals.shifted) : 0) +
                          extra * plain;
        losses[2 * row + 1] = plain;
    }
    BEFORE_WRITING;
    if (!want_gradient)
        return;
    EACH_VECTOR(j, vocab) {
        vreal e = load_part(x + j, vocab - j, 0);

#if LANES > 1
        e = exp(e - totals.largest);
#endif
        store_part(e * factor - grad_scale * base, x + j, vocab - j);
    }
    if (target / VEC % LANES == LANE) /* who wrote it */
        x[target] -= grad_scale * extra;
}

/* ---- log softmax --------------------------------------------------------------------------- */

kernel void log_softmax(OPERAND(real, y), OPERAND(const real, x), const int vocab)
{
    OPEN(real, y);
    OPEN(const real, x);
    GROUP_SCRATCH(scratch);
    const long at = (long)get_group_id(0) * vocab;
    const struct totals totals = read_row(x + at, vocab, 0, 0, SCRATCH);
    const real log_sum = log(totals.sum);

    EACH_VECTOR(j, vocab) {
        const vreal v = load_part(x + at + j, vocab - j, 0);

        store_part((v - totals.largest) - log_sum, y + at + j, vocab - j);
    }
}

/* y = log(exp(y) + exp(x)); two impossible events differ by nothing and stay impossible. */
kernel void log_add(OPERAND(real, y), OPERAND(const real, x), const long total)
{
    OPEN(real, y);
    OPEN(const real, x);
    vreal a, b, rest;

    BEGIN;
    a = load_part(y + at, count, 0);
    b = load_part(x + at, count, 0);
    rest = a == b ? (vreal)0 : a > b ? b - a : a - b;
    store_part((a > b ? a : b) + log(exp(rest) + 1), y + at, count);
}

/* ---- columns ------------------------------------------------------------------------------- */

kernel void pick_columns(OPERAND(real, y), OPERAND(const real, x), OPERAND(const int, index),
                         OPERAND(const int, owners), const int width, const long ldx,
                         const real missing)
{
    OPEN(real, y);
    OPEN(const real, x);
    OPEN(const int, index);
    OPEN(const int, owners);
    const int row = get_group_id(0);
    global const int *list = index + (long)owners[row] * width;

    for (int j = LANE; j < width; j += LANES)
        y[(long)row * width + j] = list[j] < 0 ? missing : x[row * ldx + list[j]];
}
