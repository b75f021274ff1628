/*
 * learner.c: text into counts of characters and of stretches that pieces are found in.
 */
#include "text/spm_learn/learn.h"

#include <string.h>

#include "base/mem.h"
#include "base/number/format.h"
#include "text/spm/spm_normalize.h"
#include "text/spm_learn/frequent.h"
#include "text/spm_learn/model_write.h"
#include "text/unicode/piece_data.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

enum { LONG_VOWEL_MARK = 0x30FC, SPACE = 0x2581 }; /* the first is shared by both kana */

void dgm_spm_learn_defaults(struct dgm_spm_learn_options *options)
{
    /* Numbers as in the library's spm_train. */
    *options = (struct dgm_spm_learn_options){ .kind = DGM_SPM_UNIGRAM,
                                               .normal = DGM_SPM_NMT_NFKC,
                                               .pieces = 8000,
                                               .coverage = 0.9995,
                                               .seeds = 1000000,
                                               .longest_line = 4192 };
}

dgm_status dgm_spm_learn_choose(struct dgm_env *env, struct dgm_spm_learn_options *options,
                                const char *kind, const char *normal)
{
    int k = DGM_SPM_UNIGRAM, n = DGM_SPM_IDENTITY;

    while (k < DGM_SPM_KINDS && strcmp(kind, dgm_spm_kind_name((enum dgm_spm_kind)k)) != 0)
        k++;
    while (n <= DGM_SPM_NMT_NFKC &&
           strcmp(normal, dgm_spm_normal_name((enum dgm_spm_normal)n)) != 0)
        n++;
    if (k == DGM_SPM_KINDS || n > DGM_SPM_NMT_NFKC)
        return dgm_fail(env, DGM_USAGE,
                        "pieces of kind \"%s\", normalisation \"%s\"; expected unigram, bpe, char "
                        "or word, and nmt_nfkc, nfkc or identity",
                        kind, normal);
    options->kind = (enum dgm_spm_kind)k;
    options->normal = (enum dgm_spm_normal)n;
    return DGM_OK;
}

/* ---- symbols -------------------------------------------------------------------------------- */

static dgm_status check_symbol(struct dgm_env *env, const char *symbol)
{
    const size_t size = strlen(symbol);
    size_t offset, length;
    char quoted[DGM_QUOTE_SIZE];
    long column;
    const char *what = NULL;

    dgm_quote(quoted, sizeof quoted, symbol, size);
    if (size == 0 || size >= DGM_SPM_PIECE_BYTES)
        what = "is empty or too long";
    else if (dgm_utf8_find_bad(symbol, size, &offset, &length, &column))
        what = "is no UTF-8";
    else if (strchr(symbol, '\n') != NULL || strchr(symbol, ' ') != NULL)
        what = "has a blank or an end of line";
    else if (dgm_spm_learn_is_reserved(symbol, size))
        what = "is a piece that each model has";
    if (what == NULL)
        return DGM_OK;
    return dgm_fail(env, DGM_USAGE, "symbol \"%s\" %s; expected a text that is never cut", quoted,
                    what);
}

/* Two symbols that are the same make a trie impossible, which is no message for a user. */
static dgm_status check_twice(struct dgm_env *env, const struct dgm_spm_learn_options *options,
                              size_t i)
{
    char quoted[DGM_QUOTE_SIZE];

    for (size_t j = 0; j < i; j++)
        if (strcmp(options->symbols[i], options->symbols[j]) == 0) {
            dgm_quote(quoted, sizeof quoted, options->symbols[i], strlen(options->symbols[i]));
            return dgm_fail(env, DGM_USAGE, "symbol \"%s\" is named twice; expected once", quoted);
        }
    return DGM_OK;
}

static dgm_status build_symbols(struct dgm_env *env, struct dgm_spm_learner *learner)
{
    const struct dgm_spm_learn_options *options = &learner->options;
    struct dgm_trie_key *keys;
    dgm_status status;

    DGM_TRY(dgm_new(env, &keys, options->symbol_count, sizeof *keys));
    for (size_t i = 0; i < options->symbol_count; i++) {
        DGM_TRY_OUT(check_symbol(env, options->symbols[i]));
        DGM_TRY_OUT(check_twice(env, options, i));
        keys[i] =
            (struct dgm_trie_key){ options->symbols[i], strlen(options->symbols[i]), (int32_t)i };
    }
    status = dgm_trie_build(env, &learner->symbols, keys, options->symbol_count);
out:
    dgm_release(env, keys);
    return status;
}

