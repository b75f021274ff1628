/*
 * test_kernel_cells.c: steps of gated recurrent units, of every instruction set this machine runs,
 * against the formulas in double; and their tasks on any number of threads.
 */
#include "base/mem.h"
#include "device/task.h"
#include "kernel_case.h"

enum { ROWS = 4, STATES = 5, WIDEST = 40 };

static const int64_t widths[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 40 };
static const int32_t firsts[ROWS] = { 3, 0, 3, -1 }, seconds[ROWS] = { 1, -1, 3, 4 };

enum { WIDTHS = sizeof widths / sizeof widths[0] };

/* What a variant leaves out or adds, a bit each. */
enum {
    GATHERED = 1,
    TWO = 2,
    NO_STATE = 4,
    NO_H = 8,
    IN_SAVED = 16,
    ADDED = 32,
    FEW = 64,
    VARIANTS = 128
};

struct operands {
    struct case_array x, h, state, dy, y, saved, dx, dh, dcarry;
    struct dgm_gated_cell_forward_job rows;
    struct dgm_gated_cell_backward_job grad;
};

/* Rows of each matrix lie a few columns further apart than they must. */
static void set_jobs(struct operands *o, int64_t dim, int variant)
{
    const dgm_real *state = variant & NO_STATE ? NULL : o->state.x;
    const int32_t *first = variant & GATHERED ? firsts : NULL;
    const int32_t *second = variant & TWO ? seconds : NULL;
    struct dgm_gated_cell_forward_job rows = { .y = o->y.x,
                                               .saved = o->saved.x,
                                               .x = o->x.x,
                                               .h = o->h.x,
                                               .state = state,
                                               .first = first,
                                               .second = second,
                                               .dim = dim,
                                               .ldy = dim + 2,
                                               .ld_saved = 4 * dim + 1,
                                               .ldx = 3 * dim + 3,
                                               .ldh = 3 * dim,
                                               .lds = dim + 1,
                                               .carry = (dgm_real)0.7 };
    struct dgm_gated_cell_backward_job grad = { .dx = o->dx.x,
                                                .dh = o->dh.x,
                                                .dcarry = o->dcarry.x,
                                                .dy = o->dy.x,
                                                .saved = o->saved.x,
                                                .state = state,
                                                .first = first,
                                                .second = second,
                                                .dim = dim,
                                                .lddx = 3 * dim,
                                                .lddh = 3 * dim + 1,
                                                .lddcarry = dim,
                                                .lddy = dim + 2,
                                                .ld_saved = 4 * dim + 1,
                                                .lds = dim + 1,
                                                .carry = (dgm_real)0.7 };

    grad.accumulate_x = grad.accumulate_h = grad.accumulate_carry = variant & ADDED;
    if (variant & NO_H)
        rows.h = NULL;
    if (variant & IN_SAVED && !(variant & NO_H)) {
        for (int64_t i = 0; i < ROWS; i++)
            memcpy(o->saved.x + i * rows.ld_saved, o->h.x + i * rows.ldh,
                   (size_t)(3 * dim) * sizeof(dgm_real));
        rows.h = o->saved.x;
        rows.ldh = rows.ld_saved;
    }
    if (variant & FEW)
        grad.dx = grad.dcarry = NULL;
    o->rows = rows;
    o->grad = grad;
}

static void begin(struct operands *o, int64_t dim, int shift, uint64_t seed)
{
    const struct {
        struct case_array *array;
        int64_t count;
    } all[] = {
        { &o->x, ROWS * (3 * dim + 3) },   { &o->h, ROWS * 3 * dim },
        { &o->state, STATES * (dim + 1) }, { &o->dy, ROWS * (dim + 2) },
        { &o->y, ROWS * (dim + 2) },       { &o->saved, ROWS * (4 * dim + 1) },
        { &o->dx, ROWS * 3 * dim },        { &o->dh, ROWS * (3 * dim + 1) },
        { &o->dcarry, ROWS * dim },
    };
    struct dgm_random random;

    dgm_random_init(&random, seed, 0, 0, 0);
    for (int a = 0; a < 9; a++) {
        case_array_begin(all[a].array, all[a].count, shift ? (shift + a) % 4 : 0);
        case_array_random(all[a].array, &random);
    }
}

