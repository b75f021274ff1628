/*
 * test_run_attention_heads.c: what of an attention on the CPU device belongs to some heads, or to
 * some rows of a head, only.
 */
#include "attention_batch.h"

/* Head h of every row of z is the same in both results. */
static int same_head(const struct batch *b, int h)
{
    int i;

    for (i = 0; i < b->offsets[SENTENCES]; i++)
        if (memcmp(b->first.z + i * WIDTH + h * DIM, b->second.z + i * WIDTH + h * DIM,
                   DIM * sizeof(dgm_real)) != 0)
            return 0;
    return 1;
}

TEST(run_attention_kernel_factors_touch_their_heads_only)
{
    struct batch *b = new_batch();
    struct run run;
    int opened = b != NULL && open_run(&run, b, 1), done = opened;

    if (opened) {
        struct dgm_attention *core[2];
        core[0] = &run.forward.core;
        core[1] = &run.backward.core;
        done = run_sentences(&run, 0, SENTENCES, &b->first);
        core[0]->factor_first[0] = core[1]->factor_first[0] = 1;
        core[0]->factor_heads[0] = core[1]->factor_heads[0] = 1;
        done = done && run_sentences(&run, 0, SENTENCES, &b->second);
        done = done && !same_head(b, 0) && same_head(b, 1) && !same_head(b, 2);
        core[0]->factor_heads[0] = core[1]->factor_heads[0] = 0;
        done = done && run_sentences(&run, 0, SENTENCES, &b->first);
        done = done && same_head(b, 0) && !same_head(b, 1) && same_head(b, 2);
        close_run(&run);
    }
    dgm_release(test_env(), b);
    CHECK(done);
}

static int same_cell(const struct batch *b, int i, int h)
{
    int at = i * WIDTH + h * DIM;

    return memcmp(b->first.z + at, b->second.z + at, DIM * sizeof(dgm_real)) == 0;
}

/* Whether one key or none is left to a query, so that no factor changes its weights. */
static int is_blind(const struct batch *b, int i)
{
    int s = 0, j, place, visible = 0;

    while (b->offsets[s + 1] <= i)
        s++;
    place = i - b->offsets[s];
    for (j = 0; j <= place; j++)
        visible += !b->hidden[b->squares[s] + place * b->counts[s] + j];
    return visible < 2;
}

/* A factor of 1 is the same as none: rows that ignore the second factor keep the bits of a run
 * without it, and no others do. */
TEST(run_attention_kernel_rows_ignore_the_second_factor_head_by_head)
{
    struct batch *b = new_batch();
    struct run run;
    int i, h, opened = b != NULL && open_run(&run, b, 1), done = opened;

    if (opened) {
        struct dgm_attention_inputs *in = &run.forward.in;
        in->factor[1] = in->factor[0];
        in->factor[0].buffer = NULL;
        run.forward.core.drop.rate = 0;
        share_operands(&run);
        done = run_sentences(&run, 0, SENTENCES, &b->first); /* factor_heads[1] is 0: none */
        in->ignored = upload(&run, b->ignored, sizeof b->ignored);
        run.forward.core.factor_heads[1] = HEADS;
        share_operands(&run);
        done = done && run_sentences(&run, 0, SENTENCES, &b->second);
        close_run(&run);
    }
    for (i = 0; done && i < b->offsets[SENTENCES]; i++)
        for (h = 0; done && h < HEADS; h++)
            done = same_cell(b, i, h) == (b->ignored[i * HEADS + h] || is_blind(b, i));
    dgm_release(test_env(), b);
    CHECK(done);
}

static void copy_head(dgm_real *out, const dgm_real *qkv, int head)
{
    int i;

    for (i = 0; i < ROWS; i++)
        memcpy(out + i * DIM, qkv + i * 3 * WIDTH + head * DIM, DIM * sizeof *out);
}

