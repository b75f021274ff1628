/*
 * spm_line.h: a text, its pieces, and the scratch memory of what cuts it into them.
 */
#ifndef DGM_TEXT_SPM_SPM_LINE_H
#define DGM_TEXT_SPM_SPM_LINE_H

#include "base/philox.h"
#include "text/spm/lattice.h"
#include "text/spm/spm.h"
#include "text/spm/spm_sample.h"

/* Bytes start..end of the text as it was rewritten. */
struct dgm_spm_span {
    int32_t id;
    uint32_t start, end;
};

/* The best path to a byte of the text: its last piece, and where that begins. */
struct dgm_spm_step {
    float score;
    int32_t id;
    uint32_t start;
};

/* A character or merged piece: a node of a doubly linked list. */
struct dgm_spm_symbol {
    uint32_t previous, next; /* DGM_TRIE_NONE: none */
    uint32_t start, bytes;   /* no bytes: it is part of another one */
    int is_whole;            /* a user-defined symbol: never merged */
};

/* Two neighbours that may be merged; waits in a heap, the best on top. */
struct dgm_spm_pair {
    float score;
    uint32_t left, right, bytes;
};

/* One encoded text, and scratch memory. Zeroed is valid; one thread at a time; reused. */
struct dgm_spm_line {
    struct dgm_buf text; /* as it was rewritten; unknown pieces are spans of it */
    struct dgm_spm_span *pieces;
    size_t count, capacity;
    struct dgm_spm_step *steps;
    size_t step_capacity;
    struct dgm_spm_symbol *symbols;
    size_t symbol_count, symbol_capacity;
    struct dgm_spm_pair *heap;
    size_t heap_count, heap_capacity;
    uint32_t *splits; /* by id, of unused pieces: bytes of the first part of the last merge */
    size_t split_capacity;
    uint32_t *ends;
    size_t end_count, end_capacity;

    /* Drawn pieces instead of the best ones: dgm_spm_line_sample. */
    const struct dgm_spm_sampling *sampling; /* borrowed; NULL: the best */
    struct dgm_random random;
    struct dgm_lattice lattice;
    struct dgm_spm_pair *aside; /* that wait for the next merge */
    size_t aside_count, aside_capacity;
};

/* Adds a piece. */
dgm_status dgm_spm_line_add(struct dgm_env *env, struct dgm_spm_line *line, int32_t id,
                            size_t start, size_t end);
/* The pieces of the next text are drawn by `sampling`, which must outlive that; NULL: they are the
 * best again. They are a function of the seed and two numbers that name the text. */
void dgm_spm_line_sample(struct dgm_spm_line *line, const struct dgm_spm_sampling *sampling,
                         uint64_t seed, uint32_t stream, uint32_t epoch, uint32_t number);
/* The text of piece i: that of the vocabulary, or, unknown, that of the line. Borrowed. */
const char *dgm_spm_line_piece(const struct dgm_spm *spm, const struct dgm_spm_line *line, size_t i,
                               size_t *bytes);
void dgm_spm_line_clear(struct dgm_env *env, struct dgm_spm_line *line);

#endif