dgm_status dgm_spm_learner_init(struct dgm_env *env, struct dgm_spm_learner *learner,
                                const struct dgm_spm_learn_options *options)
{
    const char *name = dgm_spm_normal_name(options->normal);

    learner->options = *options;
    learner->rules.dummy_prefix = learner->rules.remove_extra = 1;
    learner->rules.escape_whitespaces = 1;
    DGM_TRY(dgm_buf_add_text(env, &learner->rules.name, name));
    DGM_TRY(dgm_charsmap_build(env, &learner->charsmap, options->normal));
    DGM_TRY(dgm_charsmap_read(env, &learner->rules.charsmap, learner->charsmap.data,
                              learner->charsmap.size, name));
    return build_symbols(env, learner);
}

void dgm_spm_learner_clear(struct dgm_env *env, struct dgm_spm_learner *learner)
{
    dgm_buf_clear(env, &learner->charsmap);
    dgm_buf_clear(env, &learner->rules.name);
    dgm_trie_clear(env, &learner->symbols);
    dgm_map_clear(env, &learner->stretches);
    dgm_map_clear(env, &learner->characters);
    dgm_buf_clear(env, &learner->line);
    memset(learner, 0, sizeof *learner);
}

/* ---- stretches ------------------------------------------------------------------------------ */

/* The script of a character as boundaries of pieces see it; `before`: that of what stands in front,
 * which marks take over. */
static int script_of(uint32_t code, int before)
{
    int script;

    if (code == LONG_VOWEL_MARK)
        return DGM_PIECE_HAN;
    script = (int)dgm_unicode_run(dgm_piece_script_runs, dgm_piece_script_run_count, 8, code);
    return script == DGM_PIECE_INHERITED ? before : script;
}

static dgm_status count(struct dgm_env *env, struct dgm_map *map, const char *text, size_t bytes,
                        int64_t times)
{
    return bytes > 0 ? dgm_map_count(env, map, text, bytes, times) : DGM_OK;
}

/* What stands at a place of a line: where a stretch ends before it, and how many bytes it has. */
struct place {
    size_t bytes;
    int is_symbol, begins, script; /* script: 0: whatever it is beside */
};

static struct place look(const struct dgm_spm_learner *learner, const char *text, size_t bytes,
                         int script)
{
    struct place place = { 0, 0, 0, 0 };
    uint32_t code;

    place.bytes = dgm_trie_longest(&learner->symbols, text, bytes);
    place.is_symbol = place.bytes > 0;
    if (place.is_symbol)
        return place;
    place.bytes = dgm_utf8_decode(&code, text, bytes);
    if (code == 0) { /* no piece may have a NUL */
        place.is_symbol = 1;
        return place;
    }
    place.begins = code == SPACE;
    if (place.begins || learner->options.kind == DGM_SPM_WORD)
        return place;
    place.script = script_of(code, script);
    place.begins = place.script != 0 && script != 0 && place.script != script;
    return place;
}

static dgm_status count_stretches(struct dgm_env *env, struct dgm_spm_learner *learner,
                                  const char *text, size_t size)
{
    size_t start = 0, at = 0;
    int script = 0;

    while (at < size) {
        struct place place = look(learner, text + at, size - at, script);

        if (place.begins || place.is_symbol) {
            DGM_TRY(count(env, &learner->stretches, text + start, at - start, 1));
            start = at + (place.is_symbol ? place.bytes : 0);
        }
        script = place.script != 0 || place.is_symbol || place.begins ? place.script : script;
        at += place.bytes;
    }
    return count(env, &learner->stretches, text + start, size - start, 1);
}

dgm_status dgm_spm_learner_line(struct dgm_env *env, struct dgm_spm_learner *learner,
                                const char *line, size_t bytes)
{
    learner->lines++;
    if (bytes > learner->options.longest_line) {
        learner->too_long++;
        return DGM_OK;
    }
    dgm_buf_reset(&learner->line);
    DGM_TRY(
        dgm_spm_normalize(env, &learner->rules, &learner->symbols, &learner->line, line, bytes));
    return count_stretches(env, learner, learner->line.data, learner->line.size);
}

/* ---- characters ----------------------------------------------------------------------------- */

static dgm_status count_characters(struct dgm_env *env, struct dgm_spm_learner *learner,
                                   struct dgm_map *all)
{
    const struct dgm_map *stretches = &learner->stretches;
    uint32_t code;

    for (size_t i = 0; i < stretches->count; i++) {
        const struct dgm_map_entry *entry = &stretches->entries[i];
        const char *text = dgm_map_key(stretches, entry);
        size_t at = 0, bytes;

        for (; at < entry->length; at += bytes) {
            bytes = dgm_utf8_decode(&code, text + at, entry->length - at);
            DGM_TRY(count(env, all, text + at, bytes, entry->value));
        }
    }
    return DGM_OK;
}

