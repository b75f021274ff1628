/*
 * segmenter.c: the public side of applying and undoing byte pair encoding.
 *
 * With dropout, each line begins random numbers of its own, by the seed and its number: its pieces
 * depend on how many lines came before, but not on what they were.
 */
#include <string.h>

#include "api/context.h"
#include "api/line_result.h"
#include "base/mem.h"
#include "text/bpe/bpe.h"
#include "text/bpe/bpe_load.h"

struct dgm_segmenter {
    struct dgm_context *context;
    char separator[32];
    struct dgm_bpe bpe;
    int has_codes;
    double dropout;
    uint64_t seed;
    uint64_t lines; /* so far; with dropout, the number of a line decides its random numbers */
    struct dgm_line_result result;
};

static dgm_status load(struct dgm_env *env, struct dgm_segmenter *segmenter,
                       const dgm_segmenter_options *options)
{
    struct dgm_bpe *bpe = &segmenter->bpe;
    size_t i;
    if (options->codes == NULL)
        return DGM_OK;
    DGM_TRY(dgm_bpe_load(env, bpe, options->codes, options->merges > 0 ? options->merges : -1));
    bpe->separator = segmenter->separator;
    segmenter->has_codes = 1;
    if (options->vocabulary != NULL)
        DGM_TRY(dgm_bpe_load_vocabulary(env, bpe, options->vocabulary, options->threshold));
    for (i = 0; i < options->glossary_count; i++) {
        const char *word = options->glossaries[i];
        DGM_TRY(dgm_argument_check(env, word, "glossaries[i]"));
        DGM_TRY(dgm_bpe_add_glossary(env, bpe, word, strlen(word)));
    }
    return DGM_OK;
}

static dgm_status check(struct dgm_env *env, const dgm_segmenter_options *options)
{
    if (!(options->dropout >= 0.0 && options->dropout <= 1.0))
        return dgm_fail(env, DGM_USAGE, "dropout is outside 0..1");
    if (options->merges < 0)
        return dgm_fail(env, DGM_USAGE, "%ld merges; expected 0 or more", options->merges);
    if (options->separator != NULL &&
        (options->separator[0] == '\0' || strlen(options->separator) >= 32 ||
         strpbrk(options->separator, " \n") != NULL))
        return dgm_fail(env, DGM_USAGE,
                        "separator \"%.40s\"; expected 1..31 bytes without blank or LF",
                        options->separator);
    if (options->glossary_count > DGM_BPE_GLOSSARY_LIMIT)
        return dgm_fail(env, DGM_USAGE, "%zu glossary words; expected at most %d",
                        options->glossary_count, DGM_BPE_GLOSSARY_LIMIT);
    if (options->glossary_count > 0)
        return dgm_argument_check(env, options->glossaries, "glossaries");
    return DGM_OK;
}

dgm_status dgm_segmenter_new(dgm_context *context, const dgm_segmenter_options *options,
                             dgm_segmenter **segmenter)
{
    dgm_segmenter_options chosen;
    struct dgm_segmenter *made;
    struct dgm_env *env;
    dgm_status status;
    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(dgm_argument_check(env, segmenter, "segmenter"));
    *segmenter = NULL;
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_segmenter_options"));
    DGM_TRY(check(env, &chosen));
    made = dgm_alloc(env, 1, sizeof *made);
    if (made == NULL)
        return DGM_MEMORY;
    made->context = context;
    made->dropout = chosen.dropout;
    made->seed = chosen.seed;
    strcpy(made->separator, chosen.separator != NULL ? chosen.separator : "@@");
    status = load(env, made, &chosen);
    if (status != DGM_OK) {
        dgm_segmenter_free(made);
        return status;
    }
    *segmenter = made;
    return DGM_OK;
}

void dgm_segmenter_free(dgm_segmenter *segmenter)
{
    struct dgm_env *env;
    if (segmenter == NULL)
        return;
    env = &segmenter->context->env;
    dgm_bpe_clear(env, &segmenter->bpe);
    dgm_line_result_clear(env, &segmenter->result);
    dgm_release(env, segmenter);
}

dgm_status dgm_segmenter_apply(dgm_segmenter *segmenter, const char *line, size_t bytes,
                               const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(segmenter);
    env = &segmenter->context->env;
    DGM_TRY(dgm_line_result_begin(env, &segmenter->result, line, bytes, out, out_bytes));
    if (!segmenter->has_codes)
        return dgm_fail(env, DGM_USAGE, "this segmenter was made without codes; it can only undo");
    if (segmenter->dropout > 0.0)
        dgm_bpe_set_dropout(&segmenter->bpe, segmenter->dropout, segmenter->seed,
                            (uint32_t)(segmenter->lines >> 32), (uint32_t)segmenter->lines);
    segmenter->lines++;
    DGM_TRY(dgm_bpe_apply_line(env, &segmenter->bpe, &segmenter->result.out, line, bytes));
    dgm_line_result_end(&segmenter->result, out, out_bytes);
    return DGM_OK;
}

dgm_status dgm_segmenter_undo(dgm_segmenter *segmenter, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(segmenter);
    env = &segmenter->context->env;
    DGM_TRY(dgm_line_result_begin(env, &segmenter->result, line, bytes, out, out_bytes));
    DGM_TRY(dgm_bpe_undo(env, &segmenter->result.out, segmenter->separator, line, bytes));
    dgm_line_result_end(&segmenter->result, out, out_bytes);
    return DGM_OK;
}
