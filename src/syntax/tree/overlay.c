/* overlay.c: a tree over words, laid over tokens that cut the text elsewhere. */
#include "syntax/tree/overlay.h"

#include <string.h>

#include "base/mem.h"

static dgm_status reserve(struct dgm_env *env, struct dgm_overlay *overlay, int32_t words,
                          int32_t tokens)
{
    const struct dgm_parallel by_token[] = { { &overlay->head, sizeof *overlay->head },
                                             { &overlay->word, sizeof *overlay->word },
                                             { NULL, 0 } };
    const struct dgm_parallel by_word[] = { { &overlay->stands, sizeof *overlay->stands },
                                            { &overlay->depth, sizeof *overlay->depth },
                                            { &overlay->most, sizeof *overlay->most },
                                            { NULL, 0 } };

    DGM_TRY(dgm_reserve_parallel(env, by_token, &overlay->token_capacity, (size_t)tokens + 1));
    return dgm_reserve_parallel(env, by_word, &overlay->word_capacity, (size_t)words + 1);
}

/* ---- which word a token belongs to ----------------------------------------------------------- */

static int32_t shared(struct dgm_stretch a, struct dgm_stretch b)
{
    const int32_t start = a.start > b.start ? a.start : b.start,
                  end = a.end < b.end ? a.end : b.end;

    return end - start;
}

/* Rule 1 for one token; *first moves to the first word that later tokens can share with. */
static int32_t find_word(const struct dgm_overlay *overlay, const struct dgm_stretch *words,
                         int32_t count, struct dgm_stretch token, int32_t *first)
{
    int32_t best = -1;

    while (*first < count && words[*first].end <= token.start)
        ++*first;
    for (int32_t w = *first; w < count && words[w].start < token.end; w++) {
        const int32_t common = shared(words[w], token);

        if (common > 0 &&
            (best < 0 || overlay->depth[w] < overlay->depth[best] ||
             (overlay->depth[w] == overlay->depth[best] && common > shared(words[best], token))))
            best = w;
    }
    return best;
}

/* Rule 4: from left to right, then what is left from right to left. */
static void fill_words(struct dgm_overlay *overlay, const unsigned char *joins, int32_t count)
{
    int32_t *word = overlay->word;

    for (int32_t t = 1; t < count; t++)
        if (word[t] < 0 && (joins == NULL || !joins[t]))
            word[t] = word[t - 1];
    for (int32_t t = count - 2; t >= 0; t--)
        if (word[t] < 0)
            word[t] = word[t + 1];
    for (int32_t t = 1; t < count; t++)
        if (word[t] < 0)
            word[t] = word[t - 1];
}

/* ---- which token stands for a word ----------------------------------------------------------- */

static void find_stands(struct dgm_overlay *overlay, const struct dgm_stretch *words,
                        int32_t word_count, const struct dgm_stretch *tokens, int32_t count)
{
    int32_t first = 0;

    for (int32_t w = 0; w < word_count; w++)
        overlay->stands[w] = overlay->most[w] = -1;
    for (int32_t t = 0; t < count; t++)
        if (overlay->word[t] >= 0) {
            overlay->stands[overlay->word[t]] = t;
            overlay->most[overlay->word[t]] = INT32_MAX;
        }
    for (int32_t t = 0; t < count; t++) {
        while (first < word_count && words[first].end <= tokens[t].start)
            first++;
        for (int32_t w = first; w < word_count && words[w].start < tokens[t].end; w++) {
            const int32_t common = shared(words[w], tokens[t]);

            if (common <= 0 || common < overlay->most[w])
                continue;
            overlay->most[w] = common;
            overlay->stands[w] = t;
        }
    }
}

/* ---- heads ----------------------------------------------------------------------------------- */

/* The token that the token of word w hangs on; -1: nothing above the word is left. */
static int32_t head_token(const struct dgm_overlay *overlay, const struct dgm_tree *tree, int32_t w)
{
    while (tree->head[w] != w) {
        w = tree->head[w];
        if (overlay->stands[w] >= 0)
            return overlay->stands[w];
    }
    return -1;
}

/* Tokens that are left without a head, because the root of their words is gone, hang on the one
 * nearest to it. */
static void join_orphans(struct dgm_overlay *overlay, const struct dgm_tree *tree, int32_t count)
{
    int32_t top = -1;

    for (int32_t t = 0; t < count; t++)
        if (overlay->head[t] < 0 &&
            (top < 0 || overlay->depth[overlay->word[t]] < overlay->depth[overlay->word[top]]))
            top = t;
    for (int32_t t = 0; t < count; t++)
        if (overlay->head[t] < 0)
            overlay->head[t] = tree->head[overlay->word[t]] == overlay->word[t] ? t : top;
}

static void find_heads(struct dgm_overlay *overlay, const struct dgm_tree *tree, int32_t count)
{
    const int32_t *word = overlay->word;
    int32_t *head = overlay->head;

    for (int32_t t = count - 1; t >= 0; t--)
        head[t] = overlay->stands[word[t]] == t ? head_token(overlay, tree, word[t]) : -2;
    /* The next token of the word: those between, if there are any, belong to others. */
    for (int32_t t = count - 1; t >= 0; t--) {
        const int32_t last = overlay->stands[word[t]];

        for (int32_t next = t + 1; head[t] == -2 && next <= last; next++)
            if (word[next] == word[t])
                head[t] = next;
    }
    join_orphans(overlay, tree, count);
}

static void count_kept(struct dgm_overlay *overlay, const struct dgm_tree *tree)
{
    const int32_t *head = overlay->head;

    for (int32_t w = 0; w < tree->count; w++) {
        const int32_t own = overlay->stands[w], other = overlay->stands[tree->head[w]];

        if (own < 0 || other < 0)
            continue;
        overlay->kept += tree->head[w] == w ? head[own] == own : own == other || head[own] == other;
    }
}

dgm_status dgm_overlay_lay(struct dgm_env *env, struct dgm_overlay *overlay,
                           const struct dgm_tree *tree, const struct dgm_stretch *words,
                           const struct dgm_stretch *tokens, const unsigned char *joins,
                           int32_t count)
{
    int32_t first = 0, has_word = 0;

    DGM_TRY(reserve(env, overlay, tree->count, count));
    overlay->kept = 0;
    if (tree->has_parse)
        dgm_tree_depths(overlay->depth, tree);
    for (int32_t w = 0; w < tree->count && !tree->has_parse; w++)
        overlay->depth[w] = 0;
    for (int32_t t = 0; t < count; t++) {
        overlay->head[t] = -1;
        overlay->word[t] = find_word(overlay, words, tree->count, tokens[t], &first);
        has_word |= overlay->word[t] >= 0;
    }
    fill_words(overlay, joins, count);
    find_stands(overlay, words, tree->count, tokens, count);
    if (!has_word || !tree->has_parse)
        return DGM_OK;
    find_heads(overlay, tree, count);
    count_kept(overlay, tree);
    return DGM_OK;
}

void dgm_overlay_clear(struct dgm_env *env, struct dgm_overlay *overlay)
{
    dgm_release(env, overlay->head);
    dgm_release(env, overlay->word);
    dgm_release(env, overlay->stands);
    dgm_release(env, overlay->depth);
    dgm_release(env, overlay->most);
    memset(overlay, 0, sizeof *overlay);
}
