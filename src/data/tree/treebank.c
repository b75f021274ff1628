/*
 * treebank.c: sentences as a parser reads them.
 */
#include "data/tree/treebank.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

/* Forms that a bank remembers over resets. */
#define KNOWN_LIMIT ((size_t)1 << 18)

/* ---- forms --------------------------------------------------------------------------------- */

static dgm_status add_pieces(struct dgm_env *env, struct dgm_treebank *bank, size_t form,
                             const int32_t *pieces, int32_t count)
{
    int32_t start;

    DGM_TRY(dgm_reserve(env, &bank->piece_starts, &bank->start_capacity, form + 2,
                        sizeof *bank->piece_starts));
    if (form == 0)
        bank->piece_starts[0] = 0;
    start = bank->piece_starts[form];
    DGM_TRY(dgm_reserve(env, &bank->pieces, &bank->piece_capacity, (size_t)start + (size_t)count,
                        sizeof *bank->pieces));
    memcpy(bank->pieces + start, pieces, (size_t)count * sizeof *pieces);
    bank->piece_starts[form + 1] = start + count;
    return DGM_OK;
}

/* The row of a form's vector, of a lexicon that has vectors. */
static dgm_status add_vector(struct dgm_env *env, struct dgm_treebank *bank,
                             struct dgm_lexicon *lexicon, size_t form, const char *text,
                             size_t bytes)
{
    if (lexicon->vectors.dim == 0)
        return DGM_OK;
    DGM_TRY(
        dgm_reserve(env, &bank->vectors, &bank->vector_capacity, form + 1, sizeof *bank->vectors));
    return dgm_word_vectors_find(env, &lexicon->vectors, &lexicon->lowered, text, bytes,
                                 &bank->vectors[form]);
}

/* The number of a form; a new one is cut into its pieces, and known once they are there. */
static dgm_status find_form(struct dgm_env *env, struct dgm_treebank *bank,
                            struct dgm_lexicon *lexicon, const char *form, size_t bytes,
                            int32_t *number)
{
    int32_t pieces[DGM_WORD_PIECES], count;
    struct dgm_map_entry *entry;

    entry = dgm_map_find(&bank->known, form, bytes);
    if (entry != NULL) {
        *number = (int32_t)(entry - bank->known.entries);
        return DGM_OK;
    }
    *number = (int32_t)bank->known.count;
    DGM_TRY(dgm_lexicon_pieces(env, lexicon, form, bytes, pieces, &count));
    DGM_TRY(add_pieces(env, bank, bank->known.count, pieces, count));
    DGM_TRY(add_vector(env, bank, lexicon, bank->known.count, form, bytes));
    return dgm_map_insert(env, &bank->known, form, bytes, &entry, NULL);
}

/* Before the first sentence: the form of the root; too many old forms are forgotten. */
static dgm_status begin(struct dgm_env *env, struct dgm_treebank *bank, struct dgm_lexicon *lexicon)
{
    const int32_t root = DGM_ROOT_WORD;

    if (bank->known.count > KNOWN_LIMIT)
        dgm_map_clear(env, &bank->known);
    dgm_hash_init(&bank->hash, 0);
    if (bank->known.count > 0)
        return DGM_OK;
    DGM_TRY(add_pieces(env, bank, 0, &root, 1));
    DGM_TRY(add_vector(env, bank, lexicon, 0, "", 0));
    return dgm_map_insert(env, &bank->known, "", 0, NULL, NULL);
}

/* ---- sentences ------------------------------------------------------------------------------ */

static dgm_status reserve_rows(struct dgm_env *env, struct dgm_treebank *bank, size_t rows)
{
    const struct dgm_parallel arrays[] = { { &bank->forms, sizeof *bank->forms },
                                           { &bank->heads, sizeof *bank->heads },
                                           { &bank->tags, sizeof *bank->tags },
                                           { &bank->labels, sizeof *bank->labels },
                                           { NULL, 0 } };

    return dgm_reserve_parallel(env, arrays, &bank->row_capacity, rows);
}

/* Rows `start` and behind in every column that the lexicon knows; nothing is given yet. */
static dgm_status begin_morphs(struct dgm_env *env, struct dgm_treebank *bank,
                               const struct dgm_lexicon *lexicon, size_t start, size_t rows)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        if (!dgm_lexicon_has(lexicon, (enum dgm_morph)m))
            continue;
        DGM_TRY(dgm_reserve(env, &bank->morphs[m], &bank->morph_capacity[m], start + rows,
                            sizeof *bank->morphs[m]));
        for (size_t i = start; i < start + rows; i++)
            bank->morphs[m][i] = DGM_MORPH_OPEN;
    }
    return DGM_OK;
}

