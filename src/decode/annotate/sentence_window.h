/*
 * sentence_window.h: sentences on their way from text to trees, many at a time.
 */
#ifndef DGM_DECODE_ANNOTATE_SENTENCE_WINDOW_H
#define DGM_DECODE_ANNOTATE_SENTENCE_WINDOW_H

#include "decode/annotate/sentence_parser.h"
#include "decode/annotate/sentence_writer.h"
#include "decode/annotate/source_lines.h"
#include "decode/annotate/tree_output.h"

/* What sentences are: lines; parts of lines; parts of paragraphs, which blank lines end. */
enum dgm_text_split { DGM_SPLIT_NONE, DGM_SPLIT_LINES, DGM_SPLIT_DOCUMENT };

/* Running text that waits to be cut by the parser. Zeroed: nothing waits. */
struct dgm_uncut_text {
    enum dgm_text_split split;
    struct dgm_buf text; /* paragraphs that wait, well-formed UTF-8 */
    struct dgm_uncut_paragraph {
        size_t end;         /* in `text` */
        long line;          /* its first one */
        int64_t characters; /* before it: of the document, else 0 */
    } * paragraphs;
    size_t count, capacity;
    size_t *ends; /* the same numbers, for the cutter */
    size_t end_capacity;
    int64_t characters; /* of the document so far */
    int has_warned;     /* of a multiword token whose words are not known */
};

/* Zero-initialise it, but for `env`; it is cleared in any case. */
struct dgm_sentence_window {
    struct dgm_env *env;
    struct dgm_sentence_parser parser;
    struct dgm_sentence_writer writer; /* and the forms of input and of values */
    struct dgm_tree_output output;     /* of what it writes as CoNLL-U */
    int cuts;                          /* the parser cuts raw text; else Moses' rules do */
    struct dgm_uncut_text text;        /* that waits for it */
    int immediate;                     /* a window is one sentence */
    int64_t batch_words;
    char language[16];
    char *source; /* the file of sources, or NULL: what is parsed is no translation */
    struct dgm_source_lines sources;
    struct dgm_sentence_item *items; /* the window */
    size_t item_count, item_capacity;
    long line;        /* read so far; of CoNLL-U, that of the latest sentence */
    long first, step; /* every step-th of the file is taken; step 0: all */
    long seen;        /* lines or sentences of the file so far */
    long written;     /* sentences of the file so far */
};

/* For messages, the line of a sentence of the parser, and of text that waits, by the paragraph:
 * once the parser is open. */
void dgm_sentence_window_name_lines(struct dgm_sentence_window *window);
/* Empties it: neither sentences nor text. */
void dgm_sentence_window_begin(struct dgm_sentence_window *window);
/* A document begins. */
void dgm_sentence_window_reset_text(struct dgm_sentence_window *window);
/* One item more: empty and zeroed, but for memory that it keeps. */
dgm_status dgm_sentence_window_next(struct dgm_sentence_window *window,
                                    struct dgm_sentence_item **item);
/* The latest item has its words: they wait to be parsed, beside their source where there are
 * sources. */
dgm_status dgm_sentence_window_queue(struct dgm_sentence_window *window,
                                     struct dgm_sentence_item *item);
void dgm_sentence_window_clear(struct dgm_sentence_window *window);

#endif
