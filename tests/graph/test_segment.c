/*
 * test_segment.c: values that are made again for the backward pass: the same bits of losses and
 * gradients, in less memory, for every operation, every encoder and every variant of attention.
 */
#include <math.h>

#include "graph/segment.h"
#include "graph_case.h"
#include "kind_case.h"
#include "variant_case.h"

enum { SEEDS = 8, MOST_ROWS = 256 };

/* Makes NaN of all planned memory, so that reading what was dropped and not made again shows. */
static dgm_status poison(struct dgm_graph *g, size_t *bytes)
{
    struct dgm_ref start = { NULL, 0 };
    unsigned char *poisoned;
    dgm_status status;

    DGM_TRY(dgm_graph_measure(g, bytes));
    poisoned = dgm_alloc(test_env(), g->pool_bytes + 1, 1);
    if (poisoned == NULL)
        return DGM_MEMORY;
    memset(poisoned, 0xff, g->pool_bytes);
    start.buffer = g->pool[0];
    status = dgm_device_write(test_env(), g->device, start, poisoned, g->pool_bytes);
    dgm_release(test_env(), poisoned);
    return status;
}

/* ---- operations ------------------------------------------------------------------------------ */

/* Gradients of all leaves. */
struct results {
    dgm_real *reals;
    int64_t count;
};

static void append(struct graph_case *c, struct results *results, const struct dgm_node *leaf)
{
    const int64_t count = leaf->rows * leaf->cols;

    results->reals = dgm_resize(test_env(), results->reals, (size_t)(results->count + count) + 1,
                                sizeof *results->reals);
    CHECK(results->reals != NULL);
    CHECK_STATUS(case_read(c, leaf->grad, results->reals + results->count, count), DGM_OK);
    results->count += count;
}

/* A copy of y's rows in y's own segment, so that nobody outside of it reads y. */
static struct dgm_node *copy_of(struct graph_case *c, struct dgm_node *y)
{
    int32_t rows[MOST_ROWS];

    for (int32_t i = 0; i < MOST_ROWS; i++)
        rows[i] = i;
    return dgm_gather(&c->g, y, dgm_sample_data(&c->g, &c->sample, rows, sizeof rows), y->rows);
}

/* Both passes over an instance of the operation that is a segment of its own; *again: nodes that
 * were made again. */
static void train(const struct dgm_op *op, uint64_t seed, struct dgm_device *device, int recomputes,
                  struct results *results, int *again)
{
    struct graph_case c;
    struct dgm_node *root;
    const dgm_real *given;
    dgm_real *dy;
    size_t bytes;

    CHECK_STATUS(case_begin(&c, device), DGM_OK);
    c.g.recomputes = recomputes;
    dgm_random_init(&c.sample.random, seed, 97, 0, 0);
    dgm_graph_begin(&c.g, 1, (uint32_t)seed, 1);
    dgm_begin_segment(&c.g);
    root = op->sample(&c.g, &c.sample);
    CHECK(root != NULL);
    if (op->is_loss == DGM_NO_LOSS) {
        CHECK(root->rows <= MOST_ROWS);
        root = copy_of(&c, root);
        dy = dgm_arena_alloc(test_env(), &c.g.arena, (size_t)(root->rows * root->cols) + 1,
                             sizeof *dy);
        CHECK(dy != NULL);
        for (int64_t i = 0; i < root->rows * root->cols; i++)
            dy[i] = (dgm_real)dgm_random_normal(&c.sample.random);
        given = dy;
        CHECK_STATUS(case_run(&c, &root, &given, 1), DGM_OK);
    } else {
        CHECK_STATUS(poison(&c.g, &bytes), DGM_OK);
        CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
        CHECK_STATUS(dgm_graph_backward(&c.g), DGM_OK);
    }
    for (int64_t i = 0; i < c.g.count; i++)
        *again += c.g.nodes[i]->is_made_again;
    for (int i = 0; i < c.sample.leaf_count; i++)
        append(&c, results, c.sample.leaves[i]);
    case_end(&c);
}

static int has_same_bits(const struct results *a, const struct results *b)
{
    return a->count == b->count &&
           memcmp(a->reals, b->reals, (size_t)a->count * sizeof *a->reals) == 0;
}

TEST(segment_of_every_operation_has_the_gradients_of_one_that_is_kept)
{
    struct dgm_device *device;
    int again = 0, none = 0;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    for (int i = 0; dgm_ops[i] != NULL; i++)
        for (uint64_t seed = 1; seed <= SEEDS; seed++) {
            struct results kept = { NULL, 0 }, made = { NULL, 0 };

            train(dgm_ops[i], seed, device, 0, &kept, &none);
            train(dgm_ops[i], seed, device, 1, &made, &again);
            if (!has_same_bits(&kept, &made))
                CHECK_STR(dgm_ops[i]->name, "an operation that makes its value again");
            dgm_release(test_env(), kept.reals);
            dgm_release(test_env(), made.reals);
        }
    CHECK(again > 100 && again > none);
    dgm_device_close(test_env(), device);
}

/* ---- models ---------------------------------------------------------------------------------- */

/* How much is made again: nothing, cheap values, segments. */
enum way { KEPT, CHEAP, SEGMENTS, WAYS };

