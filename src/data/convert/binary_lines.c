/* binary_lines.c: trees as lines of brackets around two constituents each. */
#include "data/convert/binary_lines.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/tree/binary.h"

static dgm_status reserve(struct dgm_env *env, struct dgm_binary_lines *binary, int32_t words)
{
    size_t room = (size_t)words + 1;

    DGM_TRY(dgm_reserve(env, &binary->forms, &binary->form_capacity, room, sizeof *binary->forms));
    DGM_TRY(dgm_reserve(env, &binary->work, &binary->work_capacity, DGM_BINARY_WORK * room,
                        sizeof *binary->work));
    DGM_TRY(dgm_reserve(env, &binary->left, &binary->left_capacity, room, sizeof *binary->left));
    return dgm_reserve(env, &binary->right, &binary->right_capacity, room, sizeof *binary->right);
}

static const char *form_of(const void *binary_, int32_t word)
{
    const struct dgm_binary_lines *binary = binary_;

    return binary->forms[word];
}

static dgm_status write_binary(struct dgm_env *env, struct dgm_writer *writer,
                               const struct dgm_binary_lines *binary, int32_t words)
{
    struct dgm_forms line = { .count = words, .form = form_of, .of = binary };

    return dgm_binary_write(env, writer, &line, binary->left, binary->right);
}

dgm_status dgm_binary_lines_of_brackets(struct dgm_env *env, struct dgm_writer *writer,
                                        struct dgm_binary_lines *binary,
                                        const struct dgm_bracket_tree *tree)
{
    DGM_TRY(reserve(env, binary, tree->word_count));
    for (int32_t w = 0; w < tree->word_count; w++)
        binary->forms[w] = dgm_bracket_text(tree, tree->words[w]);
    if (tree->word_count > 0)
        DGM_TRY(dgm_binary_from_brackets(env, binary->left, binary->right, tree));
    return write_binary(env, writer, binary, tree->word_count);
}

/* ---- dependencies ------------------------------------------------------------------------- */

/* Joins the words to a line of text, where a word with blanks inside is several tokens. */
static dgm_status join_words(struct dgm_env *env, struct dgm_encoded *line,
                             const struct dgm_conllu_sentence *sentence)
{
    char before = ' ';

    line->n_words = 0;
    dgm_buf_reset(&line->text);
    for (int32_t w = 0; w < sentence->tree.count; w++) {
        DGM_TRY(dgm_buf_add_text(env, &line->text, dgm_conllu_field(sentence, w, DGM_CONLLU_FORM)));
        DGM_TRY(dgm_buf_add_char(env, &line->text, ' '));
    }
    for (size_t i = 0; i < line->text.size; before = line->text.data[i++])
        line->n_words += before == ' ' && line->text.data[i] != ' ';
    return DGM_OK;
}

/* Points binary->forms into the text of the line, and ends each token with a NUL. */
static void split_line(struct dgm_binary_lines *binary)
{
    struct dgm_buf *text = &binary->line.text;
    int32_t count = 0;
    char before = '\0';

    for (size_t i = 0; i < text->size; before = text->data[i++]) {
        if (text->data[i] == ' ')
            text->data[i] = '\0';
        else if (before == '\0')
            binary->forms[count++] = text->data + i;
    }
}

dgm_status dgm_binary_lines_of_heads(struct dgm_env *env, struct dgm_writer *writer,
                                     struct dgm_binary_lines *binary,
                                     const struct dgm_conllu_sentence *sentence)
{
    struct dgm_encoded *line = &binary->line;
    struct dgm_tree tree;

    DGM_TRY(join_words(env, line, sentence));
    DGM_TRY(reserve(env, binary, line->n_words));
    tree.has_parse = sentence->tree.has_parse;
    if (tree.has_parse)
        DGM_TRY(dgm_line_tree_take(env, &binary->line_tree, sentence, NULL, line, "words",
                                   sentence->line));
    split_line(binary);
    tree.head = binary->line_tree.heads;
    tree.count = line->n_words;
    if (tree.count > 0)
        dgm_binary_from_tree(binary->left, binary->right, &tree, binary->work);
    return write_binary(env, writer, binary, tree.count);
}

void dgm_binary_lines_clear(struct dgm_env *env, struct dgm_binary_lines *binary)
{
    dgm_encoded_clear(env, &binary->line);
    dgm_line_tree_clear(env, &binary->line_tree);
    dgm_release(env, binary->forms);
    dgm_release(env, binary->left);
    dgm_release(env, binary->right);
    dgm_release(env, binary->work);
    memset(binary, 0, sizeof *binary);
}
