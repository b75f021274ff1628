/*
 * sentence_over.h: a parsed sentence over other tokens of its line than those that the parser cut:
 * Moses', or what stands between blanks, as a translation model reads it.
 */
#ifndef DGM_DECODE_ANNOTATE_SENTENCE_OVER_H
#define DGM_DECODE_ANNOTATE_SENTENCE_OVER_H

#include "decode/annotate/sentence_writer.h"

struct dgm_sentence_item;

/* Takes the tokens of the item's line into writer->over, and lays the tree over them: its words,
 * from 0 on, and their tags and labels, names[0] and names[1] of the writer. Afterwards
 * over->forms, over->overlay and over->names are those of over->count tokens. */
dgm_status dgm_sentence_over_lay(struct dgm_sentence_writer *writer,
                                 const struct dgm_sentence_item *item, const struct dgm_tree *tree);
void dgm_sentence_over_clear(struct dgm_env *env, struct dgm_sentence_over *over);

#endif
