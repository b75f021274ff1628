/*
 * line_tree.c: carrying the tree of a treebank sentence to the words of a line.
 */
#include "data/tree/line_tree.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/surface.h"
#include "syntax/tree/binary.h"
#include "syntax/tree/forms.h"

/* A column of the words of a line, all without a value. */
static dgm_status reserve_column(struct dgm_env *env, int32_t **column, size_t *capacity,
                                 int32_t words)
{
    DGM_TRY(dgm_reserve(env, column, capacity, (size_t)words + 1, sizeof **column));
    for (int32_t w = 0; w < words; w++)
        (*column)[w] = -1;
    return DGM_OK;
}

static dgm_status reserve(struct dgm_env *env, struct dgm_line_tree *tree, int32_t words,
                          const struct dgm_features *features)
{
    for (int kind = 0; kind < DGM_WORD_FEATURES && features != NULL; kind++)
        if (dgm_feature_size(&features->of[kind]) > 0)
            DGM_TRY(
                reserve_column(env, &tree->features[kind], &tree->feature_capacity[kind], words));
    return reserve_column(env, &tree->heads, &tree->head_capacity, words);
}

/* tokens: how many words of the line each word of the sentence covers; first: room for where they
 * begin. A treebank may have blanks inside a word ("1 000"), where the line has two: the first
 * stands for the word, the later ones hang on it. */
static void find_places(const int32_t *tokens, int32_t *first, int32_t words)
{
    int32_t at = 0;

    for (int32_t w = 0; w < words; w++) {
        first[w] = at;
        at += tokens[w];
    }
}

static void fill_heads(struct dgm_line_tree *tree, const struct dgm_conllu_sentence *sentence,
                       const int32_t *tokens, const int32_t *first)
{
    for (int32_t w = 0; w < sentence->tree.count; w++)
        for (int32_t t = 0; t < tokens[w]; t++)
            tree->heads[first[w] + t] = t > 0 ? first[w] : first[sentence->tree.head[w]];
}

/* Every word of the line has what its word of the sentence has. */
static void fill_feature(struct dgm_line_tree *tree, const struct dgm_conllu_sentence *sentence,
                         enum dgm_feature_kind kind, const struct dgm_feature *feature,
                         const int32_t *tokens, const int32_t *first)
{
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        const char *name = dgm_feature_of_word(sentence, w, kind);
        int32_t number = name != NULL ? dgm_feature_find(feature, name) : -1;

        dgm_feature_counts_word(&tree->counts, kind, name, number);
        for (int32_t t = 0; t < tokens[w]; t++)
            tree->features[kind][first[w] + t] = number;
    }
}

static void fill(struct dgm_line_tree *tree, const struct dgm_conllu_sentence *sentence,
                 const struct dgm_features *features, const int32_t *tokens, int32_t *first)
{
    find_places(tokens, first, sentence->tree.count);
    if (sentence->tree.has_parse)
        fill_heads(tree, sentence, tokens, first);
    for (int kind = 0; kind < DGM_WORD_FEATURES && features != NULL; kind++)
        if (dgm_feature_size(&features->of[kind]) > 0)
            fill_feature(tree, sentence, (enum dgm_feature_kind)kind, &features->of[kind], tokens,
                         first);
    tree->counts.words += sentence->tree.count;
}

/* ---- other words of the same text ------------------------------------------------------------ */

