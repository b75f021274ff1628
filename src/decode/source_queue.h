/*
 * source_queue.h: lines of source text on their way to models: encoded, with their trees, packed.
 *
 * Lines are added one by one; what a run translates or scores is the packed side of those that are
 * not blank. Trees come from a file, one for each line, or from the parser inside the first model
 * that has one. A single line without a tree is translated as its model can (a chain of words, or
 * plain self-attention) or not at all; models that need trees and have no source of any are
 * refused.
 */
#ifndef DGM_DECODE_SOURCE_QUEUE_H
#define DGM_DECODE_SOURCE_QUEUE_H

#include "data/text/unknown.h"
#include "data/tree/tree_file.h"
#include "decode/ensemble.h"
#include "decode/lost_scores.h"
#include "decode/parse/parse_lines.h"
#include "text/sentence/sentence.h"

/* How lines become what is searched: as they are; in parts, each a sentence, where they are longer
 * than a sentence of the text that the models learned from (dgm_ensemble_home); always so. */
enum dgm_line_split { DGM_LINES_WHOLE, DGM_LINES_AUTO, DGM_LINES_SENTENCES };

/* One line, or one of its parts. sentence: its number in `packed`; -1 for a line that is blank or,
 * after parsing, is refused because it has no tree. text: where its words are in `words`, if they
 * are kept. */
struct dgm_queued {
    int32_t sentence;
    int refused;
    long number; /* in the input, from 1 */
    size_t text, text_bytes;
    size_t raw, raw_bytes; /* where the line itself is in `raw` */
    size_t gap, gap_bytes; /* where the blanks behind a part are in `gaps` */
    struct dgm_unknown unknown;
};

/* Where trees come from, and what happens to a line that has none. */
struct dgm_source_trees {
    const char *file; /* NULL: the parser in a model's file makes them where a model uses them */
    int none;         /* neither, and meant so */
    const char
        *no_parse; /* of a line: "star", "chain", "reject"; NULL: as the models were trained */
};

/* Zero-initialise; cleared in any case. */
struct dgm_source_queue {
    struct dgm_ensemble *ensemble; /* borrowed */
    int keeps_words, keeps_raw;    /* set by the caller: words of the lines, or these, are wanted */

    struct dgm_tree_file trees; /* no path: none */
    char *tree_path;
    char needs[80]; /* the model that reads dependency trees only */
    int parses;     /* trees are made by the parser in a model's file */
    struct dgm_parser parser;
    struct dgm_parse_lines parsing; /* the lines of `packed` */
    int warned;                     /* about trees, or lines too long for the parser */
    int warned_nul, warned_utf8;    /* about bytes that are no text */
    int reads_tags, warned_tag;     /* at the head of lines; about a line without one */
    int32_t tag;                    /* of lines without one, or of their translations; 0: none */
    long odd_tags;                  /* lines whose tag no model knows */
    int counts, rejects;            /* lines without a tree are counted; are refused */
    long missing;                   /* lines without a tree, of all that were parsed */

    struct dgm_encoded encoded; /* the line that was added last */
    struct dgm_unknown found;   /* in it */
    struct dgm_packed packed;   /* lines that are not blank */
    struct dgm_queued *lines;   /* (count) */
    size_t count, capacity;
    enum dgm_line_split split; /* set by the caller, as the next two; never of a line with a */
    struct dgm_sentence_walk
        walk;  /* tree of its own. How text is cut into sentences, if no parser cuts it */
    int crops; /* what is longer than the models read loses its end */
    struct dgm_buf gaps;
    struct dgm_sentence_span *spans; /* (span_count) sentences of the line that was added last */
    size_t span_count, span_capacity;
    size_t *firsts; /* (added_count) where the parts of each line begin in `lines` */
    size_t added_count, first_capacity;
    struct dgm_buf words;       /* of the queued lines, blanks between */
    struct dgm_buf raw;         /* the queued lines that are not blank, as they were added */
    long line;                  /* lines added or passed in all */
    long added;                 /* of these */
    struct dgm_unknown unknown; /* of all lines added */
};

/* The models are borrowed; type: what a parser that is loaded from their files multiplies with.
 * DGM_USAGE if one of them needs trees and there is no source of any. */
dgm_status dgm_source_queue_open(struct dgm_env *env, struct dgm_source_queue *queue,
                                 struct dgm_ensemble *ensemble, struct dgm_device *device,
                                 enum dgm_compute_type type, const struct dgm_source_trees *trees);
/*
 * What stands in front of each line, and of each translation: tags that the models know
 * (data/text/pipeline_tags.h). NULL: nothing, which is worth a warning where they know any. reads:
 * a tag at the head of a line is none of its words and stands in place of this one, or where
 * translations begin with a tag in place of that one; one that the models do not know goes with a
 * warning.
 */
dgm_status dgm_source_queue_set_tags(struct dgm_env *env, struct dgm_source_queue *queue,
                                     const char *tag, const char *target_tag, int reads);
/* Queues a line. A failure while it is packed forgets the whole queue: some of its parts would have
 * the line, and others not. */
dgm_status dgm_source_queue_add(struct dgm_env *env, struct dgm_source_queue *queue,
                                const char *line, size_t bytes);
/* The parts of line i of the queue, from 0, are lines[first..end). */
void dgm_source_queue_parts(const struct dgm_source_queue *queue, size_t i, size_t *first,
                            size_t *end);
/* The next lines of the input are somebody else's: their numbers and trees go by. */
dgm_status dgm_source_queue_pass(struct dgm_env *env, struct dgm_source_queue *queue, long lines);
/* Parses the lines, if their trees come from the parser. Counts the lines that have no tree; where
 * `rejects` is set, refuses them with a warning that names each. */
dgm_status dgm_source_queue_parse(struct dgm_env *env, struct dgm_source_queue *queue);
/* Warns of bytes of the line just added, or of its translation, that are no text and are read as
 * U+FFFD: once of each kind. */
void dgm_source_queue_doubt(struct dgm_env *env, struct dgm_source_queue *queue, const char *line,
                            size_t bytes);
/* No line follows: DGM_DATA if there is another tree. Says how many lines had none; *refused,
 * unless that is NULL: how many of these were refused. */
dgm_status dgm_source_queue_finish(struct dgm_env *env, struct dgm_source_queue *queue,
                                   size_t *refused);
/* Cuts a line to what all models can read, with a warning that names it. */
void dgm_source_queue_cut(struct dgm_env *env, const struct dgm_source_queue *queue,
                          struct dgm_encoded *encoded);
/* For messages: the line that a sentence of `packed` is (decode/lost_scores.h). */
struct dgm_input_lines dgm_source_queue_lines(const struct dgm_source_queue *queue);
/* Forgets the lines; keeps memory and the place in the file of trees. */
void dgm_source_queue_reset(struct dgm_source_queue *queue);
void dgm_source_queue_clear(struct dgm_env *env, struct dgm_source_queue *queue);

#endif
