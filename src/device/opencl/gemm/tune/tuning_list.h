/*
 * tuning_list.h: the parameters of the matrix product that are chosen for each device.
 *
 * None of them changes a result: an element is the same sum in the same order with all of them
 * (gemm.h). Each row is
 *     BUILT(name, program, family, macro, shapes, standard, values...): built with -Dmacro=value
 *     CHOSEN(name, family, shapes, standard, values...): read by the launcher alone
 * where `family` tells whose kernels they are (CPU: gemm_cpu.c, GPU:
 * gemm_gpu.c), `shapes` the products that show their effect (FEW_ROWS or MANY_ROWS; tune.c), and
 * `standard` one of the values. `devices --tune` tries them in this order. A row that is changed
 * needs another DGM_TUNING_VERSION (tuning.h), a new one does not.
 */

/* ---- gemm_cpu.c ------------------------------------------------------------------------------ */

/* Rows of a tile: 2 float16 of sums each; 12 rows are 24 registers of AVX-512, 4 are 16 of AVX2. */
BUILT(cpu_tile_rows, gemm_cpu, CPU, "ROWS", MANY_ROWS, 12, 4, 8, 12)
/* Groups for each compute unit, at least: more of them end at the same time, fewer copy less. */
CHOSEN(cpu_groups, CPU, MANY_ROWS, 8, 1, 2, 4, 8, 16)
/* Tiles of op(a) that a group copies at a time. */
CHOSEN(cpu_block_tiles, CPU, MANY_ROWS, 8, 2, 4, 8, 16)
/* Reals of op(b) that lie in panels at a time, in KiB of them: what caches hold. */
CHOSEN(cpu_panel_kilo, CPU, MANY_ROWS, 1024, 256, 512, 1024, 2048, 4096)
/* Up to so many rows, no panels are made for others to share. */
CHOSEN(cpu_few_rows, CPU, FEW_ROWS, 48, 12, 24, 48, 96)
/* Panels of 32 columns that a group takes of a product with few rows, at most. */
CHOSEN(cpu_strip_panels, CPU, FEW_ROWS, 8, 1, 2, 4, 8, 16)

/* ---- gemm_gpu.c ------------------------------------------------------------------------------ */

/* Rows of sums in the registers of a work-item, 8 columns each. */
BUILT(gpu_large_rows, gemm_large, GPU, "ROWS", MANY_ROWS, 8, 4, 8)
/* Steps of a tile, and tiles of each operand, in local memory. */
BUILT(gpu_large_depth, gemm_large, GPU, "DEPTH", MANY_ROWS, 8, 8, 16, 32)
BUILT(gpu_large_buffers, gemm_large, GPU, "BUFFERS", MANY_ROWS, 2, 1, 2)
/* Steps without a jump between them: compilers keep the operands of all of them in registers. */
BUILT(gpu_large_unroll, gemm_large, GPU, "UNROLL", MANY_ROWS, 2, 1, 2, 4, 8)
/* Rows of C that are loaded together, four columns each, when a block of a sum is added to them. */
BUILT(gpu_large_ahead, gemm_large, GPU, "AHEAD", MANY_ROWS, 1, 1, 2, 4)
BUILT(gpu_small_rows, gemm_small, GPU, "ROWS", MANY_ROWS, 8, 4, 8)
BUILT(gpu_small_depth, gemm_small, GPU, "DEPTH", MANY_ROWS, 8, 8, 16, 32)
BUILT(gpu_small_buffers, gemm_small, GPU, "BUFFERS", MANY_ROWS, 2, 1, 2)
BUILT(gpu_small_unroll, gemm_small, GPU, "UNROLL", MANY_ROWS, 2, 1, 2, 4, 8)
BUILT(gpu_small_ahead, gemm_small, GPU, "AHEAD", MANY_ROWS, 1, 1, 2, 4)
/* Compute units that share the room of a group, where a vendor counts these: such a share is a unit
 * for what follows. */
CHOSEN(gpu_unit_size, GPU, MANY_ROWS, 1, 1, 8, 16)
/* Large tiles for each hundred units from which on they are used; the last: never. */
CHOSEN(gpu_large_from, GPU, MANY_ROWS, 50, 25, 50, 100, 200, 400, DGM_NEVER_LARGE)
/* Small tiles for each hundred units, half of what these need; gradients of weights that have fewer
 * are split. 0: no sum is split, and no two products share a launch. */
CHOSEN(gpu_split_below, GPU, MANY_ROWS, 200, 0, 25, 50, 100, 200, 400)
/* MiB for the blocks of split sums at a time: a cache may hold them. */
CHOSEN(gpu_split_mega, GPU, MANY_ROWS, 64, 4, 16, 32, 64, 128)
/* Up to so many rows, tiles would be mostly empty; 0: never. */
CHOSEN(gpu_thin_rows, GPU, FEW_ROWS, 16, 0, 8, 16, 32, 64)
/* Blocks of the sum, and of each of them so many steps, that lie in local memory at a time. */
BUILT(gpu_thin_slices, gemm_thin, GPU, "SLICES", FEW_ROWS, 4, 1, 2, 4)
BUILT(gpu_thin_depth, gemm_thin, GPU, "DEPTH", FEW_ROWS, 128, 64, 128)
