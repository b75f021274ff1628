/*
 * test_gguf_get.c: weights that are NaN or infinite: whoever reads a model says which tensor it is.
 */
#include <dragoman.h>

#include <math.h>

#include "base/le.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_contents.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "training_case.h"

static dgm_status new_context(dgm_context **context)
{
    dgm_context_options options;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.allocator = &test_env()->memory;
    options.threads = 1;
    return dgm_context_new(&options, context);
}

/* ---- poison ---------------------------------------------------------------------------------- */

/* One tensor, with `value` in the place of its number `at` where it is the one to poison. */
static dgm_status add_tensor(struct dgm_gguf_writer *writer, const struct dgm_gguf *file,
                             const struct dgm_gguf_tensor *tensor, unsigned char *bytes,
                             const char *name, size_t at, float value)
{
    memcpy(bytes, dgm_gguf_data(file, tensor), tensor->bytes);
    if (strcmp(tensor->name, name) == 0) {
        uint32_t bits;

        memcpy(&bits, &value, sizeof bits);
        dgm_le32_put(bytes + 4 * at, bits);
    }
    return dgm_gguf_add_raw(test_env(), writer, tensor->name, tensor->type, tensor->rank,
                            tensor->dims, bytes);
}

/* Writes a copy of a file with right checksums and one wrong number in an f32 tensor. */
static dgm_status write_copy(const struct dgm_gguf *file, const char *path, const char *name,
                             size_t at, float value)
{
    struct dgm_gguf_writer writer;
    unsigned char *bytes = dgm_alloc(test_env(), file->size, 1), *next = bytes;
    dgm_status status = bytes != NULL ? DGM_OK : DGM_MEMORY;

    memset(&writer, 0, sizeof writer);
    for (size_t i = 0; i < file->key_count && status == DGM_OK; i++)
        if (!dgm_gguf_is_checksum(file->keys[i].name))
            status = dgm_gguf_add_key(test_env(), &writer, file, &file->keys[i]);
    for (size_t i = 0; i < file->tensor_count && status == DGM_OK; i++) {
        status = add_tensor(&writer, file, &file->tensors[i], next, name, at, value);
        next += file->tensors[i].bytes;
    }
    if (status == DGM_OK)
        status = dgm_gguf_write(test_env(), &writer, path);
    dgm_gguf_writer_clear(test_env(), &writer);
    dgm_release(test_env(), bytes);
    return status;
}

static dgm_status poison(const char *from, const char *to, const char *name, size_t at, float value)
{
    struct dgm_gguf file;
    char paths[2][1200];
    dgm_status status;

    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, in_dir(paths[0], from));
    if (status == DGM_OK && dgm_gguf_find_tensor(&file, name) == NULL)
        status = dgm_fail(test_env(), DGM_FAILURE, "%s has no tensor %s", from, name);
    if (status == DGM_OK)
        status = write_copy(&file, in_dir(paths[1], to), name, at, value);
    dgm_gguf_clear(test_env(), &file);
    return status;
}

/* ---- readers --------------------------------------------------------------------------------- */

static dgm_status translate(dgm_context *context, const char *path)
{
    dgm_translator_options options;
    dgm_translator *translator = NULL;
    dgm_status status;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = &path;
    options.model_count = 1;
    status = dgm_translator_new(context, &options, &translator);
    dgm_translator_free(translator);
    return status;
}

static dgm_status rescore(dgm_context *context, const char *path)
{
    dgm_rescorer_options options;
    dgm_rescorer *rescorer = NULL;
    dgm_status status;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = &path;
    options.model_count = 1;
    status = dgm_rescorer_new(context, &options, &rescorer);
    dgm_rescorer_free(rescorer);
    return status;
}

static dgm_status annotate(dgm_context *context, const char *path)
{
    dgm_annotator_options options;
    dgm_annotator *annotator = NULL;
    dgm_status status;

    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.model = path;
    status = dgm_annotator_new(context, &options, &annotator);
    dgm_annotator_free(annotator);
    return status;
}

static dgm_status average(dgm_context *context, const char *path)
{
    char out[1200];

    return dgm_average(context, &path, 1, in_dir(out, "mean"));
}

static void check_reader(dgm_status (*read)(dgm_context *, const char *), const char *name,
                         const char *tensor, const char *what)
{
    dgm_context *context;
    char path[1200];
    const dgm_error *error;

    CHECK_STATUS(new_context(&context), DGM_OK);
    CHECK_STATUS(read(context, in_dir(path, name)), DGM_MODEL);
    error = dgm_context_error(context);
    CHECK_STR(error->file, path);
    if (strstr(error->message, tensor) == NULL)
        CHECK_STR(error->message, tensor);
    if (strstr(error->message, what) == NULL)
        CHECK_STR(error->message, what);
    dgm_context_free(context);
}

/* ---- tests ----------------------------------------------------------------------------------- */

#define EMBEDDING "encoder.embed_tokens.weight"
#define BIAS "decoder.layers.0.fc1.bias"

TEST(not_finite_weights_are_named_by_every_reader)
{
    static const char *const short_run[] = { "after", "2u", NULL };
    float infinity = (float)HUGE_VAL;
    size_t i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", short_run, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(poison("m", "nan", EMBEDDING, 17, infinity - infinity), DGM_OK);
    CHECK_STATUS(poison("m", "high", BIAS, 0, infinity), DGM_OK);
    CHECK_STATUS(poison("m", "low", BIAS, 23, -infinity), DGM_OK);
    for (i = 0; i < 3; i++) {
        dgm_status (*const readers[3])(dgm_context *, const char *) = { translate, rescore,
                                                                        average };

        check_reader(readers[i], "nan", "\"" EMBEDDING "\": value 18 of", "NaN");
        check_reader(readers[i], "high", "\"" BIAS "\": value 1 of 24", "infinite");
        check_reader(readers[i], "low", "\"" BIAS "\": value 24 of 24", "infinite");
    }
}

