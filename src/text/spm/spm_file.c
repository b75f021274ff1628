/*
 * spm_file.c: ModelProto of sentencepiece_model.proto: pieces, what they were learned by, and how
 * text is rewritten.
 *
 * Numbers of fields are those of the published .proto file. Fields that say nothing of how text is
 * cut or put together are passed over.
 */
#include "text/spm/spm_file.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/format.h"
#include "text/spm/wire.h"
#include "text/unicode/utf8.h"

enum { MODEL_PIECE = 1, MODEL_TRAINER = 2, MODEL_NORMALIZER = 3, MODEL_DENORMALIZER = 5 };
enum { PIECE_TEXT = 1, PIECE_SCORE = 2, PIECE_TYPE = 3 };
enum { TRAINER_KIND = 3, TRAINER_SUFFIX = 24, TRAINER_BYTES = 35, TRAINER_UNK_SURFACE = 44 };
enum { RULES_NAME = 1, RULES_MAP = 2, RULES_PREFIX = 3, RULES_EXTRA = 4, RULES_ESCAPE = 5 };

/* ---- pieces --------------------------------------------------------------------------------- */

struct piece {
    const char *text;
    size_t size;
    float score;
    uint64_t type;
};

static dgm_status read_piece(struct dgm_env *env, struct dgm_wire *wire, struct piece *piece)
{
    struct dgm_wire_field field;
    uint32_t bits;

    *piece = (struct piece){ .type = DGM_SPM_NORMAL };
    while (wire->at < wire->end) {
        DGM_TRY(dgm_wire_next(env, wire, &field));
        if (field.number == PIECE_TEXT) {
            DGM_TRY(dgm_wire_want(env, wire, &field, DGM_WIRE_BYTES, "the text of a piece"));
            piece->text = field.bytes;
            piece->size = field.size;
        } else if (field.number == PIECE_SCORE) {
            DGM_TRY(dgm_wire_want(env, wire, &field, DGM_WIRE_FIXED32, "the score of a piece"));
            bits = (uint32_t)field.value;
            memcpy(&piece->score, &bits, sizeof bits);
        } else if (field.number == PIECE_TYPE) {
            DGM_TRY(dgm_wire_want(env, wire, &field, DGM_WIRE_VARINT, "the type of a piece"));
            piece->type = field.value;
        }
    }
    return DGM_OK;
}

static dgm_status check_piece(struct dgm_env *env, const struct piece *piece, size_t id,
                              const char *name)
{
    size_t offset, length;
    long column;

    if (piece->size == 0 || piece->size >= DGM_SPM_PIECE_BYTES)
        return dgm_fail_at(env, DGM_DATA, name, 0, 0, "piece %zu has %zu bytes; expected 1 to %d",
                           id, piece->size, DGM_SPM_PIECE_BYTES - 1);
    if (dgm_utf8_find_bad(piece->text, piece->size, &offset, &length, &column))
        return dgm_fail_at(env, DGM_DATA, name, 0, 0, "piece %zu is no UTF-8 text without a NUL",
                           id);
    if (!(piece->score - piece->score == 0.0F))
        return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                           "piece %zu has a score that is no finite number", id);
    if (piece->type < DGM_SPM_NORMAL || piece->type >= DGM_SPM_TYPES)
        return dgm_fail_at(env, DGM_DATA, name, 0, 0,
                           "piece %zu has the type %llu; expected 1 to %d", id,
                           (unsigned long long)piece->type, DGM_SPM_TYPES - 1);
    if (id >= DGM_SPM_PIECE_LIMIT)
        return dgm_fail_at(env, DGM_DATA, name, 0, 0, "more than %zu pieces", DGM_SPM_PIECE_LIMIT);
    return DGM_OK;
}

static dgm_status add_piece(struct dgm_env *env, struct dgm_spm *spm, const struct piece *piece,
                            const char *name)
{
    struct dgm_map_entry *entry;
    char quoted[DGM_QUOTE_SIZE];
    size_t id = spm->pieces.count;
    int is_new;

    DGM_TRY(check_piece(env, piece, id, name));
    DGM_TRY(dgm_grow(env, &spm->scores, &spm->score_capacity, id, sizeof *spm->scores));
    DGM_TRY(dgm_map_insert(env, &spm->pieces, piece->text, piece->size, &entry, &is_new));
    if (!is_new) {
        dgm_quote(quoted, sizeof quoted, piece->text, piece->size);
        return dgm_fail_at(env, DGM_DATA, name, 0, 0, "piece %zu, \"%s\", is piece %zu again", id,
                           quoted, (size_t)(entry - spm->pieces.entries));
    }
    entry->value = (int64_t)piece->type;
    spm->scores[id] = piece->score;
    return DGM_OK;
}

/* ---- settings ------------------------------------------------------------------------------- */

static dgm_status take_text(struct dgm_env *env, struct dgm_buf *text, const struct dgm_wire *wire,
                            const struct dgm_wire_field *field, const char *what)
{
    DGM_TRY(dgm_wire_want(env, wire, field, DGM_WIRE_BYTES, what));
    dgm_buf_reset(text);
    DGM_TRY(dgm_utf8_check(env, wire->name, 0, field->bytes, field->size));
    return dgm_buf_add(env, text, field->bytes, field->size);
}

