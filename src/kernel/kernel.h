/*
 * kernel.h: the inner loops of the CPU device, one table of functions per instruction set.
 *
 * Kernels work on raw memory, never fail, never allocate and know no threads: whoever calls them
 * cuts the work. The plain C table is the reference; it alone knows double. What a kernel
 * computes depends on its arguments only, but two instruction sets may differ in the last bits.
 */
#ifndef DGM_KERNEL_KERNEL_H
#define DGM_KERNEL_KERNEL_H

#include "base/env.h"
#include "kernel/additive.h"
#include "kernel/attention.h"
#include "kernel/cells.h"
#include "kernel/compose.h"
#include "kernel/gates.h"
#include "kernel/gemm.h"
#include "kernel/lstm.h"
#include "kernel/math.h"
#include "kernel/rows.h"

struct dgm_kernels {
    const char *name; /* "avx2" */
    unsigned needs;   /* DGM_CPU_* that must all be there */
    const struct dgm_math_kernels *math;
    const struct dgm_row_kernels *rows;
    const struct dgm_gemm_kernels *gemm;
    const struct dgm_attention_kernels *attention;
    const struct dgm_lstm_kernels *lstm;
    const struct dgm_gate_kernels *gates;
    const struct dgm_cell_kernels *cells;
    const struct dgm_additive_kernels *additive;
    const struct dgm_compose_kernels *compose;
};

/* Defined where the target has the instruction set; reach them through the functions below. */
#define ISA(name) extern const struct dgm_kernels dgm_kernels_##name;
#include "kernel/isa_list.h"
#undef ISA

/*
 * The kernels of one instruction set, or the best this processor runs if `name` is NULL or
 * empty. An unknown or unavailable name is DGM_USAGE; the message lists what is available.
 */
dgm_status dgm_kernels_choose(struct dgm_env *env, const struct dgm_kernels **out,
                              const char *name);

/* Instruction set i of isa_list.h, i < count: its name; its kernels, or NULL where this build
 * or this processor lacks them. */
size_t dgm_kernels_count(void);
const char *dgm_kernels_name(size_t i);
/* The i of an instruction set; the last where there is none of that name. */
size_t dgm_kernels_rank(const char *name);
const struct dgm_kernels *dgm_kernels_entry(size_t i);

#endif
