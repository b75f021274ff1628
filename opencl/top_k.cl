/*
 * top_k.cl: the k best scores of each row, as log probabilities where asked for. A group handles
 * one row.
 */
#include "softmax.clh"

#if LANES == 1

/* Whether a comparison holds anywhere. PoCL 3.1 makes a jump for each place of a vector of `any`,
 * of this one instruction. */
INLINE int holds_anywhere(vint condition)
{
#if VEC == 16
    const int8 eight = condition.lo | condition.hi;
    const int4 four = eight.lo | eight.hi;
    const int2 two = four.lo | four.hi;

    return two.x | two.y;
#elif VEC > 1
    return any(condition);
#else
    return condition;
#endif
}

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

/* Whether the list is full of numbers: then only larger ones than its last enter it. */
INLINE int is_settled(const struct list *list)
{
    return list->count == list->k && !isnan(list->values[list->k - 1]);
}

/* Where a vector begins, from j on, that holds what could enter the list; at the end, fewer than
 * four vectors before it. Most vectors hold nothing. */
INLINE int skip(const struct list *list, global const real *x, int j, int vocab)
{
    const real last = list->values[list->k - 1];

    for (; j + 4 * VEC <= vocab; j += 4 * VEC) {
        const vint above0 = VLOAD(x + j) > last, above1 = VLOAD(x + j + VEC) > last;
        const vint above2 = VLOAD(x + j + 2 * VEC) > last;

        if (!holds_anywhere(above0 | above1 | above2 | (VLOAD(x + j + 3 * VEC) > last)))
            continue;
        return j + (holds_anywhere(above0) ? 0
                    : holds_anywhere(above1) ? VEC
                    : holds_anywhere(above2) ? 2 * VEC
                                             : 3 * VEC);
    }
    return j;
}

ONCE void scan(struct list *list, global const real *x, int vocab)
{
    int j = 0;

    while (j < vocab) {
        if (is_settled(list))
            j = skip(list, x, j, vocab);
        for (const int end = min(vocab, j + VEC); j < end; j++)
            offer(list, x[j], j);
    }
}

/* A score, or `other` where there is none, it is no number or below that. */
INLINE real larger_score(real other, global const real *x, int vocab, int id)
{
    return id >= 0 && id < vocab && x[id] > other ? x[id] : other;
}

/* The largest score of the row is the first of the list, or one of those that are forbidden. */
INLINE real largest_score(const struct list *list, global const real *x, int vocab)
{
    real largest = list->count > 0 && !isnan(list->values[0]) ? list->values[0] : -INFINITY;

    largest = larger_score(largest, x, vocab, list->forbidden0);
    return larger_score(largest, x, vocab, list->forbidden1);
}

kernel void top_k(OPERAND(real, values), OPERAND(int, ids), OPERAND(const real, x), const int vocab,
                  const int k, const int forbidden0, const int forbidden1, const int normalize)
{
    OPEN(real, values);
    OPEN(int, ids);
    OPEN(const real, x);
    const long row = get_group_id(0);
    global const real *const scores = x + row * vocab;
    struct list list = { values + row * k, ids + row * k, 0, k, forbidden0, forbidden1 };
    real largest = 0, log_sum = 0;

    scan(&list, scores, vocab);
    if (normalize) {
        largest = largest_score(&list, scores, vocab);
        log_sum = log(sum_exponentials(scores, vocab, largest, 0));
    }
    for (int i = 0; i < list.count && normalize; i++)
        list.values[i] = (list.values[i] - largest) - log_sum;
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

GROUP_FOLD(ulong, group_first, max)

/*
 * Each work-item keeps the best of the scores LANE, LANE + LANES, ... When that is chosen, the
 * whole group looks for the next best among them. ranks: LANES places; a parameter, because
 * PoCL 3.1 was seen to hand one such array, declared in here, to two groups at a time.
 */
kernel void top_k(OPERAND(real, values), OPERAND(int, ids), OPERAND(const real, x), const int vocab,
                  const int k, const int forbidden0, const int forbidden1, const int normalize,
                  local ulong *ranks)
{
    OPEN(real, values);
    OPEN(int, ids);
    OPEN(const real, x);
    const long row = get_group_id(0);
    global const real *scores = x + row * vocab;
    struct totals totals = { 0, 1, 0 };
    ulong mine = 0;

    if (normalize)
        totals = read_row(scores, vocab, 0, 0, (local real *)ranks);
    for (int j = LANE; j < vocab; j += LANES)
        mine = max(mine, rank_of(scores[j], j, forbidden0, forbidden1));
    for (int i = 0; i < k; i++) {
        const ulong first = group_first(mine, ranks);
        const int id = first > 0 ? rank_id(first) : -1, owner = id & (LANES - 1);
        const int end = first > 0 ? vocab : 0;
        ulong next = 0;

        if (LANE == 0) {
            const real value = id >= 0 ? scores[id] : -INFINITY;

            values[row * k + i] =
                normalize && id >= 0 ? (value - totals.largest) - log(totals.sum) : value;
            ids[row * k + i] = id;
        }
        for (int j = owner + LANE * LANES; j < end; j += LANES * LANES) {
            const ulong rank = rank_of(scores[j], j, forbidden0, forbidden1);

            next = max(next, rank < first ? rank : 0);
        }
        next = group_first(next, ranks);
        mine = LANE == owner ? next : mine;
    }
}

#endif
