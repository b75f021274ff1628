/*
 * tuning.c: the table of parameters of the matrix product, and what each vendor's devices get
 * without being measured.
 */
#include "device/opencl/gemm/tune/tuning.h"

#include <string.h>

#include "device/opencl/core/program.h"
#include "device/opencl/system/choose.h"

/* { count, values } of a row whose first value is the standard. */
#define COUNT(...) ((int)(sizeof((int[]){ __VA_ARGS__ }) / sizeof(int)) - 1)
/* clang-format off */
#define FIRST(first, ...) first
#define REST(first, ...) { __VA_ARGS__ }

static const struct dgm_cl_parameter parameters[] = {
#define BUILT(name, program, family, macro, shapes, ...)                                      \
    { #name, macro, DGM_PROGRAM_##program, DGM_TUNE_##family, DGM_TUNE_##shapes,              \
      FIRST(__VA_ARGS__), REST(__VA_ARGS__), COUNT(__VA_ARGS__) },
#define CHOSEN(name, family, shapes, ...)                                                     \
    { #name, NULL, -1, DGM_TUNE_##family, DGM_TUNE_##shapes, FIRST(__VA_ARGS__),              \
      REST(__VA_ARGS__), COUNT(__VA_ARGS__) },
#include "device/opencl/gemm/tune/tuning_list.h"
#undef BUILT
#undef CHOSEN
};
/* clang-format on */

const struct dgm_cl_parameter *dgm_cl_parameter_at(enum dgm_cl_parameter_id id)
{
    return &parameters[id];
}

/* A processor with little local memory takes the kernels for GPUs. */
enum dgm_cl_tuning_family dgm_cl_tuning_family(const struct dgm_cl_traits *traits)
{
    const int has_room =
        traits->local_bytes >= DGM_CPU_PANEL_BYTES + DGM_CPU_MOST_ROWS * DGM_CPU_ROW_BYTES;

    return traits->is_cpu && has_room ? DGM_TUNE_CPU : DGM_TUNE_GPU;
}

/* ---- what fits ------------------------------------------------------------------------------- */

static int rows_of(const struct dgm_cl_tuning *tuning, int side)
{
    return tuning
        ->value[side == DGM_LARGE_TILE ? DGM_TUNE_gpu_large_rows : DGM_TUNE_gpu_small_rows];
}

size_t dgm_cl_tile_items(const struct dgm_cl_tuning *tuning, int side)
{
    if (side == DGM_THIN_TILE)
        return (size_t)(side * side * tuning->value[DGM_TUNE_gpu_thin_slices]);
    return (size_t)(side / rows_of(tuning, side) * (side / 8));
}

/* Of gemm_thin.cl: both operands of each slice, and a sum of each work-item. */
static size_t thin_bytes(const struct dgm_cl_tuning *tuning)
{
    const int slices = tuning->value[DGM_TUNE_gpu_thin_slices];
    const int depth = tuning->value[DGM_TUNE_gpu_thin_depth];

    return sizeof(float) * (size_t)(slices * DGM_THIN_TILE * (2 * (depth + 4) + DGM_THIN_TILE));
}

/* Local memory of a group: both operands, each row padded by four reals, where the sums of each
 * work-item lie, and the sums of lines. */
static size_t bytes_of(const struct dgm_cl_tuning *tuning, int side)
{
    const int is_large = side == DGM_LARGE_TILE;
    const int depth = tuning->value[is_large ? DGM_TUNE_gpu_large_depth : DGM_TUNE_gpu_small_depth];
    const int buffers =
        tuning->value[is_large ? DGM_TUNE_gpu_large_buffers : DGM_TUNE_gpu_small_buffers];

    if (side == DGM_THIN_TILE)
        return thin_bytes(tuning);
    return sizeof(float) * (size_t)(2 * buffers * depth * (side + 4)) +
           2 * sizeof(int) * dgm_cl_tile_items(tuning, side) + sizeof(float) * (size_t)side;
}

static int is_allowed(const struct dgm_cl_parameter *parameter, int value)
{
    for (int i = 0; i < parameter->count; i++)
        if (parameter->values[i] == value)
            return 1;
    return 0;
}

int dgm_cl_tile_fits(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning,
                     int side)
{
    return bytes_of(tuning, side) <= traits->local_bytes &&
           dgm_cl_tile_items(tuning, side) <= traits->group_limit;
}