static void check(const dgm_real *got, double want, const dgm_real *before, int added)
{
    CHECK_NEAR(*got, want + (added ? (double)*before : 0), 40 * case_unit() * (1 + fabs(want)));
}

/* Element j of row i against the formulas; `o` is as it was before. */
static void check_element(const struct operands *got, const struct operands *o, int64_t dim,
                          int64_t i, int64_t j, int variant)
{
    const dgm_real *x = o->x.x + i * (3 * dim + 3) + j, *h = o->h.x + i * 3 * dim + j;
    const int one = variant & NO_H ? 0 : 1, added = variant & ADDED && 1;
    const int64_t places[2] = { variant & GATHERED ? firsts[i] : i,
                                variant & TWO ? seconds[i] : -1 };
    const double dy = (double)o->dy.x[i * (dim + 2) + j];
    const int64_t at_dx = i * 3 * dim + j, at_dh = i * (3 * dim + 1) + j, at = i * dim + j;
    double u = 1 / (1 + exp(-(double)x[0] - one * (double)h[0])), carried = 0, du, dr, dc;
    double r = 1 / (1 + exp(-(double)x[dim] - one * (double)h[dim]));
    double q = one * (double)h[2 * dim], c = tanh(r * q + (double)x[2 * dim]);

    for (int k = 0; k < 2; k++)
        if (places[k] >= 0 && !(variant & NO_STATE))
            carried += (double)(dgm_real)0.7 * (double)o->state.x[places[k] * (dim + 1) + j];
    check(got->y.x + i * (dim + 2) + j, (1 - u) * c + u * carried, NULL, 0);
    du = dy * (carried - c) * u * (1 - u);
    dc = dy * (1 - u) * (1 - c * c);
    dr = dc * q * r * (1 - r);
    check(got->dh.x + at_dh, du, o->dh.x + at_dh, added);
    check(got->dh.x + at_dh + dim, dr, o->dh.x + at_dh + dim, added);
    check(got->dh.x + at_dh + 2 * dim, dc * r, o->dh.x + at_dh + 2 * dim, added);
    if (variant & FEW) {
        CHECK(got->dx.x[at_dx] == o->dx.x[at_dx] && got->dcarry.x[at] == o->dcarry.x[at]);
        return;
    }
    check(got->dx.x + at_dx, du, o->dx.x + at_dx, added);
    check(got->dx.x + at_dx + dim, dr, o->dx.x + at_dx + dim, added);
    check(got->dx.x + at_dx + 2 * dim, dc, o->dx.x + at_dx + 2 * dim, added);
    check(got->dcarry.x + at, (double)(dgm_real)0.7 * dy * u, o->dcarry.x + at, added);
}

static void check_variant(const struct dgm_cell_kernels *cells, int64_t dim, int shift, int variant)
{
    static struct operands got, before;
    const uint64_t seed = (uint64_t)(dim * 1000 + variant);

    begin(&before, dim, 0, seed);
    begin(&got, dim, shift, seed);
    set_jobs(&got, dim, variant);
    cells->gated_forward(&got.rows, 0, 1);
    cells->gated_forward(&got.rows, 1, ROWS);
    cells->gated_backward(&got.grad, 0, 2);
    cells->gated_backward(&got.grad, 2, ROWS);
    for (int64_t i = 0; i < ROWS; i++)
        for (int64_t j = 0; j < dim; j++)
            check_element(&got, &before, dim, i, j, variant);
    CHECK(case_array_is_intact(&got.y) && case_array_is_intact(&got.saved));
    CHECK(case_array_is_intact(&got.dx) && case_array_is_intact(&got.dh));
    CHECK(case_array_is_intact(&got.dcarry) && case_array_is_intact(&got.state));
}

