/*
 * run_list.h: the tasks that OpenCL devices run, RUN(name) for dgm_opencl_run_<name>. Every other
 * task runs on the CPU.
 */
RUN(fill)
RUN(axpby)
RUN(add)
RUN(relu_backward)
RUN(norm_forward)
RUN(norm_backward)
RUN(column_sums)
RUN(cross_entropy)
RUN(log_softmax)
RUN(top_k)
RUN(sum_squares)
RUN(adam)
RUN(log_add)
RUN(pair_scores)
RUN(pair_scores_backward)
RUN(pair_loss)
RUN(pair_log_softmax)
