/*
 * spm.c: a SentencePiece model in memory: its pieces, and what is made of them for cutting text.
 */
#include "text/spm/spm.h"

#include <float.h>
#include <stdio.h>
#include <string.h>

#include "base/bytes.h"
#include "base/file/file.h"
#include "base/file/magic.h"
#include "base/mem.h"
#include "text/spm/spm_file.h"
#include "text/unicode/utf8.h"

const char *dgm_spm_kind_name(enum dgm_spm_kind kind)
{
    static const char *const names[DGM_SPM_KINDS] = { "", "unigram", "bpe", "word", "char" };

    return names[kind];
}

size_t dgm_spm_size(const struct dgm_spm *spm)
{
    return spm->pieces.count;
}

const char *dgm_spm_piece(const struct dgm_spm *spm, int32_t id, size_t *bytes)
{
    const struct dgm_map_entry *entry = &spm->pieces.entries[id];

    if (bytes != NULL)
        *bytes = entry->length;
    return dgm_map_key(&spm->pieces, entry);
}

enum dgm_spm_type dgm_spm_type(const struct dgm_spm *spm, int32_t id)
{
    return (enum dgm_spm_type)spm->pieces.entries[id].value;
}

int32_t dgm_spm_find(const struct dgm_spm *spm, const char *piece, size_t bytes)
{
    const struct dgm_map_entry *entry = dgm_map_find(&spm->pieces, piece, bytes);

    return entry != NULL ? (int32_t)(entry - spm->pieces.entries) : spm->unk;
}

int32_t dgm_spm_find_in_text(const struct dgm_spm *spm, const char *piece, size_t bytes)
{
    int32_t id = dgm_spm_find(spm, piece, bytes);
    enum dgm_spm_type type = dgm_spm_type(spm, id);

    return type == DGM_SPM_CONTROL || type == DGM_SPM_BYTE ? spm->unk : id;
}

int dgm_spm_byte(const char *piece, size_t bytes)
{
    static const char digits[] = "0123456789ABCDEF";
    const char *high, *low;

    if (bytes != 6 || !dgm_bytes_begin(piece, bytes, "<0x") || piece[5] != '>')
        return -1;
    high = memchr(digits, piece[3], 16);
    low = memchr(digits, piece[4], 16);
    return high != NULL && low != NULL ? (int)(16 * (high - digits) + (low - digits)) : -1;
}

size_t dgm_spm_unit(const struct dgm_spm *spm, const char *text, size_t bytes, int *is_symbol)
{
    size_t found = dgm_trie_longest(&spm->defined, text, bytes);
    uint32_t code;

    if (is_symbol != NULL)
        *is_symbol = found > 0;
    return found > 0 ? found : dgm_utf8_decode(&code, text, bytes);
}

/* ---- what is made of the pieces ------------------------------------------------------------- */

static dgm_status find_unknown(struct dgm_env *env, struct dgm_spm *spm, const char *name)
{
    spm->unk = -1;
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        if (dgm_spm_type(spm, (int32_t)id) != DGM_SPM_UNKNOWN)
            continue;
        if (spm->unk >= 0)
            return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                               "pieces %d and %zu are both the unknown one; expected one",
                               (int)spm->unk, id);
        spm->unk = (int32_t)id;
    }
    return spm->unk >= 0 ? DGM_OK
                         : dgm_fail_at(env, DGM_DATA, name, 0, 0,
                                       "none of the %zu pieces is the unknown one; expected a "
                                       "SentencePiece model",
                                       dgm_spm_size(spm));
}

/* "<0x0A>" is the byte 10. */
static dgm_status find_bytes(struct dgm_env *env, struct dgm_spm *spm, const char *name)
{
    size_t found = 0, pieces = 0;

    for (int byte = 0; byte < 256; byte++) {
        char text[8];
        const struct dgm_map_entry *entry;

        snprintf(text, sizeof text, "<0x%02X>", (unsigned)byte);
        entry = dgm_map_find(&spm->pieces, text, 6);
        if (entry == NULL || entry->value != DGM_SPM_BYTE)
            continue;
        spm->bytes[byte] = (int32_t)(entry - spm->pieces.entries);
        found++;
    }
    for (size_t id = 0; id < dgm_spm_size(spm); id++)
        pieces += dgm_spm_type(spm, (int32_t)id) == DGM_SPM_BYTE;
    if (pieces == found && found == (spm->byte_fallback ? 256 : 0))
        return DGM_OK;
    return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                       "%zu pieces are bytes, %zu of them <0x00> to <0xFF>; expected %s", pieces,
                       found, spm->byte_fallback ? "all 256" : "none without byte_fallback");
}

