/*
 * test_wavefront_tree.c: schedules of binary trees: E4 of the specification, recurrent models, 8,
 * both ways; numbers of steps; a batch against one sentence at a time and against recursion.
 */
#include <math.h>

#include "base/mem.h"
#include "nn/schedule/wavefront_tree.h"
#include "syntax/tree/binary.h"
#include "worked_case.h"

enum { MOST_WORDS = 20, SENTENCES = 6, MOST_ROWS = 2 * SENTENCES * MOST_WORDS, DIM = 3 };

struct trees {
    int32_t offsets[SENTENCES + 1], tree_offsets[SENTENCES + 1];
    int32_t left[MOST_ROWS], right[MOST_ROWS];
    struct dgm_tree_batch batch;
};

/* Appends a sentence; its nodes are the caller's to set. */
static int32_t *add_sentence(struct trees *trees, int32_t words, int32_t **right)
{
    const int32_t s = trees->batch.count++, at = trees->tree_offsets[s];

    trees->batch.offsets = trees->offsets;
    trees->batch.tree_offsets = trees->tree_offsets;
    trees->batch.left = trees->left;
    trees->batch.right = trees->right;
    trees->offsets[s + 1] = trees->offsets[s] + words;
    trees->tree_offsets[s + 1] = at + (words > 0 ? words - 1 : 0);
    *right = trees->right + at;
    return trees->left + at;
}

