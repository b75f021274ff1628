/*
 * test_recurrent_cell.c: the dependency cell of recurrent models, static and dynamic, against plain
 * recursion over trees (specification, recurrent models, 4.3, 5.1 and 10.3).
 */
#include "recurrent_tree.h"

enum { NEITHER = 2 };

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
    static const char *const sides[3] = { "tree.left.", "tree.right.", "" };
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
            input[g] =
                dot(naive->word[side] + (g * D + j) * E, x, E) + naive->bias[side][g * D + j];
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
    double mean[E] = { 0 };

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
        const char *side =
            s ? "encoder.tree.right.meta.z.weight" : "encoder.tree.left.meta.z.weight";
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
                            "carry = mean\n",
                            0.5);
}
