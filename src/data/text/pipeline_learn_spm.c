/*
 * pipeline_learn_spm.c: SentencePiece models from training texts, which are read once for each.
 */
#include "data/text/pipeline_learn_spm.h"

#include "base/file/file.h"
#include "text/spm_learn/learn.h"

enum { ENTRIES = 8000, BESIDE = DGM_VOCAB_SPECIALS - 3 }; /* a model has 3 pieces that are none */
enum { SHARE_OF_CHARACTERS = 10 }; /* of so many pieces one may be a rare character */

/* Texts are read here, and again when they are encoded. */
static dgm_status check_files(struct dgm_env *env, const struct dgm_text_list *texts)
{
    for (size_t i = 0; i < texts->count; i++)
        for (int side = DGM_SOURCE; side <= DGM_TARGET; side++)
            if (texts->items[i].path[side] != NULL &&
                dgm_file_is_stream(env, texts->items[i].path[side]))
                return dgm_fail(env, DGM_USAGE,
                                "%s can be read only once, and --vocab-type needs several passes; "
                                "expected a file",
                                texts->items[i].path[side]);
    return DGM_OK;
}

static dgm_status learn_pair(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                             const struct dgm_pairs_reader *pairs, struct dgm_spm_learner *learner)
{
    const int last = pipeline->joint ? DGM_TARGET : side;

    for (; side <= last; side++) {
        const struct dgm_buf *line = pairs->line[side];

        DGM_TRY(dgm_pipeline_clean(env, pipeline, side, line->data, line->size));
        DGM_TRY(dgm_spm_learner_line(env, learner, pipeline->clean.data, pipeline->clean.size));
    }
    return DGM_OK;
}

static dgm_status learn_text(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                             const struct dgm_text *text, struct dgm_line_sample *sample,
                             enum dgm_bad_line on_bad, struct dgm_spm_learner *learner)
{
    struct dgm_pairs_reader pairs;
    dgm_status status;
    int more;

    DGM_TRY_OUT(dgm_pairs_reader_open(env, &pairs, text, on_bad));
    for (;;) {
        DGM_TRY_OUT(dgm_pairs_reader_next(env, &pairs, &more));
        if (!more)
            break;
        if ((sample != NULL && !dgm_line_sample_take(sample)) || pairs.is_bad)
            continue;
        DGM_TRY_OUT(learn_pair(env, pipeline, side, &pairs, learner));
    }
out:
    dgm_pairs_reader_close(env, &pairs);
    return status;
}

static dgm_status choose(struct dgm_env *env, struct dgm_spm_learn_options *chosen,
                         const struct dgm_pipeline_learn_options *options)
{
    size_t entries = options->vocab_size > 0 ? options->vocab_size : ENTRIES;

    dgm_spm_learn_defaults(chosen);
    DGM_TRY(dgm_spm_learn_choose(env, chosen, options->spm_kind, "nmt_nfkc"));
    if (chosen->kind == DGM_SPM_CHAR && options->vocab_size == 0)
        entries = DGM_SPM_PIECE_LIMIT;
    chosen->may_be_fewer = chosen->kind == DGM_SPM_CHAR || options->vocab_size == 0;
    chosen->pieces = entries > BESIDE ? entries - BESIDE : 0;
    /* The library's share leaves out most digits, and O and U with their dots, of 20,000 German
     * lines. Of a script of thousands it still leaves out rare signs. */
    chosen->few = (chosen->pieces < ENTRIES ? chosen->pieces : ENTRIES) / SHARE_OF_CHARACTERS;
    return DGM_OK;
}

dgm_status dgm_pipeline_learn_spm(struct dgm_env *env, struct dgm_pipeline *pipeline, int side,
                                  const struct dgm_text_list *texts,
                                  const struct dgm_pipeline_learn_options *options,
                                  struct dgm_buf *out)
{
    struct dgm_spm_learn_options chosen;
    struct dgm_spm_learner learner = { 0 };
    struct dgm_line_sample sample;
    dgm_status status;

    DGM_TRY_OUT(check_files(env, texts));
    DGM_TRY_OUT(choose(env, &chosen, options));
    DGM_TRY_OUT(dgm_spm_learner_init(env, &learner, &chosen));
    DGM_TRY_OUT(dgm_pipeline_learn_sample(env, &sample, texts, options->lines));
    for (size_t i = 0; i < texts->count; i++)
        DGM_TRY_OUT(learn_text(env, pipeline, side, &texts->items[i],
                               options->lines > 0 ? &sample : NULL, options->on_bad, &learner));
    status = dgm_spm_learner_finish(env, &learner, out);
out:
    dgm_spm_learner_clear(env, &learner);
    return status;
}
