/*
 * side.h: the two sides of everything here: a pair of texts has a source and a target, a network
 * an encoder, which reads the source, and a decoder, which writes the target.
 */
#ifndef DGM_DATA_SIDE_H
#define DGM_DATA_SIDE_H

enum dgm_side { DGM_SOURCE, DGM_TARGET };

#endif
