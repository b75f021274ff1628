/*
 * test_transformer.c: the Transformer as a whole: its parameter counts, its position encodings,
 * and the invariants G2 to G9, B1 and B4 of the specification's section 6.
 */
#include <math.h>

#include "tiny.h"

enum { MOST = 4096 };

static const char *const syntaxes[4] = { "", "shaw(k=2)", "deps-san(layers=1-2)",
                                         "deps-san(layers=1-2)+shaw(k=2)" };

/* ---- counts (specification 1.14 and 4.2) ----------------------------------------------------- */

static struct dgm_model_config base_config(void)
{
    struct dgm_model_config config = tiny_config();

    config.dim = 512;
    config.heads = 8;
    config.ffn = 2048;
    config.enc_depth = config.dec_depth = 6;
    return config;
}

static void check_count(const struct dgm_model_config *config, int64_t vocab, int64_t count)
{
    struct dgm_net model;

    CHECK_STATUS(dgm_net_init(test_env(), &model, config, vocab, vocab, TINY_EOS), DGM_OK);
    CHECK_INT(dgm_params_count(&model.params), count);
    dgm_net_clear(test_env(), &model);
}

TEST(transformer_has_the_published_number_of_parameters)
{
    struct dgm_model_config config = base_config();

    check_count(&config, 60000, 74858496);
    strcpy(config.syntax, "deps-san(rs_q=0.1)");
    check_count(&config, 60000, 74858496);
    strcpy(config.syntax, "shaw(k=16,share_kv=1)");
    check_count(&config, 60000, 74883840);
    strcpy(config.syntax, "shaw(k=16,sides=enc)");
    check_count(&config, 60000, 74883840);
    config.tying = DGM_TIED_DECODER;
    check_count(&config, 60000, 105603840);
    config.syntax[0] = '\0';
    check_count(&config, 60000, 105578496);
}

TEST(transformer_body_has_the_published_number_of_parameters)
{
    struct dgm_model_config config = base_config();

    check_count(&config, 1, 44138496 + 512);
    config.ffn = 1024;
    check_count(&config, 1, 31543296 + 512);
    config.tying = DGM_TIED_NONE;
    check_count(&config, 10, 31543296 + 3 * 10 * 512);
    config.pre_norm = 1;
    check_count(&config, 10, 31543296 + 3 * 10 * 512 + 4 * 512);
    config.attention_bias = 0;
    check_count(&config, 10, 31543296 + 3 * 10 * 512 + 4 * 512 - 18 * 4 * 512);
}

TEST(transformer_with_one_matrix_needs_one_vocabulary)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_net model;

    CHECK_STATUS(dgm_net_init(test_env(), &model, &config, 10, 11, TINY_EOS), DGM_USAGE);
    CHECK(strstr(test_env()->error.message, "10") != NULL);
    CHECK(strstr(test_env()->error.message, "11") != NULL);
    dgm_env_clear_error(test_env());
}

/* ---- positions (specification 1.3, readings B12) --------------------------------------------- */

TEST(transformer_positions_are_those_of_the_worked_example)
{
    static const double vaswani[4] = { .841471, .540302, .010000, .999950 };
    static const double fairseq[8] = {
        .909297, .000200, -.416147, 1, .141120, .000300, -.989992, 1
    };
    dgm_real table[8];
    int i;

    dgm_position_table(table, 2, 4, DGM_POSITIONS_VASWANI);
    for (i = 0; i < 4; i++)
        CHECK_NEAR(table[4 + i], vaswani[i], 1e-6);
    dgm_position_table(table, 2, 4, DGM_POSITIONS_FAIRSEQ);
    for (i = 0; i < 8; i++)
        CHECK_NEAR(table[i], fairseq[i], 1e-6);
}

TEST(transformer_positions_of_odd_width_end_in_a_sine_or_zero)
{
    dgm_real table[10];

    dgm_position_table(table, 2, 5, DGM_POSITIONS_VASWANI);
    CHECK_NEAR(table[9], sin(pow(10000, -4 / 5.0)), 1e-7);
    dgm_position_table(table, 2, 5, DGM_POSITIONS_FAIRSEQ);
    CHECK_NEAR(table[9], 0, 0);
    CHECK_NEAR(table[5], sin(3), 1e-6);
    CHECK_NEAR(table[6], sin(3e-4), 1e-7);
}

