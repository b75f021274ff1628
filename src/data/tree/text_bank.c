/* text_bank.c: the running text of treebanks, and where its tokens and sentences end. */
#include "data/tree/text_bank.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/comment.h"
#include "syntax/conllu/surface.h"

/* Paragraphs of more bytes are cut behind a sentence; differences from `# text` that are told;
 * where at least one token of so many has blanks inside, others may have some, too. */
enum { PARAGRAPH_BYTES = 1 << 20, MOST_TOLD = 5, BLANK_SHARE = 2000 };

/* ---- what is learned before the network ------------------------------------------------------ */

struct learning {
    long tokens, with_blanks;
    struct dgm_map characters, multiwords;
    struct dgm_buf text;
};

/* The words of a token, each ended by NUL. */
static dgm_status list_words(struct dgm_env *env, struct dgm_buf *words,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_surface_token *token)
{
    dgm_buf_reset(words);
    for (int32_t w = token->first; w < token->first + token->count; w++) {
        const char *form = dgm_conllu_field(sentence, w, DGM_CONLLU_FORM);

        DGM_TRY(dgm_buf_add(env, words, form, strlen(form) + 1));
    }
    return DGM_OK;
}

static dgm_status learn_sentence(struct dgm_env *env, void *user,
                                 const struct dgm_conllu_sentence *sentence)
{
    struct learning *learning = user;
    struct dgm_buf *text = &learning->text;
    struct dgm_surface_token token;
    size_t at = 0;

    while (dgm_surface_next(sentence, &at, &token)) {
        const char *form = dgm_conllu_row_text(sentence, token.row, DGM_CONLLU_FORM);

        learning->tokens++;
        learning->with_blanks += strchr(form, ' ') != NULL;
        if (token.row->kind != DGM_CONLLU_RANGE)
            continue;
        DGM_TRY(list_words(env, text, sentence, &token));
        DGM_TRY(dgm_multiwords_count(env, &learning->multiwords, form, text->data, token.count));
    }
    dgm_buf_reset(text);
    DGM_TRY(dgm_surface_add(env, text, sentence));
    return dgm_characters_count(env, &learning->characters, text->data, text->size);
}

dgm_status dgm_cut_lexicon_learn(struct dgm_env *env, struct dgm_cut_lexicon *lexicon,
                                 const char *const *paths, size_t files,
                                 enum dgm_multi_root multi_root)
{
    const struct dgm_conllu_options options = { .multi_root = multi_root };
    struct learning learning = { 0 };
    dgm_status status;

    memset(lexicon, 0, sizeof *lexicon);
    for (size_t i = 0; i < files; i++)
        DGM_TRY_OUT(dgm_conllu_reader_each(env, paths[i], &options, learn_sentence, &learning));
    DGM_TRY_OUT(dgm_vocab_build(env, &lexicon->characters, &learning.characters, 0, 2));
    DGM_TRY_OUT(dgm_multiwords_build(env, &lexicon->multiwords, &learning.multiwords));
    lexicon->has_blanks = learning.with_blanks > learning.tokens / BLANK_SHARE;
out:
    dgm_map_clear(env, &learning.characters);
    dgm_map_clear(env, &learning.multiwords);
    dgm_buf_clear(env, &learning.text);
    if (status != DGM_OK)
        dgm_cut_lexicon_clear(env, lexicon);
    return status;
}

void dgm_cut_lexicon_clear(struct dgm_env *env, struct dgm_cut_lexicon *lexicon)
{
    dgm_vocab_clear(env, &lexicon->characters);
    dgm_multiwords_clear(env, &lexicon->multiwords);
    memset(lexicon, 0, sizeof *lexicon);
}

/* ---- paragraphs ------------------------------------------------------------------------------ */

/* Where a token ends in the paragraph, and what ends there. */
struct ending {
    size_t end;
    enum dgm_cut_label label;
};

/* A sentence of the paragraph: its first byte; whether it gets a span. */
struct opening {
    size_t start;
    int is_kept;
};

