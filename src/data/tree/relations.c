/*
 * relations.c: the numbers of dependency relations, learned from trees or taken from a parser.
 */
#include "data/tree/relations.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"
#include "text/bpe/word_counts.h"

static const char *const specials[DGM_RELATION_SPECIALS] = { "<unk>", "</s>" };

/* Adds a name unless it is there already. */
static dgm_status add(struct dgm_env *env, struct dgm_relations *relations, const char *name,
                      size_t bytes)
{
    struct dgm_map_entry *entry;

    if (bytes == 0 || bytes > DGM_VOCAB_TOKEN_LIMIT || relations->map.count >= DGM_VOCAB_LIMIT)
        return DGM_OK; /* a model file would not hold it: it stays unknown */
    return dgm_map_insert(env, &relations->map, name, bytes, &entry, NULL);
}

/* Specials come first; a relation that is spelled like one is unknown. */
static dgm_status add_specials(struct dgm_env *env, struct dgm_relations *relations)
{
    for (size_t i = 0; i < DGM_RELATION_SPECIALS; i++)
        DGM_TRY(add(env, relations, specials[i], strlen(specials[i])));
    return DGM_OK;
}

/* ---- learning ------------------------------------------------------------------------------ */

static dgm_status count_sentence(struct dgm_env *env, void *user,
                                 const struct dgm_conllu_sentence *sentence)
{
    struct dgm_map *counts = user;
    struct dgm_map_entry *entry;

    for (int32_t w = 0; w < sentence->tree.count && sentence->tree.has_parse; w++) {
        const char *relation = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);

        if (strcmp(relation, "_") == 0)
            continue;
        DGM_TRY(dgm_map_insert(env, counts, relation, strlen(relation), &entry, NULL));
        entry->value++;
    }
    return DGM_OK;
}

static dgm_status add_counted(struct dgm_env *env, struct dgm_relations *relations,
                              const struct dgm_map *counts)
{
    uint32_t *order = NULL;
    dgm_status status;

    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, counts, DGM_WORD_COUNTS_BYTES));
    DGM_TRY_OUT(add_specials(env, relations));
    for (size_t i = 0; i < counts->count; i++) {
        const struct dgm_map_entry *entry = &counts->entries[order[i]];

        DGM_TRY_OUT(add(env, relations, dgm_map_key(counts, entry), entry->length));
    }
out:
    dgm_release(env, order);
    return status;
}

dgm_status dgm_relations_learn(struct dgm_env *env, struct dgm_relations *relations,
                               const char *path)
{
    /* As a corpus reads its trees, so that no relation of a corpus is missed. */
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP, .allow_unparsed = 1 };
    struct dgm_map counts;
    dgm_status status;

    memset(&counts, 0, sizeof counts);
    DGM_TRY_OUT(dgm_conllu_reader_each(env, path, &options, count_sentence, &counts));
    if (counts.count == 0)
        DGM_TRY_OUT(dgm_fail_at(env, DGM_DATA, path, 0, 0,
                                "no word has a relation; expected one in "
                                "the DEPREL column of every word"));
    DGM_TRY_OUT(add_counted(env, relations, &counts));
out:
    dgm_map_clear(env, &counts);
    return status;
}

dgm_status dgm_relations_add_labels(struct dgm_env *env, struct dgm_relations *relations,
                                    const struct dgm_vocab *labels)
{
    DGM_TRY(add_specials(env, relations));
    for (uint32_t i = DGM_VOCAB_SPECIALS; i < dgm_vocab_size(labels); i++) {
        size_t bytes;
        const char *label = dgm_vocab_token(labels, i, &bytes);

        DGM_TRY(add(env, relations, label, bytes));
    }
    return DGM_OK;
}

/* ---- model files --------------------------------------------------------------------------- */

static dgm_status set_name(struct dgm_env *env, struct dgm_relations *relations, const char *text,
                           size_t bytes, size_t number, const char *name)
{
    struct dgm_map_entry *entry;
    int is_new;

    if (number < DGM_RELATION_SPECIALS &&
        (strlen(specials[number]) != bytes || memcmp(specials[number], text, bytes) != 0))
        return dgm_fail(env, DGM_MODEL, "%s: tag %zu is not %s", name, number, specials[number]);
    if (bytes == 0 || bytes > DGM_VOCAB_TOKEN_LIMIT || memchr(text, '\0', bytes) != NULL)
        return dgm_fail(env, DGM_MODEL, "%s: tag %zu is no name of 1 to %d bytes", name, number,
                        DGM_VOCAB_TOKEN_LIMIT);
    DGM_TRY(dgm_map_insert(env, &relations->map, text, bytes, &entry, &is_new));
    if (!is_new)
        return dgm_fail(env, DGM_MODEL, "%s: tags %zu and %zu are the same", name,
                        (size_t)(entry - relations->map.entries), number);
    return DGM_OK;
}

dgm_status dgm_relations_set(struct dgm_env *env, struct dgm_relations *relations,
                             const char *const *names, const size_t *bytes, size_t count,
                             const char *name)
{
    dgm_status status = DGM_OK;

    dgm_relations_clear(env, relations);
    if (count < DGM_RELATION_SPECIALS || count > DGM_VOCAB_LIMIT)
        return dgm_fail(env, DGM_MODEL, "%s: %zu tags; expected %d to %zu", name, count,
                        (int)DGM_RELATION_SPECIALS, DGM_VOCAB_LIMIT);
    for (size_t i = 0; i < count && status == DGM_OK; i++)
        status = set_name(env, relations, names[i], bytes[i], i, name);
    if (status != DGM_OK)
        dgm_relations_clear(env, relations);
    return status;
}

/* ---- use ----------------------------------------------------------------------------------- */

size_t dgm_relations_size(const struct dgm_relations *relations)
{
    return relations->map.count;
}

int32_t dgm_relations_find(const struct dgm_relations *relations, const char *relation)
{
    const struct dgm_map_entry *entry = dgm_map_find(&relations->map, relation, strlen(relation));

    if (entry == NULL || entry - relations->map.entries < DGM_RELATION_SPECIALS)
        return -1;
    return (int32_t)(entry - relations->map.entries);
}

const char *dgm_relations_name(const struct dgm_relations *relations, size_t number, size_t *bytes)
{
    const struct dgm_map_entry *entry = &relations->map.entries[number];

    if (bytes != NULL)
        *bytes = entry->length;
    return dgm_map_key(&relations->map, entry);
}

int dgm_relations_same(const struct dgm_relations *a, const struct dgm_relations *b)
{
    size_t i, count = dgm_relations_size(a);

    if (dgm_relations_size(b) != count)
        return 0;
    for (i = 0; i < count; i++)
        if (strcmp(dgm_relations_name(a, i, NULL), dgm_relations_name(b, i, NULL)) != 0)
            return 0;
    return 1;
}

void dgm_relations_clear(struct dgm_env *env, struct dgm_relations *relations)
{
    dgm_map_clear(env, &relations->map);
}
