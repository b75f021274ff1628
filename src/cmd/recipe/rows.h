/* rows.h: what `train --recipe auto` chooses by the number of pairs. */
#ifndef DGM_CMD_RECIPE_ROWS_H
#define DGM_CMD_RECIPE_ROWS_H

/* Options of `train` that suit a text of about so many pairs. */
struct dgm_recipe_row {
    long pairs;
    const char *name;    /* for messages */
    const char *options; /* as a file of settings has them: lines `name = value` */
};

/* The row whose pairs are nearest, as a ratio. */
const struct dgm_recipe_row *dgm_recipe_row(long pairs);

#endif
