/*
 * feature.c: the names of a feature of source words, learned from trees or taken from a parser.
 */
#include "data/tree/feature.h"

#include <string.h>

#include "base/bytes.h"
#include "base/mem.h"
#include "data/text/unknown.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/bpe/word_counts.h"

const char *const dgm_feature_titles[DGM_WORD_FEATURES] = { "relation", "lemma", "UPOS tag",
                                                            "XPOS tag" };
const char *const dgm_feature_columns[DGM_WORD_FEATURES] = { "DEPREL", "LEMMA", "UPOS", "XPOS" };

static const char *const specials[DGM_FEATURE_SPECIALS] = { "<unk>", "</s>" };

/* Adds a name unless it is there already. */
static dgm_status add(struct dgm_env *env, struct dgm_feature *feature, const char *name,
                      size_t bytes)
{
    if (bytes == 0 || bytes > DGM_VOCAB_TOKEN_LIMIT || feature->map.count >= DGM_VOCAB_LIMIT)
        return DGM_OK; /* a model file would not hold it: it stays unknown */
    return dgm_map_insert(env, &feature->map, name, bytes, NULL, NULL);
}

/* Specials come first; a name that is spelled like one is unknown. */
static dgm_status add_specials(struct dgm_env *env, struct dgm_feature *feature)
{
    for (size_t i = 0; i < DGM_FEATURE_SPECIALS; i++)
        DGM_TRY(add(env, feature, specials[i], strlen(specials[i])));
    return DGM_OK;
}

const char *dgm_feature_of_word(const struct dgm_conllu_sentence *sentence, int32_t word,
                                enum dgm_feature_kind kind)
{
    static const enum dgm_conllu_column fields[DGM_WORD_FEATURES] = {
        DGM_CONLLU_DEPREL, DGM_CONLLU_LEMMA, DGM_CONLLU_UPOS, DGM_CONLLU_XPOS
    };
    const char *name;

    if (kind == DGM_FEATURE_DEPREL && !sentence->tree.has_parse)
        return NULL;
    name = dgm_conllu_field(sentence, word, fields[kind]);
    return strcmp(name, "_") == 0 ? NULL : name;
}

/* ---- learning ------------------------------------------------------------------------------ */

struct learning {
    enum dgm_feature_kind kind;
    struct dgm_map counts;
};

static dgm_status count_sentence(struct dgm_env *env, void *user,
                                 const struct dgm_conllu_sentence *sentence)
{
    struct learning *learning = user;

    for (int32_t w = 0; w < sentence->tree.count; w++) {
        const char *name = dgm_feature_of_word(sentence, w, learning->kind);

        if (name != NULL)
            DGM_TRY(dgm_map_count(env, &learning->counts, name, strlen(name), 1));
    }
    return DGM_OK;
}

static dgm_status add_counted(struct dgm_env *env, struct dgm_feature *feature,
                              const struct dgm_map *counts, int64_t min_count)
{
    uint32_t *order = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, counts, DGM_WORD_COUNTS_BYTES));
    DGM_TRY_OUT(add_specials(env, feature));
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *entry = &counts->entries[order[i]];

        if (entry->value >= min_count)
            DGM_TRY_OUT(add(env, feature, dgm_map_key(counts, entry), entry->length));
    }
out:
    dgm_release(env, order);
    return status;
}

dgm_status dgm_feature_learn(struct dgm_env *env, struct dgm_feature *feature,
                             enum dgm_feature_kind kind, const char *const *paths, size_t count,
                             int64_t min_count)
{
    /* As a corpus reads its trees, so that no name of a corpus is missed. */
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP,
                                          .allow_unparsed = 1,
                                          .allow_empty = 1 };
    struct learning learning = { .kind = kind };
    dgm_status status;

    for (size_t i = 0; i < count; i++)
        DGM_TRY_OUT(dgm_conllu_reader_each(env, paths[i], &options, count_sentence, &learning));
    if (learning.counts.count == 0)
        DGM_TRY_OUT(dgm_fail_at(env, DGM_DATA, paths[0], 0, 0,
                                "no word has any %s; expected one in the %s column of every word",
                                dgm_feature_titles[kind], dgm_feature_columns[kind]));
    DGM_TRY_OUT(add_counted(env, feature, &learning.counts, min_count));
out:
    dgm_map_clear(env, &learning.counts);
    return status;
}

dgm_status dgm_feature_add_classes(struct dgm_env *env, struct dgm_feature *feature,
                                   const struct dgm_vocab *classes)
{
    DGM_TRY(add_specials(env, feature));
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(classes); i++) {
        size_t bytes;
        const char *name = dgm_vocab_token(classes, i, &bytes);

        DGM_TRY(add(env, feature, name, bytes));
    }
    return DGM_OK;
}

