/*
 * piece_learner.c: files of text to a SentencePiece model.
 */

#include "api/context.h"
#include "api/program.h"
#include "base/lines/lines.h"
#include "text/bpe/line_sample.h"
#include "text/spm_learn/learn.h"

static dgm_status take_options(struct dgm_env *env, const struct dgm_pieces_learning *learning,
                               struct dgm_spm_learn_options *options)
{
    dgm_spm_learn_defaults(options);
    DGM_TRY(dgm_spm_learn_choose(env, options, learning->kind, learning->normal));
    options->pieces = (size_t)learning->pieces;
    options->seeds = (size_t)learning->seeds;
    options->longest_line = (size_t)learning->longest_line;
    options->coverage = learning->coverage;
    options->byte_fallback = learning->byte_fallback;
    options->symbols = learning->symbols;
    options->symbol_count = learning->symbol_count;
    return DGM_OK;
}

static dgm_status read_file(struct dgm_env *env, struct dgm_spm_learner *learner, const char *path,
                            struct dgm_line_sample *sample)
{
    struct dgm_lines lines;
    dgm_status status;
    int more;

    DGM_TRY(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        if (sample == NULL || dgm_line_sample_take(sample))
            DGM_TRY_OUT(dgm_spm_learner_line(env, learner, lines.line.data, lines.line.size));
    }
out:
    dgm_lines_close(env, &lines);
    return status;
}

dgm_status dgm_pieces_learn(dgm_context *context, const struct dgm_pieces_learning *learning,
                            const char *const *paths, size_t count, struct dgm_buf *out)
{
    struct dgm_spm_learn_options options;
    struct dgm_spm_learner learner = { 0 };
    struct dgm_line_sample sample;
    struct dgm_env *env;
    dgm_status status;

    DGM_ENTER(context);
    env = &context->env;
    DGM_TRY(take_options(env, learning, &options));
    DGM_TRY_OUT(dgm_spm_learner_init(env, &learner, &options));
    if (learning->lines > 0)
        DGM_TRY_OUT(dgm_line_sample_begin(env, &sample, learning->lines, paths, count));
    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(read_file(env, &learner, paths[i], learning->lines > 0 ? &sample : NULL));
    status = dgm_spm_learner_finish(env, &learner, out);
out:
    dgm_spm_learner_clear(env, &learner);
    return status;
}
