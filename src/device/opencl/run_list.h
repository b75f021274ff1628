/*
 * run_list.h: the tasks that OpenCL devices run, RUN(name) for dgm_opencl_run_<name>. Every other
 * task runs on the CPU.
 */
RUN(fill)
RUN(axpby)
RUN(add)
RUN(relu_backward)
RUN(embed_forward)
RUN(embed_backward)
RUN(add_rows)
RUN(residual_forward)
RUN(residual_backward)
RUN(copy_rows)
RUN(copy_columns)
RUN(activate_forward)
RUN(activate_backward)
RUN(span_sigmoid_forward)
RUN(span_sigmoid_backward)
RUN(span_mean_forward)
RUN(span_mean_backward)
