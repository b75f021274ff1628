/*
 * test_recurrent_trees.c: how recurrent models use trees, by the definitions alone (specification,
 * recurrent models, 10.2 and 10.3): the dependency cell as plain recursion, the words that a state
 * depends on, mirrored sentences, levels of constituents, and words in pieces.
 */
#include "recurrent_case.h"

enum { E = RECURRENT_E, D = RECURRENT_D, K = RECURRENT_K, WORDS = 8, INIT = -1, NEITHER = 2 };

/* ---- the tree, by definition ----------------------------------------------------------------- */

static int is_root(const int32_t *heads, int32_t i)
{
    return heads[i] == i;
}

/* The sibling of word i: the nearest word between it and its head that has the same head, or the
 * head; of a root, the root before it, or INIT. */
static int32_t sibling_of(const int32_t *heads, int32_t words, int32_t i)
{
    int32_t step = heads[i] > i ? 1 : -1, end = is_root(heads, i) ? INIT : heads[i];

    for (int32_t j = i + step; j != end && j >= 0 && j < words; j += step)
        if (is_root(heads, i) ? is_root(heads, j) : heads[j] == heads[i])
            return j;
    return end;
}

static int32_t parent_of(const int32_t *heads, int32_t i)
{
    return is_root(heads, i) ? INIT : heads[i];
}

/* Any tree of `words` words: a chain, a flat one, and others. */
static void draw_tree(struct dgm_random *random, int32_t *heads, int32_t words, int number)
{
    if (number == 0 || number == 1)
        for (int32_t i = 0; i < words; i++)
            heads[i] = number == 1 ? words / 2 : i > 0 ? i - 1 : 0;
    else
        tiny_heads(random, heads, words, number % 3 == 0 && words > 1 ? TINY_TWO_ROOTS : TINY_TREE);
}

/* ---- the dependency cell as recursion ---------------------------------------------------------- */

/* Matrices of both sides, gates u, r, h below one another. */
struct naive {
    double parent[2][3 * D * D], sibling[2][3 * D * D], word[2][3 * D * E], bias[2][3 * D];
    double embed[TINY_VOCAB * E], init[D * E], init_bias[D];
    const int32_t *heads, *ids;
    int32_t words;
    double carry, h[WORDS + 1][D]; /* h[WORDS]: INIT */
    int done[WORDS + 1];
};

/* "encoder.<tail>", of the left or the right side, or of neither. */
static dgm_status read_doubles(struct tiny *tiny, const char *tail, int side, double *out)
{
    static const char *const sides[3] = {"tree.left.", "tree.right.", ""};
    dgm_real values[RECURRENT_MOST];
    dgm_param_id id;
    char name[100];

    snprintf(name, sizeof name, "encoder.%s%s", sides[side], tail);
    id = dgm_params_find(&tiny->model.params, name);
    if (id < 0)
        return dgm_fail(test_env(), DGM_FAILURE, "no parameter %s", name);
    DGM_TRY(dgm_params_read(test_env(), &tiny->model.params, id, values));
    for (int64_t i = 0; i < tiny->model.params.items[id].rows * tiny->model.params.items[id].cols;
         i++)
        out[i] = (double)values[i];
    return DGM_OK;
}

static dgm_status read_static(struct tiny *tiny, struct naive *naive)
{
    for (int s = 0; s < 2; s++) {
        DGM_TRY(read_doubles(tiny, "parent.weight", s, naive->parent[s]));
        DGM_TRY(read_doubles(tiny, "sibling.weight", s, naive->sibling[s]));
        DGM_TRY(read_doubles(tiny, "word.weight", s, naive->word[s]));
        DGM_TRY(read_doubles(tiny, "word.bias", s, naive->bias[s]));
    }
    return DGM_OK;
}

