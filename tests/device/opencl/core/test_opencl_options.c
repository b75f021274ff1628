/*
 * test_opencl_options.c: the build options of programs for each vendor's GPUs are those with which
 * `make check-offline` compiles them (tests/golden/opencl_options.txt). Needs no device.
 */
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/program.h"
#include "device/opencl/core/tensor_way.h"
#include "device/opencl/gemm/tune/tuning.h"
#include "device/opencl/system/choose.h"

/* What drivers say of an H100, an MI210, an RX 7900, an Arc A770 and a Data Center GPU Max. */
static const struct {
    const char *name;
    cl_uint vendor_id;
    size_t group_limit;
    cl_ulong local_kilo;
    int has_double, subgroup, tensor;
} targets[] = {
    { "nvptx", 0x10DE, 1024, 48, 1, 0, DGM_CL_MMA },
    { "gfx90a", 0x1002, 256, 64, 1, 0, DGM_CL_MFMA },
    { "gfx1100", 0x1002, 256, 64, 1, 0, DGM_CL_WMMA },
    { "dg2", 0x8086, 1024, 64, 0, 0, DGM_CL_XMX8 },
    { "pvc", 0x8086, 1024, 128, 1, 16, DGM_CL_XMX16 },
};

/* Programs that differ from all others. */
static const enum dgm_cl_program_id special[] = {
    DGM_PROGRAM_gemm_large,
    DGM_PROGRAM_gemm_large_backward,
    DGM_PROGRAM_gemm_small,
    DGM_PROGRAM_gemm_small_backward,
    DGM_PROGRAM_gemm_thin,
    DGM_PROGRAM_gemm_bf16,
    DGM_PROGRAM_attention_forward_plain,
    DGM_PROGRAM_attention_backward_plain,
};

static void describe(char *line, size_t size, size_t target, enum dgm_cl_program_id id)
{
    char options[DGM_CL_OPTIONS_SIZE];
    struct dgm_cl_traits traits;
    struct dgm_cl_tuning tuning;

    memset(&traits, 0, sizeof traits);
    traits.type = CL_DEVICE_TYPE_GPU;
    traits.vendor_id = targets[target].vendor_id;
    traits.group_limit = targets[target].group_limit;
    traits.local_bytes = targets[target].local_kilo << 10;
    traits.has_double = targets[target].has_double;
    traits.subgroup = targets[target].subgroup;
    traits.tensor = targets[target].tensor;
    traits.units = 64;
    traits.vec = 1;
    traits.lanes = 64;
    dgm_cl_tuning_default(&traits, &tuning);
    dgm_cl_program_options(&traits, &tuning, id, options);
    snprintf(line, size, "%s %s %s\n", targets[target].name, dgm_cl_program_name(id), options);
}

TEST(opencl_options_are_those_that_are_compiled_offline)
{
    char path[1200], want[1024], line[1024];
    FILE *file;

    snprintf(path, sizeof path, "%s/tests/golden/opencl_options.txt", test_source_dir());
    file = fopen(path, "r");
    CHECK(file != NULL);
    for (size_t t = 0; file != NULL && t < sizeof targets / sizeof targets[0]; t++)
        for (size_t p = 0; p < sizeof special / sizeof special[0]; p++) {
            describe(line, sizeof line, t, special[p]);
            CHECK_STR(fgets(want, sizeof want, file) != NULL ? want : "the end", line);
        }
    CHECK(file == NULL || fgets(want, sizeof want, file) == NULL);
    if (file != NULL)
        fclose(file);
}
#else
TEST(opencl_options_are_those_that_are_compiled_offline)
{
    TEST_SKIP("this build has no OpenCL");
}
#endif
