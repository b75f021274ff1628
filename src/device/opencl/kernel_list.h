/*
 * kernel_list.h: the OpenCL programs, opencl/<name>.cl each, and the kernels in each of them.
 */
PROGRAM(elements)
KERNEL(elements, fill)
KERNEL(elements, axpby)
KERNEL(elements, add)
KERNEL(elements, relu_backward)
PROGRAM(embed)
KERNEL(embed, embed_forward)
KERNEL(embed, embed_sort)
KERNEL(embed, embed_backward)
KERNEL(embed, embed_join)
PROGRAM(residual)
KERNEL(residual, residual)
PROGRAM(rows_move)
KERNEL(rows_move, copy_rows)
KERNEL(rows_move, copy_columns)