/* The product P Q of each gate, which is its matrix where z is 1: u and r share a Q, or not. */
static dgm_status read_product(struct tiny *tiny, const char *of, int side, int cols, double *out)
{
    static double p[3 * D * K], q[3 * K * E];
    char name[100];

    snprintf(name, sizeof name, "%s.out.weight", of);
    DGM_TRY(read_doubles(tiny, name, side, p));
    snprintf(name, sizeof name, "%s.in.weight", of);
    DGM_TRY(read_doubles(tiny, name, side, q));
    for (int gate = 0; gate < 3; gate++) {
        int block = tiny->model.config.recurrent.own_q ? gate : gate / 2;
        for (int i = 0; i < D; i++)
            for (int c = 0; c < cols; c++) {
                double *y = &out[(gate * D + i) * cols + c];
                *y = 0;
                for (int k = 0; k < K; k++)
                    *y += p[(gate * D + i) * K + k] * q[(block * K + k) * cols + c];
            }
    }
    return DGM_OK;
}

static dgm_status read_dynamic(struct tiny *tiny, struct naive *naive)
{
    static double b[3 * D * K];

    for (int s = 0; s < 2; s++) {
        DGM_TRY(read_product(tiny, "parent", s, D, naive->parent[s]));
        DGM_TRY(read_product(tiny, "sibling", s, D, naive->sibling[s]));
        DGM_TRY(read_product(tiny, "word", s, E, naive->word[s]));
        DGM_TRY(read_doubles(tiny, "bias.weight", s, b));
        for (int i = 0; i < 3 * D; i++) {
            naive->bias[s][i] = 0;
            for (int k = 0; k < K; k++)
                naive->bias[s][i] += b[i * K + k];
        }
    }
    return DGM_OK;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

static double sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

/* Equation 3 of the paper. */
static void naive_cell(struct naive *naive, int32_t i, const double *p, const double *w)
{
    int side = is_root(naive->heads, i) || naive->heads[i] < i;
    const double *x = naive->embed + naive->ids[i] * E;

    for (int j = 0; j < D; j++) {
        double recurrent[3], input[3], u, r, c;
        for (int g = 0; g < 3; g++) {
            recurrent[g] = dot(naive->parent[side] + (g * D + j) * D, p, D) +
                           dot(naive->sibling[side] + (g * D + j) * D, w, D);
            input[g] = dot(naive->word[side] + (g * D + j) * E, x, E) +
                       naive->bias[side][g * D + j];
        }
        u = sigmoid(recurrent[0] + input[0]);
        r = sigmoid(recurrent[1] + input[1]);
        c = tanh(r * recurrent[2] + input[2]);
        naive->h[i][j] = (1 - u) * c + u * naive->carry * (p[j] + w[j]);
    }
}

static const double *naive_state(struct naive *naive, int32_t i)
{
    if (i == INIT)
        return naive->h[WORDS];
    if (!naive->done[i]) {
        const double *p = naive_state(naive, parent_of(naive->heads, i));
        const double *w = naive_state(naive, sibling_of(naive->heads, naive->words, i));
        naive_cell(naive, i, p, w);
        naive->done[i] = 1;
    }
    return naive->h[i];
}

static void naive_init(struct naive *naive)
{
    double mean[E] = {0};

    memset(naive->done, 0, sizeof naive->done);
    for (int32_t i = 0; i < naive->words; i++)
        for (int c = 0; c < E; c++)
            mean[c] += naive->embed[naive->ids[i] * E + c] / naive->words;
    for (int j = 0; j < D; j++)
        naive->h[WORDS][j] = tanh(dot(naive->init + j * E, mean, E) + naive->init_bias[j]);
}

static void check_against_recursion(const char *options, double carry)
{
    const double tolerance = sizeof(dgm_real) == 4 ? 5e-6 : 1e-13;
    static struct naive naive;
    struct recurrent_output out;
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    int dynamic;

    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    dynamic = tiny.model.config.recurrent.dynamic > 0;
    for (int s = 0; s < 2 && dynamic; s++) {
        const char *side = s ? "encoder.tree.right.meta.z.weight" : "encoder.tree.left.meta.z.weight";
        CHECK_STATUS(recurrent_set(&tiny, side, 0, -1, 0), DGM_OK);
        side = s ? "encoder.tree.right.meta.z.bias" : "encoder.tree.left.meta.z.bias";
        CHECK_STATUS(recurrent_set(&tiny, side, 0, -1, 1), DGM_OK);
    }
    naive.carry = carry;
    CHECK_STATUS((dynamic ? read_dynamic : read_static)(&tiny, &naive), DGM_OK);
    CHECK_STATUS(read_doubles(&tiny, "embed_tokens.weight", NEITHER, naive.embed), DGM_OK);
    CHECK_STATUS(read_doubles(&tiny, "init.weight", NEITHER, naive.init), DGM_OK);
    CHECK_STATUS(read_doubles(&tiny, "init.bias", NEITHER, naive.init_bias), DGM_OK);
    dgm_random_init(&random, 11, 79, 0, 0);
    for (int number = 0; number < 40; number++) {
        int32_t heads[WORDS];
        naive.words = number < 6 ? WORDS : 1 + (int32_t)dgm_random_below(&random, WORDS);
        draw_tree(&random, heads, naive.words, number);
        CHECK_STATUS(recurrent_sentence(&batch, heads, naive.words), DGM_OK);
        naive.heads = heads;
        naive.ids = batch.source.ids;
        naive_init(&naive);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
        for (int32_t i = 0; i < naive.words; i++)
            for (int j = 0; j < D; j++)
                CHECK_NEAR(out.encoded[i * D + j], naive_state(&naive, i)[j],
                           tolerance * (1 + fabs(naive.h[i][j])));
        recurrent_forget(&out);
        dgm_batch_clear(test_env(), &batch);
    }
    tiny_close(&tiny);
}

TEST(recurrent_dependency_states_are_those_of_recursion)
{
    check_against_recursion("encoder = lexicalized\nbirnn = 0\n", 1);
    check_against_recursion("encoder = lexicalized\nbirnn = 0\ncarry = mean\n", 0.5);
}

/* Whose matrices are then products of two. */
TEST(recurrent_dynamic_dependency_states_with_z_of_ones_are_those_of_recursion)
{
    check_against_recursion("encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\n", 1);
    check_against_recursion("encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\nshare-q = matrix\n"
                            "carry = mean\n", 0.5);
}

/* ---- 3: the words that a state depends on ------------------------------------------------------ */

/* Whether columns first .. first+cols-1 of row i depend on word j. */
typedef int (*reach)(const int32_t *heads, int32_t words, int32_t i, int32_t j);

static int reach_all(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words, (void)i, (void)j;
    return 1;
}

static int reach_before(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words;
    return j <= i;
}

static int reach_after(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)heads, (void)words;
    return j >= i;
}

