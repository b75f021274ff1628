/*
 * text_list.h: the parallel texts that one corpus is made of, in their order, with what is known of
 * each: its files, its trees, its tag, its weight in a mixture.
 */
#ifndef DGM_DATA_TEXT_TEXT_LIST_H
#define DGM_DATA_TEXT_TEXT_LIST_H

#include "base/buf.h"
#include "base/env.h"
#include "data/side.h"

/* Strings are borrowed. */
struct dgm_text {
    const char *path[2];  /* of the target NULL: one file has both sides, a tab between them */
    const char *trees[2]; /* data/tree/tree_file.h; NULL: none */
    const char *weights;  /* a number for each pair (weight_file.h); NULL: all are 1 */
    const char *links;    /* of the words of each pair (link_file.h); NULL: none */
    const char *tag;      /* in front of every source; NULL: none */
    double weight;        /* in a mixture; 0: not given */
};

/* Zeroed is valid and empty. */
struct dgm_text_list {
    struct dgm_text *items;
    size_t count, capacity;
    struct dgm_buf list; /* of dgm_text_list_read: where its strings are */
};

/* The file that a side of a text stands in. */
static inline const char *dgm_text_path(const struct dgm_text *text, int side)
{
    return text->path[side] != NULL ? text->path[side] : text->path[DGM_SOURCE];
}

/* Appends a text; target: NULL for a file of both sides. */
dgm_status dgm_text_list_add(struct dgm_env *env, struct dgm_text_list *texts, const char *source,
                             const char *target);
/*
 * Appends the texts that a file lists, one a line: source, target (not with is_tsv), weight and tag
 * with tabs between. The last two may be missing, or "-". Blank lines and lines that begin with #
 * are skipped. DGM_DATA with file and line for anything else.
 */
dgm_status dgm_text_list_read(struct dgm_env *env, struct dgm_text_list *texts, const char *path,
                              int is_tsv);
/* DGM_DATA for a file that is missing, DGM_USAGE for a text that is there twice. */
dgm_status dgm_text_list_check(struct dgm_env *env, const struct dgm_text_list *texts);
/* The first file of trees of a side, or NULL: no text has any. */
const char *dgm_text_list_trees(const struct dgm_text_list *texts, int side);
void dgm_text_list_clear(struct dgm_env *env, struct dgm_text_list *texts);

#endif