static int is_word_of_paths(enum dgm_spm_type type)
{
    return type == DGM_SPM_NORMAL || type == DGM_SPM_USER_DEFINED;
}

/* A trie of the pieces of a type, or, with DGM_SPM_NORMAL, of all that a path is made of. */
static dgm_status build_trie(struct dgm_env *env, const struct dgm_spm *spm, struct dgm_trie *trie,
                             enum dgm_spm_type wanted)
{
    struct dgm_trie_key *keys;
    dgm_status status;
    size_t count = 0;

    DGM_TRY(dgm_new(env, &keys, dgm_spm_size(spm), sizeof *keys));
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        enum dgm_spm_type type = dgm_spm_type(spm, (int32_t)id);

        if (type != wanted && !(wanted == DGM_SPM_NORMAL && is_word_of_paths(type)))
            continue;
        keys[count].bytes = dgm_spm_piece(spm, (int32_t)id, &keys[count].size);
        keys[count++].value = (int32_t)id;
    }
    status = dgm_trie_build(env, trie, keys, count);
    dgm_release(env, keys);
    return status;
}

/* The bounds start where the library's do: `most` is that of scores that are all below zero. */
static void find_bounds(struct dgm_spm *spm)
{
    spm->least = FLT_MAX;
    spm->most = FLT_MIN;
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        if (dgm_spm_type(spm, (int32_t)id) != DGM_SPM_NORMAL)
            continue;
        if (spm->scores[id] < spm->least)
            spm->least = spm->scores[id];
        if (spm->scores[id] > spm->most)
            spm->most = spm->scores[id];
    }
}

/* User-defined symbols weigh so little that a path which has one beats those which have none. */
static dgm_status weigh(struct dgm_env *env, struct dgm_spm *spm)
{
    DGM_TRY(dgm_new(env, &spm->weights, dgm_spm_size(spm), sizeof *spm->weights));
    for (size_t id = 0; id < dgm_spm_size(spm); id++) {
        float length = (float)spm->pieces.entries[id].length, bonus = length * spm->most;

        spm->weights[id] = dgm_spm_type(spm, (int32_t)id) == DGM_SPM_USER_DEFINED
                               ? (float)((double)bonus - 0.1)
                               : spm->scores[id];
    }
    return DGM_OK;
}

dgm_status dgm_spm_parse(struct dgm_env *env, struct dgm_spm *spm, const char *bytes, size_t size,
                         const char *name)
{
    DGM_TRY(dgm_buf_add(env, &spm->file, bytes, size));
    DGM_TRY(dgm_spm_file_read(env, spm, name));
    DGM_TRY(find_unknown(env, spm, name));
    DGM_TRY(find_bytes(env, spm, name));
    find_bounds(spm);
    DGM_TRY(build_trie(env, spm, &spm->defined, DGM_SPM_USER_DEFINED));
    if (spm->kind != DGM_SPM_UNIGRAM)
        return DGM_OK;
    DGM_TRY(weigh(env, spm));
    return build_trie(env, spm, &spm->text, DGM_SPM_NORMAL);
}

dgm_status dgm_spm_load(struct dgm_env *env, struct dgm_spm *spm, const char *path)
{
    struct dgm_buf text = { .data = NULL };
    dgm_status status = dgm_file_read(env, &text, path);

    if (status == DGM_OK)
        status =
            dgm_magic_check(env, DGM_DATA, path, text.data, text.size, "a SentencePiece model");
    if (status == DGM_OK)
        status = dgm_spm_parse(env, spm, text.data, text.size, path);
    dgm_buf_clear(env, &text);
    return status;
}

void dgm_spm_clear(struct dgm_env *env, struct dgm_spm *spm)
{
    dgm_buf_clear(env, &spm->file);
    dgm_map_clear(env, &spm->pieces);
    dgm_release(env, spm->scores);
    dgm_release(env, spm->weights);
    dgm_trie_clear(env, &spm->text);
    dgm_trie_clear(env, &spm->defined);
    dgm_buf_clear(env, &spm->unk_surface);
    dgm_buf_clear(env, &spm->rules.name);
    dgm_buf_clear(env, &spm->denormal.name);
    memset(spm, 0, sizeof *spm);
}