static int reach_siblings(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    for (; i != INIT; i = sibling_of(heads, words, i))
        if (i == j)
            return 1;
    return 0;
}

static int reach_parents(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    (void)words;
    for (; i != INIT; i = parent_of(heads, i))
        if (i == j)
            return 1;
    return 0;
}

/* Whether j comes no later than i below `node` when heads come first, or last. */
static int comes(const int32_t *heads, int32_t words, int32_t node, int32_t i, int32_t j, int last,
                 int *seen)
{
    if (node != INIT && !last) {
        *seen |= node == j;
        if (node == i)
            return 1;
    }
    for (int32_t k = 0; k < words; k++)
        if (parent_of(heads, k) == node && comes(heads, words, k, i, j, last, seen))
            return 1;
    if (node != INIT && last) {
        *seen |= node == j;
        return node == i;
    }
    return 0;
}

static int reach_preorder(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    int seen = 0;

    comes(heads, words, INIT, i, j, 0, &seen);
    return seen;
}

static int reach_postorder(const int32_t *heads, int32_t words, int32_t i, int32_t j)
{
    int seen = 0;

    comes(heads, words, INIT, i, j, 1, &seen);
    return seen;
}

static void check_row(const struct recurrent_output *before, const struct recurrent_output *after,
                      int64_t first, int64_t cols, int expected)
{
    size_t bytes = (size_t)cols * sizeof *before->encoded;

    CHECK_INT(memcmp(before->encoded + first, after->encoded + first, bytes) != 0, expected);
}

