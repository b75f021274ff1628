/*
 * test_kernel_gates.c: highways, context gates and simple recurrent units, of every instruction set
 * this machine runs, against plain C; and their tasks on any number of threads.
 */
#include "base/mem.h"
#include "device/task.h"
#include "kernel_case.h"

enum { ROWS = 3, HEADS = 3, MOST = 9 };

static const int64_t widths[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 67 };

enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* Operands of one case and what a kernel leaves of them. */
struct operands {
    struct case_array in[6], out[3];
};

/* `sizes` of inputs, then of outputs; outputs begin with numbers, too, to be added to. */
static void begin(struct operands *to, const int64_t sizes[MOST], int shift,
                  struct dgm_random *random)
{
    for (int i = 0; i < MOST; i++) {
        struct case_array *array = i < 6 ? &to->in[i] : &to->out[i - 6];
        case_array_begin(array, sizes[i], shift ? (shift + i) % 4 : 0);
        case_array_random(array, random);
    }
}

static void copy(struct operands *to, const struct operands *from, int shift)
{
    for (int i = 0; i < MOST; i++) {
        const struct case_array *source = i < 6 ? &from->in[i] : &from->out[i - 6];
        struct case_array *array = i < 6 ? &to->in[i] : &to->out[i - 6];
        case_array_begin(array, source->count, shift ? (shift + i) % 4 : 0);
        memcpy(array->x, source->x, (size_t)source->count * sizeof(dgm_real));
    }
}

/* Sums of up to `terms` products of numbers up to 2, divided by nothing small. */
static void check_near(const struct operands *got, const struct operands *want, int64_t terms)
{
    for (int i = 0; i < 3; i++) {
        CHECK(case_array_is_intact(&got->out[i]));
        for (int64_t j = 0; j < want->out[i].count; j++)
            CHECK_NEAR(got->out[i].x[j], want->out[i].x[j],
                       (24 + 8 * (double)terms) * case_unit() *
                           (1 + fabs((double)want->out[i].x[j])));
    }
}

/* ---- highways ------------------------------------------------------------------------------ */

static void run_highway(const struct dgm_gate_kernels *gates, struct operands *o, int64_t width,
                        int variant)
{
    struct dgm_highway_forward_job rows = {
        .y = o->out[0].x, .ht = o->in[0].x, .c = o->in[1].x, .width = width
    };
    struct dgm_highway_backward_job grad = { .dht = o->out[1].x,
                                             .dc = o->out[2].x,
                                             .dy = o->in[2].x,
                                             .ht = o->in[0].x,
                                             .c = o->in[1].x,
                                             .width = width,
                                             .accumulate_ht = variant & 1,
                                             .accumulate_c = variant >> 1 & 1 };

    if (variant >= 4)
        *(variant == 4 ? &grad.dht : &grad.dc) = NULL;
    gates->highway_forward(&rows, 0, ROWS);
    gates->highway_backward(&grad, 0, 1);
    gates->highway_backward(&grad, 1, ROWS);
}

TEST(kernel_highway_agrees_with_plain_c)
{
    static struct operands want, got;
    struct dgm_random random;

    dgm_random_init(&random, 8, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(i); w++)
            for (int variant = 0; variant < 6; variant++) {
                const int64_t n = ROWS * widths[w];
                const int64_t sizes[MOST] = { 2 * n, n, n, 0, 0, 0, n, 2 * n, n };
                begin(&want, sizes, 0, &random);
                copy(&got, &want, w % 4);
                run_highway(&dgm_gates_c, &want, widths[w], variant);
                run_highway(dgm_kernels_entry(i)->gates, &got, widths[w], variant);
                check_near(&got, &want, 1);
            }
}

/* ---- simple recurrent units ---------------------------------------------------------------- */

/* A sentence of one row and one of two; the cells of before only where the variant has them. */
static void run_ssru(const struct dgm_gate_kernels *gates, struct operands *o, int64_t width,
                     int variant)
{
    static const int32_t offsets[] = { 0, 1, ROWS };
    struct dgm_ssru_forward_job rows = { .c = o->out[0].x,
                                         .x = o->in[0].x,
                                         .g = o->in[1].x,
                                         .start = variant & 1 ? o->in[2].x : NULL,
                                         .offsets = offsets,
                                         .width = width };
    struct dgm_ssru_backward_job grad = { .dx = o->out[1].x,
                                          .dg = o->out[2].x,
                                          .dstart = o->out[2].x + ROWS * width,
                                          .dc = o->in[3].x,
                                          .c = o->out[0].x,
                                          .x = o->in[0].x,
                                          .g = o->in[1].x,
                                          .start = rows.start,
                                          .offsets = offsets,
                                          .width = width,
                                          .accumulate_x = variant & 1,
                                          .accumulate_g = variant >> 1 & 1,
                                          .accumulate_start = variant & 1 };

    if (variant >= 4)
        *(variant == 4 ? &grad.dx : variant == 5 ? &grad.dg : &grad.dstart) = NULL;
    gates->ssru_forward(&rows, 0, 1);
    gates->ssru_forward(&rows, 1, 2);
    gates->ssru_backward(&grad, 0, 2);
}

