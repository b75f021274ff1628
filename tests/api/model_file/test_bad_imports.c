/* test_bad_imports.c: folders of other programs' models, each with one fault, and what import says
 * of it. */
#include "api_case.h"

enum { MOST_FILES = 8 };

/* The files of each kind that stand in tests/cli/model/import. */
static const struct {
    const char *kind;
    const char *files[MOST_FILES];
} kinds[] = {
    { "hf-marian",
      { "config.json", "model.safetensors", "vocab.json", "source.spm", "target.spm", NULL } },
    { "hf-m2m100",
      { "config.json", "model.safetensors", "vocab.json", "special_tokens_map.json",
        "sentencepiece.bpe.model", NULL } },
    { "fairseq",
      { "config.json", "model.safetensors", "dict.source.txt", "dict.target.txt", NULL } },
    { "opennmt",
      { "config.json", "model.safetensors", "vocab.source.txt", "vocab.target.txt", NULL } },
    { "marian", { "model.npz", "vocab.yml", "source.spm", "target.spm", NULL } },
};

/* A text of a file that is replaced, once; or, where there is none, a byte of it. */
static const struct {
    const char *kind, *file, *old, *new;
    size_t at; /* of the byte whose bits are flipped, from the end */
    const char *message;
} faults[] = {
    /* what the configuration says, and the tables */
    { "hf-marian", "config.json", "\"vocab_size\": 70", "\"vocab_size\": 71", 0,
      "vocab_size is 71, but the embeddings have 70 rows" },
    { "hf-marian", "config.json", "\"decoder_vocab_size\": 70", "\"decoder_vocab_size\": 69", 0,
      "decoder_vocab_size is 69, but the embeddings have 70 rows" },
    { "hf-m2m100", "config.json", "\"vocab_size\": 76", "\"vocab_size\": 75", 0,
      "vocab_size is 75, but the embeddings have 76 rows" },
    { "hf-marian", "config.json", "\"eos_token_id\": 0", "\"eos_token_id\": 69", 0,
      "number 69 is to be </s>" },
    { "hf-marian", "config.json", "\"pad_token_id\": 69", "\"pad_token_id\": 70", 0,
      "decoder_start_token_id is 69" },
    { "hf-marian", "config.json", "\"decoder_start_token_id\": 69", "\"decoder_start_token_id\": 5",
      0, "decoder_start_token_id is 5" },
    { "hf-marian", "config.json", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
      0, "tie_word_embeddings is false beside shared" },
    { "hf-m2m100", "config.json", "\"tie_word_embeddings\": true", "\"tie_word_embeddings\": false",
      0, "tie_word_embeddings is \"false\"" },
    { "hf-marian", "config.json", "\"d_model\": 16,", "\"d_model\": 16, \"d_model\": 16,", 0,
      "\"d_model\" stands there twice" },
    /* vocabularies */
    { "hf-marian", "vocab.json", "\"e\": 3", "\"e\": 4", 0, "which another one has" },
    { "hf-marian", "vocab.json", "\"e\": 3", "\"e\": 70", 0,
      "71 tokens for embeddings of 70 rows" },
    { "hf-marian", "vocab.json", "\"e\": 3", "\"e\": 3, \"e\": 70", 0, "" },
    { "hf-marian", "vocab.json", "\"e\": 3", "\"t\": 3", 0, "are the same token" },
    { "hf-marian", "vocab.json", "\"e\": 3", "\"<s>\": 3, \"</s>\": 70", 0, "" },
    { "marian", "vocab.yml", "\"e\": 3", "\"e\": 4", 0, "which another one has" },
    { "marian", "vocab.yml", "\"e\": 3", "\"t\": 3", 0, "are the same token" },
    { "opennmt", "vocab.source.txt",
      "\xE2\x96\x81"
      "a\n",
      "<unk>\n", 0, "<unk>" },
    { "opennmt", "vocab.source.txt", "</s>\n", "", 0, "no token <s> or </s>" },
    { "fairseq", "dict.source.txt", "ing 1", "in 1", 0, "the same token as on line 2" },
    /* tensors without a place, missing ones, tied ones that differ */
    { "fairseq", "model.safetensors", "encoder.version", "encoder.versiom", 0,
      "tensor \"encoder.versiom\" (1) has no place in such a network" },
    { "hf-marian", "model.safetensors", "model.encoder.layers.0.fc1.bias",
      "model.encoder.layers.9.fc1.bias", 0,
      "tensor \"model.encoder.layers.0.fc1.bias\" is missing" },
    { "hf-marian", "model.safetensors", "final_logits_bias", "final_logits_bia5", 0,
      "tensor \"final_logits_bias\" is missing" },
    { "fairseq", "model.safetensors", "", NULL, 36952 - 5008 - 15936, "are to be one, and differ" },
    { "fairseq", "model.safetensors", "", NULL, 36952 - 5008 - 20476, "are to be one, and differ" },
    { "fairseq", "model.safetensors", "", NULL, 36952 - 5008 - 20484, "are to be one, and differ" },
    { "opennmt", "model.safetensors", "", NULL, 48236 - 5776 - 37916, "are to be one, and differ" },
    { "opennmt", "model.safetensors", "", NULL, 48236 - 5776 - 30719 + 80,
      "holds other positions than sinusoids" },
    { "fairseq", "model.safetensors", "\"shape\":[71,16]", "\"shape\":[16,71]", 0,
      "has the shape (16, 71); expected (71, 16)" },
    { "marian", "model.npz", "", NULL, 19850, "has the checksum" },
};

