/*
 * shown_links.c: the strongest attention of each word of a translation, as links of words.
 */
#include "api/translate/shown_links.h"

#include <string.h>

#include "base/mem.h"
#include "model/guided.h"

dgm_status dgm_shown_links_open(struct dgm_env *env, struct dgm_shown_links *view,
                                const struct dgm_ensemble *ensemble, struct dgm_device *device)
{
    const struct dgm_net *net = ensemble->nets[0];

    if (ensemble->count > 1)
        return dgm_fail(env, DGM_USAGE, "alignment of %d models; expected one", ensemble->count);
    DGM_TRY(dgm_guided_check(env, net));
    if (!ensemble->models[0].has_links)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: nothing in the file says that the model has learned links (train "
                "--guided-alignment): those of attention that has not may be wrong",
                ensemble->names[0]);
    view->pipeline = &ensemble->models[0].pipeline;
    DGM_TRY(dgm_attention_reader_init(env, &view->reader, net, device));
    view->reader.watch.layers[DGM_ATTENTION_CROSS] = (uint64_t)1 << (dgm_guided_layer(net) - 1);
    return DGM_OK;
}

void dgm_shown_links_clear(struct dgm_env *env, struct dgm_shown_links *view)
{
    dgm_attention_reader_clear(env, &view->reader);
    dgm_link_words_clear(env, &view->words);
    dgm_buf_clear(env, &view->pieces);
    dgm_release(env, view->word_of[DGM_SOURCE]);
    dgm_release(env, view->word_of[DGM_TARGET]);
    dgm_release(env, view->weights);
    dgm_buf_clear(env, &view->text);
}

/* ---- words ----------------------------------------------------------------------------------- */

static dgm_status reserve_words(struct dgm_env *env, struct dgm_shown_links *view, int side,
                                int32_t n)
{
    return dgm_reserve(env, &view->word_of[side], &view->capacity[side], (size_t)n + 1,
                       sizeof *view->word_of[side]);
}

/* Positions whose pieces are those of view->pieces, one after the other, get their words between
 * blanks. */
static dgm_status find_spm_words(struct dgm_env *env, struct dgm_shown_links *view, int side,
                                 int32_t n)
{
    struct dgm_link_words *words = &view->words;
    int32_t *word_of = view->word_of[side], piece = 0, word = 0;

    DGM_TRY(dgm_link_words_of_pieces(env, words, &view->pieces));
    for (int32_t i = 0; i < n; i++) {
        if (word_of[i] < 0)
            continue;
        while (word < words->count && words->ends[2 * word + 1] <= piece)
            word++;
        word_of[i] = word < words->count && words->ends[2 * word] <= piece ? word : -1;
        piece++;
    }
    return DGM_OK;
}

/* The words of source s, with its text. */
static dgm_status find_source_words(struct dgm_env *env, struct dgm_shown_links *view,
                                    const struct dgm_source_queue *queue,
                                    const struct dgm_queued *line)
{
    const struct dgm_packed *source = &queue->packed;
    const int32_t start = source->offsets[line->sentence];
    const int32_t n = dgm_packed_length(source, line->sentence);

    DGM_TRY(reserve_words(env, view, DGM_SOURCE, n));
    memcpy(view->word_of[DGM_SOURCE], source->words + start, (size_t)n * sizeof(int32_t));
    if (!view->pipeline->has_spm)
        return DGM_OK;
    dgm_buf_reset(&view->pieces);
    DGM_TRY(dgm_buf_add(env, &view->pieces, queue->words.data + line->text, line->text_bytes));
    return find_spm_words(env, view, DGM_SOURCE, n);
}

