/*
 * body_attention.h: the attention core over the vector vocabulary, compiled once for every
 * instruction set. kernel/c/attention_c.c is the same in plain loops.
 *
 * A tile of queries at a time: its rows of weights lie in scratch memory, zero beyond the keys
 * that each query sees, then all rows are multiplied with values, keys or queries at once. The
 * backward pass computes E again and takes A = exp(E - lse).
 */
#include <math.h>
#include <string.h>

#include "kernel/attention_row.h"

#include "kernel/body/body_philox.h"
#include "kernel/body/body_attention_sums.h"
#include "kernel/body/body_attention_tile.h"
#include "kernel/body/body_attention_score.h"
#include "kernel/body/body_attention_forward.h"
#include "kernel/body/body_attention_backward.h"

static const struct dgm_attention_kernels attention_kernels = { attention_forward,
                                                                attention_backward };
