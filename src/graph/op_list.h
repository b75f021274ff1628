/*
 * op_list.h: the differentiable operations, one line each: OP(name) stands for `dgm_op_<name>`
 * in op_<name>.c. The line buys a gradient check and, through sample(), shapes to try on every
 * instruction set and device.
 */
OP(activate)
OP(attention)
OP(compose)
OP(concat)
OP(cross_entropy)
OP(embed)
OP(embed_tagged)
OP(fold)
OP(gated_mix)
OP(gather)
OP(highway)
OP(linear)
OP(linear_heads)
OP(lstm)
OP(mean)
OP(norm)
OP(pair_loss)
OP(pair_scores)
OP(recur)
OP(recur_dynamic)
OP(residual)
OP(row_products)
OP(span_mean)
OP(span_sigmoid)