enum { FAULTS = sizeof faults / sizeof faults[0], KINDS = sizeof kinds / sizeof kinds[0] };

static void replace(struct dgm_buf *bytes, const char *old, const char *new)
{
    const size_t length = strlen(old);
    struct dgm_buf out = { NULL, 0, 0, 0 };
    size_t at = 0;

    while (at + length <= bytes->size && memcmp(bytes->data + at, old, length) != 0)
        at++;
    CHECK(at + length <= bytes->size);
    CHECK_STATUS(dgm_buf_add(test_env(), &out, bytes->data, at), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &out, new, strlen(new)), DGM_OK);
    CHECK_STATUS(dgm_buf_add(test_env(), &out, bytes->data + at + length,
                             bytes->size - at - length),
                 DGM_OK);
    dgm_buf_clear(test_env(), bytes);
    *bytes = out;
}

/* A copy of a file in the scratch folder, with the fault where it is of this file. */
static void copy_file(const char *kind, const char *file, size_t fault)
{
    struct dgm_buf bytes = { NULL, 0, 0, 0 };
    struct dgm_writer writer;
    char path[512];

    snprintf(path, sizeof path, "%.300s/tests/cli/model/import/%s/%s", test_source_dir(), kind,
             file);
    CHECK_STATUS(dgm_file_read(test_env(), &bytes, path), DGM_OK);
    if (fault < FAULTS && strcmp(faults[fault].file, file) == 0) {
        if (faults[fault].new != NULL)
            replace(&bytes, faults[fault].old, faults[fault].new);
        else
            bytes.data[bytes.size - faults[fault].at] ^= 0x10;
    }
    path_to(path, file);
    CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
    CHECK_STATUS(dgm_writer_add(test_env(), &writer, bytes.data, bytes.size), DGM_OK);
    CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
    dgm_buf_clear(test_env(), &bytes);
}

static void copy_folder(const char *kind, size_t fault, int is_there)
{
    for (size_t i = 0; i < KINDS; i++)
        for (int j = 0; kinds[i].files[j] != NULL && strcmp(kinds[i].kind, kind) == 0; j++) {
            char path[512];

            if (is_there) {
                copy_file(kind, kinds[i].files[j], fault);
                continue;
            }
            path_to(path, kinds[i].files[j]);
            remove(path);
        }
}

