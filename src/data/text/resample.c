/*
 * resample.c: pieces of a sentence, drawn from the text that its best pieces spell.
 */
#include "data/text/resample.h"

#include <string.h>

/* "RSM0" and "RSM1": keep these draws from all others, and sides apart. */
#define STREAM 0x52534D30U

/* The side whose SentencePiece model cuts a side: one model may serve both, with one vocabulary or
 * with two; and two may share a vocabulary, as those of OPUS-MT do. */
static int cutter_of(const struct dgm_pipeline *pipeline, int side)
{
    return dgm_pipeline_spm(pipeline, side) == &pipeline->spm[side] ? side : DGM_SOURCE;
}

/* SentencePiece models of either side, which have to be of the kind that is asked for. */
static dgm_status init_spm(struct dgm_env *env, struct dgm_resample *resample,
                           const struct dgm_pipeline *pipeline, double alpha, double dropout)
{
    static const char *const names[] = { "the model of the source", "the model of the target" };

    for (int side = DGM_SOURCE; side <= cutter_of(pipeline, DGM_TARGET); side++) {
        const struct dgm_spm *spm = &pipeline->spm[side].spm;
        const int is_bpe = spm->kind == DGM_SPM_BPE;
        /* Both options together: each is for the side whose model is of its kind. */
        const int is_both = alpha >= 0.0 && dropout >= 0.0;

        DGM_TRY(dgm_spm_sampling_init(env, &resample->sampling[side], spm,
                                      is_both && is_bpe ? -1.0 : alpha,
                                      is_both && !is_bpe ? -1.0 : dropout, names[side]));
    }
    return DGM_OK;
}

dgm_status dgm_resample_init(struct dgm_env *env, struct dgm_resample *resample,
                             const struct dgm_pipeline *pipeline, double alpha, double dropout,
                             uint64_t seed, int32_t longest)
{
    memset(resample, 0, sizeof *resample);
    if (alpha < 0.0 && dropout < 0.0)
        return DGM_OK;
    if (alpha >= 0.0 && !pipeline->has_spm)
        return dgm_fail(env, DGM_USAGE,
                        "--spm-sampling without SentencePiece models; expected --spm, or "
                        "--vocab-type unigram");
    if (!pipeline->has_spm && !pipeline->has_bpe)
        return dgm_fail(env, DGM_USAGE, "--bpe-dropout where words are not cut; expected codes");
    resample->is_on = 1;
    resample->dropout = dropout;
    resample->seed = seed;
    resample->longest = longest;
    dgm_pipeline_beside(&resample->pipeline, pipeline);
    return pipeline->has_spm ? init_spm(env, resample, pipeline, alpha, dropout) : DGM_OK;
}

void dgm_resample_clear(struct dgm_env *env, struct dgm_resample *resample)
{
    if (resample->is_on)
        dgm_pipeline_clear_beside(env, &resample->pipeline);
    dgm_spm_sampling_clear(env, &resample->sampling[DGM_SOURCE]);
    dgm_spm_sampling_clear(env, &resample->sampling[DGM_TARGET]);
    dgm_encoded_clear(env, &resample->drawn);
    dgm_buf_clear(env, &resample->word);
    memset(resample, 0, sizeof *resample);
}

/* ---- SentencePiece -------------------------------------------------------------------------- */

/* The piece of an entry, if it spells text; -1: it stays as it is. */
static int32_t piece_of(const struct dgm_spm_text *text, int32_t id)
{
    const int32_t piece = (size_t)id < text->count ? text->pieces[id] : -1;
    enum dgm_spm_type type;

    if (piece < 0)
        return -1;
    type = dgm_spm_type(&text->spm, piece);
    return type == DGM_SPM_NORMAL || type == DGM_SPM_USER_DEFINED ? piece : -1;
}

/* Draws the pieces of the text so far, and empties it. */
static dgm_status flush(struct dgm_env *env, struct dgm_resample *resample,
                        const struct dgm_spm_text *text)
{
    struct dgm_spm_line *line = &resample->pipeline.line;
    struct dgm_encoded *out = &resample->drawn;

    if (line->text.size == 0)
        return DGM_OK;
    DGM_TRY(dgm_spm_encode_again(env, &text->spm, line));
    for (size_t i = 0; i < line->count; i++)
        DGM_TRY(dgm_encoded_push(env, out, text->entries[line->pieces[i].id], out->n_words++));
    dgm_buf_reset(&line->text);
    return DGM_OK;
}

static dgm_status draw_spm(struct dgm_env *env, struct dgm_resample *resample, int side,
                           const int32_t *ids, const int32_t *words, int32_t n)
{
    const struct dgm_spm_text *text = dgm_pipeline_spm(&resample->pipeline, side);
    struct dgm_buf *so_far = &resample->pipeline.line.text;
    struct dgm_encoded *out = &resample->drawn;

    dgm_buf_reset(so_far);
    for (int32_t i = 0; i < n; i++) {
        const int32_t piece = piece_of(text, ids[i]);
        size_t bytes;
        const char *spelled;

        if (piece >= 0 && words[i] >= 0) {
            spelled = dgm_spm_piece(&text->spm, piece, &bytes);
            DGM_TRY(dgm_buf_add(env, so_far, spelled, bytes));
            continue;
        }
        DGM_TRY(flush(env, resample, text));
        DGM_TRY(dgm_encoded_push(env, out, ids[i], words[i] >= 0 ? out->n_words++ : -1));
    }
    return flush(env, resample, text);
}

