/*
 * test_wavefront.c: schedules of recurrent encoders: the printed example, random trees against a
 * recursive definition, hostile heads, and how few steps the sentences of a treebank need.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "syntax/conllu/conllu_reader.h"
#include "wavefront_case.h"

static const int32_t *list(const struct case_rig *rig, dgm_slot slot)
{
    return dgm_feed_host(&rig->feed, slot);
}

static dgm_status stage(struct case_rig *rig, const struct case_batch *batch)
{
    dgm_feed_reset(&rig->feed);
    return dgm_wavefront_dependency(test_env(), &rig->feed, &rig->w, batch->offsets, batch->count,
                                    batch->heads);
}

/* Side, parent and sibling of a row of H. */
struct row {
    int32_t side, source, parent, sibling, block;
};

static struct row row_at(const struct case_rig *rig, int32_t row)
{
    struct row found = { -1, -1, -1, -1, -1 };

    for (int b = 0; b < rig->w.block_count; b++) {
        const struct dgm_gru_block *block = &rig->w.blocks[b];
        const struct dgm_wavefront_side *side = &rig->w.side[block->side];
        const int32_t k = block->in_side + row - block->first;

        if (row < block->first || row >= block->first + block->count)
            continue;
        found.side = block->side;
        found.block = b;
        found.source = list(rig, side->source)[k];
        found.parent = list(rig, side->parent)[k];
        found.sibling = list(rig, side->sibling)[k];
    }
    return found;
}

/* Table of specification, recurrent models, 7.1: live We places different earth the in on. */
TEST(wavefront_of_the_printed_sentence)
{
    static const struct case_batch batch = { 1, { 0, 8 }, { 1, 1, 4, 4, 1, 7, 7, 4 } };
    static const int32_t of_words[8][5] = {
        /* rows 1..8: word, side, parent row, sibling row */
        { 2, DGM_RIGHT_DEPENDENTS, 0, 0 }, { 1, DGM_LEFT_DEPENDENTS, 1, 1 },
        { 5, DGM_RIGHT_DEPENDENTS, 1, 1 }, { 4, DGM_LEFT_DEPENDENTS, 3, 3 },
        { 8, DGM_RIGHT_DEPENDENTS, 3, 3 }, { 7, DGM_LEFT_DEPENDENTS, 5, 5 },
        { 3, DGM_LEFT_DEPENDENTS, 3, 4 },  { 6, DGM_LEFT_DEPENDENTS, 5, 6 },
    };
    static const int32_t firsts[] = { 1, 2, 3, 4, 5, 6, 8 }, counts[] = { 1, 1, 1, 1, 1, 2, 1 };
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    CHECK_STATUS(stage(&rig, &batch), DGM_OK);
    CHECK_INT(rig.w.steps, 5);
    CHECK_INT(rig.w.roots, 1);
    CHECK_INT(rig.w.rows, 8);
    for (int32_t r = 0; r < 8; r++) {
        const struct row row = row_at(&rig, r + 1);

        CHECK_INT(row.source + 1, of_words[r][0]);
        CHECK_INT(row.side, of_words[r][1]);
        CHECK_INT(row.parent, of_words[r][2]);
        CHECK_INT(row.sibling, of_words[r][3]);
        CHECK_INT(list(&rig, rig.w.where[0])[row.source], r + 1);
    }
    CHECK_INT(rig.w.block_count, 7);
    for (int b = 0; b < 7; b++) {
        CHECK_INT(rig.w.blocks[b].first, firsts[b]);
        CHECK_INT(rig.w.blocks[b].count, counts[b]);
        CHECK_INT(rig.w.blocks[b].parents, -1);
    }
    case_close(&rig);
}

/* ---- a recursive definition ------------------------------------------------------------------ */

/* Position of the head of word i of a sentence, -1 above a root. */
static int32_t head_of(const int32_t *heads, int32_t i)
{
    return heads[i] == i ? -1 : heads[i];
}

/* The next word towards the head with the same head, or the head. */
static int32_t sibling_of(const int32_t *heads, int32_t i)
{
    const int32_t head = head_of(heads, i), step = head > i ? 1 : -1;
    int32_t j = i + step;

    while (j != head && head_of(heads, j) != head)
        j += step;
    return j;
}

/* The first step at which both states are there; known (n): steps found so far, zeros. */
static int32_t ready(const int32_t *heads, int32_t i, int32_t *known)
{
    int32_t head, sibling;

    if (i < 0)
        return 0;
    if (known[i] > 0)
        return known[i];
    head = ready(heads, head_of(heads, i), known);
    sibling = ready(heads, sibling_of(heads, i), known);
    return known[i] = 1 + (head > sibling ? head : sibling);
}

