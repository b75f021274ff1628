/*
 * test_run_attention.c: batches of attention on the CPU device: bits do not depend on threads or
 * on neighbours, and tables get the gradients of all sentences.
 */
#include "attention_batch.h"

TEST(run_attention_kernel_bits_do_not_depend_on_threads)
{
    struct batch *b = new_batch();
    struct run run;
    int threads, done = b != NULL;

    for (threads = 1; done && threads <= 4; threads += 3) {
        done = open_run(&run, b, threads);
        if (done) {
            add_parser(&run, b, 1);
            done = run_sentences(&run, 0, SENTENCES, threads == 1 ? &b->first : &b->second);
            close_run(&run);
        }
    }
    if (done)
        done = memcmp(&b->first, &b->second, sizeof b->first) == 0;
    dgm_release(test_env(), b);
    CHECK(done);
}

/* Rows of sentence s are the same in both results. */
static int same_rows(const struct batch *b, int s)
{
    size_t row = (size_t)b->offsets[s], rows = (size_t)b->counts[s], real = sizeof(dgm_real);

    return memcmp(b->first.z + row * WIDTH, b->second.z + row * WIDTH, rows * WIDTH * real) == 0 &&
           memcmp(b->first.lse + row * HEADS, b->second.lse + row * HEADS, rows * HEADS * real) ==
               0 &&
           memcmp(b->first.dqkv + row * 3 * WIDTH, b->second.dqkv + row * 3 * WIDTH,
                  rows * 3 * WIDTH * real) == 0 &&
           memcmp(b->first.dcenter + row * HEADS, b->second.dcenter + row * HEADS,
                  rows * HEADS * real) == 0 &&
           memcmp(b->first.dwindow + row * HEADS, b->second.dwindow + row * HEADS,
                  rows * HEADS * real) == 0 &&
           memcmp(b->first.dparser_q + row * DIM, b->second.dparser_q + row * DIM,
                  rows * DIM * real) == 0;
}

TEST(run_attention_kernel_bits_of_a_sentence_do_not_depend_on_its_neighbours)
{
    struct batch *b = new_batch();
    struct run whole, alone;
    int s, i, done = b != NULL && open_run(&whole, b, 2);

    if (done) {
        add_parser(&whole, b, 1);
        done = run_sentences(&whole, 0, SENTENCES, &b->first);
        close_run(&whole);
    }
    if (done && (done = open_run(&alone, b, 1)) != 0) {
        add_parser(&alone, b, 1);
        for (s = 0; done && s < SENTENCES; s++)
            done = run_sentences(&alone, s, 1, &b->second) && same_rows(b, s);
        close_run(&alone);
    }
    /* The tables of `alone` have gathered the gradients of every sentence by now. */
    for (i = 0; done && i < 4 * TABLE; i++)
        done = test_near(TEST_HERE, "tables", (double)b->second.tables[i],
                         (double)b->first.tables[i], 1e-4);
    dgm_release(test_env(), b);
    CHECK(done);
}
