/*
 * test_kernel_math.c: the kernels on arrays, of every instruction set this machine runs.
 */
#include "kernel_case.h"

TEST(kernels_are_chosen_by_name)
{
    const struct dgm_kernels *kernels = NULL, *best = NULL;

    CHECK_STATUS(dgm_kernels_choose(test_env(), &kernels, "c"), DGM_OK);
    CHECK_STR(kernels->name, "c");
    CHECK_STATUS(dgm_kernels_choose(test_env(), &best, NULL), DGM_OK);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if (dgm_kernels_entry(i))
            kernels = dgm_kernels_entry(i);
    CHECK_STR(best->name, kernels->name);
    CHECK_STATUS(dgm_kernels_choose(test_env(), &best, ""), DGM_OK);
    CHECK_STR(best->name, kernels->name);
}

TEST(kernels_of_an_unknown_name_are_refused_with_a_list)
{
    const struct dgm_kernels *kernels = NULL;

    CHECK_STATUS(dgm_kernels_choose(test_env(), &kernels, "avx9"), DGM_USAGE);
    CHECK(kernels == NULL);
    CHECK(strstr(test_env()->error.message, "'avx9'") != NULL);
    CHECK(strstr(test_env()->error.message, "available: c") != NULL);
}

TEST(kernels_of_every_instruction_set_run_here)
{
    char missing[128] = "not covered on this machine:";
    int count = 0;

    for (size_t i = 0; i < dgm_kernels_count(); i++)
        if (!dgm_kernels_entry(i)) {
            strcat(strcat(missing, " "), dgm_kernels_name(i));
            count++;
        } else {
            CHECK_STR(dgm_kernels_entry(i)->name, dgm_kernels_name(i));
        }
    if (count > 0)
        TEST_SKIP(missing);
}

/* ---- functions of one variable --------------------------------------------------------------- */

typedef void map_fn(dgm_real *y, const dgm_real *x, int64_t n);

enum { EXP, LOG, TANH, SIGMOID, MAPS };

static const double map_bounds[MAPS] = { 1.5, 1.5, 1.5, 2 }; /* ulp: math.h */

static map_fn *map_of(const struct dgm_kernels *kernels, int which)
{
    map_fn *maps[MAPS];

    maps[EXP] = kernels->math->exp;
    maps[LOG] = kernels->math->log;
    maps[TANH] = kernels->math->tanh;
    maps[SIGMOID] = kernels->math->sigmoid;
    return maps[which];
}

static double map_exact(int which, double x)
{
    switch (which) {
    case EXP: return exp(x);
    case LOG: return log(x);
    case TANH: return tanh(x);
    default: return x < 0 ? exp(x) / (1 + exp(x)) : 1 / (1 + exp(-x));
    }
}

/* Distance in units in the last place of a float; denormals share the smallest unit. */
static double ulps(double got, double exact)
{
    const double most = 3.4028234663852886e38, top = 3.4028235677973366e38;
    int exponent;

    if (isnan(exact) || isnan(got))
        return isnan(exact) && isnan(got) ? 0 : HUGE_VAL;
    if (isinf(got) || fabs(exact) >= top)
        return fabs(exact) > most && got * exact > 0 && fabs(got) >= most ? 0.5 : HUGE_VAL;
    frexp(exact, &exponent);
    return fabs(got - exact) / ldexp(1, (exponent < -125 ? -125 : exponent) - 24);
}

/* Every STRIDE-th float, NaN and infinities included. */
static void check_map(const struct dgm_kernels *kernels, int which, uint64_t stride)
{
    enum { BATCH = 999 };
    static dgm_real x[BATCH], y[BATCH];
    uint64_t next = 0;

    while (next < (uint64_t)1 << 32) {
        int64_t n = 0;
        for (; n < BATCH && next < (uint64_t)1 << 32; next += stride, n++) {
            uint32_t bits = (uint32_t)next;
            float value;
            memcpy(&value, &bits, sizeof value);
            x[n] = (dgm_real)value;
        }
        map_of(kernels, which)(y, x, n);
        for (int64_t i = 0; i < n; i++)
            CHECK_NEAR(ulps((double)y[i], map_exact(which, (double)x[i])), 0, map_bounds[which]);
    }
}

TEST(kernel_functions_are_exact_to_the_last_places_on_all_floats)
{
    if (sizeof(dgm_real) != sizeof(float))
        TEST_SKIP("the double build uses the C library's functions");
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int which = 0; which < MAPS && dgm_kernels_entry(i); which++)
            check_map(dgm_kernels_entry(i), which, test_is_long() ? 211 : 9973);
}

