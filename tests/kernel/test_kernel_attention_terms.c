/*
 * test_kernel_attention_terms.c: the plain C kernel against the worked examples of the
 * specification's sections 3.3 (DBSA), 3.5 (PASCAL) and 3.7 (localness), to the printed digits.
 */
#include "attention_toy.h"

static const double plain_rows[] = { .279392, .397887, .096733, .225988, .356526, .175792,
                                     .250349, .217333, .410109, .287974, .099704, .202212,
                                     .219607, .373220, .154205, .252967 };

/* ---- 3.3: a head that is a parser ------------------------------------------------------------ */

/* Queries q U1 + u of toy A's q: logits q U1 k^T + u k^T, without a scale. */
static void parser_queries(dgm_real *queries, const double u[D])
{
    static const double u1[D * D] = { 1, .5, -.5, 1 };
    int i, x, y;

    for (i = 0; i < N; i++)
        for (x = 0; x < D; x++) {
            double sum = u[x];
            for (y = 0; y < D; y++)
                sum += (double)toy_q[i * D + y] * u1[y * D + x];
            queries[i * D + x] = (dgm_real)sum;
        }
}

TEST(kernel_attention_of_a_parser_gives_the_printed_numbers)
{
    static const double no_bias[D] = { 0, 0 }, key_bias[D] = { .3, -.6 };
    static const double unbiased[] = { .370945, .370945, .064461, .193650, .317714, .091027,
                                       .407953, .183305, .552233, .158217, .123220, .166329,
                                       .238814, .446164, .087855, .227167 };
    static const double biased[] = { .250456, .530215, .037460, .181868, .284558, .172593,
                                     .314485, .228363, .450952, .273516, .086605, .188927,
                                     .151634, .599723, .048013, .200631 };
    static const double causal[] = { 1,       0,       0,       0,       .622459, .377541,
                                     0,       0,       .555994, .337227, .106779, 0,
                                     .151634, .599723, .048013, .200631 };
    dgm_real queries[N * D];
    struct toy toy;

    toy_start(&toy);
    toy.block.q = queries;
    toy.block.scale = 1;
    parser_queries(queries, no_bias);
    near_weights(&toy, unbiased);
    parser_queries(queries, key_bias);
    near_weights(&toy, biased);
    toy.block.causal = 1;
    near_weights(&toy, causal);
}

/* Gold heads 1, 2, 2 in place of the predicted rows, and a word without a gold head. */
TEST(kernel_attention_of_forced_rows_mixes_the_values_of_their_keys)
{
    static const int32_t forced[N] = { 1, -1, 2, 3 };
    double want[N * N] = { 0 };
    struct toy toy;
    int i, j;

    toy_start(&toy);
    toy.block.forced = forced;
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            want[i * N + j] = i == 1 ? plain_rows[N + j] : j == forced[i];
    near_weights(&toy, want);
    toy_run(&toy);
    for (i = 0; i < N; i++)
        for (j = 0; j < D && i != 1; j++) {
            CHECK(toy.z[i * D + j] == toy_v[forced[i] * D + j]);
            CHECK(toy.dq[i * D + j] == 0);
        }
    CHECK(toy.dq[D] != 0);
}

/* ---- 3.5: PASCAL ----------------------------------------------------------------------------- */

/* The Gaussian around the parents 1, 2, 2, 2, sigma 1. */
static void parent_factor(dgm_real *factor)
{
    static const int parents[N] = { 1, 2, 2, 2 };
    int i;

    for (i = 0; i < N * N; i++) {
        double distance = i % N - parents[i / N];
        factor[i] = (dgm_real)(exp(-distance * distance / 2) / sqrt(2 * 3.14159265358979324));
    }
}

TEST(kernel_attention_of_pascal_gives_the_printed_numbers)
{
    static const double a[] = { .255371, .310835, .197565, .236229, .244850, .235679,
                                .271379, .248092, .251929, .282303, .206611, .259157,
                                .255244, .280707, .208553, .255496 };
    static const double z[] = { .530264, .585347, .469655, .477287,
                                .563632, .527006, .557684, .535698 };
    static const double dq[] = { -.066047, -.048992, .080617, -.027328,
                                 .007731,  -.010372, .091502, -.028002 };
    static const unsigned char ignored[N] = { 1, 0, 0, 1 };
    double part[N * N];
    dgm_real factor[N * N];
    struct toy toy;
    int i;

    toy_start(&toy);
    parent_factor(factor);
    toy.block.factor[1] = factor;
    toy_run(&toy);
    near(toy.z, z, N * D);
    near(toy.dq, dq, N * D);
    CHECK_NEAR(toy_loss(&toy), 1.355186, PRINTED);
    near_weights(&toy, a);
    for (i = 0; i < N * N; i++)
        part[i] = ignored[i / N] ? plain_rows[i] : a[i];
    toy.block.ignored = ignored;
    near_weights(&toy, part);
}