/* The checksum takes it in: the same sentences as another treebank's are other data. */
static dgm_status add_origin(struct dgm_env *env, struct dgm_treebank *bank,
                             const struct dgm_lexicon *lexicon)
{
    const size_t s = (size_t)bank->rows.count;

    if (dgm_lexicon_classes(&lexicon->treebanks) < 1)
        return DGM_OK;
    assert(bank->treebank >= 0 && bank->treebank < dgm_lexicon_classes(&lexicon->treebanks));
    DGM_TRY(dgm_reserve(env, &bank->origins, &bank->origin_capacity, s + 1, sizeof *bank->origins));
    bank->origins[s] = bank->treebank;
    dgm_hash_add(&bank->hash, &bank->origins[s], sizeof *bank->origins);
    return DGM_OK;
}

static int32_t class_of(const struct dgm_vocab *vocab, const char *const *names, int32_t w)
{
    return names == NULL || strcmp(names[w], "_") == 0 ? -1 : dgm_lexicon_class(vocab, names[w]);
}

static dgm_status fill_morphs(struct dgm_env *env, struct dgm_treebank *bank,
                              struct dgm_lexicon *lexicon,
                              const struct dgm_treebank_sentence *sentence, int32_t w, size_t row)
{
    for (int m = 0; m < DGM_MORPHS; m++) {
        if (sentence->morphs[m] == NULL || !dgm_lexicon_has(lexicon, (enum dgm_morph)m))
            continue;
        DGM_TRY(dgm_lexicon_morph(env, lexicon, (enum dgm_morph)m, sentence->forms[w],
                                  sentence->morphs[m][w], &bank->morphs[m][row]));
        dgm_hash_add(&bank->hash, &bank->morphs[m][row], sizeof *bank->morphs[m]);
    }
    return DGM_OK;
}

/* Words to numbers; the checksum takes in everything that training sees. */
static dgm_status fill_row(struct dgm_env *env, struct dgm_treebank *bank,
                           struct dgm_lexicon *lexicon,
                           const struct dgm_treebank_sentence *sentence, int32_t w, size_t row,
                           int32_t *id)
{
    const char *form = sentence->forms[w];
    size_t bytes = strlen(form);

    DGM_TRY(dgm_lexicon_word(env, lexicon, form, bytes, id));
    DGM_TRY(find_form(env, bank, lexicon, form, bytes, &bank->forms[row]));
    bank->heads[row] = sentence->heads == NULL ? -1 : sentence->heads[w];
    bank->tags[row] = class_of(&lexicon->tags, sentence->tags, w);
    bank->labels[row] = class_of(&lexicon->labels, sentence->labels, w);
    dgm_hash_add(&bank->hash, form, bytes + 1);
    dgm_hash_add(&bank->hash, &bank->heads[row], sizeof *bank->heads);
    dgm_hash_add(&bank->hash, &bank->tags[row], sizeof *bank->tags);
    dgm_hash_add(&bank->hash, &bank->labels[row], sizeof *bank->labels);
    return fill_morphs(env, bank, lexicon, sentence, w, row);
}

dgm_status dgm_treebank_add(struct dgm_env *env, struct dgm_treebank *bank,
                            struct dgm_lexicon *lexicon,
                            const struct dgm_treebank_sentence *sentence)
{
    int32_t s = bank->rows.count, n = sentence->count;
    size_t start = s > 0 ? (size_t)bank->rows.offsets[s] : 0;
    int32_t *ids = dgm_alloc(env, 2 * ((size_t)n + 1), sizeof *ids), *places;
    dgm_status status;

    if (ids == NULL)
        return DGM_MEMORY;
    if (s == 0)
        DGM_TRY_OUT(begin(env, bank, lexicon));
    DGM_TRY_OUT(reserve_rows(env, bank, start + (size_t)n + 1));
    DGM_TRY_OUT(begin_morphs(env, bank, lexicon, start, (size_t)n + 1));
    DGM_TRY_OUT(add_origin(env, bank, lexicon));
    ids[0] = DGM_ROOT_WORD;
    bank->forms[start] = 0;
    bank->heads[start] = bank->tags[start] = bank->labels[start] = -1;
    for (int32_t w = 0; w < n; w++)
        DGM_TRY_OUT(fill_row(env, bank, lexicon, sentence, w, start + (size_t)w + 1, &ids[w + 1]));
    places = ids + n + 1;
    for (int32_t i = 0; i <= n; i++)
        places[i] = i - 1;
    status = dgm_packed_add(env, &bank->rows, ids, places, n + 1, NULL, n);
out:
    dgm_release(env, ids);
    return status;
}

/* ---- files ----------------------------------------------------------------------------------- */

/* Columns of a sentence, kept from one to the next. */
struct columns {
    const char **forms, **tags, **labels, **morphs[DGM_MORPHS];
    int32_t *heads;
    size_t capacity;
};

