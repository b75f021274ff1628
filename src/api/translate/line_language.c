/* line_language.c: lines, and the tags of their languages. */
#include "api/translate/line_language.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "model/file/langid_file.h"

/* A line is in a language whose probability is at least this, as `langid apply` has it. */
#define LEAST 0.5

/* The code of a tag, <de>, >>de<< or __de__, into `code`; anything else is a code already. */
static void read_code(char code[DGM_LANGID_CODE], const char *tag)
{
    const size_t front = strspn(tag, "<>_");

    snprintf(code, DGM_LANGID_CODE, "%.*s", (int)strcspn(tag + front, "<>_"), tag + front);
}

static dgm_status find_target(struct dgm_env *env, struct dgm_line_language *language,
                              const char *path, const char *target_tag)
{
    const struct dgm_pipeline *pipeline = language->pipeline;
    char code[DGM_LANGID_CODE], quoted[DGM_QUOTE_SIZE];

    language->target = -1;
    if (pipeline->has_target_tags && target_tag == NULL)
        return DGM_OK;
    read_code(code, pipeline->has_target_tags ? target_tag : pipeline->language[DGM_TARGET]);
    language->target = dgm_langid_find(&language->model, code);
    if (language->target >= 0)
        return DGM_OK;
    dgm_quote(quoted, sizeof quoted, code, strlen(code));
    return dgm_fail_at(env, DGM_USAGE, path, 0, 0,
                       "the model does not know \"%s\", the language of the translations; "
                       "expected one that was trained with it",
                       quoted);
}

/* Entries of the tags of the languages, where translations begin with tags: elsewhere a tag in
 * front of a source may be anything, such as the language that is wanted. */
static void find_tags(struct dgm_line_language *language)
{
    char tag[DGM_LANGID_CODE + 2];

    for (size_t l = 0; l < language->model.language_count; l++) {
        snprintf(tag, sizeof tag, "<%s>", language->model.languages[l]);
        language->tags[l] = language->pipeline->has_target_tags
                                ? dgm_pipeline_find_tag(language->pipeline, DGM_SOURCE, tag)
                                : 0;
    }
}

dgm_status dgm_line_language_open(struct dgm_env *env, struct dgm_line_language *language,
                                  const char *path, struct dgm_pipeline *pipeline,
                                  const char *target_tag)
{
    size_t count;

    if (path == NULL)
        return DGM_OK;
    language->pipeline = pipeline;
    language->tag = pipeline->tag;
    DGM_TRY(dgm_langid_read(env, &language->model, path));
    count = language->model.language_count;
    DGM_TRY(dgm_new(env, &language->sums, count, sizeof *language->sums));
    DGM_TRY(dgm_new(env, &language->tags, count, sizeof *language->tags));
    DGM_TRY(dgm_new(env, &language->probabilities, count, sizeof *language->probabilities));
    find_tags(language);
    return find_target(env, language, path, target_tag);
}

/* The number of the language of a line; -1: none is probable enough. */
static int find_language(struct dgm_line_language *language, const char *line, size_t bytes)
{
    const double *probabilities = language->probabilities;
    size_t best = 0;

    (void)dgm_langid_judge(&language->model, language->probabilities, language->sums, line, bytes);
    for (size_t l = 1; l < language->model.language_count; l++)
        best = probabilities[l] > probabilities[best] ? l : best;
    return probabilities[best] >= LEAST ? (int)best : -1;
}

void dgm_line_language_ask(struct dgm_line_language *language, const char *line, size_t bytes,
                           int *stays)
{
    size_t start;
    int32_t tag;
    int found;

    *stays = 0;
    if (language->pipeline == NULL)
        return;
    found = find_language(language, line, bytes);
    if (language->pipeline->has_target_tags)
        language->pipeline->tag =
            found >= 0 && language->tags[found] > 0 ? language->tags[found] : language->tag;
    /* A line with a tag asks for that. */
    *stays = found >= 0 && found == language->target &&
             dgm_pipeline_tag_at_head(language->pipeline, line, bytes, &start, &tag) == 0;
    language->stayed += *stays;
}

void dgm_line_language_clear(struct dgm_env *env, struct dgm_line_language *language)
{
    dgm_langid_model_clear(env, &language->model);
    dgm_release(env, language->probabilities);
    dgm_release(env, language->sums);
    dgm_release(env, language->tags);
    memset(language, 0, sizeof *language);
}
