/*
 * kernel_list.h: the OpenCL programs, opencl/<name>.cl each, and the kernels in each of them.
 */
PROGRAM(elements)
KERNEL(elements, fill)
KERNEL(elements, axpby)
KERNEL(elements, add)
KERNEL(elements, relu_backward)
PROGRAM(attention_forward)
KERNEL(attention_forward, attention_forward)
PROGRAM(attention_backward)
KERNEL(attention_backward, attention_backward)
KERNEL(attention_backward, add_parts)
