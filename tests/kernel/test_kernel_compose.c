/*
 * test_kernel_compose.c: composition of constituents, of every instruction set this machine runs,
 * against plain C; what is composed lies between what it is composed of.
 */
#include "kernel_case.h"

enum { ROWS = 3, MOST_ARRAYS = 9 };

static const int64_t widths[] = { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 40 };

enum { WIDTHS = sizeof widths / sizeof widths[0] };

struct operands {
    struct case_array l, r, bias, left, right, y, dl, dr, dy;
};

static void begin(struct operands *o, int64_t dim, int64_t parts, int shift, uint64_t seed)
{
    const struct {
        struct case_array *array;
        int64_t count;
    } all[MOST_ARRAYS] = {
        { &o->l, ROWS * dim },
        { &o->r, ROWS * dim },
        { &o->bias, ROWS * parts * dim },
        { &o->left, ROWS * parts * dim },
        { &o->right, ROWS * parts * dim },
        { &o->y, ROWS * dim },
        { &o->dl, ROWS * dim },
        { &o->dr, ROWS * dim },
        { &o->dy, ROWS * dim },
    };
    struct dgm_random random;

    dgm_random_init(&random, seed, 0, 0, 0);
    for (int a = 0; a < MOST_ARRAYS; a++) {
        case_array_begin(all[a].array, all[a].count, shift ? (shift + a) % 4 : 0);
        case_array_random(all[a].array, &random);
    }
}

static void run(const struct dgm_compose_kernels *kernels, struct operands *o, int64_t dim,
                int64_t parts, int64_t ld_bias)
{
    const struct dgm_compose core = { .dim = dim, .mixes = (int)parts - 3 };
    struct dgm_compose_forward_job rows = { .y = o->y.x,
                                            .left = o->left.x,
                                            .right = o->right.x,
                                            .l = o->l.x,
                                            .r = o->r.x,
                                            .bias = o->bias.x,
                                            .core = core,
                                            .ld_bias = ld_bias };
    struct dgm_compose_backward_job grad = { .dl = o->dl.x,
                                             .dr = o->dr.x,
                                             .dy = o->dy.x,
                                             .left = o->left.x,
                                             .right = o->right.x,
                                             .l = o->l.x,
                                             .r = o->r.x,
                                             .core = core };

    kernels->forward(&rows, 0, 1);
    kernels->forward(&rows, 1, ROWS);
    kernels->backward(&grad, 0, 2);
    kernels->backward(&grad, 2, ROWS);
}

static void check(const struct case_array *got, const struct case_array *want)
{
    CHECK(case_array_is_intact(got));
    for (int64_t i = 0; i < want->count; i++)
        CHECK_NEAR(got->x[i], want->x[i], 64 * case_unit() * (1 + fabs((double)want->x[i])));
}

TEST(kernel_compose_agrees_with_plain_c)
{
    static struct operands want, got;

    for (size_t k = 0; k < dgm_kernels_count(); k++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(k); w++)
            for (int variant = 0; variant < 4; variant++) {
                const int64_t dim = widths[w], parts = 5 + (variant & 1);
                const int64_t ld_bias = variant & 2 ? parts * dim : 0;
                begin(&want, dim, parts, 0, (uint64_t)(w * 4 + variant));
                begin(&got, dim, parts, w % 4, (uint64_t)(w * 4 + variant));
                run(&dgm_compose_c, &want, dim, parts, ld_bias);
                run(dgm_kernels_entry(k)->compose, &got, dim, parts, ld_bias);
                check(&got.y, &want.y);
                check(&got.dl, &want.dl);
                check(&got.dr, &want.dr);
                check(&got.dy, &want.dy);
                check(&got.left, &want.left);
                check(&got.right, &want.right);
            }
}

static void run_child_sum(const struct dgm_compose_kernels *kernels, struct operands *o,
                          int64_t dim)
{
    struct dgm_child_sum_forward_job rows = { .y = o->y.x,
                                              .left = o->left.x,
                                              .right = o->right.x,
                                              .l = o->l.x,
                                              .r = o->r.x,
                                              .bias = o->bias.x,
                                              .dim = dim };
    struct dgm_child_sum_backward_job grad = { .dcarry = o->dl.x,
                                               .dy = o->dy.x,
                                               .left = o->left.x,
                                               .right = o->right.x,
                                               .l = o->l.x,
                                               .r = o->r.x,
                                               .dim = dim };

    kernels->child_sum_forward(&rows, 0, 1);
    kernels->child_sum_forward(&rows, 1, ROWS);
    kernels->child_sum_backward(&grad, 0, 2);
    kernels->child_sum_backward(&grad, 2, ROWS);
}

TEST(kernel_child_sums_agree_with_plain_c)
{
    static struct operands want, got;

    for (size_t k = 0; k < dgm_kernels_count(); k++)
        for (int w = 0; w < WIDTHS && dgm_kernels_entry(k); w++) {
            begin(&want, widths[w], 3, 0, (uint64_t)w);
            begin(&got, widths[w], 3, w % 4, (uint64_t)w);
            run_child_sum(&dgm_compose_c, &want, widths[w]);
            run_child_sum(dgm_kernels_entry(k)->compose, &got, widths[w]);
            check(&got.y, &want.y);
            check(&got.dl, &want.dl);
            check(&got.dy, &want.dy);
            check(&got.left, &want.left);
            check(&got.right, &want.right);
        }
}

/* Mixing logits of any size: a weighted mean of l, r and c, coordinate by coordinate. */
TEST(kernel_compose_stays_between_its_children_and_what_is_new)
{
    static struct operands o;

    for (size_t k = 0; k < dgm_kernels_count(); k++)
        for (int size = 1; size <= 10000 && dgm_kernels_entry(k); size *= 10) {
            struct dgm_compose_forward_job rows = { .core = { .dim = 33, .mixes = 2 } };
            begin(&o, rows.core.dim, dgm_compose_parts(&rows.core), 0, (uint64_t)size);
            rows.y = o.y.x;
            rows.left = o.left.x;
            rows.right = o.right.x;
            rows.l = o.l.x;
            rows.r = o.r.x;
            rows.bias = o.bias.x;
            for (int64_t i = 0; i < o.left.count; i++)
                o.left.x[i] *= (dgm_real)size;
            dgm_kernels_entry(k)->compose->forward(&rows, 0, ROWS);
            for (int64_t i = 0; i < o.y.count; i++) {
                const dgm_real c = o.right.x[i / 33 * 165 + 33 + i % 33];
                const double low = fmin((double)o.l.x[i], fmin((double)o.r.x[i], (double)c));
                const double high = fmax((double)o.l.x[i], fmax((double)o.r.x[i], (double)c));
                CHECK((double)o.y.x[i] >= low - 8 * case_unit());
                CHECK((double)o.y.x[i] <= high + 8 * case_unit());
            }
        }
}
