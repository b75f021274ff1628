/*
 * binary.c: binary trees: made from bracket trees and dependency trees, checked, written, and with
 * words that are cut into pieces.
 */
#include "syntax/tree/binary.h"

#include "base/mem.h"

void dgm_binary_right_branching(int32_t *left, int32_t *right, int32_t leaves)
{
    for (int32_t j = 0; j + 1 < leaves; j++) {
        left[j] = leaves - 2 - j;
        right[j] = j == 0 ? leaves - 1 : leaves + j - 1;
    }
}

/* ---- a stack of constituents ---------------------------------------------------------------- */

/*
 * Bracket trees and dependency trees are read alike, from left to right with a stack of
 * constituents: a leaf is pushed, and where a constituent of m parts ends, its last two parts are
 * made one m - 1 times.
 */
struct builder {
    int32_t *left, *right;
    int32_t leaves, count; /* internal nodes so far */
    int32_t *stack;        /* (leaves) */
    int32_t height;
};

static void reduce(struct builder *builder)
{
    int32_t j = builder->count++;

    builder->right[j] = builder->stack[--builder->height];
    builder->left[j] = builder->stack[builder->height - 1];
    builder->stack[builder->height - 1] = builder->leaves + j;
}

/* ---- from phrase structure ------------------------------------------------------------------- */

/* base: (node_count) the height of the stack below each bracket. */
static void read_brackets(struct builder *builder, int32_t *base,
                          const struct dgm_bracket_tree *tree)
{
    int32_t open = 0, i;

    base[0] = 0;
    for (i = 1; i <= tree->node_count; i++) {
        int32_t parent = i < tree->node_count ? tree->nodes[i].parent : -1;

        for (; open != parent; open = tree->nodes[open].parent)
            while (builder->height > base[open] + 1)
                reduce(builder);
        if (i == tree->node_count)
            return;
        if (tree->nodes[i].is_word) {
            builder->stack[builder->height++] = tree->nodes[i].first_word;
        } else {
            base[i] = builder->height;
            open = i;
        }
    }
}

dgm_status dgm_binary_from_brackets(struct dgm_env *env, int32_t *left, int32_t *right,
                                    const struct dgm_bracket_tree *tree)
{
    struct builder builder = { left, right, tree->word_count, 0, NULL, 0 };
    size_t words = (size_t)tree->word_count;

    DGM_TRY(dgm_new(env, &builder.stack, words + (size_t)tree->node_count, sizeof *builder.stack));
    read_brackets(&builder, builder.stack + words, tree);
    dgm_release(env, builder.stack);
    return DGM_OK;
}

/* ---- from dependencies ----------------------------------------------------------------------- */

/*
 * Constituents of words. Heads, the deepest first, take in the constituents beside them. Where a
 * gap keeps a constituent from its head, it looks for the head of its head next, and so on: the
 * lifting of pseudo-projective parsing (binary.h).
 */
struct lifting {
    const struct dgm_tree *tree;
    int32_t *above;  /* (n + 1) of a word that is done its head or n, the top; of others itself */
    int32_t *begins; /* (n + 1) the constituent that begins at a place, -1 for place n */
    int32_t *ends;   /* (n + 1) the one that ends before it, -1 for place 0 */
    int32_t *first, *end; /* (n) its words: first .. end-1 */
    int32_t *parts;       /* (n) how many constituents it has taken in */
    int32_t *taker;       /* (n) the word that took it in, -1: the top */
};

/* work: DGM_BINARY_WORK = 9 runs of n + 1 numbers: the seven arrays of `lifting`, the order of
 * words, which later becomes the stack, and the counts that sort this order. */

static int32_t above(const struct lifting *lifting, int32_t word)
{
    int32_t head = lifting->tree->head[word];

    return head == word ? lifting->tree->count : head;
}

/* Whether a constituent (-1: none) looks for `word`. Links on the way are shortened. */
static int looks_for(const struct lifting *lifting, int32_t constituent, int32_t word)
{
    int32_t *links = lifting->above, at;

    if (constituent < 0)
        return 0;
    at = above(lifting, constituent);
    while (links[at] != at) {
        links[at] = links[links[at]];
        at = links[at];
    }
    return at == word;
}

static void take(struct lifting *lifting, int32_t word, int32_t constituent)
{
    lifting->taker[constituent] = word;
    lifting->parts[word]++;
    if (constituent < word)
        lifting->first[word] = lifting->first[constituent];
    else
        lifting->end[word] = lifting->end[constituent];
}