static void check_sentence(const struct case_rig *rig, const struct case_batch *batch, int32_t s,
                           int32_t *longest)
{
    const int32_t first = batch->offsets[s], *heads = batch->heads + first;
    const int32_t *where = list(rig, rig->w.where[0]);
    int32_t known[CASE_WORDS] = { 0 };

    for (int32_t i = 0; i < batch->offsets[s + 1] - first; i++) {
        const struct row row = row_at(rig, where[first + i]);
        const int32_t head = head_of(heads, i), sibling = sibling_of(heads, i);
        const int32_t step = ready(heads, i, known);

        CHECK_INT(row.source, first + i);
        CHECK_INT(row.side, i > head ? DGM_RIGHT_DEPENDENTS : DGM_LEFT_DEPENDENTS);
        CHECK_INT(row.parent, head < 0 ? s : where[first + head]);
        CHECK_INT(row.sibling, sibling < 0 ? s : where[first + sibling]);
        if (step > *longest)
            *longest = step;
    }
}

static int distinct(const int32_t *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++)
            if (items[i] == items[j])
                return 0;
    return 1;
}

/* Parents differ within a block, siblings within its two parts; blocks follow one another. */
static void check_blocks(const struct case_rig *rig)
{
    int32_t row = (int32_t)rig->w.roots, in_side[2] = { 0, 0 };

    for (int b = 0; b < rig->w.block_count; b++) {
        const struct dgm_gru_block *block = &rig->w.blocks[b];
        const int32_t *parent = list(rig, rig->w.side[block->side].parent) + block->in_side;
        const int32_t *sibling = list(rig, rig->w.side[block->side].sibling) + block->in_side;
        int32_t nearest = 0;

        CHECK(block->count > 0);
        CHECK_INT(block->first, row);
        CHECK_INT(block->in_side, in_side[block->side]);
        CHECK_INT(block->parents, -1);
        while (nearest < block->count && parent[nearest] == sibling[nearest])
            nearest++;
        for (int32_t k = nearest; k < block->count; k++)
            CHECK(parent[k] != sibling[k]);
        CHECK(distinct(parent, block->count));
        CHECK(distinct(sibling, nearest));
        CHECK(distinct(sibling + nearest, block->count - nearest));
        row += block->count;
        in_side[block->side] += block->count;
    }
    CHECK_INT(row, rig->w.roots + rig->w.rows);
    CHECK_INT(in_side[0], rig->w.side[0].rows);
    CHECK_INT(in_side[1], rig->w.side[1].rows);
}

/* The rows of a block are ready at one step, and never later than those of the next block. */
static void check_order(const struct case_rig *rig, const struct case_batch *batch)
{
    int32_t latest = 1;

    for (int b = 0; b < rig->w.block_count; b++)
        for (int32_t k = 0; k < rig->w.blocks[b].count; k++) {
            const struct row row = row_at(rig, rig->w.blocks[b].first + k);
            int32_t known[CASE_WORDS] = { 0 }, s = 0, step;

            while (batch->offsets[s + 1] <= row.source)
                s++;
            step = ready(batch->heads + batch->offsets[s], row.source - batch->offsets[s], known);
            CHECK(row.parent < rig->w.blocks[b].first && row.sibling < rig->w.blocks[b].first);
            if (k > 0)
                CHECK_INT(step, latest);
            CHECK(step == latest || step == latest + 1);
            latest = step;
        }
}

TEST(wavefront_of_random_trees_is_the_earliest_schedule)
{
    struct dgm_random random;
    struct case_batch batch;
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    dgm_random_init(&random, 71, 0, 0, 0);
    for (int round = 0; round < 200; round++) {
        int32_t longest = 0;

        case_fill(&random, &batch);
        CHECK_STATUS(stage(&rig, &batch), DGM_OK);
        for (int32_t s = 0; s < batch.count; s++)
            check_sentence(&rig, &batch, s, &longest);
        CHECK_INT(rig.w.steps, longest);
        check_blocks(&rig);
        check_order(&rig, &batch);
    }
    case_close(&rig);
}

