/*
 * test_run_lstm_promises.c: what an LSTM promises: the same bits whatever the neighbours and the
 * threads, one dropout mask for all steps, weights in fewer bits that are near.
 */
#include <math.h>
#include <string.h>

#include "device/precision.h"
#include "lstm_lab.h"
#include "open_device.h"
#include "test.h"

/* Largest difference between the states of two problems of one shape. */
static double largest_difference(const struct lstm_problem *a, const struct lstm_problem *b)
{
    double most = 0;

    for (int64_t i = 0; i < a->rows * 2 * a->dim; i++)
        if (!(fabs((double)a->y[i] - (double)b->y[i]) <= most))
            most = fabs((double)a->y[i] - (double)b->y[i]);
    return most;
}

/* p without a backward pass, with states of its own. */
static struct lstm_problem forgetful(struct dgm_arena *arena, const struct lstm_problem *p,
                                     enum dgm_weights held)
{
    struct lstm_problem other = *p;

    other.forgets = 1;
    other.held = held;
    other.y = lstm_lab_reals(arena, p->rows * 2 * p->dim, NULL);
    return other;
}

TEST(lstm_without_a_backward_pass_gives_the_same_states)
{
    static const int32_t counts[] = { 1, 7, 90 };

    for (int i = 0; i < 3; i++) {
        struct dgm_arena arena = { 0 };
        struct lstm_problem p, other;

        CHECK_STATUS(lstm_lab_problem(&arena, &p, counts[i], 9, 21, 0.3), DGM_OK);
        other = forgetful(&arena, &p, DGM_WEIGHTS_REAL);
        CHECK_STATUS(lstm_lab_solve(&p, 1), DGM_OK);
        CHECK_STATUS(lstm_lab_solve(&other, 3), DGM_OK);
        CHECK_MEM(other.y, p.y, (size_t)(p.rows * 2 * p.dim) * sizeof(dgm_real));
        dgm_arena_clear(test_env(), &arena);
    }
}

/* Sequence s of p as a problem of its own; it shares the inputs and has results of its own. */
static dgm_status cut_out(struct dgm_arena *arena, const struct lstm_problem *p, int32_t s,
                          struct lstm_problem *one)
{
    const int64_t first = p->offsets[s];

    *one = *p;
    one->count = 1;
    one->offsets[0] = 0;
    one->offsets[1] = p->offsets[s + 1] - p->offsets[s];
    one->rows = one->offsets[1];
    one->places += 2 * first;
    one->gates += first * 8 * p->dim;
    one->dy += first * 2 * p->dim;
    one->y = lstm_lab_reals(arena, one->rows * 2 * p->dim, NULL);
    one->dgates = lstm_lab_reals(arena, one->rows * 8 * p->dim, NULL);
    one->dweight = lstm_lab_reals(arena, 8 * p->dim * p->dim, NULL);
    return one->y && one->dgates && one->dweight ? DGM_OK : DGM_MEMORY;
}

static void check_alone(int32_t count, int64_t longest, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct dgm_device *device = NULL;
    struct lstm_problem p, one;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, count, longest, dim, 0.3), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&p, 2), DGM_OK);
    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    for (int32_t s = 0; s < count; s++) {
        const int64_t first = p.offsets[s];
        CHECK_STATUS(cut_out(&arena, &p, s, &one), DGM_OK);
        CHECK_STATUS(lstm_lab_solve_on(device, &one), DGM_OK);
        CHECK_MEM(one.y, p.y + first * 2 * dim, (size_t)(one.rows * 2 * dim) * sizeof(dgm_real));
        CHECK_MEM(one.dgates, p.dgates + first * 8 * dim,
                  (size_t)(one.rows * 8 * dim) * sizeof(dgm_real));
    }
    dgm_device_close(test_env(), device);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_of_a_sequence_has_the_same_bits_whatever_its_neighbours)
{
    check_alone(80, 7, 20);
    check_alone(13, 9, 67);
}

