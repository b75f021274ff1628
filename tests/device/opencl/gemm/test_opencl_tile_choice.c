/*
 * test_opencl_tile_choice.c: large tiles are for products that share them out evenly among the
 * units of a GPU, however its vendor counts these. Needs no device.
 */
#include <string.h>

#include "config.h"
#include "test.h"

#ifdef DGM_HAVE_OPENCL
#include "device/opencl/core/opencl.h"
#include "device/opencl/gemm/gemm_tiles.h"

/* A GPU of so many compute units, as far as its products go. */
static void make_device(struct dgm_opencl *opencl, const char *vendor, cl_uint units)
{
    memset(opencl, 0, sizeof *opencl);
    strcpy(opencl->traits.vendor, vendor);
    opencl->traits.type = CL_DEVICE_TYPE_GPU;
    opencl->traits.units = units;
    opencl->traits.local_bytes = 48 << 10;
    opencl->traits.group_limit = 1024;
    dgm_cl_tuning_default(&opencl->traits, &opencl->tuning);
    for (int i = 0; i < DGM_KERNEL_COUNT; i++)
        opencl->group_limits[i] = 1024;
}

static int side_of(struct dgm_opencl *opencl, int64_t m, int64_t n)
{
    const struct dgm_gemm_args args = { .m = m, .n = n, .k = 512, .batch = 1 };

    return dgm_cl_tiles_side(test_env(), opencl, &args, DGM_KERNEL_gemm_gpu_nn_128);
}

TEST(opencl_tiles_are_large_where_they_are_enough)
{
    static struct dgm_opencl opencl;

    make_device(&opencl, "NVIDIA Corporation", 132);
    CHECK_INT(side_of(&opencl, 2000, 512), DGM_SMALL_TILE); /* 64 large tiles */
    CHECK_INT(side_of(&opencl, 3931, 512), DGM_LARGE_TILE); /* 124 */
    CHECK_INT(side_of(&opencl, 3931, 2048), DGM_LARGE_TILE);
    CHECK_INT(side_of(&opencl, 64, 65536), DGM_SMALL_TILE); /* half of each would be empty */
    opencl.group_limits[DGM_KERNEL_gemm_gpu_nn_128] = 128;
    CHECK_INT(side_of(&opencl, 3931, 2048), DGM_SMALL_TILE);
}

TEST(opencl_tiles_are_shared_out_evenly)
{
    static struct dgm_opencl opencl;

    make_device(&opencl, "Advanced Micro Devices, Inc.", 104);
    CHECK_INT(side_of(&opencl, 3931, 512), DGM_SMALL_TILE);  /* 124: 104 and 20 */
    CHECK_INT(side_of(&opencl, 3931, 1536), DGM_LARGE_TILE); /* 372: 3.6 for each unit */
    CHECK_INT(side_of(&opencl, 3328, 512), DGM_SMALL_TILE);  /* 104: one for each, it needs two */
    CHECK_INT(side_of(&opencl, 6656, 512), DGM_LARGE_TILE);
}

/* 512 vector engines are 64 cores of 8. */
TEST(opencl_tiles_are_counted_for_each_core)
{
    static struct dgm_opencl opencl;

    make_device(&opencl, "Intel(R) Corporation", 512);
    CHECK_INT(dgm_cl_tiles_units(&opencl), 64);
    CHECK_INT(side_of(&opencl, 3931, 512), DGM_LARGE_TILE); /* 124: 64 and 60 */
    make_device(&opencl, "Intel(R) Corporation", 4);
    CHECK_INT(dgm_cl_tiles_units(&opencl), 1);
    make_device(&opencl, "NVIDIA Corporation", 132);
    CHECK_INT(dgm_cl_tiles_units(&opencl), 132);
}
#else
#define NEEDS_OPENCL(name)                     \
    TEST(name)                                 \
    {                                          \
        TEST_SKIP("this build has no OpenCL"); \
    }
NEEDS_OPENCL(opencl_tiles_are_large_where_they_are_enough)
NEEDS_OPENCL(opencl_tiles_are_shared_out_evenly)
NEEDS_OPENCL(opencl_tiles_are_counted_for_each_core)
#endif
