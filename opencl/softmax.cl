/*
 * softmax.cl: rows of scores, over the vocabulary or over the pairs of a sentence: cross-entropy
 * (specification 1.8), log softmax, the k best. A group handles one row, or rows of one sentence.
 *
 * A processor walks over a row, which stays in its cache, once for the largest score and once for
 * the sum of exponentials. On a GPU each work-item keeps both as it reads, and corrects the sum
 * when it meets a larger score: the row is read once.
 */

/* Of one row, with M its largest score; NaN is passed over there, and stays in the sums. */
struct totals {
    real largest; /* M */
    real sum;     /* of exp(x - M) */
    real shifted; /* of x - M */
};

#if LANES == 1
#define BEFORE_WRITING
#else
/* Work-items have read the scores that others are about to write to. */
#define BEFORE_WRITING barrier(CLK_GLOBAL_MEM_FENCE)
#endif

#if LANES == 1
#define SCRATCH 0

INLINE vreal larger(vreal a, vreal b)
{
    return a > b ? a : b;
}

/*
 * pivot: a score of the row, or 0: what is taken from scores before they are added up, so that
 * these sums stay small. With `kept`, exp(x - M) is stored there; it may be x.
 */
INLINE struct totals read_row(global const real *x, int n, real pivot, global real *kept,
                              local real *scratch)
{
    vreal even = -INFINITY, odd = -INFINITY, shifted = 0, sum = 0;
    struct totals totals;
    int j = 0;

    (void)scratch;
    for (; j + 2 * VEC <= n; j += 2 * VEC) {
        const vreal a = VLOAD(x + j), b = VLOAD(x + j + VEC);

        even = larger(a, even);
        odd = larger(b, odd);
        shifted += (a - pivot) + (b - pivot);
    }
    for (; j < n; j += VEC) {
        const vreal v = load_part(x + j, n - j, pivot);

        even = larger(load_part(x + j, n - j, -INFINITY), even);
        shifted += v - pivot;
    }
    totals.largest = vector_max(larger(even, odd));
    totals.shifted = vector_sum(shifted) - n * (totals.largest - pivot);
    for (j = 0; j + VEC <= n; j += VEC) {
        const vreal e = exp(VLOAD(x + j) - totals.largest);

        sum += e;
        if (kept)
            VSTORE(e, kept + j);
    }
    if (j < n) {
        const vreal e = exp(load_part(x + j, n - j, -INFINITY) - totals.largest);

        sum += e;
        if (kept)
            store_part(e, kept + j, n - j);
    }
    totals.sum = vector_sum(sum);
    return totals;
}

#else
#define SCRATCH scratch

/* Four vectors at a time, so that loads overlap and corrections are few. */
INLINE struct totals read_row(global const real *x, int n, real pivot, global real *kept,
                              local real *scratch)
{
    vreal most = -INFINITY, shifted = 0, sum = 0;
    struct totals totals;

    (void)kept;
    for (int j = LANE * VEC; j < n; j += 4 * LANES * VEC) {
        vreal v[4], next = most, shift;

#pragma unroll
        for (int u = 0; u < 4; u++) {
            const int at = j + u * LANES * VEC;

            v[u] = load_part(x + at, n - at, -INFINITY);
            shifted += load_part(x + at, n - at, pivot) - pivot;
            next = fmax(next, v[u]);
        }
        /* Before the first number, exponents are -infinity whatever they are shifted by. */
        shift = next == (vreal)-INFINITY ? (vreal)0 : next;
        sum *= exp(most - shift);
#pragma unroll
        for (int u = 0; u < 4; u++)
            sum += exp(v[u] - shift);
        most = next;
    }
    totals.largest = group_max(vector_max(most), scratch);
    totals.sum = group_sum(vector_sum(sum * exp(most - totals.largest)), scratch);
    totals.shifted = group_sum(vector_sum(shifted), scratch) - n * (totals.largest - pivot);
    return totals;
}

#endif

/* ---- cross-entropy ------------------------------------------------------------------------- */

/*
 * The target distribution has `base` on every entry and `extra` more on the target. losses (N,2);
 * with want_gradient, logits become grad_scale (softmax - distribution).
 */
kernel void cross_entropy(OPERAND(real, logits), OPERAND(real, losses),
                          OPERAND(const int, targets), const int vocab, const real base,
                          const real extra, const real grad_scale, const int want_gradient)
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

#if LANES > 1
    barrier(CLK_GLOBAL_MEM_FENCE); /* every work-item has its score before one overwrites it */
#endif
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
    const long at = (long)get_global_id(0) * VEC;
    const int count = (int)min(total - at, (long)VEC);
    vreal a, b, rest;

    if (count <= 0)
        return;
    a = load_part(y + at, count, 0);
    b = load_part(x + at, count, 0);
    rest = a == b ? (vreal)0 : a > b ? b - a : a - b;
    store_part((a > b ? a : b) + log(exp(rest) + 1), y + at, count);
}

/* ---- pairs --------------------------------------------------------------------------------- */

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

/* ---- the k best ---------------------------------------------------------------------------- */

#if LANES == 1

#if VEC > 1
#define ANY(condition) any(condition)
#else
#define ANY(condition) (condition)
#endif

/* The best so far, best first, in the row's own output; ids of those forbidden are never there. */
struct list {
    global real *values;
    global int *ids;
    int count, k, forbidden0, forbidden1;
};

