/*
 * annotate.h: parsing text and CoNLL-U, a window of sentences at a time.
 */
#ifndef DGM_DECODE_ANNOTATE_ANNOTATE_H
#define DGM_DECODE_ANNOTATE_ANNOTATE_H

#include "base/ranks/ranks.h"
#include "decode/annotate/sentence_window.h"
#include "syntax/conllu/conllu_reader.h"

/* A line of text as the window's next sentence; its source is read. */
dgm_status dgm_annotate_add(struct dgm_sentence_window *window, const char *line, size_t bytes);
/* Opens CoNLL-U as it is read here: what cannot be used is warned of and kept. */
dgm_status dgm_annotate_open_conllu(struct dgm_env *env, struct dgm_conllu_reader *reader,
                                    const char *path);
/* The words of the item's sentence of CoNLL-U. */
dgm_status dgm_annotate_take_words(struct dgm_env *env, struct dgm_sentence_item *item);
/* A sentence of CoNLL-U as the window's next, packed (conllu_packed.h); its source is read. */
dgm_status dgm_annotate_add_packed(struct dgm_sentence_window *window, const char *packed,
                                   size_t bytes);
/* Parses the window and leaves what is to be written in window->writer.out. */
dgm_status dgm_annotate_run(struct dgm_sentence_window *window);

/* ---- annotate_file.c ------------------------------------------------------------------------ */

/* Says where results go; DGM_USAGE for what a shard cannot have. */
dgm_status dgm_annotate_begin(struct dgm_sentence_window *window, dgm_write_fn write, void *user);
/* Parses a file, "-" being standard input. */
dgm_status dgm_annotate_file(struct dgm_sentence_window *window, const char *path,
                             dgm_write_fn write, void *user);
/* What was counted in a file, told and forgotten. */
void dgm_annotate_tell_counts(struct dgm_sentence_window *window);

/* ---- annotate_share.c ----------------------------------------------------------------------- */

/* The same on several ranks, all of which call it; rank 0 alone reads, but for sources, and
 * writes. */
dgm_status dgm_annotate_share(struct dgm_sentence_window *window, struct dgm_ranks *ranks,
                              const char *path, dgm_write_fn write, void *user);

#endif