TEST(kernel_functions_have_the_right_limits)
{
    const struct { /* not static: HUGE_VAL is no constant expression to every compiler */
        int which;
        double x, y;
    } limits[] = {
        { EXP, 0, 1 },
        { EXP, HUGE_VAL, HUGE_VAL },
        { EXP, -HUGE_VAL, 0 },
        { EXP, 1e6, HUGE_VAL },
        { EXP, -1e6, 0 },
        { LOG, 1, 0 },
        { LOG, 0, -HUGE_VAL },
        { LOG, HUGE_VAL, HUGE_VAL },
        { TANH, 0, 0 },
        { TANH, HUGE_VAL, 1 },
        { TANH, -HUGE_VAL, -1 },
        { TANH, -50, -1 },
        { SIGMOID, 0, 0.5 },
        { SIGMOID, HUGE_VAL, 1 },
        { SIGMOID, -HUGE_VAL, 0 },
    };
    dgm_real x, y;

    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (size_t j = 0; j < sizeof limits / sizeof limits[0] && dgm_kernels_entry(i); j++) {
            x = (dgm_real)limits[j].x;
            map_of(dgm_kernels_entry(i), limits[j].which)(&y, &x, 1);
            CHECK(y == (dgm_real)limits[j].y);
        }
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int which = 0; which < MAPS && dgm_kernels_entry(i); which++) {
            x = (dgm_real)NAN;
            map_of(dgm_kernels_entry(i), which)(&y, &x, 1);
            CHECK(isnan(y));
            x = -1;
            map_of(dgm_kernels_entry(i), LOG)(&y, &x, 1);
            CHECK(isnan(y));
        }
}

/* The value of an element depends neither on its place nor on its neighbours. */
static void check_map_at(map_fn *map, int64_t n, int shift, struct dgm_random *random)
{
    static struct case_array x, y;
    dgm_real alone;

    case_array_begin(&x, n, shift);
    case_array_begin(&y, n, CASE_SHIFTS - shift);
    case_array_hostile(&x, random);
    map(y.x, x.x, n);
    CHECK(case_array_is_intact(&y));
    for (int64_t i = 0; i < n; i++) {
        map(&alone, x.x + i, 1);
        CHECK(case_same(&alone, y.x + i, 1));
    }
    map(x.x, x.x, n);
    CHECK(case_same(x.x, y.x, n));
    CHECK(case_array_is_intact(&x));
}

TEST(kernel_functions_do_not_depend_on_place_or_alignment)
{
    struct dgm_random random;

    dgm_random_init(&random, 1, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int which = 0; which < MAPS && dgm_kernels_entry(i); which++)
            for (int size = 0; case_size(size) >= 0; size++)
                check_map_at(map_of(dgm_kernels_entry(i), which), case_size(size),
                             size % CASE_SHIFTS, &random);
}

/* ---- gates of oneself ------------------------------------------------------------------------ */

static double gate_exact(double x, enum dgm_activation kind)
{
    if (kind == DGM_SWISH)
        return map_exact(SIGMOID, x);
    return 0.5 * erfc(-x * sqrt(0.5));
}

static double gate_slope_exact(double x, enum dgm_activation kind)
{
    double gate = gate_exact(x, kind);

    if (kind == DGM_SWISH)
        return gate + x * gate * (1 - gate);
    return gate + x * exp(-x * x / 2) * 0.39894228040143268;
}

/* Values of x from -20 to 20, ends of vectors included. */
static void check_self_gate(const struct dgm_math_kernels *math, enum dgm_activation kind)
{
    enum { POINTS = 4003 };
    static dgm_real x[POINTS], y[POINTS], dy[POINTS], dx[POINTS], twice[POINTS];

    for (int i = 0; i < POINTS; i++) {
        x[i] = (dgm_real)(i - POINTS / 2) / 100;
        dy[i] = i % 2 ? 1 : -2;
    }
    math->self_gate(y, x, POINTS, kind);
    math->self_gate_backward(dx, dy, x, POINTS, kind, 0);
    memcpy(twice, dx, sizeof twice);
    math->self_gate_backward(twice, dy, x, POINTS, kind, 1);
    for (int i = 0; i < POINTS; i++) {
        double exact = (double)x[i] * gate_exact((double)x[i], kind);
        double slope = (double)dy[i] * gate_slope_exact((double)x[i], kind);

        CHECK_NEAR(y[i], exact, 2.5e-7 * (fabs(exact) > 1 ? fabs(exact) : 1));
        CHECK_NEAR(dx[i], slope, 1e-6);
        CHECK(twice[i] == dx[i] + dx[i]);
    }
    math->self_gate(x, x, POINTS, kind);
    CHECK(case_same(x, y, POINTS));
    math->self_gate(twice, x + 3, 1, kind);
    math->self_gate(y, x + 1, 5, kind);
    CHECK(twice[0] == y[2]); /* the same alone and among others */
}

TEST(kernel_gates_of_oneself_are_exact_enough)
{
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int kind = DGM_SWISH; kind <= DGM_GELU && dgm_kernels_entry(i); kind++)
            check_self_gate(dgm_kernels_entry(i)->math, (enum dgm_activation)kind);
}