TEST(kernel_ssru_agrees_with_plain_c)
{
    static struct operands want, got;
    struct dgm_random random;

    dgm_random_init(&random, 9, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(i); w++)
            for (int variant = 0; variant < 7; variant++) {
                const int64_t n = ROWS * widths[w], starts = 2 * widths[w];
                const int64_t sizes[MOST] = { n, n, starts, n, 0, 0, n, n, n + starts };
                begin(&want, sizes, 0, &random);
                copy(&got, &want, w % 4);
                run_ssru(&dgm_gates_c, &want, widths[w], variant);
                run_ssru(dgm_kernels_entry(i)->gates, &got, widths[w], variant);
                check_near(&got, &want, 2);
            }
}

/* ---- context gates ------------------------------------------------------------------------- */

/* Rows of x have a column more than needed, heads of c two; y, then l lie in out[0]. */
static void run_mix(const struct dgm_gate_kernels *gates, struct operands *o, int64_t width,
                    int variant)
{
    static const dgm_real x_bias = (dgm_real)0.3, c_bias = 0;
    const struct dgm_gated_mix core = { .heads = HEADS,
                                        .width = width,
                                        .c_step = width + 2,
                                        .ldx = HEADS * width + 1,
                                        .ldc = HEADS * (width + 2),
                                        .scale = (dgm_real)(variant & 1 ? 0.4 : 1) };
    dgm_real *l = o->out[0].x + ROWS * HEADS * width;
    struct dgm_gated_mix_forward_job rows = { .y = o->out[0].x,
                                              .l = l,
                                              .x = o->in[0].x,
                                              .c = o->in[1].x,
                                              .x_gate = o->in[2].x,
                                              .x_bias = &x_bias,
                                              .c_gate = o->in[3].x,
                                              .c_bias = &c_bias,
                                              .core = core };
    struct dgm_gated_mix_backward_job grad = { .dx = o->out[1].x,
                                               .dc = o->out[2].x,
                                               .dy = o->in[4].x,
                                               .l = l,
                                               .x = o->in[0].x,
                                               .c = o->in[1].x,
                                               .x_gate = o->in[2].x,
                                               .c_gate = o->in[3].x,
                                               .core = core,
                                               .accumulate_x = variant & 1,
                                               .accumulate_c = variant >> 1 & 1 };
    dgm_real *sums = o->out[2].x + ROWS * HEADS * (width + 2);

    if (variant >= 4)
        *(variant == 4 ? &grad.dx : &grad.dc) = NULL;
    gates->mix_forward(&rows, 0, ROWS);
    gates->mix_backward(&grad, 0, 1, sums);
    gates->mix_backward(&grad, 1, ROWS, sums);
}

TEST(kernel_context_gates_agree_with_plain_c)
{
    static struct operands want, got;
    struct dgm_random random;

    dgm_random_init(&random, 9, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(i); w++)
            for (int variant = 0; variant < 6; variant++) {
                const int64_t width = widths[w], n = ROWS * HEADS * width;
                const int64_t x = n + ROWS, c = n + 2 * ROWS * HEADS;
                const int64_t sizes[MOST] = {
                    x, c, width, width, n, 0, n + ROWS * HEADS, x, c + 2 * width + 1
                };
                begin(&want, sizes, 0, &random);
                copy(&got, &want, w % 4);
                run_mix(&dgm_gates_c, &want, width, variant);
                run_mix(dgm_kernels_entry(i)->gates, &got, width, variant);
                check_near(&got, &want, width);
            }
}

/* ---- tasks --------------------------------------------------------------------------------- */

enum { TASK_ROWS = 700, TASK_WIDTH = 24, TASK_HEADS = 2, REALS = TASK_ROWS * 4 * TASK_WIDTH };

/* Operands of TASK_ROWS rows each, in one buffer. */
enum { Y, L, HT, C, GATES, DHT, DC, DGATES, PLACES };

struct run {
    struct dgm_device *device;
    struct dgm_buffer *buffer;
};

