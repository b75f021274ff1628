/*
 * cells_list.h: one step of a gated recurrent unit, and what gives it dynamic weights.
 */

/* clang-format off */

/*
 * One step of n gated recurrent units (Cho et al. 2014), the reset gate behind the recurrent
 * product, over one state each or two (trees: Yang et al. 2019):
 *
 *   u = sigmoid(x_u + h_u)   r = sigmoid(x_r + h_r)   q = h_h   c = tanh(r q + x_h)
 *   y = (1 - u) c + u carry (state[first] + state[second])
 *
 * x (n,3D) = [x_u | x_r | x_h]: the input side; h (n,3D): the recurrent side, products of states;
 * biases in either. first, second (n): rows of `state`, -1: zeros; first absent: row i itself,
 * second absent: there is one state only. h absent, state absent: zeros. x absent: x_u = x_r = 0,
 * and h (n,4D) has x_h as its fourth part. All matrices have rows ld* apart. saved (n,4D) =
 * [u | r | q | c] is kept for the backward pass; h may be the same columns. y may be rows of the
 * same matrix as `state`, if they are none of those that are read.
 */
TASK(gated_cell_forward)
OUT(real, y)
OUT(real, saved) /* optional */
IN(real, x) IN(real, h) /* all but one of x and h optional */
IN(real, state)
IN(int, first) IN(int, second)
INT(n) INT(dim)
LONG(ldy) LONG(ld_saved) LONG(ldx) LONG(ldh) LONG(lds)
REAL(carry) /* 1; for the mean of two states 0.5 */
END(gated_cell_forward)

/*
 * With s = carry (state[first] + state[second]), du = dy (s - c) u (1 - u),
 * dc = dy (1 - u) (1 - c^2), dr = dc q r (1 - r):
 *
 *   dx (n,3D) = [du | dr | dc]   dh (n,3D) = [du | dr | dc r]   dcarry (n,D) = carry dy u
 *
 * The last is what goes to state[first] and, once more, to state[second], besides what dh brings
 * them. Each is optional, and added to where its accumulate flag says so. With `joint`, for a
 * forward pass without x, dh (n,4D) has dc as its fourth part. dh may be columns of saved.
 */
TASK(gated_cell_backward)
OUT(real, dx) OUT(real, dh) OUT(real, dcarry)
IN(real, dy) IN(real, saved)
IN(real, state)
IN(int, first) IN(int, second)
INT(n) INT(dim)
LONG(lddx) LONG(lddh) LONG(lddcarry) LONG(lddy) LONG(ld_saved) LONG(lds)
REAL(carry)
FLAG(joint)
FLAG(accumulate_x) FLAG(accumulate_h) FLAG(accumulate_carry)
END(gated_cell_backward)

/*
 * Factors times a vector of each row, as of weights P diag(z) Q that depend on it: for each of
 * `blocks` blocks of K columns, t_b = [z f1_b | z f2_b | z f3_b | z], element by element, with the
 * factors that are there. z (n,K), factor (n, blocks K), t (n, blocks (factors + 1) K); rows ld*
 * apart.
 */
#define NUMBERS_modulate                     \
    INT(n) INT(dim) INT(blocks) /* dim: K */ \
    LONG(ldz) LONGS(ld_factor, 3) LONG(ldt)

TASK(modulate_forward)
OUT(real, t)
IN(real, z) INS(real, factor, 3)
CORE(modulate)
END(modulate_forward)

/*
 * dz = sums over blocks of dt f1 + dt f2 + dt f3 + dt, each with its part of dt; df = dt z, written
 * over rows like those of the factors but lddf apart, or added to these. Each df is optional, and
 * may be its factor; dz may be z.
 */
TASK(modulate_backward)
OUT(real, dz) OUTS(real, dfactor, 3)
IN(real, dt) IN(real, z) INS(real, factor, 3)
CORE(modulate) /* its ldt: of dt; its ldz: of z and dz */
LONGS(lddf, 3)
FLAGS(accumulate, 3)
END(modulate_backward)

    /* clang-format on */
