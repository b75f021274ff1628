/*
 * run_list.h: the tasks that OpenCL devices run, RUN(name) for dgm_opencl_run_<name>. Every other
 * task runs on the CPU.
 */
RUN(fill)
RUN(axpby)
RUN(add)
RUN(relu_backward)
RUN(attention_forward)
RUN(attention_backward)
