/*
 * charsmap_build.c: replacement rules from the tables of Unicode, and their double-array trie.
 *
 * The trie is that of text/spm/trie.h with a NUL behind each string, written in the units that
 * text/spm/charsmap.c describes.
 */
#include "text/spm_learn/charsmap_build.h"

#include "base/le.h"
#include "base/mem.h"
#include "text/spm/trie.h"
#include "text/unicode/piece_data.h"
#include "text/unicode/utf8.h"

enum { TRIE_BLOCK = 256 }; /* units; the children of a node are in one block */
enum { MOST_PARTS = 8 };   /* characters of a rule; the tables need 4 */
enum { HANGUL = 0xAC00, HANGUL_L = 0x1100, HANGUL_V = 0x1161, HANGUL_T = 0x11A7 };
enum { HANGUL_LS = 19, HANGUL_VS = 21, HANGUL_TS = 28 };
enum { VOICED = 0x3099, SEMIVOICED = 0x309A, HALF_VOICED = 0xFF9E, HALF_SEMIVOICED = 0xFF9F };
enum { HALF_KANA = 0xFF66, HALF_KANA_END = 0xFF9E, FULLWIDTH_TILDE = 0xFF5E };

const char *dgm_spm_normal_name(enum dgm_spm_normal normal)
{
    static const char *const names[] = { "identity", "nfkc", "nmt_nfkc" };

    return names[normal];
}

/* One rule: where its string lies among those of all, and where its replacement. */
struct rule {
    size_t key, size, text;
};

struct rules {
    struct dgm_buf keys, texts; /* each ended by a NUL */
    struct rule *items;
    size_t count, capacity;
};

static dgm_status add_codes(struct dgm_env *env, struct dgm_buf *out, const uint32_t *codes,
                            size_t count)
{
    for (size_t i = 0; i < count; i++)
        DGM_TRY(dgm_utf8_add(env, out, codes[i]));
    return dgm_buf_add_char(env, out, '\0');
}

static dgm_status add_rule(struct dgm_env *env, struct rules *rules, const uint32_t *from,
                           size_t from_count, const uint32_t *to, size_t to_count)
{
    struct rule *rule;

    DGM_TRY(dgm_grow(env, &rules->items, &rules->capacity, rules->count, sizeof *rules->items));
    rule = &rules->items[rules->count++];
    rule->key = rules->keys.size;
    rule->text = rules->texts.size;
    DGM_TRY(add_codes(env, &rules->keys, from, from_count));
    rule->size = rules->keys.size - rule->key;
    return add_codes(env, &rules->texts, to, to_count);
}

/* ---- NFKC ----------------------------------------------------------------------------------- */

static dgm_status add_singles(struct dgm_env *env, struct rules *rules, enum dgm_spm_normal normal)
{
    const uint32_t *words = dgm_piece_nfkc_words;

    for (size_t i = 0; i < dgm_piece_nfkc_word_count; i += 1 + (words[i] >> 24)) {
        const uint32_t from = words[i] & 0xFFFFFF;

        if (normal == DGM_SPM_NMT_NFKC && from == FULLWIDTH_TILDE)
            continue; /* Japanese text uses both tildes, for different things */
        DGM_TRY(add_rule(env, rules, &from, 1, words + i + 1, words[i] >> 24));
    }
    return DGM_OK;
}

/* The half-width kana that stands for one of full width; 0: none. */
static uint32_t half_kana(uint32_t code)
{
    const uint32_t *words = dgm_piece_nfkc_words;

    for (size_t i = 0; i < dgm_piece_nfkc_word_count; i += 1 + (words[i] >> 24)) {
        const uint32_t from = words[i] & 0xFFFFFF;

        if (from >= HALF_KANA && from < HALF_KANA_END && words[i + 1] == code)
            return from;
    }
    return 0;
}