/* Every word in turn becomes another one: what moves, in `parts` parts of the columns. */
static void check_reach(struct tiny *tiny, const reach *reaches, int parts)
{
    struct recurrent_output before, after;
    struct dgm_random random;
    struct dgm_batch batch;
    int32_t heads[WORDS];

    dgm_random_init(&random, 13, 80, 0, 0);
    for (int number = 0; number < 8; number++) {
        draw_tree(&random, heads, WORDS, number);
        CHECK_STATUS(recurrent_sentence(&batch, heads, WORDS), DGM_OK);
        CHECK_STATUS(recurrent_run(tiny, &batch, &before), DGM_OK);
        for (int32_t j = 0; j < WORDS; j++) {
            batch.source.ids[j] = 0;
            CHECK_STATUS(recurrent_run(tiny, &batch, &after), DGM_OK);
            for (int32_t i = 0; i < before.rows; i++)
                for (int part = 0; part < parts; part++)
                    check_row(&before, &after,
                              i * before.columns + part * before.columns / parts,
                              before.columns / parts, reaches[part](heads, WORDS, i, j));
            recurrent_forget(&after);
            batch.source.ids[j] = 3 + j;
        }
        recurrent_forget(&before);
        dgm_batch_clear(test_env(), &batch);
    }
}

TEST(recurrent_chains_carry_words_in_their_direction)
{
    static const reach both[2] = {reach_before, reach_after};
    static const reach orders[2] = {reach_preorder, reach_postorder};
    static const reach four[4] = {reach_before, reach_after, reach_preorder, reach_postorder};
    struct tiny tiny;

    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential\nsrc-eos = 0\n"), DGM_OK);
    check_reach(&tiny, both, 2);
    tiny_close(&tiny);
    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential-dependency\nbirnn = 0\n"), DGM_OK);
    check_reach(&tiny, orders, 2);
    tiny_close(&tiny);
    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential-dependency\n"), DGM_OK);
    check_reach(&tiny, four, 4);
    tiny_close(&tiny);
}

TEST(recurrent_trees_let_every_state_see_every_word)
{
    static const char *const options[] = {
        "encoder = lexicalized\n", "encoder = lexicalized\nbirnn = 0\n",
        "encoder = lexicalized\ndynamic-z = 1\n", "encoder = constituency\n",
        "encoder = constituency\nbirnn = 0\n", "encoder = constituency\nbirnn = 0\nroot-td = lc0\n",
        "encoder = constituency\ndynamic-z = 1\nbirnn = 0\n",
    };
    static const reach all[1] = {reach_all};

    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, options[i]), DGM_OK);
        check_reach(&tiny, all, 1);
        tiny_close(&tiny);
    }
}

/* With the state above the roots held constant, a word reaches its dependents and the siblings
 * after it, and what depends on these. */
TEST(recurrent_dependencies_carry_words_along_chains_of_siblings)
{
    static const char *const options[] = {
        "encoder = lexicalized\nbirnn = 0\n",
        "encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\n",
    };
    static const reach siblings[1] = {reach_siblings};

    for (int i = 0; i < 2; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, options[i]), DGM_OK);
        CHECK_STATUS(recurrent_set(&tiny, "encoder.init.weight", 0, -1, 0), DGM_OK);
        check_reach(&tiny, siblings, 1);
        tiny_close(&tiny);
    }
}

/* Without a carry and without the one matrix, states go along the paths of the other. */
static void check_paths(const char *none, reach path)
{
    struct tiny tiny;
    char name[100];

    CHECK_STATUS(recurrent_open(&tiny, "encoder = lexicalized\nbirnn = 0\n"), DGM_OK);
    CHECK_STATUS(recurrent_set(&tiny, "encoder.init.weight", 0, -1, 0), DGM_OK);
    for (int s = 0; s < 2; s++) {
        const char *side = s ? "right" : "left";
        snprintf(name, sizeof name, "encoder.tree.%s.%s.weight", side, none);
        CHECK_STATUS(recurrent_set(&tiny, name, 0, -1, 0), DGM_OK);
        snprintf(name, sizeof name, "encoder.tree.%s.word.bias", side);
        CHECK_STATUS(recurrent_set(&tiny, name, 0, D, -1000), DGM_OK);
    }
    check_reach(&tiny, &path, 1);
    tiny_close(&tiny);
}

TEST(recurrent_dependencies_without_a_carry_follow_parents_or_siblings)
{
    check_paths("sibling", reach_parents);
    check_paths("parent", reach_siblings);
}