/* Figures of MarianSinusoidalPositionalEmbedding, transformers 5. */
TEST(transformer_positions_of_marian_are_sines_then_cosines)
{
    static const double even[8] = { 0, 0, 1, 1, .841471, .010000, .540302, .999950 };
    static const double odd[5] = { .909297, .050217, .001262, -.416147, .998738 };
    dgm_real table[15];

    dgm_position_table(table, 2, 4, DGM_POSITIONS_MARIAN);
    for (int i = 0; i < 8; i++)
        CHECK_NEAR(table[i], even[i], 1e-6);
    dgm_position_table(table, 3, 5, DGM_POSITIONS_MARIAN);
    for (int i = 0; i < 5; i++)
        CHECK_NEAR(table[10 + i], odd[i], 1e-6);
}

/* ---- invariants ------------------------------------------------------------------------------ */

static struct dgm_model_config invariant_config(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = tiny_config();

    config.pre_norm = pre_norm;
    config.dropout = config.attention_dropout = config.activation_dropout = 0.3;
    strcpy(config.syntax, syntax);
    return config;
}

/* G2: the outputs of every sentence of a batch, and of each alone. */
static void check_alone(const char *syntax, int pre_norm)
{
    struct dgm_model_config config = invariant_config(syntax, pre_norm);
    static dgm_real x[MOST], y[MOST], x_one[MOST], y_one[MOST];
    struct dgm_batch batch, one;
    struct tiny tiny;
    int32_t s;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    for (s = 0; s < batch.source.count; s++) {
        size_t n = (size_t)dgm_packed_length(&batch.source, s) * 8;
        size_t m = (size_t)dgm_packed_length(&batch.target, s) * TINY_VOCAB;
        CHECK_STATUS(tiny_single(&one, &batch, s), DGM_OK);
        CHECK_STATUS(tiny_outputs(&tiny, &one, x_one, y_one), DGM_OK);
        CHECK_MEM(x_one, x + batch.source.offsets[s] * 8, n * sizeof *x);
        CHECK_MEM(y_one, y + batch.target.offsets[s] * TINY_VOCAB, m * sizeof *y);
        dgm_batch_clear(test_env(), &one);
    }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(transformer_reads_a_sentence_alone_as_inside_a_batch)
{
    int v;

    for (v = 0; v < 8; v++)
        check_alone(syntaxes[v % 4], v / 4);
}

/* G3: the sentences of a batch in reverse order. */
TEST(transformer_permutes_its_outputs_with_its_sentences)
{
    struct dgm_model_config config = invariant_config(syntaxes[3], 0);
    static dgm_real x[MOST], y[MOST], x_back[MOST], y_back[MOST];
    struct dgm_batch batch, back;
    struct tiny tiny;
    int32_t s, r, count;

    memset(&back, 0, sizeof back);
    CHECK_STATUS(tiny_open(&tiny, &config, 2), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    count = batch.source.count;
    for (s = count - 1; s >= 0; s--)
        CHECK_STATUS(dgm_batch_add(test_env(), &back, &batch.source, &batch.target, s,
                                   batch.numbers[s]),
                     DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &back, x_back, y_back), DGM_OK);
    for (s = 0; s < count; s++) {
        r = count - 1 - s;
        CHECK_MEM(x_back + back.source.offsets[r] * 8, x + batch.source.offsets[s] * 8,
                  (size_t)dgm_packed_length(&batch.source, s) * 8 * sizeof *x);
        CHECK_MEM(y_back + back.target.offsets[r] * TINY_VOCAB,
                  y + batch.target.offsets[s] * TINY_VOCAB,
                  (size_t)dgm_packed_length(&batch.target, s) * TINY_VOCAB * sizeof *y);
    }
    dgm_batch_clear(test_env(), &batch);
    dgm_batch_clear(test_env(), &back);
    tiny_close(&tiny);
}

/* G5: y_t changes only what is predicted after it. */
TEST(transformer_does_not_look_at_later_target_words)
{
    static const int32_t ids[6] = { 3, 4, 5, 6, 7, TINY_EOS }, words[6] = { 0, 1, 2, 3, 4, -1 };
    struct dgm_model_config config = invariant_config(syntaxes[3], 1);
    static dgm_real x[MOST], y[MOST], changed[MOST];
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t t;

    memset(&batch, 0, sizeof batch);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    dgm_packed_reset(&batch.target);
    for (t = 0; t < batch.source.count; t++)
        CHECK_STATUS(dgm_packed_add(test_env(), &batch.target, ids, words, 6, NULL, 5), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    for (t = 0; t < 5; t++) { /* y_{t+1} is read at position t + 1 */
        batch.target.ids[t] = 9;
        CHECK_STATUS(tiny_outputs(&tiny, &batch, x, changed), DGM_OK);
        CHECK_MEM(changed, y, (size_t)(t + 1) * TINY_VOCAB * sizeof *y);
        CHECK(memcmp(changed + (t + 1) * TINY_VOCAB, y + (t + 1) * TINY_VOCAB,
                     TINY_VOCAB * sizeof *y) != 0);
        CHECK_MEM(changed + 6 * TINY_VOCAB, y + 6 * TINY_VOCAB,
                  6 * TINY_VOCAB * sizeof *y); /* nor at other sentences */
        batch.target.ids[t] = ids[t];
    }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

/* G7: without dropout and sparsening the training pass is the evaluation pass. */
TEST(transformer_without_dropout_trains_on_what_it_evaluates)
{
    int v;

    for (v = 0; v < 4; v++) {
        struct dgm_model_config config = tiny_config();
        struct dgm_batch batch;
        struct tiny tiny;
        double training = 0, evaluating = 1;
        strcpy(config.syntax, syntaxes[v]);
        CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
        CHECK_STATUS(tiny_batch(&batch, 5), DGM_OK);
        CHECK_STATUS(tiny_step(&tiny, &batch, 1, &training), DGM_OK);
        CHECK_STATUS(tiny_build(&tiny, &batch, 0, 1), DGM_OK);
        CHECK_STATUS(tiny_run(&tiny, &evaluating), DGM_OK);
        CHECK_MEM(&training, &evaluating, sizeof training);
        dgm_batch_clear(test_env(), &batch);
        tiny_close(&tiny);
    }
}

/* Two batches one after the other, gradients accumulated; and both as one batch. */
static void check_accumulation(const char *syntax, double dropout)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch parts[2], joint;
    struct tiny tiny;
    dgm_real *sum, *whole;
    double loss[3], largest = 0;
    int32_t s, number = 0;
    int64_t i;
    int b;

    config.dropout = config.attention_dropout = dropout;
    strcpy(config.syntax, syntax);
    memset(&joint, 0, sizeof joint);
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_forget_grads(&tiny), DGM_OK);
    for (b = 0; b < 2; b++) {
        CHECK_STATUS(tiny_batch(&parts[b], 30 + (uint64_t)b), DGM_OK);
        for (s = 0; s < parts[b].source.count; s++) {
            parts[b].numbers[s] = number++;
            CHECK_STATUS(dgm_batch_add(test_env(), &joint, &parts[b].source, &parts[b].target, s,
                                       parts[b].numbers[s]),
                         DGM_OK);
        }
        CHECK_STATUS(tiny_build(&tiny, &parts[b], 1, 7), DGM_OK);
        CHECK_STATUS(tiny_run(&tiny, &loss[b]), DGM_OK);
        CHECK_STATUS(dgm_graph_backward(&tiny.graph), DGM_OK);
    }
    sum = tiny_grads(&tiny);
    CHECK_STATUS(tiny_step(&tiny, &joint, 7, &loss[2]), DGM_OK);
    whole = tiny_grads(&tiny);
    CHECK(sum != NULL && whole != NULL);
    CHECK_NEAR((loss[0] + loss[1]) / loss[2], 1, 1e-6);
    for (i = 0; i < tiny.model.params.total; i++)
        largest = fabs((double)whole[i]) > largest ? fabs((double)whole[i]) : largest;
    for (i = 0; i < tiny.model.params.total; i++)
        CHECK_NEAR((double)sum[i] / largest, (double)whole[i] / largest, 1e-6);
    dgm_release(test_env(), sum);
    dgm_release(test_env(), whole);
    for (b = 0; b < 2; b++)
        dgm_batch_clear(test_env(), &parts[b]);
    dgm_batch_clear(test_env(), &joint);
    tiny_close(&tiny);
}

/* G8. Masks are named by sentence, so that here it holds with dropout too. */
TEST(transformer_gradients_of_two_batches_are_those_of_one)
{
    check_accumulation(syntaxes[3], 0);
    check_accumulation("deps-san(rs_q=0.2)", 0.2);
}

/* G9: the gradient of a tied matrix is the sum over its uses. */
static void check_tying(enum dgm_tying tying)
{
    static const char *const names[3] = { "encoder.embed_tokens.weight",
                                          "decoder.embed_tokens.weight",
                                          "decoder.output_projection.weight" };
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tied, loose;
    dgm_real values[MOST], grads[MOST], want[MOST];
    double loss[2] = { 0, 1 }, largest = 0;
    int64_t count = TINY_VOCAB * 8, i;
    size_t p;
    int k, first = tying == DGM_TIED_ALL ? 0 : 1;

    config.tying = tying;
    CHECK_STATUS(tiny_open(&tied, &config, 1), DGM_OK);
    config.tying = DGM_TIED_NONE;
    CHECK_STATUS(tiny_open(&loose, &config, 1), DGM_OK);
    for (p = 0; p < loose.model.params.count; p++) {
        const char *name = loose.model.params.items[p].name;
        dgm_param_id id = dgm_params_find(&tied.model.params, name);
        if (id < 0)
            id = dgm_params_find(&tied.model.params, names[first]);
        CHECK_STATUS(dgm_params_read(test_env(), &tied.model.params, id, values), DGM_OK);
        CHECK_STATUS(dgm_params_write(test_env(), &loose.model.params, (dgm_param_id)p, values),
                     DGM_OK);
    }
    CHECK_STATUS(tiny_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(tiny_step(&tied, &batch, 1, &loss[0]), DGM_OK);
    CHECK_STATUS(tiny_step(&loose, &batch, 1, &loss[1]), DGM_OK);
    CHECK_MEM(&loss[0], &loss[1], sizeof loss[0]);
    CHECK_STATUS(dgm_params_read_grad(test_env(), &tied.model.params,
                                      dgm_params_find(&tied.model.params, names[first]), want),
                 DGM_OK);
    memset(values, 0, sizeof values);
    for (k = first; k < 3; k++) {
        dgm_param_id id = dgm_params_find(&loose.model.params, names[k]);
        CHECK_STATUS(dgm_params_read_grad(test_env(), &loose.model.params, id, grads), DGM_OK);
        for (i = 0; i < count; i++) {
            values[i] += grads[i];
            largest = fabs((double)grads[i]) > largest ? fabs((double)grads[i]) : largest;
        }
    }
    for (i = 0; i < count; i++)
        CHECK_NEAR((double)want[i] / largest, (double)values[i] / largest, 2e-6);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tied);
    tiny_close(&loose);
}

TEST(transformer_gradient_of_a_tied_matrix_is_the_sum_over_its_uses)
{
    check_tying(DGM_TIED_ALL);
    check_tying(DGM_TIED_DECODER);
}

/* Losses and gradients of a training step, bit by bit, with 1, 2 and 3 threads. */
TEST(transformer_computes_the_same_bits_with_any_number_of_threads)
{
    struct dgm_model_config config = invariant_config(syntaxes[3], 0);
    struct dgm_batch batch;
    struct dgm_random random;
    dgm_real *grads[3];
    double loss[3] = { 0, 1, 2 };
    size_t bytes = 0;
    int t, k;

    config.dim = 24;
    config.ffn = 48;
    memset(&batch, 0, sizeof batch);
    dgm_random_init(&random, 1, 2, 3, 4);
    for (k = 0; k < 12; k++)
        CHECK_STATUS(tiny_add(&batch, &random, 1 + k, (enum tiny_tree)(k % TINY_TREES)), DGM_OK);
    for (t = 0; t < 3; t++) {
        struct tiny tiny;
        CHECK_STATUS(tiny_open(&tiny, &config, 1 + t), DGM_OK);
        CHECK_STATUS(tiny_step(&tiny, &batch, 4, &loss[t]), DGM_OK);
        grads[t] = tiny_grads(&tiny);
        CHECK(grads[t] != NULL);
        bytes = (size_t)tiny.model.params.total * sizeof *grads[t];
        tiny_close(&tiny);
    }
    for (t = 1; t < 3; t++) {
        CHECK_MEM(&loss[t], &loss[0], sizeof loss[0]);
        CHECK_MEM(grads[t], grads[0], bytes);
    }
    for (t = 0; t < 3; t++)
        dgm_release(test_env(), grads[t]);
    dgm_batch_clear(test_env(), &batch);
}

/* A sentence keeps its masks wherever it stands in a batch, and changes them with the update. */
TEST(transformer_drops_by_sentence_and_update)
{
    struct dgm_model_config config = invariant_config("", 0);
    struct dgm_batch batch, one;
    struct tiny tiny;
    dgm_real together[1024], alone[256];
    double loss = 0, other = 0, again = 1;
    int32_t s = 2, m;

    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(tiny_single(&one, &batch, s), DGM_OK);
    m = dgm_packed_length(&batch.target, s);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &loss), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&tiny.graph, tiny.loss, together), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &one, 3, &loss), DGM_OK);
    CHECK_STATUS(dgm_graph_read(&tiny.graph, tiny.loss, alone), DGM_OK);
    CHECK_MEM(alone, together + 2 * batch.target.offsets[s], (size_t)(2 * m) * sizeof *alone);
    CHECK_STATUS(tiny_step(&tiny, &one, 4, &other), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &one, 3, &again), DGM_OK);
    CHECK(fabs(loss - other) > 1e-6);
    CHECK_MEM(&loss, &again, sizeof loss);
    dgm_batch_clear(test_env(), &batch);
    dgm_batch_clear(test_env(), &one);
    tiny_close(&tiny);
}