static dgm_status add_voiced(struct dgm_env *env, struct rules *rules, const uint32_t pair[3])
{
    const uint32_t mark = pair[1] == VOICED ? HALF_VOICED : HALF_SEMIVOICED;
    const uint32_t half = half_kana(pair[0]);
    const uint32_t sequences[3][2] = { { pair[0], mark }, { half, mark }, { half, pair[1] } };

    for (int i = 0; i < (half != 0 ? 3 : 1); i++)
        DGM_TRY(add_rule(env, rules, sequences[i], 2, pair + 2, 1));
    return DGM_OK;
}

/* What composes to the character `code`, or NULL. */
static const uint32_t *find_pair(uint32_t code)
{
    const uint32_t *words = dgm_piece_nfkc_pair_words;

    for (size_t i = 0; i < dgm_piece_nfkc_pair_word_count; i += 3)
        if (words[i + 2] == code)
            return words + i;
    return NULL;
}

/* All sequences that compose to one character: the first of them may be composed itself. */
static dgm_status add_pairs(struct dgm_env *env, struct rules *rules)
{
    const uint32_t *words = dgm_piece_nfkc_pair_words;

    for (size_t i = 0; i < dgm_piece_nfkc_pair_word_count; i += 3) {
        const uint32_t *pair = words + i;
        uint32_t parts[MOST_PARTS];
        size_t first = MOST_PARTS - 1;

        parts[first] = pair[1];
        while (pair != NULL && first > 0) {
            parts[--first] = pair[0];
            DGM_TRY(add_rule(env, rules, parts + first, MOST_PARTS - first, words + i + 2, 1));
            pair = find_pair(parts[first]);
            if (pair != NULL)
                parts[first] = pair[1];
        }
        if (words[i + 1] == VOICED || words[i + 1] == SEMIVOICED)
            DGM_TRY(add_voiced(env, rules, words + i));
    }
    return DGM_OK;
}

static dgm_status add_hangul(struct dgm_env *env, struct rules *rules)
{
    for (uint32_t i = 0; i < HANGUL_LS * HANGUL_VS * HANGUL_TS; i++) {
        /* Unicode, 3.12: HANGUL + (lead 21 + vowel) 28 + tail; tail 0: there is none. */
        const uint32_t tail = i % HANGUL_TS, to = HANGUL + i;
        const uint32_t from[3] = { HANGUL_L + i / (HANGUL_VS * HANGUL_TS),
                                   HANGUL_V + i / HANGUL_TS % HANGUL_VS, HANGUL_T + tail };

        DGM_TRY(add_rule(env, rules, from, tail > 0 ? 3 : 2, &to, 1));
    }
    return DGM_OK;
}

/* ---- text for translation ------------------------------------------------------------------- */

/* Blanks of other kinds, and control characters; as the library's documentation lists them. */
static dgm_status add_nmt(struct dgm_env *env, struct rules *rules)
{
    static const uint32_t blanks[] = { 0x9,    0xA,    0xC,    0xD,    0x61C,
                                       0x1680, 0x200B, 0x200C, 0x200E, 0x200F,
                                       0x2028, 0x2029, 0x2581, 0xFEFF, 0xFFFD };
    static const uint32_t ranges[][2] = { { 0x1, 0x8 },   { 0xB, 0xB },   { 0xE, 0x1F },
                                          { 0x7F, 0x7F }, { 0x8F, 0x8F }, { 0x9F, 0x9F } };
    const uint32_t blank = ' ';

    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++)
        DGM_TRY(add_rule(env, rules, &blanks[i], 1, &blank, 1));
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        for (uint32_t code = ranges[i][0]; code <= ranges[i][1]; code++)
            DGM_TRY(add_rule(env, rules, &code, 1, NULL, 0));
    return DGM_OK;
}

/* ---- the trie ------------------------------------------------------------------------------- */

