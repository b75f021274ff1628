/*
 * test_kernel_attention_spec.c: the plain C kernel against the worked examples of the
 * specification (transformer_variants.md, sections 1.4, 3.1, 3.2 and 3.6), to the printed digits.
 */
#include "attention_toy.h"

/* Shaw's tables of 3.1 (k = 1) and Omote's labels and tables of 3.2 (l = 2). */
static const dgm_real shaw_key[] = { (dgm_real)0.1,  (dgm_real)0.2, 0, 0,
                                     (dgm_real)-0.3, (dgm_real)0.4 };
static const dgm_real shaw_value[] = { (dgm_real)0.5, 0, 0, 0, 0, (dgm_real)-0.5 };
static const unsigned char depth_labels[] = { 2, 1, 0, 1, 3, 2, 1, 2, 4, 3, 2, 3, 3, 2, 1, 2 };
static const dgm_real depth_key[] = {
    (dgm_real)-0.2, (dgm_real)0.4,  (dgm_real)-0.1, (dgm_real)0.2, 0, 0,
    (dgm_real)0.1,  (dgm_real)-0.2, (dgm_real)0.2,  (dgm_real)-0.4
};
static const dgm_real depth_value[] = { 0, (dgm_real)-0.6, 0, (dgm_real)-0.3, 0, 0,
                                        0, (dgm_real)0.3,  0, (dgm_real)0.6 };

static void toy_shaw(struct toy *toy)
{
    struct dgm_attention_relation *r = &toy->block.relations[0];

    r->count = 3;
    r->clip = 1;
    r->key = shaw_key;
    r->value = shaw_value;
}

static void toy_depth(struct toy *toy)
{
    struct dgm_attention_relation *r = &toy->block.relations[1];

    r->count = LABELS;
    r->labels = depth_labels;
    r->key = depth_key;
    r->value = depth_value;
}

TEST(kernel_attention_of_toy_a_gives_the_printed_numbers)
{
    static const double a[] = { .279392, .397887, .096733, .225988, .356526, .175792,
                                .250349, .217333, .410109, .287974, .099704, .202212,
                                .219607, .373220, .154205, .252967 };
    static const double z[] = { .634635, .730682, .540844, .671511,
                                .714829, .905981, .571336, .559467 };
    static const double dq[] = { -.182839, -.061078, .292025, .122530,
                                 .160421,  .164873,  .163282, .084939 };
    static const double dk[] = { .158567,  .439997,  -.223258, .139584,
                                 -.158549, -.105949, .223241,  -.473633 };
    static const double dv[] = { .472207, .363882 };
    struct toy toy;

    toy_start(&toy);
    toy_run(&toy);
    near(toy.z, z, N * D);
    CHECK_NEAR(toy_loss(&toy), 1.769899, PRINTED);
    near(toy.dq, dq, N * D);
    near(toy.dk, dk, N * D);
    near(toy.dv, dv, D);
    near_weights(&toy, a);
}

TEST(kernel_attention_of_shaw_gives_the_printed_numbers)
{
    static const double z[] = { .657264,  .471308, .712982, .330147,
                                1.078928, .885358, .954372, .545398 };
    static const double dkey[] = { .300441, .717056, -.201980, -.053547, -.098461, -.663510 };
    static const double dvalue[] = { .544648, 1.086727, .614293, -.101765, .841060, -.234961 };
    static const double a[] = { .324022, .373244, .090742, .211992, .340241, .145638,
                                .275207, .238914, .429760, .301773, .084511, .183956,
                                .217626, .369853, .152814, .259707 };
    struct toy toy;

    toy_start(&toy);
    toy_shaw(&toy);
    toy_run(&toy);
    near(toy.z, z, N * D);
    near(toy.dkey[0], dkey, 3 * D);
    near(toy.dvalue[0], dvalue, 3 * D);
    toy.block.relations[0].value = NULL;
    near_weights(&toy, a);
}