static dgm_status train_parser(const char *name)
{
    static const char *const names[] = { "train-sets",     "model",     "dim-emb",  "dim-piece",
                                         "dim-piece-lstm", "enc-depth", "dim-lstm", "dim-arc",
                                         "dim-label",      "dim-tag",   "after" };
    char trees[1200], model[1200];
    const char *values[] = { trees, model, "8", "8", "8", "1", "8", "8", "8", "8", "2u" };
    dgm_train_options options;
    dgm_context *context;
    dgm_status status;

    in_dir(trees, "toy.conllu");
    in_dir(model, name);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = sizeof names / sizeof names[0];
    DGM_TRY(new_context(&context));
    status = dgm_train_parser(context, &options);
    dgm_context_free(context);
    return status;
}

/* The name of a parameter of a file: the first whose name ends so. */
static dgm_status find_name(const char *path, const char *end, char name[256])
{
    struct dgm_gguf file;
    char full[1200];

    memset(&file, 0, sizeof file);
    name[0] = '\0';
    DGM_TRY(dgm_gguf_load(test_env(), &file, in_dir(full, path)));
    for (size_t i = 0; i < file.tensor_count && name[0] == '\0'; i++) {
        size_t length = strlen(file.tensors[i].name), tail = strlen(end);
        if (length >= tail && strcmp(file.tensors[i].name + length - tail, end) == 0)
            snprintf(name, 256, "%s", file.tensors[i].name);
    }
    dgm_gguf_clear(test_env(), &file);
    return DGM_OK;
}

TEST(not_finite_weights_of_a_parser_are_named)
{
    static const char *const with_parser[] = { "after",  "2u", "syntax", "deps-san",
                                               "parser", NULL, NULL };
    const char *extra[7];
    char parser[1200], name[256];

    CHECK(write_corpus());
    CHECK_STATUS(train_parser("p"), DGM_OK);
    CHECK_STATUS(find_name("p", ".weight", name), DGM_OK);
    CHECK_STATUS(poison("p", "bad", name, 3, (float)HUGE_VAL), DGM_OK);
    check_reader(annotate, "bad", name, "value 4 of");
    memcpy(extra, with_parser, sizeof extra);
    extra[5] = in_dir(parser, "p");
    CHECK_STATUS(train("both", extra, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(poison("both", "inside", name, 3, (float)HUGE_VAL), DGM_OK);
    check_reader(annotate, "inside", name, "value 4 of");
    check_reader(translate, "inside", name, "value 4 of");
}

/* A weight, and a moment of the optimizer. */
TEST(not_finite_checkpoints_are_refused_by_a_resume)
{
    static const char *const half[] = { "after", "2u", "save-freq", "2u", NULL };
    static const char *const whole[] = { "after", "4u", "save-freq", "2u", NULL };
    static const char *const names[2] = { EMBEDDING, "state.adam.m" };
    char found[256];
    size_t i;

    CHECK(write_corpus());
    CHECK_STATUS(train("m", half, 1, 0, NULL), DGM_OK);
    for (i = 0; i < 2; i++) {
        char kept[64];

        snprintf(kept, sizeof kept, "kept-%d", (int)i);
        CHECK_STATUS(find_name("m.ckpt/update-00000002.gguf", names[i], found), DGM_OK);
        CHECK_STR(found, names[i]);
        CHECK_STATUS(poison("m.ckpt/update-00000002.gguf", kept, names[i], 1, (float)HUGE_VAL),
                     DGM_OK);
    }
    for (i = 0; i < 2; i++) {
        char kept[2][1200], name[64];

        snprintf(name, sizeof name, "kept-%d", (int)i);
        CHECK(rename(in_dir(kept[0], name), in_dir(kept[1], "m.ckpt/update-00000002.gguf")) == 0);
        CHECK_STATUS(train("m", whole, 1, 0, NULL), DGM_MODEL);
        CHECK(strstr(test_env()->error.message, names[i]) != NULL);
        CHECK(strstr(test_env()->error.message, "infinite") != NULL);
        dgm_env_clear_error(test_env());
    }
}

/* Its root would be NaN with the next update, and the weight after it. */
TEST(not_finite_roots_of_moments_are_refused_by_a_resume)
{
    static const char *const half[] = { "after", "2u", "save-freq", "2u", NULL };
    static const char *const whole[] = { "after", "4u", "save-freq", "2u", NULL };
    char kept[2][1200];

    CHECK(write_corpus());
    CHECK_STATUS(train("m", half, 1, 0, NULL), DGM_OK);
    CHECK_STATUS(poison("m.ckpt/update-00000002.gguf", "kept", "state.adam.v", 5, -1e-9f), DGM_OK);
    CHECK(rename(in_dir(kept[0], "kept"), in_dir(kept[1], "m.ckpt/update-00000002.gguf")) == 0);
    CHECK_STATUS(train("m", whole, 1, 0, NULL), DGM_MODEL);
    CHECK_STR(test_env()->error.message,
              "tensor \"state.adam.v\" has an element, number 5, that is "
              "negative or no number");
    dgm_env_clear_error(test_env());
}