/* ---- 5: mirrors ---------------------------------------------------------------------------------- */

/* Rows of `rows` in blocks, blocks 0 and 1, 2 and 3 exchanged: the gates of left and right. */
static void swap_gates(dgm_real *values, int64_t block)
{
    for (int64_t i = 0; i < block; i++)
        for (int b = 0; b < 4; b += 2) {
            dgm_real x = values[b * block + i];
            values[b * block + i] = values[(b + 1) * block + i];
            values[(b + 1) * block + i] = x;
        }
}

static int has_gates_of_sides(const struct tiny *tiny, const char *name)
{
    if (strstr(name, ".up.") == NULL || strstr(name, ".meta.") != NULL)
        return 0;
    return strstr(name, ".in.weight") == NULL || tiny->model.config.recurrent.own_q;
}

/* The parameters of `tiny` for sentences read in a mirror. */
static dgm_status mirror_params(struct tiny *mirror, struct tiny *tiny)
{
    const struct dgm_params *params = &tiny->model.params;
    dgm_real values[RECURRENT_MOST];
    char name[160];

    for (size_t p = 0; p < params->count; p++) {
        const struct dgm_param *param = &params->items[p];
        DGM_TRY(dgm_params_read(test_env(), params, (dgm_param_id)p, values));
        recurrent_mirror_name(name, sizeof name, param->name);
        if (strncmp(name, "encoder.birnn.forward", 21) == 0)
            snprintf(name, sizeof name, "encoder.birnn.backward%s", param->name + 21);
        else if (strncmp(name, "encoder.birnn.backward", 22) == 0)
            snprintf(name, sizeof name, "encoder.birnn.forward%s", param->name + 22);
        if (has_gates_of_sides(tiny, name)) {
            int64_t blocks = tiny->model.config.recurrent.three_gates ? 6 : 5;
            swap_gates(values, param->rows * param->cols / blocks);
        }
        DGM_TRY(recurrent_write(mirror, name, values));
    }
    return DGM_OK;
}

static dgm_status open_mirror(struct tiny *mirror, struct tiny *tiny)
{
    DGM_TRY(recurrent_start(mirror, &tiny->model.config, 1));
    return mirror_params(mirror, tiny);
}

static void turn_ids(struct dgm_batch *batch, int32_t words)
{
    for (int32_t i = 0; i < words; i++)
        batch->source.ids[i] = 3 + words - 1 - i;
}

TEST(recurrent_bidirectional_layers_have_a_mirror)
{
    struct recurrent_output out, turned;
    struct dgm_batch batch;
    struct tiny tiny, mirror;

    CHECK_STATUS(recurrent_open(&tiny, "encoder = sequential\nsrc-eos = 0\n"), DGM_OK);
    CHECK_STATUS(open_mirror(&mirror, &tiny), DGM_OK);
    CHECK_STATUS(recurrent_sentence(&batch, NULL, WORDS), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    turn_ids(&batch, WORDS);
    CHECK_STATUS(recurrent_run(&mirror, &batch, &turned), DGM_OK);
    for (int32_t i = 0; i < WORDS; i++)
        for (int half = 0; half < 2; half++)
            CHECK_MEM(turned.encoded + (2 * (WORDS - 1 - i) + 1 - half) * D,
                      out.encoded + (2 * i + half) * D, D * sizeof *out.encoded);
    recurrent_forget(&out);
    recurrent_forget(&turned);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&mirror);
}

/* What a root sees of its side, that of right dependents in both directions: with states and
 * embeddings of zero, only biases, which here both sides share. */
static dgm_status share_biases(struct tiny *tiny, int32_t root)
{
    static const char *const names[] = {"word.bias", "bias.weight", "meta.word.bias",
                                        "meta.z.weight", "meta.z.bias"};
    dgm_real values[RECURRENT_MOST];
    char name[100];

    DGM_TRY(recurrent_set(tiny, "encoder.init.weight", 0, -1, 0));
    DGM_TRY(recurrent_set(tiny, "encoder.init.bias", 0, -1, 0));
    DGM_TRY(recurrent_set(tiny, "encoder.embed_tokens.weight", (3 + root) * E, E, 0));
    for (int i = 0; i < 5; i++) {
        snprintf(name, sizeof name, "encoder.tree.left.%s", names[i]);
        if (dgm_params_find(&tiny->model.params, name) < 0)
            continue;
        DGM_TRY(recurrent_read(tiny, name, values));
        snprintf(name, sizeof name, "encoder.tree.right.%s", names[i]);
        DGM_TRY(recurrent_write(tiny, name, values));
    }
    return DGM_OK;
}

