/* import_text.c: vocabularies, SentencePiece models, codes and tags of another program's model. */
#include <stdio.h>
#include <string.h>

#include "base/file/file.h"
#include "base/mem.h"
#include "data/text/pipeline_tags.h"
#include "model/foreign/import.h"

/* ---- vocabularies ---------------------------------------------------------------------------- */

static dgm_status read_spm_vocab(struct dgm_env *env, struct dgm_foreign_vocab *vocab,
                                 const char *path)
{
    struct dgm_spm spm = { 0 };
    dgm_status status;

    status = dgm_spm_load(env, &spm, path);
    if (status == DGM_OK)
        status = dgm_foreign_vocab_spm(env, vocab, path, &spm);
    dgm_spm_clear(env, &spm);
    return status;
}

dgm_status dgm_import_vocab(struct dgm_env *env, struct dgm_import *import, int side,
                            const char *path)
{
    struct dgm_foreign_vocab *vocab = &import->vocab[side];
    const char *text;

    if (dgm_import_ends(path, ".spm") || dgm_import_ends(path, ".model"))
        return read_spm_vocab(env, vocab, path);
    DGM_TRY(dgm_file_read_text(env, &import->text, path));
    text = import->text.data != NULL ? import->text.data : "";
    if (dgm_import_ends(path, ".yml") || dgm_import_ends(path, ".yaml"))
        return dgm_foreign_vocab_yml(env, vocab, path, text, import->text.size);
    if (dgm_import_ends(path, ".json"))
        return dgm_foreign_vocab_json(env, vocab, path, text, import->text.size);
    return dgm_foreign_vocab_lines(env, vocab, path, text, import->text.size);
}

dgm_status dgm_import_need_specials(struct dgm_env *env, const struct dgm_import *import, int side,
                                    const struct dgm_foreign_specials *specials)
{
    for (size_t i = 0; i < DGM_VOCAB_SPECIALS; i++)
        if (specials->numbers[i] < 0)
            return dgm_fail_at(env, DGM_MODEL, import->vocab[side].name, 0, 0,
                               "no token %s; expected one", dgm_foreign_vocab_ours[i]);
    return DGM_OK;
}

/* ---- tags ------------------------------------------------------------------------------------ */

/* Bytes of a tag's name, behind kind->tag_open; 0: it is none. */
static size_t tag_bytes(const struct dgm_import_kind *kind, const char *token)
{
    const size_t length = strlen(token), open = strlen(kind->tag_open),
                 close = strlen(kind->tag_close);

    if (length <= open + close || length > 64 || strncmp(token, kind->tag_open, open) != 0 ||
        strcmp(token + length - close, kind->tag_close) != 0)
        return 0;
    for (size_t i = open; i < length - close; i++)
        if ((unsigned char)token[i] <= ' ' || strchr(",<>", token[i]) != NULL)
            return 0;
    return length - open - close;
}

/* Whether a token is spelled as a code of a language and its script, eng_Latn. */
static int is_code(const char *token)
{
    const size_t length = strlen(token);
    size_t i = 0;

    while (i < length &&
           (token[i] == '_' || token[i] == '-' || (token[i] >= '0' && token[i] <= '9') ||
            (token[i] >= 'A' && token[i] <= 'Z') || (token[i] >= 'a' && token[i] <= 'z')))
        i++;
    return length > 0 && length <= 60 && i == length;
}

/* Where the name of a tag begins in token i, and its bytes; 0: it is none. */
static size_t find_tag(const struct dgm_import *import, int side, size_t i, const char **name)
{
    const char *token = dgm_foreign_vocab_token(&import->vocab[side], i);

    *name = token;
    if (token == NULL)
        return 0;
    if (import->tags_from > 0)
        return i >= import->tags_from && is_code(token) ? strlen(token) : 0;
    *name += strlen(import->kind->tag_open);
    return tag_bytes(import->kind, token);
}

