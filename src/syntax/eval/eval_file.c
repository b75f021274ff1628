/*
 * eval_file.c: a CoNLL-U file as arrays; which relations are of content words and which of function
 * words, and which features are universal: the lists of the shared task's evaluation.
 */
#include "syntax/eval/eval_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "text/unicode/unicode.h"
#include "text/unicode/utf8.h"

/* ---- labels ----------------------------------------------------------------------- */

static const char content_list[] =
    " nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod"
    " discourse nmod appos nummod acl amod conj fixed flat compound list parataxis orphan"
    " goeswith reparandum root dep ";

static const char function_list[] = " aux cop mark det clf case cc ";

/* The universal features of Universal Dependencies 2 at the time of the task. */
static const char feature_list[] =
    " PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite"
    " Degree VerbForm Mood Tense Aspect Voice Evident Polarity Person Polite ";

static enum dgm_eval_class classify(const char *relation, size_t length)
{
    if (dgm_conllu_list_holds(content_list, relation, length))
        return DGM_EVAL_CONTENT;
    if (dgm_conllu_list_holds(function_list, relation, length))
        return DGM_EVAL_FUNCTION;
    return DGM_EVAL_OTHER;
}

static dgm_status intern(struct dgm_env *env, struct dgm_eval *eval, uint32_t *number,
                         const char *text, size_t length)
{
    struct dgm_map_entry *entry;

    DGM_TRY(dgm_map_insert(env, &eval->strings, text, length, &entry, NULL));
    *number = (uint32_t)(entry - eval->strings.entries);
    return DGM_OK;
}

/* ---- columns as numbers --------------------------------------------------------------------- */

static int compare_pieces(const void *a, const void *b)
{
    const struct dgm_eval_piece *x = a, *y = b;
    size_t length = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->text, y->text, length);

    if (order != 0)
        return order;
    return (x->length > y->length) - (x->length < y->length);
}

static dgm_status cut_feats(struct dgm_env *env, struct dgm_eval *eval, size_t *count,
                            const char *feats)
{
    const char *at = feats;

    *count = 0;
    for (;;) {
        size_t length = strcspn(at, "|");
        if (dgm_conllu_list_holds(feature_list, at, strcspn(at, "=|"))) {
            DGM_TRY(
                dgm_grow(env, &eval->pieces, &eval->piece_capacity, *count, sizeof *eval->pieces));
            eval->pieces[*count].text = at;
            eval->pieces[(*count)++].length = length;
        }
        if (at[length] == '\0')
            return DGM_OK;
        at += length + 1;
    }
}

static dgm_status intern_feats(struct dgm_env *env, struct dgm_eval *eval, uint32_t *number,
                               const char *feats)
{
    size_t i, count;

    DGM_TRY(cut_feats(env, eval, &count, feats));
    if (count > 1)
        qsort(eval->pieces, count, sizeof *eval->pieces, compare_pieces);
    dgm_buf_reset(&eval->scratch);
    for (i = 0; i < count; i++) {
        if (i > 0)
            DGM_TRY(dgm_buf_add_char(env, &eval->scratch, '|'));
        DGM_TRY(dgm_buf_add(env, &eval->scratch, eval->pieces[i].text, eval->pieces[i].length));
    }
    return intern(env, eval, number, count > 0 ? eval->scratch.data : "", eval->scratch.size);
}

const struct dgm_eval_span *dgm_eval_file_token(const struct dgm_eval_side *side, size_t place)
{
    size_t low = 0, high = side->token_count - 1;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (side->tokens[middle].end > place)
            high = middle;
        else
            low = middle + 1;
    }
    return &side->tokens[low];
}

/* ---- tokens ----------------------------------------------------------------------- */

/* The general category Zs. */
static int is_space(uint32_t code)
{
    return code == 0x20 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) ||
           code == 0x202F || code == 0x205F || code == 0x3000;
}