/* Random reductions of a random sequence of shifts. */
static void add_random(struct trees *trees, int32_t words, struct dgm_random *random)
{
    int32_t stack[MOST_WORDS], height = 0, shifted = 0, count = 0, *right;
    int32_t *left = add_sentence(trees, words, &right);

    while (shifted < words || height > 1) {
        if (height < 2 || (shifted < words && dgm_random_below(random, 2) == 0)) {
            stack[height++] = shifted++;
            continue;
        }
        right[count] = stack[--height];
        left[count] = stack[height - 1];
        stack[height - 1] = words + count++;
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* The tree with leaves first .. end-1, halved as evenly as can be. */
static int32_t add_balanced(int32_t *left, int32_t *right, int32_t words, int32_t *count,
                            int32_t first, int32_t end)
{
    int32_t l, r;

    if (end - first == 1)
        return first;
    l = add_balanced(left, right, words, count, first, (first + end) / 2);
    r = add_balanced(left, right, words, count, (first + end) / 2, end);
    left[*count] = l;
    right[*count] = r;
    return words + (*count)++;
}

static void check_steps(const struct trees *trees, enum dgm_tree_root root, int up, int down)
{
    const struct dgm_tree_choice choice = { root, 1, 0 };
    struct dgm_wavefront_tree w = { 0 };
    struct dgm_device *device;
    struct dgm_feed feed;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    dgm_feed_init(&feed, device);
    CHECK_STATUS(dgm_wavefront_tree_stage(test_env(), &feed, &w, &trees->batch, &choice), DGM_OK);
    CHECK_INT(w.up_steps, up);
    CHECK_INT(w.down_steps, down);
    dgm_wavefront_tree_clear(test_env(), &w);
    dgm_feed_clear(test_env(), &feed);
    dgm_device_close(test_env(), device);
}

TEST(tree_wavefronts_take_as_many_steps_as_the_highest_tree)
{
    for (int32_t words = 1; words <= MOST_WORDS; words++) {
        struct trees chain = { 0 }, balanced = { 0 };
        int32_t *left, *right, count = 0, log = 0;

        left = add_sentence(&chain, words, &right);
        dgm_binary_right_branching(left, right, words);
        check_steps(&chain, DGM_ROOT_COPY, words - 1, words - 1);
        check_steps(&chain, DGM_ROOT_LEFT, words - 1, words);
        left = add_sentence(&balanced, words, &right);
        add_balanced(left, right, words, &count, 0, words);
        while (1 << log < words)
            log++;
        check_steps(&balanced, DGM_ROOT_COPY, log, log);
        left = add_sentence(&balanced, 0, &right);
        left = add_sentence(&balanced, 5, &right);
        dgm_binary_right_branching(left, right, 5);
        check_steps(&balanced, DGM_ROOT_COPY, log > 4 ? log : 4, log > 4 ? log : 4);
    }
}

/* ---- both ways ------------------------------------------------------------------------------- */

/* Composition 0..2: left, right, bias; then of each side I, b, R. */
struct network {
    struct dgm_node *leaves, *up[3], *input[2], *bias[2], *recurrent[2];
};

/* All nodes in the order of output. */
static struct dgm_node *encode(struct dgm_graph *g, const struct network *net,
                               const struct dgm_feed *feed, const struct dgm_wavefront_tree *w,
                               enum dgm_tree_root root, struct dgm_node **states)
{
    const struct dgm_tree_cell_plan up_plan = dgm_wavefront_tree_up(feed, w);
    const struct dgm_gru_plan down_plan = dgm_wavefront_tree_down(feed, w);
    const struct dgm_tree_lists lists = dgm_wavefront_tree_lists(feed, w);
    struct dgm_node *x[2], *init = NULL;
    struct dgm_node *up =
        dgm_tree_cell(g, net->leaves, net->up[0], net->up[1], net->up[2], &up_plan);

    for (int side = 0; side < 2; side++)
        x[side] = dgm_linear(g, dgm_gather(g, up, lists.source[side], lists.side_rows[side]),
                             net->input[side], net->bias[side]);
    if (root == DGM_ROOT_COPY)
        init = dgm_gather(g, up, lists.roots, lists.root_count);
    *states = dgm_gru(g, init, x, net->recurrent, NULL, &down_plan, 1);
    return dgm_gather(g, *states, lists.output, lists.all);
}

/* L = sum of (0.1 i + 0.01 j) v_i[j] over nodes i and coordinates j, from 1. */
static void weigh(dgm_real *dy, int rows, int cols)
{
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            dy[i * cols + j] = (dgm_real)(0.1 * (i + 1) + 0.01 * (j + 1));
}

static void fill_network(struct graph_case *c, struct network *net)
{
    struct worked_matrix up[15], input[3], bias[3], recurrent[3];
    struct worked_filler filler = { 0 };

    net->leaves = worked_leaf(c, &filler, 3, 2);
    for (int gate = 0; gate < 5; gate++) {
        up[gate] = worked_fill(&filler, 2, 2);
        up[5 + gate] = worked_fill(&filler, 2, 2);
        up[10 + gate] = worked_fill(&filler, 1, 2);
    }
    net->up[0] = worked_stack(c, up, 5);
    net->up[1] = worked_stack(c, up + 5, 5);
    net->up[2] = worked_row(c, up + 10, 5);
    for (int side = 0; side < 2; side++) {
        for (int gate = 0; gate < 3; gate++) {
            input[gate] = worked_fill(&filler, 2, 2);
            recurrent[gate] = worked_fill(&filler, 2, 2);
            bias[gate] = worked_fill(&filler, 1, 2);
        }
        net->input[side] = worked_stack(c, input, 3);
        net->recurrent[side] = worked_stack(c, recurrent, 3);
        net->bias[side] = worked_row(c, bias, 3);
    }
}

static struct dgm_ref rows_from(struct dgm_ref at, int row)
{
    return dgm_ref_at(at, (size_t)row * 2 * sizeof(dgm_real));
}

TEST(tree_wavefronts_are_the_worked_example)
{
    static const double want[] = { 0.2570057065, -0.1607423465, 0.4334036261, -0.0777943876,
                                   0.2654568707, -0.1372260988, 0.3310456514, -0.0499347304,
                                   0.2235421545, 0.0442089583 };
    const struct dgm_tree_choice choice = { DGM_ROOT_COPY, 1, 0 };
    struct trees trees = { 0 };
    struct dgm_wavefront_tree w = { 0 };
    struct network net;
    struct dgm_feed feed;
    struct dgm_node *y, *states;
    struct graph_case c;
    dgm_real dy[10], got[10];
    const dgm_real *dys[1] = { dy };
    int32_t *right, *left = add_sentence(&trees, 3, &right);
    double loss = 0;

    left[0] = 0, right[0] = 1, left[1] = 3, right[1] = 2;
    CHECK_STATUS(case_open(&c, 1), DGM_OK);
    dgm_feed_init(&feed, c.device);
    CHECK_STATUS(dgm_wavefront_tree_stage(test_env(), &feed, &w, &trees.batch, &choice), DGM_OK);
    CHECK_STATUS(dgm_feed_send(test_env(), &feed), DGM_OK);
    fill_network(&c, &net);
    y = encode(&c.g, &net, &feed, &w, DGM_ROOT_COPY, &states);
    weigh(dy, 5, 2);
    CHECK_STATUS(case_run(&c, &y, dys, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, y, got), DGM_OK);
    for (int i = 0; i < 10; i++) {
        CHECK_NEAR(got[i], want[i], worked_tolerance(want[i]));
        loss += (double)dy[i] * (double)got[i];
    }
    CHECK_NEAR(loss, 0.373012108038, worked_tolerance(0.373012108038));
    worked_check_sums(&c, net.leaves->grad, 2, 0.2971145766, 0.0541818453);
    worked_check_sums(&c, rows_from(net.leaves->grad, 1), 2, 0.2627279906, 0.0732284823);
    worked_check_sums(&c, rows_from(net.leaves->grad, 2), 2, 0.6960997304, 0.2878638040);
    worked_check_sums(&c, net.up[0]->grad, 4, 0.0024631306, 0.0000133216);
    worked_check_sums(&c, rows_from(net.up[1]->grad, 4), 4, -0.0780386407, 0.0028409142);
    worked_check_sums(&c, rows_from(net.up[0]->grad, 8), 4, -0.0648959250, 0.0018701747);
    worked_check_sums(&c, rows_from(net.up[2]->grad, 3), 2, 0.1773925224, 0.0254949864);
    worked_check_sums(&c, net.input[0]->grad, 4, -0.0058850350, 0.0000752052);
    worked_check_sums(&c, rows_from(net.recurrent[1]->grad, 4), 4, 0.0490976197, 0.0011709338);
    dgm_wavefront_tree_clear(test_env(), &w);
    dgm_feed_clear(test_env(), &feed);
    case_close(&c);
}

/* ---- batches --------------------------------------------------------------------------------- */

/* What a batch leaves: states in the order of output, and of the nodes attended to. */
struct outcome {
    dgm_real y[MOST_ROWS * DIM], attended[MOST_ROWS * DIM];
    int32_t attended_offsets[SENTENCES + 1];
};

/* The leaves are numbers of the sentence and the word, so that they do not depend on the batch;
 * `first` is the number of the batch's first sentence. */
static void set_leaves(struct graph_case *c, const struct network *net,
                       const struct dgm_tree_batch *batch, int first)
{
    dgm_real x[MOST_ROWS * DIM];

    for (int32_t s = 0; s < batch->count; s++)
        for (int32_t i = batch->offsets[s]; i < batch->offsets[s + 1]; i++)
            for (int j = 0; j < DIM; j++)
                x[i * DIM + j] =
                    (dgm_real)sin(7.0 * (first + s) + 3.0 * (i - batch->offsets[s]) + j);
    CHECK_STATUS(dgm_device_write(test_env(), c->device, net->leaves->value, x,
                                  (size_t)(batch->offsets[batch->count] * DIM) * sizeof *x),
                 DGM_OK);
}

static void run_batch(struct outcome *out, const struct dgm_tree_batch *batch, int first,
                      const struct dgm_tree_choice *choice)
{
    struct dgm_wavefront_tree w = { 0 };
    struct network net;
    struct dgm_feed feed;
    struct dgm_node *y, *states, *attended;
    struct dgm_tree_lists lists;
    struct graph_case c;

    CHECK_STATUS(case_open(&c, 2), DGM_OK);
    dgm_graph_begin(&c.g, 0, 1, 1);
    dgm_feed_init(&feed, c.device);
    CHECK_STATUS(dgm_wavefront_tree_stage(test_env(), &feed, &w, batch, choice), DGM_OK);
    CHECK_STATUS(dgm_feed_send(test_env(), &feed), DGM_OK);
    for (int k = 0; k < 3; k++)
        net.up[k] = dgm_sample_leaf(&c.g, &c.sample, k < 2 ? 5 * DIM : 1, k < 2 ? DIM : 5 * DIM);
    for (int side = 0; side < 2; side++) {
        net.input[side] = dgm_sample_leaf(&c.g, &c.sample, 3 * DIM, DIM);
        net.bias[side] = dgm_sample_leaf(&c.g, &c.sample, 1, 3 * DIM);
        net.recurrent[side] = dgm_sample_leaf(&c.g, &c.sample, 3 * DIM, DIM);
    }
    net.leaves = dgm_sample_leaf(&c.g, &c.sample, batch->offsets[batch->count], DIM);
    CHECK_STATUS(c.g.status, DGM_OK);
    set_leaves(&c, &net, batch, first);
    y = dgm_keep(&c.g, encode(&c.g, &net, &feed, &w, choice->root, &states));
    lists = dgm_wavefront_tree_lists(&feed, &w);
    attended = dgm_keep(&c.g, dgm_gather(&c.g, states, lists.attended, lists.attended_count));
    CHECK_STATUS(dgm_graph_run(&c.g), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, y, out->y), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&c.g, attended, out->attended), DGM_OK);
    CHECK_STATUS(dgm_device_read(test_env(), c.device, out->attended_offsets,
                                 lists.attended_offsets, ((size_t)batch->count + 1) * 4),
                 DGM_OK);
    dgm_wavefront_tree_clear(test_env(), &w);
    dgm_feed_clear(test_env(), &feed);
    case_close(&c);
}

