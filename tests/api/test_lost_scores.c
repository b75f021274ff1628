/*
 * test_lost_scores.c: models whose weights are finite and overflow: what would be decided by scores
 * that are no numbers is an error, which says where.
 */
#include <dragoman.h>
#include <math.h>

#include "tensor/gguf/gguf_fetch.h"
#include "tensor/gguf/gguf_write.h"
#include "training_case.h"

/* Weights by which every product overflows. */
#define TOO_MUCH 1e30

/* ---- models ---------------------------------------------------------------------------------- */

/* sign: of all of them, 0: their own. */
static dgm_status add_grown(struct dgm_gguf_writer *writer, const struct dgm_gguf *file, size_t i,
                            const char *what, int sign, dgm_real *values)
{
    const struct dgm_gguf_tensor *tensor = &file->tensors[i];

    DGM_TRY(dgm_gguf_fetch(test_env(), file, i, values));
    for (size_t k = 0; k < tensor->count && strstr(tensor->name, what) != NULL; k++)
        values[k] =
            (dgm_real)((sign == 0 ? (double)values[k] : sign * fabs((double)values[k])) * TOO_MUCH);
    return dgm_gguf_add_reals(test_env(), writer, tensor->name, DGM_GGUF_F32, tensor->rank,
                              tensor->dims, values);
}

