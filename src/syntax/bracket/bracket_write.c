/*
 * bracket_write.c: writing a bracketed tree as one line.
 */
#include <string.h>

#include "syntax/bracket/bracket.h"

static dgm_status put(struct dgm_env *env, struct dgm_writer *writer, const char *text)
{
    return dgm_writer_add(env, writer, text, strlen(text));
}

/* A word that the reader gives back as it is: brackets escaped, and \/ with one more \. */
dgm_status dgm_bracket_write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word)
{
    static const char plain[] = "()[]{}";
    static const char *const escape[] = { "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-" };
    const char *at;

    for (at = word; *at != '\0'; at++) {
        const char *found = strchr(plain, *at);

        if (found != NULL) {
            DGM_TRY(put(env, writer, escape[found - plain]));
            continue;
        }
        if ((*at == '/' || *at == '*') && at > word && at[-1] == '\\')
            DGM_TRY(put(env, writer, "\\"));
        DGM_TRY(dgm_writer_add(env, writer, at, 1));
    }
    return DGM_OK;
}

static dgm_status put_node(struct dgm_env *env, struct dgm_writer *writer,
                           const struct dgm_bracket_tree *tree, int32_t node)
{
    if (node > 0)
        DGM_TRY(put(env, writer, " "));
    if (tree->nodes[node].is_word)
        return dgm_bracket_write_word(env, writer, dgm_bracket_text(tree, node));
    DGM_TRY(put(env, writer, "("));
    return put(env, writer, dgm_bracket_text(tree, node));
}

dgm_status dgm_bracket_write(struct dgm_env *env, struct dgm_writer *writer,
                             const struct dgm_bracket_tree *tree)
{
    int32_t node, up;

    for (node = 0; tree->word_count > 0 && node < tree->node_count; node++) {
        DGM_TRY(put_node(env, writer, tree, node));
        /* Close what ends with this node. */
        if (tree->nodes[node].first_child >= 0)
            continue;
        for (up = node; up > 0 && tree->nodes[up].next_sibling < 0; up = tree->nodes[up].parent)
            DGM_TRY(put(env, writer, ")"));
    }
    return put(env, writer, "\n");
}
