/*
 * linearise.c: trees as lines of brackets without words. Nothing recurses.
 */
#include "syntax/tree/linearise.h"

#include "base/mem.h"

/* "(label", with a blank before it unless it begins the line, which begins at `start`. */
static dgm_status open_bracket(struct dgm_env *env, struct dgm_buf *out, size_t start,
                               const char *label)
{
    if (out->size > start)
        DGM_TRY(dgm_buf_add_char(env, out, ' '));
    DGM_TRY(dgm_buf_add_char(env, out, '('));
    for (; *label != '\0'; label++) {
        int parts = (unsigned char)*label <= ' ' || *label == '(' || *label == ')';

        DGM_TRY(dgm_buf_add_char(env, out, parts ? '_' : *label));
    }
    return DGM_OK;
}

static dgm_status close_bracket(struct dgm_env *env, struct dgm_buf *out)
{
    return dgm_buf_add(env, out, " )", 2);
}

/* ---- phrase structure ------------------------------------------------------------------------ */

/* A word, or a node that has nothing but words below it. */
static int is_lexical(const struct dgm_bracket_tree *tree, int32_t node)
{
    int32_t child = tree->nodes[node].first_child;

    while (child >= 0 && tree->nodes[child].is_word)
        child = tree->nodes[child].next_sibling;
    return child < 0;
}

dgm_status dgm_linearise_brackets(struct dgm_env *env, struct dgm_buf *out,
                                  const struct dgm_bracket_tree *tree)
{
    size_t start = out->size;
    int32_t open = 0;

    DGM_TRY(open_bracket(env, out, start, "ROOT"));
    for (int32_t i = 1; i < tree->node_count; i++) { /* parents come before their children */
        if (is_lexical(tree, i))
            continue;
        for (; open != tree->nodes[i].parent; open = tree->nodes[open].parent)
            DGM_TRY(close_bracket(env, out));
        DGM_TRY(open_bracket(env, out, start, dgm_bracket_text(tree, i)));
        open = i;
    }
    for (; open >= 0; open = tree->nodes[open].parent)
        DGM_TRY(close_bracket(env, out));
    return DGM_OK;
}

/* ---- dependencies ---------------------------------------------------------------------------- */

/* The first dependent of each word, n for the virtual root; the next one of the same head. */
struct links {
    int32_t *first; /* (n + 1), -1: none */
    int32_t *next;  /* (n), -1: none */
};

static void link_words(struct links *links, const struct dgm_tree *tree)
{
    int32_t n = tree->count;

    for (int32_t w = 0; w <= n; w++)
        links->first[w] = -1;
    for (int32_t w = n - 1; w >= 0; w--) {
        int32_t head = tree->head[w] == w ? n : tree->head[w];

        links->next[w] = links->first[head];
        links->first[head] = w;
    }
}

static dgm_status write_words(struct dgm_env *env, struct dgm_buf *out, const struct dgm_tree *tree,
                              const char *const *labels, const struct links *links)
{
    size_t start = out->size;
    int32_t w = links->first[tree->count];

    while (w >= 0) {
        DGM_TRY(open_bracket(env, out, start, labels[w]));
        if (links->first[w] >= 0) {
            w = links->first[w];
            continue;
        }
        DGM_TRY(close_bracket(env, out));
        while (links->next[w] < 0 && tree->head[w] != w) { /* the last one: its head closes too */
            w = tree->head[w];
            DGM_TRY(close_bracket(env, out));
        }
        w = links->next[w];
    }
    return DGM_OK;
}

dgm_status dgm_linearise_tree(struct dgm_env *env, struct dgm_buf *out, const struct dgm_tree *tree,
                              const char *const *labels)
{
    struct links links;
    dgm_status status;

    DGM_TRY(dgm_new(env, &links.first, 2 * (size_t)tree->count + 1, sizeof *links.first));
    links.next = links.first + tree->count + 1;
    link_words(&links, tree);
    status = write_words(env, out, tree, labels, &links);
    dgm_release(env, links.first);
    return status;
}
