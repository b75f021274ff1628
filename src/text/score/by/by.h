/*
 * by.h: what `score --by` tells words, or lines, apart by: a line of by_list.h and a file
 * by_<name>.c. It names the group of a word of the reference; all else, reading, counting, tables,
 * is the same for all.
 */
#ifndef DGM_TEXT_SCORE_BY_BY_H
#define DGM_TEXT_SCORE_BY_BY_H

#include <stddef.h>
#include <stdint.h>

/* What a criterion needs; of none of them it needs the word itself. */
enum {
    DGM_BY_TEXT = 1, /* how often a text, that of training, has the word */
    DGM_BY_TREES = 2 /* its place in a tree of the reference */
};

struct dgm_by_word {
    const char *text;
    size_t bytes;
    int64_t seen;            /* in the text */
    const char *relation;    /* to its head, without its subtype */
    int32_t distance, depth; /* words to its head, heads above it; of a root 0 */
    int32_t words;           /* of the line of the reference */
};

/* Groups are one that have one name. Tables have them in the order of their places, then of their
 * names; the other way round from the larger groups to the smaller where all places are 0. */
struct dgm_by_group {
    char name[48];
    int32_t place;
};

struct dgm_by {
    const char *name;  /* as --by has it */
    const char *title; /* of the column of groups */
    int of_lines;      /* a line is in the group of any of its words; metrics score the lines of a
                        * group. Else a group is of words */
    int needs;
    void (*group)(const struct dgm_by_word *word, struct dgm_by_group *group);
};

#define BY(name) extern const struct dgm_by dgm_by_##name;
#include "text/score/by/by_list.h"

/* The criterion of a name that a row of options has checked. */
const struct dgm_by *dgm_by_find(const char *name);

/* Names a range of whole numbers as tables have it, "5-9", with its lower end as its place; at the
 * upper end INT32_MAX it is open, "10-". */
void dgm_by_range(struct dgm_by_group *group, int32_t low, int32_t high);
/* The range that holds `value`; edges: (count), the first number of each range, rising; a value
 * below the first is in the first. */
void dgm_by_cut(struct dgm_by_group *group, int64_t value, const int32_t *edges, size_t count);

#endif