/* The most frequent ones, up to the share of all that is to be covered; or all that are few. */
static dgm_status choose_characters(struct dgm_env *env, struct dgm_spm_learner *learner)
{
    struct dgm_spm_sorted *sorted = NULL;
    struct dgm_map all = { 0 };
    double sum = 0.0, covered = 0.0, share;
    dgm_status status;

    DGM_TRY_OUT(count_characters(env, learner, &all));
    DGM_TRY_OUT(dgm_spm_sort(env, &all, &sorted));
    for (size_t i = 0; i < all.count; i++)
        sum += (double)all.entries[i].value;
    share = all.count <= learner->options.few ? 1.0 : learner->options.coverage;
    for (size_t i = 0; i < all.count && covered < share * sum; i++) {
        covered += (double)sorted[i].count;
        DGM_TRY_OUT(
            count(env, &learner->characters, sorted[i].text, sorted[i].bytes, sorted[i].count));
    }
out:
    dgm_map_clear(env, &all);
    dgm_release(env, sorted);
    return status;
}

/* Cuts stretches at characters that are no pieces, into a new map. */
static dgm_status cut_stretches(struct dgm_env *env, struct dgm_spm_learner *learner,
                                struct dgm_map *cut)
{
    const struct dgm_map *stretches = &learner->stretches;
    uint32_t code;

    for (size_t i = 0; i < stretches->count; i++) {
        const struct dgm_map_entry *entry = &stretches->entries[i];
        const char *text = dgm_map_key(stretches, entry);
        size_t at = 0, start = 0, bytes;

        for (; at < entry->length; at += bytes) {
            bytes = dgm_utf8_decode(&code, text + at, entry->length - at);
            if (dgm_map_find(&learner->characters, text + at, bytes) != NULL)
                continue;
            DGM_TRY(count(env, cut, text + start, at - start, entry->value));
            start = at + bytes;
        }
        DGM_TRY(count(env, cut, text + start, entry->length - start, entry->value));
    }
    return DGM_OK;
}

/* ---- the model ------------------------------------------------------------------------------ */

static dgm_status learn(struct dgm_env *env, struct dgm_spm_learner *learner,
                        const struct dgm_spm_learn_input *input, struct dgm_spm_learned_set *set)
{
    switch (learner->options.kind) {
    case DGM_SPM_UNIGRAM: return dgm_spm_learn_unigram(env, input, set);
    case DGM_SPM_BPE: return dgm_spm_learn_merges(env, input, set);
    case DGM_SPM_WORD: return dgm_spm_learn_frequent(env, &learner->stretches, input->pieces, set);
    default: return dgm_spm_learn_frequent(env, input->characters, input->pieces, set);
    }
}

/* Pieces that are to be learned, beside those that each model has. */
static dgm_status find_room(struct dgm_env *env, const struct dgm_spm_learner *learner,
                            size_t *pieces)
{
    const size_t given = dgm_spm_learn_given(&learner->options), all = learner->options.pieces;
    const size_t needed = learner->options.kind == DGM_SPM_WORD ? 1 : learner->characters.count;

    if (learner->stretches.count == 0)
        return dgm_fail(env, DGM_DATA, "%lld lines, %lld of them too long: no text to learn from",
                        (long long)learner->lines, (long long)learner->too_long);
    if (all < given + needed)
        return dgm_fail(env, DGM_USAGE,
                        "%zu pieces: %zu are needed, for %zu characters and %zu symbols and bytes; "
                        "expected more pieces, or a lower character coverage",
                        all, given + needed, needed, given);
    *pieces = all - given;
    return DGM_OK;
}

static void warn(struct dgm_env *env, const struct dgm_spm_learner *learner, size_t asked,
                 size_t learned)
{
    if (learner->too_long > 0)
        dgm_log(env, DGM_LOG_WARNING, "%lld of %lld lines have more than %zu bytes: passed over",
                (long long)learner->too_long, (long long)learner->lines,
                learner->options.longest_line);
    if (learned < asked && !learner->options.may_be_fewer)
        dgm_log(env, DGM_LOG_WARNING,
                "the text gives %zu pieces, where %zu were to be learned; the model has %zu",
                learned, asked, learned + dgm_spm_learn_given(&learner->options));
}

dgm_status dgm_spm_learner_finish(struct dgm_env *env, struct dgm_spm_learner *learner,
                                  struct dgm_buf *out)
{
    struct dgm_spm_learned_set set = { 0 };
    struct dgm_spm_learn_input input = { .characters = &learner->characters,
                                         .seeds = learner->options.seeds };
    struct dgm_map cut = { 0 };
    dgm_status status;

    DGM_TRY_OUT(choose_characters(env, learner));
    DGM_TRY_OUT(find_room(env, learner, &input.pieces));
    DGM_TRY_OUT(cut_stretches(env, learner, &cut));
    input.stretches = &cut;
    DGM_TRY_OUT(learn(env, learner, &input, &set));
    warn(env, learner, input.pieces, set.count);
    status = dgm_spm_model_write(env, learner, &set, out);
out:
    dgm_map_clear(env, &cut);
    dgm_spm_learned_clear(env, &set);
    return status;
}