/* The model `from`, with larger weights, of this sign, where names have the word `what`. */
static dgm_status grow_signed(const char *from, const char *to, const char *what, int sign)
{
    struct dgm_gguf_writer writer = { 0 };
    struct dgm_gguf file = { 0 };
    dgm_real **values = NULL;
    char path[1200];
    dgm_status status;

    DGM_TRY_OUT(dgm_gguf_open(test_env(), &file, in_dir(path, from)));
    DGM_TRY_OUT(dgm_new(test_env(), &values, file.tensor_count, sizeof *values));
    for (size_t i = 0; i < file.key_count; i++)
        DGM_TRY_OUT(dgm_gguf_add_key(test_env(), &writer, &file, &file.keys[i]));
    for (size_t i = 0; i < file.tensor_count; i++) {
        DGM_TRY_OUT(dgm_new(test_env(), &values[i], file.tensors[i].count, sizeof *values[i]));
        DGM_TRY_OUT(add_grown(&writer, &file, i, what, sign, values[i]));
    }
    status = dgm_gguf_write(test_env(), &writer, in_dir(path, to));
out:
    for (size_t i = 0; values != NULL && i < file.tensor_count; i++)
        dgm_release(test_env(), values[i]);
    dgm_release(test_env(), values);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

static dgm_status grow_model(const char *from, const char *to, const char *what)
{
    return grow_signed(from, to, what, 0);
}

static dgm_status new_context(dgm_context **context, int threads)
{
    dgm_context_options options = DGM_OPTIONS(dgm_context_options);

    options.allocator = &test_env()->memory;
    options.threads = threads;
    return dgm_context_new(&options, context);
}

/* A parser of the same words, that cuts text itself and tells lemmas. */
static dgm_status train_parser(const char *name)
{
    static const char *const names[] = { "train-sets",
                                         "model",
                                         "dim-emb",
                                         "transformer-heads",
                                         "transformer-dim-ffn",
                                         "enc-depth",
                                         "dim-piece",
                                         "dim-piece-lstm",
                                         "dim-lstm",
                                         "dim-arc",
                                         "dim-label",
                                         "dim-tag",
                                         "batch-tokens",
                                         "after",
                                         "lr",
                                         "tokenizer" };
    const char *values[] = { NULL, NULL, "16", "2", "24", "1",  "8",    "8",
                             "12", "16", "8",  "8", "60", "2u", "0.01", "true" };
    dgm_train_options options = DGM_OPTIONS(dgm_train_options);
    char trees[1200], model[1200];
    dgm_context *context;
    dgm_status status;

    values[0] = in_dir(trees, "toy.conllu");
    values[1] = in_dir(model, name);
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    DGM_TRY(new_context(&context, 1));
    status = dgm_train_parser(context, &options);
    if (status != DGM_OK)
        printf("%s\n", dgm_context_error(context)->message);
    dgm_context_free(context);
    return status;
}

/* ---- what they say --------------------------------------------------------------------------- */

static void check_said(dgm_context *context, dgm_status status, const char *words)
{
    CHECK_STATUS(status, DGM_MODEL);
    if (strstr(dgm_context_error(context)->message, words) == NULL)
        CHECK_STR(dgm_context_error(context)->message, words);
    dgm_context_clear(context);
}

static dgm_status add_line(dgm_translator *translator, const char *line)
{
    return dgm_translator_add(translator, line, strlen(line));
}

/* A blank line, then lines of words. */
static void check_translator(const dgm_translator_options *from, const char *const *models,
                             size_t count, int threads)
{
    dgm_translator_options options = *from;
    dgm_translator *translator;
    dgm_context *context;
    size_t lines = 7;

    options.models = models;
    options.model_count = count;
    CHECK_STATUS(new_context(&context, threads), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    CHECK_STATUS(add_line(translator, ""), DGM_OK);
    CHECK_STATUS(add_line(translator, "w1 w2 w3"), DGM_OK);
    for (int i = 0; i < 6 * (threads - 1); i++)
        CHECK_STATUS(add_line(translator, "w1 w2 w3"), DGM_OK);
    check_said(context, dgm_translator_run(translator, &lines),
               threads > 1 ? ": no finite score for its translation, token 1: weights"
                           : "line 2: no finite score for its translation, token 1: weights");
    CHECK_INT(lines, 0);
    dgm_translator_free(translator);
    dgm_context_free(context);
}

TEST(lost_scores_end_a_translation)
{
    static const char *const types[] = { NULL, "int8" };
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options);
    const char *models[2];
    char path[2][1200];

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(grow_model("m", "large", ""), DGM_OK);
    models[0] = in_dir(path[0], "large");
    models[1] = in_dir(path[1], "m");
    for (size_t i = 0; i < 2; i++) {
        options.compute_type = types[i];
        check_translator(&options, models, 1, 1);
        CHECK(!test_has_failed());
    }
    options.compute_type = NULL;
    options.beam = 1;
    check_translator(&options, models, 1, 1);
    CHECK(!test_has_failed());
    options.beam = 3;
    options.beam_rule = "shrinking";
    check_translator(&options, models, 1, 1);
    check_translator(&options, models, 2, 1);
    check_translator(&options, models, 1, 2);
}

static dgm_status make_shortlist(const char *model, const char *path)
{
    dgm_shortlist_options options = DGM_OPTIONS(dgm_shortlist_options);
    char source[1200], target[1200];
    dgm_context *context;
    dgm_status status;

    options.model = model;
    options.source = in_dir(source, "toy.src");
    options.target = in_dir(target, "toy.trg");
    DGM_TRY(new_context(&context, 1));
    status = dgm_shortlist_make(context, &options, path);
    if (status != DGM_OK)
        printf("%s\n", dgm_context_error(context)->message);
    dgm_context_free(context);
    return status;
}

/* Where few words are scored, and a feed-forward alone overflows: its ReLU lets NaN through. */
TEST(lost_scores_end_a_translation_with_a_shortlist)
{
    static const char *const types[] = { NULL, "int8" }, *const rules[] = { NULL, "shrinking" };
    static const char *const grown[] = { "", "fc" };
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options);
    const char *models[1];
    char path[3][1200];

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(make_shortlist(in_dir(path[0], "m"), in_dir(path[1], "short")), DGM_OK);
    models[0] = in_dir(path[2], "large");
    options.shortlist = path[1];
    for (size_t i = 0; i < 8; i++) {
        CHECK_STATUS(grow_model("m", "large", grown[i % 2]), DGM_OK);
        options.compute_type = types[i / 2 % 2];
        options.beam_rule = rules[i / 4];
        check_translator(&options, models, 1, 1);
        CHECK(!test_has_failed());
    }
}

TEST(lost_scores_end_a_rescoring)
{
    dgm_rescorer_options options = DGM_OPTIONS(dgm_rescorer_options);
    const char *models[2];
    char path[2][1200];

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(grow_model("m", "large", ""), DGM_OK);
    models[0] = in_dir(path[0], "m");
    models[1] = in_dir(path[1], "large");
    for (size_t i = 0; i < 2; i++) {
        dgm_rescorer *rescorer;
        dgm_context *context;
        size_t pairs;

        options.models = models + i;
        options.model_count = 2 - i;
        CHECK_STATUS(new_context(&context, 1), DGM_OK);
        CHECK_STATUS(dgm_rescorer_new(context, &options, &rescorer), DGM_OK);
        CHECK_STATUS(dgm_rescorer_add(rescorer, "", 0, "", 0), DGM_OK);
        CHECK_STATUS(dgm_rescorer_add(rescorer, "w1 w2", 5, "v1", 2), DGM_OK);
        check_said(context, dgm_rescorer_run(rescorer, &pairs),
                   "line 2: no finite score for its translation: weights");
        dgm_rescorer_free(rescorer);
        dgm_context_free(context);
    }
}

static dgm_status keep_nothing(void *user, const char *text, size_t bytes)
{
    (void)user;
    (void)text;
    (void)bytes;
    return DGM_OK;
}

