/*
 * bracket.c: bracketed trees: cleaning what stood in the file, comparing, writing.
 *
 * All passes of the cleaning run over the nodes in their order, forwards where parents must be
 * known and backwards where children must be. Nodes move only towards the front, so one array
 * serves as source and target.
 */
#include "syntax/bracket/bracket.h"

#include <string.h>

#include "base/mem.h"

enum { DISSOLVED = -2 }; /* in next_sibling, before siblings are linked */

const char *dgm_bracket_text(const struct dgm_bracket_tree *tree, int32_t node)
{
    return tree->bytes.data + tree->nodes[node].text;
}

dgm_status dgm_bracket_add_node(struct dgm_env *env, struct dgm_bracket_tree *tree, uint32_t text,
                                int32_t parent, int is_word)
{
    struct dgm_bracket_node *node;

    DGM_TRY(dgm_grow(env, &tree->nodes, &tree->node_capacity, (size_t)tree->node_count,
                     sizeof *tree->nodes));
    node = &tree->nodes[tree->node_count++];
    node->text = text;
    node->parent = parent;
    node->first_child = node->next_sibling = -1;
    node->first_word = node->end_word = 0;
    node->is_word = is_word;
    return DGM_OK;
}

dgm_status dgm_bracket_empty(struct dgm_env *env, struct dgm_bracket_tree *tree)
{
    tree->node_count = tree->word_count = tree->traces = 0;
    tree->has_parse = 0;
    tree->line = 0;
    dgm_buf_reset(&tree->bytes);
    tree->bytes.limit = DGM_BRACKET_MAX_BYTES + 64;
    DGM_TRY(dgm_buf_add(env, &tree->bytes, "TOP", 4));
    return dgm_bracket_add_node(env, tree, 0, -1, 0);
}

void dgm_bracket_clear(struct dgm_env *env, struct dgm_bracket_tree *tree)
{
    dgm_buf_clear(env, &tree->bytes);
    dgm_release(env, tree->nodes);
    dgm_release(env, tree->words);
    memset(tree, 0, sizeof *tree);
}

/* ---- what stays ------------------------------------------------------------------- */

/* Sets first_word of each bracket to whether words in it are traces; one without a label
 * is as the one around it. */
static void mark_traces(struct dgm_bracket_tree *tree)
{
    for (int32_t i = 1; i < tree->node_count; i++) {
        struct dgm_bracket_node *node = &tree->nodes[i];

        if (node->is_word)
            continue;
        if (node->text == DGM_BRACKET_NO_LABEL)
            node->first_word = tree->nodes[node->parent].first_word;
        else
            node->first_word = strcmp(dgm_bracket_text(tree, i), "-NONE-") == 0;
    }
}

/* kept: (node_count, zeroed) for a word 1 or, a trace, 0; for a bracket the number of
 * children that stay. */
static void count_kept(int32_t *kept, struct dgm_bracket_tree *tree)
{
    tree->traces = 0;
    mark_traces(tree);
    for (int32_t i = tree->node_count - 1; i > 0; i--) {
        if (tree->nodes[i].is_word) {
            kept[i] = !tree->nodes[tree->nodes[i].parent].first_word;
            tree->traces += !kept[i];
        }
        if (kept[i] > 0)
            kept[tree->nodes[i].parent]++;
    }
}

static int is_root_label(const struct dgm_bracket_tree *tree, int32_t node)
{
    static const char *const labels[] = { "TOP", "ROOT", "S1", "VROOT" };

    if (tree->nodes[node].text == DGM_BRACKET_NO_LABEL)
        return 1;
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        if (strcmp(dgm_bracket_text(tree, node), labels[i]) == 0)
            return 1;
    }
    return 0;
}

/* Marks unlabelled brackets, and from the root down those that are the root itself. */
static void mark_dissolved(const int32_t *kept, struct dgm_bracket_tree *tree)
{
    int32_t i, above = 0;

    for (i = 1; i < tree->node_count; i++) {
        if (!tree->nodes[i].is_word && tree->nodes[i].text == DGM_BRACKET_NO_LABEL)
            tree->nodes[i].next_sibling = DISSOLVED;
    }
    while (kept[above] == 1) {
        /* The first node behind it that stays is its child. */
        for (i = above + 1; kept[i] == 0; i++)
            continue;
        if (tree->nodes[i].is_word || !is_root_label(tree, i))
            return;
        tree->nodes[i].next_sibling = DISSOLVED;
        above = i;
    }
}

/* ---- the tree --------------------------------------------------------------------- */

