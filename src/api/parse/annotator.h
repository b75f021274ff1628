/*
 * annotator.h: what an annotator holds; shared by annotator.c (making, reading, parsing),
 * annotator_head.c (parsing with a head of a translation model) and annotator_write.c (the result
 * as text).
 */
#ifndef DGM_API_PARSE_ANNOTATOR_H
#define DGM_API_PARSE_ANNOTATOR_H

#include "api/context.h"
#include "data/tree/annotation.h"
#include "decode/parse/parse.h"
#include "decode/parse/parse_head.h"
#include "model/model.h"

enum dgm_annotator_input { DGM_INPUT_RAW, DGM_INPUT_TOKENS, DGM_INPUT_CONLLU };

/* One sentence on its way through; its memory is used again for a later one. */
struct dgm_annotator_item {
    struct dgm_conllu_sentence sentence; /* DGM_INPUT_CONLLU */
    struct dgm_buf line, tokens;         /* text: the line; its words, each ended by NUL */
    const char **forms, **tags;          /* (count); tags of CoNLL-U only */
    int32_t count;                       /* words */
    size_t form_capacity, tag_capacity;
    int32_t number; /* in the bank; -1: blank or too long to be parsed */
};

struct dgm_annotator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_parse parse;
    struct dgm_treebank bank;
    struct dgm_parsed parsed;
    int has_head; /* the parser is a head of a translation model: */
    struct dgm_model model;
    struct dgm_parse_head head;
    struct dgm_encoded encoded;
    struct dgm_packed pieces; /* of the window */
    enum dgm_annotator_input input;
    int wants_conllu; /* else `kind` */
    enum dgm_annotation_kind kind;
    int chain, retag, immediate;
    int64_t batch_words;
    char language[16], separator[16];
    struct dgm_bpe bpe;
    int has_codes;
    struct dgm_annotator_item *items; /* the window */
    size_t item_count, item_capacity;
    int64_t window_words;
    long line, too_long; /* read so far; said about */
    struct dgm_buf out;  /* results of a window */
    /* Of one sentence, while it is written: */
    struct dgm_buf piece_text;
    const char **names[3]; /* tags, labels, pieces */
    size_t name_capacity[3];
    int32_t *counts, *heads;
    size_t count_capacity, head_capacity;
};

/* annotator_head.c: opens a parser, or a translation model with a head that is one. */
dgm_status dgm_annotator_open(struct dgm_annotator *annotator, const char *path, int from_attention,
                              const struct dgm_parse_options *options);
/* Queues the pieces of an item's words: it gets its number, or none where they are too many. */
dgm_status dgm_annotator_queue_pieces(struct dgm_annotator *annotator,
                                      struct dgm_annotator_item *item);
/* The trees of all that is queued. */
dgm_status dgm_annotator_run_head(struct dgm_annotator *annotator);
void dgm_annotator_close_head(struct dgm_annotator *annotator);

/* Appends what is written for an item, its newline included. */
dgm_status dgm_annotator_write(struct dgm_annotator *annotator,
                               const struct dgm_annotator_item *item);

#endif
