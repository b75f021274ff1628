/*
 * numbers.h: what arguments of tasks are made of besides operands: the enums, dropout, and the
 * numbers that tasks of a family share (groups_list.h).
 */
#ifndef DGM_KERNEL_TASK_NUMBERS_H
#define DGM_KERNEL_TASK_NUMBERS_H

#include <stdint.h>

#include "base/real.h"

enum dgm_gemm_form { DGM_NN, DGM_NT, DGM_TN };

/* The last two multiply x by a gate of its own: 1 / (1 + exp(-x)) (Ramachandran et al. 2017), or
 * the probability that a standard normal number is below x (Hendrycks, Gimpel 2016). */
enum dgm_activation { DGM_TANH, DGM_LEAKY_RELU, DGM_SWISH, DGM_GELU };

enum dgm_smoothing { DGM_SMOOTHING_OLD, DGM_SMOOTHING_T2T };

/* Which columns of a block row i may choose; the others have probability 0. */
enum dgm_pair_mask {
    DGM_PAIRS_ALL,
    DGM_PAIRS_NOT_SELF, /* all but i: a word is not its own head */
    DGM_PAIRS_CAUSAL    /* up to i itself: heads that have been seen */
};

/*
 * Inverted dropout as a pure function: element (row, column) is kept iff the Philox word with
 * key = {key[0], key[1]} (seed, update) and counter = {column / 4, position, sentence, stream},
 * word column % 4, is >= threshold = (uint32_t)(rate * 2^32); kept values are scaled by
 * 1 / (1 - rate). Sentence and position of a row come from `places`, int32 (N,2): {sentence
 * number in the corpus, position in the sentence}. Attention weights: row = query, column = key,
 * stream = `stream + head`. rate 0: nothing is read or dropped.
 */
struct dgm_drop {
    dgm_real rate;
    uint32_t stream;
    uint32_t key[2];
};

/* clang-format off */

/* struct dgm_attention, dgm_lstm, dgm_additive, dgm_gated_mix, dgm_modulate, dgm_compose. */
#include "kernel/task/task_list.h" /* makes the macros NUMBERS_ and OPERANDS_ known */
#define NUMBERS_GROUP(name) struct dgm_##name { NUMBERS_##name };
#define INT(name) int64_t name;
#define INTS(name, n) int64_t name[n];
#define LONG(name) int64_t name;
#define LONGS(name, n) int64_t name[n];
#define HOST(name) int64_t name;
#define HOST_INTS(name) const int32_t *name;
#define REAL(name) dgm_real name;
#define FLAG(name) int name;
#define DROP struct dgm_drop drop;
#define TASK_LIST_FILE "kernel/task/groups_list.h"
#include "kernel/task/task_list.h"

/* clang-format on */

/* Reals of `saved` of an LSTM: what backward needs, and its room to work in; no layout is
 * promised. */
static inline int64_t dgm_lstm_saved(int64_t rows, int64_t sequences, int64_t dim)
{
    return (12 * rows + 6 * sequences) * dim;
}

static inline int64_t dgm_compose_parts(const struct dgm_compose *core)
{
    return 3 + core->mixes;
}

#endif