/* ---- model files --------------------------------------------------------------------------- */

static dgm_status set_name(struct dgm_env *env, struct dgm_feature *feature, const char *text,
                           size_t bytes, size_t number, const char *name)
{
    struct dgm_map_entry *entry;
    int is_new;

    if (number < DGM_FEATURE_SPECIALS && !dgm_bytes_are(text, bytes, specials[number]))
        return dgm_fail(env, DGM_MODEL, "%s: tag %zu is not %s", name, number, specials[number]);
    if (bytes == 0 || bytes > DGM_VOCAB_TOKEN_LIMIT || memchr(text, '\0', bytes) != NULL)
        return dgm_fail(env, DGM_MODEL, "%s: tag %zu is no name of 1 to %d bytes", name, number,
                        DGM_VOCAB_TOKEN_LIMIT);
    DGM_TRY(dgm_map_insert(env, &feature->map, text, bytes, &entry, &is_new));
    if (!is_new)
        return dgm_fail(env, DGM_MODEL, "%s: tags %zu and %zu are the same", name,
                        (size_t)(entry - feature->map.entries), number);
    return DGM_OK;
}

dgm_status dgm_feature_set(struct dgm_env *env, struct dgm_feature *feature,
                           const char *const *names, const size_t *bytes, size_t count,
                           const char *name)
{
    dgm_status status = DGM_OK;

    dgm_feature_clear(env, feature);
    if (count < DGM_FEATURE_SPECIALS || count > DGM_VOCAB_LIMIT)
        return dgm_fail(env, DGM_MODEL, "%s: %zu tags; expected %d to %zu", name, count,
                        (int)DGM_FEATURE_SPECIALS, DGM_VOCAB_LIMIT);
    for (size_t i = 0; i < count && status == DGM_OK; i++)
        status = set_name(env, feature, names[i], bytes[i], i, name);
    if (status != DGM_OK)
        dgm_feature_clear(env, feature);
    return status;
}

/* ---- use ----------------------------------------------------------------------------------- */

size_t dgm_feature_size(const struct dgm_feature *feature)
{
    return feature->map.count;
}

int32_t dgm_feature_find(const struct dgm_feature *feature, const char *relation)
{
    const struct dgm_map_entry *entry = dgm_map_find(&feature->map, relation, strlen(relation));

    if (entry == NULL || entry - feature->map.entries < DGM_FEATURE_SPECIALS)
        return -1;
    return (int32_t)(entry - feature->map.entries);
}

const char *dgm_feature_name(const struct dgm_feature *feature, size_t number, size_t *bytes)
{
    const struct dgm_map_entry *entry = &feature->map.entries[number];

    if (bytes != NULL)
        *bytes = entry->length;
    return dgm_map_key(&feature->map, entry);
}

int dgm_feature_same(const struct dgm_feature *a, const struct dgm_feature *b)
{
    size_t i, count = dgm_feature_size(a);

    if (dgm_feature_size(b) != count)
        return 0;
    for (i = 0; i < count; i++)
        if (strcmp(dgm_feature_name(a, i, NULL), dgm_feature_name(b, i, NULL)) != 0)
            return 0;
    return 1;
}

void dgm_feature_clear(struct dgm_env *env, struct dgm_feature *feature)
{
    dgm_map_clear(env, &feature->map);
}

void dgm_features_clear(struct dgm_env *env, struct dgm_features *features)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        dgm_feature_clear(env, &features->of[kind]);
}

/* ---- counts ---------------------------------------------------------------------------------- */

void dgm_feature_counts_word(struct dgm_feature_counts *counts, enum dgm_feature_kind kind,
                             const char *name, int32_t number)
{
    counts->missing[kind] += name == NULL;
    counts->unknown[kind] += name != NULL && number < 0;
}

void dgm_feature_counts_add(struct dgm_feature_counts *counts,
                            const struct dgm_feature_counts *more)
{
    counts->words += more->words;
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++) {
        counts->missing[kind] += more->missing[kind];
        counts->unknown[kind] += more->unknown[kind];
    }
}

void dgm_feature_counts_tell_unknown(struct dgm_env *env, const struct dgm_feature_counts *counts,
                                     const char *text, const char *path)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        if (counts->unknown[kind] > 0)
            dgm_log(env,
                    dgm_unknown_are_many(counts->unknown[kind], counts->words) ? DGM_LOG_WARNING
                                                                               : DGM_LOG_NOTE,
                    "%s: %ld of %ld words have a %s in %s that the model does not know", text,
                    counts->unknown[kind], counts->words, dgm_feature_titles[kind], path);
}