/* One by two models, or alone. */
static void check_annotator(const char *const *models, size_t count, const char *input,
                            const char *text, const char *words)
{
    dgm_annotator_options options = DGM_OPTIONS(dgm_annotator_options);
    dgm_annotator *annotator;
    dgm_context *context;

    options.models = models;
    options.model_count = count;
    options.input = input;
    CHECK_STATUS(new_context(&context, 1), DGM_OK);
    CHECK_STATUS(dgm_annotator_new(context, &options, &annotator), DGM_OK);
    check_said(context, dgm_annotator_file(annotator, text, keep_nothing, NULL), words);
    dgm_annotator_free(annotator);
    dgm_context_free(context);
}

TEST(lost_scores_end_a_parse)
{
    static const struct {
        const char *grown, *input, *said;
    } cases[] = {
        { "", "tokens", "line 3: no finite score for the tag of word 1: weights" },
        { ".tag.", "tokens", "line 3: no finite score for the tag of word 1: weights" },
        { ".arc.", "tokens", "line 3: no finite score for the head of word 1: weights" },
        { ".label.", "tokens", "line 3: no finite score for the relation of word 1: weights" },
        { ".cutter.", "raw", "line 3: no finite score for a token's end at character 1: weights" },
    };
    const char *models[2];
    char path[3][1200];
    FILE *file;

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train_parser("p"), DGM_OK);
    models[0] = in_dir(path[0], "p");
    models[1] = in_dir(path[1], "large");
    file = fopen(in_dir(path[2], "text"), "w");
    CHECK(file != NULL && fputs("\n\nw1 w2\n", file) >= 0 && fclose(file) == 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STATUS(grow_model("p", "large", cases[i].grown), DGM_OK);
        check_annotator(models + 1, 1, cases[i].input, path[2], cases[i].said);
        if (i < 4)
            check_annotator(models, 2, cases[i].input, path[2], cases[i].said);
        CHECK(!test_has_failed());
    }
}

/* The attention head of a translation model that is a parser. */
TEST(lost_scores_end_a_parse_by_attention)
{
    static const char *const lisa[] = { "syntax", "lisa", NULL };
    const char *models[1];
    char path[2][1200];
    FILE *file;

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", lisa, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(grow_model("m", "large", ""), DGM_OK);
    models[0] = in_dir(path[0], "large");
    file = fopen(in_dir(path[1], "text"), "w");
    CHECK(file != NULL && fputs("\nw1 w2\n", file) >= 0 && fclose(file) == 0);
    check_annotator(models, 1, "tokens", path[1],
                    "line 2: no finite score for the head of word 1: weights");
}

/* The parser inside a translation model: its lines are those of the translator. */
TEST(lost_scores_end_a_parse_before_a_translation)
{
    dgm_translator_options options = DGM_OPTIONS(dgm_translator_options);
    char path[2][1200];
    const char *inside[] = { "parser", path[0], "syntax", "depth", NULL }, *models[1];
    dgm_translator *translator;
    dgm_context *context;
    size_t lines;

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train_parser("p"), DGM_OK);
    in_dir(path[0], "p");
    CHECK_STATUS(train("m", inside, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(grow_model("m", "large", "parser.arc."), DGM_OK);
    models[0] = in_dir(path[1], "large");
    options.models = models;
    options.model_count = 1;
    CHECK_STATUS(new_context(&context, 1), DGM_OK);
    CHECK_STATUS(dgm_translator_new(context, &options, &translator), DGM_OK);
    CHECK_STATUS(add_line(translator, ""), DGM_OK);
    CHECK_STATUS(add_line(translator, "w1 w2 w3"), DGM_OK);
    check_said(context, dgm_translator_run(translator, &lines),
               "line 2: no finite score for the head of word 1: weights");
    dgm_translator_free(translator);
    dgm_context_free(context);
}

/* ---- what would be lost in a file ------------------------------------------------------------ */

TEST(lost_weights_of_either_sign_are_not_quantised)
{
    dgm_context *context;
    char path[2][1200];

    if (is_double())
        TEST_SKIP("models hold floats");
    CHECK(write_corpus());
    CHECK_STATUS(train("m", NULL, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(new_context(&context, 1), DGM_OK);
    for (int sign = -1; sign <= 1; sign += 2) {
        CHECK_STATUS(grow_signed("m", "large", "", sign), DGM_OK);
        check_said(context,
                   dgm_quantize(context, in_dir(path[0], "large"), "f16", in_dir(path[1], "few")),
                   "f16 ends at 65504");
    }
    dgm_context_free(context);
}