INLINE int is_better(real a, real b)
{
    return a > b || (isnan(b) && !isnan(a));
}

/* Of equals, the one that was offered first stays ahead. */
static void offer(struct list *list, real value, int id)
{
    int at;

    if (id == list->forbidden0 || id == list->forbidden1)
        return;
    if (list->count < list->k)
        at = list->count++;
    else if (is_better(value, list->values[list->k - 1]))
        at = list->k - 1;
    else
        return;
    for (; at > 0 && is_better(value, list->values[at - 1]); at--) {
        list->values[at] = list->values[at - 1];
        list->ids[at] = list->ids[at - 1];
    }
    list->values[at] = value;
    list->ids[at] = id;
}

/* Once the list is full of numbers, most vectors hold nothing that could enter it. */
INLINE void scan(struct list *list, global const real *x, int vocab)
{
    int j = 0;

    while (j < vocab) {
        real last = list->count == list->k ? list->values[list->k - 1] : NAN;

        if (!isnan(last)) {
            while (j + 4 * VEC <= vocab) {
                const vint above = (VLOAD(x + j) > last) | (VLOAD(x + j + VEC) > last) |
                                   (VLOAD(x + j + 2 * VEC) > last) |
                                   (VLOAD(x + j + 3 * VEC) > last);

                if (ANY(above))
                    break;
                j += 4 * VEC;
            }
        }
        for (const int end = min(vocab, j + 4 * VEC); j < end; j++)
            offer(list, x[j], j);
    }
}

kernel void top_k(OPERAND(real, values), OPERAND(int, ids), OPERAND(const real, x),
                  const int vocab, const int k, const int forbidden0, const int forbidden1,
                  const int normalize)
{
    OPEN(real, values);
    OPEN(int, ids);
    OPEN(const real, x);
    const long row = get_group_id(0);
    struct list list = { values + row * k, ids + row * k, 0, k, forbidden0, forbidden1 };
    struct totals totals = { 0, 1, 0 };

    if (normalize)
        totals = read_row(x + row * vocab, vocab, 0, 0, SCRATCH);
    scan(&list, x + row * vocab, vocab);
    for (int i = 0; i < list.count && normalize; i++)
        list.values[i] = (list.values[i] - totals.largest) - log(totals.sum);
    for (int i = list.count; i < k; i++) {
        list.values[i] = -INFINITY;
        list.ids[i] = -1;
    }
}

#else

/*
 * A score and its index as one number, larger for what is chosen earlier: larger scores, of equals
 * the smaller index, NaN after all numbers. 0: nothing.
 */
INLINE ulong rank_of(real x, int id, int forbidden0, int forbidden1)
{
    const uint bits = as_uint(x == 0 ? 0.0f : x); /* -0 is equal to 0 */
    const uint order = isnan(x) ? 0 : bits >> 31 ? ~bits : bits | 0x80000000u;

    if (id == forbidden0 || id == forbidden1)
        return 0;
    return (ulong)order << 32 | (uint)~id;
}

INLINE int rank_id(ulong rank)
{
    return (int)~(uint)rank;
}

INLINE ulong group_first(ulong rank, local ulong *ranks)
{
    ulong first;

    ranks[LANE] = rank;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = LANES / 2; step > 0; step /= 2) {
        if (LANE < step)
            ranks[LANE] = max(ranks[LANE], ranks[LANE + step]);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    first = ranks[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return first;
}

/*
 * Each work-item keeps the best of the scores LANE, LANE + LANES, ... When that is chosen, the
 * whole group looks for the next best among them. ranks: LANES places; a parameter, because
 * PoCL 3.1 was seen to hand one such array, declared in here, to two groups at a time.
 */
kernel void top_k(OPERAND(real, values), OPERAND(int, ids), OPERAND(const real, x_all),
                  const int vocab, const int k, const int forbidden0, const int forbidden1,
                  const int normalize, local ulong *ranks)
{
    OPEN(real, values);
    OPEN(int, ids);
    OPEN(const real, x_all);
    const long row = get_group_id(0);
    global const real *x = x_all + row * vocab;
    struct totals totals = { 0, 1, 0 };
    ulong mine = 0;

    if (normalize)
        totals = read_row(x, vocab, 0, 0, (local real *)ranks);
    for (int j = LANE; j < vocab; j += LANES)
        mine = max(mine, rank_of(x[j], j, forbidden0, forbidden1));
    for (int i = 0; i < k; i++) {
        const ulong first = group_first(mine, ranks);
        const int id = first > 0 ? rank_id(first) : -1, owner = id & (LANES - 1);
        const int end = first > 0 ? vocab : 0;
        ulong next = 0;

        if (LANE == 0) {
            const real value = id >= 0 ? x[id] : -INFINITY;

            values[row * k + i] = normalize && id >= 0
                                      ? (value - totals.largest) - log(totals.sum) : value;
            ids[row * k + i] = id;
        }
        for (int j = owner + LANE * LANES; j < end; j += LANES * LANES) {
            const ulong rank = rank_of(x[j], j, forbidden0, forbidden1);

            next = max(next, rank < first ? rank : 0);
        }
        next = group_first(next, ranks);
        mine = LANE == owner ? next : mine;
    }
}

#endif
