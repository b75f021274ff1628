/*
 * line_tree.c: carrying the tree of a treebank sentence to the words of a line.
 */
#include "data/tree/line_tree.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/tree/binary.h"
#include "syntax/tree/forms.h"

/* Room for the words of a line, all without a parse. */
static dgm_status reserve(struct dgm_env *env, struct dgm_line_tree *tree, int32_t words,
                          int with_relations)
{
    size_t room = (size_t)words + 1;

    DGM_TRY(dgm_reserve(env, &tree->heads, &tree->head_capacity, room, sizeof *tree->heads));
    if (with_relations)
        DGM_TRY(dgm_reserve(env, &tree->relations, &tree->relation_capacity, room,
                            sizeof *tree->relations));
    for (int32_t w = 0; w < words; w++)
        tree->heads[w] = -1;
    for (int32_t w = 0; w < words && with_relations; w++)
        tree->relations[w] = -1;
    return DGM_OK;
}

/* tokens: how many words of the line each word of the sentence covers; first: room for where they
 * begin. A treebank may have blanks inside a word ("1 000"), where the line has two: the first
 * stands for the word, the later ones hang on it and have its relation. */
static void fill(struct dgm_line_tree *tree, const struct dgm_conllu_sentence *sentence,
                 const struct dgm_relations *vocab, const int32_t *tokens, int32_t *first)
{
    int32_t words = sentence->tree.count, at = 0;

    for (int32_t w = 0; w < words; w++) {
        first[w] = at;
        at += tokens[w];
    }
    for (int32_t w = 0; w < words; w++) {
        int32_t relation =
            vocab != NULL
                ? dgm_relations_find(vocab, dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL))
                : -1;

        for (int32_t t = 0; t < tokens[w]; t++) {
            tree->heads[first[w] + t] = t > 0 ? first[w] : first[sentence->tree.head[w]];
            if (vocab != NULL)
                tree->relations[first[w] + t] = relation;
        }
    }
}

dgm_status dgm_line_tree_take(struct dgm_env *env, struct dgm_line_tree *tree,
                              const struct dgm_conllu_sentence *sentence,
                              const struct dgm_relations *vocab, const struct dgm_encoded *line,
                              const char *path, long number)
{
    struct dgm_forms forms = dgm_forms_of_conllu(sentence);
    size_t words = (size_t)sentence->tree.count;
    int32_t *tokens;
    dgm_status status;

    if (vocab != NULL && dgm_relations_size(vocab) == 0)
        vocab = NULL;
    DGM_TRY(reserve(env, tree, line->n_words, vocab != NULL));
    tokens = dgm_alloc(env, 2 * words + 2, sizeof *tokens);
    if (tokens == NULL)
        return DGM_MEMORY;
    status = dgm_forms_match(env, tokens, &forms, line->text.data, line->text.size, path, number);
    if (status == DGM_OK && sentence->tree.has_parse)
        fill(tree, sentence, vocab, tokens, tokens + words + 1);
    dgm_release(env, tokens);
    return status;
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
    if (tree == NULL || tree->relations == NULL)
        return DGM_OK;
    return dgm_packed_add_relations(env, packed, tree->relations);
}

void dgm_line_tree_clear(struct dgm_env *env, struct dgm_line_tree *tree)
{
    dgm_release(env, tree->heads);
    dgm_release(env, tree->relations);
    dgm_release(env, tree->left);
    dgm_release(env, tree->right);
    memset(tree, 0, sizeof *tree);
}
