/*
 * tensor_way.h: the matrix instructions that opencl/gemm_bf16.cl and gemm_tf32.cl know, and how
 * kernels are cut for each (opencl/tensor.clh).
 */
#ifndef DGM_DEVICE_OPENCL_CORE_TENSOR_WAY_H
#define DGM_DEVICE_OPENCL_CORE_TENSOR_WAY_H

#include "device/opencl/core/program.h"

/* In the order in which they are tried. */
enum dgm_cl_tensor_way_id {
    DGM_CL_MMA,   /* NVIDIA */
    DGM_CL_MFMA,  /* AMD, CDNA 2 and 3 */
    DGM_CL_WMMA,  /* AMD, RDNA 3 */
    DGM_CL_XMX16, /* Intel, subgroups of 16 */
    DGM_CL_XMX8,  /* Intel, subgroups of 8 */
    DGM_CL_TENSOR_WAYS
};

struct dgm_cl_tensor_way {
    const char *name;  /* as the vendor says */
    const char *macro; /* of opencl/tensor.clh */
    size_t thin_items; /* work-items of a group for few rows */
    int stages;        /* in local memory, of 16 KiB in a large tile, 8 in a small one */
    int has_tf32;
};
const struct dgm_cl_tensor_way *dgm_cl_tensor_way_at(int id);

/* The one whose emulation DGM_CL_TENSOR asks for; -1: none. */
int dgm_cl_tensor_way_emulated(void);
/* Adds the build options of a program for this instruction. */
void dgm_cl_tensor_way_options(int way, enum dgm_cl_program_id id,
                               char options[DGM_CL_OPTIONS_SIZE]);

#endif