struct loading {
    struct dgm_text_bank *bank;
    const struct dgm_cut_lexicon *lexicon;
    const char *path;
    int32_t max_words;
    struct dgm_buf text; /* of the paragraph so far */
    struct ending *endings;
    struct opening *openings;
    size_t ending_count, ending_capacity, opening_count, opening_capacity;
    long different; /* sentences whose `# text` is another one */
};

static int begins(const struct dgm_conllu_sentence *sentence, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < sentence->comment_count; i++) {
        const char *comment = sentence->bytes.data + sentence->comments[i];

        if (strncmp(comment, name, length) == 0 &&
            (comment[length] == '\0' || comment[length] == ' '))
            return 1;
    }
    return 0;
}

/* Labels of the rows from `first` on: an ending is the last row that begins before its byte. A
 * token of blanks alone, at either end of the text, has none. */
static void label_rows(const struct loading *loading, size_t first)
{
    struct dgm_text_bank *bank = loading->bank;
    size_t row = first;

    for (size_t i = 0; i < loading->ending_count; i++) {
        while (row + 1 < bank->rows.count && bank->rows.starts[row + 1] < loading->endings[i].end)
            row++;
        if (row < bank->rows.count && bank->rows.starts[row] < loading->endings[i].end)
            bank->labels[row] = (int32_t)loading->endings[i].label;
    }
}

static dgm_status add_spans(struct dgm_env *env, const struct loading *loading, size_t first)
{
    struct dgm_text_bank *bank = loading->bank;
    size_t row = first;

    for (size_t i = 0; i < loading->opening_count; i++) {
        size_t end =
            i + 1 < loading->opening_count ? loading->openings[i + 1].start : loading->text.size;
        struct dgm_text_span span = { (int32_t)row, 0, (int32_t)first, (int32_t)bank->rows.count };

        while (row < bank->rows.count && bank->rows.starts[row] < end)
            row++;
        if (!loading->openings[i].is_kept)
            continue;
        span.end = (int32_t)row;
        DGM_TRY(dgm_grow(env, &bank->spans, &bank->span_capacity, bank->span_count,
                         sizeof *bank->spans));
        bank->spans[bank->span_count++] = span;
        dgm_hash_add(&bank->hash, &span, sizeof span);
    }
    return DGM_OK;
}

static dgm_status end_paragraph(struct dgm_env *env, struct loading *loading)
{
    struct dgm_text_bank *bank = loading->bank;
    size_t first = bank->rows.count;

    if (loading->opening_count == 0)
        return DGM_OK;
    DGM_TRY(dgm_characters_add(env, &bank->rows, &loading->lexicon->characters, loading->text.data,
                               0, loading->text.size));
    if (bank->rows.count > INT32_MAX)
        return dgm_fail_at(env, DGM_DATA, loading->path, 0, 0,
                           "more than %d characters of text; expected smaller treebanks",
                           INT32_MAX);
    DGM_TRY(dgm_reserve(env, &bank->labels, &bank->label_capacity, bank->rows.count,
                        sizeof *bank->labels));
    for (size_t i = first; i < bank->rows.count; i++)
        bank->labels[i] = DGM_CUT_NOTHING;
    label_rows(loading, first);
    dgm_hash_add(&bank->hash, loading->text.data, loading->text.size);
    if (bank->rows.count > first)
        dgm_hash_add(&bank->hash, bank->labels + first,
                     (bank->rows.count - first) * sizeof *bank->labels);
    DGM_TRY(add_spans(env, loading, first));
    dgm_buf_reset(&loading->text);
    loading->ending_count = loading->opening_count = 0;
    return DGM_OK;
}

/* ---- sentences ------------------------------------------------------------------------------- */