/* tree->words: the words of the sentence and those of the line. */
static dgm_status find_words(struct dgm_env *env, struct dgm_line_tree *tree,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_encoded *line)
{
    struct dgm_surface_token token;
    struct dgm_buf text = { 0 }, forms = { 0 };
    size_t at = 0;
    dgm_status status;

    dgm_text_words_reset(&tree->words);
    while (dgm_surface_next(sentence, &at, &token)) {
        DGM_TRY_OUT(dgm_surface_add_form(env, &text, sentence, &token));
        DGM_TRY_OUT(dgm_surface_add_space(env, &text, sentence, &token));
    }
    DGM_TRY_OUT(dgm_text_words_begin(env, &tree->words, text.data, text.size));
    dgm_buf_reset(&text);
    for (at = 0; dgm_surface_next(sentence, &at, &token);) {
        const size_t start = text.size;

        dgm_buf_reset(&forms);
        DGM_TRY_OUT(dgm_surface_add_form(env, &text, sentence, &token));
        for (int32_t w = token.first; w < token.first + token.count; w++) {
            const char *form = dgm_conllu_field(sentence, w, DGM_CONLLU_FORM);

            DGM_TRY_OUT(dgm_buf_add(env, &forms, form, strlen(form) + 1));
        }
        DGM_TRY_OUT(
            dgm_text_words_add(env, &tree->words, start, text.size, forms.data, token.count));
        DGM_TRY_OUT(dgm_surface_add_space(env, &text, sentence, &token));
    }
    status = dgm_text_words_end(env, &tree->words, line->text.data, line->text.size, line->n_words);
out:
    dgm_buf_clear(env, &text);
    dgm_buf_clear(env, &forms);
    return status;
}

/* Features of the tokens: those of the words that they belong to. */
static dgm_status lay_feature(struct dgm_env *env, struct dgm_line_tree *tree,
                              const struct dgm_conllu_sentence *sentence,
                              enum dgm_feature_kind kind, const struct dgm_feature *feature,
                              int32_t n_words)
{
    int32_t *numbers;

    DGM_TRY(dgm_new(env, &numbers, (size_t)sentence->tree.count, sizeof *numbers));
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        const char *name = dgm_feature_of_word(sentence, w, kind);

        numbers[w] = name != NULL ? dgm_feature_find(feature, name) : -1;
        dgm_feature_counts_word(&tree->counts, kind, name, numbers[w]);
    }
    for (int32_t t = 0; t < n_words; t++)
        tree->features[kind][t] = tree->overlay.word[t] < 0 ? -1 : numbers[tree->overlay.word[t]];
    dgm_release(env, numbers);
    return DGM_OK;
}

/* Lays the tree over the line, whose words are not those of the sentence; *is_one_text = 0 where
 * the text is not, either. */
static dgm_status lay(struct dgm_env *env, struct dgm_line_tree *tree,
                      const struct dgm_conllu_sentence *sentence,
                      const struct dgm_features *features, const struct dgm_encoded *line,
                      int *is_one_text)
{
    DGM_TRY(find_words(env, tree, sentence, line));
    *is_one_text = tree->words.is_one_text;
    if (!*is_one_text)
        return DGM_OK;
    DGM_TRY(dgm_overlay_lay(env, &tree->overlay, &sentence->tree, tree->words.words,
                            tree->words.tokens, tree->words.joins, line->n_words));
    memcpy(tree->heads, tree->overlay.head, (size_t)line->n_words * sizeof *tree->heads);
    for (int kind = 0; kind < DGM_WORD_FEATURES && features != NULL; kind++)
        if (dgm_feature_size(&features->of[kind]) > 0)
            DGM_TRY(lay_feature(env, tree, sentence, (enum dgm_feature_kind)kind,
                                &features->of[kind], line->n_words));
    tree->counts.words += sentence->tree.count;
    tree->laid.words += sentence->tree.count;
    tree->laid.kept += tree->overlay.kept;
    tree->laid.lines++;
    return DGM_OK;
}

/* The words of the sentence are not those of the line: env says how. It is forgotten where both are
 * one text. */
static dgm_status try_to_lay(struct dgm_env *env, struct dgm_line_tree *tree,
                             const struct dgm_conllu_sentence *sentence,
                             const struct dgm_features *features, const struct dgm_encoded *line)
{
    const struct dgm_error error = env->error;
    int is_one_text = 0;

    if (line->n_words == 0 || sentence->tree.count == 0)
        return DGM_DATA;
    dgm_env_clear_error(env);
    DGM_TRY(lay(env, tree, sentence, features, line, &is_one_text));
    if (is_one_text)
        return DGM_OK;
    env->error = error;
    return DGM_DATA;
}