static void check_threads(int32_t count, int64_t longest, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct lstm_problem one, more;

    CHECK_STATUS(lstm_lab_problem(&arena, &one, count, longest, dim, 0.3), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&one, 1), DGM_OK);
    for (int threads = 2; threads <= 8; threads += 3) {
        CHECK_STATUS(lstm_lab_problem(&arena, &more, count, longest, dim, 0.3), DGM_OK);
        CHECK_STATUS(lstm_lab_solve(&more, threads), DGM_OK);
        CHECK_MEM(more.y, one.y, (size_t)(one.rows * 2 * dim) * sizeof(dgm_real));
        CHECK_MEM(more.dgates, one.dgates, (size_t)(one.rows * 8 * dim) * sizeof(dgm_real));
        CHECK_MEM(more.dweight, one.dweight, (size_t)(8 * dim * dim) * sizeof(dgm_real));
    }
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_has_the_same_bits_for_any_number_of_threads)
{
    check_threads(5, 9, 13);
    check_threads(90, 12, 70);
    check_threads(100, 7, 64);
}

/* Only the weights' gradient, one product over all steps, has rounded operands. */
TEST(lstm_steps_stay_f32_where_the_device_rounds)
{
    const struct dgm_device_options rounding = { .threads = 1, .precision = "bf16" };
    const struct dgm_device_options plain = { .threads = 1 };
    const size_t weights = 8 * 20 * 20;
    struct dgm_arena arena = { 0 };
    struct dgm_device *device = NULL;
    struct lstm_problem rounded, exact;

    CHECK_STATUS(lstm_lab_problem(&arena, &rounded, 9, 7, 20, 0), DGM_OK);
    CHECK_STATUS(lstm_lab_problem(&arena, &exact, 9, 7, 20, 0), DGM_OK);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &rounding), DGM_OK);
    CHECK_STATUS(lstm_lab_solve_on(device, &rounded), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_STATUS(dgm_device_open(test_env(), &device, "cpu", &plain), DGM_OK);
    CHECK_STATUS(lstm_lab_solve_on(device, &exact), DGM_OK);
    dgm_device_close(test_env(), device);
    CHECK_MEM(rounded.y, exact.y, (size_t)(exact.rows * 2 * 20) * sizeof(dgm_real));
    CHECK_MEM(rounded.dgates, exact.dgates, (size_t)(exact.rows * 8 * 20) * sizeof(dgm_real));
    CHECK(memcmp(rounded.dweight, exact.dweight, weights * sizeof(dgm_real)) != 0);
    for (size_t i = 0; i < weights; i++)
        CHECK_NEAR(rounded.dweight[i], exact.dweight[i], 0.05);
    dgm_arena_clear(test_env(), &arena);
}

/* A column of W whose unit is never passed on gets no gradient; any other does. */
TEST(lstm_dropout_is_the_same_at_every_step)
{
    struct dgm_arena arena = { 0 };
    struct lstm_problem p;
    int dropped = 0;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, 1, 0, 24, 0.4), DGM_OK);
    while (p.rows < 6) /* lengths are random */
        CHECK_STATUS(lstm_lab_problem(&arena, &p, 1, p.rows + 12, 24, 0.4), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&p, 1), DGM_OK);
    for (int64_t column = 0; column < 2 * p.dim; column++) {
        const dgm_real *dweight = p.dweight + column / p.dim * 4 * p.dim * p.dim;
        double sum = 0;
        for (int64_t row = 0; row < 4 * p.dim; row++)
            sum += fabs((double)dweight[row * p.dim + column % p.dim]);
        CHECK((lstm_lab_keep(&p, p.places[0], column) > 0) == (sum > 0));
        dropped += sum == 0;
    }
    CHECK(dropped > 5 && dropped < 43);
    dgm_arena_clear(test_env(), &arena);
}