static dgm_status add_token(struct dgm_env *env, struct loading *loading,
                            const struct dgm_conllu_sentence *sentence,
                            const struct dgm_surface_token *token)
{
    DGM_TRY(dgm_surface_add_form(env, &loading->text, sentence, token));
    DGM_TRY(dgm_grow(env, &loading->endings, &loading->ending_capacity, loading->ending_count,
                     sizeof *loading->endings));
    loading->endings[loading->ending_count++] =
        (struct ending){ loading->text.size, token->count > 1 ? DGM_CUT_MULTIWORD : DGM_CUT_TOKEN };
    return dgm_surface_add_space(env, &loading->text, sentence, token);
}

/* Says how text[start..end) differs from the comment. */
static void compare(struct dgm_env *env, struct loading *loading,
                    const struct dgm_conllu_sentence *sentence, size_t start, size_t end)
{
    const char *told = dgm_conllu_comment(sentence, "text"), *text = loading->text.data + start;
    char quoted[DGM_QUOTE_SIZE], other[DGM_QUOTE_SIZE];
    size_t same = 0;

    if (told == NULL || (strlen(told) == end - start && memcmp(told, text, end - start) == 0))
        return;
    if (loading->different++ >= MOST_TOLD)
        return;
    while (same < end - start && told[same] == text[same])
        same++;
    dgm_quote(quoted, sizeof quoted, told + same, strlen(told + same));
    dgm_quote(other, sizeof other, text + same, end - start - same);
    dgm_log(env, DGM_LOG_WARNING,
            "%s:%ld: # text goes on with \"%s\" at its byte %zu; the words say \"%s\", which is "
            "learned from",
            loading->path, sentence->line, quoted, same + 1, other);
}

static dgm_status load_sentence(struct dgm_env *env, void *user,
                                const struct dgm_conllu_sentence *sentence)
{
    struct loading *loading = user;
    struct dgm_surface_token token;
    size_t at = 0, start;

    if (sentence->tree.count == 0)
        return DGM_OK;
    if (begins(sentence, "# newpar") || begins(sentence, "# newdoc") ||
        loading->text.size > PARAGRAPH_BYTES)
        DGM_TRY(end_paragraph(env, loading));
    DGM_TRY(dgm_grow(env, &loading->openings, &loading->opening_capacity, loading->opening_count,
                     sizeof *loading->openings));
    start = loading->text.size;
    loading->openings[loading->opening_count++] =
        (struct opening){ start, sentence->tree.count <= loading->max_words };
    while (dgm_surface_next(sentence, &at, &token))
        DGM_TRY(add_token(env, loading, sentence, &token));
    loading->endings[loading->ending_count - 1].label += DGM_CUT_SENTENCE - DGM_CUT_TOKEN;
    compare(env, loading, sentence, start, loading->endings[loading->ending_count - 1].end);
    return DGM_OK;
}

static void clear_loading(struct dgm_env *env, struct loading *loading)
{
    dgm_buf_clear(env, &loading->text);
    dgm_release(env, loading->endings);
    dgm_release(env, loading->openings);
}

dgm_status dgm_text_bank_load(struct dgm_env *env, struct dgm_text_bank *bank,
                              const struct dgm_cut_lexicon *lexicon, const char *path,
                              int32_t max_words, enum dgm_multi_root multi_root)
{
    const struct dgm_conllu_options options = { .multi_root = multi_root };
    struct loading loading = { .bank = bank, .lexicon = lexicon, .path = path };
    dgm_status status;

    loading.max_words = max_words;
    if (bank->rows.count == 0)
        dgm_hash_init(&bank->hash, 0);
    DGM_TRY_OUT(dgm_conllu_reader_each(env, path, &options, load_sentence, &loading));
    DGM_TRY_OUT(end_paragraph(env, &loading));
    if (loading.different > MOST_TOLD)
        dgm_log(env, DGM_LOG_WARNING, "%s: # text differs from the words in %ld sentences", path,
                loading.different);
out:
    clear_loading(env, &loading);
    return status;
}

void dgm_text_bank_clear(struct dgm_env *env, struct dgm_text_bank *bank)
{
    dgm_characters_clear(env, &bank->rows);
    dgm_release(env, bank->labels);
    dgm_release(env, bank->spans);
    memset(bank, 0, sizeof *bank);
}
