/* test_langid_file.c: a model of languages through a file, and files that are none, each refused by
 * what is wrong with it. */
#include "model/file/langid_file.h"

#include <string.h>

#include "base/le.h"
#include "tensor/gguf/gguf_load.h"
#include "tensor/gguf/gguf_write.h"
#include "test.h"

/* What a file says; as it stands here, it is good. */
struct sketch {
    const char *languages[3];
    size_t count;
    uint32_t version;
    double scale;
    uint32_t keys[3];
    size_t key_rows, weight_rows, columns;
    enum dgm_gguf_type keys_type, weights_type;
};

static const struct sketch good = { { "en", "de", "x" },  2,          1, 0.01,
                                    { 7, 9, 0xFFFFFFF0 }, 3,          3, 2,
                                    DGM_GGUF_I32,         DGM_GGUF_I8 };

static dgm_status write(struct dgm_buf *out, const struct sketch *sketch)
{
    static const unsigned char weights[64];
    const size_t dims[] = { sketch->weight_rows, sketch->columns };
    struct dgm_env *env = test_env();
    struct dgm_gguf_writer writer = { 0 };
    unsigned char keys[12];
    dgm_status status;

    for (int i = 0; i < 3; i++)
        dgm_le32_put(keys + 4 * i, sketch->keys[i]);
    DGM_TRY_OUT(dgm_gguf_add_u32(env, &writer, "dragoman.langid.version", sketch->version));
    DGM_TRY_OUT(dgm_gguf_add_f64(env, &writer, "dragoman.langid.scale", sketch->scale));
    DGM_TRY_OUT(dgm_gguf_begin_strings(env, &writer, "dragoman.langid.languages", sketch->count));
    for (size_t i = 0; i < sketch->count; i++)
        DGM_TRY_OUT(
            dgm_gguf_add_item(env, &writer, sketch->languages[i], strlen(sketch->languages[i])));
    DGM_TRY_OUT(dgm_gguf_add_raw(env, &writer, "langid.keys", sketch->keys_type, 1,
                                 &sketch->key_rows, keys));
    DGM_TRY_OUT(
        dgm_gguf_add_raw(env, &writer, "langid.weights", sketch->weights_type, 2, dims, weights));
    status = dgm_gguf_write_memory(env, &writer, out);
out:
    dgm_gguf_writer_clear(env, &writer);
    return status;
}

static dgm_status take(const struct sketch *sketch)
{
    struct dgm_env *env = test_env();
    struct dgm_langid_model model;
    struct dgm_buf bytes = { 0 };
    struct dgm_gguf file;
    dgm_status status;

    dgm_env_clear_error(env);
    memset(&file, 0, sizeof file);
    DGM_TRY_OUT(write(&bytes, sketch));
    DGM_TRY_OUT(dgm_gguf_parse(env, &file, bytes.data, bytes.size, "x.gguf"));
    DGM_TRY_OUT(dgm_langid_take(env, &model, &file));
    dgm_langid_model_clear(env, &model);
out:
    dgm_gguf_clear(env, &file);
    dgm_buf_clear(env, &bytes);
    return status;
}

static void check_refused(const struct sketch *sketch, const char *words)
{
    CHECK_STATUS(take(sketch), DGM_MODEL);
    if (strstr(test_env()->error.message, words) == NULL)
        CHECK_STR(test_env()->error.message, words);
}

#define REFUSED(change, words)         \
    do {                               \
        struct sketch sketch = good;   \
        sketch.change;                 \
        check_refused(&sketch, words); \
    } while (0)

TEST(langid_file_that_makes_no_sense_is_refused)
{
    CHECK_STATUS(take(&good), DGM_OK);
    REFUSED(version = 2, "version is not 1");
    REFUSED(scale = 0, "scale is no number");
    REFUSED(scale = 1e300, "scale is no number");
    REFUSED(scale = -1, "scale is no number");
    REFUSED(count = 1, "no list of 2 to 256");
    REFUSED(languages[1] = "en", "\"en\" twice");
    REFUSED(languages[1] = "und", "holds \"und\"");
    REFUSED(languages[1] = "", "holds \"\"");
    REFUSED(languages[0] = "a\tb", "holds \"a");
    REFUSED(languages[0] = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz",
            "expected codes");
    REFUSED(columns = 3, "langid.weights");
    REFUSED(weight_rows = 2, "3 and 2 rows");
    REFUSED(key_rows = 2, "2 and 3 rows");
    REFUSED(keys[1] = 7, "number 1 is not above");
    REFUSED(keys[2] = 1, "number 2 is not above");
    REFUSED(keys_type = DGM_GGUF_F32, "langid.keys");
    REFUSED(weights_type = DGM_GGUF_I16, "langid.weights");
    CHECK_INT(test_live_blocks(), 0);
}

static dgm_status fill(struct dgm_langid_model *model)
{
    DGM_TRY(dgm_langid_model_init(test_env(), model, 2, 3));
    strcpy(model->languages[0], "en");
    strcpy(model->languages[1], "zh-Hans");
    for (int i = 0; i < 3; i++)
        model->keys[i] = good.keys[i];
    for (int i = 0; i < 6; i++)
        model->weights[i] = (int8_t)(i % 2 > 0 ? 127 : -128);
    model->scale = 0.125;
    return dgm_langid_model_index(test_env(), model);
}

TEST(langid_file_gives_back_what_was_written)
{
    struct dgm_langid_model a, b;
    char path[600];

    strcpy(path, test_dir());
    strcat(path, "/l.gguf");
    CHECK_STATUS(fill(&a), DGM_OK);
    CHECK_STATUS(dgm_langid_write(test_env(), &a, path), DGM_OK);
    CHECK_STATUS(dgm_langid_read(test_env(), &b, path), DGM_OK);
    CHECK_INT(b.language_count, 2);
    CHECK_STR(b.languages[1], "zh-Hans");
    CHECK_INT(b.gram_count, 3);
    CHECK_MEM(b.keys, a.keys, 3 * sizeof *a.keys);
    CHECK_MEM(b.weights, a.weights, 6);
    CHECK_NEAR(b.scale, 0.125, 0);
    dgm_langid_model_clear(test_env(), &a);
    dgm_langid_model_clear(test_env(), &b);
}
