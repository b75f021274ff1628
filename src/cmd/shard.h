/*
 * shard.h: --shard I/N: every N-th line or sentence of the input, for schedulers that start one
 * command many times. `join` puts the outputs together.
 */
#ifndef DGM_CMD_SHARD_H
#define DGM_CMD_SHARD_H

#include "cmd/common.h"

/* clang-format off */
/* A row of the tables of commands that answer each line or sentence by itself. */
#define DGM_CMD_SHARD                                                                           \
    { .name = "shard", .type = DGM_OPT_TEXT, .argument = "I/N", .once = 1,                      \
      .help = "Take only every N-th line or sentence, from number I on, I from 1 to N; `join` " \
              "puts the outputs of all N together" }
/* clang-format on */

/* Inputs first, first + step, ..., counted from 0. */
struct dgm_cmd_shard {
    long first, step;
};

/* What --shard says; without it all inputs. DGM_USAGE where it is no I/N with 1 <= I <= N. */
dgm_status dgm_cmd_read_shard(struct dgm_cmd *cmd, struct dgm_cmd_shard *shard);

/* Whether input `number`, counted from 0, is of the shard. */
static inline int dgm_cmd_shard_has(const struct dgm_cmd_shard *shard, long number)
{
    return number % shard->step == shard->first;
}

#endif
