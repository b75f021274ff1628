/*
 * test_variants.c: what holds for every variant in attn_list.h, alone and together: G2 to G5, G7,
 * G8, G10 and S3 of specification section 6, and the same bits on any number of threads.
 */
#include <stdio.h>

#include "mask_case.h"
#include "model/transformer/family.h"
#include "nn/attn/sentence.h"
#include "nn/param_file.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "tiny_steps.h"
#include "variant_case.h"

/* Runs a check over every case, with norms after the sub-layers and, where defined, before. */
static void each_case(void (*check)(const struct variant_case *one, int pre_norm))
{
    struct variant_case one;
    int v;

    test_env_fail_at(0); /* check-oom would take minutes; tests of single variants serve it */
    for (v = 0; variant_case_at(v, &one); v++) {
        check(&one, 0);
        if (variant_is_defined(one.syntax, 1))
            check(&one, 1);
    }
}

/* Says which case a failure belongs to: CHECK the result before it is told. */
static void check_case(const struct variant_case *one, int holds)
{
    if (!holds)
        CHECK_STR(one->syntax, "a variant of which this holds");
}

static struct dgm_model_config dropout_config(const struct variant_case *one, int pre_norm)
{
    struct dgm_model_config config = variant_config(one->syntax, pre_norm);

    config.dropout = config.attention_dropout = config.activation_dropout = 0.3;
    return config;
}

/* ---- the list -------------------------------------------------------------------------------- */

TEST(variants_all_have_samples)
{
    struct variant_case one;
    int k, v;

    for (k = 0; dgm_attn_kinds[k] != NULL; k++)
        if (dgm_attn_kinds[k]->samples == NULL || dgm_attn_kinds[k]->samples[0] == NULL)
            CHECK_STR(dgm_attn_kinds[k]->name, "a variant with samples");
    for (v = 0; variant_case_at(v, &one); v++)
        check_case(&one, variant_is_defined(one.syntax, 0));
}

/* With the plain model's parameters a variant computes something else. */
static void check_effect(const struct variant_case *one, int pre_norm)
{
    dgm_real varied[256], plain[256];
    struct tiny tiny, other;
    struct dgm_batch batch;
    size_t bytes;

    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_open(&other, "", pre_norm), DGM_OK);
    if (strstr(one->syntax, "concat_narrow") == NULL) /* which has another table of words */
        CHECK_STATUS(variant_copy(&other, &tiny), DGM_OK);
    bytes = (size_t)(2 * batch.target.offsets[batch.target.count]) * sizeof *varied;
    CHECK_STATUS(variant_losses(&tiny, &batch, 1, 3, varied), DGM_OK);
    CHECK_STATUS(variant_losses(&other, &batch, 1, 3, plain), DGM_OK);
    check_case(one, memcmp(varied, plain, bytes) != 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&other);
}

TEST(variants_change_what_the_plain_model_computes)
{
    each_case(check_effect);
}

/* Every layer, head and representation draws its own mask. */
static void check_mask_streams(const struct variant_case *one, int pre_norm)
{
    struct dgm_model_config config = dropout_config(one, pre_norm);
    struct dgm_batch batch;
    struct tiny tiny;

    config.stored = 1;
    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_build(&tiny, &batch, 1, 3), DGM_OK);
    check_case(one, mask_streams_differ(&tiny.graph));
    CHECK(masks.count > 20);
    tiny_close(&tiny);
    dgm_batch_clear(test_env(), &batch);
}

TEST(variants_draw_each_mask_apart)
{
    each_case(check_mask_streams);
}

/* Kinds of parameters that variants add, by their names without the layer. */
enum { MOST_ADDED = 128 };
struct added {
    char tail[128];
    int is_reached; /* by a gradient, in some case and some layer */
};

static struct added *find_added(struct added *added, const char *name)
{
    const char *tail = strstr(name, "self_attn.");
    int i;

