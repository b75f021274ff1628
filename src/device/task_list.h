/*
 * task_list.h: everything a device can be asked to compute, one line each.
 *
 * TASK(name, outputs, inputs): the arguments are `struct dgm_<name>_args` (task.h), which begins
 * with `outputs` operands that are written (or updated) and goes on with `inputs` operands that
 * are only read. That order lets generic code move operands between devices.
 */
TASK(fill, 1, 0)
TASK(axpby, 1, 1)
TASK(add, 1, 2)
TASK(gemm, 1, 3)
TASK(column_sums, 1, 1)
TASK(relu_backward, 1, 2)
TASK(embed_forward, 1, 4)
TASK(embed_backward, 1, 3)
TASK(residual_forward, 1, 3)
TASK(residual_backward, 1, 2)
TASK(norm_forward, 2, 3)
TASK(norm_backward, 3, 4)
TASK(attention_forward, 2, 18)
TASK(attention_backward, 7, 20)
TASK(lstm_forward, 2, 5)
TASK(lstm_backward, 3, 4)
TASK(pair_scores, 1, 4)
TASK(pair_scores_backward, 2, 5)
TASK(pair_loss, 2, 3)
TASK(pair_log_softmax, 1, 2)
TASK(cross_entropy, 2, 1)
TASK(log_softmax, 1, 1)
TASK(log_add, 1, 1)
TASK(top_k, 2, 1)
TASK(copy_rows, 1, 2)
TASK(add_rows, 1, 2)
TASK(sum_squares, 1, 1)
TASK(adam, 3, 1)
