/* tree_brackets.c: a dependency tree as a line of brackets. Nothing recurses. */
#include "syntax/bracket/tree_brackets.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/bracket/bracket.h"

struct line {
    struct dgm_env *env;
    struct dgm_tree_brackets *brackets;
    struct dgm_writer *writer;
    const struct dgm_conllu_sentence *sentence;
    struct dgm_binary_lifted tree;
    int32_t *opening; /* constituents that begin with one word, the innermost first */
};

static dgm_status put(const struct line *line, const char *text)
{
    return dgm_writer_add(line->env, line->writer, text, strlen(text));
}

static dgm_status open_bracket(const struct line *line, const char *label)
{
    DGM_TRY(put(line, " ("));
    if (*label == '\0')
        return put(line, "_");
    for (; *label != '\0'; label++) {
        int parts = (unsigned char)*label <= ' ' || *label == '(' || *label == ')';

        DGM_TRY(dgm_writer_add(line->env, line->writer, parts ? "_" : label, 1));
    }
    return DGM_OK;
}

static dgm_status put_form(const struct line *line, const char *form)
{
    struct dgm_buf *word = &line->brackets->word;

    dgm_buf_reset(word);
    for (; *form != '\0'; form++)
        DGM_TRY(*form == ' ' ? dgm_buf_add_text(line->env, word, "\xC2\xA0")
                             : dgm_buf_add_char(line->env, word, *form));
    if (word->size == 0)
        DGM_TRY(dgm_buf_add_char(line->env, word, '_'));
    return dgm_bracket_write_word(line->env, line->writer, word->data);
}

/* -NONE- would make the word a trace. */
static const char *tag_of(const struct dgm_conllu_sentence *sentence, int32_t word)
{
    const char *tag = dgm_conllu_field(sentence, word, DGM_CONLLU_UPOS);

    if (strcmp(tag, "_") == 0)
        tag = dgm_conllu_field(sentence, word, DGM_CONLLU_XPOS);
    return strcmp(tag, "_") == 0 || strcmp(tag, "-NONE-") == 0 ? NULL : tag;
}

static dgm_status put_word(const struct line *line, int32_t word)
{
    const char *tag = tag_of(line->sentence, word);

    if (tag != NULL)
        DGM_TRY(open_bracket(line, tag));
    DGM_TRY(put(line, " "));
    DGM_TRY(put_form(line, dgm_conllu_field(line->sentence, word, DGM_CONLLU_FORM)));
    return tag != NULL ? put(line, ")") : DGM_OK;
}

/* What begins with a word, from the outside in; the word; what ends with it. */
static dgm_status put_place(struct line *line, int32_t word)
{
    const struct dgm_binary_lifted *tree = &line->tree;
    int32_t count = 0, at = word;

    while (tree->first[at] == word) {
        line->opening[count++] = at;
        if (tree->head[at] == at)
            break;
        at = tree->head[at];
    }
    while (count-- > 0)
        DGM_TRY(open_bracket(line, dgm_conllu_field(line->sentence, line->opening[count],
                                                    DGM_CONLLU_DEPREL)));
    DGM_TRY(put_word(line, word));
    for (at = word; tree->end[at] == word + 1; at = tree->head[at]) {
        DGM_TRY(put(line, ")"));
        if (tree->head[at] == at)
            break;
    }
    return DGM_OK;
}

static dgm_status put_tree(struct line *line)
{
    size_t step = (size_t)line->sentence->tree.count + 1;
    struct dgm_tree_brackets *brackets = line->brackets;

    DGM_TRY(dgm_reserve(line->env, &brackets->work, &brackets->work_capacity,
                        (DGM_BINARY_WORK + 1) * step, sizeof *brackets->work));
    line->opening = brackets->work + DGM_BINARY_WORK * step;
    dgm_binary_lift(&line->tree, &line->sentence->tree, brackets->work);
    brackets->lifted = line->tree.lifted;
    DGM_TRY(put(line, "(TOP"));
    for (int32_t word = 0; word < line->sentence->tree.count; word++)
        DGM_TRY(put_place(line, word));
    return put(line, ")\n");
}

dgm_status dgm_tree_brackets_write(struct dgm_env *env, struct dgm_tree_brackets *brackets,
                                   struct dgm_writer *writer,
                                   const struct dgm_conllu_sentence *sentence)
{
    struct line line = { .env = env, .brackets = brackets, .writer = writer, .sentence = sentence };

    brackets->lifted = 0;
    if (sentence->tree.count == 0)
        return put(&line, "\n");
    return sentence->tree.has_parse ? put_tree(&line) : put(&line, "(())\n");
}

void dgm_tree_brackets_clear(struct dgm_env *env, struct dgm_tree_brackets *brackets)
{
    dgm_release(env, brackets->work);
    dgm_buf_clear(env, &brackets->word);
    memset(brackets, 0, sizeof *brackets);
}
