/*
 * test_opencl_parity.c: every task that OpenCL devices run, against the CPU, on random instances
 * (device/trial). The device is the first of any kind; without one, the tests say so and skip.
 * DGM_TRIALS=n goes through n instances of each task, DGM_TRIAL=name takes only tasks with that in
 * their name; DGM_TRIAL_TABLE names a file to which a line is added for each task: its name, and
 * the worst normalised mean square error of an output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/task_shape.h"
#include "device/trial/trial.h"
#include "opencl_case.h"

enum { TRIALS = 6 }; /* make check-device: 100 */

/* One test each, since a driver may take seconds to compile the programs of a family. */
enum family {
    NONE,
    ELEMENTS,
    RESIDUAL,
    GEMM,
    NORM,
    SOFTMAX,
    OPTIMIZER,
    ROWS_MOVE,
    ACTIVATE,
    SPANS,
    GATES,
    ATTENTION_FORWARD,
    ATTENTION_BACKWARD,
    PAIRS,
    LSTM,
    ADDITIVE,
    CELLS,
    COMPOSE
};

static const unsigned char families[DGM_TASK_COUNT] = { [DGM_TASK_fill] = ELEMENTS,
                                                        [DGM_TASK_axpby] = ELEMENTS,
                                                        [DGM_TASK_relu_backward] = ELEMENTS,
                                                        [DGM_TASK_embed_forward] = RESIDUAL,
                                                        [DGM_TASK_embed_backward] = RESIDUAL,
                                                        [DGM_TASK_add_rows] = RESIDUAL,
                                                        [DGM_TASK_residual_forward] = RESIDUAL,
                                                        [DGM_TASK_residual_backward] = RESIDUAL,
                                                        [DGM_TASK_gemm] = GEMM,
                                                        [DGM_TASK_norm_forward] = NORM,
                                                        [DGM_TASK_norm_backward] = NORM,
                                                        [DGM_TASK_column_sums] = NORM,
                                                        [DGM_TASK_cross_entropy] = SOFTMAX,
                                                        [DGM_TASK_log_softmax] = SOFTMAX,
                                                        [DGM_TASK_top_k] = SOFTMAX,
                                                        [DGM_TASK_sum_squares] = OPTIMIZER,
                                                        [DGM_TASK_adam] = OPTIMIZER,
                                                        [DGM_TASK_adadelta] = OPTIMIZER,
                                                        [DGM_TASK_copy_rows] = ROWS_MOVE,
                                                        [DGM_TASK_copy_columns] = ROWS_MOVE,
                                                        [DGM_TASK_activate_forward] = ACTIVATE,
                                                        [DGM_TASK_activate_backward] = ACTIVATE,
                                                        [DGM_TASK_log_add] = ACTIVATE,
                                                        [DGM_TASK_span_sigmoid_forward] = SPANS,
                                                        [DGM_TASK_span_sigmoid_backward] = SPANS,
                                                        [DGM_TASK_span_mean_forward] = SPANS,
                                                        [DGM_TASK_span_mean_backward] = SPANS,
                                                        [DGM_TASK_gated_mix_forward] = GATES,
                                                        [DGM_TASK_gated_mix_backward] = GATES,
                                                        [DGM_TASK_highway_forward] = GATES,
                                                        [DGM_TASK_highway_backward] = GATES,
                                                        [DGM_TASK_attention_forward] =
                                                            ATTENTION_FORWARD,
                                                        [DGM_TASK_attention_backward] =
                                                            ATTENTION_BACKWARD,
                                                        [DGM_TASK_pair_scores] = PAIRS,
                                                        [DGM_TASK_pair_scores_backward] = PAIRS,
                                                        [DGM_TASK_pair_loss] = PAIRS,
                                                        [DGM_TASK_pair_log_softmax] = PAIRS,
                                                        [DGM_TASK_lstm_forward] = LSTM,
                                                        [DGM_TASK_lstm_backward] = LSTM,
                                                        [DGM_TASK_additive_forward] = ADDITIVE,
                                                        [DGM_TASK_additive_backward] = ADDITIVE,
                                                        [DGM_TASK_gated_cell_forward] = CELLS,
                                                        [DGM_TASK_gated_cell_backward] = CELLS,
                                                        [DGM_TASK_modulate_forward] = CELLS,
                                                        [DGM_TASK_modulate_backward] = CELLS,
                                                        [DGM_TASK_compose_forward] = COMPOSE,
                                                        [DGM_TASK_compose_backward] = COMPOSE,
                                                        [DGM_TASK_child_sum_forward] = COMPOSE,
                                                        [DGM_TASK_child_sum_backward] = COMPOSE };

/* Tests may run side by side: a line is added as a whole. */
static dgm_status add_to_table(enum dgm_task_kind kind, double worst)
{
    const char *path = getenv("DGM_TRIAL_TABLE");
    FILE *table = path != NULL ? fopen(path, "a") : NULL;
    int good;

    if (path == NULL)
        return DGM_OK;
    good = table != NULL && fprintf(table, "%s %.1e\n", dgm_task_shape(kind)->name, worst) > 0;
    if (table != NULL && fclose(table) != 0)
        good = 0;
    return good ? DGM_OK : dgm_fail(test_env(), DGM_FAILURE, "%s: cannot be written", path);
}

static dgm_status try_task(struct dgm_device *cpu, struct dgm_device *device,
                           enum dgm_task_kind kind, int trials)
{
    double worst = 0;

