/* machine.c: what this machine computes with, and why not with more. */
#include "device/machine.h"

#include <string.h>

#include "base/file/report.h"
#include "base/system/cpu.h"
#include "device/choice.h"
#include "device/task_shape.h"
#include "kernel/kernel.h"
#include "kernel/narrow/bf16.h"
#include "kernel/narrow/int8.h"
#include "kernel/narrow/matrix.h"

static const struct feature {
    unsigned bit;
    const char *isa; /* the kernels that need it */
    const char *text;
} features[] = {
    { DGM_CPU_SSE2, "sse2", "SSE2" },
    { DGM_CPU_AVX2, "avx2", "AVX2 with FMA" },
    { DGM_CPU_AVX512, "avx512", "AVX-512 (F, DQ, BW, VL)" },
    { DGM_CPU_NEON, "neon", "NEON" },
};

enum { FEATURE_COUNT = sizeof features / sizeof features[0] };

static const struct feature *find_feature(const char *isa)
{
    size_t i;
    for (i = 0; i < FEATURE_COUNT; i++)
        if (strcmp(features[i].isa, isa) == 0)
            return &features[i];
    return NULL;
}

static dgm_status add_processor(struct dgm_env *env, struct dgm_buf *out)
{
    unsigned present = dgm_cpu_features();
    int count = dgm_cpu_count();
    const char *between = " ";
    size_t i;
    DGM_TRY(dgm_buf_add_format(env, out, "cpu: %d processor%s,", count, count == 1 ? "" : "s"));
    for (i = 0; i < FEATURE_COUNT; i++) {
        if ((present & features[i].bit) == 0)
            continue;
        DGM_TRY(dgm_buf_add_format(env, out, "%s%s", between, features[i].text));
        between = ", ";
    }
    if (present == 0)
        DGM_TRY(dgm_buf_add_text(env, out, " no vector instructions that we know"));
    return dgm_buf_add_char(env, out, '\n');
}

/* One line of the list of kernels: used, available, or the reason why it is neither. */
static dgm_status add_kernels(struct dgm_env *env, struct dgm_buf *out, size_t i,
                              const struct dgm_kernels *chosen)
{
    const char *name = dgm_kernels_name(i);
    const struct feature *feature = find_feature(name);
    DGM_TRY(dgm_buf_add_format(env, out, "  %-8s", name));
    if (dgm_kernels_entry(i) == chosen)
        return dgm_buf_add_text(env, out, "used\n");
    if (dgm_kernels_entry(i) != NULL)
        return dgm_buf_add_text(env, out, "available\n");
    if (feature != NULL && (dgm_cpu_features() & feature->bit) == 0)
        return dgm_buf_add_format(env, out, "not used: this processor, or its system, lacks %s\n",
                                  feature->text);
    return dgm_buf_add_text(env, out, "not used: this build has no kernels for it\n");
}

/* Instructions on narrow numbers come later than the vectors that they go with. */
static dgm_status add_products(struct dgm_env *env, struct dgm_buf *out, const char *isa)
{
    const struct dgm_matrix_kernels *matrix = dgm_matrix_choose(isa);

    return dgm_buf_add_format(env, out,
                              "products: --compute-type int8 by %s, bf16 by %s; --precision bf16 "
                              "by %s\n",
                              dgm_narrow_choose(&dgm_int8, isa)->name,
                              dgm_narrow_choose(&dgm_bf16, isa)->name,
                              matrix ? matrix->name : "none");
}

dgm_status dgm_machine_describe(struct dgm_env *env, struct dgm_buf *out,
                                const struct dgm_device_options *options)
{
    const struct dgm_kernels *chosen;
    size_t i;
    DGM_TRY(dgm_kernels_choose(env, &chosen, options->isa));
    DGM_TRY(add_processor(env, out));
    DGM_TRY(dgm_buf_add_format(env, out, "threads: %d\nkernels:\n",
                               options->threads > 0 ? options->threads : dgm_cpu_count()));
    for (i = 0; i < dgm_kernels_count(); i++)
        DGM_TRY(add_kernels(env, out, i, chosen));
    DGM_TRY(add_products(env, out, chosen->name));
    DGM_TRY(dgm_buf_add_text(env, out, "devices:\n"));
    for (i = 0; i < dgm_device_count(); i++)
        DGM_TRY(dgm_buf_add_format(env, out, "  %-8s%s\n", dgm_device_entry(i)->name,
                                   dgm_device_entry(i)->help));
    return dgm_device_list(env, out);
}

/* ---- what the chosen devices compute, and what they leave to the CPU ---------------------- */

/* Who receives the report, line by line: a trial may compile for a while. */
struct receiver {
    dgm_write_fn write;
    void *user;
};

/* Hands over what `line` has, and empties it. */
static dgm_status hand_over(struct dgm_env *env, const struct receiver *to, struct dgm_buf *line)
{
    const dgm_status status = dgm_report_write(env, to->write, to->user, line);
    line->size = 0;
    return status;
}

/* Writes a line for each operation that the device runs; those of the *count others go to
 * `left`. */
static dgm_status write_tasks(struct dgm_env *env, const struct receiver *to,
                              struct dgm_device *device, struct dgm_buf *left, int *count)
{
    struct dgm_buf line = { NULL, 0, 0, 0 };
    dgm_status status = DGM_OK;
    for (int kind = 0; kind < DGM_TASK_COUNT; kind++) {
        char words[DGM_EXPLAIN_SIZE];
        const int runs = device->ops->explain(env, device, (enum dgm_task_kind)kind, words);
        *count += !runs;
        DGM_TRY_OUT(dgm_buf_add_format(env, runs ? &line : left, "  %-30s %s\n",
                                       dgm_task_shape((enum dgm_task_kind)kind)->name, words));
        DGM_TRY_OUT(hand_over(env, to, &line));
    }
out:
    dgm_buf_clear(env, &line);
    return status;
}

static dgm_status write_sum(struct dgm_env *env, const struct receiver *to,
                            const struct dgm_buf *left, int count)
{
    struct dgm_buf text = { NULL, 0, 0, 0 };
    dgm_status status;
    if (count == 0)
        status = dgm_buf_add_format(env, &text, "all %d operations run on the device\n",
                                    (int)DGM_TASK_COUNT);
    else
        status = dgm_buf_add_format(env, &text,
                                    "%d of %d operations run on the CPU, with what they "
                                    "read and write copied there and back:\n%.*s",
                                    count, (int)DGM_TASK_COUNT, (int)left->size, left->data);
    if (status == DGM_OK)
        status = hand_over(env, to, &text);
    dgm_buf_clear(env, &text);
    return status;
}

dgm_status dgm_machine_explain(struct dgm_env *env, struct dgm_device *device, dgm_write_fn write,
                               void *user)
{
    const struct receiver to = { write, user };
    struct dgm_buf left = { NULL, 0, 0, 0 }, title = { NULL, 0, 0, 0 };
    dgm_status status;
    int count = 0;
    DGM_TRY_OUT(dgm_buf_add_format(env, &title, "device: %s\n", device->title));
    DGM_TRY_OUT(hand_over(env, &to, &title));
    if (device->ops->explain != NULL)
        DGM_TRY_OUT(write_tasks(env, &to, device, &left, &count));
    DGM_TRY_OUT(write_sum(env, &to, &left, count));
out:
    dgm_buf_clear(env, &title);
    dgm_buf_clear(env, &left);
    return status;
}