/* ---- the loss and the norm (B1, B4) ---------------------------------------------------------- */

static struct dgm_ref to_device(struct dgm_graph *g, struct dgm_buffer **buffer, const void *data,
                                size_t bytes)
{
    struct dgm_ref ref = { NULL, 0 };

    if (dgm_device_alloc(g->env, g->device, buffer, bytes) == DGM_OK) {
        ref.buffer = *buffer;
        g->status = dgm_device_write(g->env, g->device, ref, data, bytes);
    }
    return ref;
}

/* Smoothed loss and -log p of logits x (5) W, W (5,5) a leaf that is the identity; dW row 2. */
static dgm_status smooth(const double *logits, double e, enum dgm_smoothing form,
                         dgm_real losses[2], dgm_real *slopes)
{
    static const int32_t target[1] = { 2 };
    struct dgm_buffer *buffers[4] = { NULL, NULL, NULL, NULL };
    struct dgm_device *device;
    struct dgm_graph g;
    struct dgm_node *y;
    dgm_real one[1] = { 1 }, w[5], zero[5] = { 0 };
    struct dgm_ref grad;
    dgm_status status;
    int i;

    for (i = 0; i < 5; i++)
        w[i] = (dgm_real)logits[i];
    DGM_TRY(open_device(test_env(), &device, 1));
    DGM_TRY(dgm_graph_init(test_env(), &g, device));
    dgm_graph_begin(&g, 1, 1, 1);
    grad = to_device(&g, &buffers[0], zero, sizeof zero);
    y = dgm_linear(&g, dgm_constant(&g, to_device(&g, &buffers[1], one, sizeof one), 1, 1),
                   dgm_leaf(&g, to_device(&g, &buffers[2], w, sizeof w), grad, 5, 1), NULL);
    y = dgm_cross_entropy(&g, y, to_device(&g, &buffers[3], target, sizeof target), (dgm_real)e,
                          form, 1);
    status = dgm_graph_run(&g);
    if (status == DGM_OK)
        status = dgm_graph_read(&g, y, losses);
    if (status == DGM_OK)
        status = dgm_graph_backward(&g);
    if (status == DGM_OK)
        status = dgm_device_read(test_env(), device, slopes, grad, 5 * sizeof *slopes);
    for (i = 0; i < 4; i++)
        dgm_device_release(test_env(), device, buffers[i]);
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
    return status;
}