/* level (2 leaves - 1): 1 for a leaf, else one more than the higher child. */
static void set_levels(int32_t *level, const int32_t *left, const int32_t *right, int32_t leaves)
{
    for (int32_t i = 0; i < leaves; i++)
        level[i] = 1;
    for (int32_t j = 0; j + 1 < leaves; j++) {
        int32_t a = level[left[j]], b = level[right[j]];

        level[leaves + j] = 1 + (a > b ? a : b);
    }
}

/* Sentence s alone, its nodes attended to chosen by level, slowly. */
static void check_sentence(const struct outcome *all, const struct trees *trees, int32_t s,
                           const struct dgm_tree_choice *choice)
{
    static struct outcome one;
    const int32_t words = trees->offsets[s + 1] - trees->offsets[s];
    const int32_t offsets[2] = { 0, words }, tree_offsets[2] = { 0, words - 1 };
    const struct dgm_tree_batch batch = { offsets, tree_offsets,
                                          trees->left + trees->tree_offsets[s],
                                          trees->right + trees->tree_offsets[s], 1 };
    const dgm_real *y = all->y + (trees->offsets[s] + trees->tree_offsets[s]) * DIM;
    const dgm_real *next = all->attended + all->attended_offsets[s] * DIM;
    int32_t level[2 * MOST_WORDS], found = 0;

    run_batch(&one, &batch, s, choice);
    CHECK_MEM(y, one.y, (size_t)((2 * words - 1) * DIM) * sizeof *y);
    set_levels(level, batch.left, batch.right, words);
    for (int32_t node = 0; node < 2 * words - 1; node++) {
        const int is_last = node == 2 * words - 2 && found == 0;
        if ((level[node] >= choice->lowest &&
             (choice->highest == 0 || level[node] <= choice->highest)) ||
            is_last) {
            CHECK_MEM(next + found * DIM, y + node * DIM, DIM * sizeof *y);
            found++;
        }
    }
    CHECK_INT(all->attended_offsets[s + 1] - all->attended_offsets[s], found);
}

TEST(tree_wavefronts_of_a_batch_have_the_bits_of_one_sentence_at_a_time)
{
    static const int32_t levels[][2] = { { 1, 0 }, { 1, 1 }, { 1, 2 }, { 2, 0 }, { 1, 99 } };
    static struct outcome all;
    struct dgm_random random;

    dgm_random_init(&random, 71, 0, 0, 0);
    for (int round = 0; round < 10; round++) {
        const struct dgm_tree_choice choice = { round / 5 ? DGM_ROOT_LEFT : DGM_ROOT_COPY,
                                                levels[round % 5][0], levels[round % 5][1] };
        static const struct trees none;
        struct trees trees = none;

        for (int s = 0; s < SENTENCES; s++)
            add_random(&trees,
                       s == 2   ? 0
                       : s == 3 ? 1
                                : 1 + (int32_t)dgm_random_below(&random, MOST_WORDS),
                       &random);
        run_batch(&all, &trees.batch, 0, &choice);
        CHECK_INT(all.attended_offsets[3] - all.attended_offsets[2], 0);
        for (int32_t s = 0; s < SENTENCES; s++)
            if (s != 2)
                check_sentence(&all, &trees, s, &choice);
    }
}