/* ---- codes ---------------------------------------------------------------------------------- */

/* What pieces first..last spell together, in resample->word. *known 0: one of them is unknown. */
static dgm_status join_word(struct dgm_env *env, struct dgm_resample *resample,
                            const struct dgm_vocab *vocab, const int32_t *ids, int32_t first,
                            int32_t last, int *known)
{
    const size_t mark = strlen(resample->pipeline.bpe.separator);

    dgm_buf_reset(&resample->word);
    *known = 1;
    for (int32_t i = first; i < last; i++) {
        size_t bytes;
        const char *token = dgm_vocab_token(vocab, (uint32_t)ids[i], &bytes);

        *known &= ids[i] >= DGM_VOCAB_SPECIALS && (i + 1 == last || bytes > mark);
        if (*known)
            DGM_TRY(dgm_buf_add(env, &resample->word, token, i + 1 < last ? bytes - mark : bytes));
    }
    return DGM_OK;
}

/* Pushes a word's pieces as dropout cuts it. *known 0: the vocabulary lacks one of them. */
static dgm_status push_word(struct dgm_env *env, struct dgm_resample *resample,
                            const struct dgm_vocab *vocab, int32_t word, int *known)
{
    struct dgm_pipeline *pipeline = &resample->pipeline;
    const struct dgm_buf *piece = &pipeline->piece;
    const char *text = resample->word.data;
    const uint32_t *ends;
    size_t count, start = 0;

    DGM_TRY(dgm_bpe_apply_word(env, &pipeline->bpe, &ends, &count, text, resample->word.size));
    for (size_t i = 0; i < count && *known; i++) {
        int32_t id;

        DGM_TRY(dgm_pipeline_spell(env, pipeline, text + start, ends[i] - start, i + 1 == count));
        id = (int32_t)dgm_vocab_find(vocab, piece->data, piece->size);
        start = ends[i];
        *known = id != DGM_VOCAB_UNK;
        DGM_TRY(dgm_encoded_push(env, &resample->drawn, id, word));
    }
    return DGM_OK;
}

static dgm_status draw_word(struct dgm_env *env, struct dgm_resample *resample,
                            const struct dgm_vocab *vocab, const int32_t *ids, int32_t first,
                            int32_t last, int32_t word)
{
    struct dgm_encoded *out = &resample->drawn;
    const int32_t before = out->n;
    int known = word >= 0;

    if (known)
        DGM_TRY(join_word(env, resample, vocab, ids, first, last, &known));
    if (known)
        DGM_TRY(push_word(env, resample, vocab, word, &known));
    if (known)
        return DGM_OK;
    out->n = before;
    for (int32_t i = first; i < last; i++)
        DGM_TRY(dgm_encoded_push(env, out, ids[i], word));
    return DGM_OK;
}

static dgm_status draw_codes(struct dgm_env *env, struct dgm_resample *resample, int side,
                             const int32_t *ids, const int32_t *words, int32_t n)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(&resample->pipeline, side);
    int32_t first = 0;

    while (first < n) {
        int32_t last = first + 1;

        while (last < n && words[first] >= 0 && words[last] == words[first])
            last++;
        DGM_TRY(draw_word(env, resample, vocab, ids, first, last, words[first]));
        first = last;
    }
    return DGM_OK;
}

/* ---- sentences ------------------------------------------------------------------------------ */

static dgm_status draw_side(struct dgm_env *env, struct dgm_resample *resample, int64_t epoch,
                            int side, int32_t number, struct dgm_packed *packed)
{
    const int32_t s = packed->count - 1, start = packed->offsets[s];
    const int32_t n = packed->offsets[s + 1] - start;
    const int32_t *ids = packed->ids + start, *words = packed->words + start;
    const int of = cutter_of(&resample->pipeline, side);
    struct dgm_encoded *out = &resample->drawn;

    out->n = out->n_words = 0;
    if (resample->pipeline.has_spm) {
        dgm_spm_line_sample(&resample->pipeline.line, &resample->sampling[of], resample->seed,
                            STREAM + (uint32_t)side, (uint32_t)epoch, (uint32_t)number);
        DGM_TRY(draw_spm(env, resample, side, ids, words, n));
    } else {
        /* One stream for both sides: that of dropout has none of its own. */
        dgm_bpe_set_dropout(&resample->pipeline.bpe, resample->dropout,
                            resample->seed ^ (uint64_t)side << 63, (uint32_t)epoch,
                            (uint32_t)number);
        DGM_TRY(draw_codes(env, resample, side, ids, words, n));
        out->n_words = packed->word_offsets[s + 1] - packed->word_offsets[s];
    }
    if (out->n > resample->longest)
        return DGM_OK;
    return dgm_packed_replace_last(env, packed, out->ids, out->words, out->n, out->n_words);
}

dgm_status dgm_resample_last(struct dgm_env *env, struct dgm_resample *resample, int64_t epoch,
                             struct dgm_batch *batch)
{
    const int32_t number = batch->numbers[batch->source.count - 1];

    DGM_TRY(draw_side(env, resample, epoch, DGM_SOURCE, number, &batch->source));
    return draw_side(env, resample, epoch, DGM_TARGET, number, &batch->target);
}
