/*
 * conllu_tree.c: from the HEAD columns of a sentence to its tree, and the policy for
 * many roots.
 *
 * CoNLL-U counts words from 1 and gives a root HEAD 0; struct dgm_tree counts from 0
 * and makes a root its own head.
 */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_part.h"

static dgm_status complain_word(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                const struct dgm_conllu_sentence *sentence, int32_t word,
                                enum dgm_conllu_fault fault)
{
    const struct dgm_conllu_row *row = &sentence->rows[sentence->words[word]];

    /* A row of typed dependencies was composed: it has no columns in the file. */
    return dgm_conllu_complain(env, reader, fault, row->line,
                               reader->format == DGM_CONLLU_TYPED
                                   ? 1
                                   : dgm_conllu_place(sentence, row, DGM_CONLLU_HEAD));
}

/* One HEAD as CoNLL-U writes it: 0 for a root, else 1..N. */
static dgm_status read_head(struct dgm_env *env, struct dgm_conllu_reader *reader,
                            const struct dgm_conllu_sentence *sentence, int32_t word, int32_t *head)
{
    const char *text = dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD);
    char quoted[DGM_QUOTE_SIZE];
    long n = (long)reader->word_count;

    dgm_quote(quoted, sizeof quoted, text, strlen(text));
    if (!dgm_conllu_count(head, text, text + strlen(text)))
        snprintf(reader->note, sizeof reader->note, "HEAD \"%s\"; HEAD must be 0..%ld", quoted, n);
    else if (*head > reader->word_count)
        snprintf(reader->note, sizeof reader->note,
                 "HEAD %ld is outside this sentence; expected 0..%ld", (long)*head, n);
    else if (*head == word + 1)
        snprintf(reader->note, sizeof reader->note,
                 "HEAD of word %ld is the word itself; expected another word or 0", (long)word + 1);
    else
        return DGM_OK;
    return complain_word(env, reader, sentence, word, DGM_CONLLU_BAD_HEAD);
}

static dgm_status read_heads(struct dgm_env *env, struct dgm_conllu_reader *reader,
                             const struct dgm_conllu_sentence *sentence, int32_t *head)
{
    int32_t word;

    for (word = 0; word < reader->word_count && !reader->broken; word++) {
        DGM_TRY(read_head(env, reader, sentence, word, &head[word]));
        head[word] = head[word] == 0 ? word : head[word] - 1;
    }
    return DGM_OK;
}

/* "3 roots (words 1, 4, 7)". */
static void describe_roots(struct dgm_conllu_reader *reader, const int32_t *head, int32_t roots)
{
    size_t used;
    int32_t word;
    int shown = 0;

    used = (size_t)snprintf(reader->note, sizeof reader->note, "%ld roots (words", (long)roots);
    for (word = 0; shown < 8 && shown < roots; word++) {
        if (head[word] == word)
            used += (size_t)snprintf(reader->note + used, sizeof reader->note - used, "%s %ld",
                                     shown++ == 0 ? "" : ",", (long)word + 1);
    }
    snprintf(reader->note + used, sizeof reader->note - used,
             "%s); expected 1 (--multi-root=attach-first or keep accepts more)",
             shown < roots ? ", ..." : "");
}

static dgm_status apply_policy(struct dgm_env *env, struct dgm_conllu_reader *reader,
                               const struct dgm_conllu_sentence *sentence, struct dgm_tree *tree,
                               int32_t first_root, int32_t roots)
{
    int32_t word;

    if (roots == 1 || reader->options.multi_root == DGM_MULTI_ROOT_KEEP)
        return DGM_OK;
    if (reader->options.multi_root == DGM_MULTI_ROOT_ERROR) {
        describe_roots(reader, tree->head, roots);
        return complain_word(env, reader, sentence, first_root, DGM_CONLLU_BAD_ROOT);
    }
    for (word = 0; word < tree->count; word++) {
        if (tree->head[word] == word)
            tree->head[word] = first_root;
    }
    return DGM_OK;
}

static dgm_status check_shape(struct dgm_env *env, struct dgm_conllu_reader *reader,
                              const struct dgm_conllu_sentence *sentence, struct dgm_tree *tree)
{
    char path[200];
    int32_t first_root = 0;
    int32_t cycle;

    while (first_root < tree->count && tree->head[first_root] != first_root)
        first_root++;
    if (first_root == tree->count) {
        snprintf(reader->note, sizeof reader->note, "no root; expected one word with HEAD 0");
        return complain_word(env, reader, sentence, 0, DGM_CONLLU_BAD_ROOT);
    }
    DGM_TRY(dgm_tree_find_cycle(env, &cycle, tree));
    if (cycle >= 0) {
        dgm_tree_describe_cycle(path, sizeof path, tree, cycle);
        snprintf(reader->note, sizeof reader->note, "cycle %s; expected a tree", path);
        return complain_word(env, reader, sentence, cycle, DGM_CONLLU_BAD_CYCLE);
    }
    return apply_policy(env, reader, sentence, tree, first_root, dgm_tree_root_count(tree));
}

static int is_unparsed(const struct dgm_conllu_reader *reader,
                       const struct dgm_conllu_sentence *sentence)
{
    int32_t word;

    for (word = 0; word < reader->word_count; word++) {
        if (strcmp(dgm_conllu_field(sentence, word, DGM_CONLLU_HEAD), "_") != 0)
            return 0;
    }
    return 1;
}

dgm_status dgm_conllu_tree_build(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                 struct dgm_conllu_sentence *sentence)
{
    struct dgm_tree *tree = &sentence->tree;

    DGM_TRY(dgm_tree_init(env, tree, NULL, reader->word_count));
    if (reader->options.allow_unparsed && is_unparsed(reader, sentence))
        return DGM_OK;
    DGM_TRY(read_heads(env, reader, sentence, tree->head));
    tree->has_parse = tree->count > 0 && !reader->broken;
    if (tree->has_parse)
        DGM_TRY(check_shape(env, reader, sentence, tree));
    if (reader->broken)
        dgm_tree_drop(tree);
    return DGM_OK;
}
