/*
 * bracket_none.c: trees of a parser's output, where some lines say that it failed.
 */
#include <string.h>

#include "syntax/bracket/bracket.h"

/* What parsers write for a sentence that they could not parse. */
static int is_failed_parse(const struct dgm_buf *line)
{
    long depth = 0;

    for (size_t i = 0; i < line->size; i++) {
        char c = line->data[i];
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (depth < 0 || strchr("() \t", c) == NULL || c == '\0')
            return 0;
    }
    return depth == 0;
}

dgm_status dgm_bracket_next_or_none(struct dgm_env *env, struct dgm_bracket_reader *reader,
                                    struct dgm_bracket_tree *tree, int *more)
{
    dgm_status status = dgm_bracket_next(env, reader, tree, more);

    if (status != DGM_DATA || !is_failed_parse(&reader->lines.line))
        return status;
    dgm_env_clear_error(env);
    tree->line = reader->lines.number;
    *more = 1;
    return DGM_OK;
}