dgm_status dgm_line_tree_take(struct dgm_env *env, struct dgm_line_tree *tree,
                              const struct dgm_conllu_sentence *sentence,
                              const struct dgm_features *features, const struct dgm_encoded *line,
                              const char *path, long number)
{
    struct dgm_forms forms = dgm_forms_of_conllu(sentence);
    size_t words = (size_t)sentence->tree.count;
    int32_t *tokens;
    dgm_status status;

    DGM_TRY(reserve(env, tree, line->n_words, features));
    DGM_TRY(dgm_new(env, &tokens, 2 * words + 2, sizeof *tokens));
    status = dgm_forms_match(env, tokens, &forms, line->text.data, line->text.size, path, number);
    if (status == DGM_OK)
        fill(tree, sentence, features, tokens, tokens + words + 1);
    dgm_release(env, tokens);
    return status == DGM_DATA ? try_to_lay(env, tree, sentence, features, line) : status;
}

/* ---- constituents ---------------------------------------------------------------------------- */

static dgm_status reserve_binary(struct dgm_env *env, struct dgm_line_tree *tree, int32_t words)
{
    size_t room = (size_t)words + 1;

    DGM_TRY(dgm_reserve(env, &tree->left, &tree->left_capacity, room, sizeof *tree->left));
    DGM_TRY(dgm_reserve(env, &tree->right, &tree->right_capacity, room, sizeof *tree->right));
    for (int32_t w = 0; w < words; w++)
        tree->left[w] = tree->right[w] = -1;
    return DGM_OK;
}

static const char *word_of(const void *brackets, int32_t word)
{
    const struct dgm_bracket_tree *tree = brackets;

    return dgm_bracket_text(tree, tree->words[word]);
}

dgm_status dgm_line_tree_take_brackets(struct dgm_env *env, struct dgm_line_tree *tree,
                                       const struct dgm_bracket_tree *brackets,
                                       const struct dgm_encoded *line, const char *path,
                                       long number)
{
    struct dgm_forms words = { .count = brackets->word_count, .form = word_of, .of = brackets };

    DGM_TRY(reserve_binary(env, tree, line->n_words));
    if (!brackets->has_parse)
        return DGM_OK;
    DGM_TRY(dgm_forms_match(env, NULL, &words, line->text.data, line->text.size, path, number));
    return dgm_binary_from_brackets(env, tree->left, tree->right, brackets);
}

/* ---- packing --------------------------------------------------------------------------------- */

dgm_status dgm_line_tree_pack(struct dgm_env *env, struct dgm_packed *packed,
                              const struct dgm_encoded *line, const struct dgm_line_tree *tree)
{
    DGM_TRY(dgm_packed_add(env, packed, line->ids, line->words, line->n,
                           tree != NULL ? tree->heads : NULL, line->n_words));
    if (tree != NULL && tree->left != NULL)
        DGM_TRY(dgm_packed_add_binary(env, packed, tree->left, tree->right));
    for (int kind = 0; kind < DGM_WORD_FEATURES && tree != NULL; kind++)
        if (tree->features[kind] != NULL)
            DGM_TRY(dgm_packed_add_feature(env, packed, (enum dgm_feature_kind)kind,
                                           tree->features[kind]));
    return DGM_OK;
}

void dgm_line_tree_clear(struct dgm_env *env, struct dgm_line_tree *tree)
{
    dgm_release(env, tree->heads);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        dgm_release(env, tree->features[kind]);
    dgm_release(env, tree->left);
    dgm_release(env, tree->right);
    dgm_text_words_clear(env, &tree->words);
    dgm_overlay_clear(env, &tree->overlay);
    memset(tree, 0, sizeof *tree);
}
