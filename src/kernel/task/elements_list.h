/*
 * elements_list.h: tasks on arrays of reals, element by element.
 */

/* clang-format off */

/* y[i] = value, i < count. */
TASK(fill)
OUT(real, y)
LONG(count)
REAL(value)
END(fill)

/* y = a x + b y, element by element. b = 0: y is not read. x may be y. */
TASK(axpby)
OUT(real, y)
IN(real, x)
LONG(count)
REAL(a) REAL(b)
END(axpby)

/* dx = dy where y > 0, else 0; added to dx if accumulate. dx may be dy. */
TASK(relu_backward)
OUT(real, dx)
IN(real, dy) IN(real, y)
LONG(count)
FLAG(accumulate)
END(relu_backward)

/* y = tanh(x); x where x > 0, else slope x, slope > 0; or x g(x): g = sigmoid, or the normal
 * distribution function. y may be x. */
TASK(activate_forward)
OUT(real, y)
IN(real, x)
LONG(count)
CHOICE(dgm_activation, kind)
REAL(slope)
END(activate_forward)

/* dx = dy times the slope, which is known from v: y of tanh and of the leaky ReLU, x of the gates;
 * added to dx if accumulate. dx may be dy. */
TASK(activate_backward)
OUT(real, dx)
IN(real, dy) IN(real, v)
LONG(count)
CHOICE(dgm_activation, kind)
REAL(slope)
FLAG(accumulate)
END(activate_backward)

/* y = log(exp(y) + exp(x)), element by element: how an ensemble adds up probabilities. */
TASK(log_add)
OUT(real, y)
IN(real, x)
LONG(count)
END(log_add)

    /* clang-format on */
