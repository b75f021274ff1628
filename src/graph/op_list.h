/*
 * op_list.h: the differentiable operations, one line each: OP(name) stands for `dgm_op_<name>`
 * in op_<name>.c. The line buys a gradient check and, through sample(), shapes to try on every
 * instruction set and device.
 */
OP(attention)
OP(cross_entropy)
OP(embed)
OP(gather)
OP(linear)
OP(lstm)
OP(norm)
OP(pair_loss)
OP(pair_scores)
OP(residual)
OP(row_products)