/* Small tiles serve whatever others do not. */
static int has_small_tiles(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning)
{
    return dgm_cl_tile_fits(traits, tuning, DGM_SMALL_TILE);
}

int dgm_cl_tuning_fits(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning)
{
    for (int i = 0; i < DGM_TUNE_COUNT; i++)
        if (!is_allowed(&parameters[i], tuning->value[i]))
            return 0;
    return has_small_tiles(traits, tuning);
}

/* ---- defaults -------------------------------------------------------------------------------- */

enum vendor { VENDOR_NVIDIA, VENDOR_AMD, VENDOR_INTEL, VENDOR_NARROW_PROCESSOR, VENDOR_OTHER };

/* What differs from the standard values. Those of processors were measured on PoCL with AVX-512;
 * those of other GPUs than NVIDIA's follow from what the vendors say of their devices and from the
 * registers that their compilers give the kernels (make check-offline). */
static const struct {
    enum vendor vendor;
    enum dgm_cl_parameter_id id;
    int value;
} settings[] = {
    /* NVIDIA: measured on an H200, driver 580. */
    { VENDOR_NVIDIA, DGM_TUNE_gpu_large_depth, 16 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_large_unroll, 4 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_large_ahead, 4 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_small_rows, 4 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_small_depth, 32 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_small_unroll, 8 },
    { VENDOR_NVIDIA, DGM_TUNE_gpu_small_ahead, 4 },

    /* AMD: 512 registers for the waves of a lane, 64 KiB of local memory for the groups of a unit:
     * four waves have 128 registers each, which small tiles of 8 rows exceed. */
    { VENDOR_AMD, DGM_TUNE_gpu_large_unroll, 1 },
    { VENDOR_AMD, DGM_TUNE_gpu_large_buffers, 1 },
    { VENDOR_AMD, DGM_TUNE_gpu_small_rows, 4 },
    /* Two waves of 64 for each of a unit's four pipelines are 512 work-items: four small tiles. */
    { VENDOR_AMD, DGM_TUNE_gpu_split_below, 400 },

    /* Intel: OpenCL counts vector engines, of which 8 or 16 are the core that has a group. */
    { VENDOR_INTEL, DGM_TUNE_gpu_unit_size, 8 },

    /* Others (phones, boards): few registers, and 32 KiB of local memory in all. */
    { VENDOR_OTHER, DGM_TUNE_gpu_small_rows, 4 },

    /* Processors without AVX-512: a tile of 12 rows is 48 of its registers, of which there are 16
     * (or 32 of half the size); one of 4 rows is 16 of them. */
    { VENDOR_NARROW_PROCESSOR, DGM_TUNE_cpu_tile_rows, 4 },
};

static enum vendor vendor_of(const struct dgm_cl_traits *traits)
{
    static const struct {
        cl_uint id; /* of the PCI bus */
        const char *name;
        enum vendor vendor;
    } known[] = {
        { 0x10DE, "NVIDIA", VENDOR_NVIDIA },
        { 0x1002, "Advanced Micro Devices", VENDOR_AMD },
        { 0x1022, "AMD", VENDOR_AMD },
        { 0x8086, "Intel", VENDOR_INTEL },
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (traits->vendor_id == known[i].id || strstr(traits->vendor, known[i].name) != NULL)
            return known[i].vendor;
    return VENDOR_OTHER;
}

void dgm_cl_tuning_default(const struct dgm_cl_traits *traits, struct dgm_cl_tuning *tuning)
{
    const int is_narrow = traits->native_vector > 0 && traits->native_vector < 16;
    enum vendor vendor = vendor_of(traits);

    /* A processor that plays a GPU (DGM_CL_SHAPE) gets the standard values. */
    if (traits->type == CL_DEVICE_TYPE_CPU)
        vendor = traits->is_cpu && is_narrow ? VENDOR_NARROW_PROCESSOR : VENDOR_NVIDIA;
    for (int i = 0; i < DGM_TUNE_COUNT; i++)
        tuning->value[i] = parameters[i].standard;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++)
        if (settings[i].vendor == vendor)
            tuning->value[settings[i].id] = settings[i].value;
    tuning->is_stored = 0;
    if (!has_small_tiles(traits, tuning)) {
        tuning->value[DGM_TUNE_gpu_small_rows] = 8;
        tuning->value[DGM_TUNE_gpu_small_depth] = 8;
        tuning->value[DGM_TUNE_gpu_small_buffers] = 1;
    }
}