static void drop_terms(struct dgm_attention_inputs *in)
{
    memset(in->factor, 0, sizeof in->factor);
    memset(in->key_table, 0, sizeof in->key_table);
    memset(&in->hidden, 0, sizeof in->hidden);
    memset(&in->center, 0, sizeof in->center);
    memset(&in->window, 0, sizeof in->window);
}

/* The parser's gradients (first) are those of the plain head (second), whose q gets zeros. */
static int same_parser_grads(const struct batch *b, int head)
{
    size_t bytes = DIM * sizeof(dgm_real);
    dgm_real zeros[DIM] = { 0 };
    int i;

    for (i = 0; i < b->offsets[SENTENCES]; i++) {
        const dgm_real *first = b->first.dqkv + i * 3 * WIDTH + head * DIM;
        const dgm_real *second = b->second.dqkv + i * 3 * WIDTH + head * DIM;

        if (memcmp(first, zeros, bytes) != 0 ||
            memcmp(b->first.dparser_q + i * DIM, second, bytes) != 0 ||
            memcmp(first + WIDTH, second + WIDTH, bytes) != 0 ||
            memcmp(first + 2 * WIDTH, second + 2 * WIDTH, bytes) != 0)
            return 0;
        if (b->first.dcenter[i * HEADS + head] != 0 || b->first.dwindow[i * HEADS + head] != 0)
            return 0;
    }
    return 1;
}

static int forced_rows_are_values(const struct batch *b, int head)
{
    int s, i, copied = 0;

    for (s = 0; s < SENTENCES; s++)
        for (i = b->offsets[s]; i < b->offsets[s + 1]; i++) {
            const dgm_real *v = b->qkv + 2 * WIDTH + head * DIM;

            if (b->forced[i] < 0)
                continue;
            v += (b->offsets[s] + b->forced[i]) * 3 * WIDTH;
            if (memcmp(b->first.z + i * WIDTH + head * DIM, v, DIM * sizeof *v) != 0)
                return 0;
            copied++;
        }
    return copied > 0;
}

/* The parser head gives what plain attention gives to a head of its q and k: none of the terms
 * of E touch it, values and dropout do. */
TEST(run_attention_kernel_parser_head_is_plain_but_for_its_queries_and_keys)
{
    enum { HEAD = 1 };
    struct batch *b = new_batch();
    struct run run;
    int opened, done;

    CHECK(b != NULL);
    copy_head(b->parser_q, b->qkv, HEAD);
    done = opened = open_run(&run, b, 1);
    if (opened) {
        add_parser(&run, b, HEAD);
        run.forward.core.scale = 1; /* that of the parser */
        share_operands(&run);
        done = run_sentences(&run, 0, SENTENCES, &b->first);
        run.forward.core.parser_dim = 0;
        drop_terms(&run.forward.in);
        share_operands(&run);
        memset(&run.backward.dkey_table, 0, sizeof run.backward.dkey_table);
        done = done && run_sentences(&run, 0, SENTENCES, &b->second);
        close_run(&run);
    }
    if (done)
        done = same_head(b, HEAD) && !same_head(b, 0) && same_parser_grads(b, HEAD);
    dgm_release(test_env(), b);
    CHECK(done);
}

/* Forced rows of the parser head, without dropout and value tables, are rows of v. */
TEST(run_attention_kernel_forced_rows_copy_values)
{
    struct batch *b = new_batch();
    struct run run;
    int opened = b != NULL && open_run(&run, b, 1), done = opened;

    if (opened) {
        struct dgm_attention_inputs *in = &run.forward.in;
        add_parser(&run, b, 2);
        in->forced = upload(&run, b->forced, sizeof b->forced);
        memset(in->value_table, 0, sizeof in->value_table);
        run.forward.core.drop.rate = 0;
        share_operands(&run);
        done = run_sentences(&run, 0, SENTENCES, &b->first) && forced_rows_are_values(b, 2);
        close_run(&run);
    }
    dgm_release(test_env(), b);
    CHECK(done);
}
