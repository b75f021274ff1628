/* truecase_model.c: reads and writes the forms of words, and finds the one that is meant. */
#include "text/case/truecase_model.h"

#include <string.h>

#include "base/bytes.h"
#include "base/lines/lines.h"
#include "base/mem.h"
#include "base/number/number.h"
#include "text/bpe/word_counts.h"
#include "text/unicode/piece_data.h"
#include "text/unicode/mark.h"
#include "text/unicode/utf8.h"

/* ---- words without their accents ------------------------------------------------------------- */

/* Capitals often lack the accents of small letters; in Greek they always do. */
static dgm_status fill_bare(struct dgm_env *env, struct dgm_truecase_model *model)
{
    const uint32_t *pair = dgm_piece_nfkc_pair_words;

    DGM_TRY(dgm_new(env, &model->bare, DGM_BARE_CODES, sizeof *model->bare));
    for (size_t i = 0; i < DGM_BARE_CODES; i++)
        model->bare[i] = (uint16_t)i;
    for (size_t i = 0; i + 2 < dgm_piece_nfkc_pair_word_count; i += 3)
        if (pair[i + 2] < DGM_BARE_CODES && pair[i] < DGM_BARE_CODES &&
            dgm_unicode_is_mark(pair[i + 1]))
            model->bare[pair[i + 2]] = (uint16_t)pair[i];
    return DGM_OK;
}

/* A letter may have several accents, one upon the other. */
static uint32_t bare_of(const struct dgm_truecase_model *model, uint32_t code)
{
    while (code < DGM_BARE_CODES && model->bare[code] != code)
        code = model->bare[code];
    return code;
}

static dgm_status add_bare(struct dgm_env *env, const struct dgm_truecase_model *model,
                           struct dgm_buf *out, const char *word, size_t bytes)
{
    uint32_t code;

    for (size_t at = 0; at < bytes;) {
        at += dgm_utf8_decode(&code, word + at, bytes - at);
        if (code == DGM_UTF8_BAD || dgm_unicode_is_mark(code))
            continue;
        DGM_TRY(code == 0xDF ? dgm_buf_add_text(env, out, "ss")
                             : dgm_utf8_add(env, out, bare_of(model, code)));
    }
    return DGM_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Of forms that are equally frequent the one with small letters, which come later. */
static int is_better(const struct dgm_map *forms, int64_t a, int64_t b)
{
    const struct dgm_map_entry *x = &forms->entries[a], *y = &forms->entries[b];

    if (x->value != y->value)
        return x->value > y->value;
    return dgm_bytes_compare(dgm_map_key(forms, x), x->length, dgm_map_key(forms, y), y->length) >
           0;
}

/* Lets a key lead to a form, unless it leads to a better one. */
static dgm_status offer(struct dgm_env *env, const struct dgm_truecase_model *model,
                        struct dgm_map *map, const struct dgm_buf *key, size_t form)
{
    struct dgm_map_entry *entry;
    int is_new;

    DGM_TRY(dgm_map_insert(env, map, key->data, key->size, &entry, &is_new));
    if (is_new || is_better(&model->forms, (int64_t)form, entry->value))
        entry->value = (int64_t)form;
    return DGM_OK;
}

static dgm_status fill_keys(struct dgm_env *env, const struct dgm_truecase_model *model,
                            struct dgm_truecase_keys *keys, const char *word, size_t bytes)
{
    dgm_buf_reset(&keys->lower);
    dgm_buf_reset(&keys->bare);
    DGM_TRY(dgm_letters_lower(env, &keys->lower, word, bytes, model->letters));
    return add_bare(env, model, &keys->bare, keys->lower.data, keys->lower.size);
}

static dgm_status index_form(struct dgm_env *env, struct dgm_truecase_model *model, size_t form,
                             struct dgm_truecase_keys *keys)
{
    const struct dgm_map_entry *entry = &model->forms.entries[form];
    const char *text = dgm_map_key(&model->forms, entry);

