/*
 * text_case.h: a corpus of random pairs, with trees or without, for tests of what keeps text.
 */
#ifndef DGM_TEXT_CASE_H
#define DGM_TEXT_CASE_H

#include <string.h>

#include "base/mem.h"
#include "base/philox.h"
#include "data/corpus.h"
#include "test.h"

enum { TEXT_CASE_IDS = 700, TEXT_CASE_LONGEST = 12 };

/* Bits of `trees`: heads and two features of some sources; constituents of some targets; weights of
 * all targets; links of some targets. */
static inline dgm_status text_case_add(struct dgm_packed *side, struct dgm_random *random,
                                       int features, int binary)
{
    int32_t n = 1 + (int32_t)dgm_random_below(random, TEXT_CASE_LONGEST), i;
    int32_t ids[TEXT_CASE_LONGEST + 1], words[TEXT_CASE_LONGEST + 1];
    int32_t heads[TEXT_CASE_LONGEST], names[TEXT_CASE_LONGEST];

    for (i = 0; i < n; i++) {
        ids[i] = (int32_t)dgm_random_below(random, TEXT_CASE_IDS);
        words[i] = i;
        heads[i] = (int32_t)dgm_random_below(random, (uint32_t)n);
        names[i] = (int32_t)dgm_random_below(random, 9);
    }
    ids[n] = 0;
    words[n] = -1;
    features &= dgm_random_below(random, 4) > 0;
    binary &= dgm_random_below(random, 4) > 0;
    DGM_TRY(dgm_packed_add(test_env(), side, ids, words, n + 1, features ? heads : NULL, n));
    if (features) {
        DGM_TRY(dgm_packed_add_feature(test_env(), side, DGM_FEATURE_DEPREL, names));
        DGM_TRY(dgm_packed_add_feature(test_env(), side, DGM_FEATURE_XPOS, names));
    }
    return binary ? dgm_packed_add_binary(test_env(), side, heads, heads) : DGM_OK;
}

/* Random links of the pair that was added last. */
static inline dgm_status text_case_link(struct dgm_corpus *corpus, int32_t p,
                                        struct dgm_random *random)
{
    const int32_t *source = corpus->source.word_offsets, *target = corpus->target.word_offsets;
    int32_t links[2 * TEXT_CASE_LONGEST], count = 0;

    for (int32_t w = 0; w < target[p + 1] - target[p]; w++) {
        links[2 * count] = (int32_t)dgm_random_below(random, (uint32_t)(source[p + 1] - source[p]));
        links[2 * count++ + 1] = w;
    }
    return dgm_packed_add_links(test_env(), &corpus->target, links, count);
}

static inline dgm_status text_case_make(struct dgm_corpus *corpus, int32_t pairs, int trees)
{
    struct dgm_random random;

    memset(corpus, 0, sizeof *corpus);
    dgm_random_init(&random, 1, 2, 3, 4);
    for (int32_t p = 0; p < pairs; p++) {
        DGM_TRY(text_case_add(&corpus->source, &random, trees & 1, 0));
        DGM_TRY(text_case_add(&corpus->target, &random, 0, (trees & 2) != 0));
        if (trees & 4)
            DGM_TRY(dgm_packed_add_weight(test_env(), &corpus->target,
                                          0.25F * (float)(1 + dgm_random_below(&random, 6))));
        if ((trees & 8) && dgm_random_below(&random, 3) > 0)
            DGM_TRY(text_case_link(corpus, p, &random));
        DGM_TRY(dgm_reserve(test_env(), &corpus->line_of, &corpus->line_capacity, (size_t)p + 1,
                            sizeof *corpus->line_of));
        corpus->line_of[p] = 3 * (long)p;
    }
    corpus->lines = 3 * (long)pairs;
    corpus->checksum = 99;
    DGM_TRY(
        dgm_reserve(test_env(), &corpus->parts, &corpus->part_capacity, 1, sizeof *corpus->parts));
    corpus->part_count = 1;
    corpus->parts[0].lines = corpus->lines;
    corpus->parts[0].pairs = pairs;
    corpus->parts[0].checksum = corpus->checksum;
    return DGM_OK;
}

/* A column without a value is as good as none. */
static inline void text_case_check_column(const int32_t *a, int32_t at, const int32_t *b,
                                          int32_t from, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        CHECK_INT(a != NULL ? a[at + i] : -1, b != NULL ? b[from + i] : -1);
}

/* Sentence s of one side is sentence t of another. */
static inline void text_case_check_same(const struct dgm_packed *a, int32_t s,
                                        const struct dgm_packed *b, int32_t t)
{
    int32_t words = b->word_offsets[t + 1] - b->word_offsets[t];
    int32_t at = a->word_offsets[s], from = b->word_offsets[t];

    CHECK_INT(dgm_packed_length(a, s), dgm_packed_length(b, t));
    CHECK_INT(a->word_offsets[s + 1] - at, words);
    text_case_check_column(a->ids, a->offsets[s], b->ids, b->offsets[t], dgm_packed_length(a, s));
    text_case_check_column(a->words, a->offsets[s], b->words, b->offsets[t],
                           dgm_packed_length(a, s));
    text_case_check_column(a->heads, at, b->heads, from, words);
    for (int kind = 0; kind < DGM_WORD_FEATURES; kind++)
        text_case_check_column(a->features[kind], at, b->features[kind], from, words);
    text_case_check_column(a->left, at, b->left, from, words);
    text_case_check_column(a->right, at, b->right, from, words);
    CHECK_INT(dgm_packed_link_count(a, s), dgm_packed_link_count(b, t));
    if (dgm_packed_link_count(a, s) > 0)
        CHECK_MEM(a->links + 2 * a->link_offsets[s], b->links + 2 * b->link_offsets[t],
                  2 * (size_t)dgm_packed_link_count(a, s) * sizeof(int32_t));
    CHECK_NEAR(a->weights != NULL ? a->weights[s] : 1, b->weights != NULL ? b->weights[t] : 1, 0);
}

#endif
