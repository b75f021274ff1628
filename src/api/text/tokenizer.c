/* tokenizer.c: the public tokeniser. */
#include <string.h>

#include "api/context.h"
#include "api/text/line_file.h"
#include "api/line_result.h"
#include "api/program.h"
#include "base/mem.h"
#include "text/tokenize/detokenize.h"
#include "text/tokenize/language.h"
#include "text/tokenize/looks.h"
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
    unsigned steps;
    DGM_ENTER_NEW(context, tokenizer);
    env = &context->env;
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_tokenizer_options"));
    language = chosen.language != NULL ? chosen.language : "en";
    DGM_TRY(dgm_language_check(env, "language", language));
    DGM_TRY(dgm_normal_steps_read(env, "punctuation_steps",
                                  chosen.punctuation_steps != NULL ? chosen.punctuation_steps
                                                                   : "penn,commas,numbers",
                                  &steps));
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->context = context;
    made->normalize.steps = steps;
    strcpy(made->language, language);
    made->tokenize.language = made->language;
    made->tokenize.aggressive = chosen.aggressive;
    made->tokenize.escape = !chosen.no_escape;
    made->normalize.language = made->language;
    made->normalize.punctuation = chosen.punctuation;
    made->normalize.lower = chosen.lower;
    dgm_language_warn(env, language, DGM_CUTS_OF_UNIGRAM);
    *tokenizer = made;
    return DGM_OK;
}

void dgm_tokenizer_free(dgm_tokenizer *tokenizer)
{
    struct dgm_env *env;
    if (DGM_IS_HELD(tokenizer))
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
    DGM_TRY(dgm_line_result_begin(env, &tokenizer->result, &line, bytes, out, out_bytes));
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
    DGM_TRY(dgm_line_result_begin(env, &tokenizer->result, &line, bytes, out, out_bytes));
    DGM_TRY(dgm_detokenize_line(env, &tokenizer->result.out, line, bytes, tokenizer->language));
    dgm_line_result_end(&tokenizer->result, out, out_bytes);
    return DGM_OK;
}

/* ---- files -------------------------------------------------------------------------------- */

/* For each thread: a normalised line, and what its lines look like. */
struct hand {
    struct dgm_buf normal;
    struct dgm_looks looks;
};

struct crew {
    const struct dgm_tokenizer *tokenizer;
    struct hand *hands;
};

static dgm_status apply_by(struct dgm_env *env, void *tool, int worker, long number,
                           const char *line, size_t bytes, struct dgm_buf *out)
{
    const struct crew *crew = tool;
    struct hand *hand = &crew->hands[worker];

    (void)number;
    dgm_looks_add(&hand->looks, line, bytes);
    return apply_line(env, crew->tokenizer, &hand->normal, line, bytes, out);
}

static void tell_looks(struct dgm_env *env, const struct crew *crew, int threads)
{
    struct dgm_looks looks = { 0 };

    for (int i = 0; i < threads; i++)
        dgm_looks_add_all(&looks, &crew->hands[i].looks);
    dgm_looks_warn_of_pieces(env, &looks, "the text");
}

dgm_status dgm_tokenizer_apply_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct crew crew = { .tokenizer = tool };
    struct dgm_context *context;
    dgm_status status;
    int threads;

    DGM_ENTER_HANDLE(crew.tokenizer);
    context = crew.tokenizer->context;
    threads = dgm_context_threads(context);
    DGM_TRY(dgm_new(&context->env, &crew.hands, (size_t)threads, sizeof *crew.hands));
    status = dgm_line_file(context, path, apply_by, &crew, write, user, NULL);
    if (status == DGM_OK)
        tell_looks(&context->env, &crew, threads);
    for (int i = 0; i < threads; i++)
        dgm_buf_clear(&context->env, &crew.hands[i].normal);
    dgm_release(&context->env, crew.hands);
    return status;
}

static dgm_status undo_by(struct dgm_env *env, void *tool, int worker, long number,
                          const char *line, size_t bytes, struct dgm_buf *out)
{
    (void)worker;
    (void)number;
    return dgm_detokenize_line(env, out, line, bytes, ((struct dgm_tokenizer *)tool)->language);
}

dgm_status dgm_tokenizer_undo_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_tokenizer *tokenizer = tool;

    DGM_ENTER_HANDLE(tokenizer);
    return dgm_line_file(tokenizer->context, path, undo_by, tool, write, user, NULL);
}
