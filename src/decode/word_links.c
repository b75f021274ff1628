/*
 * word_links.c: the strongest attention of words of a translation, summed over their pieces.
 */
#include "decode/word_links.h"

#include <string.h>

#include "base/mem.h"
#include "model/guided.h"

dgm_status dgm_word_links_open(struct dgm_env *env, struct dgm_word_links *links,
                               const struct dgm_ensemble *ensemble, int which,
                               struct dgm_device *device, int warns)
{
    const struct dgm_net *net = ensemble->nets[which];

    DGM_TRY(dgm_guided_check(env, net));
    if (warns && !ensemble->models[which].has_links)
        dgm_log(env, DGM_LOG_WARNING,
                "%s: nothing in the file says that the model has learned links (train "
                "--guided-alignment): those of attention that has not may be wrong",
                ensemble->names[which]);
    links->pipeline = &ensemble->models[0].pipeline;
    DGM_TRY(dgm_attention_reader_init(env, &links->reader, net, device));
    links->reader.watch.layers[DGM_ATTENTION_CROSS] = (uint64_t)1 << (dgm_guided_layer(net) - 1);
    return DGM_OK;
}

void dgm_word_links_clear(struct dgm_env *env, struct dgm_word_links *links)
{
    dgm_attention_reader_clear(env, &links->reader);
    dgm_link_words_clear(env, &links->words);
    dgm_buf_clear(env, &links->pieces);
    dgm_release(env, links->word_of[DGM_SOURCE]);
    dgm_release(env, links->word_of[DGM_TARGET]);
    dgm_release(env, links->sums);
    memset(links, 0, sizeof *links);
}

/* ---- words ----------------------------------------------------------------------------------- */

static dgm_status reserve_words(struct dgm_env *env, struct dgm_word_links *links, int side,
                                int32_t n)
{
    links->length[side] = n;
    return dgm_reserve(env, &links->word_of[side], &links->capacity[side], (size_t)n + 1,
                       sizeof *links->word_of[side]);
}

/* Positions of pieces, whose numbers in links->pieces they have, get their words between blanks. */
static dgm_status find_spm_words(struct dgm_env *env, struct dgm_word_links *links, int side)
{
    struct dgm_link_words *words = &links->words;
    int32_t *word_of = links->word_of[side], word = 0;

    DGM_TRY(dgm_link_words_of_pieces(env, words, &links->pieces));
    for (int32_t i = 0; i < links->length[side]; i++) {
        const int32_t piece = word_of[i];

        if (piece < 0)
            continue;
        while (word < words->count && words->ends[2 * word + 1] <= piece)
            word++;
        word_of[i] = word < words->count && words->ends[2 * word] <= piece ? word : -1;
    }
    return DGM_OK;
}

static int32_t count_words(const int32_t *word_of, int32_t n)
{
    int32_t count = 0;

    for (int32_t i = 0; i < n; i++)
        if (word_of[i] >= count)
            count = word_of[i] + 1;
    return count;
}

/* Of pieces of SentencePiece, each is a word of the queue's. */
static dgm_status find_source_words(struct dgm_env *env, struct dgm_word_links *links,
                                    const struct dgm_source_queue *queue,
                                    const struct dgm_queued *line)
{
    const struct dgm_packed *source = &queue->packed;
    const int32_t n = dgm_packed_length(source, line->sentence);
    int32_t *word_of;

    DGM_TRY(reserve_words(env, links, DGM_SOURCE, n));
    word_of = links->word_of[DGM_SOURCE];
    memcpy(word_of, source->words + source->offsets[line->sentence], (size_t)n * sizeof *word_of);
    if (links->pipeline->has_spm) {
        dgm_buf_reset(&links->pieces);
        DGM_TRY(dgm_buf_add(env, &links->pieces, queue->words.data + line->text, line->text_bytes));
        DGM_TRY(find_spm_words(env, links, DGM_SOURCE));
    }
    links->words_of_source = count_words(word_of, n);
    return DGM_OK;
}

/* The end is no word, nor is a first token that is given. */
static int is_mark(const struct dgm_word_links *links, const int32_t *tokens, int32_t i)
{
    return tokens[i] == DGM_VOCAB_EOS || (i == 0 && links->has_first);
}

static dgm_status add_piece(struct dgm_env *env, struct dgm_buf *pieces, const char *piece,
                            size_t bytes)
{
    if (pieces->size > 0)
        DGM_TRY(dgm_buf_add_char(env, pieces, ' '));
    return dgm_buf_add(env, pieces, piece, bytes);
}

/* The place of a copy among pieces: a character, and a blank before it unless it is glued. */
static dgm_status add_copied(struct dgm_env *env, struct dgm_buf *pieces,
                             const struct dgm_copy *copy)
{
    return copy->is_glued ? add_piece(env, pieces, "x", 1)
                          : add_piece(env, pieces, DGM_SPM_SPACE "x", DGM_SPM_SPACE_BYTES + 1);
}

