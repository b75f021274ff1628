/*
 * tune_measure.h: times of matrix products with different parameters, in turns on one device.
 */
#ifndef DGM_DEVICE_OPENCL_GEMM_TUNE_TUNE_MEASURE_H
#define DGM_DEVICE_OPENCL_GEMM_TUNE_TUNE_MEASURE_H

#include "device/opencl/core/opencl.h"

/* Parameters, and the programs that were built with them so far. */
struct dgm_tune_side {
    struct dgm_cl_tuning tuning;
    cl_program programs[DGM_PROGRAM_COUNT];
    cl_kernel kernels[DGM_KERNEL_COUNT];
    size_t group_limits[DGM_KERNEL_COUNT];
    char has_run[DGM_KERNEL_COUNT];
};

/* A product that is measured; or, of GPUs, two of a backward pass, one after the other, which may
 * share a launch (gemm_pair.h): a gradient of weights (m,n) and, below it, (k,n). */
struct dgm_tune_product {
    enum dgm_gemm_form form;
    int is_pair;
    int m, n, k;
    enum dgm_cl_tuning_shapes shapes;
    int launches;         /* in a row, so that a time can be taken */
    int rounds;           /* of which the best one counts */
    int is_slow;          /* it is measured in the end alone */
    int is_left_out;      /* or not at all */
    uint64_t hash;        /* of its result with the defaults */
    double before, after; /* GFLOP/s with the defaults, with what was chosen */
};

enum {
    DGM_TUNE_FORMS = 3,
    DGM_TUNE_SIZES = 7,
    DGM_TUNE_PAIRS = 3,
    DGM_TUNE_ALONE = DGM_TUNE_FORMS * DGM_TUNE_SIZES,
    DGM_TUNE_MOST = DGM_TUNE_ALONE + DGM_TUNE_PAIRS
};

struct dgm_tuner {
    struct dgm_env *env;
    struct dgm_opencl *opencl;
    struct dgm_ref a, b, c;
    void *read;                   /* room to look at results */
    struct dgm_tune_side *active; /* whose programs the device holds */
    struct dgm_tune_product products[DGM_TUNE_MOST];
    int count; /* of them: processors have no pairs */
};

/* Allocates operands full of noise, and measures the times and results of `side`, the defaults. */
dgm_status dgm_tune_begin(struct dgm_tuner *tuner, struct dgm_env *env, struct dgm_opencl *opencl,
                          struct dgm_tune_side *side);
/* Releases the operands. The device keeps the programs of the active side. */
void dgm_tune_end(struct dgm_tuner *tuner);

/* The device computes with these parameters from now on. */
void dgm_tune_use(struct dgm_tuner *tuner, struct dgm_tune_side *side);
/* Releases the programs of a side that is not active. */
void dgm_tune_drop(struct dgm_tuner *tuner, struct dgm_tune_side *side);

/* Whether the active side computes what the CPU computes. */
int dgm_tune_agrees(struct dgm_tuner *tuner);

/*
 * *gain: how many times as fast as `base` the other side is on products of this kind: the geometric
 * mean over the products, each by its best time of some rounds, which alternate between the sides.
 * 0 if a result differs from that of the defaults. `is_final`: measures slow products too, and
 * keeps the GFLOP/s: those of base in `before`, those of side in `after`.
 */
dgm_status dgm_tune_compare(struct dgm_tuner *tuner, struct dgm_tune_side *base,
                            struct dgm_tune_side *side, enum dgm_cl_tuning_shapes shapes,
                            int is_final, double *gain);

/* Runs a product once, without waiting for it. */
dgm_status dgm_tune_run(struct dgm_tuner *tuner, const struct dgm_tune_product *product);

#endif