/* Adds the form of a row to the text, without spaces: a token may hold them or not. */
static dgm_status add_token(struct dgm_env *env, struct dgm_eval_side *side,
                            const struct dgm_conllu_row *row, const char *form)
{
    size_t start = side->text.size, length = strlen(form);
    struct dgm_eval_span *token;
    uint32_t code;

    while (length > 0) {
        size_t part = dgm_utf8_decode(&code, form, length);
        if (!is_space(code))
            DGM_TRY(dgm_buf_add(env, &side->text, form, part));
        form += part;
        length -= part;
    }
    if (side->text.size == start)
        return dgm_fail_at(env, DGM_DATA, side->path, row->line, 0,
                           "FORM of nothing but spaces; expected other characters "
                           "[E_FORM]");
    DGM_TRY(dgm_grow(env, &side->tokens, &side->token_capacity, side->token_count,
                     sizeof *side->tokens));
    token = &side->tokens[side->token_count++];
    token->start = start;
    token->end = side->text.size;
    token->line = row->line;
    return DGM_OK;
}

/* ---- words ------------------------------------------------------------------------ */

/* A part of a token keeps the spaces of its form, as in the shared task's evaluation. */
static dgm_status set_form(struct dgm_env *env, struct dgm_eval *eval,
                           const struct dgm_eval_side *side, struct dgm_eval_word *word,
                           const char *form)
{
    size_t length = strlen(form);

    if (!word->is_part) {
        form = side->text.data + word->start;
        length = word->end - word->start;
    }
    dgm_buf_reset(&eval->scratch);
    DGM_TRY(dgm_unicode_lower_text(env, &eval->scratch, form, length));
    return intern(env, eval, &word->form, eval->scratch.data, eval->scratch.size);
}

static dgm_status set_columns(struct dgm_env *env, struct dgm_eval *eval,
                              struct dgm_eval_word *word, const struct dgm_eval_columns *columns)
{
    size_t length = strcspn(columns->relation, ":");

    DGM_TRY(intern(env, eval, &word->lemma, columns->lemma, strlen(columns->lemma)));
    DGM_TRY(intern(env, eval, &word->upos, columns->upos, strlen(columns->upos)));
    DGM_TRY(intern(env, eval, &word->xpos, columns->xpos, strlen(columns->xpos)));
    DGM_TRY(intern(env, eval, &word->relation, columns->relation, length));
    word->kind = (unsigned char)classify(columns->relation, length);
    return intern_feats(env, eval, &word->feats, columns->feats);
}

static dgm_status add_word(struct dgm_env *env, struct dgm_eval *eval, struct dgm_eval_side *side,
                           const struct dgm_conllu_sentence *sentence,
                           const struct dgm_conllu_row *row, int is_part)
{
    const struct dgm_eval_span *token = &side->tokens[side->token_count - 1];
    const struct dgm_eval_columns columns = {
        .lemma = dgm_conllu_row_text(sentence, row, DGM_CONLLU_LEMMA),
        .upos = dgm_conllu_row_text(sentence, row, DGM_CONLLU_UPOS),
        .xpos = dgm_conllu_row_text(sentence, row, DGM_CONLLU_XPOS),
        .feats = dgm_conllu_row_text(sentence, row, DGM_CONLLU_FEATS),
        .relation = dgm_conllu_row_text(sentence, row, DGM_CONLLU_DEPREL),
    };
    struct dgm_eval_word *word;

    if (side->word_count >= INT32_MAX)
        return dgm_fail_at(env, DGM_DATA, side->path, row->line, 0,
                           "more than %d words; expected a smaller file [E_LIMIT]", INT32_MAX);
    DGM_TRY(
        dgm_grow(env, &side->words, &side->word_capacity, side->word_count, sizeof *side->words));
    word = &side->words[side->word_count++];
    memset(word, 0, sizeof *word);
    word->start = token->start;
    word->end = token->end;
    word->child = word->sibling = -1;
    word->is_part = (unsigned char)is_part;
    DGM_TRY(set_form(env, eval, side, word, dgm_conllu_row_text(sentence, row, DGM_CONLLU_FORM)));
    return set_columns(env, eval, word, &columns);
}

/* ---- sentences -------------------------------------------------------------------- */

/* From the last word to the first, so that the lists of dependents are in order. */
static void link_words(struct dgm_eval_side *side, const int32_t *heads, int32_t n)
{
    size_t base = side->word_count - (size_t)n;

    for (int32_t i = n - 1; i >= 0; i--) {
        struct dgm_eval_word *word = &side->words[base + (size_t)i], *parent;

        word->parent = heads[i] == i ? DGM_EVAL_ROOT : (int32_t)base + heads[i];
        if (word->parent < 0 || word->kind != DGM_EVAL_FUNCTION)
            continue;
        parent = &side->words[word->parent];
        word->sibling = parent->child;
        parent->child = (int32_t)base + i;
    }
}