/* The words of the tokens, by their pieces, and with SentencePiece by the blanks of these. */
dgm_status dgm_word_links_join(struct dgm_env *env, struct dgm_word_links *links,
                               const int32_t *tokens, const struct dgm_copies *copies)
{
    const struct dgm_pipeline *pipeline = links->pipeline;
    const struct dgm_vocab *vocab = dgm_pipeline_vocab(pipeline, DGM_TARGET);
    int32_t *word_of = links->word_of[DGM_TARGET], word = 0;
    size_t next = 0;

    dgm_buf_reset(&links->pieces);
    for (int32_t i = 0; i < links->length[DGM_TARGET]; i++) {
        const struct dgm_copy *copy = dgm_copies_at(copies, i, &next);
        size_t bytes;
        const char *piece = dgm_vocab_token(vocab, (uint32_t)tokens[i], &bytes);

        word_of[i] = is_mark(links, tokens, i) ? -1 : word;
        if (word_of[i] < 0)
            continue;
        if (copy == NULL)
            DGM_TRY(add_piece(env, &links->pieces, piece, bytes));
        else
            DGM_TRY(add_copied(env, &links->pieces, copy));
        for (; copy != NULL && i + 1 < copy->end; i++)
            word_of[i + 1] = word;
        word +=
            pipeline->has_spm || copy != NULL || dgm_pipeline_bare(pipeline, piece, bytes) == bytes;
    }
    return pipeline->has_spm ? find_spm_words(env, links, DGM_TARGET) : DGM_OK;
}

/* ---- attention ------------------------------------------------------------------------------- */

dgm_status dgm_word_links_look(struct dgm_env *env, struct dgm_word_links *links,
                               const struct dgm_source_queue *queue, size_t line,
                               const int32_t *tokens, int32_t n)
{
    const struct dgm_queued *queued = &queue->lines[line];
    struct dgm_attention_reader *reader = &links->reader;

    links->has_first = dgm_packed_has_first(&queue->packed, queued->sentence);
    DGM_TRY(find_source_words(env, links, queue, queued));
    DGM_TRY(reserve_words(env, links, DGM_TARGET, n));
    DGM_TRY(dgm_word_links_join(env, links, tokens, NULL));
    DGM_TRY(dgm_reserve(env, &links->sums, &links->sum_capacity, (size_t)links->words_of_source + 1,
                        sizeof *links->sums));
    DGM_TRY(dgm_attention_reader_look(env, reader, &queue->packed, queued->sentence, tokens, n));
    return dgm_attention_reader_read(env, reader, DGM_ATTENTION_CROSS,
                                     dgm_guided_layer(reader->net), &links->weights);
}

dgm_status dgm_word_links_look_at_copy(struct dgm_env *env, struct dgm_word_links *links,
                                       const struct dgm_source_queue *queue, size_t line)
{
    links->length[DGM_TARGET] = links->weights.rows = 0;
    return find_source_words(env, links, queue, &queue->lines[line]);
}

int32_t dgm_word_links_count(const struct dgm_word_links *links)
{
    return count_words(links->word_of[DGM_TARGET], links->length[DGM_TARGET]);
}

double dgm_word_links_weight(const struct dgm_word_links *links, int32_t i, int32_t j)
{
    const struct dgm_attention_weights *weights = &links->weights;

    if (i >= weights->rows || j >= weights->columns)
        return 0;
    return (double)weights->values[i * weights->ld + DGM_GUIDED_HEAD * weights->step + j];
}

/* What rows first .. end-1 give to each word of the source, and to what is no word, which is the
 * last sum. */
static void add_rows(const struct dgm_word_links *links, int32_t first, int32_t end)
{
    const int32_t words = links->words_of_source;

    memset(links->sums, 0, ((size_t)words + 1) * sizeof *links->sums);
    for (int32_t i = first; i < end; i++)
        for (int32_t j = 0; j < links->length[DGM_SOURCE]; j++) {
            const int32_t word = links->word_of[DGM_SOURCE][j];

            links->sums[word >= 0 ? word : words] += dgm_word_links_weight(links, i, j);
        }
}

int32_t dgm_word_links_find(const struct dgm_word_links *links, int32_t first, int32_t end,
                            int always)
{
    const int32_t words = links->words_of_source;
    int32_t best = 0;

    if (words == 0 || first >= links->weights.rows)
        return -1;
    add_rows(links, first, end);
    for (int32_t w = 1; w < words; w++)
        if (links->sums[w] > links->sums[best])
            best = w;
    return always || links->sums[best] >= links->sums[words] ? best : -1;
}
