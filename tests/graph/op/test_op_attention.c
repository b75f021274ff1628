/*
 * test_op_attention.c: operands that the node of the attention core refuses, and how gradients of
 * nodes are opened.
 */
#include <string.h>

#include "graph/op.h"
#include "open_device.h"
#include "test.h"

enum { ROWS = 3, HEADS = 2, DIM = 2, WIDTH = HEADS * DIM };

struct stage {
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_sample sample;
};

static int open_stage(struct stage *stage)
{
    memset(stage, 0, sizeof *stage);
    dgm_random_init(&stage->sample.random, 1, 2, 3, 4);
    if (open_device(test_env(), &stage->device, 1) != DGM_OK)
        return 0;
    return dgm_graph_init(test_env(), &stage->g, stage->device) == DGM_OK;
}

static void close_stage(struct stage *stage)
{
    dgm_sample_clear(&stage->g, &stage->sample);
    dgm_graph_clear(&stage->g);
    dgm_device_close(test_env(), stage->device);
}

/* A step over one sentence with q, k and v side by side, `spread` columns apart. */
static struct dgm_node *attend(struct stage *stage, struct dgm_node *x, int64_t spread,
                               const struct dgm_attention_terms *terms)
{
    struct dgm_columns q = { NULL, 0 }, k, v;

    q.node = x;
    k = v = q;
    k.column = spread;
    v.column = 2 * spread;
    return dgm_attention_node(&stage->g, q, k, v, terms);
}

static void refuse(struct stage *stage, struct dgm_node *x, int64_t spread,
                   const struct dgm_attention_terms *terms, const char *says)
{
    CHECK(attend(stage, x, spread, terms) == NULL);
    CHECK(strstr(test_env()->error.message, says) != NULL);
    dgm_env_clear_error(test_env());
    stage->g.status = DGM_OK;
}

TEST(op_attention_refuses_operands_that_do_not_fit)
{
    struct stage stage;
    struct dgm_attention_terms terms, wrong;
    struct dgm_node *x;

    CHECK(open_stage(&stage));
    dgm_graph_begin(&stage.g, 1, 1, 1);
    x = dgm_sample_leaf(&stage.g, &stage.sample, ROWS, 3 * WIDTH);
    memset(&terms, 0, sizeof terms);
    terms.core.sentences = 1;
    terms.core.heads = HEADS;
    terms.core.head_dim = DIM;
    refuse(&stage, x, WIDTH + 1, &terms, "columns within");
    refuse(&stage, x, WIDTH - 1, &terms, "columns of their own");
    wrong = terms;
    wrong.core.parser_dim = 1;
    refuse(&stage, x, WIDTH, &wrong, "parser_q, parser_k");
    wrong = terms;
    wrong.center = dgm_sample_leaf(&stage.g, &stage.sample, ROWS, HEADS + 1);
    refuse(&stage, x, WIDTH, &wrong, "a center");
    wrong = terms;
    wrong.core.label_count[1] = 5;
    wrong.value_table[1] = dgm_sample_leaf(&stage.g, &stage.sample, 5, DIM + 1);
    refuse(&stage, x, WIDTH, &wrong, "tables");
    CHECK(attend(&stage, x, WIDTH, &terms) != NULL);
    CHECK(attend(&stage, x, 0, &terms) != NULL);
    close_stage(&stage);
}

TEST(op_gradient_in_parts_begins_with_zeros)
{
    struct stage stage;
    struct dgm_node *x;
    dgm_real grad[ROWS * WIDTH];
    int i, accumulate;

    CHECK(open_stage(&stage));
    dgm_graph_begin(&stage.g, 1, 1, 1);
    x = dgm_sample_leaf(&stage.g, &stage.sample, ROWS, WIDTH);
    CHECK(x != NULL);
    for (i = 0; i < ROWS * WIDTH; i++)
        grad[i] = 7;
    CHECK_STATUS(dgm_device_write(test_env(), stage.device, x->grad, grad, sizeof grad), DGM_OK);
    x->grad_ready = 0;
    CHECK_STATUS(dgm_node_open_grad(&stage.g, x, 1, &accumulate), DGM_OK);
    CHECK(!accumulate && x->grad_ready);
    CHECK_STATUS(dgm_node_open_grad(&stage.g, x, 0, &accumulate), DGM_OK);
    CHECK(accumulate);
    CHECK_STATUS(dgm_device_read(test_env(), stage.device, grad, x->grad, sizeof grad), DGM_OK);
    CHECK(grad[0] == 7 && grad[ROWS * WIDTH - 1] == 7);
    x->grad_ready = 0;
    CHECK_STATUS(dgm_node_open_grad(&stage.g, x, 0, &accumulate), DGM_OK);
    CHECK(accumulate && x->grad_ready);
    CHECK_STATUS(dgm_device_read(test_env(), stage.device, grad, x->grad, sizeof grad), DGM_OK);
    for (i = 0; i < ROWS * WIDTH; i++)
        CHECK(grad[i] == 0);
    close_stage(&stage);
}