    dgm_buf_reset(&keys->lower);
    DGM_TRY(dgm_letters_head(env, &keys->lower, text, entry->length, model->letters));
    DGM_TRY(offer(env, model, &model->by_head, &keys->lower, form));
    DGM_TRY(fill_keys(env, model, keys, text, entry->length));
    DGM_TRY(offer(env, model, &model->by_lower, &keys->lower, form));
    return dgm_buf_same(&keys->lower, &keys->bare) || keys->bare.size == 0
               ? DGM_OK
               : offer(env, model, &model->by_bare, &keys->bare, form);
}

static dgm_status index_forms(struct dgm_env *env, struct dgm_truecase_model *model)
{
    struct dgm_truecase_keys keys = { 0 };
    dgm_status status;

    DGM_TRY_OUT(fill_bare(env, model));
    for (size_t i = 0; i < model->forms.count; i++)
        DGM_TRY_OUT(index_form(env, model, i, &keys));
out:
    dgm_truecase_keys_clear(env, &keys);
    return status;
}

/* "(98/100)" or "(2)": the first number. Other programs write fractions: 1.5. */
static int read_count(const char *text, size_t bytes, int64_t *count)
{
    size_t end = 1;

    if (bytes < 3 || text[0] != '(' || text[bytes - 1] != ')')
        return 0;
    while (end < bytes - 1 && text[end] != '/' && text[end] != '.')
        end++;
    return dgm_number_int(count, text + 1, end - 1) && *count >= 0;
}

static dgm_status read_line(struct dgm_env *env, struct dgm_truecase_model *model,
                            const struct dgm_lines *lines)
{
    const char *line = lines->line.data, *form, *number;
    const size_t bytes = lines->line.size;
    size_t at = 0, form_bytes, number_bytes;
    struct dgm_map_entry *entry;
    int64_t count;

    DGM_TRY(dgm_utf8_check(env, lines->path, lines->number, line, bytes));
    while (dgm_bytes_field(line, bytes, &at, &form, &form_bytes)) {
        if (!dgm_bytes_field(line, bytes, &at, &number, &number_bytes) ||
            !read_count(number, number_bytes, &count))
            return dgm_fail_at(env, DGM_DATA, lines->path, lines->number,
                               (long)dgm_utf8_length(line, (size_t)(form - line)) + 1,
                               "expected forms of a word, each with its count: the (98/100) The "
                               "(2)");
        DGM_TRY(dgm_map_insert(env, &model->forms, form, form_bytes, &entry, NULL));
        entry->value = count;
    }
    return DGM_OK;
}

dgm_status dgm_truecase_model_load(struct dgm_env *env, struct dgm_truecase_model *model,
                                   const char *path, enum dgm_letters letters)
{
    struct dgm_lines lines = { 0 };
    dgm_status status;
    int more;

    model->letters = letters;
    DGM_TRY_OUT(dgm_lines_open(env, &lines, path));
    for (;;) {
        DGM_TRY_OUT(dgm_lines_next(env, &lines, &more));
        if (!more)
            break;
        DGM_TRY_OUT(read_line(env, model, &lines));
    }
    if (model->forms.count == 0)
        DGM_TRY_OUT(dgm_fail_at(env, DGM_DATA, lines.path, 0, 0,
                                "no word; expected what `truecase train` has written"));
    status = index_forms(env, model);
out:
    dgm_lines_close(env, &lines);
    return status;
}

void dgm_truecase_model_clear(struct dgm_env *env, struct dgm_truecase_model *model)
{
    dgm_map_clear(env, &model->forms);
    dgm_map_clear(env, &model->by_lower);
    dgm_map_clear(env, &model->by_head);
    dgm_map_clear(env, &model->by_bare);
    dgm_release(env, model->bare);
    memset(model, 0, sizeof *model);
}

/* ---- writing --------------------------------------------------------------------------------- */

#define NONE UINT32_MAX

/* Words in small letters, each with its count and a list of its forms, the best first. */
struct groups {
    struct dgm_map words;
    uint32_t *group; /* (forms) the word of each */
    uint32_t *first; /* (forms) by word: its first form, or NONE */
    uint32_t *next;  /* (forms) by form: the next one of the same word, or NONE */
};

static dgm_status add_to_group(struct dgm_env *env, struct groups *groups,
                               const struct dgm_map *forms, uint32_t form, struct dgm_buf *key,
                               enum dgm_letters letters)
{
    const struct dgm_map_entry *entry = &forms->entries[form];
    uint32_t word, *link;