/* A batch in another order: the same rows but for the names of sentences. */
TEST(wavefront_steps_of_a_sentence_do_not_depend_on_its_neighbours)
{
    struct dgm_random random;
    struct case_batch batch, turned;
    struct case_rig rig, other;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    CHECK_STATUS(case_open(&other), DGM_OK);
    dgm_random_init(&random, 72, 0, 0, 0);
    for (int round = 0; round < 40; round++) {
        case_fill(&random, &batch);
        turned.count = batch.count;
        turned.offsets[0] = 0;
        for (int32_t s = 0; s < batch.count; s++) {
            const int32_t from = batch.count - 1 - s;
            const int32_t n = batch.offsets[from + 1] - batch.offsets[from];

            turned.offsets[s + 1] = turned.offsets[s] + n;
            memcpy(turned.heads + turned.offsets[s], batch.heads + batch.offsets[from],
                   (size_t)n * sizeof *batch.heads);
        }
        CHECK_STATUS(stage(&rig, &batch), DGM_OK);
        CHECK_STATUS(stage(&other, &turned), DGM_OK);
        CHECK_INT(other.w.steps, rig.w.steps);
        CHECK_INT(other.w.block_count, rig.w.block_count);
        for (int b = 0; b < rig.w.block_count; b++)
            CHECK_MEM(&other.w.blocks[b], &rig.w.blocks[b], sizeof *rig.w.blocks);
        for (int32_t s = 0; s < batch.count; s++)
            for (int32_t i = batch.offsets[s]; i < batch.offsets[s + 1]; i++) {
                const int32_t at = turned.offsets[batch.count - 1 - s] + i - batch.offsets[s];
                const struct row a = row_at(&rig, list(&rig, rig.w.where[0])[i]);
                const struct row b = row_at(&other, list(&other, other.w.where[0])[at]);

                CHECK_INT(b.block, a.block);
                CHECK_INT(b.side, a.side);
            }
    }
    case_close(&rig);
    case_close(&other);
}

static int32_t steps_of(struct case_rig *rig, const int32_t *heads, int32_t n)
{
    const int32_t offsets[] = { 0, n };

    dgm_feed_reset(&rig->feed);
    return dgm_wavefront_dependency(test_env(), &rig->feed, &rig->w, offsets, 1, heads) == DGM_OK
               ? rig->w.steps
               : -1;
}

TEST(wavefront_of_chains_and_stars_has_a_step_per_word)
{
    int32_t chain[CASE_WORDS], star[CASE_WORDS], roots[CASE_WORDS];
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    for (int32_t i = 0; i < CASE_WORDS; i++) {
        chain[i] = i > 0 ? i - 1 : 0;
        star[i] = 0;
        roots[i] = i;
    }
    for (int32_t n = 1; n <= CASE_WORDS; n++) {
        CHECK_INT(steps_of(&rig, chain, n), n);
        CHECK_INT(steps_of(&rig, star, n), n);
        CHECK_INT(steps_of(&rig, roots, n), n);
    }
    case_close(&rig);
}

TEST(wavefront_refuses_what_is_no_tree)
{
    static const int32_t offsets[] = { 0, 2, 5 };
    static const struct {
        int32_t heads[5];
        const char *part;
    } cases[] = {
        { { 0, 0, 1, 2, 1 }, "sentence 2 of the batch: cycle 2 -> 3 -> 2" },
        { { 1, 0, 0, 0, 0 }, "sentence 1 of the batch: cycle 1 -> 2 -> 1" },
        { { 0, 0, 0, 0, 3 }, "sentence 2 of the batch: word 2 has the head 3; expected 0..2" },
        { { -1, 0, 0, 0, 0 }, "sentence 1 of the batch: word 0 has the head -1; expected 0..1" },
        { { 0, 0, 0, INT32_MIN, 0 }, "word 1 has the head -2147483648" },
    };
    struct case_rig rig;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        dgm_feed_reset(&rig.feed);
        CHECK_STATUS(dgm_wavefront_dependency(test_env(), &rig.feed, &rig.w, offsets, 2,
                                              cases[k].heads),
                     DGM_DATA);
        if (strstr(test_env()->error.message, cases[k].part) == NULL)
            CHECK_STR(test_env()->error.message, cases[k].part);
        dgm_env_clear_error(test_env());
    }
    case_close(&rig);
}

TEST(wavefront_when_warm_asks_for_no_memory)
{
    struct dgm_random random;
    struct case_batch batch;
    struct case_rig rig;
    long before;

    CHECK_STATUS(case_open(&rig), DGM_OK);
    dgm_random_init(&random, 73, 0, 0, 0);
    case_fill(&random, &batch);
    CHECK_STATUS(stage(&rig, &batch), DGM_OK);
    before = test_allocations();
    CHECK_STATUS(stage(&rig, &batch), DGM_OK);
    CHECK_INT(test_allocations(), before);
    case_close(&rig);
}

