/*
 * test_every_op.c: what every operation of op_list.h promises, on random instances of its own:
 * the same bits with any number of threads, and a value without training that depends on nothing
 * but its operands. Gradients: test_gradcheck.c.
 */
#include <math.h>

#include "graph_case.h"

enum { SEEDS = 8 };

/* The value of the root, then the gradients of all leaves. */
struct results {
    dgm_real *reals;
    int64_t count;
};

static void append(struct graph_case *c, struct results *results, struct dgm_ref at, int64_t count)
{
    results->reals = dgm_resize(test_env(), results->reals, (size_t)(results->count + count) + 1,
                                sizeof *results->reals);
    CHECK(results->reals != NULL);
    CHECK_STATUS(case_read(c, at, results->reals + results->count, count), DGM_OK);
    results->count += count;
}

static int has_same_bits(const struct results *a, const struct results *b)
{
    return a->count == b->count &&
           memcmp(a->reals, b->reals, (size_t)a->count * sizeof *a->reals) == 0;
}

/* The name of the operation is what a failure has to show. */
static void check(const struct dgm_op *op, int is_good, const char *good)
{
    if (!is_good)
        CHECK_STR(op->name, good);
}

/* An instance of the operation; its root is kept. NULL: a failure, to be checked. */
static struct dgm_node *begin(struct graph_case *c, const struct dgm_op *op, uint64_t seed,
                              struct dgm_device *device, int training)
{
    if (case_begin(c, device) != DGM_OK)
        return NULL;
    dgm_random_init(&c->sample.random, seed, 97, 0, 0);
    dgm_graph_begin(&c->g, training, (uint32_t)seed, 1);
    return dgm_keep(&c->g, op->sample(&c->g, &c->sample));
}

/* Both passes; where the root is no loss, random gradients come from above. */
static void train(const struct dgm_op *op, uint64_t seed, struct dgm_device *device,
                  struct results *results)
{
    struct graph_case c;
    struct dgm_node *root = begin(&c, op, seed, device, 1);
    const int64_t count = root != NULL ? root->rows * root->cols : 0;
    dgm_real *dy = dgm_arena_alloc(test_env(), &c.g.arena, (size_t)count + 1, sizeof *dy);
    const dgm_real *given = dy;

    check(op, root != NULL, "an operation that samples itself");
    CHECK(root != NULL && dy != NULL);
    for (int64_t i = 0; i < count; i++)
        dy[i] = (dgm_real)dgm_random_normal(&c.sample.random);
    if (op->is_loss == DGM_NO_LOSS) {
        CHECK_STATUS(case_run(&c, &root, &given, 1), DGM_OK);
    } else {
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
        CHECK_STATUS(dgm_graph_backward(&c.g), DGM_OK);
    }
    append(&c, results, root->value, count);
    for (int i = 0; i < c.sample.leaf_count; i++)
        append(&c, results, c.sample.leaves[i]->grad,
               c.sample.leaves[i]->rows * c.sample.leaves[i]->cols);
    case_end(&c);
}

TEST(every_operation_has_a_name_both_passes_and_a_sample)
{
    for (int i = 0; dgm_ops[i] != NULL; i++) {
        const struct dgm_op *op = dgm_ops[i];

        CHECK(op->name != NULL && op->name[0] != '\0');
        check(op, op->forward && op->backward && op->sample, "an operation with all functions");
        check(op, op->in_place >= 0 && op->hands_down >= 0,
              "an operation whose inputs are numbers of inputs");
    }
}

TEST(every_operation_has_the_same_bits_on_any_number_of_threads)
{
    struct dgm_device *device[2];

    CHECK_STATUS(open_device(test_env(), &device[0], 1), DGM_OK);
    CHECK_STATUS(open_device(test_env(), &device[1], 3), DGM_OK);
    for (int i = 0; dgm_ops[i] != NULL; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct results one = { NULL, 0 }, three = { NULL, 0 };

            train(dgm_ops[i], seed, device[0], &one);
            train(dgm_ops[i], seed, device[1], &three);
            check(dgm_ops[i], has_same_bits(&one, &three),
                  "an operation with the same bits on three threads");
            dgm_release(test_env(), one.reals);
            dgm_release(test_env(), three.reals);
        }
    dgm_device_close(test_env(), device[0]);
    dgm_device_close(test_env(), device[1]);
}

/* Makes NaN of all planned memory, so that reading what was not written in this run shows. */
static void spoil_pool(struct graph_case *c)
{
    const size_t count = c->g.pool_bytes / sizeof(dgm_real);
    dgm_real *spoilt;
    struct dgm_ref pool = { NULL, 0 };

    if (c->g.pool[0] == NULL) /* without training, dropout alone is its own operand */
        return;
    spoilt = dgm_alloc(test_env(), count + 1, sizeof *spoilt);
    CHECK(spoilt != NULL);
    for (size_t i = 0; i < count; i++)
        spoilt[i] = (dgm_real)NAN;
    pool.buffer = c->g.pool[0];
    CHECK_STATUS(dgm_device_write(test_env(), c->device, pool, spoilt, count * sizeof *spoilt),
                 DGM_OK);
    dgm_release(test_env(), spoilt);
}

TEST(every_operation_runs_without_training_in_memory_full_of_nan)
{
    struct dgm_device *device;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    for (int i = 0; dgm_ops[i] != NULL; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct results first = { NULL, 0 }, again = { NULL, 0 };
            struct graph_case c;
            struct dgm_node *root = begin(&c, dgm_ops[i], seed, device, 0);

            CHECK(root != NULL);
            CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
            append(&c, &first, root->value, root->rows * root->cols);
            spoil_pool(&c);
            CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
            append(&c, &again, root->value, root->rows * root->cols);
            check(dgm_ops[i], has_same_bits(&first, &again),
                  "an operation that reads what it was given only");
            for (int64_t k = 0; k < again.count; k++)
                check(dgm_ops[i], isfinite(again.reals[k]), "an operation with finite values");
            dgm_release(test_env(), first.reals);
            dgm_release(test_env(), again.reals);
            case_end(&c);
        }
    dgm_device_close(test_env(), device);
}