static void take_neighbours(struct lifting *lifting, int32_t word)
{
    int32_t *first = &lifting->first[word], *end = &lifting->end[word];

    while (looks_for(lifting, lifting->ends[*first], word))
        take(lifting, word, lifting->ends[*first]);
    while (looks_for(lifting, lifting->begins[*end], word))
        take(lifting, word, lifting->begins[*end]);
    lifting->begins[*first] = lifting->ends[*end] = word;
    lifting->above[word] = above(lifting, word);
}

/* order: words by depth. */
static void lift(struct lifting *lifting, const int32_t *order)
{
    int32_t n = lifting->tree->count;

    for (int32_t i = 0; i <= n; i++) {
        lifting->above[i] = i;
        lifting->begins[i] = i < n ? i : -1;
        lifting->ends[i] = i - 1;
    }
    for (int32_t i = 0; i < n; i++) {
        lifting->first[i] = i;
        lifting->end[i] = i + 1;
        lifting->parts[i] = 0;
        lifting->taker[i] = -1;
    }
    while (n-- > 0)
        take_neighbours(lifting, order[n]);
}

static void read_constituents(struct builder *builder, const struct lifting *lifting)
{
    for (int32_t i = 0; i < builder->leaves; i++) {
        builder->stack[builder->height++] = i;
        for (int32_t word = i; word >= 0 && lifting->end[word] == i + 1;
             word = lifting->taker[word])
            for (int32_t part = lifting->parts[word]; part > 0; part--)
                reduce(builder);
    }
    while (builder->height > 1)
        reduce(builder);
}

/* The constituents of a tree; the last two runs of `work` are for the caller. */
static void lift_tree(struct lifting *lifting, const struct dgm_tree *tree, int32_t *work)
{
    size_t step = (size_t)tree->count + 1;
    int32_t *order = work + 7 * step;

    lifting->tree = tree;
    lifting->above = work;
    lifting->begins = work + step;
    lifting->ends = work + 2 * step;
    lifting->first = work + 3 * step;
    lifting->end = work + 4 * step;
    lifting->parts = work + 5 * step;
    lifting->taker = work + 6 * step;
    dgm_tree_depths(lifting->first, tree);
    dgm_tree_order_with(order, work + 8 * step, lifting->first, tree);
    lift(lifting, order);
}

void dgm_binary_from_tree(int32_t *left, int32_t *right, const struct dgm_tree *tree, int32_t *work)
{
    struct builder builder = { left, right, tree->count, 0, NULL, 0 };
    struct lifting lifting;

    if (!tree->has_parse) {
        dgm_binary_right_branching(left, right, tree->count);
        return;
    }
    lift_tree(&lifting, tree, work);
    builder.stack = work + 7 * ((size_t)tree->count + 1);
    read_constituents(&builder, &lifting);
}

void dgm_binary_lift(struct dgm_binary_lifted *lifted, const struct dgm_tree *tree, int32_t *work)
{
    struct lifting lifting;

    lift_tree(&lifting, tree, work);
    lifted->head = lifting.taker;
    lifted->first = lifting.first;
    lifted->end = lifting.end;
    lifted->lifted = 0;
    for (int32_t w = 0; w < tree->count; w++) {
        if (lifting.taker[w] < 0)
            lifting.taker[w] = w;
        lifted->lifted += lifting.taker[w] != tree->head[w];
    }
}

/* ---- checking ------------------------------------------------------------------------------ */

/* The leaves of each node that is not yet a child: first .. end-1; end 0 once it is one. */
struct spans {
    int32_t *first, *end;
};

static int is_free(const struct spans *spans, int32_t child, int32_t node)
{
    return child >= 0 && child < node && spans->end[child] > 0;
}

/* Internal nodes of a subtree, post-order: they are the last ones before what follows it. */
static int is_post_order(const struct spans *spans, int32_t left, int32_t right, int32_t node,
                         int32_t leaves)
{
    int32_t behind = spans->end[right] - spans->first[right] - 1;

    return (right < leaves || right == node - 1) && (left < leaves || left == node - 1 - behind);
}

static dgm_status check_node(struct dgm_env *env, struct spans *spans, int32_t left, int32_t right,
                             int32_t node, int32_t leaves)
{
    const char *fault = NULL;

    if (left == right || !is_free(spans, left, node) || !is_free(spans, right, node))
        fault = "a node below it that has no parent yet";
    else if (spans->end[left] != spans->first[right])
        fault = "neighbours";
    else if (!is_post_order(spans, left, right, node, leaves))
        fault = "nodes in post-order";
    if (fault != NULL)
        return dgm_fail(env, DGM_DATA,
                        "node %ld of a binary tree over %ld words has children %ld and %ld; "
                        "expected %s [E_TREE]",
                        (long)node, (long)leaves, (long)left, (long)right, fault);
    spans->first[node] = spans->first[left];
    spans->end[node] = spans->end[right];
    spans->end[left] = spans->end[right] = 0;
    return DGM_OK;
}