static void check_dependency_mirror(const char *options, struct dgm_random *random, int number)
{
    struct recurrent_output out, turned;
    int32_t heads[WORDS], back[WORDS], root = 0;
    struct dgm_batch batch;
    struct tiny tiny, mirror;

    draw_tree(random, heads, WORDS, number);
    for (int32_t i = 0; i < WORDS; i++) {
        back[WORDS - 1 - i] = WORDS - 1 - heads[i];
        root = is_root(heads, i) ? i : root;
    }
    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    CHECK_STATUS(share_biases(&tiny, root), DGM_OK);
    CHECK_STATUS(open_mirror(&mirror, &tiny), DGM_OK);
    CHECK_STATUS(recurrent_sentence(&batch, heads, WORDS), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    dgm_batch_clear(test_env(), &batch);
    CHECK_STATUS(recurrent_sentence(&batch, back, WORDS), DGM_OK);
    turn_ids(&batch, WORDS);
    CHECK_STATUS(recurrent_run(&mirror, &batch, &turned), DGM_OK);
    for (int32_t i = 0; i < WORDS; i++)
        CHECK_MEM(turned.encoded + (WORDS - 1 - i) * D, out.encoded + i * D,
                  D * sizeof *out.encoded);
    recurrent_forget(&out);
    recurrent_forget(&turned);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&mirror);
}

TEST(recurrent_dependencies_have_a_mirror)
{
    static const int with_one_root[4] = {0, 1, 2, 4};
    struct dgm_random random;

    dgm_random_init(&random, 17, 81, 0, 0);
    for (int i = 0; i < 4; i++) {
        check_dependency_mirror("encoder = lexicalized\nbirnn = 0\n", &random, with_one_root[i]);
        check_dependency_mirror("encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\n", &random,
                                with_one_root[i]);
    }
}

/* ---- constituents: mirrors, levels --------------------------------------------------------------- */

struct binary {
    int32_t words, left[WORDS], right[WORDS], nodes;
    int32_t twin[2 * WORDS]; /* of another tree's nodes */
};

static void draw_binary(struct dgm_random *random, struct binary *tree, int32_t words)
{
    tree->words = words;
    tree->nodes = 0;
    recurrent_branch(random, tree->left, tree->right, &tree->nodes, words, 0, words);
}

/* Appends the mirror of a tree's node; its number. */
static int32_t mirror_node(struct binary *out, const struct binary *tree, int32_t node)
{
    int32_t l, r;

    if (node < tree->words)
        return out->twin[node] = tree->words - 1 - node;
    l = mirror_node(out, tree, tree->right[node - tree->words]);
    r = mirror_node(out, tree, tree->left[node - tree->words]);
    out->left[out->nodes] = l;
    out->right[out->nodes] = r;
    return out->twin[node] = out->words + out->nodes++;
}

static dgm_status binary_sentence(struct dgm_batch *batch, const struct binary *tree)
{
    DGM_TRY(recurrent_sentence(batch, NULL, tree->words));
    return dgm_packed_add_binary(test_env(), &batch->source, tree->left, tree->right);
}