/* The words of n tokens, and their pieces as text; has_first: the first is given, and no word. */
static dgm_status find_target_words(struct dgm_env *env, struct dgm_shown_links *view,
                                    const int32_t *tokens, int32_t n, int has_first)
{
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(view->pipeline, DGM_TARGET);
    int32_t word = 0;

    DGM_TRY(reserve_words(env, view, DGM_TARGET, n));
    dgm_buf_reset(&view->pieces);
    for (int32_t i = 0; i < n; i++) {
        size_t bytes;
        const char *piece = dgm_vocab_token(vocab, (uint32_t)tokens[i], &bytes);

        const int is_mark = tokens[i] == DGM_VOCAB_EOS || (i == 0 && has_first);

        view->word_of[DGM_TARGET][i] = is_mark ? -1 : word;
        if (is_mark)
            continue;
        word += dgm_pipeline_bare(view->pipeline, piece, bytes) == bytes;
        if (view->pieces.size > 0)
            DGM_TRY(dgm_buf_add_char(env, &view->pieces, ' '));
        DGM_TRY(dgm_buf_add(env, &view->pieces, piece, bytes));
    }
    return view->pipeline->has_spm ? find_spm_words(env, view, DGM_TARGET, n) : DGM_OK;
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Adds what rows first .. end-1 of the weights give to each word of the source, and to what is no
 * word, which is weights[words]. */
static void add_rows(struct dgm_shown_links *view, const struct dgm_attention_weights *weights,
                     int32_t first, int32_t end, int32_t words)
{
    memset(view->weights, 0, ((size_t)words + 1) * sizeof *view->weights);
    for (int64_t i = first; i < end; i++)
        for (int64_t j = 0; j < weights->columns; j++) {
            const int32_t word = view->word_of[DGM_SOURCE][j];

            view->weights[word >= 0 ? word : words] +=
                (double)weights->values[i * weights->ld + DGM_GUIDED_HEAD * weights->step + j];
        }
}

/* The word with the most weight, the first of equal ones; -1: what is no word has more. */
static int32_t strongest(const struct dgm_shown_links *view, int32_t words)
{
    int32_t best = 0;

    for (int32_t w = 1; w < words; w++)
        if (view->weights[w] > view->weights[best])
            best = w;
    return words > 0 && view->weights[best] >= view->weights[words] ? best : -1;
}

static int32_t count_words(const struct dgm_shown_links *view, int side, int32_t n)
{
    int32_t count = 0;

    for (int32_t i = 0; i < n; i++)
        if (view->word_of[side][i] >= count)
            count = view->word_of[side][i] + 1;
    return count;
}

static dgm_status add_links(struct dgm_env *env, struct dgm_shown_links *view,
                            const struct dgm_attention_weights *weights, int32_t words, int32_t n)
{
    const int32_t *word_of = view->word_of[DGM_TARGET];
    int32_t end;

    for (int32_t i = 0; i < n && i < weights->rows; i = end) {
        int32_t source;

        for (end = i + 1; end < n && end < weights->rows && word_of[end] == word_of[i];)
            end++;
        if (word_of[i] < 0)
            continue;
        add_rows(view, weights, i, end, words);
        source = strongest(view, words);
        if (source >= 0)
            DGM_TRY(dgm_buf_add_format(env, &view->text, "%s%d-%d", view->text.size > 0 ? " " : "",
                                       (int)(view->first[DGM_SOURCE] + source),
                                       (int)(view->first[DGM_TARGET] + word_of[i])));
    }
    return DGM_OK;
}

dgm_status dgm_shown_links_begin(struct dgm_env *env, struct dgm_shown_links *view)
{
    view->first[DGM_SOURCE] = view->first[DGM_TARGET] = 0;
    dgm_buf_reset(&view->text);
    return dgm_buf_add_text(env, &view->text, "");
}

static dgm_status link_part(struct dgm_env *env, struct dgm_shown_links *view,
                            const struct dgm_packed *source, int32_t s, int32_t words,
                            const int32_t *tokens, int32_t n)
{
    struct dgm_attention_weights weights;

    DGM_TRY(dgm_reserve(env, &view->weights, &view->weight_capacity, (size_t)words + 1,
                        sizeof *view->weights));
    DGM_TRY(dgm_attention_reader_look(env, &view->reader, source, s, tokens, n));
    DGM_TRY(dgm_attention_reader_read(env, &view->reader, DGM_ATTENTION_CROSS,
                                      dgm_guided_layer(view->reader.net), &weights));
    return add_links(env, view, &weights, words, n);
}

dgm_status dgm_shown_links_add(struct dgm_env *env, struct dgm_shown_links *view,
                               const struct dgm_source_queue *queue, size_t part,
                               const int32_t *tokens, int32_t n)
{
    const struct dgm_queued *queued = &queue->lines[part];
    int32_t words, target_words;

    if (queued->sentence < 0)
        return DGM_OK;
    DGM_TRY(find_source_words(env, view, queue, queued));
    words = target_words =
        count_words(view, DGM_SOURCE, dgm_packed_length(&queue->packed, queued->sentence));
    if (n > 0) {
        DGM_TRY(find_target_words(env, view, tokens, n,
                                  dgm_packed_has_first(&queue->packed, queued->sentence)));
        DGM_TRY(link_part(env, view, &queue->packed, queued->sentence, words, tokens, n));
        target_words = count_words(view, DGM_TARGET, n);
    }
    view->first[DGM_SOURCE] += words;
    view->first[DGM_TARGET] += target_words;
    return DGM_OK;
}