TEST(transformer_loss_is_that_of_the_worked_example)
{
    static const double logits[5] = { 1, .5, 2, -1, 0 };
    static const double slope[2][5] = { { .187124, .105627, -.356979, .008031, .056197 },
                                        { .182124, .100627, -.336979, .003031, .051197 } };
    dgm_real losses[2], slopes[5];
    int form, i;

    for (form = 0; form < 2; form++) {
        CHECK_STATUS(smooth(logits, .1, form ? DGM_SMOOTHING_T2T : DGM_SMOOTHING_OLD, losses,
                            slopes),
                     DGM_OK);
        CHECK_NEAR(losses[0], form ? .761938 : .724438, 1e-6);
        CHECK_NEAR(losses[1], .574438, 1e-6);
        for (i = 0; i < 5; i++)
            CHECK_NEAR(slopes[i], slope[form][i], 1e-6);
    }
}

TEST(transformer_loss_without_smoothing_is_log_likelihood_in_both_forms)
{
    static const double logits[5] = { 1, .5, 2, -1, 0 };
    dgm_real losses[2], slopes[5];
    double sum = 0;
    int form, i;

    for (form = 0; form < 2; form++) {
        CHECK_STATUS(smooth(logits, 0, form ? DGM_SMOOTHING_T2T : DGM_SMOOTHING_OLD, losses,
                            slopes),
                     DGM_OK);
        CHECK_NEAR(losses[0], losses[1], 1e-7);
        for (i = 0, sum = 0; i < 5; i++)
            sum += (double)slopes[i];
        CHECK_NEAR(sum, 0, 1e-6);
    }
}

