/*
 * clblast.h: the part of CLBlast that Dragoman calls, declared in our own words.
 *
 * Origin: names, numbers and parameter lists are facts of CLBlast's programming interface for C, as
 * its documentation (doc/api.md, version 1.5) has it. No header was copied, and none is needed: the
 * functions are looked up in a library that is opened at run time (device/opencl/gemm/clblast.h).
 */
#ifndef DGM_VENDOR_CLBLAST_H
#define DGM_VENDOR_CLBLAST_H

#include <opencl/opencl.h>

enum { CLBLAST_ROW_MAJOR = 101, CLBLAST_AS_IT_LIES = 111, CLBLAST_TRANSPOSED = 112 };

/*
 * The entry points: E(name without "CLBlast", parameters). They return 0, a number of OpenCL, or
 * one of CLBlast's own below -1023. Offsets, distances between rows and strides count elements.
 * `event` may be NULL.
 */
#define CLBLAST_ENTRY_LIST(E)                                                                    \
    E(Sgemm,                                                                                     \
      (int layout, int a_transposed, int b_transposed, size_t m, size_t n, size_t k, float alpha, \
       cl_mem a, size_t a_offset, size_t lda, cl_mem b, size_t b_offset, size_t ldb, float beta, \
       cl_mem c, size_t c_offset, size_t ldc, cl_command_queue *queue, cl_event *event))         \
    E(SgemmStridedBatched,                                                                       \
      (int layout, int a_transposed, int b_transposed, size_t m, size_t n, size_t k, float alpha, \
       cl_mem a, size_t a_offset, size_t lda, size_t a_stride, cl_mem b, size_t b_offset,        \
       size_t ldb, size_t b_stride, float beta, cl_mem c, size_t c_offset, size_t ldc,           \
       size_t c_stride, size_t batch, cl_command_queue *queue, cl_event *event))

#endif