static dgm_status build_trie(struct dgm_env *env, struct dgm_trie *trie, const struct rules *rules)
{
    struct dgm_trie_key *keys;
    dgm_status status;

    DGM_TRY(dgm_new(env, &keys, rules->count, sizeof *keys));
    for (size_t i = 0; i < rules->count; i++) {
        const struct rule *rule = &rules->items[i];

        keys[i] =
            (struct dgm_trie_key){ rules->keys.data + rule->key, rule->size, (int32_t)rule->text };
    }
    status = dgm_trie_build(env, trie, keys, rules->count);
    dgm_release(env, keys);
    return status;
}

/* A base that no node of a block has. There is one where the block has a free unit: each base that
 * is used has a child of its own. */
static uint32_t unused_base(const struct dgm_trie *trie, uint32_t block)
{
    unsigned char is_used[TRIE_BLOCK] = { 0 };
    uint32_t base = block;

    for (uint32_t unit = block; unit < block + TRIE_BLOCK; unit++)
        if (trie->units[unit].parent < trie->count)
            is_used[trie->units[trie->units[unit].parent].base % TRIE_BLOCK] = 1;
    while (base < block + TRIE_BLOCK - 1 && is_used[base % TRIE_BLOCK])
        base++;
    return base;
}

/* A free unit has a label by which no node finds it. */
static uint32_t print_unit(const struct dgm_trie *trie, uint32_t unit, uint32_t unused)
{
    const uint32_t value_bit = UINT32_C(1) << 31;
    const struct dgm_trie_unit *at = &trie->units[unit];
    uint32_t label = 0;

    if (at->parent == DGM_TRIE_NONE)
        return unit ^ unused;
    if (unit != 0)
        label = unit ^ trie->units[at->parent].base;
    if (unit != 0 && label == 0)
        return value_bit | (uint32_t)at->value;
    return label | (uint32_t)(trie->units[at->base].parent == unit) << 8 | (unit ^ at->base) << 10;
}

static dgm_status print(struct dgm_env *env, struct dgm_buf *out, const struct rules *rules)
{
    struct dgm_trie trie = { NULL, 0, 0 };
    uint32_t unused = 0;
    unsigned char bytes[4];
    dgm_status status;

    DGM_TRY_OUT(build_trie(env, &trie, rules));
    if (trie.count >= (size_t)1 << 21) /* offsets have bits 10 to 30 */
        DGM_TRY_OUT(dgm_fail(env, DGM_DATA, "too many replacement rules"));
    dgm_le32_put(bytes, (uint32_t)(4 * trie.count));
    DGM_TRY_OUT(dgm_buf_add(env, out, bytes, 4));
    for (uint32_t unit = 0; unit < trie.count; unit++) {
        if (unit % TRIE_BLOCK == 0)
            unused = unused_base(&trie, unit);
        dgm_le32_put(bytes, print_unit(&trie, unit, unused));
        DGM_TRY_OUT(dgm_buf_add(env, out, bytes, 4));
    }
    status = dgm_buf_add(env, out, rules->texts.data, rules->texts.size);
out:
    dgm_trie_clear(env, &trie);
    return status;
}

dgm_status dgm_charsmap_build(struct dgm_env *env, struct dgm_buf *out, enum dgm_spm_normal normal)
{
    struct rules rules = { 0 };
    dgm_status status;

    if (normal == DGM_SPM_IDENTITY)
        return DGM_OK;
    DGM_TRY_OUT(add_singles(env, &rules, normal));
    DGM_TRY_OUT(add_pairs(env, &rules));
    DGM_TRY_OUT(add_hangul(env, &rules));
    if (normal == DGM_SPM_NMT_NFKC)
        DGM_TRY_OUT(add_nmt(env, &rules));
    status = print(env, out, &rules);
out:
    dgm_buf_clear(env, &rules.keys);
    dgm_buf_clear(env, &rules.texts);
    dgm_release(env, rules.items);
    return status;
}