static dgm_status take_flag(struct dgm_env *env, int *flag, const struct dgm_wire *wire,
                            const struct dgm_wire_field *field, const char *what)
{
    DGM_TRY(dgm_wire_want(env, wire, field, DGM_WIRE_VARINT, what));
    *flag = field->value != 0;
    return DGM_OK;
}

static dgm_status take_kind(struct dgm_env *env, struct dgm_spm *spm, const struct dgm_wire *wire,
                            const struct dgm_wire_field *field)
{
    DGM_TRY(dgm_wire_want(env, wire, field, DGM_WIRE_VARINT, "model_type"));
    if (field->value < DGM_SPM_UNIGRAM || field->value >= DGM_SPM_KINDS)
        return dgm_fail_at(env, DGM_DATA, wire->name, 0, 0,
                           "model_type %llu; expected 1 to 4: unigram, bpe, word or char",
                           (unsigned long long)field->value);
    spm->kind = (enum dgm_spm_kind)field->value;
    return DGM_OK;
}

static dgm_status read_trainer(struct dgm_env *env, struct dgm_spm *spm, struct dgm_wire *wire)
{
    struct dgm_wire_field field;

    while (wire->at < wire->end) {
        DGM_TRY(dgm_wire_next(env, wire, &field));
        if (field.number == TRAINER_KIND)
            DGM_TRY(take_kind(env, spm, wire, &field));
        else if (field.number == TRAINER_SUFFIX)
            DGM_TRY(take_flag(env, &spm->rules.suffix, wire, &field, "treat_whitespace_as_suffix"));
        else if (field.number == TRAINER_BYTES)
            DGM_TRY(take_flag(env, &spm->byte_fallback, wire, &field, "byte_fallback"));
        else if (field.number == TRAINER_UNK_SURFACE)
            DGM_TRY(take_text(env, &spm->unk_surface, wire, &field, "unk_surface"));
    }
    return DGM_OK;
}

static dgm_status take_map(struct dgm_env *env, struct dgm_spm_rules *rules,
                           const struct dgm_wire *wire, const struct dgm_wire_field *field)
{
    DGM_TRY(dgm_wire_want(env, wire, field, DGM_WIRE_BYTES, "precompiled_charsmap"));
    return dgm_charsmap_read(env, &rules->charsmap, field->bytes, field->size, wire->name);
}

static dgm_status read_rules(struct dgm_env *env, struct dgm_spm_rules *rules,
                             struct dgm_wire *wire)
{
    struct dgm_wire_field field;

    while (wire->at < wire->end) {
        DGM_TRY(dgm_wire_next(env, wire, &field));
        if (field.number == RULES_NAME)
            DGM_TRY(take_text(env, &rules->name, wire, &field, "the name of the rules"));
        else if (field.number == RULES_MAP)
            DGM_TRY(take_map(env, rules, wire, &field));
        else if (field.number == RULES_PREFIX)
            DGM_TRY(take_flag(env, &rules->dummy_prefix, wire, &field, "add_dummy_prefix"));
        else if (field.number == RULES_EXTRA)
            DGM_TRY(take_flag(env, &rules->remove_extra, wire, &field, "remove_extra_whitespaces"));
        else if (field.number == RULES_ESCAPE)
            DGM_TRY(take_flag(env, &rules->escape_whitespaces, wire, &field, "escape_whitespaces"));
    }
    return DGM_OK;
}

/* ---- the file ------------------------------------------------------------------------------- */

/* What holds where the file does not say it. */
static dgm_status set_defaults(struct dgm_env *env, struct dgm_spm *spm)
{
    struct dgm_spm_rules *both[] = { &spm->rules, &spm->denormal };

    spm->kind = DGM_SPM_UNIGRAM;
    for (int i = 0; i < 2; i++)
        both[i]->dummy_prefix = both[i]->remove_extra = both[i]->escape_whitespaces = 1;
    return dgm_buf_add_text(env, &spm->unk_surface, " \xE2\x81\x87 "); /* U+2047 */
}

static dgm_status read_field(struct dgm_env *env, struct dgm_spm *spm, const struct dgm_wire *wire,
                             const struct dgm_wire_field *field)
{
    struct dgm_wire inner;
    struct piece piece;

    if (field->number > MODEL_DENORMALIZER)
        return DGM_OK;
    DGM_TRY(dgm_wire_want(env, wire, field, DGM_WIRE_BYTES, "a part of the model"));
    dgm_wire_enter(&inner, wire, field);
    switch (field->number) {
    case MODEL_PIECE:
        DGM_TRY(read_piece(env, &inner, &piece));
        return add_piece(env, spm, &piece, wire->name);
    case MODEL_TRAINER: return read_trainer(env, spm, &inner);
    case MODEL_NORMALIZER: return read_rules(env, &spm->rules, &inner);
    case MODEL_DENORMALIZER: return read_rules(env, &spm->denormal, &inner);
    default: return DGM_OK;
    }
}

dgm_status dgm_spm_file_read(struct dgm_env *env, struct dgm_spm *spm, const char *name)
{
    struct dgm_wire wire;
    struct dgm_wire_field field;

    DGM_TRY(set_defaults(env, spm));
    dgm_wire_init(&wire, spm->file.data, spm->file.size, name);
    while (wire.at < wire.end) {
        DGM_TRY(dgm_wire_next(env, &wire, &field));
        DGM_TRY(read_field(env, spm, &wire, &field));
    }
    spm->has_denormal = spm->denormal.charsmap.unit_count > 0;
    return DGM_OK;
}
