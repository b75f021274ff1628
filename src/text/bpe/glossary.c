/* glossary.c: what BPE leaves whole: words and regular expressions. */
#include "text/bpe/glossary.h"

#include <string.h>

#include "base/mem.h"

static int is_word(const char *word, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (strchr("\\.^$*+?{}[]()|", word[i]) != NULL)
            return 0;
    return 1;
}

/* "BEFORE WORD BEHIND" without the blanks, compiled. */
static dgm_status compile_between(struct dgm_env *env, struct dgm_regex *regex, const char *before,
                                  const char *word, size_t bytes, const char *behind)
{
    struct dgm_buf text = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_buf_add_text(env, &text, before));
    DGM_TRY_OUT(dgm_buf_add(env, &text, word, bytes));
    DGM_TRY_OUT(dgm_buf_add_text(env, &text, behind));
    status = dgm_regex_compile(env, regex, text.data, text.size);
out:
    dgm_buf_clear(env, &text);
    return status;
}

/* "^(ONE|OTHER)$" of all there are. */
static dgm_status compile_any(struct dgm_env *env, struct dgm_bpe *bpe)
{
    const struct dgm_map *words = &bpe->glossaries;
    struct dgm_buf all = { 0 };
    dgm_status status = DGM_OK;

    for (size_t i = 0; i < words->count; i++) {
        if (i > 0)
            DGM_TRY_OUT(dgm_buf_add_char(env, &all, '|'));
        DGM_TRY_OUT(dgm_buf_add(env, &all, dgm_map_key(words, &words->entries[i]),
                                words->entries[i].length));
    }
    dgm_regex_clear(env, &bpe->any);
    status = compile_between(env, &bpe->any, "^(", all.data, all.size, ")$");
out:
    dgm_buf_clear(env, &all);
    return status;
}

/* Both forms of an expression. That with the places joined to it is subword-nmt's: of "a|b" it is
 * "^a|b$", which matches what begins with a. */
static dgm_status compile(struct dgm_env *env, struct dgm_bpe_glossary *glossary, const char *word,
                          size_t bytes)
{
    DGM_TRY(dgm_regex_compile(env, &glossary->part, word, bytes));
    return compile_between(env, &glossary->whole, "^", word, bytes, "$");
}

static void clear(struct dgm_env *env, struct dgm_bpe_glossary *glossary)
{
    dgm_regex_clear(env, &glossary->part);
    dgm_regex_clear(env, &glossary->whole);
}

dgm_status dgm_bpe_glossary_add(struct dgm_env *env, struct dgm_bpe *bpe, const char *word,
                                size_t bytes)
{
    struct dgm_bpe_glossary glossary = { .is_word = is_word(word, bytes) };
    const size_t number = bpe->glossaries.count;
    dgm_status status = DGM_OK;

    if (dgm_map_find(&bpe->glossaries, word, bytes) != NULL)
        return DGM_OK;
    DGM_TRY(dgm_grow(env, &bpe->expressions, &bpe->expression_capacity, number,
                     sizeof *bpe->expressions));
    if (!glossary.is_word)
        DGM_TRY_OUT(compile(env, &glossary, word, bytes));
    DGM_TRY_OUT(dgm_map_insert(env, &bpe->glossaries, word, bytes, NULL, NULL));
    bpe->expressions[number] = glossary;
    bpe->has_expressions |= !glossary.is_word;
    return bpe->has_expressions ? compile_any(env, bpe) : DGM_OK;
out:
    clear(env, &glossary);
    return status;
}

void dgm_bpe_glossary_clear(struct dgm_env *env, struct dgm_bpe *bpe)
{
    for (size_t i = 0; i < bpe->glossaries.count; i++)
        clear(env, &bpe->expressions[i]);
    dgm_release(env, bpe->expressions);
    dgm_regex_clear(env, &bpe->any);
    dgm_map_clear(env, &bpe->glossaries);
}

/* ---- matching -------------------------------------------------------------------------------- */

/* Whether an expression matches at the beginning of a text. */
static dgm_status matches(struct dgm_env *env, struct dgm_bpe *bpe, const struct dgm_regex *regex,
                          const char *text, size_t bytes, int *does)
{
    size_t start = 1, end;

    DGM_TRY(dgm_regex_find(env, regex, &bpe->own.search, text, bytes, 0, 0, &start, &end, does));
    *does = *does && start == 0;
    return DGM_OK;
}

dgm_status dgm_bpe_glossary_has(struct dgm_env *env, struct dgm_bpe *bpe, const char *text,
                                size_t bytes, int *has)
{
    if (bpe->has_expressions)
        return matches(env, bpe, &bpe->any, text, bytes, has);
    *has = dgm_map_find(&bpe->glossaries, text, bytes) != NULL;
    return DGM_OK;
}

static int is_same(const struct dgm_bpe *bpe, size_t number, const char *text, size_t bytes)
{
    const struct dgm_map_entry *entry = &bpe->glossaries.entries[number];

    return entry->length == bytes && memcmp(text, dgm_map_key(&bpe->glossaries, entry), bytes) == 0;
}

dgm_status dgm_bpe_glossary_is_whole(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                     const char *text, size_t bytes, int *is_whole)
{
    if (!bpe->expressions[number].is_word)
        return matches(env, bpe, &bpe->expressions[number].whole, text, bytes, is_whole);
    *is_whole = is_same(bpe, number, text, bytes);
    return DGM_OK;
}

dgm_status dgm_bpe_glossary_next(struct dgm_env *env, struct dgm_bpe *bpe, size_t number,
                                 const char *text, size_t bytes, size_t from, int advances,
                                 size_t *start, size_t *end, int *found)
{
    const size_t length = bpe->glossaries.entries[number].length;

    if (!bpe->expressions[number].is_word)
        return dgm_regex_find(env, &bpe->expressions[number].part, &bpe->own.search, text, bytes,
                              from, advances, start, end, found);
    *found = 0;
    for (*start = from; !*found && *start + length <= bytes; *start += !*found)
        *found = is_same(bpe, number, text + *start, length);
    *end = *start + length;
    return DGM_OK;
}