TEST(kernel_gated_cells_agree_with_the_formulas)
{
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(i); w++)
            for (int variant = 0; variant < VARIANTS; variant++)
                check_variant(dgm_kernels_entry(i)->cells, widths[w], w % 4, variant);
}

/* dh over saved: the gradients of the recurrent side replace u r q, and c stays. */
TEST(kernel_gated_cells_may_leave_gradients_where_the_gates_were)
{
    static struct operands apart, within;

    for (size_t k = 0; k < dgm_kernels_count(); k++) {
        const struct dgm_kernels *kernels = dgm_kernels_entry(k);
        const int64_t dim = 33, ld = 4 * dim + 1;
        struct operands *both[2] = { &apart, &within };
        for (int b = 0; b < 2 && kernels; b++) {
            begin(both[b], dim, 0, 5);
            set_jobs(both[b], dim, GATHERED | TWO);
            kernels->cells->gated_forward(&both[b]->rows, 0, ROWS);
            if (b == 1) {
                within.grad.dh = within.saved.x;
                within.grad.lddh = ld;
            }
            kernels->cells->gated_backward(&both[b]->grad, 0, ROWS);
        }
        for (int64_t i = 0; i < ROWS && kernels; i++) {
            CHECK_MEM(within.saved.x + i * ld, apart.dh.x + i * (3 * dim + 1),
                      (size_t)(3 * dim) * sizeof(dgm_real));
            CHECK_MEM(within.saved.x + i * ld + 3 * dim, apart.saved.x + i * ld + 3 * dim,
                      (size_t)dim * sizeof(dgm_real));
        }
    }
}

/* Where the update gate is given 40 or more, the state is kept to the last bit. */
TEST(kernel_gated_cells_copy_where_the_update_gate_is_wide_open)
{
    static struct operands o;

    for (size_t k = 0; k < dgm_kernels_count(); k++) {
        const int64_t dim = 17;
        begin(&o, dim, 0, 6);
        set_jobs(&o, dim, 0);
        o.rows.carry = 1;
        for (int64_t i = 0; i < ROWS; i++)
            for (int64_t j = 0; j < dim; j++)
                o.x.x[i * (3 * dim + 3) + j] = 44;
        if (dgm_kernels_entry(k) == NULL)
            continue;
        dgm_kernels_entry(k)->cells->gated_forward(&o.rows, 0, ROWS);
        for (int64_t i = 0; i < ROWS; i++)
            CHECK_MEM(o.y.x + i * (dim + 2), o.state.x + i * (dim + 1),
                      (size_t)dim * sizeof(dgm_real));
    }
}

/* ---- factors ------------------------------------------------------------------------------- */

/* Two blocks, the middle factor absent; factors take their gradients. */
static void run_modulate(const struct dgm_cell_kernels *cells, struct operands *o, int64_t dim)
{
    const struct dgm_modulate core = { .dim = dim,
                                       .blocks = 2,
                                       .ldz = dim + 2,
                                       .ld_factor = { 3 * dim + 3, 0, 3 * dim },
                                       .ldt = 4 * dim + 1 };
    const struct dgm_modulate_forward_job rows = {
        .t = o->saved.x, .z = o->dy.x, .factor = { o->x.x, NULL, o->h.x }, .core = core
    };
    struct dgm_modulate_backward_job grad = { .dz = o->y.x,
                                              .dfactor = { o->x.x, NULL, o->dx.x },
                                              .dt = o->dh.x,
                                              .z = o->dy.x,
                                              .factor = { o->x.x, NULL, o->h.x },
                                              .core = core,
                                              .lddf = { 3 * dim + 3, 0, 3 * dim },
                                              .accumulate = { 0, 0, 1 } };

    grad.core.ldt = 0; /* one row */

    cells->modulate_forward(&rows, 0, 1);
    cells->modulate_backward(&grad, 0, 1);
}

