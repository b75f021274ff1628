/*
 * spm_encode.c: the way of a text: rewritten, cut, unknown characters joined or made bytes.
 */
#include "text/spm/spm_encode.h"

#include "base/mem.h"
#include "text/spm/spm_normalize.h"
#include "text/unicode/utf8.h"

/* ---- characters and words ------------------------------------------------------------------- */

static dgm_status cut_characters(struct dgm_env *env, const struct dgm_spm *spm,
                                 struct dgm_spm_line *line)
{
    const char *text = line->text.data;
    size_t at = 0, bytes;

    for (; at < line->text.size; at += bytes) {
        bytes = dgm_spm_unit(spm, text + at, line->text.size - at, NULL);
        DGM_TRY(dgm_spm_line_add(env, line, dgm_spm_find_in_text(spm, text + at, bytes), at,
                                 at + bytes));
    }
    return DGM_OK;
}

/* A word begins at each U+2581. */
static dgm_status cut_words(struct dgm_env *env, const struct dgm_spm *spm,
                            struct dgm_spm_line *line)
{
    const char *text = line->text.data;
    size_t at = 0, start = 0, size = line->text.size;
    uint32_t code;

    while (at < size) {
        at += dgm_utf8_decode(&code, text + at, size - at);
        if (at < size && !dgm_spm_is_space(text + at, size - at))
            continue;
        DGM_TRY(dgm_spm_line_add(env, line, dgm_spm_find_in_text(spm, text + start, at - start),
                                 start, at));
        start = at;
    }
    return DGM_OK;
}

/* ---- unknown pieces ------------------------------------------------------------------------- */

/* In place: there are no more pieces afterwards. */
static void join_unknown(const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    size_t kept = 0;

    for (size_t i = 0; i < line->count; i++) {
        if (kept > 0 && line->pieces[i].id == spm->unk && line->pieces[kept - 1].id == spm->unk)
            line->pieces[kept - 1].end = line->pieces[i].end;
        else
            line->pieces[kept++] = line->pieces[i];
    }
    line->count = kept;
}

/* From behind, in one array that has room for what there will be. */
static dgm_status spell_unknown(struct dgm_env *env, const struct dgm_spm *spm,
                                struct dgm_spm_line *line)
{
    size_t more = 0, i, to;

    for (i = 0; i < line->count; i++)
        if (line->pieces[i].id == spm->unk)
            more += line->pieces[i].end - line->pieces[i].start - 1;
    if (more == 0 && line->count == 0)
        return DGM_OK;
    DGM_TRY(
        dgm_reserve(env, &line->pieces, &line->capacity, line->count + more, sizeof *line->pieces));
    to = line->count + more;
    /* to > i: each piece becomes one or more, so that none is overwritten before it is read. */
    for (i = line->count; i-- > 0;) {
        struct dgm_spm_span span = line->pieces[i];

        if (span.id != spm->unk) {
            line->pieces[--to] = span;
            continue;
        }
        for (uint32_t at = span.end; at-- > span.start;) {
            const int32_t id = spm->bytes[(unsigned char)line->text.data[at]];

            line->pieces[--to] = (struct dgm_spm_span){ id, at, at + 1 };
        }
    }
    line->count += more;
    return DGM_OK;
}

static dgm_status cut(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line)
{
    switch (spm->kind) {
    case DGM_SPM_UNIGRAM:
        return line->sampling != NULL ? dgm_spm_draw(env, spm, line)
                                      : dgm_spm_unigram(env, spm, line);
    case DGM_SPM_BPE: return dgm_spm_merge(env, spm, line);
    case DGM_SPM_WORD: return cut_words(env, spm, line);
    default: return cut_characters(env, spm, line);
    }
}

dgm_status dgm_spm_encode(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_spm_line *line,
                          const char *text, size_t bytes)
{
    dgm_buf_reset(&line->text);
    DGM_TRY(dgm_spm_normalize(env, &spm->rules, &spm->defined, &line->text, text, bytes));
    return dgm_spm_encode_again(env, spm, line);
}

dgm_status dgm_spm_encode_again(struct dgm_env *env, const struct dgm_spm *spm,
                                struct dgm_spm_line *line)
{
    line->count = 0;
    DGM_TRY(cut(env, spm, line));
    if (spm->byte_fallback)
        return spell_unknown(env, spm, line);
    join_unknown(spm, line);
    return DGM_OK;
}
