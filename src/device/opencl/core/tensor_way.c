/*
 * tensor_way.c: the matrix instructions that there are kernels for.
 */
#include "device/opencl/core/tensor_way.h"

#include <stdio.h>
#include <string.h>

#include "device/opencl/system/environment.h"

static const struct dgm_cl_tensor_way ways[DGM_CL_TENSOR_WAYS] = {
    [DGM_CL_MMA] = { "mma", "TENSOR_MMA", 128, 3, 1 },
    [DGM_CL_MFMA] = { "mfma", "TENSOR_MFMA", 128, 2, 0 },
    [DGM_CL_WMMA] = { "wmma", "TENSOR_WMMA", 64, 2, 0 },
    [DGM_CL_XMX16] = { "xmx16", "TENSOR_XMX16", 32, 2, 0 },
    [DGM_CL_XMX8] = { "xmx8", "TENSOR_XMX8", 16, 2, 0 },
};

const struct dgm_cl_tensor_way *dgm_cl_tensor_way_at(int id)
{
    return &ways[id];
}

/* "emulated" alone is the first. */
int dgm_cl_tensor_way_emulated(void)
{
    static const char word[] = "emulated";
    const char *wish = dgm_cl_wants_tensor();
    const size_t length = sizeof word - 1;

    if (wish == NULL || strncmp(wish, word, length) != 0)
        return -1;
    if (wish[length] == '\0')
        return DGM_CL_MMA;
    for (int i = 0; i < DGM_CL_TENSOR_WAYS; i++)
        if (wish[length] == '-' && strcmp(wish + length + 1, ways[i].name) == 0)
            return i;
    return -1;
}

void dgm_cl_tensor_way_options(int way, enum dgm_cl_program_id id,
                               char options[DGM_CL_OPTIONS_SIZE])
{
    const size_t length = strlen(options);

    if (id != DGM_PROGRAM_gemm_bf16 && id != DGM_PROGRAM_gemm_tf32)
        return;
    snprintf(options + length, DGM_CL_OPTIONS_SIZE - length, "%s -DTENSOR_WAY=%s",
             dgm_cl_tensor_way_emulated() >= 0 ? " -DTENSOR_EMULATED=1" : "", ways[way].macro);
}
