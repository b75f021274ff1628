/*
 * op_list.h: the differentiable operations, one line each, in the order of the alphabet: OP(name)
 * stands for `dgm_op_<name>` in op_<name>.c.
 *
 * The line and the operation's sample() buy its tests: gradients against central differences
 * (tests/graph/test_gradcheck.c), the same bits with any number of threads, a value without
 * training that reads nothing unwritten (tests/graph/test_every_op.c), and, since these run on the
 * device and the instruction set that the environment names, all of that on each of them.
 */
OP(activate)
OP(attention)
OP(bahdanau)
OP(concat)
OP(cross_entropy)
OP(embed)
OP(embed_tagged)
OP(fold)
OP(gated_mix)
OP(gather)
OP(gru)
OP(gru_dynamic)
OP(highway)
OP(linear)
OP(linear_heads)
OP(link_loss)
OP(lstm)
OP(mean)
OP(norm)
OP(output_loss)
OP(pair_loss)
OP(pair_scores)
OP(residual)
OP(row_products)
OP(span_mean)
OP(span_sigmoid)
OP(ssru)
OP(tree_cell)
OP(tree_cell_dynamic)