    tail = tail != NULL ? tail : name;
    for (i = 0; i < MOST_ADDED - 1 && added[i].tail[0] != '\0'; i++)
        if (strcmp(added[i].tail, tail) == 0)
            break;
    snprintf(added[i].tail, sizeof added[i].tail, "%s", tail);
    return &added[i];
}

/* Notes which of the parameters that the plain model lacks get a gradient. */
static void note_reached(const struct variant_case *one, int pre_norm, struct added *added)
{
    struct dgm_batch batch;
    struct tiny tiny, plain;
    dgm_real *grads;
    double loss;
    size_t p;

    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_open(&plain, "", pre_norm), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 3, &loss), DGM_OK);
    grads = tiny_grads(&tiny);
    CHECK(grads != NULL);
    for (p = 0; p < tiny.model.params.count; p++) {
        const struct dgm_param *param = &tiny.model.params.items[p];
        struct added *kind;
        int64_t i;
        if (dgm_params_find(&plain.model.params, param->name) >= 0)
            continue;
        kind = find_added(added, param->name);
        for (i = 0; i < param->rows * param->cols; i++)
            kind->is_reached |= (double)grads[param->offset + i] != 0;
    }
    dgm_release(test_env(), grads);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&plain);
}

/* A parameter that no gradient ever reaches would never be learned. Single layers may have good
 * reasons: a bias that a softmax does not see, a gate over layers that are not there. */
TEST(variants_learn_every_parameter_that_they_add)
{
    static struct added added[MOST_ADDED];
    struct variant_case one;
    int v, i;

    test_env_fail_at(0);
    memset(added, 0, sizeof added);
    for (v = 0; variant_case_at(v, &one); v++)
        note_reached(&one, 0, added);
    for (i = 0; i < MOST_ADDED && added[i].tail[0] != '\0'; i++)
        if (!added[i].is_reached)
            CHECK_STR(added[i].tail, "a parameter with a gradient");
    CHECK(i > 0 && i < MOST_ADDED);
}

/* ---- G2, G3: neighbours ---------------------------------------------------------------------- */

/* Whether sentence s of one batch has the outputs of sentence r of another. */
static int same_sentence(const struct dgm_batch *a, int32_t s, const dgm_real *xa,
                         const dgm_real *ya, const struct dgm_batch *b, int32_t r,
                         const dgm_real *xb, const dgm_real *yb)
{
    size_t n = (size_t)dgm_packed_length(&a->source, s) * 8;
    size_t m = (size_t)dgm_packed_length(&a->target, s) * TINY_VOCAB;

    return memcmp(xa + a->source.offsets[s] * 8, xb + b->source.offsets[r] * 8, n * sizeof *xa) ==
               0 &&
           memcmp(ya + a->target.offsets[s] * TINY_VOCAB, yb + b->target.offsets[r] * TINY_VOCAB,
                  m * sizeof *ya) == 0;
}

static void check_neighbours(const struct variant_case *one, int pre_norm)
{
    static dgm_real x[VARIANT_REALS], y[VARIANT_REALS], x2[VARIANT_REALS], y2[VARIANT_REALS];
    struct dgm_model_config config = dropout_config(one, pre_norm);
    struct dgm_batch batch, other;
    struct tiny tiny;
    int32_t s;

    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    for (s = 0; s < batch.source.count; s++) {
        CHECK_STATUS(tiny_single(&other, &batch, s), DGM_OK);
        CHECK_STATUS(tiny_outputs(&tiny, &other, x2, y2), DGM_OK);
        check_case(one, same_sentence(&batch, s, x, y, &other, 0, x2, y2));
        dgm_batch_clear(test_env(), &other);
    }
    memset(&other, 0, sizeof other);
    for (s = VARIANT_PAIRS - 1; s >= 0; s--)
        CHECK_STATUS(dgm_batch_add(test_env(), &other, &batch.source, &batch.target, s,
                                   batch.numbers[s]),
                     DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &other, x2, y2), DGM_OK);
    for (s = 0; s < VARIANT_PAIRS; s++)
        check_case(one, same_sentence(&batch, s, x, y, &other, VARIANT_PAIRS - 1 - s, x2, y2));
    dgm_batch_clear(test_env(), &other);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_read_a_sentence_alone_as_in_any_batch)
{
    each_case(check_neighbours);
}