/* The same of a sentence of n words that has no tree. */
static void leave_words(struct dgm_eval_side *side, int32_t n)
{
    for (int32_t i = 1; i <= n; i++)
        side->words[side->word_count - (size_t)i].parent = DGM_EVAL_NO_TREE;
    side->unparsed++;
}

/* Where the sentences of a file go. */
struct reading {
    struct dgm_eval *eval;
    struct dgm_eval_side *side;
};

static dgm_status add_sentence(struct dgm_env *env, void *user,
                               const struct dgm_conllu_sentence *sentence)
{
    const struct reading *reading = user;
    struct dgm_eval_side *side = reading->side;
    struct dgm_eval_span *span;
    int32_t covered = 0; /* the last word of the token of several words */
    size_t i, start = side->text.size;

    for (i = 0; i < sentence->row_count; i++) {
        const struct dgm_conllu_row *row = &sentence->rows[i];
        int is_part = row->kind == DGM_CONLLU_WORD && row->first <= covered;

        if (row->kind == DGM_CONLLU_EMPTY)
            continue;
        if (!is_part)
            DGM_TRY(add_token(env, side, row, dgm_conllu_row_text(sentence, row, DGM_CONLLU_FORM)));
        if (row->kind == DGM_CONLLU_RANGE)
            covered = row->last;
        else
            DGM_TRY(add_word(env, reading->eval, side, sentence, row, is_part));
    }
    if (sentence->tree.has_parse)
        link_words(side, sentence->tree.head, sentence->tree.count);
    else
        leave_words(side, sentence->tree.count);
    DGM_TRY(dgm_grow(env, &side->sentences, &side->sentence_capacity, side->sentence_count,
                     sizeof *side->sentences));
    span = &side->sentences[side->sentence_count++];
    span->start = start;
    span->end = side->text.size;
    span->line = sentence->line;
    return DGM_OK;
}

dgm_status dgm_eval_file_add(struct dgm_env *env, struct dgm_eval *eval, struct dgm_eval_side *side,
                             const struct dgm_eval_columns *columns, const int32_t *heads,
                             int32_t n)
{
    DGM_TRY(intern(env, eval, &eval->blank, "_", 1));
    for (int32_t w = 0; w < n; w++) {
        struct dgm_eval_word *word;

        DGM_TRY(dgm_grow(env, &side->words, &side->word_capacity, side->word_count,
                         sizeof *side->words));
        word = &side->words[side->word_count++];
        memset(word, 0, sizeof *word);
        word->child = word->sibling = -1;
        DGM_TRY(set_columns(env, eval, word, &columns[w]));
    }
    link_words(side, heads, n);
    return DGM_OK;
}

dgm_status dgm_eval_file_read(struct dgm_env *env, struct dgm_eval *eval,
                              struct dgm_eval_side *side, enum dgm_multi_root multi_root)
{
    const struct dgm_conllu_options options = { .multi_root = multi_root,
                                                .allow_unparsed = side == &eval->system };
    struct reading reading = { .eval = eval, .side = side };

    DGM_TRY(intern(env, eval, &eval->blank, "_", 1));
    DGM_TRY(dgm_conllu_reader_each(env, side->path, &options, add_sentence, &reading));
    if (side->sentence_count == 0)
        return dgm_fail_at(env, DGM_DATA, side->path, 0, 0,
                           "no sentences; expected at least 1 [E_EMPTY]");
    return DGM_OK;
}

static void clear_side(struct dgm_env *env, struct dgm_eval_side *side)
{
    dgm_buf_clear(env, &side->text);
    dgm_release(env, side->words);
    dgm_release(env, side->tokens);
    dgm_release(env, side->sentences);
}

void dgm_eval_file_clear(struct dgm_env *env, struct dgm_eval *eval)
{
    clear_side(env, &eval->gold);
    clear_side(env, &eval->system);
    dgm_map_clear(env, &eval->strings);
    dgm_buf_clear(env, &eval->scratch);
    dgm_release(env, eval->pieces);
    dgm_release(env, eval->match);
}