/* kept becomes the new number of each node; of a dissolved one that of its parent. */
static dgm_status move_nodes(struct dgm_env *env, int32_t *kept, struct dgm_bracket_tree *tree)
{
    int32_t i, count = 1;

    kept[0] = 0;
    tree->word_count = 0;
    tree->nodes[0].first_word = 0;
    for (i = 1; i < tree->node_count; i++) {
        struct dgm_bracket_node node = tree->nodes[i];

        if (kept[i] == 0)
            continue;
        node.parent = kept[node.parent];
        if (node.next_sibling == DISSOLVED) {
            kept[i] = node.parent;
            continue;
        }
        if (node.is_word) {
            DGM_TRY(dgm_grow(env, &tree->words, &tree->word_capacity, (size_t)tree->word_count,
                             sizeof *tree->words));
            tree->words[tree->word_count] = count;
            node.first_word = tree->word_count++;
            node.end_word = tree->word_count;
        }
        kept[i] = count;
        tree->nodes[count++] = node;
    }
    tree->node_count = count;
    return DGM_OK;
}

/* Siblings, and the words below each bracket. */
static void link_nodes(struct dgm_bracket_tree *tree)
{
    for (int32_t i = tree->node_count - 1; i > 0; i--) {
        struct dgm_bracket_node *node = &tree->nodes[i];
        struct dgm_bracket_node *parent = &tree->nodes[node->parent];

        if (parent->first_child < 0)
            parent->end_word = node->end_word;
        parent->first_word = node->first_word;
        node->next_sibling = parent->first_child;
        parent->first_child = i;
    }
}

dgm_status dgm_bracket_clean(struct dgm_env *env, struct dgm_bracket_tree *tree)
{
    int32_t *kept;
    dgm_status status;

    DGM_TRY(dgm_new(env, &kept, (size_t)tree->node_count, sizeof *kept));
    count_kept(kept, tree);
    mark_dissolved(kept, tree);
    DGM_TRY_OUT(move_nodes(env, kept, tree));
    link_nodes(tree);
out:
    dgm_release(env, kept);
    return status;
}

void dgm_bracket_flatten(struct dgm_bracket_tree *tree)
{
    for (int32_t word = 0; word < tree->word_count; word++) {
        struct dgm_bracket_node *node = &tree->nodes[word + 1];

        /* A word never stands before the place it moves to. */
        *node = tree->nodes[tree->words[word]];
        node->parent = 0;
        node->next_sibling = -1;
        tree->words[word] = word + 1;
    }
    tree->node_count = tree->word_count + 1;
    tree->nodes[0].first_child = -1;
    tree->nodes[0].first_word = tree->nodes[0].end_word = 0;
    link_nodes(tree);
}

/* ---- writing ---------------------------------------------------------------------- */

/* A word that the reader gives back as it is: brackets escaped, and \/ with one more \. */
dgm_status dgm_bracket_write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word)
{
    static const char plain[] = "()[]{}";
    static const char *const escape[] = { "-LRB-", "-RRB-", "-LSB-", "-RSB-", "-LCB-", "-RCB-" };
    const char *at;

    for (at = word; *at != '\0'; at++) {
        const char *found = strchr(plain, *at);

        if (found != NULL) {
            DGM_TRY(dgm_writer_add_text(env, writer, escape[found - plain]));
            continue;
        }
        if ((*at == '/' || *at == '*') && at > word && at[-1] == '\\')
            DGM_TRY(dgm_writer_add_text(env, writer, "\\"));
        DGM_TRY(dgm_writer_add(env, writer, at, 1));
    }
    return DGM_OK;
}

static dgm_status put_node(struct dgm_env *env, struct dgm_writer *writer,
                           const struct dgm_bracket_tree *tree, int32_t node)
{
    if (node > 0)
        DGM_TRY(dgm_writer_add_text(env, writer, " "));
    if (tree->nodes[node].is_word)
        return dgm_bracket_write_word(env, writer, dgm_bracket_text(tree, node));
    DGM_TRY(dgm_writer_add_text(env, writer, "("));
    return dgm_writer_add_text(env, writer, dgm_bracket_text(tree, node));
}

dgm_status dgm_bracket_write(struct dgm_env *env, struct dgm_writer *writer,
                             const struct dgm_bracket_tree *tree)
{
    for (int32_t node = 0; tree->word_count > 0 && node < tree->node_count; node++) {
        DGM_TRY(put_node(env, writer, tree, node));
        /* Close what ends with this node. */
        if (tree->nodes[node].first_child >= 0)
            continue;
        for (int32_t up = node; up > 0 && tree->nodes[up].next_sibling < 0;
             up = tree->nodes[up].parent)
            DGM_TRY(dgm_writer_add_text(env, writer, ")"));
    }
    return dgm_writer_add_text(env, writer, "\n");
}
