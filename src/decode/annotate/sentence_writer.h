/*
 * sentence_writer.h: a parsed sentence as CoNLL-U, or as a line of values for each piece.
 */
#ifndef DGM_DECODE_ANNOTATE_SENTENCE_WRITER_H
#define DGM_DECODE_ANNOTATE_SENTENCE_WRITER_H

#include "data/tree/annotation.h"
#include "data/tree/text_words.h"
#include "syntax/conllu/conllu.h"
#include "text/bpe/bpe.h"

struct dgm_sentence_parser;

enum dgm_sentence_form { DGM_SENTENCE_RAW, DGM_SENTENCE_TOKENS, DGM_SENTENCE_CONLLU };

/* A token of raw text that the parser has cut. */
struct dgm_sentence_token {
    uint32_t start, end; /* bytes of the item's line */
    int32_t words;       /* it stands for */
    size_t form;         /* where its form begins in the item's tokens */
};

/* One sentence, from input to output. A later sentence uses its memory again. */
struct dgm_sentence_item {
    struct dgm_conllu_sentence sentence; /* DGM_SENTENCE_CONLLU */
    struct dgm_buf line, tokens;         /* text: the line; its words, each ended by NUL */
    const char **forms, **tags;          /* (count); tags of CoNLL-U only */
    int has_feats;                       /* of CoNLL-U: some word has features */
    int32_t count;                       /* words */
    size_t form_capacity, tag_capacity;
    /* Raw text that the parser has cut: the line is the sentence with the white space around it. */
    int is_cut, begins_paragraph;
    int part; /* of a line that may be several sentences: which, from 1; else 0 */
    struct dgm_sentence_token *cuts;
    size_t cut_count, cut_capacity;
    int64_t characters; /* of the text before the line */
    int32_t number;     /* in the parser; -1: blank, or too long for a translation model */
    long input;         /* its line of the input */
    long id;            /* of its sent_id: that line or, of a document or CoNLL-U, which sentence */
};

/* What gets values: words of the parser, or tokens of other kinds (sentence_over.h). */
enum dgm_sentence_tokens { DGM_TOKENS_OWN, DGM_TOKENS_MOSES, DGM_TOKENS_BLANKS };

struct dgm_sentence_over {
    enum dgm_sentence_tokens tokens;
    const char *language; /* borrowed: of Moses' rules */
    struct dgm_laid_counts counts;
    /* Of one sentence: */
    struct dgm_buf line;
    const char **forms, **names[2]; /* (count) names: tags, labels */
    int32_t count;
    size_t capacity;
    struct dgm_text_words words;
    struct dgm_overlay overlay;
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
    char *id_prefix;               /* before the number in a sent_id, or NULL */
    int ranges;                    /* MISC says where tokens stand in raw text */
    unsigned columns;              /* of CoNLL-U that are ours (columns.h) */
    int retag;                     /* tags, features and lemmas are, though CoNLL-U gives some */
    char separator[16];            /* marks a piece that does not end its word */
    int has_codes;                 /* else words are pieces */
    struct dgm_bpe bpe;
    struct dgm_sentence_over over;
    struct dgm_buf out; /* what was written */
    /* Of one sentence, while it is written: */
    struct dgm_buf piece_text, misc;
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