/* Gives tags of theirs our names, so that text cannot make them and --tag can. */
static dgm_status rename_tags(struct dgm_env *env, struct dgm_import *import, int side)
{
    struct dgm_foreign_vocab *vocab = &import->vocab[side];

    for (size_t i = 0; import->kind->tag_open != NULL && i < vocab->count; i++) {
        const char *name;
        const size_t bytes = find_tag(import, side, i, &name);
        char tag[80];

        if (bytes == 0)
            continue;
        snprintf(tag, sizeof tag, "<%.*s>", (int)bytes, name);
        vocab->tokens[i] = vocab->bytes.size;
        DGM_TRY(dgm_buf_add(env, &vocab->bytes, tag, strlen(tag) + 1));
        if (side == DGM_SOURCE)
            DGM_TRY(dgm_pipeline_add_tag(env, &import->pipeline, tag, strlen(tag)));
    }
    return DGM_OK;
}

/* Where users write them. */
static void tell_tags(struct dgm_env *env, const struct dgm_import *import)
{
    const struct dgm_map *tags = &import->pipeline.tags;
    const struct dgm_map_entry *first = &tags->entries[0];

    dgm_log(env, DGM_LOG_NOTE,
            "%s: the model has tags of %zu languages: a line begins with that of its translation, "
            "such as >>%.*s<<, or translate --tag names that of all lines",
            import->folder, tags->count, (int)first->length - 2, dgm_map_key(tags, first) + 1);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static dgm_status read_spms(struct dgm_env *env, struct dgm_import *import,
                            const char *const spm[2])
{
    for (int side = DGM_SOURCE; side <= DGM_TARGET; side++) {
        if (spm[side] == NULL)
            continue;
        DGM_TRY(dgm_file_read(env, &import->text, spm[side]));
        DGM_TRY(dgm_pipeline_set_spm(env, &import->pipeline, side, import->text.data,
                                     import->text.size, spm[side]));
    }
    return dgm_pipeline_link_spm(env, &import->pipeline);
}

static dgm_status read_codes(struct dgm_env *env, struct dgm_import *import)
{
    DGM_TRY(dgm_file_read_text(env, &import->text, import->request->codes));
    return dgm_pipeline_set_codes(env, &import->pipeline, import->text.data, import->text.size,
                                  import->request->codes);
}

static const char *tokenize_of(const struct dgm_import *import, int has_spm)
{
    if (import->request->tokenize != NULL)
        return import->request->tokenize;
    return has_spm ? "spm" : "none";
}

static dgm_status check_text(struct dgm_env *env, const struct dgm_import *import, int has_spm)
{
    const char *how = tokenize_of(import, has_spm);

    if (has_spm && import->request->codes != NULL)
        return dgm_fail(env, DGM_USAGE,
                        "--codes beside models of SentencePiece; expected one of them");
    if (has_spm != (strcmp(how, "spm") == 0))
        return dgm_fail(env, DGM_USAGE, "--tokenize %s %s models of SentencePiece; expected %s",
                        how, has_spm ? "beside" : "without",
                        has_spm ? "spm" : "--spm, none or moses");
    return DGM_OK;
}

dgm_status dgm_import_text(struct dgm_env *env, struct dgm_import *import,
                           const struct dgm_foreign_specials specials[2], const size_t rows[2],
                           const char *const spm[2])
{
    struct dgm_pipeline *pipeline = &import->pipeline;
    const int has_spm = spm[DGM_SOURCE] != NULL;

    DGM_TRY(check_text(env, import, has_spm));
    DGM_TRY(dgm_import_set(env, import, "tokenize", tokenize_of(import, has_spm)));
    DGM_TRY(dgm_model_pipeline(env, pipeline, &import->settings));
    for (int side = DGM_SOURCE; side <= (pipeline->joint ? DGM_SOURCE : DGM_TARGET); side++) {
        DGM_TRY(rename_tags(env, import, side));
        DGM_TRY(dgm_foreign_vocab_order(env, &import->vocab[side], &specials[side], rows[side],
                                        &pipeline->vocab[side]));
    }
    if (has_spm)
        DGM_TRY(read_spms(env, import, spm));
    if (import->request->codes != NULL)
        DGM_TRY(read_codes(env, import));
    pipeline->has_target_tags = import->kind->has_target_tags && pipeline->tags.count > 0;
    if (pipeline->tags.count > 0 && !pipeline->has_target_tags)
        tell_tags(env, import);
    return dgm_pipeline_check_tags(env, pipeline, import->vocab[DGM_SOURCE].name);
}
