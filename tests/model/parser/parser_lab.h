/*
 * parser_lab.h: a parser of a few numbers, on a treebank of four sentences: what its tests share.
 */
#ifndef DGM_TESTS_PARSER_LAB_H
#define DGM_TESTS_PARSER_LAB_H

#include "decode/parse/parse.h"

enum { PARSER_SHAPES = 14, PARSER_SENTENCES = 4, PARSER_COPIES = 120 };

/* The treebank; and one with heads on the left, in the second treebank on the right: a sentence is
 * a treebank's in turn. */
extern const char parser_lab_treebank[], parser_lab_contradictions[];
/* Settings of all kinds of parsers, and rates of dropout to go with them. */
extern const char *const parser_lab_shapes[PARSER_SHAPES];
extern const char parser_lab_dropouts[], parser_lab_none[];
/* All columns that a parser has. */
extern const struct dgm_parse_options parser_lab_columns;

struct parser_lab {
    struct dgm_device *device;
    struct dgm_parser parser;
    struct dgm_treebank bank;
    struct dgm_text_bank text;
    struct dgm_parser_step step;
    struct dgm_graph graph;
    struct dgm_parser_losses losses;
};

/* A parser of a shape, with its treebank, or `trees`; cleared in any case. */
dgm_status parser_lab_open(struct parser_lab *lab, const char *shape, const char *rates,
                           int threads);
dgm_status parser_lab_open_on(struct parser_lab *lab, const char *trees, const char *shape,
                              const char *rates, int threads);
void parser_lab_close(struct parser_lab *lab);
/* The bank becomes its sentences again and again, PARSER_COPIES times: words enough for several
 * threads. */
dgm_status parser_lab_multiply(struct parser_lab *lab);

/* Stages all sentences and builds the losses; computes their sum. */
dgm_status parser_lab_build(struct parser_lab *lab, uint32_t update);
dgm_status parser_lab_run(struct parser_lab *lab, double *loss);

/* Parses a bank in batches of about `words`; the result is cleared by the caller. */
dgm_status parser_lab_parse(struct dgm_parser *parser, const struct dgm_treebank *bank,
                            const struct dgm_parse_options *options, int64_t words,
                            struct dgm_parsed *parsed);
/* Fails unless both parses of `rows` rows are the same to the bit. */
void parser_lab_same(const struct dgm_parsed *a, const struct dgm_parsed *b, size_t rows);

#endif
