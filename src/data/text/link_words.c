/*
 * link_words.c: which encoded words a word of a line becomes.
 */
#include "data/text/link_words.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "text/bpe/word_counts.h"

static dgm_status push(struct dgm_env *env, struct dgm_link_words *words, int32_t first,
                       int32_t end)
{
    DGM_TRY(dgm_reserve(env, &words->ends, &words->capacity, 2 * (size_t)words->count + 2,
                        sizeof *words->ends));
    words->ends[2 * words->count] = first;
    words->ends[2 * words->count + 1] = end;
    words->count++;
    return DGM_OK;
}

/* Words between blanks and tabs. */
static int32_t count_words(const char *line, size_t bytes)
{
    int32_t count = 0;
    const char *word;
    size_t at = 0, length;

    while (dgm_bytes_field(line, bytes, &at, &word, &length))
        count++;
    return count;
}

/* ---- pieces of SentencePiece ----------------------------------------------------------------- */

/* Pieces one after the other, as the characters of words with blanks between. */
struct walk {
    struct dgm_link_words *words;
    int within;     /* a word has begun that no blank has ended */
    int32_t opened; /* the first piece of blanks alone before it, or -1: these belong to it */
};

static dgm_status add_piece(struct dgm_env *env, struct walk *walk, int32_t number,
                            const char *piece, size_t bytes)
{
    struct dgm_link_words *words = walk->words;
    size_t at = 0;
    int is_bare = 1;

    while (at < bytes) {
        if (dgm_spm_is_space(piece + at, bytes - at)) {
            walk->within = 0;
            at += DGM_SPM_SPACE_BYTES;
            continue;
        }
        if (!walk->within)
            DGM_TRY(push(env, words, walk->opened >= 0 ? walk->opened : number, number + 1));
        walk->within = 1;
        walk->opened = -1;
        is_bare = 0;
        words->ends[2 * words->count - 1] = number + 1;
        at++;
    }
    if (is_bare && walk->opened < 0)
        walk->opened = number;
    return DGM_OK;
}

dgm_status dgm_link_words_of_pieces(struct dgm_env *env, struct dgm_link_words *words,
                                    const struct dgm_buf *pieces)
{
    struct walk walk = { .words = words, .opened = -1 };
    const char *piece;
    size_t at = 0, bytes;
    int32_t number = 0;

    words->count = 0;
    while (dgm_word_counts_next(pieces->data, pieces->size, &at, &piece, &bytes))
        DGM_TRY(add_piece(env, &walk, number++, piece, bytes));
    return DGM_OK;
}

/* ---- both ------------------------------------------------------------------------------------ */

dgm_status dgm_link_words_find(struct dgm_env *env, struct dgm_link_words *words,
                               const struct dgm_encoded *encoded, int has_spm, const char *line,
                               size_t bytes)
{
    const int32_t count = count_words(line, bytes);

    words->count = 0;
    if (has_spm)
        DGM_TRY(dgm_link_words_of_pieces(env, words, &encoded->text));
    for (int32_t w = 0; !has_spm && w < encoded->n_words; w++)
        DGM_TRY(push(env, words, w, w + 1));
    words->agrees = words->count == count;
    words->count = count;
    return DGM_OK;
}

static int64_t width(const struct dgm_link_words *words, int32_t word)
{
    return words->ends[2 * word + 1] - words->ends[2 * word];
}

/* How many links of encoded words there are. */
static int64_t count_spread(const struct dgm_link_file *file, const struct dgm_link_words sides[2])
{
    int64_t count = 0;

    for (int32_t l = 0; l < file->count; l++)
        count += width(&sides[DGM_SOURCE], file->links[2 * l]) *
                 width(&sides[DGM_TARGET], file->links[2 * l + 1]);
    return count;
}

/* All encoded words of one with all of the other, behind the `count` that are there. */
static int32_t spread_link(int32_t *links, int32_t count, const int32_t *source,
                           const int32_t *target)
{
    for (int32_t t = target[0]; t < target[1]; t++)
        for (int32_t s = source[0]; s < source[1]; s++, count++) {
            links[2 * count] = s;
            links[2 * count + 1] = t;
        }
    return count;
}

dgm_status dgm_link_words_spread(struct dgm_env *env, struct dgm_link_file *file,
                                 const struct dgm_link_words sides[2],
                                 const struct dgm_encoded encoded[2], int *done)
{
    const int64_t most = DGM_LINKS_OF_A_WORD * ((int64_t)encoded[0].n_words + encoded[1].n_words);
    int32_t count = 0, first = file->count;

    *done = sides[DGM_SOURCE].agrees && sides[DGM_TARGET].agrees;
    if (*done && count_spread(file, sides) > most)
        *done = 0;
    if (!*done) {
        file->count = 0;
        return DGM_OK;
    }
    DGM_TRY(dgm_reserve(env, &file->links, &file->capacity,
                        2 * ((size_t)first + (size_t)count_spread(file, sides)) + 1,
                        sizeof *file->links));
    for (int32_t l = 0; l < first; l++)
        count = spread_link(file->links + 2 * first, count,
                            sides[DGM_SOURCE].ends + 2 * file->links[2 * l],
                            sides[DGM_TARGET].ends + 2 * file->links[2 * l + 1]);
    if (count > 0)
        memmove(file->links, file->links + 2 * first, 2 * (size_t)count * sizeof *file->links);
    file->count = count;
    dgm_link_file_sort(file);
    return DGM_OK;
}

void dgm_link_words_clear(struct dgm_env *env, struct dgm_link_words *words)
{
    dgm_release(env, words->ends);
    memset(words, 0, sizeof *words);
}