static struct dgm_ref at(const struct run *run, int place, int64_t skip)
{
    struct dgm_ref ref = { run->buffer, (size_t)(place * REALS + skip) * sizeof(dgm_real) };

    return ref;
}

static dgm_status run_highway_tasks(const struct run *run)
{
    struct dgm_highway_forward_args forward;
    struct dgm_highway_backward_args backward;

    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    forward.y = backward.dy = at(run, Y, 0);
    forward.ht = backward.ht = at(run, HT, 0);
    forward.c = backward.c = at(run, C, 0);
    backward.dht = at(run, DHT, 0);
    backward.dc = at(run, DC, 0);
    forward.rows = backward.rows = TASK_ROWS;
    forward.width = backward.width = 2 * TASK_WIDTH;
    DGM_TRY(dgm_device_run(test_env(), run->device, DGM_TASK_highway_forward, &forward));
    return dgm_device_run(test_env(), run->device, DGM_TASK_highway_backward, &backward);
}

static dgm_status run_mix_tasks(const struct run *run)
{
    const struct dgm_gated_mix core = { TASK_ROWS,      TASK_HEADS,     TASK_WIDTH, TASK_WIDTH,
                                        2 * TASK_WIDTH, 2 * TASK_WIDTH, 1 };
    struct dgm_gated_mix_forward_args forward;
    struct dgm_gated_mix_backward_args backward;

    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    forward.core = backward.core = core;
    forward.y = backward.dy = at(run, Y, 0);
    forward.l = backward.l = at(run, L, 0);
    forward.x = backward.x = at(run, HT, 0);
    forward.c = backward.c = at(run, C, 0);
    forward.x_gate = backward.x_gate = at(run, GATES, 0);
    forward.c_gate = backward.c_gate = at(run, GATES, TASK_WIDTH);
    forward.x_bias = forward.c_bias = at(run, GATES, 2 * TASK_WIDTH);
    backward.dx = at(run, DHT, 0);
    backward.dc = at(run, DC, 0);
    backward.dx_gate = at(run, DGATES, 0);
    backward.dc_gate = at(run, DGATES, TASK_WIDTH);
    backward.dx_bias = at(run, DGATES, 2 * TASK_WIDTH);
    backward.dc_bias = at(run, DGATES, 2 * TASK_WIDTH + 1);
    backward.accumulate_x = 1;
    DGM_TRY(dgm_device_run(test_env(), run->device, DGM_TASK_gated_mix_forward, &forward));
    return dgm_device_run(test_env(), run->device, DGM_TASK_gated_mix_backward, &backward);
}

/* Both kinds of tasks on the same random numbers; `x` is all that they leave. */
static dgm_status run_tasks(dgm_real *x, int threads, dgm_status (*tasks)(const struct run *))
{
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };
    const size_t bytes = (size_t)PLACES * REALS * sizeof *x;
    struct dgm_random random;
    struct run run;
    dgm_status status;

    dgm_random_init(&random, 10, 0, 0, 0);
    for (int64_t i = 0; i < PLACES * REALS; i++)
        x[i] = (dgm_real)dgm_random_normal(&random);
    options.threads = threads;
    DGM_TRY(dgm_device_open(test_env(), &run.device, "cpu", &options));
    DGM_TRY(dgm_device_alloc(test_env(), run.device, &run.buffer, bytes));
    DGM_TRY(dgm_device_write(test_env(), run.device, at(&run, 0, 0), x, bytes));
    status = tasks(&run);
    if (status == DGM_OK)
        status = dgm_device_read(test_env(), run.device, x, at(&run, 0, 0), bytes);
    dgm_device_release(test_env(), run.device, run.buffer);
    dgm_device_close(test_env(), run.device);
    return status;
}

static void check_threads(dgm_status (*tasks)(const struct run *))
{
    dgm_real *one = dgm_alloc(test_env(), PLACES * REALS, sizeof *one);
    dgm_real *more = dgm_alloc(test_env(), PLACES * REALS, sizeof *more);

    CHECK(one != NULL && more != NULL);
    CHECK_STATUS(run_tasks(one, 1, tasks), DGM_OK);
    for (int threads = 2; threads <= 3; threads++) {
        CHECK_STATUS(run_tasks(more, threads, tasks), DGM_OK);
        CHECK_MEM(more, one, (size_t)PLACES * REALS * sizeof *one);
    }
    dgm_release(test_env(), one);
    dgm_release(test_env(), more);
}

TEST(highway_tasks_have_the_same_bits_on_any_number_of_threads)
{
    check_threads(run_highway_tasks);
}

TEST(context_gate_tasks_have_the_same_bits_on_any_number_of_threads)
{
    check_threads(run_mix_tasks);
}
