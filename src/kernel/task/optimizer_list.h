/*
 * optimizer_list.h: what an update of the parameters needs.
 */

/* clang-format off */

/* y[0] (a double) = sum of x[i]^2: doubles, fixed blocks, blocks in index order. */
TASK(sum_squares)
OUT(double, y)
IN(real, x)
LONG(count)
END(sum_squares)

/*
 * Adam with bias correction, specification 1.9; g = grad_scale * grad.
 *   p -= rate weight_decay p;  m = beta1 m + (1-beta1) g;  v = beta2 v + (1-beta2) g^2
 *   p -= step_size m / (sqrt(v) + eps),  step_size = rate sqrt(1-beta2^t) / (1-beta1^t)
 */
TASK(adam)
OUT(real, param) OUT(real, m) OUT(real, v)
IN(real, grad)
LONG(count)
REAL(rate) REAL(step_size) REAL(beta1) REAL(beta2) REAL(eps)
REAL(weight_decay) REAL(grad_scale)
END(adam)

/*
 * Adadelta (Zeiler 2012); rate is 1 but for parameters that have one of their own; g = grad_scale *
 * grad. Running means of squares:
 *   squares = rho squares + (1-rho) g^2;  d = sqrt(steps + eps) / sqrt(squares + eps) g
 *   steps = rho steps + (1-rho) d^2;      p -= rate d
 */
TASK(adadelta)
OUT(real, param) OUT(real, squares) OUT(real, steps)
IN(real, grad)
LONG(count)
REAL(rho) REAL(eps) REAL(grad_scale) REAL(rate)
END(adadelta)

    /* clang-format on */