/* The loss and all gradients of a step. */
static dgm_status run_way(struct tiny *tiny, const struct dgm_batch *batch, enum way way,
                          double *loss, size_t *bytes)
{
    tiny->graph.recomputes = way == SEGMENTS;
    DGM_TRY(tiny_forget_grads(tiny));
    DGM_TRY(tiny_build(tiny, batch, 1, 2));
    for (int64_t i = 0; i < tiny->graph.count && way == KEPT; i++)
        dgm_keep(&tiny->graph, tiny->graph.nodes[i]);
    DGM_TRY(poison(&tiny->graph, bytes));
    DGM_TRY(tiny_run(tiny, loss));
    return dgm_graph_backward(&tiny->graph);
}

/* Tells `name` where a model is not what it ought to be. */
static void check_model(struct tiny *tiny, const struct dgm_batch *batch, const char *name)
{
    const size_t length = (size_t)tiny->model.params.total * sizeof(dgm_real);
    dgm_real *grads[WAYS];
    double loss[WAYS];
    size_t bytes[WAYS];

    for (int way = 0; way < WAYS; way++) {
        CHECK_STATUS(run_way(tiny, batch, (enum way)way, &loss[way], &bytes[way]), DGM_OK);
        grads[way] = tiny_grads(tiny);
        CHECK(grads[way] != NULL && isfinite(loss[way]));
    }
    for (int way = 1; way < WAYS; way++)
        if (memcmp(&loss[way], &loss[0], sizeof loss[0]) != 0 ||
            memcmp(grads[way], grads[0], length) != 0)
            CHECK_STR(name, "a model with the same gradients from values made again");
    if (bytes[CHEAP] >= bytes[KEPT] || bytes[SEGMENTS] >= bytes[CHEAP])
        CHECK_STR(name, "a model that takes less memory where values are made again");
    for (int way = 0; way < WAYS; way++)
        dgm_release(test_env(), grads[way]);
}

TEST(segments_of_every_encoder_and_decoder_give_the_same_bits_in_less_memory)
{
    struct kind_case one;
    struct dgm_batch batch;

    CHECK_STATUS(tiny_batch(&batch, 4), DGM_OK);
    for (int i = 0; kind_case_at(i, &one); i++) {
        struct dgm_model_config config = kind_config(&one);
        struct tiny tiny;

        config.dropout = config.attention_dropout = config.activation_dropout = 0.1;
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        check_model(&tiny, &batch, one.encoder);
        tiny_close(&tiny);
    }
    dgm_batch_clear(test_env(), &batch);
}

TEST(segments_of_every_variant_of_attention_give_the_same_bits_in_less_memory)
{
    struct variant_case one;
    struct dgm_batch batch;

    CHECK_STATUS(variant_batch(&batch, 4), DGM_OK);
    for (int i = 0; variant_case_at(i, &one); i++)
        for (int pre_norm = 0; pre_norm < 2; pre_norm++) {
            struct dgm_model_config config = variant_config(one.syntax, pre_norm);
            struct tiny tiny;

            if (!variant_is_defined(one.syntax, pre_norm))
                continue;
            config.stored = 1;
            config.dropout = config.attention_dropout = config.activation_dropout = 0.1;
            CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
            check_model(&tiny, &batch, one.syntax);
            tiny_close(&tiny);
        }
    dgm_batch_clear(test_env(), &batch);
}

/* Whether values are made again; `host`: what the graph's device takes for its processor. */
static void check_again(struct tiny *tiny, const struct dgm_batch *batch, struct dgm_device *host,
                        enum way way, int want)
{
    struct dgm_device *device = tiny->graph.device, *own = device->host;
    int count = 0;
    double loss;
    size_t bytes;

    device->host = host;
    CHECK_STATUS(run_way(tiny, batch, way, &loss, &bytes), DGM_OK);
    device->host = own;
    for (int64_t i = 0; i < tiny->graph.count; i++)
        count += tiny->graph.nodes[i]->is_made_again;
    CHECK_INT(count > 0, want);
}

/* A launch costs more there than memory does. The processor plays such a device, unless
 * TEST_DEVICE names one. */
TEST(segment_keeps_cheap_values_on_devices_beside_the_processor)
{
    const struct dgm_model_config config = tiny_config();
    struct dgm_device *host;
    struct dgm_batch batch;
    struct tiny tiny;

    CHECK_STATUS(tiny_batch(&batch, 4), DGM_OK);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    host = tiny.graph.device->host;
    if (host == NULL) {
        check_again(&tiny, &batch, NULL, CHEAP, 1);
        host = tiny.graph.device;
    }
    check_again(&tiny, &batch, host, CHEAP, 0);
    check_again(&tiny, &batch, host, SEGMENTS, 1);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

/* The parts of a step that the model does not mark are kept; a graph that is not trained marks
 * none. */
TEST(segments_are_for_graphs_that_recompute_and_train)
{
    struct dgm_device *device;
    struct graph_case c;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(case_begin(&c, device), DGM_OK);
    dgm_begin_segment(&c.g);
    CHECK_INT(c.g.segment, 0);
    c.g.recomputes = 1;
    dgm_begin_segment(&c.g);
    CHECK_INT(c.g.segment, 1);
    dgm_graph_begin(&c.g, 0, 1, 1);
    dgm_begin_segment(&c.g);
    CHECK_INT(c.g.segment, 0);
    case_end(&c);
    dgm_device_close(test_env(), device);
}
