/*
 * link_file.h: which words of a sentence pair are translations of each other: a file with the links
 * of a pair a line, in the format that is called Pharaoh's ("0-0 1-2 2-1": source word, target
 * word, from 0; blanks between), as fast_align, eflomal and Marian write and read it.
 */
#ifndef DGM_DATA_TEXT_LINK_FILE_H
#define DGM_DATA_TEXT_LINK_FILE_H

#include "data/text/side_file.h"

/* A line has at most so many links for each word of both sides: alignments of words have about
 * one, and a text is kept in memory with its links. */
enum { DGM_LINKS_OF_A_WORD = 64 };

/* Zeroed is valid: there is no file, and no pair has links. */
struct dgm_link_file {
    struct dgm_side_file side;
    int32_t *links; /* (2 count): those of the line taken last, by target word, then source */
    int32_t count;
    size_t capacity;
};

/* path NULL: there is none. */
dgm_status dgm_link_file_open(struct dgm_env *env, struct dgm_link_file *file, const char *path);
/* Takes the links of the line read last (dgm_side_file_next), which is line `number`, each once,
 * for a pair of so many words: DGM_DATA with file and line for what is no link, and for a word that
 * is not there. */
dgm_status dgm_link_file_take(struct dgm_env *env, struct dgm_link_file *file, long number,
                              int32_t source_words, int32_t target_words);
/* Puts them in order; what stands there twice counts once. */
void dgm_link_file_sort(struct dgm_link_file *file);
void dgm_link_file_close(struct dgm_env *env, struct dgm_link_file *file);

#endif
