/*
 * test_signature.c: one number for the bits of a fixed training and translation, the same whatever
 * the compiler, its options and the threads: one for each instruction set, whose order of additions
 * is its own (reliability.md, R24). tests/golden/signature holds them: a change of bits is seen,
 * and is one by intent or none.
 */
#include <inttypes.h>

#include "base/hash.h"
#include "base/lines/lines.h"
#include "kernel/kernel.h"
#include "tensor/gguf/gguf_get.h"
#include "tensor/gguf/gguf_load.h"
#include "training_case.h"

/* What is trained: relative positions and distances in the tree; recurrent along the sentence. */
static const char *const kinds[][13] = {
    { "syntax", "deps-san(rs_q=0.1)+shaw(k=4)", "transformer-heads", "2", "transformer-dim-ffn",
      "24", "attention-dropout", "0.1", "enc-depth", "1", "dec-depth", "1", NULL },
    { "encoder", "sequential", "decoder", "recurrent", "optimizer", "adadelta", "dim-rnn", "16",
      NULL },
};

enum { KINDS = sizeof kinds / sizeof kinds[0] };

static dgm_status train_kind(dgm_context *context, int kind, const char *model)
{
    static const char *const shared[] = {
        "tokenize",        "none", "bpe-merges", "5",    "dim-emb",    "16", "batch-tokens", "60",
        "after",           "12u",  "lr",         "0.01", "max-length", "30", "dropout",      "0.2",
        "label-smoothing", "0.1",  "clip-norm",  "1",    NULL
    };
    static char sets[2500], trees[1200];
    const char *names[40], *values[40];
    char path[2][1200];
    dgm_train_options options;
    size_t count = 0, i;

    snprintf(sets, sizeof sets, "%s %s", in_dir(path[0], "toy.src"), in_dir(path[1], "toy.trg"));
    names[count] = "train-sets", values[count++] = sets;
    names[count] = "model", values[count++] = model;
    names[count] = "train-trees", values[count++] = in_dir(trees, "toy.conllu");
    for (i = 0; shared[i] != NULL; i += 2)
        names[count] = shared[i], values[count++] = shared[i + 1];
    for (i = 0; kinds[kind][i] != NULL; i += 2)
        names[count] = kinds[kind][i], values[count++] = kinds[kind][i + 1];
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.names = names;
    options.values = values;
    options.count = count;
    return dgm_train(context, &options);
}

/* Names and values of all tensors. */
static dgm_status add_model(struct dgm_hash *hash, const char *model)
{
    struct dgm_gguf file;
    dgm_status status;
    size_t i;

    memset(&file, 0, sizeof file);
    status = dgm_gguf_load(test_env(), &file, model);
    for (i = 0; status == DGM_OK && i < file.tensor_count; i++) {
        dgm_hash_add(hash, file.tensors[i].name, strlen(file.tensors[i].name));
        dgm_hash_add(hash, dgm_gguf_data(&file, &file.tensors[i]), file.tensors[i].bytes);
    }
    dgm_gguf_clear(test_env(), &file);
    return status;
}

static void add_double(struct dgm_hash *hash, double value)
{
    unsigned char bytes[8];
    uint64_t bits;
    int i;

    memcpy(&bits, &value, sizeof bits);
    for (i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    dgm_hash_add(hash, bytes, sizeof bytes);
}

/* Translations of the training text, and their scores. */
static dgm_status add_translations(struct dgm_hash *hash, dgm_context *context, const char *model,
                                   const char *trees)
{
    dgm_translator_options options;
    dgm_translator *translator = NULL;
    const char *models[1], *text;
    struct dgm_lines lines;
    size_t count = 0, i, bytes;
    double score;
    int more = 1;
    char path[1200];
    dgm_status status;

    models[0] = model;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.models = models;
    options.model_count = 1;
    options.trees = trees;
    options.allow_empty = 1; /* what the models choose, and no copy of the source */
    memset(&lines, 0, sizeof lines);
    DGM_TRY_OUT(dgm_translator_new(context, &options, &translator));
    DGM_TRY_OUT(dgm_lines_open(test_env(), &lines, in_dir(path, "toy.src")));
    DGM_TRY_OUT(dgm_lines_next(test_env(), &lines, &more));
    while (more) {
        DGM_TRY_OUT(dgm_translator_add(translator, lines.line.data, lines.line.size));
        DGM_TRY_OUT(dgm_lines_next(test_env(), &lines, &more));
    }
    DGM_TRY_OUT(dgm_translator_run(translator, &count));
    for (i = 0; i < count; i++) {
        DGM_TRY_OUT(dgm_translator_result(translator, i, 0, &text, &bytes, &score, NULL));
        dgm_hash_add(hash, text, bytes);
        add_double(hash, score);
    }
out:
    if (lines.is_open)
        dgm_lines_close(test_env(), &lines);
    dgm_translator_free(translator);
    return status;
}

static dgm_status sign(uint64_t *signature, const char *isa, int threads)
{
    dgm_context_options options;
    dgm_context *context = NULL;
    struct dgm_hash hash;
    char model[1200], trees[1200], name[60];
    dgm_status status;
    int kind;

    dgm_hash_init(&hash, 0);
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.isa = isa;
    options.threads = threads;
    status = dgm_context_new(&options, &context);
    in_dir(trees, "toy.conllu");
    for (kind = 0; kind < KINDS && status == DGM_OK; kind++) {
        snprintf(name, sizeof name, "%s-%d-%d", isa, threads, kind);
        in_dir(model, name);
        status = train_kind(context, kind, model);
        if (status == DGM_OK)
            status = add_model(&hash, model);
        if (status == DGM_OK)
            status = add_translations(&hash, context, model, kind == 0 ? trees : NULL);
    }
    if (status != DGM_OK && context != NULL)
        printf("    %s: %s\n", isa, dgm_context_error(context)->message);
    dgm_context_free(context);
    *signature = dgm_hash_value(&hash);
    return status;
}

/* The 16 digits behind the name of an instruction set in tests/golden/signature. */
static void golden_signature(char digits[20], const char *isa)
{
    char path[4200], name[40], value[20];
    FILE *file;
    int found = 0;

    strcpy(digits, "(no line there)");
    snprintf(path, sizeof path, "%s/tests/golden/signature", test_source_dir());
    file = fopen(path, "r");
    while (file != NULL && !found && fscanf(file, "%39s %19s", name, value) == 2)
        if ((found = strcmp(name, isa) == 0))
            strcpy(digits, value);
    if (file != NULL)
        fclose(file);
}

static void check_signature(const char *isa)
{
    uint64_t one, three;
    char got[20], want[20];

    CHECK_STATUS(sign(&one, isa, 1), DGM_OK);
    CHECK_STATUS(sign(&three, isa, 3), DGM_OK);
    CHECK(one == three);
    snprintf(got, sizeof got, "%016" PRIx64, one);
    printf("%s %s\n", isa, got);
    golden_signature(want, isa);
    CHECK_STR(got, want);
}

TEST(signature_of_a_training_and_a_translation)
{
    size_t i;

    if (is_double())
        TEST_SKIP("it is one of floats");
    CHECK(write_corpus());
    for (i = 0; i < dgm_kernels_count(); i++)
        if (dgm_kernels_entry(i) != NULL)
            check_signature(dgm_kernels_name(i));
}