TEST(kernel_gates_of_oneself_have_the_right_limits)
{
    static const dgm_real far[3] = { 1e30f, -1e30f, 0 };
    dgm_real y[3], nan = (dgm_real)NAN;

    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int kind = DGM_SWISH; kind <= DGM_GELU && dgm_kernels_entry(i); kind++) {
            dgm_kernels_entry(i)->math->self_gate(y, far, 3, (enum dgm_activation)kind);
            CHECK(y[0] == far[0] && y[1] == 0 && y[2] == 0);
            dgm_kernels_entry(i)->math->self_gate(y, &nan, 1, (enum dgm_activation)kind);
            CHECK(isnan(y[0]));
        }
}

/* ---- arithmetic: the same bits as plain C ---------------------------------------------------- */

enum { FILL, SCALE, AXPBY, ADD, RELU, RELU_MORE, ADAM, ADADELTA, OPERATIONS };

/* One operation on four arrays of n, all of which it may read and write. */
static void operate(const struct dgm_math_kernels *math, int operation, dgm_real *const x[4],
                    int64_t n)
{
    static const struct dgm_adam_job step = { .rate = (dgm_real)1e-3,
                                              .step_size = (dgm_real)2e-3,
                                              .beta1 = (dgm_real)0.9,
                                              .beta2 = (dgm_real)0.98,
                                              .eps = (dgm_real)1e-9,
                                              .weight_decay = (dgm_real)0.01,
                                              .grad_scale = (dgm_real)0.125 };
    static const struct dgm_adadelta_job other = { .rho = (dgm_real)0.95,
                                                   .eps = (dgm_real)1e-6,
                                                   .grad_scale = (dgm_real)0.125,
                                                   .rate = (dgm_real)0.3 };

    switch (operation) {
    case FILL: math->fill(x[0], (dgm_real)0.3, n); break;
    case SCALE: math->axpby(x[0], (dgm_real)1.7, x[1], 0, n); break;
    case AXPBY: math->axpby(x[0], (dgm_real)1.7, x[1], (dgm_real)-0.3, n); break;
    case ADD: math->add(x[0], x[0], x[1], n); break;
    case RELU: math->relu_backward(x[0], x[1], x[2], n, 0); break;
    case RELU_MORE: math->relu_backward(x[0], x[1], x[2], n, 1); break;
    case ADAM: math->adam(x[0], x[1], x[2], x[3], n, &step); break;
    default: math->adadelta(x[0], x[1], x[2], x[3], n, &other); break;
    }
}

static void check_operation(const struct dgm_math_kernels *math, int operation, int64_t n,
                            int shift, struct dgm_random *random)
{
    static struct case_array want[4], got[4];
    dgm_real *want_x[4], *got_x[4];

    for (int i = 0; i < 4; i++) {
        case_array_begin(&want[i], n, 0);
        case_array_begin(&got[i], n, (shift + i) % (CASE_SHIFTS + 1));
        case_array_hostile(&want[i], random);
        for (int64_t j = 0; j < n; j++)
            if ((operation == ADAM && i == 2) || (operation == ADADELTA && (i == 1 || i == 2)))
                want[i].x[j] = (dgm_real)fabs((double)want[i].x[j]); /* a mean of squares */
        memcpy(got[i].x, want[i].x, (size_t)n * sizeof(dgm_real));
        want_x[i] = want[i].x;
        got_x[i] = got[i].x;
    }
    /* y is not read where b = 0. */
    for (int64_t j = 0; operation == SCALE && j < n; j++)
        want[0].x[j] = got[0].x[j] = (dgm_real)NAN;
    operate(&dgm_math_c, operation, want_x, n);
    operate(math, operation, got_x, n);
    for (int i = 0; i < 4; i++) {
        CHECK(case_same(want[i].x, got[i].x, n));
        CHECK(case_array_is_intact(&want[i]));
        CHECK(case_array_is_intact(&got[i]));
    }
}

TEST(kernel_arithmetic_has_the_bits_of_plain_c)
{
    struct dgm_random random;

    dgm_random_init(&random, 2, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int operation = 0; operation < OPERATIONS && dgm_kernels_entry(i); operation++)
            for (int size = 0; case_size(size) >= 0; size++)
                check_operation(dgm_kernels_entry(i)->math, operation, case_size(size),
                                size % CASE_SHIFTS, &random);
}

/* Adding n squares in double errs by less than n units, relative to the sum. */
static void check_sum_squares(const struct dgm_math_kernels *math, int64_t n, int shift,
                              struct dgm_random *random)
{
    static struct case_array x;
    double want = 0;

    case_array_begin(&x, n, shift);
    case_array_hostile(&x, random);
    for (int64_t i = 0; i < n; i++)
        want += (double)x.x[i] * (double)x.x[i];
    CHECK_NEAR(math->sum_squares(x.x, n), want, (double)n * 2.3e-16 * want);
}

TEST(kernel_sum_of_squares_is_exact_in_double)
{
    struct dgm_random random;

    dgm_random_init(&random, 3, 0, 0, 0);
    for (size_t i = 0; i < dgm_kernels_count(); i++)
        for (int size = 0; case_size(size) >= 0 && dgm_kernels_entry(i); size++)
            check_sum_squares(dgm_kernels_entry(i)->math, case_size(size), size % CASE_SHIFTS,
                              &random);
}