TEST(transformer_loss_is_least_at_the_smoothed_target)
{
    double logits[5];
    dgm_real losses[2], slopes[5];
    int form, i;

    for (form = 0; form < 2; form++) {
        for (i = 0; i < 5; i++) /* logarithms of the target distribution */
            logits[i] = log(form ? (i == 2 ? .9 : .1 / 4) : .1 / 5 + (i == 2 ? .9 : 0));
        CHECK_STATUS(smooth(logits, .1, form ? DGM_SMOOTHING_T2T : DGM_SMOOTHING_OLD, losses,
                            slopes),
                     DGM_OK);
        for (i = 0; i < 5; i++)
            CHECK_NEAR(slopes[i], 0, 1e-6);
    }
}

/* y and dx of specification 1.5, and of x with a constant added. */
TEST(transformer_norm_is_that_of_the_worked_example_and_ignores_a_shift)
{
    static const double x[4] = { 1, 2, 3, 6 }, gain[4] = { 1, 2, 1, 1 }, bias[4] = { 0, 0, 1, 0 };
    static const double want[4] = { -1.069043, -1.069043, 1, 1.603565 };
    struct dgm_buffer *buffers[3];
    struct dgm_device *device;
    struct dgm_graph g;
    dgm_real values[3][4], y[4];
    struct dgm_node *out;
    int shift, i;

    CHECK_STATUS(open_device(test_env(), &device, 1), DGM_OK);
    CHECK_STATUS(dgm_graph_init(test_env(), &g, device), DGM_OK);
    for (shift = 0; shift < 2; shift++) {
        for (i = 0; i < 4; i++) {
            values[0][i] = (dgm_real)(x[i] + 32 * shift);
            values[1][i] = (dgm_real)gain[i];
            values[2][i] = (dgm_real)bias[i];
        }
        dgm_graph_begin(&g, 0, 1, 1);
        out = dgm_keep(
            &g,
            dgm_norm(&g,
                     dgm_constant(&g, to_device(&g, &buffers[0], values[0], 4 * sizeof *y), 1, 4),
                     dgm_constant(&g, to_device(&g, &buffers[1], values[1], 4 * sizeof *y), 1, 4),
                     dgm_constant(&g, to_device(&g, &buffers[2], values[2], 4 * sizeof *y), 1, 4),
                     (dgm_real)1e-5));
        CHECK_STATUS(dgm_graph_run(&g), DGM_OK);
        CHECK_STATUS(dgm_graph_read(&g, out, y), DGM_OK);
        for (i = 0; i < 4; i++)
            CHECK_NEAR(y[i], want[i], 2e-6);
        for (i = 0; i < 3; i++)
            dgm_device_release(test_env(), device, buffers[i]);
    }
    dgm_graph_clear(&g);
    dgm_device_close(test_env(), device);
}

/* ---- bad input ------------------------------------------------------------------------------- */

TEST(transformer_refuses_unknown_ids_and_long_sentences)
{
    struct dgm_model_config config = tiny_config();
    struct dgm_batch batch;
    struct tiny tiny;

    config.max_length = 3;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(tiny_stage(&tiny, &batch, 0, 1), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "max-length = 3") != NULL);
    dgm_env_clear_error(test_env());
    tiny_close(&tiny);
    config.max_length = 64;
    CHECK_STATUS(tiny_open(&tiny, &config, 1), DGM_OK);
    batch.target.ids[1] = TINY_VOCAB;
    CHECK_STATUS(tiny_stage(&tiny, &batch, 0, 1), DGM_DATA);
    CHECK(strstr(test_env()->error.message, "token id 11; expected 0..10") != NULL);
    dgm_env_clear_error(test_env());
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}
