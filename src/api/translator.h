/*
 * translator.h: what a translator holds; shared by api_translator.c (making, running, results),
 * api_translator_queue.c (lines on their way in) and api_attention.c (weights).
 */
#ifndef DGM_API_TRANSLATOR_H
#define DGM_API_TRANSLATOR_H

#include "api/attention.h"
#include "api/context.h"
#include "data/tree_file.h"
#include "decode/parse_lines.h"
#include "decode/sight.h"
#include "decode/translate.h"
#include "model/model.h"

/* One queued line: where its sentence is in `source`, or -1 for a blank one; with attention, where
 * its words are. */
struct queued {
    int32_t sentence;
    size_t text, text_bytes;
};

struct dgm_translator {
    dgm_context *context;
    struct dgm_device *device;
    struct dgm_model *models;
    size_t model_count;
    const struct dgm_tags *tags;      /* of the models that read any, or NULL */
    struct dgm_search search;
    struct dgm_search_options options;
    int n_best, keep_tokens;
    int64_t batch_tokens;
    struct dgm_tree_file trees;       /* no path: none */
    char *tree_path;
    char needs[80];                   /* the model that reads dependency trees only */
    int parses;                       /* trees are made by the parser in the first model's file */
    struct dgm_parser parser;
    struct dgm_parse_lines lines;     /* the queued sentences of `source` */

    struct dgm_encoded encoded;
    struct dgm_packed source, target; /* queued sentences that are not blank */
    struct queued *queue;
    size_t queue_count, queue_capacity;
    long line;                        /* lines added in all */
    int scoring;                      /* the queue holds pairs */
    int ran;                          /* results below belong to the queue */
    struct dgm_result *results;       /* (source.count) */
    double *logp;                     /* (source.count), scoring */
    size_t result_count;
    int warned;                       /* about trees, or lines too long */
    struct dgm_buf text;

    struct dgm_sight sight;           /* of the first model, where attention is wanted */
    struct dgm_attention_choice choice;
    struct dgm_buf words;             /* of the queued lines, blanks between */
    struct dgm_buf json;
};

/* Where trees come from: the file that is named, or the parser inside the first model where a
 * model uses trees. */
dgm_status dgm_translator_open_trees(struct dgm_translator *translator,
                                     const dgm_translator_options *chosen);

/* Parses the queue, if that is where its trees come from. */
dgm_status dgm_translator_parse(struct dgm_translator *translator);

/* Prepares the translator to show attention, if the options ask for it. */
dgm_status dgm_translator_open_sight(struct dgm_translator *translator,
                                     const dgm_translator_options *chosen);

/* Forgets results and queue, if they have been asked for: the next line begins a new queue. */
void dgm_translator_begin(struct dgm_translator *translator);

/* Releases the results of the last run. */
void dgm_translator_forget(struct dgm_translator *translator);

#endif