TEST(kernel_modulate_agrees_with_plain_c)
{
    static struct operands got, want;

    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(i); w++) {
            const int64_t dim = widths[w];
            begin(&got, dim, w % 4, 77);
            begin(&want, dim, 0, 77);
            run_modulate(dgm_kernels_entry(i)->cells, &got, dim);
            run_modulate(&dgm_cells_c, &want, dim);
            for (int64_t j = 0; j < 2 * dim; j++) {
                for (int part = 0; part < 3; part++)
                    CHECK_NEAR(got.saved.x[3 * j + part], want.saved.x[3 * j + part],
                               40 * case_unit());
                CHECK_NEAR(got.x.x[j], want.x.x[j], 40 * case_unit());
                CHECK_NEAR(got.dx.x[j], want.dx.x[j], 80 * case_unit());
            }
            for (int64_t j = 0; j < dim; j++)
                CHECK_NEAR(got.y.x[j], want.y.x[j], 800 * case_unit());
        }
}

/* ---- tasks --------------------------------------------------------------------------------- */

enum { TASK_ROWS = 300, DIM = 24, PLACE = TASK_ROWS * 4 * DIM, PLACES = 8 };

static dgm_status run_tasks(dgm_real *x, int threads)
{
    enum { Y, SAVED, X, H, DX, DH, DCARRY, DY };
    struct dgm_device_options options = { 0, NULL, NULL, NULL, NULL };
    struct dgm_gated_cell_forward_args forward;
    struct dgm_gated_cell_backward_args backward;
    const size_t bytes = (size_t)PLACES * PLACE * sizeof *x;
    struct dgm_device *device;
    struct dgm_buffer *buffer;
    struct dgm_ref at[PLACES];
    struct dgm_random random;

    options.threads = threads;
    memset(&forward, 0, sizeof forward);
    memset(&backward, 0, sizeof backward);
    dgm_random_init(&random, 10, 0, 0, 0);
    for (int64_t i = 0; i < PLACES * PLACE; i++)
        x[i] = (dgm_real)dgm_random_normal(&random);
    DGM_TRY(dgm_device_open(test_env(), &device, "cpu", &options));
    DGM_TRY(dgm_device_alloc(test_env(), device, &buffer, bytes));
    for (int i = 0; i < PLACES; i++) {
        at[i].buffer = buffer;
        at[i].offset = (size_t)i * PLACE * sizeof *x;
    }
    DGM_TRY(dgm_device_write(test_env(), device, at[0], x, bytes));
    forward.y = at[Y];
    forward.saved = backward.saved = at[SAVED];
    forward.x = at[X];
    forward.h = at[H];
    forward.state = backward.state = at[DY];
    forward.n = backward.n = TASK_ROWS;
    forward.dim = forward.ldy = forward.lds = DIM;
    forward.ldx = forward.ldh = 3 * DIM;
    forward.ld_saved = backward.ld_saved = 4 * DIM;
    forward.carry = backward.carry = 1;
    backward.dx = at[DX];
    backward.dh = at[DH];
    backward.dcarry = at[DCARRY];
    backward.dy = at[DY];
    backward.dim = backward.lddy = backward.lds = backward.lddcarry = DIM;
    backward.lddx = backward.lddh = 3 * DIM;
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gated_cell_forward, &forward));
    DGM_TRY(dgm_device_run(test_env(), device, DGM_TASK_gated_cell_backward, &backward));
    DGM_TRY(dgm_device_read(test_env(), device, x, at[0], bytes));
    dgm_device_release(test_env(), device, buffer);
    dgm_device_close(test_env(), device);
    return DGM_OK;
}

TEST(gated_cell_tasks_have_the_same_bits_on_any_number_of_threads)
{
    dgm_real *one = dgm_alloc(test_env(), PLACES * PLACE, sizeof *one);
    dgm_real *more = dgm_alloc(test_env(), PLACES * PLACE, sizeof *more);

    CHECK(one != NULL && more != NULL);
    CHECK_STATUS(run_tasks(one, 1), DGM_OK);
    for (int threads = 2; threads <= 3; threads++) {
        CHECK_STATUS(run_tasks(more, threads), DGM_OK);
        CHECK_MEM(more, one, (size_t)PLACES * PLACE * sizeof *one);
    }
    dgm_release(test_env(), one);
    dgm_release(test_env(), more);
}