TEST(kernel_attention_of_depth_labels_gives_the_printed_numbers)
{
    static const double z[] = { .652659, .523130,  .459930, .589109,
                                .693884, 1.252220, .605941, .634515 };
    static const double dkey[] = { -.033286, 0,        .180119,  -.152283, -.247485,
                                   -.058246, -.228976, -.119099, .329627,  .329627 };
    static const double dvalue[] = { .088896, -.088896, .898282, -.435484, 1.060040,
                                     .166997, .147875,  .717198, -.195093, .390186 };
    static const double key_only[] = { .652659, .761071, .459930, .582713,
                                       .693884, .867945, .605941, .603151 };
    static const double value_only[] = { .634635, .485480,  .540844, .703364,
                                         .714829, 1.299102, .571336, .579087 };
    struct toy toy;

    toy_start(&toy);
    toy_depth(&toy);
    toy_run(&toy);
    near(toy.z, z, N * D);
    near(toy.dkey[1], dkey, LABELS * D);
    near(toy.dvalue[1], dvalue, LABELS * D);
    toy.block.relations[1].value = NULL;
    toy_run(&toy);
    near(toy.z, key_only, N * D);
    toy.block.relations[1].value = depth_value;
    toy.block.relations[1].key = NULL;
    toy_run(&toy);
    near(toy.z, value_only, N * D);
}

TEST(kernel_attention_of_two_relations_gives_the_printed_numbers)
{
    static const double z[] = { .675350,  .290491,  .605726, .213666,
                                1.053103, 1.241385, .989707, .619901 };
    struct toy toy;

    toy_start(&toy);
    toy_shaw(&toy);
    toy_depth(&toy);
    toy_run(&toy);
    near(toy.z, z, N * D);
}

/* The Gaussian of the distances |i - j| of 3.6, sigma 1. */
static void chain_factor(dgm_real *factor)
{
    int i;

    for (i = 0; i < N * N; i++) {
        double distance = i / N - i % N;
        factor[i] = (dgm_real)(exp(-distance * distance / 2) / sqrt(2 * 3.14159265358979324));
    }
}

TEST(kernel_attention_of_deps_san_gives_the_printed_numbers)
{
    static const double a[] = { .267708, .275875, .223782, .232636, .276764, .233239,
                                .254071, .235926, .251929, .282303, .206611, .259157,
                                .257262, .262425, .226456, .253857 };
    static const double z[] = { .509198, .578654, .494544, .550841,
                                .563632, .527006, .538520, .523091 };
    static const double dq[] = { -.070663, -.073577, .066064, .023989,
                                 .007731,  -.010372, .076292, -.008452 };
    dgm_real factor[N * N];
    struct toy toy;

    toy_start(&toy);
    chain_factor(factor);
    toy.block.factor[0] = factor;
    toy_run(&toy);
    near(toy.z, z, N * D);
    near(toy.dq, dq, N * D);
    CHECK_NEAR(toy_loss(&toy), 1.367718, PRINTED);
    near_weights(&toy, a);
}

TEST(kernel_attention_of_wink_gives_the_printed_numbers)
{
    static const double zero[] = { .265435, .273533, .230516, .230516, .277509, .233868,
                                   .254756, .233868, .241291, .286318, .209549, .262842,
                                   .258695, .258695, .227539, .255071 };
    static const double minus_infinity[] = { .492488, .507512, 0,       0,       .362221, .305257,
                                             .332522, 0,       0,       .377375, .276191, .346433,
                                             0,       0,       .471476, .528524 };
    unsigned char hidden[N * N];
    dgm_real factor[N * N];
    struct toy toy;
    int i;

    toy_start(&toy);
    chain_factor(factor);
    for (i = 0; i < N * N; i++)
        hidden[i] = i / N - i % N > 1 || i % N - i / N > 1;
    toy.block.factor[0] = factor;
    toy.block.hidden = hidden;
    near_weights(&toy, minus_infinity);
    toy.block.hidden = NULL;
    for (i = 0; i < N * N; i++)
        factor[i] = hidden[i] ? 0 : factor[i];
    near_weights(&toy, zero);
}
