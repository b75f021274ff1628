/* summary.h: what `train --recipe auto` tells at its end. */
#ifndef DGM_CMD_RECIPE_SUMMARY_H
#define DGM_CMD_RECIPE_SUMMARY_H

#include "base/buf.h"

/* How many pairs one run of `clean` had, and what became of them. */
struct dgm_recipe_counts {
    long all, kept;
    char dropped[400]; /* "12 empty, 80 duplicate"; "": none */
};

/* Reads the file of --report. */
dgm_status dgm_recipe_counts_read(struct dgm_env *env, struct dgm_recipe_counts *counts,
                                  const char *path);

/* Appends the first lines of three files as samples of what is translated, by what, and how. */
dgm_status dgm_recipe_samples(struct dgm_env *env, struct dgm_buf *out, const char *const paths[3]);

#endif
