/* langid_learner.c: files of text in several languages to a model that tells them apart. */
#include <string.h>

#include "api/context.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "model/file/langid_file.h"
#include "model/file/model_output.h"
#include "text/langid/langid_learn.h"

enum { GRAMS = 65536 };

struct learning {
    char (*languages)[DGM_LANGID_CODE];
    size_t count;
    struct dgm_langid_learner learner;
};

/* The number of a language, which is a new one at its first text. */
static dgm_status number_of(struct dgm_env *env, struct learning *learning, const char *code,
                            int *number)
{
    char quoted[DGM_QUOTE_SIZE];

    dgm_quote(quoted, sizeof quoted, code, strlen(code));
    if (!dgm_langid_is_code(code, strlen(code)))
        return dgm_fail(env, DGM_USAGE,
                        "\"%s\" is no code of a language; expected letters, digits and hyphens, "
                        "at most %d, and not \"%s\"",
                        quoted, DGM_LANGID_CODE - 1, dgm_langid_unknown);
    for (*number = 0; (size_t)*number < learning->count; ++*number)
        if (strcmp(learning->languages[*number], code) == 0)
            return DGM_OK;
    if (learning->count == DGM_LANGID_LANGUAGES)
        return dgm_fail(env, DGM_USAGE, "more than %d languages", DGM_LANGID_LANGUAGES);
    strcpy(learning->languages[learning->count++], code);
    return DGM_OK;
}

static dgm_status read_text(struct dgm_env *env, struct learning *learning, int language,
                            const char *path)
{
    struct dgm_lines lines;
    dgm_status status;
    int more;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (lines.number % 4096 == 0)
            DGM_TRY_OUT(dgm_poll(env));
        dgm_lines_warn_cut(env, &lines);
        DGM_TRY_OUT(dgm_langid_learner_add(env, &learning->learner, language, lines.line.data,
                                           lines.line.size));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

static dgm_status read_texts(struct dgm_env *env, struct learning *learning,
                             const dgm_langid_text *texts, size_t count)
{
    int numbers[2] = { 0, 0 };

    for (size_t i = 0; i < count; i++)
        DGM_TRY(number_of(env, learning, texts[i].language, &numbers[0]));
    if (learning->count < 2)
        return dgm_fail(env, DGM_USAGE, "text in %zu language%s; expected at least 2",
                        learning->count, learning->count == 1 ? "" : "s");
    learning->learner.language_count = learning->count;
    learning->learner.languages = (const char(*)[DGM_LANGID_CODE])learning->languages;
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(number_of(env, learning, texts[i].language, &numbers[1]));
        DGM_TRY(read_text(env, learning, numbers[1], texts[i].path));
    }
    return DGM_OK;
}

static dgm_status check_texts(struct dgm_env *env, const dgm_langid_text *texts, size_t count)
{
    DGM_TRY(dgm_argument_check(env, texts, "texts"));
    for (size_t i = 0; i < count; i++) {
        DGM_TRY(dgm_argument_check(env, texts[i].language, "texts[i].language"));
        DGM_TRY(dgm_argument_check(env, texts[i].path, "texts[i].path"));
    }
    return DGM_OK;
}

static dgm_status find_output(struct dgm_env *env, struct dgm_output *output,
                              const dgm_langid_text *texts, size_t count, const char *out)
{
    const char **paths;
    dgm_status status;

    DGM_TRY(dgm_new(env, &paths, count, sizeof *paths));
    for (size_t i = 0; i < count; i++)
        paths[i] = texts[i].path;
    status = dgm_model_output_find(env, output, out, paths, count);
    dgm_release(env, paths);
    return status;
}

dgm_status dgm_langid_train(dgm_context *context, const dgm_langid_text *texts, size_t count,
                            size_t grams, const char *out)
{
    struct dgm_langid_model model = { 0 };
    struct learning learning = { 0 };
    struct dgm_output output;
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(check_texts(env, texts, count));
    DGM_TRY(dgm_argument_check(env, out, "out"));
    DGM_TRY(dgm_range_int(env, "grams", (int64_t)grams, 0, DGM_LANGID_GRAMS));
    DGM_TRY(find_output(env, &output, texts, count, out));
    DGM_TRY_OUT(
        dgm_new(env, &learning.languages, DGM_LANGID_LANGUAGES, sizeof *learning.languages));
    DGM_TRY_OUT(read_texts(env, &learning, texts, count));
    DGM_TRY_OUT(dgm_langid_learner_make(env, &learning.learner, grams > 0 ? grams : GRAMS, &model));
    dgm_log(env, DGM_LOG_NOTE, "langid: %zu languages, %zu n-grams", model.language_count,
            model.gram_count);
    status = dgm_langid_write(env, &model, output.path);
out:
    dgm_langid_learner_clear(env, &learning.learner);
    dgm_langid_model_clear(env, &model);
    dgm_release(env, learning.languages);
    return status;
}
