/*
 * test_link_loss.c: the loss of links in attention weights, worked out by hand.
 */
#include <math.h>

#include "graph_case.h"

enum { ROWS = 3, WIDTH = 4 };

/* Rows of weights; the second column of the node is the first of the weights. */
static const double weights[ROWS * (WIDTH + 1)] = {
    9, 0.5, 0.25, 0.25, 0, /* */
    9, 0.1, 0.2,  0.3,  0.4, 9, 0, 1, 0, 0,
};
static const int32_t starts[] = { 0, 2, 2, 4 }, keys[] = { 0, 2, 1, 0 };
static const dgm_real shares[] = { (dgm_real)0.5, 1, 3 };

static void build(struct graph_case *c, struct dgm_node **leaf, struct dgm_node **loss,
                  const int32_t *places)
{
    struct dgm_columns a = { NULL, 1 };
    struct dgm_links links;

    memset(&links, 0, sizeof links);
    links.rows = ROWS;
    links.starts = dgm_sample_data(&c->g, &c->sample, starts, sizeof starts);
    links.keys = dgm_sample_data(&c->g, &c->sample, keys, sizeof keys);
    links.shares = dgm_sample_data(&c->g, &c->sample, shares, sizeof shares);
    if (places != NULL)
        links.places = dgm_sample_data(&c->g, &c->sample, places, ROWS * sizeof *places);
    a.node = *leaf = case_leaf(c, weights, ROWS, WIDTH + 1);
    *loss = dgm_link_loss(&c->g, a, WIDTH, &links, 2);
    CHECK_STATUS(dgm_graph_run(&c->g), DGM_OK);
    CHECK_STATUS(dgm_graph_backward(&c->g), DGM_OK);
}

static void read_grad(struct graph_case *c, dgm_real *to, const struct dgm_node *leaf)
{
    CHECK_STATUS(dgm_device_read(test_env(), c->device, to, leaf->grad,
                                 ROWS * (WIDTH + 1) * sizeof *to),
                 DGM_OK);
}

/* -(log 0.5 + log 0.25) / 2, nothing, -3 (log 1 + log 1e-6); gradients -share / weight, twice for
 * the scale. */
TEST(link_loss_has_the_values_of_the_worked_example)
{
    struct graph_case c;
    struct dgm_node *leaf, *loss;
    dgm_real got[ROWS], grad[ROWS * (WIDTH + 1)];

    CHECK_STATUS(case_open(&c, 2), DGM_OK);
    build(&c, &leaf, &loss, NULL);
    CHECK_STATUS(dgm_graph_read(&c.g, loss, got), DGM_OK);
    read_grad(&c, grad, leaf);
    CHECK_NEAR(got[0], 1.5 * log(2), 1e-5);
    CHECK_NEAR(got[1], 0, 0);
    CHECK_NEAR(got[2], 18 * log(10), 1e-3);
    CHECK_NEAR(grad[1], -2, 1e-4);
    CHECK_NEAR(grad[3], -4, 1e-4);
    CHECK_NEAR(grad[10 + 2], -6, 1e-4);
    CHECK_NEAR(grad[10 + 1], -6e6, 10);
    for (int i = 0; i < ROWS * (WIDTH + 1); i++)
        if (i != 1 && i != 3 && i != 11 && i != 12)
            CHECK_NEAR(grad[i], 0, 0);
    case_close(&c);
}

/* Row 0 of the links is about row 2 of the weights, row 2 about row 0. */
TEST(link_loss_finds_rows_by_their_places)
{
    static const int32_t places[] = { 2, 1, 0 };
    struct graph_case c;
    struct dgm_node *leaf, *loss;
    dgm_real got[ROWS], grad[ROWS * (WIDTH + 1)];

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    build(&c, &leaf, &loss, places);
    CHECK_STATUS(dgm_graph_read(&c.g, loss, got), DGM_OK);
    read_grad(&c, grad, leaf);
    CHECK_NEAR(got[0], 6 * log(10), 1e-3);
    CHECK_NEAR(got[2], 9 * log(2), 1e-4);
    CHECK_NEAR(grad[1], -12, 1e-3);
    CHECK_NEAR(grad[2], -24, 1e-3);
    CHECK_NEAR(grad[3], 0, 0);
    CHECK_NEAR(grad[10 + 1], -1e6, 2);
    case_close(&c);
}

TEST(link_loss_refuses_columns_that_are_not_there)
{
    struct graph_case c;
    struct dgm_links links;
    struct dgm_columns a = { NULL, 1 };

    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    memset(&links, 0, sizeof links);
    links.rows = ROWS;
    a.node = case_leaf(&c, weights, ROWS, WIDTH + 1);
    CHECK(dgm_link_loss(&c.g, a, WIDTH + 1, &links, 1) == NULL);
    CHECK_STATUS(c.g.status, DGM_FAILURE);
    dgm_env_clear_error(test_env());
    case_close(&c);
}