/* The status of an import of the scratch folder. */
static dgm_status import(dgm_context *context)
{
    const dgm_import_options options = { .struct_size = sizeof options, .tokenize = "none" };
    char out[512];

    path_to(out, "out.gguf");
    remove(out);
    return dgm_import(context, test_dir(), &options, out, NULL, NULL);
}

TEST(bad_imports_good_folders_are_read)
{
    dgm_context *context = NULL;

    CHECK_STATUS(new_context(&context), DGM_OK);
    for (size_t i = 0; i < KINDS; i++) {
        copy_folder(kinds[i].kind, FAULTS, 1);
        CHECK_STATUS(import(context), DGM_OK);
        copy_folder(kinds[i].kind, FAULTS, 0);
    }
    dgm_context_free(context);
}

TEST(bad_imports_are_refused_each_by_its_fault)
{
    dgm_context *context = NULL;

    CHECK_STATUS(new_context(&context), DGM_OK);
    for (size_t i = 0; i < FAULTS; i++) {
        char got[600], want[600];
        dgm_status status;

        copy_folder(faults[i].kind, i, 1);
        status = import(context);
        snprintf(got, sizeof got, "row %zu: %s", i,
                 status == DGM_OK ? "imported" : dgm_context_error(context)->message);
        snprintf(want, sizeof want, "row %zu: %s", i, faults[i].message);
        dgm_context_clear(context);
        if (status == DGM_OK || strstr(got, faults[i].message) == NULL)
            CHECK_STR(got, want);
        CHECK(status == DGM_MODEL || status == DGM_DATA);
        copy_folder(faults[i].kind, i, 0);
    }
    dgm_context_free(context);
}

/* ---- the seeds of the fuzzer ----------------------------------------------------------------- */

/* Writes the files of a pack, each behind a line "@@@ NAME", into the scratch folder; or removes
 * them. */
static void unpack_seed(const struct dgm_buf *pack, int is_there)
{
    static const char mark[] = "@@@ ";
    const char *at = pack->data, *const end = pack->data + pack->size;

    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at)), *next = line;
        struct dgm_writer writer;
        char path[512], name[60];

        CHECK(line != NULL && memcmp(at, mark, 4) == 0);
        snprintf(name, sizeof name, "%.*s", (int)(line - at - 4), at + 4);
        path_to(path, name);
        do
            next = memchr(next + 1, '\n', (size_t)(end - next - 1));
        while (next != NULL && (end - next < 5 || memcmp(next + 1, mark, 4) != 0));
        next = next != NULL ? next : end;
        remove(path);
        if (is_there) {
            CHECK_STATUS(dgm_writer_open(test_env(), &writer, path), DGM_OK);
            CHECK_STATUS(dgm_writer_add(test_env(), &writer, line + 1, (size_t)(next - line - 1)),
                         DGM_OK);
            CHECK_STATUS(dgm_writer_close(test_env(), &writer), DGM_OK);
        }
        at = next + 1;
    }
}

/* What the fuzzer begins with are models, whose matrices are not square. */
TEST(bad_imports_seeds_of_the_fuzzer_are_models)
{
    dgm_context *context = NULL;

    CHECK_STATUS(new_context(&context), DGM_OK);
    for (size_t i = 0; i < KINDS; i++) {
        struct dgm_buf pack = { NULL, 0, 0, 0 };
        char path[512];

        snprintf(path, sizeof path, "%.300s/tests/fuzz/corpus/import/%s", test_source_dir(),
                 kinds[i].kind);
        CHECK_STATUS(dgm_file_read(test_env(), &pack, path), DGM_OK);
        unpack_seed(&pack, 1);
        CHECK_STATUS(import(context), DGM_OK);
        unpack_seed(&pack, 0);
        dgm_buf_clear(test_env(), &pack);
    }
    dgm_context_free(context);
}
