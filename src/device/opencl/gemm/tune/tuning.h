/*
 * tuning.h: how matrix products are cut for a device: its vendor's defaults, or what
 * `dragoman devices --tune` has measured there and stored.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_TUNE_TUNING_H
#define DGM_DEVICE_OPENCL_GEMM_TUNE_TUNING_H

#include <stddef.h>

struct dgm_cl_traits;

/* Changes with the meaning of a parameter, or with what is measured; files of another version are
 * not read. */
#define DGM_TUNING_VERSION 4

enum dgm_cl_parameter_id {
#define BUILT(name, program, family, macro, shapes, ...) DGM_TUNE_##name,
#define CHOSEN(name, family, shapes, ...) DGM_TUNE_##name,
#include "device/opencl/gemm/tune/tuning_list.h"
#undef BUILT
#undef CHOSEN
    DGM_TUNE_COUNT
};

struct dgm_cl_tuning {
    int value[DGM_TUNE_COUNT];
    int is_stored; /* it was measured here, else these are defaults */
};

/* The value of a parameter for a device: DGM_TUNED(opencl, cpu_groups). */
#define DGM_TUNED(opencl, name) ((opencl)->tuning.value[DGM_TUNE_##name])

enum dgm_cl_tuning_family { DGM_TUNE_CPU, DGM_TUNE_GPU };
enum dgm_cl_tuning_shapes { DGM_TUNE_MANY_ROWS, DGM_TUNE_FEW_ROWS, DGM_TUNE_SHAPES };

enum { DGM_TUNE_VALUES = 8 };
/* Of gpu_large_from: large tiles are never used. */
enum { DGM_NEVER_LARGE = 1000000 };

struct dgm_cl_parameter {
    const char *name;
    const char *macro; /* of `program` (enum dgm_cl_program_id); NULL: programs do not know it */
    int program;
    enum dgm_cl_tuning_family family;
    enum dgm_cl_tuning_shapes shapes;
    int standard;
    int values[DGM_TUNE_VALUES]; /* those allowed, rising; `count` of them */
    int count;
};

const struct dgm_cl_parameter *dgm_cl_parameter_at(enum dgm_cl_parameter_id id);
/* Shape of the kernels for processors (opencl/gemm_cpu.cl): columns of a panel of op(b), steps of a
 * block of the sum, rows of the largest tile. */
enum { DGM_CPU_PANEL_COLS = 32, DGM_CPU_BLOCK_STEPS = 256, DGM_CPU_MOST_ROWS = 12 };
/* Local memory of a group there: one panel of one block, and each row of op(a) in it. */
enum {
    DGM_CPU_PANEL_BYTES = DGM_CPU_PANEL_COLS * DGM_CPU_BLOCK_STEPS * 4,
    DGM_CPU_ROW_BYTES = DGM_CPU_BLOCK_STEPS * 4
};

/* Which kernels compute products on the device, and so which parameters matter. */
enum dgm_cl_tuning_family dgm_cl_tuning_family(const struct dgm_cl_traits *traits);

/* Values that are likely to be good on a device of this vendor and type; they fit the device. */
void dgm_cl_tuning_default(const struct dgm_cl_traits *traits, struct dgm_cl_tuning *tuning);
/* Whether all values are allowed, and some kernel serves every shape on this device. */
int dgm_cl_tuning_fits(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning);

/* Sides of a tile, and rows of a group for few rows. */
enum { DGM_LARGE_TILE = 128, DGM_SMALL_TILE = 64, DGM_THIN_TILE = 8 };
/* Work-items of a group for such a tile. */
size_t dgm_cl_tile_items(const struct dgm_cl_tuning *tuning, int side);
/* Whether the device has work-items and local memory for such a group. */
int dgm_cl_tile_fits(const struct dgm_cl_traits *traits, const struct dgm_cl_tuning *tuning,
                     int side);

#endif
