/*
 * parser_vectors.h: pretrained word vectors of a parser: from a file of text, to and from a model
 * file, and on their way to the device.
 *
 * As in Dozat and Manning (2017), a word's row has two vectors of the whole word: one that is
 * learned, of words that the treebank has often enough, and one of a table that was learned from
 * far more text and stays as it is. The second goes through a matrix that is learned (Dozat, Qi and
 * Manning, "Stanford's graph-based neural dependency parser at the CoNLL 2017 shared task"), so
 * that tables of any width do, and is zeros for a word that the table lacks.
 *
 * The table lies in the parser's lexicon. The device gets the vectors of each batch with it, and
 * never the table: no optimizer has to step over it, and a GPU needs no room for it.
 */
#ifndef DGM_MODEL_PARSER_PARSER_VECTORS_H
#define DGM_MODEL_PARSER_PARSER_VECTORS_H

#include "model/parser/parser.h"

/* Words of a table unless it is said how many. */
enum { DGM_PARSER_VECTORS = 100000 };

/* The first `limit` words of a file (data/vectors/vector_file.h), but for those that are spelled
 * like special tokens, as word2vec's </s>. */
dgm_status dgm_parser_vectors_read(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                   const char *path, int64_t limit);

/* Keys: dragoman.parser.vectors.words, an array of tokens, .dim, and .numbers, bytes: rows of
 * binary16, little-endian. A file without any of them has no vectors. */
dgm_status dgm_parser_vectors_load(struct dgm_env *env, struct dgm_word_vectors *vectors,
                                   const struct dgm_gguf *file);
dgm_status dgm_parser_vectors_save(struct dgm_env *env, const struct dgm_word_vectors *vectors,
                                   struct dgm_gguf_writer *writer);

/* Stages the vectors of `count` forms of a bank (count, dim). */
dgm_status dgm_parser_vectors_stage(struct dgm_env *env, struct dgm_feed *feed, dgm_slot *slot,
                                    const struct dgm_word_vectors *vectors,
                                    const struct dgm_treebank *bank, const int32_t *forms,
                                    int64_t count);

#endif