static void check_binary_mirror(const char *options, struct dgm_random *random)
{
    const double tolerance = sizeof(dgm_real) == 4 ? 2e-6 : 1e-14;
    struct recurrent_output out, turned;
    struct binary tree, other;
    struct dgm_batch batch;
    struct tiny tiny, mirror;

    draw_binary(random, &tree, WORDS);
    memset(&other, 0, sizeof other);
    other.words = WORDS;
    mirror_node(&other, &tree, 2 * WORDS - 2);
    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    CHECK_STATUS(open_mirror(&mirror, &tiny), DGM_OK);
    CHECK_STATUS(binary_sentence(&batch, &tree), DGM_OK);
    CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
    dgm_batch_clear(test_env(), &batch);
    CHECK_STATUS(binary_sentence(&batch, &other), DGM_OK);
    turn_ids(&batch, WORDS);
    CHECK_STATUS(recurrent_run(&mirror, &batch, &turned), DGM_OK);
    for (int32_t v = 0; v < 2 * WORDS - 1; v++)
        for (int j = 0; j < D; j++)
            CHECK_NEAR(turned.encoded[other.twin[v] * D + j], out.encoded[v * D + j], tolerance);
    recurrent_forget(&out);
    recurrent_forget(&turned);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&mirror);
}

TEST(recurrent_constituents_have_a_mirror)
{
    struct dgm_random random;

    dgm_random_init(&random, 19, 82, 0, 0);
    for (int i = 0; i < 3; i++) {
        check_binary_mirror("encoder = constituency\nbirnn = 0\n", &random);
        check_binary_mirror("encoder = constituency\nbirnn = 0\ntree-cell = tg12\n", &random);
        check_binary_mirror("encoder = constituency\nbirnn = 0\ndynamic-z = 1\n", &random);
        check_binary_mirror("encoder = constituency\nbirnn = 0\ndynamic-z = 1\n"
                            "share-q = matrix\n", &random);
    }
}

static int level_of(const struct binary *tree, int32_t node)
{
    int l, r;

    if (node < tree->words)
        return 1;
    l = level_of(tree, tree->left[node - tree->words]);
    r = level_of(tree, tree->right[node - tree->words]);
    return 1 + (l > r ? l : r);
}

/* Nodes of levels lowest .. highest are attended to, in their order; all where none is. */
static void check_levels(const char *level, int lowest, int highest)
{
    struct recurrent_output out;
    struct binary tree;
    struct dgm_random random;
    struct dgm_batch batch;
    struct tiny tiny;
    char options[100];

    snprintf(options, sizeof options, "encoder = constituency\nattend-level = %s\n", level);
    CHECK_STATUS(recurrent_open(&tiny, options), DGM_OK);
    dgm_random_init(&random, 23, 83, 0, 0);
    for (int32_t words = 1; words <= WORDS; words++) {
        int64_t row = 0;
        draw_binary(&random, &tree, words);
        CHECK_STATUS(binary_sentence(&batch, &tree), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out), DGM_OK);
        for (int32_t v = 0; v < 2 * words - 1; v++) {
            int at = level_of(&tree, v);
            if (words > 1 && (at < lowest || at > highest))
                continue;
            CHECK(row < out.attended_rows);
            CHECK_MEM(out.attended + D * row++, out.encoded + D * v, D * sizeof *out.encoded);
        }
        CHECK_INT(out.attended_rows, row);
        recurrent_forget(&out);
        dgm_batch_clear(test_env(), &batch);
    }
    tiny_close(&tiny);
}

TEST(recurrent_constituents_of_some_levels_are_attended_to)
{
    check_levels("all", 1, WORDS);
    check_levels("1", 1, 1);
    check_levels("2", 1, 2);
    check_levels("3", 1, 3);
    check_levels(">1", 2, WORDS);
}

TEST(recurrent_constituents_up_to_the_highest_level_are_all)
{
    struct recurrent_output out[2];
    struct dgm_batch batch;

    CHECK_STATUS(recurrent_batch(&batch, 9), DGM_OK);
    for (int i = 0; i < 2; i++) {
        struct tiny tiny;
        CHECK_STATUS(recurrent_open(&tiny, i ? "encoder = constituency\nattend-level = 60\n"
                                             : "encoder = constituency\n"), DGM_OK);
        CHECK_STATUS(recurrent_run(&tiny, &batch, &out[i]), DGM_OK);
        tiny_close(&tiny);
    }
    CHECK_MEM(out[1].scores, out[0].scores,
              (size_t)batch.target.offsets[batch.target.count] * TINY_VOCAB * sizeof(dgm_real));
    recurrent_forget(&out[0]);
    recurrent_forget(&out[1]);
    dgm_batch_clear(test_env(), &batch);
}