/* In training, too: masks are named by sentence. Losses of parsers are means over a batch and stand
 * beside. */
static void check_training_neighbours(const struct variant_case *one, int pre_norm)
{
    struct dgm_model_config config = dropout_config(one, pre_norm);
    dgm_real together[256], alone[256];
    struct dgm_batch batch, single;
    struct tiny tiny;
    int32_t s, m;

    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(variant_losses(&tiny, &batch, 1, 5, together), DGM_OK);
    for (s = 0; s < batch.source.count; s++) {
        CHECK_STATUS(tiny_single(&single, &batch, s), DGM_OK);
        CHECK_STATUS(variant_losses(&tiny, &single, 1, 5, alone), DGM_OK);
        m = dgm_packed_length(&batch.target, s);
        check_case(one, memcmp(alone, together + 2 * batch.target.offsets[s],
                               (size_t)(2 * m) * sizeof *alone) == 0);
        dgm_batch_clear(test_env(), &single);
    }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_train_on_a_sentence_alone_as_in_any_batch)
{
    each_case(check_training_neighbours);
}

/* ---- G4, G5: decoders ------------------------------------------------------------------------ */

static void check_incremental(const struct variant_case *one, int pre_norm)
{
    static dgm_real x[VARIANT_REALS], y[VARIANT_REALS], steps[VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny;
    size_t count;

    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 12), DGM_OK);
    count = (size_t)batch.target.offsets[batch.target.count] * TINY_VOCAB;
    CHECK(count <= VARIANT_REALS);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    CHECK_STATUS(tiny_steps(&tiny, &batch, steps), DGM_OK);
    check_case(one, memcmp(steps, y, count * sizeof *y) == 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_decode_step_by_step_as_at_once)
{
    each_case(check_incremental);
}

/* Changes every target token in turn, and what of its tree depends on it: nothing before moves. */
static void check_causal(const struct variant_case *one, int pre_norm)
{
    static dgm_real x[VARIANT_REALS], y[VARIANT_REALS], changed[VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny;
    int32_t s = 1, first, m, t;

    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 12), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x, y), DGM_OK);
    first = batch.target.offsets[s];
    m = dgm_packed_length(&batch.target, s);
    for (t = 0; t < m - 1; t++) {
        int32_t id = batch.target.ids[first + t];
        batch.target.ids[first + t] = id == 9 ? 8 : 9;
        CHECK_STATUS(tiny_outputs(&tiny, &batch, x, changed), DGM_OK);
        check_case(one,
                   memcmp(changed, y, (size_t)((first + t + 1) * TINY_VOCAB) * sizeof *y) == 0);
        check_case(one, memcmp(changed + (first + t + 1) * TINY_VOCAB,
                               y + (first + t + 1) * TINY_VOCAB, TINY_VOCAB * sizeof *y) != 0);
        batch.target.ids[first + t] = id;
    }
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_do_not_look_at_later_target_words)
{
    each_case(check_causal);
}

/* ---- G7: training and evaluation ------------------------------------------------------------- */

static void check_calm(const struct variant_case *one, int pre_norm)
{
    dgm_real training[256], evaluating[256];
    struct dgm_batch batch;
    struct tiny tiny;
    size_t bytes;

    CHECK_STATUS(variant_open(&tiny, one->calm[0] != '\0' ? one->calm : one->syntax, pre_norm),
                 DGM_OK);
    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    bytes = (size_t)(2 * batch.target.offsets[batch.target.count]) * sizeof *training;
    CHECK_STATUS(variant_losses(&tiny, &batch, 1, 4, training), DGM_OK);
    CHECK_STATUS(variant_losses(&tiny, &batch, 0, 1, evaluating), DGM_OK);
    check_case(one, memcmp(training, evaluating, bytes) == 0);
    CHECK_INT(tiny.parse_losses.count, 0); /* trees are not asked for in evaluation */
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_without_what_is_for_training_train_on_what_they_evaluate)
{
    each_case(check_calm);
}

