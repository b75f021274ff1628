/*
 * pair_softmax.cl: rows of scores over the pairs of a sentence: cross-entropy, log softmax. A group
 * handles rows of one sentence.
 */
#include "softmax.clh"

/* enum dgm_pair_mask of task.h */
enum { PAIRS_ALL, PAIRS_NOT_SELF, PAIRS_CAUSAL };

/*
 * Groups (s, part) handle rows part, part + parts, ... of the block of sentence s. What the mask
 * hides in row i is cut off, or made -infinity by the work-item that alone reads it.
 */
kernel void pair_loss(OPERAND(real, scores), OPERAND(real, losses), OPERAND(const int, targets),
                      OPERAND(const int, offsets), OPERAND(const int, squares),
                      const real grad_scale, const int mask, const int want_gradient)
{
    OPEN(real, scores);
    OPEN(real, losses);
    OPEN(const int, targets);
    OPEN(const int, offsets);
    OPEN(const int, squares);
    GROUP_SCRATCH(scratch);
    const int s = get_group_id(0), first = offsets[s], n = offsets[s + 1] - first;

    for (int i = get_group_id(1); i < n; i += get_num_groups(1)) {
        global real *x = scores + squares[s] + (long)i * n;
        const int target = targets[first + i], seen = mask == PAIRS_CAUSAL ? i + 1 : n;
        const int hides = mask == PAIRS_NOT_SELF && i / VEC % LANES == LANE;
        const real own = hides ? x[i] : 0, score = target >= 0 ? x[target] : 0;
        struct totals totals;
        real factor;

        if (hides)
            x[i] = -INFINITY;
        totals = read_row(x, seen, 0, want_gradient ? x : 0, SCRATCH);
        factor = grad_scale / totals.sum;
        BEFORE_WRITING;
        if (LANE == 0)
            losses[first + i] = target < 0 ? 0 : log(totals.sum) - (score - totals.largest);
        if (!want_gradient && hides)
            x[i] = own;
        EACH_VECTOR(j, want_gradient ? seen : 0) {
            vreal e = load_part(x + j, seen - j, 0);

#if LANES > 1
            e = exp(e - totals.largest);
#endif
            store_part(target < 0 ? (vreal)0 : e * factor, x + j, seen - j);
        }
        if (want_gradient && target >= 0 && target / VEC % LANES == LANE)
            x[target] -= grad_scale;
        for (int j = (want_gradient ? seen : n) + LANE; j < n; j += LANES)
            x[j] = 0;
    }
}

kernel void pair_log_softmax(OPERAND(real, y), OPERAND(const int, offsets),
                             OPERAND(const int, squares), const int mask)
{
    OPEN(real, y);
    OPEN(const int, offsets);
    OPEN(const int, squares);
    GROUP_SCRATCH(scratch);
    const int s = get_group_id(0), n = offsets[s + 1] - offsets[s];

    for (int i = get_group_id(1); i < n; i += get_num_groups(1)) {
        global real *x = y + squares[s] + (long)i * n;
        const int seen = mask == PAIRS_CAUSAL ? i + 1 : n;
        const int alone = mask == PAIRS_NOT_SELF && n == 1; /* nothing to be normalised */
        struct totals totals;
        real log_sum;

        if (mask == PAIRS_NOT_SELF && i / VEC % LANES == LANE)
            x[i] = -INFINITY;
        totals = read_row(x, seen, 0, 0, SCRATCH);
        log_sum = log(totals.sum);
        EACH_VECTOR(j, alone ? 0 : seen) {
            const vreal v = load_part(x + j, seen - j, 0);

            store_part((v - totals.largest) - log_sum, x + j, seen - j);
        }
        for (int j = seen + LANE; j < n; j += LANES)
            x[j] = -INFINITY;
    }
}