static dgm_status take_columns(struct dgm_env *env, struct columns *columns,
                               const struct dgm_conllu_sentence *from)
{
    /* The rest, zeroed, are morphs and the end of the list. */
    struct dgm_parallel arrays[4 + DGM_MORPHS + 1] = {
        { &columns->forms, sizeof *columns->forms },
        { &columns->tags, sizeof *columns->tags },
        { &columns->labels, sizeof *columns->labels },
        { &columns->heads, sizeof *columns->heads },
    };

    for (int m = 0; m < DGM_MORPHS; m++)
        arrays[4 + m] = (struct dgm_parallel){ &columns->morphs[m], sizeof *columns->morphs[m] };
    DGM_TRY(dgm_reserve_parallel(env, arrays, &columns->capacity, (size_t)from->tree.count));
    for (int32_t w = 0; w < from->tree.count; w++) {
        int32_t head = from->tree.head[w];

        columns->forms[w] = dgm_conllu_field(from, w, DGM_CONLLU_FORM);
        columns->tags[w] = dgm_conllu_field(from, w, DGM_CONLLU_UPOS);
        columns->labels[w] = dgm_lexicon_relation(from, w);
        columns->heads[w] = head < 0 ? -1 : head == w ? 0 : head + 1;
        for (int m = 0; m < DGM_MORPHS; m++)
            columns->morphs[m][w] = dgm_conllu_field(from, w, dgm_morph_columns[m]);
    }
    return DGM_OK;
}

/* What the sentences of a file are added with. */
struct loading {
    struct dgm_treebank *bank;
    struct dgm_lexicon *lexicon;
    struct columns columns;
    int32_t max_words;
    long skipped; /* sentences with more */
};

static dgm_status load_sentence(struct dgm_env *env, void *user,
                                const struct dgm_conllu_sentence *from)
{
    struct loading *loading = user;
    struct columns *columns = &loading->columns;
    struct dgm_treebank_sentence sentence;

    if (from->tree.count > loading->max_words)
        loading->skipped++;
    if (from->tree.count > loading->max_words || from->tree.count == 0)
        return DGM_OK;
    DGM_TRY(take_columns(env, columns, from));
    sentence = (struct dgm_treebank_sentence){ .count = from->tree.count,
                                               .forms = columns->forms,
                                               .tags = columns->tags,
                                               .labels = columns->labels,
                                               .heads = columns->heads };
    for (int m = 0; m < DGM_MORPHS; m++)
        sentence.morphs[m] = columns->morphs[m];
    return dgm_treebank_add(env, loading->bank, loading->lexicon, &sentence);
}

dgm_status dgm_treebank_load(struct dgm_env *env, struct dgm_treebank *bank,
                             struct dgm_lexicon *lexicon, const char *path, int32_t max_words,
                             enum dgm_multi_root multi_root, long *left_out)
{
    struct dgm_conllu_options options = { .multi_root = multi_root };
    struct loading loading = { .bank = bank, .lexicon = lexicon, .max_words = max_words };
    dgm_status status = dgm_conllu_reader_each(env, path, &options, load_sentence, &loading);

    dgm_release(env, loading.columns.forms);
    dgm_release(env, loading.columns.tags);
    dgm_release(env, loading.columns.labels);
    dgm_release(env, loading.columns.heads);
    for (int m = 0; m < DGM_MORPHS; m++)
        dgm_release(env, loading.columns.morphs[m]);
    if (left_out != NULL)
        *left_out = loading.skipped;
    return status;
}

void dgm_treebank_reset(struct dgm_treebank *bank)
{
    dgm_packed_reset(&bank->rows);
}

double dgm_treebank_bytes(const struct dgm_treebank *bank)
{
    const int32_t count = bank->rows.count;
    const double rows = count > 0 ? bank->rows.offsets[count] : 0;
    const double vectors = bank->vectors != NULL ? (double)bank->known.count : 0;
    const double origins = bank->origins != NULL ? count : 0;
    const double pieces = bank->piece_starts != NULL ? bank->piece_starts[bank->known.count] : 0;
    int columns = 4;

    for (int m = 0; m < DGM_MORPHS; m++)
        columns += bank->morphs[m] != NULL;

    return dgm_packed_bytes(&bank->rows) + dgm_map_bytes(&bank->known) +
           (columns * rows + origins + (double)bank->known.count + pieces + vectors) *
               sizeof(int32_t);
}

void dgm_treebank_clear(struct dgm_env *env, struct dgm_treebank *bank)
{
    dgm_packed_clear(env, &bank->rows);
    dgm_release(env, bank->forms);
    dgm_release(env, bank->heads);
    dgm_release(env, bank->tags);
    dgm_release(env, bank->labels);
    for (int m = 0; m < DGM_MORPHS; m++)
        dgm_release(env, bank->morphs[m]);
    dgm_map_clear(env, &bank->known);
    dgm_release(env, bank->piece_starts);
    dgm_release(env, bank->pieces);
    dgm_release(env, bank->vectors);
    dgm_release(env, bank->origins);
    memset(bank, 0, sizeof *bank);
}