/* What is for training has an effect there, and none in evaluation, where it is the calm model. */
static void check_wild(const struct variant_case *one, int pre_norm)
{
    dgm_real wild[2][256], calm[2][256];
    struct dgm_batch batch;
    struct tiny tiny[2];
    int training;
    size_t bytes;

    if (one->calm[0] == '\0')
        return;
    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_open(&tiny[0], one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_open(&tiny[1], one->calm, pre_norm), DGM_OK);
    CHECK_STATUS(variant_copy(&tiny[1], &tiny[0]), DGM_OK);
    bytes = (size_t)(2 * batch.target.offsets[batch.target.count]) * sizeof wild[0][0];
    for (training = 0; training < 2; training++) {
        CHECK_STATUS(variant_losses(&tiny[0], &batch, training, 1, wild[training]), DGM_OK);
        CHECK_STATUS(variant_losses(&tiny[1], &batch, training, 1, calm[training]), DGM_OK);
    }
    check_case(one, memcmp(wild[0], calm[0], bytes) == 0);
    check_case(one, memcmp(wild[1], calm[1], bytes) != 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny[0]);
    tiny_close(&tiny[1]);
}

TEST(variants_evaluate_without_what_is_for_training)
{
    each_case(check_wild);
}

/* ---- trees ----------------------------------------------------------------------------------- */

/* Whether a layer fuses several representations. */
static int fuses(const char *syntax, const struct tiny *tiny)
{
    struct dgm_attn_place place = { DGM_SOURCE, 1 };
    const struct dgm_transformer *own = dgm_transformer_of(&tiny->model, DGM_SOURCE);
    struct dgm_syntax variants;
    int found = 0;

    if (dgm_syntax_init(test_env(), &variants, syntax, &own->syntax.shape) != DGM_OK)
        return 1;
    for (; place.layer <= tiny->model.config.enc_depth; place.layer++)
        found |= dgm_syntax_fusion(&variants, place) != NULL;
    dgm_syntax_clear(test_env(), &variants);
    return found;
}

/* S3: without any parse, a variant that reads trees in translation, and neither has parameters of
 * its own nor fuses representations, is the plain model; and trees matter exactly to those variants
 * that say that they need them (kind->needs). */
static void check_trees(const struct variant_case *one, int pre_norm)
{
    static dgm_real x[3][VARIANT_REALS];
    struct dgm_batch batch;
    struct tiny tiny, plain;
    int reads_trees, is_plain;
    size_t bytes;

    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_open(&plain, "", pre_norm), DGM_OK);
    reads_trees = (dgm_net_needs(&tiny.model) & DGM_NEEDS_TREES) != 0;
    is_plain = reads_trees && tiny.model.params.count == plain.model.params.count &&
               !fuses(one->syntax, &tiny);
    if (is_plain)
        CHECK_STATUS(variant_copy(&plain, &tiny), DGM_OK);
    bytes = (size_t)(batch.source.offsets[batch.source.count] * 8) * sizeof x[0][0];
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x[0], NULL), DGM_OK);
    CHECK_STATUS(variant_forget_trees(&batch), DGM_OK);
    CHECK_STATUS(tiny_outputs(&tiny, &batch, x[1], NULL), DGM_OK);
    CHECK_STATUS(tiny_outputs(&plain, &batch, x[2], NULL), DGM_OK);
    check_case(one, (memcmp(x[0], x[1], bytes) != 0) == reads_trees);
    if (is_plain)
        check_case(one, memcmp(x[1], x[2], bytes) == 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
    tiny_close(&plain);
}

