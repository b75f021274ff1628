/*
 * sentence_writer.h: a parsed sentence as CoNLL-U, or as a line of values for each piece.
 */
#ifndef DGM_API_PARSE_SENTENCE_WRITER_H
#define DGM_API_PARSE_SENTENCE_WRITER_H

#include "api/parse/sentence_parser.h"
#include "data/tree/annotation.h"
#include "text/bpe/bpe.h"

enum dgm_sentence_form { DGM_SENTENCE_RAW, DGM_SENTENCE_TOKENS, DGM_SENTENCE_CONLLU };

/* One sentence, from input to output. A later sentence uses its memory again. */
struct dgm_sentence_item {
    struct dgm_conllu_sentence sentence; /* DGM_SENTENCE_CONLLU */
    struct dgm_buf line, tokens;         /* text: the line; its words, each ended by NUL */
    const char **forms, **tags;          /* (count); tags of CoNLL-U only */
    int32_t count;                       /* words */
    size_t form_capacity, tag_capacity;
    int32_t number; /* in the parser; -1: blank or too long to be parsed */
};

/* Zero-initialise it; it is cleared in any case. */
struct dgm_sentence_writer {
    struct dgm_env *env;
    const struct dgm_sentence_parser *parser; /* whose results these are */
    /* What is asked for: */
    enum dgm_sentence_form input;
    int wants_conllu;              /* else `kind` */
    enum dgm_annotation_kind kind; /* one value for each piece */
    int chain;                     /* the pieces of a word are a chain */
    int retag;                     /* tags are ours, though CoNLL-U gives some */
    char separator[16];            /* marks a piece that does not end its word */
    int has_codes;                 /* else words are pieces */
    struct dgm_bpe bpe;
    struct dgm_buf out; /* what was written */
    /* Of one sentence, while it is written: */
    struct dgm_buf piece_text;
    const char **names[3]; /* tags, labels, pieces */
    size_t name_capacity[3];
    int32_t *counts, *heads;
    size_t count_capacity, head_capacity;
};

/* Appends what is written for an item to writer->out, its newline included. */
dgm_status dgm_sentence_writer_add(struct dgm_sentence_writer *writer,
                                   const struct dgm_sentence_item *item);
void dgm_sentence_writer_clear(struct dgm_env *env, struct dgm_sentence_writer *writer);

#endif
