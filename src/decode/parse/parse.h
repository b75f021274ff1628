/*
 * parse.h: from sentences to trees: scores, the best tree, labels, tags.
 *
 * The tree is the best one with exactly one root (syntax/spanning/spanning.h) under the sum of the
 * arcs' log-probabilities; each arc then takes its best label, "root" for the root alone. Results
 * of a sentence do not depend on its neighbours in the batch. Several parsers decide together, by
 * the mean of their probabilities (parse_peers.h).
 */
#ifndef DGM_DECODE_PARSE_PARSE_H
#define DGM_DECODE_PARSE_PARSE_H

#include "decode/lost_scores.h"
#include "decode/team.h"
#include "model/parser/parser.h"
#include "syntax/spanning/spanning.h"

struct dgm_parse_peer;

/* What stands for an arc's probability (`parse --prob`). */
enum dgm_arc_prob {
    DGM_PROB_NONE,
    DGM_PROB_ROW,     /* the softmax over the heads of a word */
    DGM_PROB_MARGINAL /* of all trees with one root, by the matrix-tree theorem; where its numbers
                       * leave the range of doubles, that of the row, and a warning */
};

struct dgm_parse_options {
    int projective; /* the best projective tree (Eisner 1996) */
    enum dgm_arc_prob prob;
    unsigned morphs; /* of the columns that it has learned, those wanted (data/tree/morphology.h) */
    const struct dgm_parse_peer *peers; /* (peer_count) borrowed: other parsers of an ensemble, for
                                         * these columns */
    int peer_count;                     /* below DGM_ENSEMBLE */
    struct dgm_input_lines lines;       /* for messages: what a sentence of a bank is */
};

/* Results by row; heads count as CoNLL-U does: 0..n. Zero-initialise, reuse, clear. */
struct dgm_parsed {
    int32_t *heads, *labels, *tags; /* (N); -1 in the rows of roots */
    double *prob;                   /* (N), where probabilities were asked for; 0 in roots' rows */
    size_t capacity;
    /* (N) of columns that were learned and wanted, else NULL; -1 in the rows of roots, and where no
     * script of a lemma fits the form. */
    int32_t *morphs[DGM_MORPHS];
    size_t morph_capacity[DGM_MORPHS];
};

struct dgm_parse {
    struct dgm_parser *parser;
    struct dgm_device *device;
    struct dgm_parse_options options;
    struct dgm_parser_step step;
    struct dgm_parser_scores nodes; /* of the batch at work */
    struct dgm_graph graph, label_graph;
    struct dgm_feed arcs; /* dependents and heads of the label scorer */
    struct dgm_spanning_work work;
    dgm_real *scores; /* (T), then (rows, classes) of tags and labels */
    size_t score_capacity;
    double *marginals;
    size_t marginal_capacity;
    int32_t unsure, unsure_words; /* the batch of the first sentence without marginals; -1: none */
    int warned;                   /* of it */
    int is_sized;                 /* its first bank has been held against the memory allowed */
    /* One thread parses, for the memory of more there is no room; callers may say so. */
    int is_alone;
    int32_t root_label;       /* class of "root", or -1 */
    struct dgm_parsed latest; /* of the latest batch, by row (step.rows.offsets) */
    int32_t *order;           /* of a bank's sentences, while it is parsed */
    int32_t begin;            /* place in the bank's order of the batch at work */

    /* Of each peer: the same batch by another parser, which leaves the decisions to this one. */
    struct dgm_parse **mates; /* (mate_count) */
    int mate_count;

    /* Of the other threads that parse a bank, made when they are first needed. */
    struct dgm_team team;
};

/* On a device beside that of the parser's parameters (device.h). */
dgm_status dgm_parse_init_on(struct dgm_env *env, struct dgm_parse *parse,
                             struct dgm_parser *parser, struct dgm_device *device,
                             const struct dgm_parse_options *options);
/* On the device of the parser's parameters. */
dgm_status dgm_parse_init(struct dgm_env *env, struct dgm_parse *parse, struct dgm_parser *parser,
                          const struct dgm_parse_options *options);
void dgm_parse_clear(struct dgm_env *env, struct dgm_parse *parse);

/* Parses sentences numbers[0..count-1] of a bank; DGM_MODEL where a score that decides is not
 * finite. Tags of the bank are read where the parser takes
 * tags; where there are none, those of a first pass: such a batch is computed twice. */
dgm_status dgm_parse_batch(struct dgm_env *env, struct dgm_parse *parse,
                           const struct dgm_treebank *bank, const int32_t *numbers, int32_t count);
/* Bytes that this may take, beside the parser: both pools, and scores on the host. Nothing is
 * computed. */
dgm_status dgm_parse_batch_size(struct dgm_env *env, struct dgm_parse *parse,
                                const struct dgm_treebank *bank, const int32_t *numbers,
                                int32_t count, double *bytes);

/* Parses a whole bank, sentences of like length together, about batch_words words at a time, which
 * the threads share. Results do not depend on how. */
dgm_status dgm_parse_bank(struct dgm_env *env, struct dgm_parse *parse,
                          const struct dgm_treebank *bank, int64_t batch_words,
                          struct dgm_parsed *parsed);
/* Bytes that this may take, beside the parser; nothing is parsed. */
dgm_status dgm_parse_bank_size(struct dgm_env *env, struct dgm_parse *parse,
                               const struct dgm_treebank *bank, int64_t batch_words, double *bytes);
void dgm_parsed_clear(struct dgm_env *env, struct dgm_parsed *parsed);

#endif