TEST(variants_read_trees_that_are_there_and_are_plain_without)
{
    each_case(check_trees);
}

/* Training on sentences without a parse is training all the same: finite, without parse losses. */
static void check_training_without_trees(const struct variant_case *one, int pre_norm)
{
    struct dgm_batch batch;
    struct tiny tiny;
    double sum = 0;

    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_forget_trees(&batch), DGM_OK);
    CHECK_STATUS(variant_open(&tiny, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(tiny_step(&tiny, &batch, 1, &sum), DGM_OK);
    check_case(one, sum > 0 && sum < 1e4);
    CHECK_INT(tiny.parse_losses.count, 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&tiny);
}

TEST(variants_train_without_trees)
{
    each_case(check_training_without_trees);
}

/* ---- G8: accumulation ------------------------------------------------------------------------ */

static dgm_status add_all(struct dgm_batch *joint, struct dgm_batch *part, int32_t *number)
{
    int32_t s;

    for (s = 0; s < part->source.count; s++) {
        part->numbers[s] = (*number)++;
        DGM_TRY(
            dgm_batch_add(test_env(), joint, &part->source, &part->target, s, part->numbers[s]));
    }
    return DGM_OK;
}

/* Largest difference of two sets of gradients, by the largest of them. */
static double grad_distance(const dgm_real *a, const dgm_real *b, int64_t count)
{
    double largest = 0;
    int64_t i;

    for (i = 0; i < count; i++)
        largest = fabs((double)b[i]) > largest ? fabs((double)b[i]) : largest;
    return variant_distance(a, b, count) / largest;
}

/* Means of parse losses are over the update, so each part has to know the whole. */
static struct dgm_loss_shares shares_of(const struct dgm_batch *joint)
{
    struct dgm_loss_shares of;

    of.rows = joint->target.offsets[joint->target.count];
    of.supervised[DGM_SOURCE] = dgm_attn_supervised(&joint->source, DGM_SOURCE);
    of.supervised[DGM_TARGET] = dgm_attn_supervised(&joint->target, DGM_TARGET);
    return of;
}

static void check_accumulation(const struct variant_case *one, int pre_norm)
{
    struct dgm_model_config config = dropout_config(one, pre_norm);
    struct dgm_batch part[2], joint;
    dgm_real *sum, *whole;
    int32_t number = 0;
    struct tiny tiny;
    double loss[3] = { 0, 0, 0 };
    int b;

    memset(&joint, 0, sizeof joint);
    for (b = 0; b < 2; b++) {
        CHECK_STATUS(variant_batch(&part[b], 30 + (uint64_t)b), DGM_OK);
        CHECK_STATUS(add_all(&joint, &part[b], &number), DGM_OK);
    }
    CHECK_STATUS(variant_start(&tiny, &config, 1), DGM_OK);
    CHECK_STATUS(tiny_forget_grads(&tiny), DGM_OK);
    tiny.parse_losses.of = shares_of(&joint);
    for (b = 0; b < 2; b++) {
        CHECK_STATUS(tiny_build(&tiny, &part[b], 1, 7), DGM_OK);
        CHECK_STATUS(tiny_run(&tiny, &loss[b]), DGM_OK);
        CHECK_STATUS(dgm_graph_backward(&tiny.graph), DGM_OK);
    }
    sum = tiny_grads(&tiny);
    memset(&tiny.parse_losses.of, 0, sizeof tiny.parse_losses.of); /* it is a whole */
    CHECK_STATUS(tiny_step(&tiny, &joint, 7, &loss[2]), DGM_OK);
    whole = tiny_grads(&tiny);
    CHECK(sum != NULL && whole != NULL);
    CHECK_NEAR((loss[0] + loss[1]) / loss[2], 1, 1e-6);
    check_case(one, grad_distance(sum, whole, tiny.model.params.total) < 2e-6);
    dgm_release(test_env(), sum);
    dgm_release(test_env(), whole);
    for (b = 0; b < 2; b++)
        dgm_batch_clear(test_env(), &part[b]);
    dgm_batch_clear(test_env(), &joint);
    tiny_close(&tiny);
}

TEST(variants_have_the_gradients_of_two_batches_from_one)
{
    each_case(check_accumulation);
}

/* ---- G10: files ------------------------------------------------------------------------------ */

/* Saves the parameters of one model and loads them into another, drawn otherwise. */
static dgm_status pass_on(struct tiny *from, struct tiny *to, const char *path)
{
    struct dgm_gguf_writer writer;
    struct dgm_gguf file;
    dgm_real *values = NULL;
    dgm_status status;

    memset(&writer, 0, sizeof writer);
    status = dgm_params_save(test_env(), &from->model.params, &writer,
                             sizeof(dgm_real) == 4 ? DGM_GGUF_F32 : DGM_GGUF_F64, &values);
    if (status == DGM_OK)
        status = dgm_gguf_write(test_env(), &writer, path);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_release(test_env(), values);
    DGM_TRY(status);
    DGM_TRY(dgm_gguf_load(test_env(), &file, path));
    status = dgm_params_load(test_env(), &to->model.params, &file, NULL);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

static void check_file(const struct variant_case *one, int pre_norm)
{
    dgm_real before[256], after[256];
    struct dgm_batch batch;
    struct tiny from, to;
    char path[512];
    size_t bytes;

    snprintf(path, sizeof path, "%s/model", test_dir());
    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    CHECK_STATUS(variant_open(&from, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(variant_open(&to, one->syntax, pre_norm), DGM_OK);
    CHECK_STATUS(tiny_fill(&to.model.params, 99), DGM_OK);
    CHECK_STATUS(pass_on(&from, &to, path), DGM_OK);
    bytes = (size_t)(2 * batch.target.offsets[batch.target.count]) * sizeof *before;
    CHECK_STATUS(variant_losses(&from, &batch, 0, 1, before), DGM_OK);
    CHECK_STATUS(variant_losses(&to, &batch, 0, 1, after), DGM_OK);
    check_case(one, memcmp(before, after, bytes) == 0);
    dgm_batch_clear(test_env(), &batch);
    tiny_close(&from);
    tiny_close(&to);
}

TEST(variants_come_back_from_a_file)
{
    each_case(check_file);
}

/* ---- threads --------------------------------------------------------------------------------- */

static void check_threads(const struct variant_case *one, int pre_norm)
{
    struct dgm_model_config config = dropout_config(one, pre_norm);
    struct dgm_batch batch;
    double loss[2] = { 0, 1 };
    dgm_real *grads[2];
    struct tiny tiny;
    size_t bytes = 0;
    int t;

    config.dim = 24; /* wide enough for the loops of vector kernels */
    config.ffn = 40;
    CHECK_STATUS(variant_batch(&batch, 5), DGM_OK);
    for (t = 0; t < 2; t++) {
        CHECK_STATUS(variant_start(&tiny, &config, 1 + 2 * t), DGM_OK);
        CHECK_STATUS(tiny_step(&tiny, &batch, 4, &loss[t]), DGM_OK);
        grads[t] = tiny_grads(&tiny);
        CHECK(grads[t] != NULL);
        bytes = (size_t)tiny.model.params.total * sizeof **grads;
        tiny_close(&tiny);
    }
    check_case(one, memcmp(&loss[0], &loss[1], sizeof loss[0]) == 0);
    check_case(one, memcmp(grads[0], grads[1], bytes) == 0);
    dgm_release(test_env(), grads[0]);
    dgm_release(test_env(), grads[1]);
    dgm_batch_clear(test_env(), &batch);
}

TEST(variants_compute_the_same_bits_with_any_number_of_threads)
{
    each_case(check_threads);
}
