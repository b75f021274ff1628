/*
 * test_recurrent_reversed.c: recurrent models whose left and right are exchanged read a sentence
 * backwards as they read it forwards before (specification, recurrent models, 10.2, 5).
 */
#include "recurrent_tree.h"

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
    static const char *const names[] = { "word.bias", "bias.weight", "meta.word.bias",
                                         "meta.z.weight", "meta.z.bias" };
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
    static const int with_one_root[4] = { 0, 1, 2, 4 };
    struct dgm_random random;

    dgm_random_init(&random, 17, 81, 0, 0);
    for (int i = 0; i < 4; i++) {
        check_dependency_mirror("encoder = lexicalized\nbirnn = 0\n", &random, with_one_root[i]);
        check_dependency_mirror("encoder = lexicalized\nbirnn = 0\ndynamic-z = 1\n", &random,
                                with_one_root[i]);
    }
}

/* ---- constituents ---------------------------------------------------------------------------- */

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
                            "share-q = matrix\n",
                            &random);
    }
}