/* N-1 nodes with two children each that nobody else has leave one of 2N-1: the root, the last. */
dgm_status dgm_binary_check(struct dgm_env *env, const int32_t *left, const int32_t *right,
                            int32_t leaves, int32_t *work)
{
    struct spans spans = { work, work + 2 * leaves };

    for (int32_t i = 0; i < leaves; i++) {
        spans.first[i] = i;
        spans.end[i] = i + 1;
    }
    for (int32_t j = 0; j + 1 < leaves; j++)
        DGM_TRY(check_node(env, &spans, left[j], right[j], leaves + j, leaves));
    return DGM_OK;
}

/* ---- words in pieces ----------------------------------------------------------------------- */

/* Appends the node (a b) to a tree over `leaves` leaves that has *count internal nodes. */
static int32_t join(int32_t *left, int32_t *right, int32_t leaves, int32_t *count, int32_t a,
                    int32_t b)
{
    left[*count] = a;
    right[*count] = b;
    return leaves + (*count)++;
}

/* The constituent of the pieces first .. end-1. */
static int32_t join_pieces(int32_t *left, int32_t *right, int32_t leaves, int32_t *count,
                           int32_t first, int32_t end)
{
    int32_t node = end - 1;

    for (int32_t piece = end - 2; piece >= first; piece--)
        node = join(left, right, leaves, count, piece, node);
    return node;
}

/*
 * The pieces of all words up to a node's last one are joined before the node; below a right child
 * that is no word that has happened. work: each node's new number.
 */
void dgm_binary_expand(int32_t *left, int32_t *right, const int32_t *word_left,
                       const int32_t *word_right, int32_t words, const int32_t *first,
                       int32_t *work)
{
    int32_t pieces = first[words], count = 0, done = 0;

    for (int32_t j = 0; j < words - 1; j++) {
        for (; word_right[j] < words && done <= word_right[j]; done++)
            work[done] = join_pieces(left, right, pieces, &count, first[done], first[done + 1]);
        work[words + j] =
            join(left, right, pieces, &count, work[word_left[j]], work[word_right[j]]);
    }
    if (words == 1)
        join_pieces(left, right, pieces, &count, 0, pieces);
}

/* ---- writing: one line of brackets ---------------------------------------------------------- */

enum { CLOSE = -1 };

/* What is still to be written, the next on top: nodes, and brackets that close. */
static dgm_status write_nodes(struct dgm_env *env, struct dgm_writer *writer,
                              const struct dgm_forms *words, const int32_t *left,
                              const int32_t *right, int32_t *stack)
{
    int32_t root = 2 * words->count - 2, height = 0;

    stack[height++] = root;
    while (height > 0) {
        int32_t node = stack[--height], inner = node - words->count;

        if (node == CLOSE) {
            DGM_TRY(dgm_writer_add(env, writer, ")", 1));
            continue;
        }
        if (node < root)
            DGM_TRY(dgm_writer_add(env, writer, " ", 1));
        if (inner < 0) {
            DGM_TRY(dgm_bracket_write_word(env, writer, words->form(words->of, node)));
            continue;
        }
        DGM_TRY(dgm_writer_add(env, writer, "(X", 2));
        stack[height++] = CLOSE;
        stack[height++] = right[inner];
        stack[height++] = left[inner];
    }
    return DGM_OK;
}

static dgm_status write_word(struct dgm_env *env, struct dgm_writer *writer, const char *word)
{
    DGM_TRY(dgm_writer_add(env, writer, "(X ", 3));
    DGM_TRY(dgm_bracket_write_word(env, writer, word));
    return dgm_writer_add(env, writer, ")", 1);
}

dgm_status dgm_binary_write(struct dgm_env *env, struct dgm_writer *writer,
                            const struct dgm_forms *words, const int32_t *left,
                            const int32_t *right)
{
    dgm_status status = DGM_OK;

    if (words->count == 1)
        status = write_word(env, writer, words->form(words->of, 0));
    if (words->count > 1) {
        int32_t *stack;

        DGM_TRY(dgm_new(env, &stack, 2 * (size_t)words->count, sizeof *stack));
        status = write_nodes(env, writer, words, left, right, stack);
        dgm_release(env, stack);
    }
    DGM_TRY(status);
    return dgm_writer_add(env, writer, "\n", 1);
}
