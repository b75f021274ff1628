/* parse_parts.c: sentences of more words than a parser reads, in several parts. */
#include "decode/parse/parse_parts.h"

#include <string.h>

#include "base/mem.h"

/* ---- cutting --------------------------------------------------------------------------------- */

/* Marks that are words of their own: of sentences, and of clauses; Latin, Arabic, Devanagari, and
 * those of Chinese and Japanese. */
static const char *const sentence_marks[] = { ".",
                                              "!",
                                              "?",
                                              "...",
                                              "\xE2\x80\xA6",
                                              "\xD8\x9F",
                                              "\xE0\xA5\xA4",
                                              "\xE3\x80\x82",
                                              "\xEF\xBC\x81",
                                              "\xEF\xBC\x9F",
                                              NULL };
static const char *const clause_marks[] = { ";",
                                            ":",
                                            ",",
                                            "-",
                                            "\xE2\x80\x93",
                                            "\xE2\x80\x94",
                                            "\xD8\x8C",
                                            "\xD8\x9B",
                                            "\xE3\x80\x81",
                                            "\xEF\xBC\x8C",
                                            "\xEF\xBC\x9B",
                                            "\xEF\xBC\x9A",
                                            NULL };

static int is_one_of(const char *const *marks, const char *form)
{
    while (*marks != NULL && strcmp(*marks, form) != 0)
        marks++;
    return *marks != NULL;
}

/* How many words stand up to the last of these marks behind `least`, or 0. */
static int32_t behind_mark(const char *const *forms, int32_t least, int32_t most,
                           const char *const *marks)
{
    for (int32_t w = most; w > least; w--)
        if (is_one_of(marks, forms[w - 1]))
            return w;
    return 0;
}

int32_t dgm_parse_parts_next(const char *const *forms, int32_t n, int64_t most)
{
    int32_t end, part;

    if (n <= most)
        return n;
    end = (int32_t)most;
    part = behind_mark(forms, end / 2, end, sentence_marks);
    if (part == 0)
        part = behind_mark(forms, end / 2, end, clause_marks);
    return part > 0 ? part : end;
}

dgm_status dgm_parse_parts_note(struct dgm_env *env, struct dgm_parse_parts *parts,
                                const struct dgm_treebank *bank, int32_t first, int32_t words)
{
    const struct dgm_parted item = { first, bank->rows.count - first, words };

    if (item.count < 2)
        return DGM_OK;
    DGM_TRY(dgm_grow(env, &parts->items, &parts->capacity, parts->count, sizeof *parts->items));
    parts->items[parts->count++] = item;
    return DGM_OK;
}

dgm_status dgm_parse_parts_add(struct dgm_env *env, struct dgm_parse_parts *parts,
                               struct dgm_treebank *bank, struct dgm_parser *parser,
                               const char *const *forms, int32_t n)
{
    struct dgm_treebank_sentence part = { 0 };
    const int32_t first = bank->rows.count;

    for (int32_t w = 0; w < n; w += part.count) {
        part.forms = forms + w;
        part.count = dgm_parse_parts_next(part.forms, n - w, parser->config.max_words);
        DGM_TRY(dgm_treebank_add(env, bank, &parser->lexicon, &part));
    }
    return dgm_parse_parts_note(env, parts, bank, first, n);
}

const struct dgm_parted *dgm_parse_parts_find(const struct dgm_parse_parts *parts, int32_t number)
{
    for (size_t i = 0; i < parts->count; i++)
        if (parts->items[i].first == number)
            return &parts->items[i];
    return NULL;
}

/* ---- joining --------------------------------------------------------------------------------- */

static int32_t join_label(const struct dgm_lexicon *lexicon)
{
    const int32_t parataxis = dgm_lexicon_class(&lexicon->labels, "parataxis");

    return parataxis >= 0 ? parataxis : dgm_lexicon_class(&lexicon->labels, "dep");
}

static void move_rows(struct dgm_parsed *parsed, size_t to, size_t from, size_t n)
{
    memmove(parsed->heads + to, parsed->heads + from, n * sizeof *parsed->heads);
    memmove(parsed->labels + to, parsed->labels + from, n * sizeof *parsed->labels);
    memmove(parsed->tags + to, parsed->tags + from, n * sizeof *parsed->tags);
    memmove(parsed->prob + to, parsed->prob + from, n * sizeof *parsed->prob);
    for (int m = 0; m < DGM_MORPHS; m++)
        if (parsed->morphs[m] != NULL)
            memmove(parsed->morphs[m] + to, parsed->morphs[m] + from, n * sizeof **parsed->morphs);
}

/* The root of n words, counted from 1. */
static int32_t root_of(const int32_t *heads, int32_t n)
{
    int32_t w = 0;

    while (w < n && heads[w] != 0)
        w++;
    return w + 1;
}

/* A later part, of n words with `before` words before them: hangs on the root of the first. */
static void hang(int32_t *heads, int32_t *labels, int32_t n, int32_t before, int32_t root,
                 int32_t label)
{
    for (int32_t w = 0; w < n; w++) {
        if (heads[w] == 0)
            labels[w] = label;
        heads[w] = heads[w] == 0 ? root : heads[w] + before;
    }
}

static void join(const struct dgm_parted *item, const struct dgm_packed *rows, int32_t label,
                 struct dgm_parsed *parsed)
{
    const size_t start = (size_t)rows->offsets[item->first] + 1;
    int32_t before = dgm_packed_length(rows, item->first) - 1;
    const int32_t root = root_of(parsed->heads + start, before);

    for (int32_t s = item->first + 1; s < item->first + item->count; s++) {
        const int32_t n = dgm_packed_length(rows, s) - 1;
        const size_t to = start + (size_t)before;

        move_rows(parsed, to, (size_t)rows->offsets[s] + 1, (size_t)n);
        hang(parsed->heads + to, parsed->labels + to, n, before, root, label);
        before += n;
    }
}

void dgm_parse_parts_join(const struct dgm_parse_parts *parts, const struct dgm_treebank *bank,
                          const struct dgm_lexicon *lexicon, struct dgm_parsed *parsed)
{
    const int32_t label = parts->count > 0 ? join_label(lexicon) : -1;

    for (size_t i = 0; i < parts->count; i++)
        join(&parts->items[i], &bank->rows, label, parsed);
}

void dgm_parse_parts_reset(struct dgm_parse_parts *parts)
{
    parts->count = 0;
}

void dgm_parse_parts_clear(struct dgm_env *env, struct dgm_parse_parts *parts)
{
    dgm_release(env, parts->items);
    memset(parts, 0, sizeof *parts);
}
