/* tree_drawing.h: pictures of the trees of a CoNLL-U file. */
#ifndef DGM_DRAW_TREE_TREE_DRAWING_H
#define DGM_DRAW_TREE_TREE_DRAWING_H

#include "draw/picture.h"
#include "syntax/conllu/conllu_reader.h"

/* Zero-initialise, but for what is wanted. */
struct dgm_tree_drawing {
    struct dgm_picture picture;
    const char *compare; /* a file of the same sentences, or NULL */
    long sentence;       /* the one to be drawn, from 1; 0: all */
    struct dgm_conllu_reader reader, other_reader;
    struct dgm_conllu_sentence sentences[2], others[2]; /* this one and the next, in turn */
    int compares;
};

/* Draws a file, and clears all. */
dgm_status dgm_tree_drawing_run(struct dgm_tree_drawing *drawing, const char *path);

#endif
