/*
 * segmenter.c: the public side of applying and undoing byte pair encoding.
 *
 * With dropout, each line begins random numbers of its own, by the seed and its number: its pieces
 * depend on how many lines came before, but not on what they were.
 */
#include <string.h>

#include "api/context.h"
#include "api/text/line_file.h"
#include "api/line_result.h"
#include "api/program.h"
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
    DGM_TRY(dgm_bpe_load(env, bpe, options->codes,
                         options->merges > 0 || options->no_merges ? options->merges : -1));
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
    if (options->no_merges && options->merges > 0)
        return dgm_fail(env, DGM_USAGE,
                        "dgm_segmenter_options: no_merges and %ld merges; expected one of them",
                        options->merges);
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
    DGM_ENTER_NEW(context, segmenter);
    env = &context->env;
    DGM_TRY(dgm_options_take(env, &chosen, sizeof chosen, options, "dgm_segmenter_options"));
    DGM_TRY(check(env, &chosen));
    DGM_TRY(dgm_new(env, &made, 1, sizeof *made));
    made->context = context;
    made->dropout = chosen.dropout;
    made->seed = chosen.seed;
    strcpy(made->separator, chosen.separator != NULL ? chosen.separator : "@@");
    status = load(env, made, &chosen);
    if (status == DGM_OK)
        *segmenter = made;
    else
        dgm_segmenter_free(made);
    return status;
}

void dgm_segmenter_free(dgm_segmenter *segmenter)
{
    struct dgm_env *env;
    if (DGM_IS_HELD(segmenter))
        return;
    env = &segmenter->context->env;
    dgm_bpe_clear(env, &segmenter->bpe);
    dgm_line_result_clear(env, &segmenter->result);
    dgm_release(env, segmenter);
}

static dgm_status check_codes(struct dgm_env *env, const struct dgm_segmenter *segmenter)
{
    if (!segmenter->has_codes)
        return dgm_fail(env, DGM_USAGE, "this segmenter was made without codes; it can only undo");
    return DGM_OK;
}

/* Line `number`, from 0. */
static dgm_status apply_line(struct dgm_env *env, const struct dgm_segmenter *segmenter,
                             struct dgm_bpe *bpe, uint64_t number, const char *line, size_t bytes,
                             struct dgm_buf *out)
{
    if (segmenter->dropout > 0.0)
        dgm_bpe_set_dropout(bpe, segmenter->dropout, segmenter->seed, (uint32_t)(number >> 32),
                            (uint32_t)number);
    return dgm_bpe_apply_line(env, bpe, out, line, bytes);
}

dgm_status dgm_segmenter_apply(dgm_segmenter *segmenter, const char *line, size_t bytes,
                               const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(segmenter);
    env = &segmenter->context->env;
    DGM_TRY(dgm_line_result_begin(env, &segmenter->result, &line, bytes, out, out_bytes));
    DGM_TRY(check_codes(env, segmenter));
    DGM_TRY(apply_line(env, segmenter, &segmenter->bpe, segmenter->lines, line, bytes,
                       &segmenter->result.out));
    segmenter->lines++;
    dgm_line_result_end(&segmenter->result, out, out_bytes);
    return DGM_OK;
}

dgm_status dgm_segmenter_undo(dgm_segmenter *segmenter, const char *line, size_t bytes,
                              const char **out, size_t *out_bytes)
{
    struct dgm_env *env;
    DGM_ENTER_HANDLE(segmenter);
    env = &segmenter->context->env;
    DGM_TRY(dgm_line_result_begin(env, &segmenter->result, &line, bytes, out, out_bytes));
    DGM_TRY(dgm_bpe_undo(env, &segmenter->result.out, segmenter->separator, line, bytes));
    dgm_line_result_end(&segmenter->result, out, out_bytes);
    return DGM_OK;
}

/* ---- files -------------------------------------------------------------------------------- */

/* A segmenter and, for each thread but the caller's, its codes once more with another cache. */
struct crew {
    struct dgm_segmenter *segmenter;
    struct dgm_bpe *others;
};

static dgm_status apply_by(struct dgm_env *env, void *tool, int worker, long number,
                           const char *line, size_t bytes, struct dgm_buf *out)
{
    struct crew *crew = tool;
    struct dgm_segmenter *segmenter = crew->segmenter;

    return apply_line(env, segmenter, worker == 0 ? &segmenter->bpe : &crew->others[worker - 1],
                      segmenter->lines + (uint64_t)number - 1, line, bytes, out);
}

dgm_status dgm_segmenter_apply_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_segmenter *segmenter = tool;
    struct crew crew = { .segmenter = segmenter };
    struct dgm_env *env;
    dgm_status status;
    long lines = 0;
    int threads;

    DGM_ENTER_HANDLE(segmenter);
    env = &segmenter->context->env;
    DGM_TRY(check_codes(env, segmenter));
    threads = dgm_context_threads(segmenter->context);
    DGM_TRY(dgm_new(env, &crew.others, (size_t)threads, sizeof *crew.others));
    for (int i = 0; i < threads; i++)
        dgm_bpe_beside(&crew.others[i], &segmenter->bpe);
    status = dgm_line_file(segmenter->context, path, apply_by, &crew, write, user, &lines);
    segmenter->lines += (uint64_t)(lines > 0 ? lines : 0);
    for (int i = 0; i < threads; i++)
        dgm_bpe_clear_beside(env, &crew.others[i]);
    dgm_release(env, crew.others);
    return status;
}

static dgm_status undo_by(struct dgm_env *env, void *tool, int worker, long number,
                          const char *line, size_t bytes, struct dgm_buf *out)
{
    (void)worker;
    (void)number;
    return dgm_bpe_undo(env, out, ((struct dgm_segmenter *)tool)->separator, line, bytes);
}

dgm_status dgm_segmenter_undo_file(void *tool, const char *path, dgm_write_fn write, void *user)
{
    struct dgm_segmenter *segmenter = tool;

    DGM_ENTER_HANDLE(segmenter);
    return dgm_line_file(segmenter->context, path, undo_by, tool, write, user, NULL);
}
