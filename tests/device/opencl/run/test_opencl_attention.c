/*
 * test_opencl_attention.c: hypotheses of a sentence, which have a query each and the same keys,
 * get what each of them gets alone, to the last bit, whatever stands beside them.
 */
#include <string.h>

#include "base/philox.h"
#include "device/task.h"
#include "opencl_case.h"

/* Sentences of one query, but for every eleventh, which has two; the first HYPOTHESES share keys,
 * so do the next, and so on: more of them than a tile has rows. */
enum { SENTENCES = 84, HYPOTHESES = 5, HEADS = 2, DIM = 20, WIDTH = HEADS * DIM, KEYS = 70 };
enum { ROWS = SENTENCES + SENTENCES / 11 + 1, KEY_ROWS = 400 };

static struct dgm_device *device;
static struct dgm_ref q, k, v, z, lse, offsets, starts, counts;

static dgm_status make(struct dgm_ref *ref, const void *data, size_t bytes)
{
    DGM_TRY(dgm_device_alloc(test_env(), device, &ref->buffer, bytes));
    return dgm_device_write(test_env(), device, *ref, data, bytes);
}

static dgm_status make_reals(struct dgm_ref *ref, size_t rows, struct dgm_random *random)
{
    static dgm_real data[KEY_ROWS * WIDTH];

    for (size_t i = 0; i < rows * WIDTH; i++)
        data[i] = (dgm_real)dgm_random_normal(random);
    return make(ref, data, rows * WIDTH * sizeof *data);
}

/* first: sentences that share the keys of the first one; 0: HYPOTHESES by HYPOTHESES. */
static dgm_status make_sentences(int first)
{
    int32_t offset[SENTENCES + 1] = { 0 }, start[SENTENCES], count[SENTENCES];

    for (int s = 0; s < SENTENCES; s++) {
        const int group = first > 0 ? (s < first ? 0 : s) : s / HYPOTHESES;

        offset[s + 1] = offset[s] + (first == 0 && s % 11 == 10 ? 2 : 1);
        start[s] = group * 7 % (KEY_ROWS - KEYS);
        count[s] = 3 + group * 13 % (KEYS - 3);
    }
    DGM_TRY(make(&offsets, offset, sizeof offset));
    DGM_TRY(make(&starts, start, sizeof start));
    return make(&counts, count, sizeof count);
}

static dgm_status make_all(int first)
{
    static const dgm_real nothing[ROWS * WIDTH];
    struct dgm_random random;

    dgm_random_init(&random, 7, 0, 0, 0);
    DGM_TRY(make_sentences(first));
    DGM_TRY(make_reals(&q, ROWS, &random));
    DGM_TRY(make_reals(&k, KEY_ROWS, &random));
    DGM_TRY(make_reals(&v, KEY_ROWS, &random));
    DGM_TRY(make(&z, nothing, sizeof nothing));
    return make(&lse, nothing, ROWS * HEADS * sizeof *nothing);
}

static void release_all(void)
{
    struct dgm_ref *const all[] = { &q, &k, &v, &z, &lse, &offsets, &starts, &counts };

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        dgm_device_release(test_env(), device, all[i]->buffer);
}

/* Sentences s .. s + count - 1 in one task. */
static dgm_status attend(int s, int count, int causal)
{
    const size_t at = (size_t)s * sizeof(int32_t);
    const struct dgm_attention_forward_args args = { .z = z,
                                                     .lse = lse,
                                                     .in = { .q = q,
                                                             .k = k,
                                                             .v = v,
                                                             .q_offsets = dgm_ref_at(offsets, at),
                                                             .k_starts = dgm_ref_at(starts, at),
                                                             .k_counts = dgm_ref_at(counts, at) },
                                                     .core = { .sentences = count,
                                                               .heads = HEADS,
                                                               .head_dim = DIM,
                                                               .ldq = WIDTH,
                                                               .ldk = WIDTH,
                                                               .ldv = WIDTH,
                                                               .ldz = WIDTH,
                                                               .rows = count,
                                                               .key_rows_total = KEY_ROWS,
                                                               .causal = causal,
                                                               .scale = (dgm_real)0.3 } };

    return dgm_device_run(test_env(), device, DGM_TASK_attention_forward, &args);
}

struct result {
    dgm_real z[ROWS * WIDTH], lse[ROWS * HEADS];
};

/* `together` sentences at a time. */
static dgm_status attend_all(int together, int causal, struct result *result)
{
    memset(result, 0, sizeof *result);
    DGM_TRY(dgm_device_write(test_env(), device, z, result->z, sizeof result->z));
    DGM_TRY(dgm_device_write(test_env(), device, lse, result->lse, sizeof result->lse));
    for (int s = 0; s < SENTENCES; s += together)
        DGM_TRY(attend(s, s + together < SENTENCES ? together : SENTENCES - s, causal));
    DGM_TRY(dgm_device_read(test_env(), device, result->z, z, sizeof result->z));
    return dgm_device_read(test_env(), device, result->lse, lse, sizeof result->lse);
}

static void check(int first, int causal)
{
    static struct result alone, some;

    CHECK_STATUS(make_all(first), DGM_OK);
    CHECK_STATUS(attend_all(1, causal, &alone), DGM_OK);
    CHECK(alone.lse[(SENTENCES - 1) * HEADS] != 0);
    CHECK_STATUS(attend_all(SENTENCES, causal, &some), DGM_OK);
    CHECK_MEM(&some, &alone, sizeof alone);
    CHECK_STATUS(attend_all(3, causal, &some), DGM_OK);
    CHECK_MEM(&some, &alone, sizeof alone);
    release_all();
}

TEST(opencl_attention_hypotheses_are_as_each_alone)
{
    OPENCL_OPEN(&device);
    check(0, 0);
    check(0, 1);
    check(SENTENCES, 0);
    check(SENTENCES / 2, 1);
    dgm_device_close(test_env(), device);
}
