/*
 * gemm_list.h: the matrix product.
 */

/* clang-format off */

/*
 * c (m,n) = alpha op(a) op(b) + beta c, then + bias (n), then max(., 0) if relu.
 * NN: a (m,k), b (k,n). NT: a (m,k), b (n,k). TN: a (k,m), b (k,n). ld*: elements between rows.
 * `batch` products at element strides stride_a, _b, _c (batch 1: strides unused). beta = 0: c is
 * not read, so it may hold anything. Element (i,j) depends on row i of op(a) and column j of op(b)
 * alone, down to the last bit: not on m, n, the form or the number of threads. A NaN stays one
 * under relu.
 *
 * Two options serve a layer's backward pass, with batch 1. sums (m), form TN: += for each row of
 * op(a) the sum of its k elements, as column_sums adds them: a is a gradient, sums the bias's.
 * mask, c's shape, with ldc = n: an element of c becomes 0 at last unless that of mask is above 0:
 * c is the gradient below the ReLU whose output is mask.
 */
TASK(gemm)
OUT(real, c)
OUT(real, sums) /* optional */
IN(real, a) IN(real, b)
IN(real, bias) /* optional */
IN(real, mask) /* optional */
CHOICE(dgm_gemm_form, form)
INT(m) INT(n) INT(k)
LONG(lda) LONG(ldb) LONG(ldc)
LONG(batch) LONG(stride_a) LONG(stride_b) LONG(stride_c)
REAL(alpha) REAL(beta)
FLAG(relu)
END(gemm)

    /* clang-format on */
