/*
 * together.h: a command on several ranks, which mpirun or srun has started: whether all are about
 * to do the same, and who tells what went wrong.
 */
#ifndef DGM_CMD_TOGETHER_H
#define DGM_CMD_TOGETHER_H

#include "base/ranks/ranks.h"
#include "cmd/common.h"

/* clang-format off */
/* Rows of the tables of commands whose input is dealt out to ranks. */
#define DGM_CMD_RANKS                                                                             \
    { .name = "ranks", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "auto",           \
      .choices = "auto|off",                                                                      \
      .help = "Share the input with the other processes that mpirun or srun has started; off: "   \
              "alone" },                                                                          \
    { .name = "rank-timeout", .type = DGM_OPT_INT, .argument = "SECONDS", .fallback = "600",      \
      .low = 0, .high = 1000000,                                                                  \
      .help = "End the run, and name the rank, where one does not answer for so long; 0: never", \
      .ranks = 1 }
/* clang-format on */

/* clang-format off */
/* A row of the tables of commands that rank 0 alone runs. */
#define DGM_CMD_RANK_0                                                                            \
    { .name = "ranks", .type = DGM_OPT_CHOICE, .argument = "WHICH", .fallback = "auto",           \
      .choices = "auto|off",                                                                      \
      .help = "Of the processes that mpirun or srun has started, the first works and the others " \
              "wait; off: each works" }
/* clang-format on */

/* What a command does alone, with `ranks` NULL, or as one of several ranks. */
typedef dgm_status dgm_cmd_rank_fn(struct dgm_cmd *cmd, struct dgm_ranks *ranks);

/*
 * Joins the ranks, compares their program, options and files with those of rank 0, checks the rules
 * of its options (base/option/rules.h), and runs fn. Fails on all ranks where it fails on one; one
 * of them tells why. Until fn calls dgm_cmd_log_again, ranks other than 0 log errors alone.
 */
dgm_status dgm_cmd_together(struct dgm_cmd *cmd, dgm_cmd_rank_fn *fn);

/*
 * For a command that several ranks would not make faster: rank 0 checks the rules of its options
 * and runs fn, and the others, which open no file, wait until it has ended, with its status. A
 * signal to any of them stops it.
 */
dgm_status dgm_cmd_rank_0(struct dgm_cmd *cmd, dgm_status (*fn)(struct dgm_cmd *cmd));

/* From here on what a rank has to say is about its share of the input: it warns as asked for. */
void dgm_cmd_log_again(struct dgm_cmd *cmd, const struct dgm_ranks *ranks);

#endif
