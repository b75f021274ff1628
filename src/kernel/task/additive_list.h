/*
 * additive_list.h: additive attention over spans of keys.
 */

/* clang-format off */

/*
 * Additive attention (Bahdanau et al. 2015). Query i of n attends to keys starts[i] ..
 * starts[i] + counts[i] - 1, its span, and reads the values of the same rows:
 *
 *   w_i = softmax over the span of v . tanh(q_i + key_j)     ctx_i = sum over j of w_ij value_j
 *
 * q (n,A), keys (K,A), values (K,W), v (A); rows of ctx, W wide, lie ld_ctx apart. weights
 * (n,longest), longest >= every count: zeros after the span; an empty span gives zeros. Queries
 * may share spans. A row of results depends on its query and span alone, down to the last bit.
 */
#define NUMBERS_additive                        \
    INT(rows) INT(dim) INT(width) /* n, A, W */ \
    INT(longest)                                \
    LONG(ld_ctx)

TASK(additive_forward)
OUT(real, ctx) OUT(real, weights)
IN(real, q) IN(real, keys) IN(real, values) IN(real, v)
IN(int, starts) IN(int, counts)
CORE(additive)
END(additive_forward)

/*
 * dq is written; dkeys, dvalues and dv, each optional, are added to: dv in fixed blocks of rows.
 * Spans must not overlap (training). Rows of dctx lie ld_ctx apart. The tanh are computed anew.
 */
TASK(additive_backward)
OUT(real, dq) OUT(real, dkeys) OUT(real, dvalues) OUT(real, dv)
IN(real, dctx) IN(real, weights)
IN(real, q) IN(real, keys) IN(real, values) IN(real, v)
IN(int, starts) IN(int, counts)
CORE(additive)
END(additive_backward)

    /* clang-format on */