    dgm_buf_reset(key);
    DGM_TRY(dgm_letters_lower(env, key, dgm_map_key(forms, entry), entry->length, letters));
    DGM_TRY(dgm_map_count(env, &groups->words, key->data, key->size, entry->value));
    DGM_TRY(dgm_map_number(env, &groups->words, key->data, key->size, &word));
    for (link = &groups->first[word]; *link != NONE; link = &groups->next[*link])
        if (is_better(forms, form, *link))
            break;
    groups->next[form] = *link;
    *link = form;
    return DGM_OK;
}

static dgm_status group_forms(struct dgm_env *env, struct groups *groups,
                              const struct dgm_map *forms, enum dgm_letters letters)
{
    struct dgm_buf key = { 0 };
    dgm_status status;

    DGM_TRY_OUT(dgm_new(env, &groups->first, forms->count, sizeof *groups->first));
    DGM_TRY_OUT(dgm_new(env, &groups->next, forms->count, sizeof *groups->next));
    memset(groups->first, 0xFF, forms->count * sizeof *groups->first);
    for (uint32_t form = 0; form < forms->count; form++)
        DGM_TRY_OUT(add_to_group(env, groups, forms, form, &key, letters));
    status = DGM_OK;
out:
    dgm_buf_clear(env, &key);
    return status;
}

static dgm_status print_word(struct dgm_env *env, struct dgm_buf *out, const struct groups *groups,
                             const struct dgm_map *forms, uint32_t word)
{
    const uint32_t first = groups->first[word];

    for (uint32_t form = first; form != NONE; form = groups->next[form]) {
        const struct dgm_map_entry *entry = &forms->entries[form];

        if (form != first)
            DGM_TRY(dgm_buf_add_char(env, out, ' '));
        DGM_TRY(dgm_buf_add(env, out, dgm_map_key(forms, entry), entry->length));
        DGM_TRY(dgm_buf_add_format(env, out, " (%lld", (long long)entry->value));
        if (form == first)
            DGM_TRY(dgm_buf_add_format(env, out, "/%lld",
                                       (long long)groups->words.entries[word].value));
        DGM_TRY(dgm_buf_add_char(env, out, ')'));
    }
    return dgm_buf_add_char(env, out, '\n');
}

dgm_status dgm_truecase_model_print(struct dgm_env *env, struct dgm_buf *out,
                                    const struct dgm_map *forms, enum dgm_letters letters)
{
    struct groups groups = { 0 };
    uint32_t *order = NULL;
    dgm_status status;

    DGM_TRY_OUT(group_forms(env, &groups, forms, letters));
    DGM_TRY_OUT(dgm_word_counts_sort(env, &order, &groups.words, DGM_WORD_COUNTS_BYTES));
    for (size_t i = 0; i < groups.words.count; i++)
        DGM_TRY_OUT(print_word(env, out, &groups, forms, order[i]));
out:
    dgm_release(env, order);
    dgm_release(env, groups.first);
    dgm_release(env, groups.next);
    dgm_map_clear(env, &groups.words);
    return status;
}

/* ---- finding --------------------------------------------------------------------------------- */

static const char *form_of(const struct dgm_truecase_model *model,
                           const struct dgm_map_entry *found, size_t *bytes)
{
    const struct dgm_map_entry *form;

    if (found == NULL)
        return NULL;
    form = &model->forms.entries[found->value];
    *bytes = form->length;
    return dgm_map_key(&model->forms, form);
}

void dgm_truecase_keys_clear(struct dgm_env *env, struct dgm_truecase_keys *keys)
{
    dgm_buf_clear(env, &keys->lower);
    dgm_buf_clear(env, &keys->bare);
}

dgm_status dgm_truecase_model_find(struct dgm_env *env, const struct dgm_truecase_model *model,
                                   struct dgm_truecase_keys *keys, const char *word, size_t bytes,
                                   const char **form, size_t *form_bytes)
{
    const struct dgm_buf *lower = &keys->lower, *bare = &keys->bare;
    const struct dgm_map_entry *found;

    DGM_TRY(fill_keys(env, model, keys, word, bytes));
    found = dgm_map_find(&model->by_lower, lower->data, lower->size);
    if (found == NULL && bare->size > 0)
        found = dgm_map_find(&model->by_bare, bare->data, bare->size);
    *form = form_of(model, found, form_bytes);
    return DGM_OK;
}

const char *dgm_truecase_model_find_head(const struct dgm_truecase_model *model, const char *word,
                                         size_t bytes, size_t *form_bytes)
{
    return form_of(model, dgm_map_find(&model->by_head, word, bytes), form_bytes);
}
