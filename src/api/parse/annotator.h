/*
 * annotator.h: what a public annotator holds, and its window of sentences.
 */
#ifndef DGM_API_PARSE_ANNOTATOR_H
#define DGM_API_PARSE_ANNOTATOR_H

#include "api/context.h"
#include "api/parse/annotator_cut.h"
#include "decode/annotate/sentence_writer.h"
#include "decode/annotate/source_lines.h"
#include "decode/annotate/tree_output.h"
#include "syntax/conllu/conllu_reader.h"

struct dgm_annotator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_sentence_parser parser;
    struct dgm_sentence_writer writer; /* and the forms of input and of values */
    struct dgm_tree_output output;     /* of what it writes as CoNLL-U */
    struct dgm_buf shown;              /* what dgm_annotator_line gives of that */
    int is_lines;                      /* raw text: a line is a sentence, and nothing else can be */
    int cuts;                          /* the parser cuts raw text; else Moses' rules do */
    struct dgm_annotator_text text;    /* that waits for it */
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

/* A window of one item more: empty and zeroed, but for memory that it keeps. */
dgm_status dgm_annotator_next_item(struct dgm_annotator *annotator,
                                   struct dgm_sentence_item **item);
/* The latest item has its words: they wait to be parsed, beside their source where there are
 * sources. */
dgm_status dgm_annotator_queue_item(struct dgm_annotator *annotator,
                                    struct dgm_sentence_item *item);
/* An empty window. */
void dgm_annotator_begin(struct dgm_annotator *annotator);
/* A line of text as the window's next sentence; its source is read. */
dgm_status dgm_annotator_add(struct dgm_annotator *annotator, const char *line, size_t bytes);
/* Opens CoNLL-U as it is read here: what cannot be used is warned of and kept. */
dgm_status dgm_annotator_open_conllu(struct dgm_annotator *annotator,
                                     struct dgm_conllu_reader *reader, const char *path);
/* The words of the item's sentence of CoNLL-U. */
dgm_status dgm_annotator_take_words(struct dgm_env *env, struct dgm_sentence_item *item);
/* A sentence of CoNLL-U as the window's next, packed (conllu_packed.h); its source is read. */
dgm_status dgm_annotator_add_packed(struct dgm_annotator *annotator, const char *packed,
                                    size_t bytes);
/* Says where results go; DGM_USAGE for what a shard cannot have. */
dgm_status dgm_annotator_begin_output(struct dgm_annotator *annotator, dgm_write_fn write,
                                      void *user);
/* Parses the window and leaves what is to be written in annotator->writer.out. */
dgm_status dgm_annotator_run(struct dgm_annotator *annotator);

#endif