/* ---- a treebank ------------------------------------------------------------------------------ */

enum { BANK_SENTENCES = 8000, BANK_WORDS = 250000, BANK_BATCHES = 200, BANK_BATCH = 50 };

struct bank {
    int32_t count, offsets[BANK_SENTENCES + 1], heads[BANK_WORDS];
};

static dgm_status read_bank(struct bank *bank, const char *path)
{
    struct dgm_conllu_reader reader;
    struct dgm_conllu_sentence sentence;
    dgm_status status;
    int more = 1;

    memset(&reader, 0, sizeof reader);
    memset(&sentence, 0, sizeof sentence);
    DGM_TRY_OUT(dgm_conllu_reader_open(test_env(), &reader, path, NULL));
    for (;;) {
        const int32_t n = bank->offsets[bank->count];

        DGM_TRY_OUT(dgm_conllu_reader_next(test_env(), &reader, &sentence, &more));
        if (!more)
            break;
        if (sentence.tree.count < 15 || sentence.tree.count > 50 || bank->count == BANK_SENTENCES ||
            n + sentence.tree.count > BANK_WORDS)
            continue;
        memcpy(bank->heads + n, sentence.tree.head, (size_t)sentence.tree.count * sizeof(int32_t));
        bank->offsets[++bank->count] = n + sentence.tree.count;
    }
out:
    dgm_conllu_reader_close(test_env(), &reader);
    dgm_conllu_clear(test_env(), &sentence);
    return status;
}

/* Mean number of steps and mean longest sentence of random batches. */
static dgm_status measure(const struct bank *bank, double *steps, double *longest)
{
    int32_t offsets[BANK_BATCH + 1] = { 0 }, heads[BANK_BATCH * 50];
    struct dgm_random random;
    struct case_rig rig;
    dgm_status status = case_open(&rig);

    dgm_random_init(&random, 74, 0, 0, 0);
    for (int b = 0; status == DGM_OK && b < BANK_BATCHES; b++) {
        int32_t most = 0;

        for (int s = 0; s < BANK_BATCH; s++) {
            const int32_t from = (int32_t)dgm_random_below(&random, (uint32_t)bank->count);
            const int32_t n = bank->offsets[from + 1] - bank->offsets[from];

            memcpy(heads + offsets[s], bank->heads + bank->offsets[from],
                   (size_t)n * sizeof *heads);
            offsets[s + 1] = offsets[s] + n;
            most = n > most ? n : most;
        }
        dgm_feed_reset(&rig.feed);
        status =
            dgm_wavefront_dependency(test_env(), &rig.feed, &rig.w, offsets, BANK_BATCH, heads);
        *steps += (double)rig.w.steps / BANK_BATCHES;
        *longest += (double)most / BANK_BATCHES;
    }
    case_close(&rig);
    return status;
}

/* The training part of the treebank, unpacked; 0 where there is no gzip. */
static int unpack(char path[1200])
{
    char command[2600];

    snprintf(path, 1200, "%s/train.conllu", test_dir());
    snprintf(command, sizeof command, "gzip -dc '%s/data/ud/en_ewt/train.conllu.gz' > '%s'",
             test_shared(), path);
    return system(command) == 0;
}

/* Of the whole treebank, about 46.5 words need 15.3 steps (specification, recurrent models,
 * 7.1). */
TEST(wavefront_of_english_needs_a_third_of_the_steps)
{
    struct bank *bank;
    double steps = 0, longest = 0;
    char path[1200];

    if (test_shared() == NULL)
        TEST_SKIP("no shared data");
    if (!unpack(path))
        TEST_SKIP("no gzip");
    bank = dgm_alloc(test_env(), 1, sizeof *bank);
    CHECK(bank != NULL);
    CHECK_STATUS(read_bank(bank, path), DGM_OK);
    snprintf(path, sizeof path, "%s/data/ud/en_ewt/dev.conllu", test_shared());
    CHECK_STATUS(read_bank(bank, path), DGM_OK);
    CHECK(bank->count > 5000 && bank->count < BANK_SENTENCES);
    CHECK_STATUS(measure(bank, &steps, &longest), DGM_OK);
    CHECK_NEAR(longest, 46.5, 0.5);
    CHECK_NEAR(steps, 15.3, 0.5);
    dgm_release(test_env(), bank);
}
