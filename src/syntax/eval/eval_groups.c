/* eval_groups.c: the words of two aligned files as items. */
#include "syntax/eval/eval_groups.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

void dgm_eval_sentences(const struct dgm_eval *eval, const struct dgm_eval_side *side,
                        uint32_t *items)
{
    const struct dgm_eval_span *sentences = eval->gold.sentences;
    size_t sentence = 0;

    for (size_t w = 0; w < side->word_count; w++) {
        while (sentence + 1 < eval->gold.sentence_count &&
               sentences[sentence].end <= side->words[w].start)
            sentence++;
        items[w] = (uint32_t)sentence;
    }
}

/* How many words of the gold file each of its sentences has: (sentences). */
static dgm_status count_lengths(struct dgm_env *env, const struct dgm_eval *eval, int32_t **lengths)
{
    uint32_t *items;

    DGM_TRY(dgm_new(env, lengths, eval->gold.sentence_count, sizeof **lengths));
    DGM_TRY(dgm_new(env, &items, eval->gold.word_count, sizeof *items));
    dgm_eval_sentences(eval, &eval->gold, items);
    for (size_t g = 0; g < eval->gold.word_count; g++)
        (*lengths)[items[g]]++;
    dgm_release(env, items);
    return DGM_OK;
}

/* depths: (words), each once: a word's way up ends where the depth is known; -1: not yet. */
static void find_depths(const struct dgm_eval_side *side, int32_t *depths)
{
    for (size_t w = 0; w < side->word_count; w++)
        depths[w] = -1;
    for (size_t w = 0; w < side->word_count; w++) {
        int32_t at = (int32_t)w, above = 0;

        for (; at >= 0 && depths[at] < 0; at = side->words[at].parent)
            above++;
        above += at >= 0 ? depths[at] : -1;
        for (at = (int32_t)w; at >= 0 && depths[at] < 0; at = side->words[at].parent)
            depths[at] = above--;
    }
}

static void look(const struct dgm_eval *eval, const struct dgm_eval_side *side, size_t w,
                 int32_t depth, struct dgm_by_word *word)
{
    const struct dgm_eval_word *at = &side->words[w];

    word->relation = dgm_map_key(&eval->strings, &eval->strings.entries[at->relation]);
    word->distance = at->parent < 0 ? 0 : (int32_t)labs((long)at->parent - (long)w);
    word->depth = depth;
}

static dgm_status number(struct dgm_env *env, struct dgm_eval_groups *groups,
                         const struct dgm_by_group *group, uint32_t *item)
{
    const size_t before = groups->names.count;

    DGM_TRY(dgm_map_number(env, &groups->names, group->name, strlen(group->name), item));
    if (groups->names.count == before)
        return DGM_OK;
    DGM_TRY(
        dgm_grow(env, &groups->places, &groups->place_capacity, before, sizeof *groups->places));
    groups->places[before] = group->place;
    return DGM_OK;
}

/* lengths: of sentences; depths: of words; items: the sentence of each word, and then its group. */
static dgm_status fill(struct dgm_env *env, struct dgm_eval_groups *groups,
                       const struct dgm_eval *eval, const struct dgm_eval_side *side,
                       const int32_t *lengths, const int32_t *depths, uint32_t *items)
{
    for (size_t w = 0; w < side->word_count; w++) {
        struct dgm_by_word word = { .text = "", .words = lengths[items[w]] };
        struct dgm_by_group group = { .name = "no tree", .place = INT32_MAX };

        if (groups->by->of_lines || side->words[w].parent != DGM_EVAL_NO_TREE) {
            look(eval, side, w, depths[w], &word);
            groups->by->group(&word, &group);
        }
        DGM_TRY(number(env, groups, &group, &items[w]));
    }
    return DGM_OK;
}

dgm_status dgm_eval_groups_fill(struct dgm_env *env, struct dgm_eval_groups *groups,
                                const struct dgm_eval *eval, const struct dgm_eval_side *side,
                                uint32_t *items)
{
    int32_t *lengths = NULL, *depths = NULL;
    dgm_status status;

    DGM_TRY_OUT(count_lengths(env, eval, &lengths));
    DGM_TRY_OUT(dgm_new(env, &depths, side->word_count, sizeof *depths));
    find_depths(side, depths);
    dgm_eval_sentences(eval, side, items);
    status = fill(env, groups, eval, side, lengths, depths, items);
out:
    dgm_release(env, depths);
    dgm_release(env, lengths);
    return status;
}

void dgm_eval_groups_clear(struct dgm_env *env, struct dgm_eval_groups *groups)
{
    dgm_map_clear(env, &groups->names);
    dgm_release(env, groups->places);
}