    for (int seed = 1; seed <= trials; seed++) {
        struct dgm_verdict verdict;
        dgm_status status =
            dgm_trial_compare(test_env(), cpu, device, kind, (uint64_t)seed, &verdict);

        if (status != DGM_OK) {
            printf("%s, instance %d: %s\n", dgm_task_shape(kind)->name, seed,
                   test_env()->error.message);
            return status;
        }
        if (verdict.worst > worst)
            worst = verdict.worst;
        if (!(verdict.worst <= DGM_TRIAL_TOLERANCE)) {
            printf("instance %d: NMSE %g: %s\n", seed, verdict.worst, verdict.what);
            return dgm_fail(test_env(), DGM_FAILURE, "%s", verdict.what);
        }
    }
    if (device->told[kind]) { /* its kernels do not build: the CPU was compared with itself */
        printf("%s runs on the CPU\n", dgm_task_shape(kind)->name);
        return dgm_fail(test_env(), DGM_FAILURE, "%s", dgm_task_shape(kind)->name);
    }
    return add_to_table(kind, worst);
}

/* The tests of tasks that the table above does not name: by the file that declares them. */
static const unsigned char by_list[DGM_TASK_COUNT] = {
/* clang-format off */
#define TASK(name) [DGM_TASK_##name] = ELEMENTS,
#define TASK_LIST_FILE "kernel/task/elements_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = GEMM,
#define TASK_LIST_FILE "kernel/task/gemm_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = ROWS_MOVE,
#define TASK_LIST_FILE "kernel/task/rows_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = ATTENTION_FORWARD,
#define TASK_LIST_FILE "kernel/task/attention_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = LSTM,
#define TASK_LIST_FILE "kernel/task/lstm_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = ADDITIVE,
#define TASK_LIST_FILE "kernel/task/additive_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = GATES,
#define TASK_LIST_FILE "kernel/task/gates_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = CELLS,
#define TASK_LIST_FILE "kernel/task/cells_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = COMPOSE,
#define TASK_LIST_FILE "kernel/task/compose_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = PAIRS,
#define TASK_LIST_FILE "kernel/task/pairs_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = SOFTMAX,
#define TASK_LIST_FILE "kernel/task/softmax_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = SPANS,
#define TASK_LIST_FILE "kernel/task/spans_list.h"
#include "kernel/task/task_list.h"
#define TASK(name) [DGM_TASK_##name] = OPTIMIZER,
#define TASK_LIST_FILE "kernel/task/optimizer_list.h"
#include "kernel/task/task_list.h"
    /* clang-format on */
};

static enum family family_of(enum dgm_task_kind kind)
{
    return (enum family)(families[kind] != NONE ? families[kind] : by_list[kind]);
}

static int is_wanted(enum dgm_task_kind kind, enum family family)
{
    const char *only = getenv("DGM_TRIAL");

    return family_of(kind) == family &&
           (only == NULL || strstr(dgm_task_shape(kind)->name, only) != NULL);
}

static void try_family(enum family family)
{
    const struct dgm_device_options options = { 1, NULL, NULL, NULL, NULL };
    const char *count = getenv("DGM_TRIALS");
    struct dgm_device *cpu = NULL, *device = NULL;
    int failures = 0;

    OPENCL_OPEN(&device);
    CHECK_STATUS(dgm_device_open(test_env(), &cpu, "cpu", &options), DGM_OK);
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        if (!is_wanted((enum dgm_task_kind)kind, family))
            continue;
        failures += try_task(cpu, device, (enum dgm_task_kind)kind,
                             count != NULL ? atoi(count) : TRIALS) != DGM_OK;
        dgm_env_clear_error(test_env());
    }
    dgm_device_close(test_env(), device);
    dgm_device_close(test_env(), cpu);
    CHECK_INT(failures, 0);
}

TEST(opencl_parity_leaves_no_task_out)
{
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++)
        if (family_of((enum dgm_task_kind)kind) == NONE)
            CHECK_STR(dgm_task_shape((enum dgm_task_kind)kind)->name, "in a family");
}

TEST(opencl_parity_elements)
{
    try_family(ELEMENTS);
}

TEST(opencl_parity_residual)
{
    try_family(RESIDUAL);
}

TEST(opencl_parity_gemm)
{
    try_family(GEMM);
}

TEST(opencl_parity_norm)
{
    try_family(NORM);
}

TEST(opencl_parity_softmax)
{
    try_family(SOFTMAX);
}

TEST(opencl_parity_optimizer)
{
    try_family(OPTIMIZER);
}

TEST(opencl_parity_rows_move)
{
    try_family(ROWS_MOVE);
}

TEST(opencl_parity_activate)
{
    try_family(ACTIVATE);
}

TEST(opencl_parity_spans)
{
    try_family(SPANS);
}

TEST(opencl_parity_gates)
{
    try_family(GATES);
}

TEST(opencl_parity_attention_forward)
{
    try_family(ATTENTION_FORWARD);
}

TEST(opencl_parity_attention_backward)
{
    try_family(ATTENTION_BACKWARD);
}

TEST(opencl_parity_pairs)
{
    try_family(PAIRS);
}

TEST(opencl_parity_lstm)
{
    try_family(LSTM);
}

TEST(opencl_parity_additive)
{
    try_family(ADDITIVE);
}

TEST(opencl_parity_cells)
{
    try_family(CELLS);
}

TEST(opencl_parity_compose)
{
    try_family(COMPOSE);
}
