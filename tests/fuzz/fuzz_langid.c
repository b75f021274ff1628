/*
 * fuzz_langid.c: any bytes as a model of languages, and as text that one of a few n-grams is asked
 * about. What is accepted comes back alike; probabilities are such.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/file/langid_file.h"
#include "tensor/gguf/gguf_load.h"
#include "text/langid/langid_learn.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int holds)
{
    if (!holds)
        abort();
}

static void judge(struct dgm_env *env, const struct dgm_langid_model *model, const char *text,
                  size_t bytes)
{
    int32_t *sums = dgm_alloc(env, model->language_count, sizeof *sums);
    double *probabilities = dgm_alloc(env, model->language_count, sizeof *probabilities), all = 0;
    struct dgm_langid_letters letters;

    require(sums != NULL && probabilities != NULL);
    letters = dgm_langid_judge(model, probabilities, sums, text, bytes);
    require(letters.known >= 0 && letters.known <= letters.all);
    for (size_t l = 0; l < model->language_count; l++) {
        require(probabilities[l] >= 0 && probabilities[l] <= 1);
        all += probabilities[l];
    }
    require(all <= 1 + 1e-9);
    dgm_release(env, sums);
    dgm_release(env, probabilities);
}

static void read_model(struct dgm_env *env, const char *data, size_t size)
{
    struct dgm_langid_model model;
    struct dgm_gguf file;

    memset(&file, 0, sizeof file);
    if (dgm_gguf_parse(env, &file, data, size, "input") == DGM_OK &&
        dgm_langid_take(env, &model, &file) == DGM_OK) {
        judge(env, &model, data, size);
        judge(env, &model, "a text", 6);
        dgm_langid_model_clear(env, &model);
    } else {
        require(env->error.status == DGM_MODEL);
    }
    dgm_gguf_clear(env, &file);
    dgm_env_clear_error(env);
}

/* The text is one language of a model of two. */
static void read_text(struct dgm_env *env, const char *data, size_t size)
{
    static const char codes[2][DGM_LANGID_CODE] = { "en", "xx" };
    struct dgm_langid_learner learner = { .language_count = 2, .languages = codes };
    struct dgm_langid_model model;
    dgm_status status;

    require(dgm_langid_learner_add(env, &learner, 0, "a text of letters", 17) == DGM_OK);
    require(dgm_langid_learner_add(env, &learner, 1, data, size) == DGM_OK);
    status = dgm_langid_learner_make(env, &learner, 100, &model);
    require(status == DGM_OK || status == DGM_DATA);
    if (status == DGM_OK)
        judge(env, &model, data, size);
    dgm_langid_model_clear(env, &model);
    dgm_langid_learner_clear(env, &learner);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dgm_env env;

    dgm_env_init(&env);
    read_model(&env, (const char *)data, size);
    read_text(&env, (const char *)data, size);
    return 0;
}