TEST(lstm_gradients_are_added_where_asked)
{
    struct dgm_arena arena = { 0 };
    struct dgm_lstm_forward_args forward;
    struct dgm_lstm_backward_args backward;
    struct lstm_problem p;
    struct lstm_rig rig;
    dgm_real *twice;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, 9, 5, 7, 0), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&p, 1), DGM_OK);
    CHECK_STATUS(lstm_rig_open(&rig, 1), DGM_OK);
    CHECK_STATUS(lstm_rig_forward(&rig, &p, &forward), DGM_OK);
    CHECK_STATUS(lstm_rig_backward(&rig, &p, &forward, &backward), DGM_OK);
    backward.accumulate_gates = backward.accumulate_weight = 1;
    CHECK_STATUS(dgm_device_run(test_env(), rig.device, DGM_TASK_lstm_forward, &forward), DGM_OK);
    CHECK_STATUS(dgm_device_run(test_env(), rig.device, DGM_TASK_lstm_backward, &backward), DGM_OK);
    twice = lstm_lab_reals(&arena, p.rows * 8 * p.dim + 8 * p.dim * p.dim, NULL);
    CHECK(twice != NULL);
    CHECK_STATUS(lstm_rig_get(&rig, twice, backward.dgates, p.rows * 8 * p.dim), DGM_OK);
    for (int64_t i = 0; i < p.rows * 8 * p.dim; i++)
        CHECK_NEAR(twice[i], 2 * (double)p.dgates[i], 0);
    CHECK_STATUS(lstm_rig_get(&rig, twice, backward.dweight, 8 * p.dim * p.dim), DGM_OK);
    for (int64_t i = 0; i < 8 * p.dim * p.dim; i++)
        CHECK_NEAR(twice[i], 2 * (double)p.dweight[i], 0);
    lstm_rig_close(&rig);
    dgm_arena_clear(test_env(), &arena);
}

/* ---- weights in fewer bits ------------------------------------------------------------------- */

static int has_narrow_weights(void)
{
    struct dgm_device *device = NULL;
    int has = 0;

    if (open_device(test_env(), &device, 1) == DGM_OK)
        has = device->ops->alloc_weights != NULL;
    dgm_device_close(test_env(), device);
    return has;
}

static void check_narrow(enum dgm_weights held, int64_t dim)
{
    struct dgm_arena arena = { 0 };
    struct lstm_problem p, narrow, other, one;

    CHECK_STATUS(lstm_lab_problem(&arena, &p, 90, 6, dim, 0), DGM_OK);
    narrow = forgetful(&arena, &p, held);
    other = forgetful(&arena, &p, held);
    CHECK_STATUS(lstm_lab_solve(&p, 1), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&narrow, 1), DGM_OK);
    CHECK_STATUS(lstm_lab_solve(&other, 3), DGM_OK);
    CHECK(largest_difference(&p, &narrow) < 0.05);
    CHECK(largest_difference(&p, &narrow) > 0);
    CHECK_MEM(other.y, narrow.y, (size_t)(p.rows * 2 * p.dim) * sizeof(dgm_real));
    for (int32_t s = 0; s < 90; s += 11) {
        CHECK_STATUS(cut_out(&arena, &narrow, s, &one), DGM_OK);
        CHECK_STATUS(lstm_lab_solve(&one, 1), DGM_OK);
        CHECK_MEM(one.y, narrow.y + narrow.offsets[s] * 2 * p.dim,
                  (size_t)(one.rows * 2 * p.dim) * sizeof(dgm_real));
    }
    dgm_arena_clear(test_env(), &arena);
}

/* Rows of the second direction begin within a panel where 4 dim is no multiple of 16. */
TEST(lstm_with_weights_in_fewer_bits_is_near_and_knows_no_neighbours)
{
    static const int64_t dims[] = { 16, 18, 33 };

    if (!has_narrow_weights())
        TEST_SKIP("the device has no weights in fewer bits");
    for (int i = 0; i < 3; i++) {
        check_narrow(DGM_WEIGHTS_INT8, dims[i]);
        check_narrow(DGM_WEIGHTS_BF16, dims[i]);
    }
}
