/* tokenizer.c: the public tokeniser. */
#include <string.h>

#include "api/context.h"
#include "api/line_result.h"
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
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, tokenizer, "tokenizer"));
    *tokenizer = NULL;
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

dgm_status dgm_tokenizer_apply(dgm_tokenizer *tokenizer, const char *line, size_t bytes,
                               const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(tokenizer);
    env = &tokenizer->context->env;
    DGM_TRY(dgm_line_result_begin(env, &tokenizer->result, line, bytes, out, out_bytes));
    if (tokenizer->normalize.punctuation || tokenizer->normalize.lower) {
        dgm_buf_reset(&tokenizer->normal);
        DGM_TRY(dgm_normalize_line(env, &tokenizer->normal, line, bytes, &tokenizer->normalize));
        line = tokenizer->normal.data;
        bytes = tokenizer->normal.size;
    }
    DGM_TRY(dgm_tokenize_line(env, &tokenizer->result.out, line, bytes, &tokenizer->tokenize));
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
