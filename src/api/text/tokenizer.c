/* tokenizer.c: the public tokeniser. */
#include <string.h>

#include "api/context.h"
#include "api/text/line_file.h"
#include "api/line_result.h"
#include "api/program.h"
#include "base/mem.h"
#include "text/tokenize/detokenize.h"
#include "text/tokenize/language.h"
#include "text/tokenize/normalize.h"
#include "text/tokenize/tokenize.h"

struct dgm_tokenizer {
    struct dgm_context *context;
    char language[DGM_LANGUAGE_SIZE];
    struct dgm_tokenize_options tokenize;
    struct dgm_normalize_options normalize;
    struct dgm_buf normal; /* the line, normalised */
    struct dgm_line_result result;
};

dgm_status dgm_tokenizer_new(dgm_context *context, const dgm_tokenizer_options *options,
                             dgm_tokenizer **tokenizer)
{
    dgm_tokenizer_options chosen;
    struct dgm_tokenizer *made;
    const char *language;
    struct dgm_env *env;
    DGM_ENTER_NEW(context, tokenizer);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, tokenizer, "tokenizer"));
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_tokenizer_options"));
    language = chosen.language != NULL ? chosen.language : "en";
    DGM_TRY(dgm_language_check(env, "language", language));
    made = dgm_alloc(env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    strcpy(made->language, language);
    made->tokenize.language = made->language;
    made->tokenize.aggressive = chosen.aggressive;
    made->tokenize.escape = !chosen.no_escape;
    made->normalize.language = made->language;
    made->normalize.punctuation = chosen.punctuation;
    made->normalize.lower = chosen.lower;
    dgm_language_warn(env, language);
    *tokenizer = made;
    return DGM_OK;
}

void dgm_tokenizer_free(dgm_tokenizer *tokenizer)
{
    struct dgm_env *env;
    if (tokenizer == NULL)
        return;
    env = &tokenizer->context->env;
    dgm_buf_clear(env, &tokenizer->normal);
    dgm_line_result_clear(env, &tokenizer->result);
    dgm_release(env, tokenizer);
}

/* normal: for the line, normalised. */
static dgm_status apply_line(struct dgm_env *env, const struct dgm_tokenizer *tokenizer,
                             struct dgm_buf *normal, const char *line, size_t bytes,
                             struct dgm_buf *out)
{
    if (tokenizer->normalize.punctuation || tokenizer->normalize.lower) {
        dgm_buf_reset(normal);
        DGM_TRY(dgm_normalize_line(env, normal, line, bytes, &tokenizer->normalize));
        line = normal->data;
        bytes = normal->size;
    }
    return dgm_tokenize_line(env, out, line, bytes, &tokenizer->tokenize);
}

dgm_status dgm_tokenizer_apply(dgm_tokenizer *tokenizer, const char *line, size_t bytes,
                               const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(tokenizer);
    env = &tokenizer->context->env;
    DGM_TRY(dgm_line_result_begin(env, &tokenizer->result, line, bytes, out, out_bytes));
    DGM_TRY(apply_line(env, tokenizer, &tokenizer->normal, line, bytes, &tokenizer->result.out));
    dgm_line_result_end(&tokenizer->result, out, out_bytes);
    return DGM_OK;
}

dgm_status dgm_tokenizer_undo(dgm_tokenizer *tokenizer, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(tokenizer);
    env = &tokenizer->context->env;
    DGM_TRY(dgm_line_result_begin(env, &tokenizer->result, line, bytes, out, out_bytes));
    DGM_TRY(dgm_detokenize_line(env, &tokenizer->result.out, line, bytes, tokenizer->language));
    dgm_line_result_end(&tokenizer->result, out, out_bytes);
    return DGM_OK;
}

/* ---- files -------------------------------------------------------------------------------- */

/* A tokeniser and, for each thread, a normalised line. */
struct crew {
    const struct dgm_tokenizer *tokenizer;
    struct dgm_buf *normal;
};

static dgm_status apply_by(struct dgm_env *env, void *tool, int worker, long number,
                           const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;

    (void)number;
    return apply_line(env, crew->tokenizer, &crew->normal[worker], line, bytes, out);
}

dgm_status dgm_tokenizer_apply_file(dgm_tokenizer *tokenizer, const char *path, dgm_write_fn write,
                                    void *user)
{
    struct dgm_line_tool tool = { .line = apply_by };
    struct crew crew = { tokenizer, NULL };
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER_HANDLE(tokenizer);
    env = &tokenizer->context->env;
    tool.tool = &crew;
    tool.workers = dgm_line_file_workers(tokenizer->context);
    crew.normal = dgm_alloc(env, (size_t)tool.workers, sizeof *crew.normal);
    if (crew.normal == NULL)
        return DGM_MEMORY;
    status = dgm_line_file(tokenizer->context, path, &tool, write, user, NULL);
    for (int i = 0; i < tool.workers; i++)
        dgm_buf_clear(env, &crew.normal[i]);
    dgm_release(env, crew.normal);
    return status;
}

static dgm_status undo_by(struct dgm_env *env, void *tool, int worker, long number,
                          const char *line, size_t bytes, struct dgm_buf *out)
{
    (void)worker;
    (void)number;
    return dgm_detokenize_line(env, out, line, bytes, ((struct dgm_tokenizer *)tool)->language);
}

dgm_status dgm_tokenizer_undo_file(dgm_tokenizer *tokenizer, const char *path, dgm_write_fn write,
                                   void *user)
{
    struct dgm_line_tool tool = { .line = undo_by, .tool = tokenizer };

    DGM_ENTER_HANDLE(tokenizer);
    tool.workers = dgm_line_file_workers(tokenizer->context);
    return dgm_line_file(tokenizer->context, path, &tool, write, user, NULL);
}