/* ---- 3.7: localness -------------------------------------------------------------------------- */

/* Printed to six decimals, so the scores made of them have errors of a few more. */
#define INPUTS_PRINTED 4e-6

static const dgm_real centers[N] = { (dgm_real)2.170390, (dgm_real)1.188178, (dgm_real)1.501537,
                                     (dgm_real)2.565461 };

/* dU_p of the section: dP_i passes through 4 sigmoid(U_p . tanh(W_p q_i)). */
static void near_center_gradient(const dgm_real *dcenter, const double want[D])
{
    static const double w[D * D] = { .5, -.2, .3, .8 };
    double sums[D] = { 0 };
    int i, x;

    for (i = 0; i < N; i++)
        for (x = 0; x < D; x++) {
            double p = (double)centers[i], q0 = (double)toy_q[i * D], q1 = (double)toy_q[i * D + 1];
            sums[x] +=
                (double)dcenter[i] * p * (1 - p / 4) * tanh(w[x * D] * q0 + w[x * D + 1] * q1);
        }
    for (x = 0; x < D; x++)
        CHECK_NEAR(sums[x], want[x], INPUTS_PRINTED);
}

/* The first rows of A, seen through values that are the identity. */
static void near_rows(struct toy *toy, const double *a, int rows)
{
    dgm_real columns[N * D];
    int part, i, j;

    for (part = 0; part < N; part += D) {
        for (j = 0; j < N * D; j++)
            columns[j] = j / D == part + j % D;
        toy->block.v = columns;
        dgm_attention_c.forward(&toy->block);
        for (i = 0; i < rows; i++)
            for (j = 0; j < D; j++)
                CHECK_NEAR(toy->z[i * D + j], a[i * N + part + j], INPUTS_PRINTED);
    }
    toy->block.v = toy_v;
}

static void near_z(const struct toy *toy, const double *z, int count)
{
    int i;

    for (i = 0; i < count; i++)
        CHECK_NEAR(toy->z[i], z[i], INPUTS_PRINTED);
}

TEST(kernel_attention_of_one_window_gives_the_printed_numbers)
{
    static const double fixed[] = { .264596, .402853, .100602, .231949 };
    static const double layer[] = { .069161, .422931, .184533, .323375 };
    static const double layer_z[] = { .531378, .237878 };
    static const double fixed_grad[D] = { .019337, -.039274 };
    static const double layer_grad[D] = { .658052, -.633207 };
    dgm_real dcenter[N];
    struct toy toy;

    toy_start(&toy);
    toy.block.center = centers;
    toy.block.dcenter = dcenter;
    toy.block.window_size = 10;
    toy_run(&toy);
    near_center_gradient(dcenter, fixed_grad);
    near_rows(&toy, fixed, 1);
    toy.block.window_size = (dgm_real)2.141299;
    toy_run(&toy);
    near_center_gradient(dcenter, layer_grad);
    near_z(&toy, layer_z, D);
    near_rows(&toy, layer, 1);
}

TEST(kernel_attention_of_a_window_for_each_query_gives_the_printed_numbers)
{
    static const dgm_real windows[N] = { (dgm_real)2.433043, (dgm_real)2.127280, (dgm_real)2.512441,
                                         (dgm_real)2.137279 };
    static const double a[] = { .097706, .430183, .164513, .307598, .317271, .287419,
                                .310713, .084598, .305050, .404064, .140034, .150851,
                                .024280, .251799, .264471, .459450 };
    static const double z[] = { .548390, .317996, .175754, .837363,
                                .466718, .863314, .678708, -.159091 };
    static const double grad[D] = { .561439, -.615711 };
    dgm_real dcenter[N];
    struct toy toy;

    toy_start(&toy);
    toy.block.center = centers;
    toy.block.window = windows;
    toy.block.dcenter = dcenter;
    toy_run(&toy);
    near_center_gradient(dcenter, grad);
    near_z(&toy, z, N * D);
    near_rows(&toy, a, N);
}
