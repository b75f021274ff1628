/*
 * spm_decode.c: pieces become text: U+2581 a blank, but none at the beginning; bytes in a row the
 * characters that they spell; control symbols nothing; the unknown piece its surface.
 */
#include "text/spm/spm_decode.h"

#include <string.h>

#include "text/spm/spm_normalize.h"
#include "text/unicode/utf8.h"

void dgm_spm_decoder_begin(struct dgm_spm_decoder *decoder)
{
    dgm_buf_reset(&decoder->text);
    dgm_buf_reset(&decoder->bytes);
    decoder->has_begun = decoder->saw_blank = 0;
}

/* Each byte that is part of no character becomes U+FFFD. */
static dgm_status add_bytes(struct dgm_env *env, struct dgm_spm_decoder *decoder)
{
    const char *bytes = decoder->bytes.data;
    size_t at = 0, size = decoder->bytes.size, taken;
    uint32_t code;

    for (; at < size; at += taken) {
        taken = dgm_utf8_decode(&code, bytes + at, size - at);
        if (code == DGM_UTF8_BAD) {
            code = DGM_UTF8_REPLACEMENT;
            taken = 1;
        }
        DGM_TRY(dgm_utf8_add(env, &decoder->text, code));
    }
    dgm_buf_reset(&decoder->bytes);
    return DGM_OK;
}

static dgm_status add_surface(struct dgm_env *env, struct dgm_buf *out, const char *piece,
                              size_t bytes)
{
    size_t at = 0, start = 0;

    while (at < bytes) {
        if (!dgm_spm_is_space(piece + at, bytes - at)) {
            at++;
            continue;
        }
        DGM_TRY(dgm_buf_add(env, out, piece + start, at - start));
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
        start = at += DGM_SPM_SPACE_BYTES;
    }
    return dgm_buf_add(env, out, piece + start, at - start);
}

/* The first piece that is no byte and no control symbol may lose its U+2581: the one that was added
 * to the text. Where all extra blanks are removed, so does each piece until there is text. */
static dgm_status add_known(struct dgm_env *env, const struct dgm_spm *spm,
                            struct dgm_spm_decoder *decoder, const char *piece, size_t bytes)
{
    const struct dgm_spm_rules *rules = &spm->rules;

    if (!decoder->has_begun && (rules->dummy_prefix || rules->remove_extra) &&
        dgm_spm_is_space(piece, bytes)) {
        piece += DGM_SPM_SPACE_BYTES;
        bytes -= DGM_SPM_SPACE_BYTES;
        decoder->saw_blank = !rules->remove_extra;
    }
    return add_surface(env, &decoder->text, piece, bytes);
}

static void note_begin(struct dgm_spm_decoder *decoder)
{
    decoder->has_begun |= decoder->saw_blank || decoder->text.size > 0;
    decoder->saw_blank = 0;
}

/* `piece` NULL: the text of the piece `id`. */
static dgm_status add(struct dgm_env *env, const struct dgm_spm *spm,
                      struct dgm_spm_decoder *decoder, int32_t id, const char *piece, size_t bytes)
{
    enum dgm_spm_type type = dgm_spm_type(spm, id);
    size_t own_bytes;
    const char *own = dgm_spm_piece(spm, id, &own_bytes);

    if (type == DGM_SPM_BYTE)
        return dgm_buf_add_char(env, &decoder->bytes, (char)dgm_spm_byte(own, own_bytes));
    DGM_TRY(add_bytes(env, decoder));
    note_begin(decoder);
    if (type == DGM_SPM_CONTROL)
        return DGM_OK;
    if (type != DGM_SPM_UNKNOWN)
        return add_known(env, spm, decoder, own, own_bytes);
    if (piece == NULL || (bytes == own_bytes && memcmp(piece, own, bytes) == 0))
        return dgm_buf_add(env, &decoder->text, spm->unk_surface.data, spm->unk_surface.size);
    return dgm_buf_add(env, &decoder->text, piece, bytes);
}

dgm_status dgm_spm_decoder_add(struct dgm_env *env, const struct dgm_spm *spm,
                               struct dgm_spm_decoder *decoder, int32_t id)
{
    return add(env, spm, decoder, id, NULL, 0);
}

dgm_status dgm_spm_decoder_add_piece(struct dgm_env *env, const struct dgm_spm *spm,
                                     struct dgm_spm_decoder *decoder, const char *piece,
                                     size_t bytes)
{
    return add(env, spm, decoder, dgm_spm_find(spm, piece, bytes), piece, bytes);
}

dgm_status dgm_spm_decoder_add_text(struct dgm_env *env, const struct dgm_spm *spm,
                                    struct dgm_spm_decoder *decoder, const char *text, size_t bytes,
                                    int is_glued)
{
    DGM_TRY(add_bytes(env, decoder));
    note_begin(decoder);
    if (!is_glued)
        DGM_TRY(add_known(env, spm, decoder, DGM_SPM_SPACE, DGM_SPM_SPACE_BYTES));
    return dgm_buf_add(env, &decoder->text, text, bytes);
}

dgm_status dgm_spm_decoder_end(struct dgm_env *env, const struct dgm_spm *spm,
                               struct dgm_spm_decoder *decoder, struct dgm_buf *out)
{
    DGM_TRY(add_bytes(env, decoder));
    if (spm->has_denormal)
        return dgm_spm_normalize(env, &spm->denormal, NULL, out, decoder->text.data,
                                 decoder->text.size);
    return dgm_buf_add(env, out, decoder->text.data, decoder->text.size);
}

void dgm_spm_decoder_clear(struct dgm_env *env, struct dgm_spm_decoder *decoder)
{
    dgm_buf_clear(env, &decoder->text);
    dgm_buf_clear(env, &decoder->bytes);
    memset(decoder, 0, sizeof *decoder);
}
