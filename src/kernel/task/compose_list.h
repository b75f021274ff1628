/*
 * compose_list.h: the cells of binary trees: a parent out of its two children.
 */

/* clang-format off */

/*
 * Composition of two constituents into one (binary trees: Yang et al. 2017, Chen et al. 2017), n
 * of them at a time. With the states l and r (n,D) of the children, products [r_L | r_R | a_L |
 * a_R | c] of each with weights of its side, and the bias:
 *
 *   r_L = sigmoid(left_rL + right_rL + bias_rL), and so r_R; a_L and a_R without the sigmoid
 *   c = tanh(r_L left_c + r_R right_c + bias_c)
 *   z_L, z_R, z_C = e^a_L, e^a_R, 1, divided by their sum
 *   y = z_L l + z_R r + z_C c
 *
 * left, right (n,5D): the products; they become what backward needs, in no promised layout. bias
 * (5D), or rows of it ld_bias apart. mixes 3: one more part [.. a_R | a_C | c], 6D wide, and z =
 * sigmoid(a), each for itself. All other rows lie one behind the other. y may be rows of the matrix
 * that l and r came from.
 */
#define NUMBERS_compose               \
    INT(n) INT(dim)                   \
    FLAG(mixes) /* parts a: 2 or 3 */

TASK(compose_forward)
OUT(real, y) OUT(real, left) OUT(real, right)
IN(real, l) IN(real, r) IN(real, bias)
CORE(compose)
LONG(ld_bias) /* 0: one row serves all */
END(compose_forward)

/*
 * left and right, as forward left them, become the gradients of the products: equal but for the
 * last part. dl = z_L dy and dr = z_R dy: what goes to the children besides what the products
 * bring. dy becomes the gradient of bias_c, that of the other parts of the bias is in left.
 */
TASK(compose_backward)
OUT(real, dl) OUT(real, dr) OUT(real, dy) OUT(real, left) OUT(real, right)
IN(real, l) IN(real, r)
CORE(compose)
END(compose_backward)

/*
 * One step of n child-sum gated units (Tai et al. 2015) over the small states l and r (n,K) of two
 * children, whose larger states have been multiplied by the same weights: left, right (n,3K) =
 * [u | r | h]. With the bias (3K):
 *
 *   u = sigmoid(left_u + right_u + bias_u)   r_L = sigmoid(left_r + bias_r), and so r_R
 *   c = tanh(r_L left_h + r_R right_h + bias_h)   y = (1 - u) c + u (l + r)
 *
 * left and right become what backward needs, in no promised layout. Rows lie one behind the other.
 */
TASK(child_sum_forward)
OUT(real, y) OUT(real, left) OUT(real, right)
IN(real, l) IN(real, r) IN(real, bias)
INT(n) INT(dim) /* dim: K */
END(child_sum_forward)

/*
 * left and right, as forward left them, become the gradients of the products; dcarry = u dy: what
 * goes to l and, once more, to r. dy becomes the gradient of bias_h.
 */
TASK(child_sum_backward)
OUT(real, dcarry) OUT(real, dy) OUT(real, left) OUT(real, right)
IN(real, l) IN(real, r)
INT(n) INT(dim)
END(child_sum_backward)

    /* clang-format on */
