/*
 * parses.c: the parses of a text, from the sentences of CoNLL-U or from brackets.
 */
#include "data/tree/parses.h"

#include <string.h>

#include "base/mem.h"
#include "syntax/bracket/bracket_reader.h"
#include "syntax/conllu/conllu_reader.h"
#include "syntax/tree/linearise.h"

dgm_status dgm_parses_add(struct dgm_env *env, struct dgm_parses *parses)
{
    size_t start = parses->count > 0 ? parses->ends[parses->count - 1] : 0;

    DGM_TRY(dgm_grow(env, &parses->ends, &parses->capacity, parses->count, sizeof *parses->ends));
    parses->none += parses->text.size == start;
    parses->ends[parses->count++] = parses->text.size;
    return DGM_OK;
}

const char *dgm_parses_line(const struct dgm_parses *parses, size_t line, size_t *bytes)
{
    size_t start = line > 0 && line < parses->count ? parses->ends[line - 1] : 0;

    *bytes = line < parses->count ? parses->ends[line] - start : 0;
    return *bytes > 0 ? parses->text.data + start : "";
}

void dgm_parses_clear(struct dgm_env *env, struct dgm_parses *parses)
{
    dgm_buf_clear(env, &parses->text);
    dgm_release(env, parses->ends);
    memset(parses, 0, sizeof *parses);
}

static void begin(struct dgm_parses *parses, const char *path)
{
    parses->path = path;
    parses->text.limit = SIZE_MAX / 4; /* as large as the text is: memory is the limit */
}

static dgm_status add_sentence(struct dgm_env *env, void *user,
                               const struct dgm_conllu_sentence *sentence)
{
    struct dgm_parses *parses = user;
    const struct dgm_tree *tree = &sentence->tree;
    const char **labels;
    dgm_status status;

    if (!tree->has_parse || tree->count == 0)
        return dgm_parses_add(env, parses);
    DGM_TRY(dgm_new(env, &labels, (size_t)tree->count, sizeof *labels));
    for (int32_t w = 0; w < tree->count; w++)
        labels[w] = dgm_conllu_field(sentence, w, DGM_CONLLU_DEPREL);
    status = dgm_linearise_tree(env, &parses->text, tree, labels);
    dgm_release(env, labels);
    DGM_TRY(status);
    return dgm_parses_add(env, parses);
}

dgm_status dgm_parses_read_conllu(struct dgm_env *env, struct dgm_parses *parses, const char *path)
{
    struct dgm_conllu_options options = { .multi_root = DGM_MULTI_ROOT_KEEP,
                                          .allow_unparsed = 1,
                                          .allow_empty = 1 }; /* beside a blank line */

    begin(parses, path);
    return dgm_conllu_reader_each(env, path, &options, add_sentence, parses);
}

dgm_status dgm_parses_read_brackets(struct dgm_env *env, struct dgm_parses *parses,
                                    const char *path)
{
    struct dgm_bracket_reader reader = { 0 };
    struct dgm_bracket_tree tree = { 0 };
    dgm_status status;
    int more;

    begin(parses, path);
    DGM_TRY_OUT(dgm_bracket_reader_open(env, &reader, path, NULL));
    for (;;) {
        DGM_TRY_OUT(dgm_bracket_reader_next_or_none(env, &reader, &tree, &more));
        if (!more)
            break;
        if (tree.has_parse)
            DGM_TRY_OUT(dgm_linearise_brackets(env, &parses->text, &tree));
        DGM_TRY_OUT(dgm_parses_add(env, parses));
    }
out:
    dgm_bracket_reader_close(env, &reader);
    dgm_bracket_clear(env, &tree);
    return status;
}
