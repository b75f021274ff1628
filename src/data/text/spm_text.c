/*
 * spm_text.c: pieces of SentencePiece as entries of a vocabulary.
 */
#include "data/text/spm_text.h"

#include <string.h>

#include "base/mem.h"

/* Whether text becomes such pieces. */
static int is_entry(enum dgm_spm_type type)
{
    return type == DGM_SPM_NORMAL || type == DGM_SPM_USER_DEFINED || type == DGM_SPM_BYTE;
}

/* Pieces differ from each other: one that is there already is spelled like a special entry. */
static dgm_status add_pieces(struct dgm_env *env, const struct dgm_spm *spm,
                             struct dgm_vocab *vocab, const struct dgm_map *marks, const char *name)
{
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        size_t bytes;
        const char *piece = dgm_spm_piece(spm, (int32_t)id, &bytes);
        int is_new;

        if (!is_entry(dgm_spm_type(spm, (int32_t)id)))
            continue;
        DGM_TRY(dgm_vocab_append(env, vocab, piece, bytes, &is_new));
        if (!is_new || (marks != NULL && dgm_map_find(marks, piece, bytes) != NULL))
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "piece %zu, %s, is spelled like an entry that no text may become; "
                               "expected a control symbol, or none",
                               id, piece);
    }
    return DGM_OK;
}

dgm_status dgm_spm_text_vocab(struct dgm_env *env, const struct dgm_spm_text *text,
                              struct dgm_vocab *vocab, const struct dgm_map *marks,
                              const char *name)
{
    static const struct dgm_map none;
    dgm_status status;
    int is_new;

    DGM_TRY_OUT(dgm_vocab_build(env, vocab, &none, 0, 1));
    DGM_TRY_OUT(add_pieces(env, &text->spm, vocab, marks, name));
    for (size_t i = 0; marks != NULL && i < marks->count; i++)
        DGM_TRY_OUT(dgm_vocab_append(env, vocab, dgm_map_key(marks, &marks->entries[i]),
                                     marks->entries[i].length, &is_new));
out:
    if (status != DGM_OK)
        dgm_vocab_clear(env, vocab);
    return status;
}

int dgm_spm_text_spells(const struct dgm_spm_text *text, const char *name, size_t bytes)
{
    return is_entry(dgm_spm_type(&text->spm, dgm_spm_find(&text->spm, name, bytes)));
}

dgm_status dgm_spm_text_link(struct dgm_env *env, struct dgm_spm_text *text,
                             const struct dgm_vocab *vocab, size_t *missing)
{
    size_t pieces = dgm_spm_size(&text->spm), count = dgm_vocab_size(vocab);

    dgm_release(env, text->entries);
    dgm_release(env, text->pieces);
    DGM_TRY(dgm_new(env, &text->entries, pieces, sizeof *text->entries));
    DGM_TRY(dgm_new(env, &text->pieces, count, sizeof *text->pieces));
    text->count = count;
    *missing = 0;
    for (size_t i = 0; i < count; i++)
        text->pieces[i] = -1;
    text->pieces[DGM_VOCAB_UNK] = text->spm.unk;
    for (size_t id = 0; id < pieces; id++) {
        size_t bytes;
        const char *piece = dgm_spm_piece(&text->spm, (int32_t)id, &bytes);

        text->entries[id] = DGM_VOCAB_UNK;
        if (!is_entry(dgm_spm_type(&text->spm, (int32_t)id)))
            continue;
        text->entries[id] = (int32_t)dgm_vocab_find(vocab, piece, bytes);
        if (text->entries[id] == DGM_VOCAB_UNK)
            ++*missing;
        else
            text->pieces[text->entries[id]] = (int32_t)id;
    }
    return DGM_OK;
}

/* An entry that is no piece. */
static dgm_status add_other(struct dgm_env *env, const struct dgm_spm_text *text,
                            const struct dgm_vocab *vocab, const struct dgm_map *tags,
                            struct dgm_spm_decoder *decoder, int32_t id)
{
    const char *token;
    size_t bytes;

    if (id < DGM_VOCAB_SPECIALS || (size_t)id >= dgm_vocab_size(vocab))
        return DGM_OK;
    token = dgm_vocab_token(vocab, (uint32_t)id, &bytes);
    if (dgm_map_find(tags, token, bytes) != NULL)
        return DGM_OK;
    return dgm_spm_decoder_add_piece(env, &text->spm, decoder, token, bytes);
}

dgm_status dgm_spm_text_decode(struct dgm_env *env, const struct dgm_spm_text *text,
                               const struct dgm_vocab *vocab, const struct dgm_map *tags,
                               struct dgm_spm_decoder *decoder, int32_t id)
{
    if ((size_t)id < text->count && text->pieces[id] >= 0)
        return dgm_spm_decoder_add(env, &text->spm, decoder, text->pieces[id]);
    return add_other(env, text, vocab, tags, decoder, id);
}

dgm_status dgm_spm_text_decode_end(struct dgm_env *env, const struct dgm_spm_text *text,
                                   struct dgm_spm_decoder *decoder, struct dgm_buf *out)
{
    size_t start = out->size;

    DGM_TRY(dgm_spm_decoder_end(env, &text->spm, decoder, out));
    for (; start < out->size; start++) /* bytes can spell an end of line */
        if (out->data[start] == '\n' || out->data[start] == '\r')
            out->data[start] = ' ';
    return DGM_OK;
}

void dgm_spm_text_clear(struct dgm_env *env, struct dgm_spm_text *text)
{
    dgm_spm_clear(env, &text->spm);
    dgm_release(env, text->entries);
    dgm_release(env, text->pieces);
    memset(text, 0, sizeof *text);
}
