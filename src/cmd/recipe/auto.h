/* auto.h: `train --recipe auto`: from two raw texts to a model and its score. */
#ifndef DGM_CMD_RECIPE_AUTO_H
#define DGM_CMD_RECIPE_AUTO_H

#include "cmd/command.h"

/* A row for the table of `train`. */
/* clang-format off */
#define DGM_CMD_RECIPE                                                                            \
    { .name = "recipe", .type = DGM_OPT_CHOICE, .argument = "NAME", .choices = "auto",            \
      .help = "auto: from two raw texts to a model and its score: clean them, split off what to " \
              "validate and to test by, choose sizes by the number of pairs, train, translate; "  \
              "each step is a command that is written before it runs",                            \
      .resume = 1, .once = 1, .basic = 1,                                                         \
      .excludes = "init spm codes vocabs, where it learns all anew; "                             \
                  "train-list tsv train-weights train-tags, where it takes two files; "           \
                  "train-trees train-target-trees sentence-weights guided-alignment multitask, "  \
                  "whose lines would be out of step once the text is cleaned" }
/* clang-format on */

/*
 * What --recipe auto asks for, which is to stand on the command line, since its commands read files
 * of settings and variables, too: runs the commands clean, split, clean, train, translate and
 * score, each in this process, on files in MODEL.course; goes on behind those that are done there
 * (journal.h). The commands, the scores and a summary are written to standard output.
 */
dgm_status dgm_recipe_run(struct dgm_cmd *cmd);

#endif
